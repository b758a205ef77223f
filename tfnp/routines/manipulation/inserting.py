"""Functions that add and remove elements.

The positions of the result's elements are calculated, by NumPy where they are static, and then gathered. Where `obj` is
unknown while tracing, so is the dimension of the result, unless it follows from the number of indices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.indexing.plans import normalize_indices
from tfnp._core.indexing.values import drop_leading_ones
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["append", "delete", "insert", "resize", "trim_zeros"]


@array_function(promotes=("arr",), unknown_rank="each")
def delete(arr: Any, obj: Any, axis: Any = None) -> tf.Tensor:
    """`obj` may be unknown while tracing; then so is the dimension of the result, and XLA cannot compile it."""
    arr, axis = _flatten_without_axis(arr, axis)
    length = shapes.shape(arr)[axis]
    if convert.is_dynamic(obj) or not isinstance(length, int):
        return layout.take(arr, layout.indices_of_true(tf.logical_not(_is_indexed(obj, length, axis))), axis)
    return layout.take(arr, np.delete(np.arange(length), _static_index(obj)), axis)


def _flatten_without_axis(arr: Any, axis: Any) -> tuple[tf.Tensor, int]:
    """Return the array and the normalized axis; the flattened array and 0 without an axis."""
    if axis is None:
        return ravel(arr), 0
    arr = to_tensor(arr)
    return arr, shapes.normalize_axis(axis, shapes.rank(arr))


def _static_index(obj: Any) -> Any:
    """Return an index whose tensors are replaced by their static values."""
    if is_tensor(obj):
        return np.asarray(convert.static_value(obj))
    if isinstance(obj, slice):
        return slice(*(convert.static_value(item) for item in (obj.start, obj.stop, obj.step)))
    return obj


def _is_indexed(obj: Any, length: shapes.Dim, axis: int) -> tf.Tensor:
    """Return a mask of the positions that an index, a sequence of them, a mask or a slice selects."""
    index = layout.positions(length)
    count = tf.size(index, tf.int64)
    if isinstance(obj, slice):
        return _is_in_slice(obj, index, count)
    obj = _check_index_dtype(obj if isinstance(obj, tf.Tensor) else _as_indices(obj))
    if obj.dtype == tf.bool:
        message = "boolean array argument obj to delete must be one dimensional and match the length of the axis"
        if shapes.rank(obj) != 1 or (isinstance(length, int) and obj.shape[0] not in (None, length)):
            raise ValueError(message)
        return shapes.check_length(obj, length, message)
    return tf.reduce_any(index == normalize_indices(tf.reshape(tf.cast(obj, tf.int64), (-1, 1)), length, axis), 0)


def _check_index_dtype(obj: tf.Tensor) -> tf.Tensor:
    if not obj.dtype.is_integer and obj.dtype != tf.bool:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return obj


def _is_in_slice(obj: slice, index: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    step = 1 if obj.step is None else shapes.as_int(obj.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    min_index, max_index = (0, count) if step > 0 else (-1, count - 1)
    ends = (min_index, max_index) if step > 0 else (max_index, min_index)
    start, stop = (
        tf.cast(end, tf.int64) if bound is None else _slice_bound(bound, count, min_index, max_index)
        for bound, end in zip((obj.start, obj.stop), ends, strict=True)
    )
    is_inside = (index >= start) & (index < stop) if step > 0 else (index <= start) & (index > stop)
    return is_inside & ((index - start) % abs(step) == 0)


def _slice_bound(index: Any, count: tf.Tensor, min_index: Any, max_index: Any) -> tf.Tensor:
    index = tf.cast(index, tf.int64)
    return tf.clip_by_value(tf.where(index < 0, index + count, index), min_index, max_index)


@array_function(promotes=("arr", "values"))
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> tf.Tensor:
    """`values` are cast to the dtype of the array, as in NumPy, whatever is lost.

    `obj` may be unknown while tracing. NumPy wraps around where there are more indices than their dtype can count; here
    that raises ValueError.
    """
    return _insert_along(ravel(arr), obj, values, 0) if axis is None else _insert_along(arr, obj, values, axis)


@array_function(unknown_rank="each")
def _insert_along(arr: Any, obj: Any, values: Any, axis: Any) -> tf.Tensor:
    """Insert on the host's positions where all is static, else on positions of the graph."""
    arr, axis = _flatten_without_axis(arr, axis)
    shape = shapes.shape(arr)
    if isinstance(values, tf.Tensor) and values.shape.rank is None:
        values = drop_leading_ones(values, len(shape))
    if convert.is_dynamic(obj):
        return _insert_at(arr, obj, to_tensor(values, arr.dtype), axis)
    obj = _static_index(obj)
    length = shape[axis]
    if isinstance(length, int):
        indices = len(np.insert(np.arange(length), obj, 0)) - length
        shaped = _broadcast_values(to_tensor(values, arr.dtype), obj, None if indices == 1 else indices, shape, axis)
        count = shapes.shape(shaped)[axis]
        if isinstance(count, int):
            index = np.insert(np.arange(length), obj, np.arange(length, length + count))
            return layout.take(tf.concat([arr, shaped], axis), index, axis)
    values = to_tensor(values, arr.dtype)
    if isinstance(obj, slice):
        position = layout.positions(length)
        return _insert_at(
            arr, layout.indices_of_true(_is_in_slice(obj, position, tf.size(position, tf.int64))), values, axis
        )
    return _insert_at(arr, _as_indices(obj), values, axis)


