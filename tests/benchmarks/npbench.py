"""How long NPBench's NumPy programs take in tfnp.numpy, eager and compiled by `tfnp.numpy.jit`, beside NumPy.

    tox -e bench -- npbench --checkout DIR [--clone] [--program NAME] [--size S|M|L|paper] [--threads 1|all] [--page]

DIR is a checkout of https://github.com/spcl/npbench; `--clone` makes it first. Nothing in the programs is changed but
their import of NumPy. Results, and arguments that a program writes to, are compared with NumPy's by NPBench's own rule,
shapes and dtypes exactly. Each program has a process, in which all take turns; what counts is the median of the ratios.
Arguments are copied before each call; those of compiled programs are tensors already. Numba and JAX run NPBench's own
variants, where they are installed. Each program is printed when it is measured; `--page` writes
docs/performance/npbench.md.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks.machine import describe_machine
from tests.benchmarks.measurement import choose_order

REPOSITORY = "https://github.com/spcl/npbench"
VARIANTS = {"numba": ("numba_n",), "jax": ("jax", "jax_lib")}
"""Files of NPBench's, of which the first that there is runs."""
MODES = ("eager", "jit", *VARIANTS)
PAGE = Path(__file__).parents[2] / "docs" / "performance" / "npbench.md"
REASONS = {
    "cholesky2": "XLA's Cholesky decomposition takes many times as long as LAPACK's",
    "correlation": "XLA copies the matrix twice in each iteration, in which a row and a column of it are written",
    "covariance": "as correlation",
}
"""Why `jit` takes more than five times NumPy's time."""
FEWEST_ROUNDS, MOST_ROUNDS = 3, 300
MOST = 5
"""Times NumPy's that should have a reason."""
Figures = dict[str, Any]


class Program:
    """One of NPBench's programs, with its arguments at a size."""

    def __init__(self, checkout: Path, info: Mapping[str, Any], size: str) -> None:
        self.info, self.name = info, info["module_name"]
        self.folder = checkout / "npbench" / "benchmarks" / info["relative_path"]
        self.data = dict(info["parameters"][size])
        if "init" in info:
            init = info["init"]
            make = getattr(_load(self.folder / f"{self.name}.py"), init["func_name"])
            made = make(*(self.data[name] for name in init["input_args"]))
            self.data.update(zip(init["output_args"], _flatten(made), strict=True))
        self.arrays = info["array_args"]

    def load(self, suffix: str) -> Callable[..., Any] | None:
        """Return the function of a variant; None if there is none."""
        path = self.folder / f"{self.name}_{suffix}.py"
        return getattr(_load(path), self.info["func_name"]) if path.exists() else None

    def load_replaced(self, folder: Path) -> Callable[..., Any]:
        """Return NumPy's function with another import, of a file in a folder, where AutoGraph finds its source."""
        source = (self.folder / f"{self.name}_numpy.py").read_text()
        path = folder / f"{self.name}_tfnp.py"
        path.write_text(source.replace("import numpy as np\n", "import tfnp.numpy as np\n"))
        return getattr(_load(path), self.info["func_name"])

    def copy(self, convert: Callable[[Any], Any]) -> list[Any]:
        """Return new arrays for a call."""
        return [convert(self.data[name]) for name in self.arrays]

    def call(self, function: Callable[..., Any], arrays: Sequence[Any]) -> Any:
        """Call a variant."""
        values = {**self.data, **dict(zip(self.arrays, arrays, strict=True))}
        return function(*(values[name] for name in self.info["input_args"]))


def _flatten(result: Any) -> list[Any]:
    return [] if result is None else list(result) if isinstance(result, tuple | list) else [result]


def _load(path: Path) -> Any:
    spec: Any = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Contender:
    """A way to run a program: its function, what makes its arrays, and what waits for its result."""

    function: Callable[..., Any]
    convert: Callable[[Any], Any] = np.array
    wait: Callable[[Any], Any] = lambda result: result
    writes: bool = True
    """Whether it writes to its arguments; else what NumPy's writes is returned, if that returns nothing."""


