"""What sorting, sets, histograms, padding, compiled calls and random numbers cost at user scale, beside NumPy.

    python tests/benchmarks/scale_rows.py [--elements N] [--rounds N] [NAME ...]

CPU time per call: the least of rounds that interleave the contestants, so that a busy machine slows all of them alike.
`raw` is what a person would write in TensorFlow, where there is such a thing. Pin the process to one core, as with
`taskset -c 0`, to compare algorithms rather than numbers of threads.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import tensorflow as tf

import tfnp

Call = Callable[[], object]


class Row(NamedTuple):
    """One call, as each contestant writes it."""

    name: str
    numpy: Call
    tfnp: Call
    raw: Call | None = None


def padding(n: int) -> Iterator[Row]:
    a = np.random.default_rng(0).standard_normal(n)
    x = tf.constant(a)
    widths = [[100, 100]]
    yield Row(
        "pad reflect",
        lambda: np.pad(a, 100, "reflect"),
        lambda: tfnp.pad(x, 100, "reflect"),
        lambda: tf.pad(x, widths, "REFLECT"),
    )
    yield Row(
        "pad symmetric",
        lambda: np.pad(a, 100, "symmetric"),
        lambda: tfnp.pad(x, 100, "symmetric"),
        lambda: tf.pad(x, widths, "SYMMETRIC"),
    )
    yield Row("pad edge", lambda: np.pad(a, 100, "edge"), lambda: tfnp.pad(x, 100, "edge"))
    yield Row("pad wrap", lambda: np.pad(a, 100, "wrap"), lambda: tfnp.pad(x, 100, "wrap"))


def selection(n: int) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    a = rng.standard_normal(n)
    b = np.where(rng.random(n) < 0.1, np.nan, a)
    x, y = tf.constant(a), tf.constant(b)
    quarters = [25, 50, 75]

    def in_order() -> tf.Tensor:
        return tf.sort(x)

    yield Row("median", lambda: np.median(a), lambda: tfnp.median(x), in_order)
    yield Row("nanmedian", lambda: np.nanmedian(b), lambda: tfnp.nanmedian(y), in_order)
    yield Row("percentile", lambda: np.percentile(a, quarters), lambda: tfnp.percentile(x, quarters), in_order)
    yield Row("nanquantile", lambda: np.nanquantile(b, 0.3), lambda: tfnp.nanquantile(y, 0.3), in_order)
    yield Row("partition", lambda: np.partition(a, n // 2), lambda: tfnp.partition(x, n // 2), in_order)
    yield Row("argpartition", lambda: np.argpartition(a, n // 2), lambda: tfnp.argpartition(x, n // 2), in_order)


def sets(n: int) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    i, j = rng.integers(0, n // 10, n), rng.integers(n // 20, n // 7, n)
    a, b = rng.standard_normal(n), rng.standard_normal(n)
    for kind, first, second in (("int64", i, j), ("float64", a, b)):
        x, y = tf.constant(first), tf.constant(second)
        yield Row(
            f"unique {kind}",
            lambda first=first: np.unique(first),
            lambda x=x: tfnp.unique(x),
            lambda x=x: tf.sort(tf.unique(x).y),
        )
        for name in ("isin", "intersect1d", "union1d", "setdiff1d", "setxor1d"):
            theirs, ours = getattr(np, name), getattr(tfnp, name)
            yield Row(
                f"{name} {kind}",
                lambda theirs=theirs, first=first, second=second: theirs(first, second),
                lambda ours=ours, x=x, y=y: ours(x, y),
            )


def histograms(n: int) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    a, b, w, i = rng.standard_normal(n), rng.standard_normal(n), rng.random(n), rng.integers(0, 1000, n)
    x, y, weights, integers = map(tf.constant, (a, b, w, i))
    yield Row(
        "histogram",
        lambda: np.histogram(a, 100, (-5, 5)),
        lambda: tfnp.histogram(x, 100, (-5, 5)),
        lambda: tf.histogram_fixed_width(x, [-5.0, 5.0], 100),
    )
    yield Row("histogram2d", lambda: np.histogram2d(a, b, 50), lambda: tfnp.histogram2d(x, y, 50))
    yield Row("bincount", lambda: np.bincount(i), lambda: tfnp.bincount(integers), lambda: tf.math.bincount(integers))
    yield Row(
        "bincount weights",
        lambda: np.bincount(i, w),
        lambda: tfnp.bincount(integers, weights),
        lambda: tf.math.unsorted_segment_sum(weights, integers, 1000),
    )


def compiled(n: int) -> Iterator[Row]:
    def sigmoid(x: tf.Tensor) -> tf.Tensor:
        return 1 / (1 + tfnp.exp(-x))

    ours, theirs = tfnp.jit(sigmoid), tf.function(sigmoid, jit_compile=True)
    for size in (8, n):
        a = np.linspace(-5, 5, size, dtype=np.float32)
        x = tf.constant(a)
        yield Row(
            f"jit of {size} elements", lambda a=a: 1 / (1 + np.exp(-a)), lambda x=x: ours(x), lambda x=x: theirs(x)
        )


def random(n: int) -> Iterator[Row]:
    theirs, ours = np.random.default_rng(0), tfnp.random.Generator(tfnp.random.TensorFlowPhilox(0))
    key, shape = [1, 2], [n]
    yield Row(
        "TensorFlowPhilox random",
        lambda: theirs.random(n),
        lambda: ours.random(n),
        lambda: tf.random.stateless_uniform(shape, key, dtype=tf.float64),
    )
    yield Row(
        "TensorFlowPhilox normal",
        lambda: theirs.standard_normal(n),
        lambda: ours.standard_normal(n),
        lambda: tf.random.stateless_normal(shape, key, dtype=tf.float64),
    )
    yield Row(
        "TensorFlowPhilox integers",
        lambda: theirs.integers(0, 1000, n),
        lambda: ours.integers(0, 1000, n),
        lambda: tf.random.stateless_uniform(shape, key, 0, 1000, tf.int64),
    )


def measure(row: Row, rounds: int) -> list[float]:
    """Return the seconds of each contestant."""
    calls = [call for call in row[1:] if call is not None]
    least = [float("inf")] * len(calls)
    for turn in range(rounds + 1):
        for index, call in enumerate(calls):
            start = time.process_time()
            call()
            if turn:  # the first one may trace or compile
                least[index] = min(least[index], time.process_time() - start)
    return least


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these rows, by the beginning of their names")
    parser.add_argument("--elements", type=int, default=10**6)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    print(f"{'ms per call':<28}{'numpy':>10}{'tfnp':>10}{'x numpy':>10}{'raw':>10}{'x raw':>10}")
    for group in (padding, selection, sets, histograms, compiled, random):
        for row in group(options.elements):
            if options.names and not row.name.startswith(tuple(options.names)):
                continue
            theirs, ours, *raw = measure(row, options.rounds)
            text = f"{row.name:<28}{1e3 * theirs:>10.3f}{1e3 * ours:>10.3f}{ours / theirs:>10.2f}"
            print(text + (f"{1e3 * raw[0]:>10.3f}{ours / raw[0]:>10.2f}" if raw else ""))


if __name__ == "__main__":
    main()