def _as_indices(obj: Any) -> tf.Tensor:
    """Return static indices as a tensor. An empty list is one of integers, an empty array keeps its dtype."""
    return to_tensor(np.asarray(obj, np.int64) if np.size(obj) == 0 and not hasattr(obj, "dtype") else obj)


def _broadcast_values(
    values: tf.Tensor, obj: Any, indices: shapes.Dim | None, shape: tuple[shapes.Dim, ...], axis: int
) -> tf.Tensor:
    """Broadcast the values to the inserted part. A single index, None, takes as many values as there are.

    For a scalar index, NumPy moves the first axis of the values to the axis that grows.
    """
    rank = len(shape)
    if indices is None:
        values = shapes.reshape(values, (1,) * (rank - shapes.rank(values)) + shapes.shape(values))
        values = layout.move_axis(values, 0, axis) if np.ndim(obj) == 0 and not isinstance(obj, slice) else values
        indices = shapes.shape(values)[axis]
    return shapes.broadcast_to(_drop_leading_axes(values, rank), (*shape[:axis], indices, *shape[axis + 1 :]))


def _drop_leading_axes(values: tf.Tensor, rank: int) -> tf.Tensor:
    """Drop leading axes of length 1, as assignment does and broadcasting does not."""
    while shapes.rank(values) > rank and values.shape[0] == 1:
        values = tf.squeeze(values, [0])
    return values


def _check_shift(obj: tf.Tensor, length: shapes.Dim) -> None:
    """Check that the indices can be shifted: NumPy adds offsets from 0 on to several indices, in their own dtype."""
    count = obj.shape.num_elements()
    if obj.dtype == tf.bool or count == 1:
        return
    max_index = obj.dtype.max
    if count is None or not isinstance(length, int):
        if obj.dtype.is_unsigned or obj.dtype.size < 4:
            is_valid = tf.maximum(tf.size(obj, tf.int64) - 1, tf.cast(length, tf.int64)) <= max_index
            is_valid = tf.equal(tf.size(obj), 1) | (is_valid & (not obj.dtype.is_unsigned))
            tf.debugging.Assert(is_valid, [f"insert: the offsets of several indices do not fit in {obj.dtype.name}"])
        return
    if length > max_index:
        raise OverflowError(f"Python integer {length} out of bounds for {obj.dtype.name}")
    if obj.dtype.is_unsigned:
        raise TypeError(f"insert: obj must be a signed integer array, not {obj.dtype.name}")
    if count - 1 > max_index:
        raise ValueError(f"insert: {count} offsets do not fit in {obj.dtype.name}; cast obj to int64")


def _insert_at(arr: tf.Tensor, obj: tf.Tensor, values: tf.Tensor, axis: int) -> tf.Tensor:
    """Insert before the elements at indices that are known when the graph runs."""
    index = layout.positions(shapes.shape(arr)[axis])
    length = tf.size(index, tf.int64)
    is_index = obj.dtype.is_integer or obj.dtype == tf.bool
    if obj.dtype == tf.string or (obj.shape.num_elements() == 1 and not is_index):
        raise TypeError(f"insert: obj must be integers, not {obj.dtype.name}")
    obj = _check_index_dtype(obj)
    if (obj.shape.rank or 0) > 1 or (obj.shape.rank == 0 and obj.dtype == tf.bool):
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    _check_shift(obj, shapes.shape(arr)[axis])
    obj = tf.cast(obj, tf.int64) if obj.dtype != tf.bool else layout.indices_of_true(tf.reshape(obj, (-1,)))
    rank = shapes.rank(arr)
    values = shapes.reshape(values, (1,) * (rank - shapes.rank(values)) + shapes.shape(values))
    if obj.shape.rank == 0:
        values = layout.move_axis(values, 0, axis)
    elif obj.shape.rank is None:
        transposed, original = layout.move_axis(values, 0, axis), values
        values = tf.cond(tf.equal(tf.rank(obj), 0), lambda: transposed, lambda: original)
        obj = shapes.pad_shape(obj, 1)
    obj = layout.check_bounds(tf.reshape(obj, (-1,)), -length, length)
    obj = tf.where(obj < 0, obj + length, obj)
    value_count = shapes.shape(values)[axis]
    count = shapes.shape(obj)[0]
    if not isinstance(count, int) or count == 1:
        count = value_count if isinstance(count, int) else tf.where(tf.equal(count, 1), value_count, count)
    obj = tf.broadcast_to(obj, shapes.shape_tensor((count,)))
    shape, values = shapes.shape(arr), _drop_leading_axes(values, rank)
    shape = (*shape[:axis], count, *shape[axis + 1 :])
    if shapes.rank(values) <= rank and not shapes.is_static(shape):
        values = shapes.check_broadcastable_to(
            values, shape, "shape mismatch: values could not be broadcast to the inserted part"
        )
    values = shapes.broadcast_to(values, shape)
    order = tf.argsort(tf.concat([obj * 2, index * 2 + 1], 0), stable=True)
    concatenated = tf.concat([values, arr], axis)
    return layout.take(concatenated, order, axis)


