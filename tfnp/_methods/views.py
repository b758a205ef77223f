"""`view(dtype)`: the bits of the elements read as another dtype. A new tensor: nothing is shared."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp._core.convert import cast, to_tensor
from tfnp._core.edge import array_function


@array_function(unknown_rank="each")
def view(self: Any, /, *args: Any, **kwargs: Any) -> tf.Tensor:
    """The last axis is as much longer or shorter as the items are smaller or larger."""
    array = to_tensor(self)
    target = _asked(args, kwargs)
    own = dtypes.as_numpy(array.dtype)
    if target is None or own == target:
        return array
    if own.itemsize == target.itemsize:
        return _from_bytes(_to_bytes(array), target)
    if shapes.rank(array) == 0:
        raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
    *others, dim = shapes.shape(array)
    total = dim * own.itemsize
    if isinstance(total, int) and total % target.itemsize:
        raise ValueError(
            "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis "
            "of the array."
        )
    shape = (*others, total // target.itemsize, target.itemsize)
    return _from_bytes(shapes.reshape(_to_bytes(array), shape), target)


def _asked(args: tuple[Any, ...], kwargs: dict[str, Any]) -> np.dtype | None:
    """The dtype that is asked for; None for none. Classes of arrays are no dtypes here."""
    if kwargs.keys() - {"dtype", "type"} or len(args) > 2 or (args and "dtype" in kwargs):
        np.empty(1).view(*args, **kwargs)
    chosen = args[0] if args else kwargs.get("dtype")
    kind = args[1] if len(args) > 1 else kwargs.get("type")
    if kind is not None or (isinstance(chosen, type) and issubclass(chosen, np.ndarray)):
        raise TypeError("a tensor has no views of other classes")
    return dtypes.as_numpy(chosen) if args or "dtype" in kwargs else None


def _to_bytes(array: tf.Tensor) -> tf.Tensor:
    """The bytes of each element, along a new last axis."""
    if array.dtype == tf.bool:
        array = cast(array, tf.uint8)
    if array.dtype.is_complex:
        parts = tf.bitcast(tf.stack([tf.math.real(array), tf.math.imag(array)], -1), tf.uint8)
        return shapes.reshape(parts, (*shapes.shape(array), array.dtype.size))
    return tf.bitcast(array, tf.uint8)[..., None] if array.dtype.size == 1 else tf.bitcast(array, tf.uint8)


def _from_bytes(parts: tf.Tensor, dtype: np.dtype) -> tf.Tensor:
    """The elements that the bytes along the last axis are."""
    target = dtypes.as_dtype(dtype)
    if target.is_complex:
        half = tf.float32 if target == tf.complex64 else tf.float64
        pairs = tf.bitcast(shapes.reshape(parts, (*shapes.shape(parts)[:-1], 2, half.size)), half)
        return tf.complex(pairs[..., 0], pairs[..., 1])
    if target == tf.bool:
        return tf.not_equal(parts[..., 0], 0)
    return tf.bitcast(parts[..., 0] if target.size == 1 else parts, target)
