"""Functions that add and remove elements.

A few static indices cut a large array into slices, which are concatenated. Otherwise the positions of the result's
elements are calculated, by NumPy where they are static, and then gathered. Where `obj` is unknown while tracing, so is
the dimension of the result, unless it follows from the number of indices.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.indexing.plans import normalize_indices
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike, ShapeLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.xla import is_for_xla
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["append", "delete", "insert", "resize", "trim_zeros"]

_MIN_SLICED_SIZE: Final = 4096
"""The number of elements above which a few slices, each an op, are faster than a gather."""
_MAX_CUTS: Final = 8
"""The number of indices up to which an array is cut into slices."""
_MIN_CHUNK: Final = 256
_MAX_CHUNK: Final = 1 << 16
"""How many elements are compared with zero at a time: more each time, as long as they fit into a cache."""


@array_function(promotes=("arr",), unknown_rank="each", traces=("arr",))
def delete(arr: ArrayLike, obj: Any, axis: IntLike | None = None) -> tf.Tensor:
    """`obj` may be a tensor whose value is unknown while tracing. The dimension of the result is then unknown, too, and
    XLA cannot compile it.
    """
    arr = to_tensor(arr) if axis is not None else ravel(arr)
    axis = shapes.normalize_axis(0 if axis is None else axis, shapes.rank(arr))
    length = shapes.shape(arr)[axis]
    if convert.is_dynamic(obj) or not isinstance(length, int):
        return layout.take(arr, layout.indices_of_true(tf.logical_not(_is_indexed(obj, length, axis))), axis)
    obj = _as_static_index(obj)
    cuts = _find_cuts(obj, length) if (arr.shape.num_elements() or 0) >= _MIN_SLICED_SIZE else None
    if cuts is None:
        return layout.take(arr, np.delete(_make_range(length), obj), axis)
    starts, stops = [0, *(stop for _, stop in cuts)], [*(start for start, _ in cuts), length]
    bounds = [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]
    return tf.concat([layout.slice_along(arr, axis, start, stop - start) for start, stop in bounds or [(0, 0)]], axis)


def _make_range(length: int) -> np.ndarray:
    """Return 0, 1, ... as int32 if they fit, which is faster to read from memory than int64."""
    return np.arange(length, dtype=np.int32 if length < 2**31 else np.int64)


def _find_cuts(obj: Any, length: int) -> list[tuple[int, int]] | None:
    """Return the ranges that a static index selects, in order; None if they are not few, or if it is not valid."""
    if isinstance(obj, slice):
        indices = range(*obj.indices(length))
        if indices and abs(indices.step) == 1:
            return [(min(indices[0], indices[-1]), max(indices[0], indices[-1]) + 1)]
        return [(index, index + 1) for index in sorted(indices)] if len(indices) <= _MAX_CUTS else None
    few = _find_few_indices(obj, length - 1, length)
    return None if few is None else [(index, index + 1) for index in sorted(set(few))]


def _find_few_indices(obj: Any, highest: int, length: int) -> list[int] | None:
    """Return static integer indices, counted from the start; None if they are not few, or if one is out of bounds."""
    array = np.asarray(obj)
    if array.dtype.kind not in "iu" or not 0 < array.size <= _MAX_CUTS:
        return None
    indices = [int(index) for index in array.ravel()]
    if any(not -length <= index <= highest for index in indices):
        return None
    return [index + length if index < 0 else index for index in indices]


def _as_static_index(obj: Any) -> Any:
    """Replace the tensors of an index by their static values."""
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
    """Return a mask of the indices that a slice of an axis of `count` elements selects."""
    step = 1 if obj.step is None else shapes.as_int(obj.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    min_index, max_index = (0, count) if step > 0 else (-1, count - 1)
    ends = (min_index, max_index) if step > 0 else (max_index, min_index)
    start, stop = (
        tf.cast(end, tf.int64) if bound is None else _normalize_bound(bound, count, min_index, max_index)
        for bound, end in zip((obj.start, obj.stop), ends, strict=True)
    )
    is_inside = (index >= start) & (index < stop) if step > 0 else (index <= start) & (index > stop)
    return is_inside & ((index - start) % abs(step) == 0)


def _normalize_bound(index: Any, count: tf.Tensor, min_index: Any, max_index: Any) -> tf.Tensor:
    """Return a bound of a slice counted from the start, and clipped."""
    index = tf.cast(index, tf.int64)
    return tf.clip_by_value(tf.where(index < 0, index + count, index), min_index, max_index)


@array_function(promotes=("arr", "values"), traces=("arr", "values"))
def insert(arr: ArrayLike, obj: Any, values: ArrayLike, axis: IntLike | None = None) -> tf.Tensor:
    """`values` are cast to the dtype of the array as by `astype`, as in NumPy. `obj` may be a tensor whose value is
    unknown while tracing.

    More indices than their dtype can count, such as 130 of int8, raise ValueError, where NumPy wraps around.
    """
    return _insert_along(ravel(arr), obj, values, 0) if axis is None else _insert_along(arr, obj, values, axis)


@array_function(unknown_rank="each")
def _insert_along(arr: Any, obj: Any, values: Any, axis: Any) -> tf.Tensor:
    """Insert along an axis: by static positions if all is static, else by positions that the graph calculates."""
    arr = to_tensor(arr)
    axis = shapes.normalize_axis(axis, shapes.rank(arr))
    shape = shapes.shape(arr)
    if isinstance(values, tf.Tensor) and values.shape.rank is None:
        values = shapes.drop_leading_ones(values, len(shape))
    if convert.is_dynamic(obj):
        return _insert_at(arr, obj, to_tensor(values, arr.dtype), axis)
    obj = _as_static_index(obj)
    length = shape[axis]
    if isinstance(length, int):
        indices = len(np.insert(np.broadcast_to(np.int8(0), (length,)), obj, 0)) - length
        shaped = _broadcast_values(to_tensor(values, arr.dtype), obj, None if indices == 1 else indices, shape, axis)
        count = shapes.shape(shaped)[axis]
        if isinstance(count, int):
            return _insert_static(arr, obj, shaped, length, count, axis)
    values = to_tensor(values, arr.dtype)
    if isinstance(obj, slice):
        position = layout.positions(length)
        return _insert_at(
            arr, layout.indices_of_true(_is_in_slice(obj, position, tf.size(position, tf.int64))), values, axis
        )
    return _insert_at(arr, _as_indices(obj), values, axis)


def _insert_static(arr: tf.Tensor, obj: Any, values: tf.Tensor, length: int, count: int, axis: int) -> tf.Tensor:
    """Insert `count` slices of values, which have the shape of the inserted part, at static indices."""
    few = None
    if (arr.shape.num_elements() or 0) >= _MIN_SLICED_SIZE and not isinstance(obj, slice):
        few = _find_few_indices(obj, length, length)
    if few is None or (len(few) != 1 and np.asarray(obj).dtype != np.int64):  # others may overflow when shifted
        index = np.insert(_make_range(length), obj, np.arange(length, length + count))
        return layout.take(tf.concat([arr, values], axis), index, axis)
    order = sorted(range(len(few)), key=few.__getitem__)
    starts, stops = [0, *(few[i] for i in order)], [*(few[i] for i in order), length]
    pieces = [layout.slice_along(arr, axis, start, stop - start) for start, stop in zip(starts, stops, strict=True)]
    inserted = [values] if len(few) == 1 else [layout.slice_along(values, axis, i, 1) for i in order]
    return tf.concat([pieces[0], *(part for pair in zip(inserted, pieces[1:], strict=True) for part in pair)], axis)


def _as_indices(obj: Any) -> tf.Tensor:
    """Return static indices as a tensor. An empty list counts as integers; an empty array keeps its dtype."""
    return to_tensor(np.asarray(obj, np.int64) if np.size(obj) == 0 and not hasattr(obj, "dtype") else obj)


def _broadcast_values(
    values: tf.Tensor, obj: Any, indices: shapes.Dim | None, shape: tuple[shapes.Dim, ...], axis: int
) -> tf.Tensor:
    """Broadcast the values to the shape of what is inserted: `indices` of them along the axis.

    `indices` is None for a single index, before which all values are inserted. If that is a scalar, the first axis of
    the values is moved to the axis, as in NumPy.
    """
    rank = len(shape)
    if indices is None:
        values = shapes.pad_rank(values, rank)
        values = layout.move_axis(values, 0, axis) if np.ndim(obj) == 0 and not isinstance(obj, slice) else values
        indices = shapes.shape(values)[axis]
    return shapes.broadcast_to(shapes.drop_leading_ones(values, rank), (*shape[:axis], indices, *shape[axis + 1 :]))


def _check_shift(obj: tf.Tensor, length: shapes.Dim) -> None:
    """Check that 0, 1, ... can be added to the indices in their own dtype, as NumPy adds them to several indices."""
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
    values = shapes.pad_rank(values, rank)
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
    shape, values = shapes.shape(arr), shapes.drop_leading_ones(values, rank)
    shape = (*shape[:axis], count, *shape[axis + 1 :])
    if shapes.rank(values) <= rank and not shapes.is_static(shape):
        values = shapes.check_broadcastable_to(
            values, shape, "shape mismatch: values could not be broadcast to the inserted part"
        )
    values = shapes.broadcast_to(values, shape)
    order = tf.argsort(tf.concat([obj * 2, index * 2 + 1], 0), stable=True)
    concatenated = tf.concat([values, arr], axis)
    return layout.take(concatenated, order, axis)


@array_function(promotes=("arr", "values"), traces=("arr", "values"))
def append(arr: ArrayLike, values: ArrayLike, axis: IntLike | None = None) -> tf.Tensor:
    """Return a new tensor; the arrays are cast to their common dtype."""
    if axis is None:
        return concatenate((ravel(arr), ravel(values)), 0)
    return concatenate((arr, values), axis)


@array_function(promotes=("a",), unknown_rank="each")
def resize(a: ArrayLike, new_shape: ShapeLike) -> tf.Tensor:
    """Return a new tensor, which repeats the elements of `a`. `new_shape` may contain scalar tensors.

    The method `variable.resize` fills with zeros instead, as `ndarray.resize` does.
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


