"""Counting of non-negative integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import needs_gradient
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp._core.xla import is_for_xla
from tfnp._kernels.select_rare import is_long

__all__ = ["bincount"]


@array_function(promotes=(), weak=False, unknown_rank="each", traces=("x", "weights"))
def bincount(
    x: ArrayLike, /, weights: ArrayLike | None = None, minlength: IntLike = 0, *, size: ShapeLike | None = None
) -> tf.Tensor:
    """The length of the result depends on values, which XLA does not support. With `size`, a keyword of tfnp's own, the
    result has that length, and larger integers are not counted.

    Negative integers raise ValueError where they are static, else the graph fails when it runs. Gradients flow to
    `weights`.
    """
    x = to_tensor(x)
    shapes.check_vector(x)
    min_length = shapes.as_int_not_bool(minlength)
    if min_length < 0:
        raise ValueError("'minlength' must not be negative")
    if x.shape[0] != 0 or x.dtype != tf.float64:
        dtypes.check_cast(dtypes.as_numpy(x.dtype), np.dtype(np.int64), "same_kind", "array data")
    x = tf.cast(x, tf.int64)
    if x.shape[0] == 0:
        return tf.zeros((min_length if size is None else shapes.as_int(size),), tf.int64)
    if size is None and is_long(x) and (weights is None or not needs_gradient()):
        weights = None if weights is None else convert.to_numpy(as_weights(x, weights))
        return convert.as_constant(np.bincount(x._numpy(), weights, min_length))
    if weights is not None and x.shape[0] is None:
        weights = shapes.set_unknown_rank(to_tensor(weights), 1)
        if shapes.rank(weights) != 1:
            return _zero_counts(x, min_length, size)
    if weights is None and size is None and not is_for_xla():
        return dynamic_size.data_dependent(_count_values(x, _find_length(x, min_length)))
    x_weights = as_weights(x, weights)
    length = tf.cast(shapes.as_int(size), tf.int64) if size is not None else _find_length(x, min_length)
    if size is None:
        dynamic_size.check_not_for_xla()
        return dynamic_size.data_dependent(tf.math.unsorted_segment_sum(x_weights, x, length))
    indices = tf.where(tf.logical_and(x >= 0, x < length), x, -1)
    return tf.math.unsorted_segment_sum(x_weights, indices, length)


def _count_values(x: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return how many elements are 0, 1, ... up to `length - 1`; no element is larger."""
    if tf.executing_eagerly() and int(length) <= tf.int32.max:  # TensorFlow counts them faster, in either dtype
        x, length = tf.cast(x, tf.int32), tf.cast(length, tf.int32)
    no_weights = tf.zeros((0,), tf.int64)
    return ops.dense_bincount(input=x, size=length, weights=no_weights, binary_output=False)


def _zero_counts(x: tf.Tensor, min_length: int, size: Any) -> tf.Tensor:
    """Return the counts of an empty vector, whose weights need not be 1-D; a graph fails where it is not empty."""
    zeros = tf.zeros((min_length if size is None else shapes.as_int(size),), tf.int64)
    return check(tf.equal(tf.size(x), 0), ValueError("object too deep for desired array"), zeros)


def as_weights(x: tf.Tensor, weights: Any) -> tf.Tensor:
    """Return the weight of each element: ones of its dtype if there are no weights, else float64."""
    if weights is None:
        return tf.ones_like(x)
    weights = to_tensor(weights)
    shapes.check_vector(weights)
    if not weights.shape.is_compatible_with(x.shape):
        raise ValueError("The weights and list don't have the same length.")
    dtypes.check_cast(dtypes.as_numpy(weights.dtype), dtypes.FLOAT64, "safe", "array data")
    return convert.cast(weights, tf.float64)


def _find_length(x: tf.Tensor, min_length: int) -> tf.Tensor:
    """Return the number of counts: the largest integer plus one, or `min_length`. Raise for negative integers."""
    static = convert.static_value(x)
    if static is None:
        x = layout.check_bounds(x, 0, 2**62)
    elif np.min(static) < 0:
        raise ValueError("'list' argument must have no negative elements")
    return tf.maximum(tf.reduce_max(x) + 1, tf.cast(min_length, tf.int64))
