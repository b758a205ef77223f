"""Where the extremes are: the index of the first largest or smallest element along an axis, nan before all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._kernels.reduce import over_axes

_arg_max = tf.raw_ops.ArgMax.__wrapped__
_arg_min = tf.raw_ops.ArgMin.__wrapped__
_any = tf.raw_ops.Any.__wrapped__
_max = tf.raw_ops.Max.__wrapped__
_min = tf.raw_ops.Min.__wrapped__
_DEEPEST: Final = 5


def argmax(x: tf.Tensor, axis: int) -> tf.Tensor:
    return _place(x, axis, _arg_max, over_axes.reduce_max)


def argmin(x: tf.Tensor, axis: int) -> tf.Tensor:
    return _place(x, axis, _arg_min, over_axes.reduce_min)


def _place(x: tf.Tensor, axis: int, arg: Callable[..., tf.Tensor], fold: Any) -> tf.Tensor:
    if shapes.rank(x) > _DEEPEST or x.dtype.is_complex:
        return _in_rows(x, axis, arg, fold)
    if x.dtype == tf.bool:
        x = ops.cast(x, tf.int8)
    if not x.dtype.is_floating:
        return arg(x, shapes.const_int(axis), tf.int64)
    extreme = (_max if arg is _arg_max else _min)(x, shapes.const_int((axis,)), True)
    if _is_usual(extreme):
        return arg(x, shapes.const_int(axis), tf.int64)
    missing = ops.is_nan(x)
    none_missing = ops.logical_not(_any(missing, shapes.const_int((axis,)), True))
    telling = ops.logical_or(missing, ops.logical_and(ops.equal(x, extreme), none_missing))
    return _arg_max(ops.cast(telling, tf.int8), shapes.const_int(axis), tf.int64)


def _is_usual(extreme: tf.Tensor) -> bool:
    """Whether all extremes are known to be such as TensorFlow finds: not nan, nor the greatest finite number of either
    sign, from which its kernels start, so that they see none but smaller ones. Looking costs little in eager on a CPU.
    """
    if not ops.executing_eagerly() or "CPU" not in extreme.device:
        return False
    values = extreme.numpy()
    return bool((abs(values) != extreme.dtype.max).all() and (values == values).all())  # noqa: PLR0124 - not so of nan


def _in_rows(x: tf.Tensor, axis: int, arg: Callable[..., tf.Tensor], fold: Any) -> tf.Tensor:
    shape = shapes.shape(x)
    last = layout.move_axis(x, axis, len(shape) - 1)
    remaining = (*shape[:axis], *shape[axis + 1 :])
    rows = tf.reshape(last, shapes.shape_tensor((layout.product(remaining), shape[axis])))
    found = over_axes.first_extreme_complex(rows, fold) if x.dtype.is_complex else _place(rows, 1, arg, fold)
    return tf.reshape(found, shapes.shape_tensor(remaining))
