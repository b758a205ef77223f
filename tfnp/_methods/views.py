"""`view(dtype)`: the bits of an array as another dtype, in a new tensor that shares no memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, ops, shapes
from tfnp._core.convert import cast, to_tensor
from tfnp._core.edge import array_function


@array_function(unknown_rank="each")
def view(self: Any, /, *args: Any, **kwargs: Any) -> tf.Tensor:
    """Return the bits of the array as another dtype. The last axis grows or shrinks with the item size."""
    array = to_tensor(self)
    target = _parse_dtype(args, kwargs)
    source = dtypes.as_numpy(array.dtype)
    if target is None or source == target:
        return array
    if dtypes.TEXT in (source, target):
        raise TypeError("view: text (tf.string) has no width, and so no bits to reinterpret: use astype")
    if source.itemsize == target.itemsize:
        return _join_bytes(_to_bytes(array), target)
    if shapes.rank(array) == 0:
        raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    *leading_dims, last_dim = shapes.shape(array)
    row_bytes = last_dim * source.itemsize
    if isinstance(row_bytes, int) and row_bytes % target.itemsize:
        raise ValueError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis "
            "of the array."
        )
    if _is_part(target, source):
        return shapes.reshape(_split_parts(array), (*leading_dims, 2 * last_dim))
    if _is_part(source, target):
        return _join_parts(shapes.reshape(array, (*leading_dims, row_bytes // target.itemsize, 2)))
    shape = (*leading_dims, row_bytes // target.itemsize, target.itemsize)
    return _join_bytes(shapes.reshape(_to_bytes(array), shape), target)


def _parse_dtype(args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.dtype | None:
    """Return the requested dtype, or None if there is none. Raise TypeError for an array class."""
    if kwargs.keys() - {"dtype", "type"} or len(args) > 2 or (args and "dtype" in kwargs):
        np.empty(1).view(*args, **kwargs)
    dtype = args[0] if args else kwargs.get("dtype")
    array_type = args[1] if len(args) > 1 else kwargs.get("type")
    if array_type is not None or (isinstance(dtype, type) and issubclass(dtype, np.ndarray)):
        raise TypeError("view: type is not supported, since a tensor cannot be viewed as another array class")
    return dtypes.as_numpy(dtype) if args or "dtype" in kwargs else None


def _is_part(part: np.dtype, complex_dtype: np.dtype) -> bool:
    """Return whether a complex dtype has real parts of the other dtype: such a view is differentiable."""
    return complex_dtype.kind == "c" and part.kind == "f" and complex_dtype.itemsize == 2 * part.itemsize


def _split_parts(array: tf.Tensor) -> tf.Tensor:
    """Return the real and the imaginary part of each element, along a new last axis."""
    return tf.stack([tf.math.real(array), tf.math.imag(array)], -1)


def _join_parts(pairs: tf.Tensor) -> tf.Tensor:
    """Join real and imaginary parts along the last axis into complex elements."""
    return tf.complex(pairs[..., 0], pairs[..., 1])


def _to_bytes(array: tf.Tensor) -> tf.Tensor:
    """Return the bytes of each element, along a new last axis."""
    if array.dtype == tf.bool:
        array = cast(array, tf.uint8)
    if array.dtype.is_complex:
        parts = ops.bitcast(_split_parts(array), tf.uint8)
        return shapes.reshape(parts, (*shapes.shape(array), array.dtype.size))
    return ops.bitcast(array, tf.uint8)[..., None] if array.dtype.size == 1 else ops.bitcast(array, tf.uint8)


def _join_bytes(parts: tf.Tensor, dtype: np.dtype) -> tf.Tensor:
    """Join the bytes along the last axis into elements."""
    target = dtypes.as_dtype(dtype)
    if target.is_complex:
        part = tf.float32 if target == tf.complex64 else tf.float64
        return _join_parts(ops.bitcast(shapes.reshape(parts, (*shapes.shape(parts)[:-1], 2, part.size)), part))
    if target == tf.bool:
        return tf.not_equal(parts[..., 0], 0)
    return ops.bitcast(parts[..., 0] if target.size == 1 else parts, target)