@array_function(promotes=(), unknown_rank="each", traces=("filt",))
def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: AxisLike = None) -> Any:
    """The shape of the result depends on values: in a graph it is unknown, unless the array is static.

    For a list or tuple, return a list or tuple; a nested one raises TypeError.
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
    is_empty = tensor.shape.num_elements() == 0  # under XLA a gather from an empty tensor has wrong dimensions
    static = np.zeros(tensor.shape, bool) if is_empty else convert.static_value(tensor)
    if static is None:
        return _trim_dynamic(tensor, ends, axes)
    bounds = {axis_index: _trim_bounds(np.asarray(static), axis_index, ends) for axis_index in axes}
    if shapes.rank(tensor) == 1 and isinstance(filt, list | tuple):
        return filt[slice(*bounds[0])]
    for axis_index, (start, stop) in bounds.items():
        tensor = layout.slice_along(tensor, axis_index, start, stop - start)
    return tensor


def _trim_bounds(array: np.ndarray, axis: int, ends: str) -> tuple[int, int]:
    """Return the bounds of the part without the slices that are all zeros at the ends."""
    length = array.shape[axis]
    if array.ndim > 1:
        array = np.asarray(_is_nonzero(array).any(tuple(other for other in range(array.ndim) if other != axis)))
    first = _count_leading_zeros(array)
    if first == length:
        return 0, 0
    return first if "f" in ends else 0, length - _count_leading_zeros(array[::-1]) if "b" in ends else length


def _count_leading_zeros(vector: np.ndarray) -> int:
    """Return the number of zeros before the first other element; compare a part of the vector at a time."""
    start, size = 0, _MIN_CHUNK
    while start < len(vector):
        is_nonzero = _is_nonzero(vector[start : start + size])
        first = int(is_nonzero.argmax())
        if is_nonzero[first]:
            return start + first
        start, size = start + size, min(4 * size, _MAX_CHUNK)
    return len(vector)


def _is_nonzero(array: np.ndarray) -> np.ndarray:
    """Compare by NumPy, for which a subnormal number is not zero."""
    return array != (b"" if array.dtype.kind == "O" else array.dtype.type(0))


def _trim_dynamic(tensor: tf.Tensor, ends: str, axes: tuple[int, ...]) -> tf.Tensor:
    """Return the tensor without zeros at the ends, where these are known when the graph runs."""
    mask = tensor if tensor.dtype == tf.bool else tf.not_equal(tensor, tf.zeros((), tensor.dtype))
    for axis in axes:
        other_axes = [other for other in range(shapes.rank(tensor)) if other != axis]
        has_nonzero = tf.reduce_any(mask, other_axes)
        if is_for_xla():  # which does not slice by a dynamic size
            tensor = layout.take(tensor, layout.indices_of_true(_is_between_true(has_nonzero, ends)), axis)
        else:
            tensor = layout.slice_along(tensor, axis, *_trim_dynamic_bounds(has_nonzero, ends))
    return tensor


def _is_between_true(has_nonzero: tf.Tensor, ends: str) -> tf.Tensor:
    """Return a mask that is False at the trimmed ends of the given one, before its first and after its last True."""
    is_inside, counts = tf.ones_like(has_nonzero), tf.cast(has_nonzero, tf.int32)
    if "f" in ends:
        is_inside &= tf.cumsum(counts) > 0
    if "b" in ends:
        is_inside &= tf.cumsum(counts, reverse=True) > 0
    return is_inside


def _trim_dynamic_bounds(has_nonzero: tf.Tensor, ends: str) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the start and the length of the part between the trimmed ends."""
    count = tf.size(has_nonzero)
    index = tf.range(count)
    first = tf.reduce_min(tf.where(has_nonzero, index, count))
    start = first if "f" in ends else tf.zeros_like(first)
    stop = tf.reduce_max(tf.where(has_nonzero, index, -1)) + 1 if "b" in ends else count
    return tf.where(first < count, start, 0), tf.where(first < count, stop - start, 0)
