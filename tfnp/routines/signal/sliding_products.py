"""Sums of products of a vector with each part of a longer one, for convolution and correlation.

Short vectors are multiplied at every shift. Long ones are cut into blocks, which are multiplied by Toeplitz matrices of
the shorter vector, or by each other where there are few shifts: as many products, in TensorFlow's matrix product, and
memory for a few copies of the inputs only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.shapes import Dim
from tfnp._kernels.gradients import differentiable
from tfnp._kernels.linalg import contraction
from tfnp._kernels.reduce import over_axes
from tfnp.routines.math import ufuncs

MIN_BLOCK_PRODUCTS: Final = 1 << 14
"""The number of products above which blocks are faster. Fewer are calculated at once, by a few ops."""

BLOCK: Final = 128
SMALL_BLOCK: Final = 32
"""The number of rows of a Toeplitz matrix. A smaller one wastes fewer products on a short vector."""

MAX_DOT_PRODUCTS: Final = 8
"""The number of shifts up to which each sum is a product of two vectors."""

MAX_UNROLLED_STEPS: Final = 8
"""The number of Toeplitz matrices up to which the loop over them is unrolled."""

MAX_PRODUCTS: Final = 1 << 20
"""The number of products in memory at a time where all shifts are multiplied."""


def slide(long: tf.Tensor, short: tf.Tensor, padding: tuple[Dim, Dim]) -> tf.Tensor:
    """Return the sums of products of `short` with each part of `long`, which is padded with zeros.

    Both are vectors of the same dtype. `padding` is the number of zeros before and after.
    """
    length, width = shapes.shape(long)[0], shapes.shape(short)[0]
    if isinstance(length, int) and isinstance(width, int):
        if length * width < MIN_BLOCK_PRODUCTS:
            return _multiply_shifts(long, short, padding[0], 0, length + sum(padding) - width + 1)
        if padding == (0, 0) and length - width < MAX_DOT_PRODUCTS:
            parts = [layout.slice_along(long, 0, shift, width) for shift in range(length - width + 1)]
            return tf.stack([contraction.matmul(part, short) for part in parts])
        excess = width - length
        if excess > 0 and all(isinstance(count, int) and count >= excess for count in padding):
            return tf.reverse(slide(short, long, (padding[1] - excess, padding[0] - excess)), [0])
    return _multiply_long(long, short, tf.convert_to_tensor(shapes.shape_tensor(padding)))


def _differentiate(
    upstream: tf.Tensor, long: tf.Tensor, short: tf.Tensor, padding: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor, None]:
    """Return the gradients, which are sums of products themselves, so that no intermediate values are stored."""
    left, right = _as_dims(padding)
    last = shapes.shape(short)[0] - 1
    if long.dtype.is_complex:
        long, short = tf.math.conj(long), tf.math.conj(short)
    by_long = slide(upstream, tf.reverse(short, [0]), (last - left, last - right))
    return by_long, slide(long, upstream, (left, right)), None


@differentiable(_differentiate)
def _multiply_long(long: tf.Tensor, short: tf.Tensor, padding: tf.Tensor) -> tf.Tensor:
    left, right = _as_dims(padding)
    length, width = shapes.shape(long)[0], shapes.shape(short)[0]
    count = length + left + right - width + 1

    def multiply_blocks() -> tf.Tensor:
        multiply = _multiply_few_shifts if isinstance(count, int) and count <= BLOCK else _multiply_blocks
        products = multiply(_to_matmul_dtype(long), _to_matmul_dtype(short), left, count)
        return _restore_dtype(products, long.dtype)

    def multiply_shifts() -> tf.Tensor:
        return _multiply_shifts_in_parts(long, short, left, count)

    conditions = []
    if not (isinstance(length, int) and isinstance(width, int)):
        conditions.append(tf.size(long, tf.int64) * tf.size(short, tf.int64) >= MIN_BLOCK_PRODUCTS)
    if long.dtype.is_floating or long.dtype.is_complex:
        # The zeros in a Toeplitz matrix and beside `long` would make nan of infinity.
        conditions += [_is_all_finite(long), _is_all_finite(short)]
    return _choose(conditions, multiply_blocks, multiply_shifts)


def _as_dims(padding: tf.Tensor) -> tuple[Dim, Dim]:
    """Return the widths as integers where they are static."""
    static = convert.static_value(padding)
    return (padding[0], padding[1]) if static is None else (int(static[0]), int(static[1]))


def _choose(
    conditions: list[tf.Tensor], if_all: Callable[[], tf.Tensor], otherwise: Callable[[], tf.Tensor]
) -> tf.Tensor:
    """Return the result of `if_all` if all conditions are true, else that of `otherwise`."""
    if tf.executing_eagerly():
        return if_all() if all(map(bool, conditions)) else otherwise()
    return tf.cond(tf.reduce_all(conditions), if_all, otherwise) if conditions else if_all()


def _is_all_finite(x: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_complex:
        return _is_all_finite(tf.math.real(x)) & _is_all_finite(tf.math.imag(x))
    return tf.reduce_all(tf.math.is_finite(x))


def _to_matmul_dtype(x: tf.Tensor) -> tf.Tensor:
    """Convert to a dtype that has a matrix product, and in which sums wrap around as in the dtype of the operand."""
    if x.dtype in (tf.float16, tf.bfloat16):
        return tf.cast(x, tf.float32)
    if x.dtype in (tf.uint32, tf.uint64):
        return ops.bitcast(x, tf.int32 if x.dtype == tf.uint32 else tf.int64)
    if x.dtype == tf.bool or (x.dtype.is_integer and x.dtype.size < tf.int32.size):
        return tf.cast(x, tf.int32)
    return x


def _restore_dtype(x: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Convert sums of products back to the dtype of the operands: the inverse of `_to_matmul_dtype`."""
    if dtype == tf.bool:
        return tf.not_equal(x, 0)
    return ops.bitcast(x, dtype) if dtype in (tf.uint32, tf.uint64) else tf.cast(x, dtype)


