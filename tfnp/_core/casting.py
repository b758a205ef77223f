"""Floats to integers, also where they do not fit.

C leaves that open; NumPy does what its compiler makes of it on x86: the number is converted in a width of 32 bits, or
of 64, where what does not fit becomes the lowest number; a narrower dtype takes the last bits. TensorFlow saturates,
for narrow dtypes in eager, for all of them under XLA. Out of bounds of uint32 NumPy has two answers, one for most
elements of an array, which is ours, and another for those that are left over when it has taken several at a time.
"""

from __future__ import annotations

import tensorflow as tf

_cast = tf.raw_ops.Cast.__wrapped__
_select = tf.raw_ops.SelectV2.__wrapped__
_less = tf.raw_ops.Less.__wrapped__
_at_least = tf.raw_ops.GreaterEqual.__wrapped__


def truncate(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """A float tensor in an integer dtype."""
    if tensor.dtype.size < 4:
        tensor = _cast(tensor, tf.float32)
    if dtype in (tf.uint32, tf.uint64):
        return _unsigned(tensor, dtype)
    upcast = tf.int64 if dtype.size > 4 else tf.int32
    number = _widely(tensor, upcast)
    return number if upcast == dtype else _cast(number, dtype)


def _unsigned(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """The upper half of the range is reached by way of the lower one."""
    lowest = 2 ** (8 * dtype.size - 1)
    half = tf.constant(float(lowest), tensor.dtype)
    high = _at_least(tensor, half)
    lower = _select(high, tensor - half, tensor)
    bits = tf.bitcast(_widely(lower, tf.int64 if dtype == tf.uint64 else tf.int32), dtype)
    return _select(high, tf.bitwise.bitwise_xor(bits, tf.constant(lowest, dtype)), bits)


def _widely(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    number = _cast(tensor, dtype)
    if tf.executing_eagerly():
        return number
    limit = tf.constant(2.0 ** (8 * dtype.size - 1), tensor.dtype)
    fits = tf.logical_and(_less(tensor, limit), _at_least(tensor, -limit))
    return _select(fits, number, tf.constant(dtype.min, dtype))
