"""Results whose size depends on data: as long as they turn out, or of a size that is asked for.

XLA compiles shapes that depend on data, and then reads beyond the ends of what it made: a function that has such a
result is refused there, by an op that XLA does not know, unless its size is given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.xla import is_for_xla

_where = tf.raw_ops.Where.__wrapped__
_top = tf.raw_ops.TopKV2.__wrapped__


def nonzero_indices(mask: tf.Tensor, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    """The indices (int64) at which a vector of truths is true. With `size`, what is too much is cut off, and what is
    missing is `fill_value`, zero unless given.
    """
    if size is None:
        if not tf.executing_eagerly() and (static := _known(mask)) is not None:
            return tf.constant(np.flatnonzero(static), tf.int64)
        check_not_for_xla()
        return data_dependent(tf.squeeze(_where(mask), [1]))
    return pad_to_size(_first(mask, shapes.as_int(size)), count(mask), 0 if fill_value is None else fill_value)


def as_bools(a: tf.Tensor) -> tf.Tensor:
    """A vector that says of each element whether it is not zero; a constant where they are known while tracing."""
    if not tf.executing_eagerly() and (static := _known(a)) is not None:
        return tf.constant(static.astype(bool).ravel())
    return tf.reshape(convert.cast(a, tf.bool), (-1,) if a.shape.num_elements() != 0 else (0,))


def _known(a: tf.Tensor) -> np.ndarray | None:
    if a.shape.num_elements() == 0:
        return np.zeros(tuple(a.shape), bool)
    static = convert.static_value(a)
    return None if static is None else np.asarray(static)


def check_not_for_xla() -> None:
    """Raise while tracing for XLA; for results that a program cannot leave unused, as it can one of several."""
    if is_for_xla():
        raise TypeError(
            "the size of this result depends on values, and XLA has to know it while tracing: pass size=, "
            "or choose by tfnp.where(mask, x, y), which needs none"
        )


def data_dependent(tensor: tf.Tensor) -> tf.Tensor:
    """The tensor, whose size is known when the program runs; XLA refuses the program."""
    if tf.executing_eagerly():
        return tensor
    refusal = tf.raw_ops.StringFormat(inputs=[], template="", name="XLA_needs_to_be_given_the_size_of_this_result")
    with tf.control_dependencies([refusal]):
        return tf.identity(tensor)


def count(mask: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(tf.cast(mask, tf.int64))


def pad_to_size(tensor: tf.Tensor, expected: Any, fill_value: Any) -> tf.Tensor:
    """The tensor with `fill_value` in all rows but the first `wanted`."""
    rank = shapes.rank(tensor)
    length = shapes.shape(tensor)[0]
    there = tf.range(tf.cast(length, tf.int64), dtype=tf.int64) < tf.cast(expected, tf.int64)
    fill = convert.cast(convert.to_tensor(fill_value), tensor.dtype)
    return tf.where(tf.reshape(there, (-1, *(1,) * (rank - 1))) if rank > 1 else there, tensor, fill)


def _first(mask: tf.Tensor, size: int) -> tf.Tensor:
    """The first `size` indices of what is true, then of what is not."""
    if size < 0:
        raise ValueError("size must not be negative")
    length = shapes.shape(mask)[0]
    order = _top(tf.cast(mask, tf.int32), tf.cast(length, tf.int32), True, tf.int64)[1]
    return tf.concat([order, tf.zeros((size,), tf.int64)], 0)[:size]
