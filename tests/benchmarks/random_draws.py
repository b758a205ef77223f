"""What every distribution of tfnp costs beside NumPy's, in eager mode: time and peak memory of large draws.

    python -m tests.benchmarks.random_draws [--elements N] [--rounds N] [--graph] [NAME ...]

Both draw in turn, and the ratio is the least CPU time of one to the least of the other, beside it that of wall times: a
busy machine slows both. Peak memory includes the result, and is a ratio to what NumPy holds. `small` is the time of a
draw of a hundred numbers after ten such draws. With `--graph`, tfnp draws in a `tf.function`. NAME is such as
`Generator.beta` or `RandomState.beta`.

Draws made of gamma numbers take more than five times NumPy's time: each logarithm, cosine or exponential, of which a
gamma number needs four, is some forty operations of NumPy's: its last digits are the same in every mode.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

Draw = Callable[[Any, int], Any]

PARAMETERS: dict[str, tuple[Any, ...]] = {
    "beta": (2.0, 3.0),
    "binomial": (10, 0.3),
    "chisquare": (3.0,),
    "exponential": (1.0,),
    "f": (3.0, 4.0),
    "gamma": (2.0, 1.0),
    "geometric": (0.3,),
    "gumbel": (0.0, 1.0),
    "hypergeometric": (10, 10, 5),
    "laplace": (0.0, 1.0),
    "logistic": (0.0, 1.0),
    "lognormal": (0.0, 1.0),
    "logseries": (0.5,),
    "negative_binomial": (5, 0.5),
    "noncentral_chisquare": (3.0, 1.0),
    "noncentral_f": (3.0, 4.0, 1.0),
    "normal": (0.0, 1.0),
    "pareto": (3.0,),
    "poisson": (4.0,),
    "power": (3.0,),
    "rayleigh": (1.0,),
    "standard_cauchy": (),
    "standard_exponential": (),
    "standard_gamma": (2.0,),
    "standard_normal": (),
    "standard_t": (3.0,),
    "triangular": (0.0, 0.5, 1.0),
    "uniform": (0.0, 1.0),
    "vonmises": (0.0, 1.0),
    "wald": (1.0, 1.0),
    "weibull": (2.0,),
    "zipf": (3.0,),
}
VECTORS: dict[str, tuple[Any, ...]] = {
    "dirichlet": ([1.0, 2.0, 3.0],),
    "multinomial": (10, [0.2, 0.3, 0.5]),
    "multivariate_normal": ([0.0, 0.0], [[1.0, 0.5], [0.5, 1.0]]),
}
"""Distributions of vectors, of which a tenth is drawn."""


def _draw(name: str, *args: Any, part: int = 1) -> Draw:
    return lambda source, count: getattr(source, name)(*args, max(count // part, 1))


SHARED: dict[str, Draw] = {
    **{name: _draw(name, *args) for name, args in PARAMETERS.items()},
    **{name: _draw(name, *args, part=10) for name, args in VECTORS.items()},
    "poisson(100)": _draw("poisson", 100.0),
    "binomial(100)": _draw("binomial", 100, 0.4),
    "gamma(0.5)": _draw("gamma", 0.5, 1.0),
    "bytes": lambda source, count: source.bytes(8 * count),
    "choice": lambda source, count: source.choice(count, count),
    "choice, p": lambda source, count: source.choice(3, count, True, [0.2, 0.3, 0.5]),
    "choice, replace=False": lambda source, count: source.choice(count, count // 2, False),
    "permutation": lambda source, count: source.permutation(count),
    "random": _draw("random"),
}
DRAWS: dict[str, Draw] = {
    **{f"Generator.{name}": draw for name, draw in SHARED.items()},
    "Generator.integers": _draw("integers", 0, 100),
    "Generator.integers, bounds": lambda source, count: source.integers(0, np.full(count, 100)),
    "Generator.multivariate_hypergeometric": _draw("multivariate_hypergeometric", [10, 20, 30], 25, part=10),
    "Generator.permuted": lambda source, count: source.permuted(np.arange(count)),
    "Generator.random, float32": lambda source, count: source.random(count, np.float32),
    "Generator.standard_exponential, float32": lambda source, count: source.standard_exponential(count, np.float32),
    "Generator.standard_gamma, float32": lambda source, count: source.standard_gamma(2.0, count, np.float32),
    "Generator.standard_normal, float32": lambda source, count: source.standard_normal(count, np.float32),
    **{f"RandomState.{name}": draw for name, draw in SHARED.items()},
    "RandomState.rand": _draw("rand"),
    "RandomState.randint": _draw("randint", 0, 100),
    "RandomState.randint, uint8": lambda source, count: source.randint(0, 100, count, np.uint8),
    "RandomState.randn": _draw("randn"),
    "RandomState.random_integers": _draw("random_integers", 1, 100),
    "RandomState.random_sample": _draw("random_sample"),
    "RandomState.tomaxint": _draw("tomaxint"),
}


def make_source(name: str, library: Any) -> Any:
    """Return the object of a library whose method a name is."""
    return library.default_rng(1) if name.startswith("Generator.") else library.RandomState(1)


def measure_seconds(call: Callable[[], Any]) -> tuple[float, float]:
    """Return the CPU time and the wall time of a call."""
    cpu, wall = time.process_time(), time.perf_counter()
    call()
    return time.process_time() - cpu, time.perf_counter() - wall


def measure_draw(name: str, elements: int, rounds: int, in_graph: bool) -> dict[str, float]:
    """Return the figures of a name."""
    import tensorflow as tf

    import tfnp
    from tests.benchmarks.peaks import measure_peak

    draw, ours, theirs = DRAWS[name], make_source(name, tfnp.random), make_source(name, np.random)
    small = [measure_seconds(lambda: draw(ours, 100)) for _ in range(40)][10:]
    call = partial(draw, ours, elements)
    if in_graph:
        call = tf.function(call, autograph=False)
    reference = partial(draw, theirs, elements)
    call(), reference()
    times = [(*measure_seconds(call), *measure_seconds(reference)) for _ in range(rounds)]
    our_peak, their_peak = measure_peak(call), measure_peak(reference)
    seconds, wall, numpy_seconds, numpy_wall = map(min, zip(*times, strict=True))
    return {
        "ratio": seconds / numpy_seconds,
        "wall": wall / numpy_wall,
        "seconds": seconds,
        "numpy": numpy_seconds,
        "memory": (our_peak or 0) / max(their_peak or 0, 1 << 20),
        "small": statistics.median(cpu for cpu, _ in small),
    }


def measure_all(names: list[str], options: argparse.Namespace) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield the figures of names."""
    for name in names:
        yield name, measure_draw(name, options.elements, options.rounds, options.graph)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these")
    parser.add_argument("--elements", type=int, default=10**6, help="of large draws; default: a million")
    parser.add_argument("--rounds", type=int, default=3, help="draws of each library; default: 3")
    parser.add_argument("--graph", action="store_true", help="draw in a tf.function")
    options = parser.parse_args()
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    figures = {}
    print("| draw | x numpy | x numpy, wall | ms | numpy, ms | x memory | small, ms |\n|---|--:|--:|--:|--:|--:|--:|")
    for name, row in measure_all(options.names or list(DRAWS), options):
        figures[name] = row
        times = f"{row['ratio']:.1f} | {row['wall']:.1f} | {row['seconds'] * 1e3:.1f} | {row['numpy'] * 1e3:.1f}"
        print(f"| {name} | {times} | {row['memory']:.1f} | {row['small'] * 1e3:.2f} |", flush=True)
    ratios = [row["ratio"] for row in figures.values()]
    slow = sum(ratio > 5 for ratio in ratios)
    print(f"\n{len(ratios)} draws; median {statistics.median(ratios):.1f} x NumPy's time; {slow} above 5")


if __name__ == "__main__":
    main()