def make_contender(mode: str, program: Program, folder: Path) -> Contender | None:
    """Return a way to run a program; None if NPBench has no such variant, or the library is not installed."""
    if mode in VARIANTS:
        if importlib.util.find_spec(mode) is None:
            return None
        function = next(filter(None, map(program.load, VARIANTS[mode])), None)
        return None if function is None else _make_variant(mode, function)
    import tensorflow as tf

    import tfnp.numpy

    function = program.load_replaced(folder)
    if mode == "eager":
        return Contender(function, tfnp.numpy.array)

    def make_tensor(value: Any) -> Any:
        array = tfnp.numpy.array(value)
        tf.convert_to_tensor(array)  # which the array keeps
        return array

    return Contender(tfnp.numpy.jit(function), make_tensor)


def _make_variant(mode: str, function: Callable[..., Any]) -> Contender:
    if mode == "numba":
        return Contender(function)
    import jax

    jax.config.update("jax_enable_x64", True)
    return Contender(function, jax.numpy.array, jax.block_until_ready, writes=False)


def find_difference(info: Mapping[str, Any], expected: Sequence[Any], actual: Sequence[Any]) -> str | None:
    """Return how results differ: values by NPBench's rule, shapes and dtypes exactly; None if they do not."""
    if len(expected) != len(actual):
        return f"{len(actual)} results, not {len(expected)}"
    for index, (one, other) in enumerate(zip(map(np.asarray, expected), map(np.asarray, actual), strict=True)):
        if one.shape != other.shape or one.dtype != other.dtype:
            return f"result {index} is {other.dtype}{list(other.shape)}, not {one.dtype}{list(one.shape)}"
        if not np.allclose(one, other, info.get("rtol", 1e-5), info.get("atol", 1e-8), equal_nan=True):
            error = np.linalg.norm(one - other) / np.linalg.norm(one)
            if not error < info.get("norm_error", 1e-5):
                return f"result {index} has a relative error of {error:.1e}"
    return None


def measure_program(
    program: Program, modes: Sequence[str], seconds: float, clock: Callable[[], float], tell: Callable[[Figures], None]
) -> None:
    """Tell the figures of a program: first those of each mode's first call, then ratios to NumPy's time."""
    import tfnp.numpy

    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        contenders = {"numpy": Contender(program.load("numpy"))}  # type: ignore[arg-type] # all programs have that
        arrays = program.copy(np.array)
        results = _flatten(program.call(contenders["numpy"].function, arrays))
        for mode in modes:
            contender = make_contender(mode, program, Path(name))
            if contender is None:
                continue
            figures: Figures = {}
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", tfnp.numpy.NotCompiledWarning)
                try:
                    figures |= _call_first(program, contender, results, arrays, clock)
                except Exception as error:  # noqa: BLE001 - a program that cannot be run has no times
                    figures["error"] = f"{type(error).__name__}: {str(error)[:200]}"
            reasons = [str(one.message) for one in caught if issubclass(one.category, tfnp.numpy.NotCompiledWarning)]
            if reasons:
                figures["error"] = reasons[0].partition("eager mode: ")[2]
            tell({mode: figures})
            if "error" not in figures:
                contenders[mode] = contender
        tell(_measure_ratios(program, contenders, seconds, clock))


def _call_first(
    program: Program, contender: Contender, results: list[Any], written: list[Any], clock: Callable[[], float]
) -> Figures:
    """Call a contender for the first time, and compare with NumPy's results and the arguments after its call."""
    arrays, began = program.copy(contender.convert), clock()
    actual = _flatten(contender.wait(program.call(contender.function, arrays)))
    figures: Figures = {"first": clock() - began}
    if contender.writes:
        difference = find_difference(program.info, [*results, *written], [*actual, *arrays])
    else:
        outputs = [written[program.arrays.index(name)] for name in program.info["output_args"]]
        expected = results or outputs
        difference = find_difference(program.info, expected, actual[: len(expected)])
    return figures if difference is None else {**figures, "error": difference}


