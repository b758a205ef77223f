"""What an eager call costs on a few elements, where Python and TensorFlow's dispatch are all there is.

`raw` is the fewest ops that do the work, called as directly as Python can.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

import tfnp
from tests.benchmarks.groups import fast_paths
from tests.benchmarks.measurement import Call, Group, Row
from tests.benchmarks.rivals import bare, compare, in_jax, jnp, of_name, to_jax

raw = tf.raw_ops


def rows(_: int) -> Iterator[Row]:
    yield from elementwise()
    yield from movements()
    yield from keywords()
    yield from brackets()
    yield from recurring()
    yield from fast_paths.rows()


def elementwise() -> Iterator[Row]:
    add, cast = bare(raw.AddV2), bare(raw.Cast)
    a, b, d = np.ones(8, np.float32), np.full(8, 2, np.float32), np.ones(8)
    i, j = np.full(8, 7, np.int32), np.full(8, 2, np.int32)
    q = np.ones((2, 2), np.float32)
    x, ja = tf.constant(a), to_jax(a)
    heading = "Elementwise"
    yield of_name("add", a, b, raw=add, heading=heading)
    yield of_name(
        "add", a, d, raw=lambda x, z: add(cast(x, tf.float64), z), label="add float32 and float64", heading=heading
    )
    yield of_name("add", a, 2.0, raw=add, label="add a Python number", heading=heading)
    yield compare(
        "add an array of NumPy's",
        lambda: tfnp.add(x, b),
        raw=lambda: add(x, tf.constant(b)),
        stock=lambda: tnp.add(x, b),
        numpy=lambda: np.add(a, b),
        jax=in_jax(lambda: jnp.add(ja, b)),
        heading=heading,
    )
    yield of_name("exp", a, raw=bare(raw.Exp), heading=heading)
    yield of_name("maximum", a, b, raw=bare(raw.Maximum), heading=heading)
    yield of_name("less", a, b, raw=bare(raw.Less), heading=heading)
    yield of_name("floor_divide", i, j, raw=bare(raw.FloorDiv), label="floor_divide int32", heading=heading)
    yield of_name("matmul", q, q, raw=bare(raw.BatchMatMulV2), heading=heading)


def movements() -> Iterator[Row]:
    total, reshape, turn, choose, join = map(bare, (raw.Sum, raw.Reshape, raw.Transpose, raw.SelectV2, raw.ConcatV2))
    a, mask = np.arange(8, dtype=np.float32).reshape(2, 4), np.arange(8).reshape(2, 4) % 3 == 0
    zero = tf.constant(0)
    axes, shape, order = (tf.constant(numbers) for numbers in ([0, 1], [4, 2], [1, 0]))
    heading = "Reductions and movements"
    yield of_name("sum", a, raw=lambda x: total(x, axes, False), heading=heading)
    yield of_name("reshape", a, (4, 2), raw=lambda x, _: reshape(x, shape), heading=heading)
    yield of_name("transpose", a, raw=lambda x: turn(x, order), heading=heading)
    yield of_name("where", mask, a, a, raw=choose, heading=heading)
    yield of_name("concatenate", [a, a], raw=lambda both: join(both, zero), heading=heading)


def keywords() -> Iterator[Row]:
    """Ufuncs with keywords, which stock has not: there the same is written in ops of its own."""
    add, assign, choose = map(bare, (raw.AddV2, raw.AssignVariableOp, raw.SelectV2))
    a, mask, out = np.ones(8, np.float32), np.arange(8) % 3 == 0, np.zeros(8, np.float32)
    x, condition, zero, variable = tf.constant(a), tf.constant(mask), tf.constant(0.0), tf.Variable(out)
    ja, jmask = to_jax([a, mask])
    yield compare(
        "add, out=",
        lambda: tfnp.add(x, x, out=variable),
        raw=lambda: (assign(variable.handle, add(x, x)), variable)[1],
        stock=lambda: variable.assign(tnp.add(x, x)),
        numpy=lambda: np.add(a, a, out=out),
        heading="Keywords",
        note=fast_paths.OPTION,
    )
    yield compare(
        "add, where=",
        lambda: tfnp.add(x, x, where=condition),
        raw=lambda: choose(condition, add(x, x), zero),
        stock=lambda: tnp.where(condition, tnp.add(x, x), 0),
        numpy=lambda: np.add(a, a, out=np.zeros_like(a), where=mask),
        jax=in_jax(lambda: jnp.where(jmask, jnp.add(ja, ja), 0)),
        heading="Keywords",
        note=fast_paths.OPTION,
    )


def record(x: tf.Tensor, call: Call) -> Call:
    """Return the call while a gradient is recorded."""

    def run() -> object:
        with tf.GradientTape() as tape:
            tape.watch(x)
            return call()

    return run


def brackets() -> Iterator[Row]:
    """Indexing and operators. Stock's would change TensorFlow for good, so its brackets are called by their name.

    While no gradient is recorded an eager mask runs no op in `tfnp`: it costs less than the ops of `raw`.
    """
    add, cut, gather, gather_nd, where = map(bare, (raw.AddV2, raw.StridedSlice, raw.GatherV2, raw.GatherNd, raw.Where))
    a = np.arange(12, dtype=np.float32).reshape(4, 3)
    i, mask = np.array([0, 2, 1], np.int32), np.array([True, False, True, True])
    x, y, indices, condition, zero = (tf.constant(array) for array in (a, a, i, mask, 0))
    ja, ji, jmask = to_jax([a, i, mask])
    begin, end, steps = (tf.constant(bounds) for bounds in ([1, 0, 0], [3, 0, 0], [1, 1, 1]))
    part = (slice(1, 3), None, ...)
    stock = x._numpy_style_getitem

    def choose() -> tf.Tensor:
        return gather_nd(x, where(condition))

    heading = "Brackets and operators"
    yield compare(
        "x[1:3, None, ...]",
        lambda: x[1:3, None, ...],
        raw=lambda: cut(x, begin, end, steps, 0, 0, 4, 2, 0),
        stock=lambda: stock(part),
        numpy=lambda: a[1:3, None, ...],
        jax=in_jax(lambda: ja[1:3, None, ...]),
        heading=heading,
    )
    yield compare(
        "x[indices]",
        lambda: x[indices],
        raw=lambda: gather(x, indices, zero),
        stock=lambda: stock(indices),
        numpy=lambda: a[i],
        jax=in_jax(lambda: ja[ji]),
        heading=heading,
    )
    yield compare(
        "x[mask]",
        lambda: x[condition],
        raw=choose,
        stock=lambda: stock(condition),
        numpy=lambda: a[mask],
        jax=in_jax(lambda: ja[jmask]),
        heading=heading,
    )
    yield compare(
        "x[mask], gradient recorded",
        record(x, lambda: x[condition]),
        raw=record(x, choose),
        stock=record(x, lambda: stock(condition)),
        heading=heading,
    )
    yield compare(
        "x + y",
        lambda: x + y,
        raw=lambda: add(x, y),
        stock=lambda: tnp.add(x, y),
        numpy=lambda: a + a,
        jax=in_jax(lambda: ja + ja),
        heading=heading,
    )
    yield compare(
        "x + 2.0",
        lambda: x + 2.0,
        raw=lambda: add(x, 2.0),
        stock=lambda: tnp.add(x, 2.0),
        numpy=lambda: a + 2.0,
        jax=in_jax(lambda: ja + 2.0),
        heading=heading,
    )


def recurring() -> Iterator[Row]:
    """Functions of several operations, which run as one traced graph when they recur."""
    a, ends = np.linspace(0.5, 2, 8), np.arange(8.0)
    matrix = np.eye(3) + 1
    heading = "Functions of several operations, recurring"
    yield of_name("std", a, heading=heading)
    yield of_name("percentile", a, 30, heading=heading)
    yield of_name("interp", a, ends, a, heading=heading)
    yield of_name("linalg.inv", matrix, heading=heading)
    yield of_name("cross", matrix, matrix[::-1], heading=heading)


GROUP = Group(
    "What a call costs",
    "Eager calls on up to 12 elements. `raw` is the fewest of TensorFlow's operations that do the work, called as "
    "directly as Python can: the floor for any library on TensorFlow.",
    rows,
    numpy_behavior=True,
    in_thread=True,
)
