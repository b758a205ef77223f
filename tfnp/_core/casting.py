"""Casts of floats to integers, with NumPy's results for values that are out of bounds.

C leaves those undefined. NumPy has the results of x86: a value is converted to 32 or 64 bits, where one out of bounds
becomes the lowest integer, and narrower dtypes take the low bits. TensorFlow saturates: in eager mode for narrow
dtypes, under XLA for all. Out of bounds of uint32, NumPy has one result in its vectorized loop, which is used here,
and another for the remaining elements.
"""

from __future__ import annotations

import tensorflow as tf

from tfnp._core import ops


def truncate(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return a float tensor cast to an integer dtype, truncated toward zero as NumPy does."""
    if tensor.dtype.size < 4:
        tensor = ops.cast(tensor, tf.float32)
    if dtype in (tf.uint32, tf.uint64):
        return _cast_to_unsigned(tensor, dtype)
    upcast = tf.int64 if dtype.size > 4 else tf.int32
    result = _cast_to_wide(tensor, upcast)
    return result if upcast == dtype else ops.cast(result, dtype)


def _cast_to_unsigned(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return the tensor cast by way of the signed dtype: values in the upper half of the range are shifted to the lower
    half and back.
    """
    lowest = 2 ** (8 * dtype.size - 1)
    half = tf.constant(float(lowest), tensor.dtype)
    high = ops.greater_equal(tensor, half)
    lower = ops.select(high, tensor - half, tensor)
    bits = ops.bitcast(_cast_to_wide(lower, tf.int64 if dtype == tf.uint64 else tf.int32), dtype)
    return ops.select(high, tf.bitwise.bitwise_xor(bits, tf.constant(lowest, dtype)), bits)


# Upstream bug: tensorflow-cast-float-to-integer-xla
def _cast_to_wide(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return the tensor cast to int32 or int64. Values out of bounds become the lowest integer, for which XLA
    saturates.
    """
    result = ops.cast(tensor, dtype)
    if tf.executing_eagerly():
        return result
    limit = tf.constant(2.0 ** (8 * dtype.size - 1), tensor.dtype)
    in_bounds = tf.logical_and(ops.less(tensor, limit), ops.greater_equal(tensor, -limit))
    return ops.select(in_bounds, result, tf.constant(dtype.min, dtype))
