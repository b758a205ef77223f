"""Elements added and removed.

What goes where is worked out on positions, by NumPy itself where they are known, and then gathered. Where `obj` is a
tensor known only at run time, so is the size of the result, unless it can be told from the number of indices.
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
    arr, number = _flat_or_along(arr, axis)
    length = shapes.shape(arr)[number]
    if _is_unknown(obj) or not isinstance(length, int):
        return layout.take(arr, layout.indices_of_true(tf.logical_not(_is_named(obj, length, number))), number)
    return layout.take(arr, np.delete(np.arange(length), _known(obj)), number)


def _flat_or_along(arr: Any, axis: Any) -> tuple[tf.Tensor, int]:
    """The array, flattened where there is no axis, and the axis as a normal number."""
    if axis is None:
        return ravel(arr), 0
    arr = to_tensor(arr)
    return arr, shapes.normalize_axis(axis, shapes.rank(arr))


def _is_unknown(obj: Any) -> bool:
    return isinstance(obj, tf.Tensor) and convert.static_value(obj) is None


def _known(obj: Any) -> Any:
    if is_tensor(obj):
        return np.asarray(convert.static_value(obj))
    if isinstance(obj, slice):
        return slice(*(convert.static_value(item) for item in (obj.start, obj.stop, obj.step)))
    return obj


def _is_named(obj: Any, length: shapes.Dim, axis: int) -> tf.Tensor:
    """A mask of the positions that an index, or several, a mask or a slice stand for."""
    index = layout.positions(length)
    count = tf.size(index, tf.int64)
    if isinstance(obj, slice):
        return _is_in_slice(obj, index, count)
    obj = _checked_indices(obj if isinstance(obj, tf.Tensor) else _as_indices(obj))
    if obj.dtype == tf.bool:
        text = "boolean array argument obj to delete must be one dimensional and match the length of the axis"
        if shapes.rank(obj) != 1 or (isinstance(length, int) and obj.shape[0] not in (None, length)):
            raise ValueError(text)
        return shapes.check_length(obj, length, text)
    return tf.reduce_any(index == normalize_indices(tf.reshape(tf.cast(obj, tf.int64), (-1, 1)), length, axis), 0)


def _checked_indices(obj: tf.Tensor) -> tf.Tensor:
    if not obj.dtype.is_integer and obj.dtype != tf.bool:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return obj


def _is_in_slice(obj: slice, index: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    step = 1 if obj.step is None else shapes.as_int(obj.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    lowest, highest = (0, count) if step > 0 else (-1, count - 1)
    ends = (lowest, highest) if step > 0 else (highest, lowest)
    start, stop = (
        tf.cast(end, tf.int64) if bound is None else _bound(bound, count, lowest, highest)
        for bound, end in zip((obj.start, obj.stop), ends, strict=True)
    )
    inside = (index >= start) & (index < stop) if step > 0 else (index <= start) & (index > stop)
    return inside & ((index - start) % abs(step) == 0)


def _bound(index: Any, count: tf.Tensor, lowest: Any, highest: Any) -> tf.Tensor:
    index = tf.cast(index, tf.int64)
    return tf.clip_by_value(tf.where(index < 0, index + count, index), lowest, highest)


@array_function(promotes=("arr", "values"))
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> tf.Tensor:
    """Values take the dtype of the array, whatever is lost by it, as in NumPy.

    More indices than their dtype counts to, which NumPy wraps, raise ValueError where they are known late.
    """
    return _inserted(ravel(arr), obj, values, 0) if axis is None else _inserted(arr, obj, values, axis)


@array_function(unknown_rank="each")
def _inserted(arr: Any, obj: Any, values: Any, axis: Any) -> tf.Tensor:
    arr, number = _flat_or_along(arr, axis)
    shape = shapes.shape(arr)
    if isinstance(values, tf.Tensor) and values.shape.rank is None:
        values = drop_leading_ones(values, len(shape))
    if _is_unknown(obj):
        return _insert_at(arr, obj, to_tensor(values, arr.dtype), number)
    obj = _known(obj)
    length = shape[number]
    if isinstance(length, int):
        indices = len(np.insert(np.arange(length), obj, 0)) - length
        shaped = _shaped(to_tensor(values, arr.dtype), obj, None if indices == 1 else indices, shape, number)
        count = shapes.shape(shaped)[number]
        if isinstance(count, int):
            index = np.insert(np.arange(length), obj, np.arange(length, length + count))
            return layout.take(tf.concat([arr, shaped], number), index, number)
    values = to_tensor(values, arr.dtype)
    if isinstance(obj, slice):
        position = layout.positions(length)
        return _insert_at(
            arr, layout.indices_of_true(_is_in_slice(obj, position, tf.size(position, tf.int64))), values, number
        )
    return _insert_at(arr, _as_indices(obj), values, number)


def _as_indices(obj: Any) -> tf.Tensor:
    """Known indices as a tensor. An empty list is one of integers; an empty array is what it is."""
    return to_tensor(np.asarray(obj, np.int64) if np.size(obj) == 0 and not hasattr(obj, "dtype") else obj)


def _shaped(
    values: tf.Tensor, obj: Any, indices: shapes.Dim | None, shape: tuple[shapes.Dim, ...], axis: int
) -> tf.Tensor:
    """The values as wide as what they go into. A single place, None, takes as many of them as there are.

    If that is given by an integer, NumPy lets the first axis of the values be the one that grows.
    """
    rank = len(shape)
    if indices is None:
        values = shapes.reshape(values, (1,) * (rank - shapes.rank(values)) + shapes.shape(values))
        values = layout.move_axis(values, 0, axis) if np.ndim(obj) == 0 and not isinstance(obj, slice) else values
        indices = shapes.shape(values)[axis]
    return shapes.broadcast_to(_fewer(values, rank), (*shape[:axis], indices, *shape[axis + 1 :]))


def _fewer(values: tf.Tensor, rank: int) -> tf.Tensor:
    """Assignment drops leading axes of length 1 that broadcasting would keep."""
    while shapes.rank(values) > rank and values.shape[0] == 1:
        values = tf.squeeze(values, [0])
    return values


def _check_shift(obj: tf.Tensor, length: shapes.Dim) -> None:
    """NumPy adds the length and numbers from 0 on to several indices, and does not widen them for it."""
    count = obj.shape.num_elements()
    if obj.dtype == tf.bool or count == 1:
        return
    most = obj.dtype.max
    if count is None or not isinstance(length, int):
        if obj.dtype.is_unsigned or obj.dtype.size < 4:
            fits = tf.maximum(tf.size(obj, tf.int64) - 1, tf.cast(length, tf.int64)) <= most
            fits = tf.equal(tf.size(obj), 1) | (fits & (not obj.dtype.is_unsigned))
            tf.debugging.Assert(fits, [f"cannot shift several indices of {obj.dtype.name}"])
        return
    if length > most:
        raise OverflowError(f"Python integer {length} out of bounds for {obj.dtype.name}")
    if obj.dtype.is_unsigned:
        raise TypeError("cannot shift several unsigned indices: NumPy does not cast int64 to them")
    if count - 1 > most:
        raise ValueError(f"cannot shift {count} indices of {obj.dtype.name}, which does not count so far")


def _insert_at(arr: tf.Tensor, obj: tf.Tensor, values: tf.Tensor, axis: int) -> tf.Tensor:
    """Insertion at places known at run time: each new element goes before the old one at its index."""
    index = layout.positions(shapes.shape(arr)[axis])
    length = tf.size(index, tf.int64)
    is_index = obj.dtype.is_integer or obj.dtype == tf.bool
    if obj.dtype == tf.string or (obj.shape.num_elements() == 1 and not is_index):
        raise TypeError(f"a place to insert at must be an integer, not of {obj.dtype.name}")
    obj = _checked_indices(obj)
    if (obj.shape.rank or 0) > 1 or (obj.shape.rank == 0 and obj.dtype == tf.bool):
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    _check_shift(obj, shapes.shape(arr)[axis])
    obj = tf.cast(obj, tf.int64) if obj.dtype != tf.bool else layout.indices_of_true(tf.reshape(obj, (-1,)))
    rank = shapes.rank(arr)
    values = shapes.reshape(values, (1,) * (rank - shapes.rank(values)) + shapes.shape(values))
    if obj.shape.rank == 0:
        values = layout.move_axis(values, 0, axis)
    elif obj.shape.rank is None:
        moved, kept = layout.move_axis(values, 0, axis), values
        values = tf.cond(tf.equal(tf.rank(obj), 0), lambda: moved, lambda: kept)
        obj = shapes.pad_shape(obj, 1)
    obj = layout.check_bounds(tf.reshape(obj, (-1,)), -length, length)
    obj = tf.where(obj < 0, obj + length, obj)
    upcast = shapes.shape(values)[axis]
    count = shapes.shape(obj)[0]
    if not isinstance(count, int) or count == 1:
        count = upcast if isinstance(count, int) else tf.where(tf.equal(count, 1), upcast, count)
    obj = tf.broadcast_to(obj, shapes.shape_tensor((count,)))
    shape, values = shapes.shape(arr), _fewer(values, rank)
    shape = (*shape[:axis], count, *shape[axis + 1 :])
    if shapes.rank(values) <= rank and not shapes.is_static(shape):
        values = shapes.check_broadcastable_to(
            values, shape, "shape mismatch: values could not be broadcast to the places inserted"
        )
    values = shapes.broadcast_to(values, shape)
    order = tf.argsort(tf.concat([obj * 2, index * 2 + 1], 0), stable=True)
    joined = tf.concat([values, arr], axis)
    return layout.take(joined, order, axis)


@array_function(promotes=("arr", "values"))
def append(arr: Any, values: Any, axis: Any = None) -> tf.Tensor:
    if axis is None:
        return concatenate((ravel(arr), ravel(values)), 0)
    return concatenate((arr, values), axis)


@array_function(promotes=("a",), unknown_rank="each")
def resize(a: Any, new_shape: Any) -> tf.Tensor:
    """Repeats the elements as often as they are needed; `ndarray.resize`, which fills with zeros, has no equal here."""
    static = convert.static_value(new_shape)
    for dim in static if np.iterable(static) else ():  # before they are found to be no integers
        if (number := convert.static_value(dim)) is not None and number < 0:
            raise ValueError("all elements of `new_shape` must be non-negative")
    shape = shapes.as_shape(new_shape, "new_shape")
    if any(isinstance(dim, int) and dim < 0 for dim in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    a = ravel(a)
    own, count = shapes.size(a), layout.product(shape)
    if isinstance(own, int) and own == 0:
        return tf.zeros(shapes.shape_tensor(shape), a.dtype)
    if isinstance(own, int) and isinstance(count, int):
        index: Any = np.arange(count) % own
    else:
        index = layout.positions(count) % tf.maximum(tf.cast(own, tf.int64), 1)
        a = tf.concat([a, tf.zeros((1,), a.dtype)], 0)  # there is nothing else to repeat if there are no elements
    return shapes.reshape(layout.take(a, index, 0), shape)


@array_function(promotes=(), unknown_rank="each")
def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """The size depends on values: it is known in eager, and at run time elsewhere. A list or tuple stays one."""
    dim = trim.lower()
    if dim not in {"fb", "bf", "f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    tensor = to_tensor(filt)
    axes = shapes.normalize_axes(axis, shapes.rank(tensor))
    if not axes:
        return filt
    if isinstance(filt, list | tuple) and shapes.rank(tensor) > 1:
        raise TypeError("trim_zeros cuts a list as it is, and so takes no nested ones: pass an array")
    mask = tensor if tensor.dtype == tf.bool else tf.not_equal(tensor, tf.zeros((), tensor.dtype))
    empty = tensor.shape.num_elements() == 0  # XLA takes garbage for the sides of what is gathered from nothing
    static = np.zeros(tensor.shape, bool) if empty else convert.static_value(mask)
    if static is None:
        return _trim_unknown(tensor, mask, dim, axes)
    bounds = {number: _extent(np.asarray(static), number, dim) for number in axes}
    if shapes.rank(tensor) == 1 and isinstance(filt, list | tuple):
        return filt[slice(*bounds[0])]
    for number, (start, stop) in bounds.items():
        tensor = layout.slice_along(tensor, number, start, stop - start)
    return tensor


def _extent(mask: np.ndarray, axis: int, dim: str) -> tuple[int, int]:
    """From the first to after the last slice that is not all zeros."""
    indices = np.unique(np.nonzero(mask)[axis])
    length = mask.shape[axis]
    first, last = (int(indices[0]), int(indices[-1]) + 1) if indices.size else (length, 0)
    return _clipped(first, last, length, dim, bool(indices.size))


def _clipped(first: int, last: int, length: int, dim: str, some: bool) -> tuple[int, int]:
    if not some:
        return 0, 0
    return first if "f" in dim else 0, last if "b" in dim else length


def _trim_unknown(tensor: tf.Tensor, mask: tf.Tensor, dim: str, axes: tuple[int, ...]) -> tf.Tensor:
    for number in axes:
        others = [axis for axis in range(shapes.rank(tensor)) if axis != number]
        holds = tf.cast(tf.reduce_any(mask, others), tf.int32)
        kept = tf.ones_like(holds, tf.bool)
        if "f" in dim:
            kept &= tf.cumsum(holds) > 0
        if "b" in dim:
            kept &= tf.cumsum(holds, reverse=True) > 0
        tensor = layout.take(tensor, layout.indices_of_true(kept), number)
    return tensor