@array_function(promotes=("arr", "values"))
def append(arr: Any, values: Any, axis: Any = None) -> tf.Tensor:
    """Return a new tensor; the arrays are cast to their common dtype."""
    if axis is None:
        return concatenate((ravel(arr), ravel(values)), 0)
    return concatenate((arr, values), axis)


@array_function(promotes=("a",), unknown_rank="each")
def resize(a: Any, new_shape: Any) -> tf.Tensor:
    """Return a new tensor.

    `new_shape` may hold scalar tensors. There is no `ndarray.resize`, which fills with zeros.
    """
    static = convert.static_value(new_shape)
    for dim in static if np.iterable(static) else ():  # NumPy checks this before the dtype
        if (static_dim := convert.static_value(dim)) is not None and static_dim < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    shape = shapes.as_shape(new_shape, "new_shape")
    if any(isinstance(dim, int) and dim < 0 for dim in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    a = ravel(a)
    size, new_size = shapes.size(a), layout.product(shape)
    if isinstance(size, int) and size == 0:
        return tf.zeros(shapes.shape_tensor(shape), a.dtype)
    if isinstance(size, int) and isinstance(new_size, int):
        index: Any = np.arange(new_size) % size
    else:
        index = layout.positions(new_size) % tf.maximum(tf.cast(size, tf.int64), 1)
        a = tf.concat([a, tf.zeros((1,), a.dtype)], 0)  # an empty array is filled with zeros
    return shapes.reshape(layout.take(a, index, 0), shape)


@array_function(promotes=(), unknown_rank="each")
def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """The dimensions of the result depend on values: they are unknown in a graph, unless the array is static.

    A list or tuple is returned as one; nested ones are refused.
    """
    ends = trim.lower()
    if ends not in {"fb", "bf", "f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    tensor = to_tensor(filt)
    axes = shapes.normalize_axes(axis, shapes.rank(tensor))
    if not axes:
        return filt
    if isinstance(filt, list | tuple) and shapes.rank(tensor) > 1:
        raise TypeError("trim_zeros: nested lists are not supported: pass an array")
    mask = tensor if tensor.dtype == tf.bool else tf.not_equal(tensor, tf.zeros((), tensor.dtype))
    is_empty = tensor.shape.num_elements() == 0  # under XLA a gather from an empty tensor has wrong dimensions
    static = np.zeros(tensor.shape, bool) if is_empty else convert.static_value(mask)
    if static is None:
        return _trim_dynamic(tensor, mask, ends, axes)
    bounds = {axis_index: _nonzero_bounds(np.asarray(static), axis_index, ends) for axis_index in axes}
    if shapes.rank(tensor) == 1 and isinstance(filt, list | tuple):
        return filt[slice(*bounds[0])]
    for axis_index, (start, stop) in bounds.items():
        tensor = layout.slice_along(tensor, axis_index, start, stop - start)
    return tensor


def _nonzero_bounds(mask: np.ndarray, axis: int, ends: str) -> tuple[int, int]:
    """Return the first slice that is not all zeros, and the one after the last."""
    indices = np.unique(np.nonzero(mask)[axis])
    length = mask.shape[axis]
    first, last = (int(indices[0]), int(indices[-1]) + 1) if indices.size else (length, 0)
    return _trim_bounds(first, last, length, ends, bool(indices.size))


def _trim_bounds(first: int, last: int, length: int, ends: str, has_nonzero: bool) -> tuple[int, int]:
    if not has_nonzero:
        return 0, 0
    return first if "f" in ends else 0, last if "b" in ends else length


def _trim_dynamic(tensor: tf.Tensor, mask: tf.Tensor, ends: str, axes: tuple[int, ...]) -> tf.Tensor:
    for axis in axes:
        other_axes = [other for other in range(shapes.rank(tensor)) if other != axis]
        has_nonzero = tf.cast(tf.reduce_any(mask, other_axes), tf.int32)
        is_inside = tf.ones_like(has_nonzero, tf.bool)
        if "f" in ends:
            is_inside &= tf.cumsum(has_nonzero) > 0
        if "b" in ends:
            is_inside &= tf.cumsum(has_nonzero, reverse=True) > 0
        tensor = layout.take(tensor, layout.indices_of_true(is_inside), axis)
    return tensor
