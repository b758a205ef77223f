"""Values that are assigned to an index: cast and broadcast as NumPy does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.indexing.expressions import BoolIndex, IntArrayIndex, IntIndex, Item
from tfnp._core.shapes import Dim


def convert_value(
    value: Any, dtype: tf.DType, items: Sequence[Item], shape: Sequence[Dim], rank: int | None
) -> tf.Tensor:
    """Return a value, cast and broadcast to the dtype and shape of the elements that an index selects.

    `rank` is that of the array.
    """
    if all(map(_is_integer, items)) and len(items) == rank:
        return as_element(value, dtype)
    if not any(isinstance(item, IntArrayIndex | BoolIndex) and not _is_integer(item) for item in items):
        return broadcast_value(as_slice_value(value, dtype, len(shape)), shape, is_slice=True)
    elements = as_elements(value, dtype)
    check_for_mask(elements, items, rank, shape[0])
    return broadcast_value(elements, shape, is_slice=False)


def _is_integer(item: Item) -> bool:
    return isinstance(item, IntIndex) or (isinstance(item, IntArrayIndex) and len(item.indices.shape) == 0)


def check_for_mask(value: tf.Tensor, items: Sequence[Item], rank: int | None, count: Any = None) -> None:
    """Return a value for a single mask of all axes, for which NumPy accepts one axis at most."""
    if len(items) != 1 or not isinstance(items[0], BoolIndex) or items[0].rank != rank:
        return
    depth = value.shape.rank or 0
    if depth > 1:
        raise TypeError(
            f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {depth} dimensions"
        )
    length = value.shape[0] if depth else 1
    if length not in (None, 1, count) and isinstance(count, int):
        raise ValueError(
            f"NumPy boolean array indexing assignment cannot assign {length} input values to the {count} output values "
            "where the mask is true"
        )


def as_elements(value: Any, dtype: tf.DType) -> tf.Tensor:
    """Return a value for an index with arrays: NumPy arrays and scalars are cast as by `astype`."""
    return convert.to_tensor(np.asarray(value) if isinstance(value, np.generic) else value, dtype)


def as_slice_value(value: Any, dtype: tf.DType, rank: int | None) -> tf.Tensor:
    """Return a value for an index of slices: scalars must be in bounds, and lists not nested deeper than the rank."""
    if isinstance(value, np.ndarray) or convert.contains_tensor(value):
        return convert.to_tensor(value, dtype)
    expected = dtypes.as_numpy(dtype)
    if isinstance(value, np.generic):
        return _make_element(value, expected)
    return convert.from_numpy(np.array(value, expected) if rank is None else np.array(value, expected, ndmax=rank))


def as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """Return a value for a single element. Raise NumPy's ValueError for a sequence.

    For bool, arrays of one element are accepted, since they can be converted to a Python bool.
    """
    if not convert.contains_tensor(value):
        return _make_element(value, dtypes.as_numpy(dtype))
    tensor = convert.to_tensor(value, dtype)
    if dtype == tf.bool and tensor.shape.num_elements() in (1, None):
        return tf.reshape(tensor, ())
    if tensor.shape.rank is None:
        return tf.ensure_shape(tensor, ())
    if tensor.shape.rank:
        raise ValueError("setting an array element with a sequence.")
    return tensor


def _make_element(value: Any, dtype: np.dtype) -> tf.Tensor:
    element = np.empty((), dtype)
    element[()] = value
    return convert.from_numpy(element)


def broadcast_value(value: tf.Tensor, shape: Sequence[Dim], *, is_slice: bool) -> tf.Tensor:
    """Return a value broadcast to a shape, without extra leading dimensions of one. Raise NumPy's ValueError if it does
    not fit.
    """
    original, value = value, shapes.drop_leading_ones(value, len(shape))
    value_shape = shapes.shape(value)
    try:
        common = shapes.broadcast_shapes(value_shape, shape) if len(value_shape) <= len(shape) else None
    except ValueError:
        common = None
    if common is None or any(shapes.is_static(pair) and pair[0] != pair[1] for pair in zip(shape, common, strict=True)):
        raise ValueError(_format_mismatch(shapes.shape(original), shapes.format_shape(shape), is_slice))
    if not shapes.is_static(value_shape) and any(isinstance(dim, int) and dim == 0 for dim in shape):
        value = shapes.check_broadcastable_to(value, shape, "could not broadcast input array")
    return shapes.broadcast_to(value, shape)


def check_mask_size(value: tf.Tensor, axis: int, size: Dim) -> None:
    """Raise NumPy's ValueError where there are more values along an axis than a mask has elements."""
    shape = shapes.shape(value)
    count = shape[axis] if len(shape) >= -axis else 1
    if isinstance(count, int) and isinstance(size, int) and count > max(size, 1):
        raise ValueError(_format_mismatch(shape, f"with at most {size} elements along axis {axis}", is_slice=False))


def _format_mismatch(value_shape: Sequence[Dim], target: str, is_slice: bool) -> str:
    source = shapes.format_shape(value_shape)
    if is_slice:
        return f"could not broadcast input array from shape {source} into shape {target}"
    return f"shape mismatch: value array of shape {source} could not be broadcast to indexing result of shape {target}"