def _measure_ratios(
    program: Program, contenders: Mapping[str, Contender], seconds: float, clock: Callable[[], float]
) -> Figures:
    """Return the median time of NumPy's, and the median ratio of each contender's to it, of rounds in turn."""
    times: dict[str, list[float]] = {mode: [] for mode in contenders}
    end = time.perf_counter() + seconds * len(contenders)
    for number in range(MOST_ROUNDS):
        for mode in choose_order(list(contenders), number):
            contender = contenders[mode]
            arrays, began = program.copy(contender.convert), clock()
            contender.wait(program.call(contender.function, arrays))
            times[mode].append(clock() - began)
        if number + 1 >= FEWEST_ROUNDS and time.perf_counter() > end:
            break
    ratios = {mode: [a / b for a, b in zip(times[mode], times["numpy"], strict=True)] for mode in contenders}
    return {
        "numpy": statistics.median(times["numpy"]),
        "rounds": len(times["numpy"]),
        "ratios": {mode: statistics.median(ratios[mode]) for mode in contenders if mode != "numpy"},
    }


def measure_in_process(info: Mapping[str, Any], options: argparse.Namespace) -> Figures:
    """Return the figures of a program that a process of its own told, which is ended when its time is over."""
    context = multiprocessing.get_context("fork")  # TensorFlow is imported, and its runtime has not been started
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_measure_and_send, args=(sender, info, options))
    process.start()
    sender.close()
    figures: Figures = {"name": info["module_name"], "ratios": {}}
    end = time.monotonic() + options.limit
    while True:
        if not receiver.poll(max(end - time.monotonic(), 0)):
            process.kill()
            figures["ended"] = f"after {options.limit:.0f} s"
            break
        try:
            figures |= receiver.recv()
        except EOFError:
            break
    process.join()
    if process.exitcode and "ended" not in figures:
        figures["ended"] = f"by exit code {process.exitcode}"
    return figures


def _measure_and_send(sender: Connection, info: Mapping[str, Any], options: argparse.Namespace) -> None:
    clock = time.process_time if options.threads == "1" else time.perf_counter
    try:
        program = Program(options.checkout, info, options.size)
    except ImportError as error:
        sender.send({"ended": f"by {error}"})
        return
    measure_program(program, options.mode or MODES, options.budget, clock, sender.send)


