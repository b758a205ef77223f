"""What the statistical modes of `pad` fill in: a statistic of one side of an array, in the array's own dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.edge import array_function
from tfnp.routines.math import reductions
from tfnp.routines.statistics import averages

__all__ = ["NAMES", "side_statistic"]


@array_function(unknown_rank="each")
def side_statistic(tensor: tf.Tensor, axis: int, name: str, length: Any, *, from_end: bool) -> tf.Tensor:
    """One element along the axis, made of the `length` elements at that side; None stands for all of them."""
    whole = shapes.shape(tensor)[axis]
    length = whole if length is None else _lesser(int(length), whole)
    if isinstance(length, int) and length == 0 and name in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    chunk = layout.slice_along(tensor, axis, whole - length if from_end else 0, length)
    result = NAMES[name](chunk, axis)
    if tensor.dtype.is_integer and result.dtype.is_floating:
        result = tf.round(result)
    return convert.cast(result, tensor.dtype)


def _lesser(length: int, whole: shapes.Dim) -> shapes.Dim:
    return min(length, whole) if isinstance(whole, int) else tf.minimum(length, whole)


def _largest(chunk: tf.Tensor, axis: int) -> tf.Tensor:
    return reductions.max(chunk, axis, keepdims=True)


def _smallest(chunk: tf.Tensor, axis: int) -> tf.Tensor:
    return reductions.min(chunk, axis, keepdims=True)


def _mean(chunk: tf.Tensor, axis: int) -> tf.Tensor:
    return averages.mean(chunk, axis, keepdims=True)


def _inexact(chunk: tf.Tensor) -> tf.Tensor:
    if chunk.dtype.is_complex or chunk.dtype in (tf.float32, tf.float64):
        return chunk
    return convert.cast(chunk, tf.float32 if chunk.dtype.is_floating else tf.float64)


def _median(chunk: tf.Tensor, axis: int) -> tf.Tensor:
    """Complex numbers are ordered by their real parts, then by their imaginary parts; one nan makes all of it nan."""
    chunk = _inexact(chunk)
    if chunk.shape[axis] == 0:
        return _mean(chunk, axis)
    missing = tf.reduce_any(tf.not_equal(chunk, chunk), axis, keepdims=True)
    last = shapes.rank(chunk) - 1
    ordered = _sorted(layout.move_axis(chunk, axis, last))
    length = shapes.shape(chunk)[axis]
    middle = layout.slice_along(ordered, last, (length - 1) // 2, length // 2 + 1 - (length - 1) // 2)
    median = layout.move_axis(_mean(middle, last), last, axis)
    return layout.select(missing, convert.cast(tf.constant(np.nan, tf.float64), chunk.dtype), median)


def _sorted(rows: tf.Tensor) -> tf.Tensor:
    """Each row in order, with what is nan taken for zero."""
    rows = layout.select(tf.equal(rows, rows), rows, tf.zeros((), rows.dtype))
    if not rows.dtype.is_complex:
        return tf.sort(rows)
    order = tf.argsort(tf.math.imag(rows), stable=True)
    rows = tf.gather(rows, order, batch_dims=shapes.rank(rows) - 1)
    order = tf.argsort(tf.math.real(rows), stable=True)
    return tf.gather(rows, order, batch_dims=shapes.rank(rows) - 1)


NAMES: Final[dict[str, Callable[[tf.Tensor, int], tf.Tensor]]] = {
    "maximum": _largest,
    "minimum": _smallest,
    "mean": _mean,
    "median": _median,
}
