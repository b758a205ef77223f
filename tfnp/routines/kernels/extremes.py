"""Where the extremes are: the index of the first largest or smallest element along an axis, nan before all others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from tfnp._core import moves, ops, shapes
from tfnp.routines.kernels import folds

_arg_max = tf.raw_ops.ArgMax.__wrapped__
_arg_min = tf.raw_ops.ArgMin.__wrapped__
_any = tf.raw_ops.Any.__wrapped__
_max = tf.raw_ops.Max.__wrapped__
_DEEPEST: Final = 7


def place_of_largest(x: tf.Tensor, axis: int) -> tf.Tensor:
    return _place(x, axis, _arg_max, folds.largest)


def place_of_smallest(x: tf.Tensor, axis: int) -> tf.Tensor:
    return _place(x, axis, _arg_min, folds.smallest)


def _place(x: tf.Tensor, axis: int, arg: Callable[..., tf.Tensor], fold: Any) -> tf.Tensor:
    if shapes.rank(x) > _DEEPEST or x.dtype.is_complex:
        return _in_rows(x, axis, arg, fold)
    if x.dtype == tf.bool:
        x = ops.cast(x, tf.int8)
    found = arg(x, shapes.spec(axis), tf.int64)
    if not x.dtype.is_floating or _has_no_nan(x):
        return found
    missing = ops.is_nan(x)
    first = _arg_max(ops.cast(missing, tf.int8), shapes.spec(axis), tf.int64)
    return ops.select(_any(missing, shapes.spec((axis,)), False), first, found)


def _has_no_nan(x: tf.Tensor) -> bool:
    """Whether that is known: in eager a maximum is nan where there is one, and looking at it costs little on a CPU."""
    if not ops.executing_eagerly() or "CPU" not in x.device:
        return False
    largest = float(_max(x, shapes.spec(tuple(range(shapes.rank(x)))), False).numpy())
    return largest == largest  # noqa: PLR0124 - not so of nan


def _in_rows(x: tf.Tensor, axis: int, arg: Callable[..., tf.Tensor], fold: Any) -> tf.Tensor:
    sides = shapes.shape(x)
    last = moves.move_axis(x, axis, len(sides) - 1)
    rest = (*sides[:axis], *sides[axis + 1 :])
    rows = tf.reshape(last, shapes.pack((moves.product(rest), sides[axis])))
    found = folds.first_extreme_complex(rows, fold) if x.dtype.is_complex else _place(rows, 1, arg, fold)
    return tf.reshape(found, shapes.pack(rest))