def list_programs(checkout: Path, names: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """Yield what NPBench says of the programs of a checkout, or of some of them."""
    for path in sorted((checkout / "bench_info").glob("*.json")):
        info = json.loads(path.read_text())["benchmark"]
        if not names or info["module_name"] in names:
            yield info


def format_line(figures: Figures) -> str:
    """Return the figures of a program as a line."""
    cells = [f"{mode} {_format_mode(figures, mode)}" for mode in MODES if mode in figures]
    time_of_numpy = f"{figures['numpy'] * 1e3:.2f} ms" if "numpy" in figures else ""
    return "  ".join([f"{figures['name']:<26}{time_of_numpy:<12}", *cells, *_ended(figures)])


def _ended(figures: Figures) -> list[str]:
    return [f"ended {figures['ended']}"] if "ended" in figures else []


def _format_mode(figures: Figures, mode: str) -> str:
    ratio = figures["ratios"].get(mode)
    return figures.get(mode, {}).get("error", "") if ratio is None else _format_ratio(ratio)


def _format_ratio(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 100 else f"{ratio:.0f}"


def summarize(rows: Sequence[Figures], mode: str) -> str | None:
    """Return how many programs a mode runs, and the geometric mean of its ratios; None if it ran none."""
    ratios = [row["ratios"][mode] for row in rows if mode in row["ratios"]]
    if not ratios:
        return None
    mean = math.exp(statistics.fmean(map(math.log, ratios)))
    faster = sum(ratio < 1 for ratio in ratios)
    return f"{mode}: {mean:.2f} x NumPy's time in the geometric mean of {len(ratios)} programs, {faster} of them faster"


def format_page(rows: Sequence[Figures], machine: Mapping[str, str], revision: str, size: str, clock: str) -> list[str]:
    """Return the lines of the page."""
    modes = [mode for mode in MODES if summarize(rows, mode)]
    machine_line = ", ".join(f"{name} {value}" for name, value in machine.items())
    lines = [
        "# NPBench",
        "",
        f"{len(rows)} NumPy programs of [NPBench]({REPOSITORY}) at size {size}, revision {revision[:8]}. Nothing in",
        "them is changed but `import tfnp.numpy as np`. `eager` runs them as they are, `jit` is `np.jit(kernel)`;",
        "Numba and JAX run NPBench's own variants. Ratios are to NumPy's time in the same process, medians of turns:",
        "below 1 is faster than NumPy. `compile` is what the first call of `jit` takes longer, in seconds.",
        "`tox -e bench -- npbench --checkout DIR --page` measures them anew and writes this page.",
        "",
        f"Measured with {machine_line}, clock {clock}.",
        "",
        *(f"- {summarize(rows, mode)}" for mode in modes),
        "",
        "| program | NumPy, ms | " + " | ".join(modes) + " | compile |",
        "|---|--:|" + "--:|" * (len(modes) + 1),
    ]
    for row in rows:
        cells = [_format_ratio(row["ratios"][mode]) if mode in row["ratios"] else "" for mode in modes]
        first = row.get("jit", {}).get("first")
        compiled = (
            "" if first is None or "jit" not in row["ratios"] else f"{first - row['ratios']['jit'] * row['numpy']:.1f}"
        )
        time_of_numpy = f"{row['numpy'] * 1e3:.2f}" if "numpy" in row else ""
        lines.append(f"| {row['name']} | {time_of_numpy} | {' | '.join(cells)} | {compiled} |")
    missing = [
        f"- {row['name']}, {mode}: {row.get(mode, {}).get('error') or 'ended ' + row.get('ended', '')}"
        for row in rows
        for mode in ("eager", "jit")
        if mode in modes and mode not in row["ratios"]
    ]
    slow = [row["name"] for row in rows if row["ratios"].get("jit", 0) > MOST]
    if slow:
        reasons = [f"- {name}: {REASONS.get(name, 'not known')}" for name in slow]
        lines += ["", f"Above {MOST} times NumPy's time by `jit`:", "", *reasons]
    return [*lines, "", "Without a ratio:" if missing else "Every program has its ratio.", "", *missing]


def read_revision(checkout: Path) -> str:
    """Return the commit of the checkout; nothing if it is no repository."""
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tox -e bench -- npbench", description=__doc__.splitlines()[0])
    parser.add_argument("--checkout", type=Path, required=True, metavar="DIR", help=f"of {REPOSITORY}")
    parser.add_argument("--clone", action="store_true", help="clone it to DIR, if nothing is there")
    parser.add_argument("--program", action="append", default=[], metavar="NAME", help="only these")
    parser.add_argument("--mode", action="append", choices=MODES, help="only these; default: all")
    parser.add_argument("--size", default="S", help="one of NPBench's; default: S")
    parser.add_argument(
        "--threads", choices=("1", "all"), default="1", help="default: 1, and CPU time; all: wall clock"
    )
    parser.add_argument("--budget", type=float, default=2.0, metavar="SECONDS", help="for each program and mode")
    parser.add_argument("--limit", type=float, default=300.0, metavar="SECONDS", help="for each program")
    parser.add_argument("--page", action="store_true", help=f"write {PAGE.relative_to(PAGE.parents[2])}")
    parser.add_argument("--out", type=Path, default=Path("build/bench"), metavar="DIR", help="gets npbench.json")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> None:
    options = parse(arguments)
    if options.clone and not options.checkout.exists():
        subprocess.run(["git", "clone", "--depth", "1", REPOSITORY, str(options.checkout)], check=True)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tfnp.numpy  # noqa: F401 - imported once, for all processes

    rows = []
    for info in list_programs(options.checkout, options.program):
        rows.append(measure_in_process(info, options))
        print(format_line(rows[-1]), flush=True)
    if not rows:
        raise SystemExit(f"no programs in {options.checkout}: give the folder of a checkout of {REPOSITORY}")
    machine, revision = describe_machine(options.threads), read_revision(options.checkout)
    if "numba" in (options.mode or MODES) and importlib.util.find_spec("numba"):
        machine["numba"] = metadata.version("numba")
    print(*filter(None, (summarize(rows, mode) for mode in MODES)), sep="\n")
    options.out.mkdir(parents=True, exist_ok=True)
    data = {"machine": machine, "revision": revision, "size": options.size, "programs": rows}
    (options.out / "npbench.json").write_text(json.dumps(data, indent=1) + "\n")
    if options.page:
        clock = "CPU time" if options.threads == "1" else "wall clock"
        PAGE.write_text("\n".join(format_page(rows, machine, revision, options.size, clock)))
