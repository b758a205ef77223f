"""convolve and correlate of long vectors: products of blocks of one with Toeplitz matrices of the other.

Goes into tfnp/routines/signals.py: `_slid` calls `slid` where `is_long`.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import compilation, convert, dtypes, moves, shapes
from tfnp.routines import ufuncs
from tfnp.routines.kernels import folds

LONG = 1 << 14
"""Products from which on blocks pay. What is shorter is multiplied out, as before: it takes less than four ops."""
BLOCK, SMALL_BLOCK = 128, 32
"""The side B of the matrices: the work is as if the shorter vector had B elements more, and came in multiples of B."""
UNROLLED = 8
"""Matrices up to which the steps are written out; more take a loop, which traces once."""


def slid(a: tf.Tensor, v: tf.Tensor, mode: Any) -> tf.Tensor:
    """Replaces `_slid`."""
    dtype = dtypes.result_type(a, v)
    a, v = convert.cast(a, dtype), convert.cast(v, dtype)
    long, short = shapes.shape(a)[0], shapes.shape(v)[0]
    name = str(mode)[0].lower() if isinstance(mode, str) else "vsf"[int(mode)]
    left, right = {"v": (0, 0), "s": (short // 2, short - 1 - short // 2), "f": (short - 1, short - 1)}[name]
    count = long + left + right - short + 1
    if isinstance(long, int) and isinstance(short, int) and long * short < LONG:
        return multiplied_out(a, v, left, count)

    def by_blocks() -> tf.Tensor:
        return from_wide(in_blocks(to_wide(a), to_wide(v), left, right, count), dtype)

    if not (dtype.is_floating or dtype.is_complex):
        return by_blocks()
    # A matrix has zeros beside the vector: they make nan of what is infinite. So does padding, of an infinite kernel.
    finite = tf.reduce_all(is_finite(a)) & tf.reduce_all(is_finite(v))
    if tf.executing_eagerly():
        return by_blocks() if bool(finite) else in_stretches(a, v, left, count)
    return tf.cond(finite, by_blocks, lambda: in_stretches(a, v, left, count))


def is_finite(x: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_complex:
        return tf.math.is_finite(tf.math.real(x)) & tf.math.is_finite(tf.math.imag(x))
    return tf.math.is_finite(x)


def to_wide(x: tf.Tensor) -> tf.Tensor:
    """In a dtype in which TensorFlow multiplies matrices, and which holds the sums: integers wrap as they should."""
    if x.dtype in (tf.float16, tf.bfloat16):
        return tf.cast(x, tf.float32)
    if x.dtype == tf.uint64:
        return tf.bitcast(x, tf.int64)
    if x.dtype == tf.uint32:
        return tf.bitcast(x, tf.int32)
    if x.dtype == tf.bool or (x.dtype.is_integer and x.dtype.size < 4):
        return tf.cast(x, tf.int32)
    return x


def from_wide(x: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    if dtype == tf.bool:
        return tf.not_equal(x, 0)
    return tf.bitcast(x, dtype) if dtype in (tf.uint32, tf.uint64) else tf.cast(x, dtype)


def in_blocks(a: tf.Tensor, v: tf.Tensor, left: Any, right: Any, count: Any) -> tf.Tensor:
    """Sums of products of `v` with each part of `a`, which is padded with zeros.

    With the padded `a` in rows of B, row i of the result is the sum over j of row i + j by a B x B matrix, that of
    v[(j - 1) B : (j + 1) B] in its diagonals. So memory is that of `a`, and of B times `v`.
    """
    short = shapes.shape(v)[0]
    block = SMALL_BLOCK if isinstance(short, int) and short <= SMALL_BLOCK else BLOCK
    rows = (count + block - 1) // block
    steps = (short + block - 2) // block + 1
    length = (rows + steps - 1) * block
    padded = tf.pad(a, [[left, length - left - shapes.shape(a)[0]]])
    blocks = tf.reshape(padded, shapes.pack((rows + steps - 1, block)))
    matrices = toeplitz(v, steps, block)
    if isinstance(steps, int) and steps <= UNROLLED:
        parts = [tf.matmul(moves.part(blocks, 0, j, rows), matrices[j]) for j in range(steps)]
        result = functools.reduce(tf.add, parts)
    else:
        result = tf.while_loop(
            lambda j, _: j < steps,
            lambda j, total: (
                j + 1,
                total + tf.matmul(tf.slice(blocks, [j, 0], shapes.pack((rows, block))), matrices[j]),
            ),
            (tf.constant(0), tf.zeros(shapes.pack((rows, block)), a.dtype)),
            maximum_iterations=steps if isinstance(steps, int) else None,
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([rows if isinstance(rows, int) else None, block])),
        )[1]
    return moves.part(tf.reshape(result, [-1]), 0, 0, count)


def toeplitz(v: tf.Tensor, steps: Any, block: int) -> tf.Tensor:
    """steps x B x B: element (j, p, q) is v[j B + p - q], and zero beyond its ends."""
    short = shapes.shape(v)[0]
    wide = tf.pad(v, [[block, steps * block - short]])
    offset = np.arange(block)[:, None] - np.arange(block)[None, :] + block
    place = tf.reshape(tf.range(steps) * block, (-1, 1, 1)) + tf.constant(offset, tf.int32)
    return tf.gather(wide, place)


def in_stretches(a: tf.Tensor, v: tf.Tensor, left: Any, count: Any) -> tf.Tensor:
    """What is not finite: multiplied out, so many results at a time that memory is bounded."""
    short = tf.cast(shapes.shape(v)[0], tf.int64)
    total = tf.cast(count, tf.int64)
    many = tf.maximum((1 << 20) // short, 1)
    pieces = (total + many - 1) // many
    found = tf.TensorArray(a.dtype, tf.cast(pieces, tf.int32), element_shape=[None], infer_shape=False)
    if compilation.is_for_xla():  # sizes that depend on data: all alike, and what is too much cut off
        assert isinstance(count, int)
        size = max((1 << 20) // shapes.shape(v)[0], 1)
        number = -(-count // size)
        whole = tf.map_fn(
            lambda piece: piece_of(a, v, left, piece * size, size),
            tf.range(number, dtype=tf.int64),
            fn_output_signature=a.dtype,
        )
        return tf.reshape(whole, [-1])[:count]

    def body(piece: tf.Tensor, found: tf.TensorArray) -> tuple[tf.Tensor, tf.TensorArray]:
        start = piece * many
        part = piece_of(a, v, left, start, tf.minimum(many, total - start))
        return piece + 1, found.write(tf.cast(piece, tf.int32), part)

    found = tf.while_loop(lambda piece, _: piece < pieces, body, (tf.constant(0, tf.int64), found))[1]
    return tf.ensure_shape(found.concat(), [count if isinstance(count, int) else None])


def piece_of(a: tf.Tensor, v: tf.Tensor, left: Any, start: Any, size: Any) -> tf.Tensor:
    """Results from one on, so many."""
    short = shapes.shape(v)[0]
    places = start + moves.positions(size)[:, None] + moves.positions(short)[None, :] - tf.cast(left, tf.int64)
    last = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    overlaps = tf.logical_and(places >= 0, places <= last)
    products = ufuncs.multiply(moves.take(a, tf.clip_by_value(places, 0, last), 0), v)
    return folds.total(moves.select(overlaps, products, tf.zeros((), a.dtype)), (1,))


def multiplied_out(a: tf.Tensor, v: tf.Tensor, left: Any, count: Any) -> tf.Tensor:
    """All at once, as before."""
    return piece_of(a, v, left, tf.constant(0, tf.int64), count)
