"""What a call costs in eager TensorFlow, beside the ops it needs, stock tensorflow.experimental.numpy and NumPy.

    python tests/benchmarks/run.py [--rounds N] [--json FILE] [NAME ...]

Thread-CPU time per call, in rounds that interleave the contestants, so that a busy machine slows all of them alike; the
table gives medians of times and of the ratios of each round. Compare ratios, not times. Every contestant is checked to
give NumPy's answer before it is timed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

import tfnp

Call = Callable[[], object]


@dataclass(frozen=True)
class Row:
    """One call, as each contestant writes it. `raw` is the fewest ops that do the work: the floor for Python."""

    name: str
    numpy: Call
    raw: Call
    stock: Call
    tfnp: Call


def bare(op: Callable) -> Callable:
    """The positional function behind a raw op: one `TFE_Py_FastPathExecute` and little more."""
    return op.__wrapped__


def rows() -> list[Row]:
    raw = tf.raw_ops
    add, exp, cast = bare(raw.AddV2), bare(raw.Exp), bare(raw.Cast)
    a, b, d = np.ones(8, np.float32), np.full(8, 2, np.float32), np.ones(8)
    i, j = np.full(8, 7, np.int32), np.full(8, 2, np.int32)
    x, y, z, m, n = (tf.constant(array) for array in (a, b, d, i, j))
    maximum, less, floor_div, matmul = bare(raw.Maximum), bare(raw.Less), bare(raw.FloorDiv), bare(raw.BatchMatMulV2)
    q = np.ones((2, 2), np.float32)
    t = tf.constant(q)
    return [
        Row("add", lambda: np.add(a, b), lambda: add(x, y), lambda: tnp.add(x, y), lambda: tfnp.add(x, y)),
        Row(
            "add mixed",
            lambda: np.add(a, d),
            lambda: add(cast(x, tf.float64), z),
            lambda: tnp.add(x, z),
            lambda: tfnp.add(x, z),
        ),
        Row(
            "add scalar", lambda: np.add(a, 2.0), lambda: add(x, 2.0), lambda: tnp.add(x, 2.0), lambda: tfnp.add(x, 2.0)
        ),
        Row(
            "add ndarray",
            lambda: np.add(a, b),
            lambda: add(x, tf.constant(b)),
            lambda: tnp.add(x, b),
            lambda: tfnp.add(x, b),
        ),
        Row("exp", lambda: np.exp(a), lambda: exp(x), lambda: tnp.exp(x), lambda: tfnp.exp(x)),
        Row(
            "maximum",
            lambda: np.maximum(a, b),
            lambda: maximum(x, y),
            lambda: tnp.maximum(x, y),
            lambda: tfnp.maximum(x, y),
        ),
        Row("less", lambda: np.less(a, b), lambda: less(x, y), lambda: tnp.less(x, y), lambda: tfnp.less(x, y)),
        Row(
            "floor_divide int32",
            lambda: np.floor_divide(i, j),
            lambda: floor_div(m, n),
            lambda: tnp.floor_divide(m, n),
            lambda: tfnp.floor_divide(m, n),
        ),
        Row(
            "matmul", lambda: np.matmul(q, q), lambda: matmul(t, t), lambda: tnp.matmul(t, t), lambda: tfnp.matmul(t, t)
        ),
    ]


def moves() -> list[Row]:
    """Reductions and what only moves elements."""
    raw = tf.raw_ops
    total, reshape, turn, choose, join = map(bare, (raw.Sum, raw.Reshape, raw.Transpose, raw.SelectV2, raw.ConcatV2))
    a, mask = np.arange(8, dtype=np.float32).reshape(2, 4), np.arange(8).reshape(2, 4) % 3 == 0
    x, truths, zero = tf.constant(a), tf.constant(mask), tf.constant(0)
    axes, sides, order = (tf.constant(numbers) for numbers in ([0, 1], [4, 2], [1, 0]))
    return [
        Row("sum", lambda: np.sum(a), lambda: total(x, axes, False), lambda: tnp.sum(x), lambda: tfnp.sum(x)),
        Row(
            "reshape",
            lambda: np.reshape(a, (4, 2)),
            lambda: reshape(x, sides),
            lambda: tnp.reshape(x, (4, 2)),
            lambda: tfnp.reshape(x, (4, 2)),
        ),
        Row(
            "transpose",
            lambda: np.transpose(a),
            lambda: turn(x, order),
            lambda: tnp.transpose(x),
            lambda: tfnp.transpose(x),
        ),
        Row(
            "where",
            lambda: np.where(mask, a, a),
            lambda: choose(truths, x, x),
            lambda: tnp.where(truths, x, x),
            lambda: tfnp.where(truths, x, x),
        ),
        Row(
            "concatenate",
            lambda: np.concatenate([a, a]),
            lambda: join([x, x], zero),
            lambda: tnp.concatenate([x, x]),
            lambda: tfnp.concatenate([x, x]),
        ),
    ]


def keywords() -> list[Row]:
    """Ufuncs with keywords, which stock has not: there the same is written in ops of its own."""
    raw = tf.raw_ops
    add, assign, choose = map(bare, (raw.AddV2, raw.AssignVariableOp, raw.SelectV2))
    a, mask, held = np.ones(8, np.float32), np.arange(8) % 3 == 0, np.zeros(8, np.float32)
    x, truths, zero, variable = tf.constant(a), tf.constant(mask), tf.constant(0.0), tf.Variable(held)
    return [
        Row(
            "add out=",
            lambda: np.add(a, a, out=held),
            lambda: (assign(variable.handle, add(x, x)), variable)[1],
            lambda: variable.assign(tnp.add(x, x)),
            lambda: tfnp.add(x, x, out=variable),
        ),
        Row(
            "add where=",
            lambda: np.add(a, a, out=np.zeros_like(a), where=mask),
            lambda: choose(truths, add(x, x), zero),
            lambda: tnp.where(truths, tnp.add(x, x), 0),
            lambda: tfnp.add(x, x, where=truths),
        ),
    ]


def watched(x: tf.Tensor, call: Call) -> Call:
    """The call while a gradient is recorded."""

    def run() -> object:
        with tf.GradientTape() as tape:
            tape.watch(x)
            return call()

    return run


def brackets() -> list[Row]:
    """Indexing and operators. Stock's would change TensorFlow for good, so its brackets are called by their name.

    While no gradient is recorded an eager mask runs no op in `tfnp`: it costs less than the ops of the column `raw`.
    """
    raw = tf.raw_ops
    add, cut, gather, gather_nd, where = map(bare, (raw.AddV2, raw.StridedSlice, raw.GatherV2, raw.GatherNd, raw.Where))
    a = np.arange(12, dtype=np.float32).reshape(4, 3)
    i, mask = np.array([0, 2, 1], np.int32), np.array([True, False, True, True])
    x, y, places, truths, zero = (tf.constant(array) for array in (a, a, i, mask, 0))
    begin, end, steps = (tf.constant(bounds) for bounds in ([1, 0, 0], [3, 0, 0], [1, 1, 1]))
    part = (slice(1, 3), None, ...)
    stock = x._numpy_style_getitem
    return [
        Row(
            "x[1:3, None, ...]",
            lambda: a[1:3, None, ...],
            lambda: cut(x, begin, end, steps, 0, 0, 4, 2, 0),
            lambda: stock(part),
            lambda: x[1:3, None, ...],
        ),
        Row("x[places]", lambda: a[i], lambda: gather(x, places, zero), lambda: stock(places), lambda: x[places]),
        Row("x[mask]", lambda: a[mask], lambda: gather_nd(x, where(truths)), lambda: stock(truths), lambda: x[truths]),
        Row(
            "x[mask] and tape",
            lambda: a[mask],
            watched(x, lambda: gather_nd(x, where(truths))),
            watched(x, lambda: stock(truths)),
            watched(x, lambda: x[truths]),
        ),
        Row("x + y", lambda: a + a, lambda: add(x, y), lambda: tnp.add(x, y), lambda: x + y),
        Row("x + 2.0", lambda: a + 2.0, lambda: add(x, 2.0), lambda: tnp.add(x, 2.0), lambda: x + 2.0),
    ]


def measure(row: Row, rounds: int, calls: int = 200) -> dict[str, float]:
    contestants = {name: getattr(row, name) for name in ("numpy", "raw", "stock", "tfnp")}
    for call in contestants.values():
        np.testing.assert_allclose(np.asarray(call()), row.numpy(), rtol=1e-6)
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, call in contestants.items():
            start = time.thread_time_ns()
            for _ in range(calls):
                call()
            times[name].append((time.thread_time_ns() - start) / calls)
    result = {name: statistics.median(spent) for name, spent in times.items()}
    for other, ratio in (("raw", "tfnp/raw"), ("stock", "stock/tfnp")):
        pairs = zip(times["tfnp"], times[other], strict=True)
        result[ratio] = statistics.median(ours / theirs if other == "raw" else theirs / ours for ours, theirs in pairs)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="only these rows, by the beginning of their names")
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = parser.parse_args()
    every = rows() + moves() + keywords() + brackets()
    wanted = [row for row in every if not options.names or row.name.startswith(tuple(options.names))]
    print(f"{'ns per call':<20}{'numpy':>9}{'raw':>9}{'stock':>9}{'tfnp':>9}{'tfnp/raw':>10}{'stock/tfnp':>12}")
    figures = {}
    for row in wanted:
        with tfnp.numpy_behavior():
            figures[row.name] = found = measure(row, options.rounds)
        times = "".join(f"{found[name]:>9.0f}" for name in ("numpy", "raw", "stock", "tfnp"))
        print(f"{row.name:<20}{times}{found['tfnp/raw']:>10.2f}{found['stock/tfnp']:>12.2f}")
    middle = {
        ratio: statistics.median(found[ratio] for found in figures.values()) for ratio in ("tfnp/raw", "stock/tfnp")
    }
    print(f"{'median':<56}{middle['tfnp/raw']:>10.2f}{middle['stock/tfnp']:>12.2f}")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
