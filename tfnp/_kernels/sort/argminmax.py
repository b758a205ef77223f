"""Kernels of argmax and argmin along an axis: the index of the first maximum or minimum, or of the first nan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._core.eager_tensors import EagerTensor, enum_of, rank_of, size_of
from tfnp._core.traces import MAX_SIZE
from tfnp._kernels import text
from tfnp._kernels.reduce import over_axes

_MAX_RANK: Final = 5
_HIGHEST: Final = {dtype.as_datatype_enum: float(dtype.max) for dtype in (tf.float32, tf.float64)}


def argmax(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the index (int64) along an axis of the first maximum, or of the first nan."""
    return _find_extreme(x, axis, ops.argmax, over_axes.reduce_max)


def argmin(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the index (int64) along an axis of the first minimum, or of the first nan."""
    return _find_extreme(x, axis, ops.argmin, over_axes.reduce_min)


def _find_extreme(x: tf.Tensor, axis: int, arg: Callable[..., tf.Tensor], reduce: Any) -> tf.Tensor:
    if type(x) is EagerTensor and enum_of(x) in _HIGHEST and _op_finds_extremes(x, axis, arg is ops.argmax):
        return arg(x, shapes.const_int(axis), tf.int64)
    if x.dtype == tf.string:
        (x,) = text.rank(x)
    if shapes.rank(x) > _MAX_RANK or x.dtype.is_complex:
        return _find_extreme_in_rows(x, axis, arg, reduce)
    if x.dtype == tf.bool:
        x = ops.cast(x, tf.int8)
    if not x.dtype.is_floating:
        return arg(x, shapes.const_int(axis), tf.int64)
    extreme = (ops.reduce_max if arg is ops.argmax else ops.reduce_min)(x, shapes.const_int((axis,)), True)
    if ops.executing_eagerly() and "CPU" in extreme.device and _is_found_by_op(extreme.numpy(), x.dtype):
        return arg(x, shapes.const_int(axis), tf.int64)
    is_nan = ops.is_nan(x)
    has_no_nan = ops.logical_not(ops.reduce_any(is_nan, shapes.const_int((axis,)), True))
    is_result = ops.logical_or(is_nan, ops.logical_and(ops.equal(x, extreme), has_no_nan))
    return ops.argmax(ops.cast(is_result, tf.int8), shapes.const_int(axis), tf.int64)


def _op_finds_extremes(x: tf.Tensor, axis: int, is_maximum: bool) -> bool:
    """Return whether TensorFlow finds the extremes of a short eager tensor: NumPy tells it faster than an op."""
    is_short = size_of(x) <= MAX_SIZE and rank_of(x) <= _MAX_RANK
    if not (is_short and ops.executing_eagerly() and "CPU" in x.device):
        return False
    elements, highest = x._numpy(), _HIGHEST[enum_of(x)]
    extremes = elements.max(axis) if is_maximum else elements.min(axis)
    return abs(float(extremes)) < highest if elements.ndim == 1 else bool((np.abs(extremes) < highest).all())


# Upstream bugs: tensorflow-argmax-nan, tensorflow-argmax-lowest
def _is_found_by_op(extremes: np.ndarray, dtype: tf.DType) -> bool:
    """Return whether TensorFlow's kernels are right for these extremes, as is checked in eager mode on CPU.

    They ignore nan (https://github.com/tensorflow/tensorflow/issues/118177), and start with the lowest or highest
    finite value, which they do not find.
    """
    return bool((abs(extremes) != dtype.max).all() and (extremes == extremes).all())  # noqa: PLR0124 - nan differs from itself


def _find_extreme_in_rows(x: tf.Tensor, axis: int, arg: Callable[..., tf.Tensor], reduce: Any) -> tf.Tensor:
    shape = shapes.shape(x)
    last = layout.move_axis(x, axis, len(shape) - 1)
    remaining = (*shape[:axis], *shape[axis + 1 :])
    rows = tf.reshape(last, shapes.shape_tensor((layout.product(remaining), shape[axis])))
    if x.dtype.is_complex:
        result = over_axes.first_extreme_complex(rows, reduce)
    else:
        result = _find_extreme(rows, 1, arg, reduce)
    return tf.reshape(result, shapes.shape_tensor(remaining))
