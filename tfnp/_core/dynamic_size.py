"""Results whose size depends on data: of dynamic size, or of the static size that `size=` requests.

XLA compiles data-dependent shapes, but then reads out of bounds. Without `size=`, such a result therefore contains an
op that XLA does not support, so that compilation fails.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops, shapes
from tfnp._core.eager_tensors import is_on_host
from tfnp._core.xla import is_for_xla


def nonzero_indices(mask: tf.Tensor, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    """Return the indices (int64) at which a boolean vector is True.

    With `size`, they are truncated, or padded with `fill_value`, which is zero by default.
    """
    if size is None:
        if not tf.executing_eagerly() and (static := _as_static_array(mask)) is not None:
            return tf.constant(np.flatnonzero(static), tf.int64)
        if is_on_host(mask):
            return convert.as_constant(np.flatnonzero(mask._numpy()))  # in a fraction of the op's time
        check_not_for_xla()
        return data_dependent(tf.squeeze(ops.where(mask), [1]))
    return pad_to_size(_take_first(mask, shapes.as_int(size)), count(mask), 0 if fill_value is None else fill_value)


def nonzero_indices_by_shape(mask: tf.Tensor) -> tf.Tensor:
    """Return the indices (int64) at which a boolean vector is True that depends on shapes only: XLA knows their number
    when it compiles.
    """
    return _put_true_first(mask)[: count(mask)] if is_for_xla() else nonzero_indices(mask)


def as_bools(a: tf.Tensor) -> tf.Tensor:
    """Return a vector of bools, True for nonzero elements; a constant if the elements are static."""
    if not tf.executing_eagerly() and (static := _as_static_array(a)) is not None:
        return tf.constant(static.astype(bool).ravel())
    return tf.reshape(convert.cast(a, tf.bool), (-1,) if a.shape.num_elements() != 0 else (0,))


def _as_static_array(a: tf.Tensor) -> np.ndarray | None:
    if a.shape.num_elements() == 0:
        return np.zeros(tuple(a.shape), bool)
    static = convert.static_value(a)
    return None if static is None else np.asarray(static)


def check_not_for_xla() -> None:
    """Raise TypeError while tracing for XLA.

    `data_dependent` raises only if the result is used, which suits one of several results.
    """
    if is_for_xla():
        raise TypeError(
            "the shape of the result depends on values, which XLA does not support: pass size= if the function has it, "
            "or use tfnp.where(mask, x, y), whose result has a static shape"
        )


# Upstream bugs: tensorflow-slice-of-dynamic-xla, tensorflow-roll-of-dynamic-xla
# Upstream bugs: tensorflow-diag-of-dynamic-xla, tensorflow-cumsum-of-dynamic-xla
def data_dependent(tensor: tf.Tensor) -> tf.Tensor:
    """Return a tensor whose size depends on values, so that XLA raises an error where it is used."""
    if tf.executing_eagerly():
        return tensor
    # XLA names the op that it does not support in its error, so that the name of the op is the message.
    unsupported = ops.string_format(inputs=[], template="", name="XLA_needs_to_be_given_the_size_of_this_result")
    with tf.control_dependencies([unsupported]):
        return tf.identity(tensor)


def count(mask: tf.Tensor) -> tf.Tensor:
    """Return the number of True elements (int64)."""
    return tf.reduce_sum(tf.cast(mask, tf.int64))


def pad_to_size(tensor: tf.Tensor, count: Any, fill_value: Any) -> tf.Tensor:
    """Return a tensor with all rows but the first `count` replaced by a fill value."""
    rank = shapes.rank(tensor)
    length = shapes.shape(tensor)[0]
    is_valid = tf.range(tf.cast(length, tf.int64), dtype=tf.int64) < tf.cast(count, tf.int64)
    fill = convert.cast(convert.to_tensor(fill_value), tensor.dtype)
    return tf.where(tf.reshape(is_valid, (-1, *(1,) * (rank - 1))) if rank > 1 else is_valid, tensor, fill)


def _take_first(mask: tf.Tensor, size: int) -> tf.Tensor:
    """Return `size` indices: of True elements first, then of False ones."""
    if size < 0:
        raise ValueError(f"size must not be negative, got {size}")
    return tf.concat([_put_true_first(mask), tf.zeros((size,), tf.int64)], 0)[:size]


def _put_true_first(mask: tf.Tensor) -> tf.Tensor:
    """Return the indices of True elements, followed by those of False ones."""
    length = shapes.shape(mask)[0]
    return ops.top_k(tf.cast(mask, tf.int32), tf.cast(length, tf.int32), True, tf.int64)[1]
