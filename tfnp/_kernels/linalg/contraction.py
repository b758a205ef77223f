"""Products of matrices and vectors on the last axes of their operands; the others broadcast."""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core import ops, shapes
from tfnp._core.eager_tensors import EagerTensor, enum_of, rank_of
from tfnp._core.xla import is_for_xla

_matmul = ops.matmul
WIDER: Final = {
    tf.int8: tf.int32,
    tf.int16: tf.int32,
    tf.uint8: tf.int32,
    tf.uint16: tf.int32,
    tf.float16: tf.float32,
    tf.bfloat16: tf.float32,
}
_NATIVE: Final = frozenset(
    dtype.as_datatype_enum for dtype in (tf.float32, tf.float64, tf.int32, tf.int64, tf.complex64, tf.complex128)
)
MIN_SPLIT: Final = 1 << 14
"""The number of terms from which a row is multiplied in parts."""
PART: Final = 1024
SIGNED: Final = {tf.uint32: tf.int32, tf.uint64: tf.int64}


def matmul(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the matrix product. A 1-D operand is a row on the left, a column on the right."""
    if type(x) is EagerTensor and type(y) is EagerTensor and rank_of(x) > 1 and rank_of(y) > 1:
        return _matmul(x, y) if enum_of(x) in _NATIVE else _multiply(x, y)
    row, column = x.shape.rank == 1, y.shape.rank == 1
    if not row and not column:
        return _multiply(x, y)
    x = _expand_dims(x, 0) if row else x
    y = _expand_dims(y, 1) if column else y
    result = _multiply(x, y)
    result = ops.squeeze(result, [-2]) if row else result
    return ops.squeeze(result, [-1]) if column else result


def vecdot(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    product = _multiply(_expand_dims(_conjugate(x), -2), _expand_dims(y, -1))
    return ops.squeeze(product, [-2, -1])


def matvec(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.squeeze(_multiply(x, _expand_dims(y, -1)), [-1])


def vecmat(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.squeeze(_multiply(_expand_dims(_conjugate(x), -2), y), [-2])


def _expand_dims(x: tf.Tensor, axis: int) -> tf.Tensor:
    return ops.expand_dims(x, shapes.const_int(axis))


def _conjugate(x: tf.Tensor) -> tf.Tensor:
    return ops.conj(x) if x.dtype.is_complex else x


def _multiply(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the product of stacks of matrices. Narrow integers are multiplied in int32, which wraps to the same
    result, unsigned ones as signed, booleans by `any`.
    """
    dtype = x.dtype
    if dtype in WIDER:
        upcast = WIDER[dtype]
        return ops.cast(_multiply(ops.cast(x, upcast), ops.cast(y, upcast)), dtype)
    if dtype in SIGNED:
        signed = SIGNED[dtype]
        return ops.bitcast(_matmul(ops.bitcast(x, signed), ops.bitcast(y, signed)), dtype)
    if dtype == tf.bool:
        counts = _matmul(ops.cast(x, tf.int32), ops.cast(y, tf.int32))
        return ops.not_equal(counts, ops.scalar(0, counts))
    if x.shape[-2:-1] == (1,) and not dtype.is_integer:
        if is_for_xla():
            return _multiply_row(x, y)
        if y.shape[-1:] == (1,) and (x.shape[-1] or 0) >= MIN_SPLIT:  # on some processors, as inexact as XLA's
            return _sum_products(x, y)
    return _matmul(x, y)


# Upstream bug: tensorflow-dot-of-long-vectors-xla
def _multiply_row(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the products of rows and matrices. XLA's product adds one term after another: in float32, those of a
    million terms are wrong in the fourth digit.
    """
    if y.shape[-1:] == (1,):
        return _sum_products(x, y)
    length = x.shape[-1]
    if x.shape.rank != 2 or y.shape.rank != 2 or length is None or length < MIN_SPLIT or y.shape[-1] is None:
        return _matmul(x, y)
    count = length // PART
    end = count * PART
    parts = _matmul(tf.reshape(x[:, :end], (count, 1, PART)), tf.reshape(y[:end], (count, PART, y.shape[-1])))
    total = ops.reduce_sum(parts, shapes.const_int((0,)), False)
    return ops.add(total, _matmul(x[:, end:], y[end:])) if end < length else total


def _sum_products(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the products of rows and columns, as sums, which are added in parts, and take half the time."""
    products = ops.multiply(ops.squeeze(x, [-2]), ops.squeeze(y, [-1]))
    return _expand_dims(ops.reduce_sum(products, shapes.const_int((-1,)), True), -2)
