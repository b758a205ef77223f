"""How long TensorFlow traces and XLA compiles a call of each name, and its gradient; and what a new shape costs.

    python -m tests.benchmarks.compile_times [--signatures] [--json FILE] [--page] [NAME ...]

The calls are the plainest that the fuzzer draws for a name, of at most 64 elements, and those of `linalg` with matrices
of 40 x 40, too. CPU seconds of a first call less those of the next one, in a process with warm caches. With
`--signatures`, functions are instead called with a hundred shapes, one after another. `--page` writes the table to
docs/compile_times.md.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.generate.calls import draw_case
from fuzz.generate.choices import SeedChoices
from oracle import Case, load_subject
from oracle.harness import evaluate, has_slope
from tests.benchmarks.cases import select_simplest_cases
from tests.benchmarks.every_name import MOST_ELEMENTS, is_unusual, measured_names

HEADS = ("traced", "compiled", "gradient traced", "gradient compiled")
LIMIT = 2.0
"""Seconds that nothing should take."""
SHOWN_ABOVE = 0.5
DRAWN = 64
SIDE = 40
SHAPES = 100
PAGE = Path(__file__).parents[2] / "docs" / "compile_times.md"


def list_calls(names: Sequence[str]) -> Iterator[tuple[str, Case, Case | None]]:
    """Yield labels, cases, and cases with a derivative, or None where there is none."""
    for name in names:
        drawn = [case for case in select_simplest_cases(name) if sum(map(np.size, case.arrays())) <= MOST_ELEMENTS]
        cases = [case for case in sorted(drawn, key=is_unusual) if case.arrays()]
        if cases:
            more = (draw_case(SeedChoices(seed), name) for seed in range(DRAWN))
            yield name, cases[0], next((case for case in (*cases, *more) if has_slope(case)), None)
    for case in list_large_matrices():
        if case.name in names:
            option = f", {case.args[1]!r}" if case.name in ("linalg.norm", "linalg.matrix_power") else ""
            yield f"{case.name}, {SIDE} x {SIDE}{option}", case, case


def list_large_matrices() -> list[Case]:
    """Return calls of `linalg` with matrices of 40 x 40."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=(SIDE, SIDE)) + SIDE * np.eye(SIDE)
    spd, b = a @ a.T, rng.normal(size=(SIDE, 3))
    of_one = ("cond", "det", "eig", "eigvals", "inv", "matrix_rank", "pinv", "qr", "slogdet", "svd", "svdvals")
    norms = [Case("linalg.norm", (a, order)) for order in (2, "nuc")]
    return [
        *(Case(f"linalg.{name}", (a,)) for name in of_one),
        *(Case(f"linalg.{name}", (spd,)) for name in ("cholesky", "eigh", "eigvalsh")),
        *(Case(f"linalg.{name}", (a, b)) for name in ("lstsq", "solve")),
        *(Case("linalg.matrix_power", (a / SIDE, exponent)) for exponent in (5, -3)),
        *(Case("linalg.tensorinv", (a.reshape(SIDE, 8, 5), 1)), Case("linalg.multi_dot", ([a, spd, b],))),
        *norms,
    ]


def measure_first_call(function: Callable[..., Any], operands: Sequence[Any]) -> float:
    """Return the CPU seconds that a first call takes more than the next."""
    start = time.process_time()
    function(*operands)
    middle = time.process_time()
    function(*operands)
    return max(2 * middle - start - time.process_time(), 0.0)