def _multiply_blocks(long: tf.Tensor, short: tf.Tensor, left: Dim, count: Dim) -> tf.Tensor:
    """Multiply rows of B elements of the padded `long` by B x B Toeplitz matrices.

    Row i of the result is the sum over j of row i + j by the matrix that has short[(j - 1) B + 1 : (j + 1) B] in its
    diagonals.
    """
    width = shapes.shape(short)[0]
    block = SMALL_BLOCK if isinstance(width, int) and width <= SMALL_BLOCK else BLOCK
    rows = (count + block - 1) // block
    steps = (width + block - 2) // block + 1
    right = (rows + steps - 1) * block - left - shapes.shape(long)[0]
    blocks = tf.reshape(layout.pad(long, [(left, right)]), (-1, block))
    diagonals = layout.pad(short, [(block, steps * block - width)])

    def multiply(step: Any) -> tf.Tensor:
        part = tf.slice(blocks, shapes.shape_tensor((step, 0)), shapes.shape_tensor((rows, block)))
        return tf.matmul(part, _make_toeplitz(diagonals, step, block))

    if isinstance(steps, int) and steps <= MAX_UNROLLED_STEPS:
        total = multiply(0)
        for step in range(1, steps):
            total += multiply(step)
    else:
        row_count = rows if isinstance(rows, int) else None
        total = tf.while_loop(
            lambda step, _: step < steps,
            lambda step, total: (step + 1, total + multiply(step)),
            (tf.constant(0), tf.zeros(shapes.shape_tensor((rows, block)), long.dtype)),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([row_count, block])),
            maximum_iterations=steps if isinstance(steps, int) else None,
        )[1]
    return layout.slice_along(tf.reshape(total, (-1,)), 0, 0, count)


def _multiply_few_shifts(long: tf.Tensor, short: tf.Tensor, left: Dim, count: int) -> tf.Tensor:
    """Cut `short` into rows of `count` elements, and `long` into rows of twice as many, which overlap by half. Their
    product has the sums for a shift in one of its diagonals.
    """
    rows = (shapes.shape(short)[0] + count - 1) // count
    right = (rows + 1) * count - left - shapes.shape(long)[0]
    padded = layout.pad(long, [(left, right)])
    halves = [tf.reshape(part, (-1, count)) for part in (padded[:-count], padded[count:])]
    columns = tf.reshape(layout.pad(short, [(0, rows * count - shapes.shape(short)[0])]), (-1, count))
    products = contraction.matmul(tf.transpose(columns), tf.concat(halves, 1))
    shifted = tf.reshape(layout.pad(tf.reshape(products, (-1,)), [(0, count)]), (count, 2 * count + 1))
    return tf.reduce_sum(shifted[:, :count], 0)


def _make_toeplitz(diagonals: tf.Tensor, step: Any, block: int) -> tf.Tensor:
    """Return the matrix whose element (p, q) is `diagonals[(step + 1) * block + p - q]`."""
    part = tf.slice(diagonals, shapes.shape_tensor((step * block,)), (2 * block,))
    return tf.gather(part, np.arange(block)[:, None] - np.arange(block) + block)


def _multiply_shifts_in_parts(long: tf.Tensor, short: tf.Tensor, left: Dim, count: Dim) -> tf.Tensor:
    """Return the sums of products at all shifts, a bounded number of which are multiplied at a time."""
    part = _take_smaller(_take_larger(MAX_PRODUCTS // shapes.shape(short)[0], 1), count)
    starts = layout.positions((count + part - 1) // part) * tf.cast(part, tf.int64)
    signature = tf.TensorSpec([part if isinstance(part, int) else None], long.dtype)
    sums = tf.map_fn(
        lambda start: _multiply_shifts(long, short, left, start, part), starts, fn_output_signature=signature
    )
    return layout.slice_along(tf.reshape(sums, (-1,)), 0, 0, count)


def _take_smaller(x: Dim, y: Dim) -> Dim:
    return min(x, y) if isinstance(x, int) and isinstance(y, int) else tf.minimum(x, y)


def _take_larger(x: Dim, y: Dim) -> Dim:
    return max(x, y) if isinstance(x, int) and isinstance(y, int) else tf.maximum(x, y)


def _multiply_shifts(long: tf.Tensor, short: tf.Tensor, left: Dim, start: Any, count: Dim) -> tf.Tensor:
    """Return `count` sums of products from the shift `start` on."""
    shifts = layout.positions(count) + tf.cast(start, tf.int64) - tf.cast(left, tf.int64)
    indices = shifts[:, None] + layout.positions(shapes.shape(short)[0])[None, :]
    last = tf.cast(shapes.shape(long)[0], tf.int64) - 1
    overlaps = tf.logical_and(indices >= 0, indices <= last)
    products = ufuncs.multiply(layout.take(long, tf.clip_by_value(indices, 0, last), 0), short)
    return over_axes.reduce_sum(layout.select(overlaps, products, tf.zeros((), long.dtype)), (1,))
