"""Cumulative sums and products along an axis, for every dtype and in every mode.

XLA has kernels for int32, int64 and floats only. Narrow integers are computed in int32, which wraps to the same result,
unsigned ones as signed, and complex sums by parts.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import ops, shapes
from tfnp._core.eager_tensors import EagerTensor, needs_gradient, shape_of
from tfnp._kernels import text
from tfnp._kernels.bits import as_integer
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.reduce.prod_gradient import cumprod_along

_WIDER: Final = {
    tf.int8: tf.int32,
    tf.int16: tf.int32,
    tf.uint8: tf.int32,
    tf.uint16: tf.int32,
}
_BITS: Final = {2: (np.int16, -(2**15)), 4: (np.int32, -(2**31)), 8: (np.int64, -(2**63))}  # of -0.0, by bytes
_SIGNED: Final = {tf.uint32: tf.int32, tf.uint64: tf.int64}


def cumsum(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return cumulative sums; for bools a cumulative `any`, as in NumPy's loop of bools."""
    dtype = x.dtype
    if dtype.is_floating:
        return _cumsum_signed(x, axis)
    if dtype == tf.bool:
        return ops.cast(cumsum(ops.cast(x, tf.int32), axis), tf.bool)
    if dtype.is_complex:
        real, imaginary = arithmetic.parts(x)
        return arithmetic.join(cumsum(real, axis), cumsum(imaginary, axis))
    if dtype == tf.string:
        return text.scan_join(x, axis)
    return _scan_integers(x, axis, ops.cumsum)


def _cumsum_signed(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the running sum of floats. NumPy begins with the first element, TensorFlow with 0: it loses the sign of a
    sum of negative zeros only.
    """
    if x.shape[axis] == 1:
        return tf.identity(x)
    total = ops.cumsum(x, shapes.const_int(axis))
    if not _may_begin_with_negative_zero(x, axis):
        return total
    minus = ops.subtract(tf.stop_gradient(total), total)  # 0.0, with a gradient of -1
    negated = ops.subtract(ops.negative(total), ops.add(minus, minus))  # -0.0, with a gradient of 1
    return ops.select(_find_leading_negative_zeros(x, axis), negated, total)


def _find_leading_negative_zeros(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return a mask of the elements up to which, along the axis, all are -0.0."""
    bits = as_integer(x)
    length = tf.shape(x)[axis]
    index = tf.reshape(tf.range(length), [-1] + [1] * (x.shape.rank - axis - 1))
    is_other = ops.not_equal(bits, ops.scalar(bits.dtype.min, bits))
    return ops.less(index, tf.reduce_min(ops.select(is_other, index, length), axis, keepdims=True))


def _may_begin_with_negative_zero(x: tf.Tensor, axis: int) -> bool:
    """Return whether a first element may be -0.0. Elements are read where that copies nothing: on the host, in eager
    mode.
    """
    if not ops.executing_eagerly() or "CPU" not in x.device:
        return True
    shape, elements = shape_of(x), x._numpy()
    if shape[axis] == 0:
        return False
    if len(shape) == 1:
        element = elements.item(0)
        return element == 0 and math.copysign(1, element) < 0
    integer, sign = _BITS[elements.itemsize]
    return bool((elements[(slice(None),) * axis + (0,)].view(integer) == sign).any())


def cumprod(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return cumulative products; for bools a cumulative `all`."""
    if type(x) is EagerTensor and (x.dtype is tf.float32 or x.dtype is tf.float64) and not needs_gradient():
        return ops.cumprod(x, shapes.const_int(axis))
    dtype = x.dtype
    if dtype == tf.bool:
        return ops.logical_not(cumsum(ops.logical_not(x), axis))
    if dtype.is_floating or dtype.is_complex:
        return cumprod_along(axis)(x)
    return _scan_integers(x, axis, ops.cumprod)


def _scan_integers(x: tf.Tensor, axis: int, scan: object) -> tf.Tensor:
    dtype = x.dtype
    if dtype in _WIDER:
        return ops.cast(scan(ops.cast(x, _WIDER[dtype]), shapes.const_int(axis)), dtype)  # type: ignore[operator]
    if dtype in _SIGNED:
        return ops.bitcast(scan(ops.bitcast(x, _SIGNED[dtype]), shapes.const_int(axis)), dtype)  # type: ignore[operator]
    return scan(x, shapes.const_int(axis))  # type: ignore[operator]
