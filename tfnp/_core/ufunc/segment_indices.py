"""The indices of `reduceat`, converted and checked as NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.tensor_conversion import apply_conversion


def as_segment_starts(indices: Any) -> tf.Tensor | np.ndarray:
    """Return the indices as a vector of int64. As in NumPy, the items of a list need not be integers."""
    if isinstance(indices, tf.Variable):
        indices = indices.read_value()
    indices = apply_conversion(indices)
    if isinstance(indices, list | tuple) and is_symbolic(indices):
        indices = convert.to_tensor(indices)
    if isinstance(indices, tf.Tensor):
        static = convert.static_value(indices)
        if static is None:
            _check_vector(1 if indices.shape.rank is None else indices.shape.rank, indices.dtype.as_numpy_dtype)
            return tf.ensure_shape(tf.cast(indices, tf.int64), [None])
        indices = np.asarray(static)
    if isinstance(indices, np.ndarray | np.generic):
        indices = np.asarray(indices)
        _check_vector(indices.ndim, indices.dtype)
        return indices.astype(np.int64)
    if not isinstance(indices, list | tuple):
        _check_vector(np.ndim(indices), np.int64)
    array = np.asarray(indices, np.int64)
    _check_vector(array.ndim, np.int64)
    return array


def _check_vector(rank: int | None, dtype: Any) -> None:
    if rank != 1:
        raise ValueError(f"object of too {'deep' if rank else 'small'} depth for desired array")
    if not np.can_cast(dtype, np.int64, "safe"):
        raise TypeError(
            f"Cannot cast array data from {np.dtype(dtype)!r} to dtype('int64') according to the rule 'safe'"
        )


def check_segment_starts(indices: tf.Tensor | np.ndarray, dim: shapes.Dim, name: str) -> tf.Tensor:
    """Check that indices are in bounds; under XLA, clip them. Return them as a tensor."""
    if isinstance(indices, np.ndarray) and isinstance(dim, int):
        for index in indices[(indices < 0) | (indices >= dim)]:
            raise IndexError(f"index {index} out-of-bounds in {name}.reduceat [0, {dim})")
        return convert.from_numpy(indices)
    if isinstance(dim, int) and dim == 0 and indices.shape[0]:
        raise IndexError(f"index out-of-bounds in {name}.reduceat [0, 0)")
    last = tf.cast(dim, tf.int64) - 1
    return tf.clip_by_value(layout.check_bounds(tf.convert_to_tensor(indices), 0, last), 0, tf.maximum(last, 0))


def is_symbolic(value: Any) -> bool:
    """Return whether a value, or an item of a nested list, is a tensor without a static value."""
    if isinstance(value, list | tuple):
        return any(is_symbolic(item) for item in value)
    value = apply_conversion(value)
    if isinstance(value, tf.Variable):
        return not tf.executing_eagerly()
    return isinstance(value, tf.Tensor) and tf.get_static_value(value) is None