def differentiate(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the gradient of a function: of the sum of the magnitudes of its inexact results."""
    import tensorflow as tf

    def gradient(*operands: Any) -> Any:
        watched = [operand for operand in operands if operand.dtype.is_floating or operand.dtype.is_complex]
        with tf.GradientTape() as tape:
            tape.watch(watched)
            results = tf.nest.flatten(function(*operands))
            inexact = [result for result in results if result.dtype.is_floating or result.dtype.is_complex]
            total = tf.add_n([tf.cast(tf.reduce_sum(tf.abs(result)), tf.float64) for result in inexact])
        return tape.gradient(total, watched)

    return gradient


def measure_case(case: Case, gradient: bool) -> list[float | None]:
    """Return the seconds to trace and to compile a call or its gradient; None if that is not answered."""
    import tensorflow as tf

    subject, figures = load_subject("tfnp"), list[float | None]()
    operands = [tf.constant(array) for array in case.arrays()]

    def call(*operands: Any) -> Any:
        tensor_of = {id(array): operand for array, operand in zip(case.arrays(), operands, strict=True)}
        result = evaluate(case, subject.find, lambda array: tensor_of[id(array)])
        return [part for part in tf.nest.flatten(result) if isinstance(part, tf.Tensor)]

    for compiled in (False, True):
        function = tf.function(differentiate(call) if gradient else call, autograph=False, jit_compile=compiled)
        try:
            with subject.numpy_behavior():
                figures.append(measure_first_call(function, operands))
        except Exception:  # noqa: BLE001 - a call that a graph or XLA rejects is left out of the table
            figures.append(None)
    return figures


def measure_names(names: Sequence[str]) -> dict[str, list[float | None]]:
    """Return the seconds of each column by label."""
    figures = {}
    for label, case, sloped in list_calls(names):
        row = measure_case(case, gradient=False)
        row += [None, None] if sloped is None else measure_case(sloped, gradient=True)
        if any(figure is not None for figure in row):
            figures[label] = row
        print(f"{label:<44}" + "".join(f"{format_seconds(figure):>10}" for figure in row), flush=True)
    return figures


def list_functions() -> dict[str, Callable[[Any], Any]]:
    """Return functions of a vector that are called with many shapes."""
    import tfnp

    return {
        "sum": tfnp.sum,
        "sort": tfnp.sort,
        "median": tfnp.median,
        "convolve": lambda x: tfnp.convolve(x, x[:3]),
        "interp": lambda x: tfnp.interp(x, [0.0, 1.0], [1.0, 2.0]),
        "fft.rfft": tfnp.fft.rfft,
        "linalg.norm": tfnp.linalg.norm,
        "histogram": lambda x: tfnp.histogram(x, 10, (0, 1))[0],
    }


def measure_signatures(function: Callable[[Any], Any], jit_compile: bool) -> dict[str, float]:
    """Return the milliseconds that each of the first and last ten of many shapes takes, and the MiB of each shape."""
    import tensorflow as tf

    traced = tf.function(function, autograph=False, jit_compile=jit_compile)
    rng, times = np.random.default_rng(0), list[float]()

    before = read_memory()
    for length in range(10, 10 + SHAPES):
        x = tf.constant(rng.uniform(size=length))
        start = time.process_time()
        traced(x)
        times.append(1e3 * (time.process_time() - start))
    return {
        "first": statistics.median(times[1:11]),
        "last": statistics.median(times[-10:]),
        "memory": (read_memory() - before) / SHAPES / 2**20,
        "traces": float(traced.experimental_get_tracing_count()),
    }


def measure_functions() -> dict[tuple[str, str], dict[str, float]]:
    """Return what many shapes cost each function, in a graph and under XLA."""
    return {
        (name, way): measure_signatures(function, way == "XLA")
        for name, function in list_functions().items()
        for way in ("graph", "XLA")
    }


def read_memory() -> int:
    """Return the bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def format_seconds(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.2f}"


def format_page(figures: dict[str, list[float | None]]) -> list[str]:
    """Return the lines of the page: quantiles of all names, and the names above a limit."""
    lines = [
        "# Time to trace and to compile",
        "",
        f"CPU seconds of a first call less those of the next, for {len(figures)} calls: the plainest that is drawn for",
        f"each name, of at most {MOST_ELEMENTS} elements, and those of `linalg` with matrices of {SIDE} x {SIDE}.",
        "`python -m tests.benchmarks.compile_times --page`",
        f"prints all and writes this page. Listed are those above {SHOWN_ABOVE} seconds. XLA does not compile the",
        "eigenvalues of matrices that are not symmetric. What takes it longest is its own code for singular values and",
        "for eigenvalues.",
        "",
        f"| | {' | '.join(HEADS)} |",
        f"|---|{'---|' * len(HEADS)}",
    ]
    columns = [[figure for row in figures.values() if (figure := row[i]) is not None] for i in range(len(HEADS))]
    for label, share in (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99), ("most", 1.0)):
        cells = [format_seconds(float(np.quantile(column, share))) if column else "" for column in columns]
        lines.append(f"| *{label}* | {' | '.join(cells)} |")
    slow = {label: row for label, row in figures.items() if most(row) > SHOWN_ABOVE}
    lines += [
        f"| {label} | {' | '.join(map(format_seconds, row))} |"
        for label, row in sorted(slow.items(), key=lambda item: -most(item[1]))
    ]
    return lines


def format_signatures(figures: dict[tuple[str, str], dict[str, float]]) -> list[str]:
    """Return the lines of the page about many shapes."""
    return [
        "## Many shapes",
        "",
        f"A function is called with vectors of {SHAPES} lengths, one after another, and traced for each. CPU",
        "milliseconds of a call, the median of the first ten lengths and of the last ten; and memory that stays.",
        "",
        "| | | traces | first ten | last ten | MiB a length |",
        "|---|---|---|---|---|---|",
        *(
            f"| {name} | {way} | {row['traces']:.0f} | {row['first']:.1f} | {row['last']:.1f} | {row['memory']:.2f} |"
            for (name, way), row in figures.items()
        ),
    ]


def most(row: Sequence[float | None]) -> float:
    """Return the largest figure of a row."""
    return max((figure for figure in row if figure is not None), default=0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these names")
    parser.add_argument("--signatures", action="store_true", help="call functions with a hundred shapes instead")
    parser.add_argument("--json", type=Path, help="also write the figures there")
    parser.add_argument("--page", action="store_true", help="write docs/compile_times.md")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    logging.getLogger("tensorflow").setLevel(logging.ERROR)
    if options.signatures:
        print(*format_signatures(measure_functions()), sep="\n")
        return
    figures = measure_names(options.names or measured_names())
    slow = [label for label, row in figures.items() if most(row) > LIMIT]
    print(f"{len(figures)} calls; above {LIMIT} s:", *slow, sep="\n  ")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    if options.page:
        PAGE.write_text("\n".join([*format_page(figures), "", *format_signatures(measure_functions())]) + "\n")


if __name__ == "__main__":
    main()
