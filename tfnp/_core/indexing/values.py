"""What is assigned to an index: cast as NumPy casts it to the dtype that it goes to, and brought to its shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.indexing.expressions import BoolIndex, IntArrayIndex, IntIndex, Item, holds_tensor
from tfnp._core.shapes import Dim


def fit(value: Any, dtype: tf.DType, items: Sequence[Item], shape: Sequence[Dim], rank: int | None) -> tf.Tensor:
    """The value for what an index of an array of this rank names, which has these sides."""
    if all(map(_is_integer, items)) and len(items) == rank:
        return as_element(value, dtype)
    if not any(isinstance(item, IntArrayIndex | BoolIndex) and not _is_integer(item) for item in items):
        return spread(as_slice_value(value, dtype, len(shape)), shape, is_part=True)
    elements = as_elements(value, dtype)
    check_for_mask(elements, items, rank, shape[0])
    return spread(elements, shape, is_part=False)


def _is_integer(item: Item) -> bool:
    return isinstance(item, IntIndex) or (isinstance(item, IntArrayIndex) and len(item.numbers.shape) == 0)


def check_for_mask(value: tf.Tensor, items: Sequence[Item], rank: int | None, count: Any = None) -> None:
    """What goes to a mask of all axes, which stands alone, has rules of its own: it has one axis at most."""
    if len(items) != 1 or not isinstance(items[0], BoolIndex) or items[0].rank != rank:
        return
    depth = value.shape.rank or 0
    if depth > 1:
        raise TypeError(
            f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {depth} dimensions"
        )
    given = value.shape[0] if depth else 1
    if given not in (None, 1, count) and isinstance(count, int):
        raise ValueError(
            f"NumPy boolean array indexing assignment cannot assign {given} input values to the {count} output values "
            "where the mask is true"
        )


def as_elements(value: Any, dtype: tf.DType) -> tf.Tensor:
    """For an index that has arrays in it: arrays and NumPy's scalars are cast as `astype` does."""
    return convert.to_tensor(np.asarray(value) if isinstance(value, np.generic) else value, dtype)


def as_slice_value(value: Any, dtype: tf.DType, rank: int | None) -> tf.Tensor:
    """For an index of slices. A scalar must fit, and lists may not be deeper than the part that they go to."""
    if isinstance(value, np.ndarray) or holds_tensor(value):
        return convert.to_tensor(value, dtype)
    expected = np.dtype(dtype.as_numpy_dtype)
    if isinstance(value, np.generic):
        return _element(value, expected)
    return convert.from_numpy(np.array(value, expected) if rank is None else np.array(value, expected, ndmax=rank))


def as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """For an index of nothing but integers, one for each axis: no sequences, not even of one number, which has a truth
    value, though.
    """
    if not holds_tensor(value):
        return _element(value, np.dtype(dtype.as_numpy_dtype))
    tensor = convert.to_tensor(value, dtype)
    if dtype == tf.bool and tensor.shape.num_elements() in (1, None):
        return tf.reshape(tensor, ())
    if tensor.shape.rank is None:
        return tf.ensure_shape(tensor, ())
    if tensor.shape.rank:
        raise ValueError("setting an array element with a sequence.")
    return tensor


def _element(value: Any, dtype: np.dtype) -> tf.Tensor:
    holder = np.empty((), dtype)
    holder[()] = value
    return convert.from_numpy(holder)


def spread(value: tf.Tensor, shape: Sequence[Dim], *, is_part: bool) -> tf.Tensor:
    """The value in this shape, less axes of length one that it has too many in front. Raises NumPy's ValueError."""
    given, value = value, drop_leading_ones(value, len(shape))
    own = shapes.shape(value)
    try:
        common = shapes.broadcast_shapes(own, shape) if len(own) <= len(shape) else None
    except ValueError:
        common = None
    if common is None or any(isinstance(dim, int) and dim != upcast for dim, upcast in _known(shape, common)):
        raise ValueError(_clash(shapes.format_shape(shapes.shape(given)), shapes.format_shape(shape), is_part))
    if not shapes.is_static(own) and any(isinstance(dim, int) and dim == 0 for dim in shape):
        value = shapes.check_broadcastable_to(value, shape, "could not broadcast input array")
    return shapes.broadcast_to(value, shape)


def check_room(value: tf.Tensor, axis: int, room: Dim) -> None:
    """Raise NumPy's ValueError where there are more values along an axis than a mask could choose there."""
    own = shapes.shape(value)
    count = own[axis] if len(own) >= -axis else 1
    if isinstance(count, int) and isinstance(room, int) and count > max(room, 1):
        raise ValueError(_clash(shapes.format_shape(own), f"{room} at most along axis {axis}", is_part=False))


def drop_leading_ones(value: tf.Tensor, rank: int) -> tf.Tensor:
    """Of this rank at most, if axes in front are of length one; if one is not, a graph fails when it runs."""
    if value.shape.rank is None:
        extra = tf.maximum(tf.rank(value) - rank, 0)
        return shapes.pad_shape(tf.reshape(value, tf.shape(value)[extra:]), rank)
    while value.shape.rank > rank and value.shape[0] in (1, None):
        value = tf.squeeze(value, [0])
    return value


def _known(shape: Sequence[Dim], common: Sequence[Dim]) -> list[tuple[Any, Any]]:
    return [pair for pair in zip(shape, common, strict=True) if all(isinstance(dim, int) for dim in pair)]


def _clash(own: str, shape: str, is_part: bool) -> str:
    if is_part:
        return f"could not broadcast input array from shape {own} into shape {shape}"
    return f"shape mismatch: value array of shape {own} could not be broadcast to indexing result of shape {shape}"
