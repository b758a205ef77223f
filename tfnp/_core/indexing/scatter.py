"""Elements written: `variable[index] = value` of NumPy, in place where TensorFlow has an op for it, and the same as a
function of a tensor, which gives a new one.

An index that names a place twice leaves there the last of its values. In a graph, that an index is out of bounds
raises when it runs; XLA writes to the nearest place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, numpy_errors
from tfnp._core.indexing import at_ufunc
from tfnp._core.indexing.expressions import (
    BoolIndex,
    FullMask,
    IntArrayIndex,
    IntIndex,
    Item,
    SliceIndex,
    check_ranks,
    holds_tensor,
    parse,
)
from tfnp._core.indexing.flat_indices import as_numpy, flat_indices_of, flat_indices_of_items, is_static
from tfnp._core.indexing.gather import read
from tfnp._core.indexing.plans import flat_mask, is_basic, plan, shape_at
from tfnp._core.indexing.strided import MOST_ITEMS, SLICE_RANK, cached_spec, strided_spec
from tfnp._core.indexing.values import (
    as_elements,
    as_slice_value,
    check_for_mask,
    check_room,
    drop_leading_ones,
    fit,
    spread,
)
from tfnp._core.variables import has_one_resource, read_variable, update

raw = tf.raw_ops
_assign_slice = raw.ResourceStridedSliceAssign.__wrapped__
_DEPTH: Final = 7  # of the places of a scatter_nd
Items = Sequence[Item]


def write(variable: tf.Variable, index: Any, value: Any) -> None:
    """Put the value, cast and broadcast as NumPy does, where the index says. Raises TypeError for a tensor."""
    if not isinstance(variable, tf.Variable):
        raise TypeError(
            f"{_named_class(variable)} does not support item assignment: tensors never change. Make it a variable, "
            "`v = tf.Variable(tensor)`, of which `v[index] = value` changes elements; or take the new tensor that "
            "`tensor.at[index].set(value)` gives"
        )
    dtypes.as_dtype(variable.dtype)
    items = parse(index)
    try:
        if not _write_directly(variable, index, items, value):
            update(variable, update_at(read_variable(variable), index, value))
    except IndexError:
        _check_value(items, variable.shape, variable.dtype, value)
        raise


def _named_class(array: Any) -> str:
    return "a tf.Tensor" if isinstance(array, tf.Tensor) else f"a {type(array).__name__}"


def _check_value(items: Items, shape: tf.TensorShape, dtype: tf.DType, value: Any) -> None:
    """Raise what NumPy does: that a value does not fit comes before indices that are out of bounds."""
    if shape.is_fully_defined() and all(map(is_static, items)):
        if holds_tensor(value):
            value = np.empty(tuple(dim or 0 for dim in convert.to_tensor(value).shape), np.bool_)
        np.empty(tuple(shape), dtypes.as_numpy(dtype))[tuple(map(as_numpy, items))] = value


def update_at(tensor: tf.Tensor | tf.Variable, index: Any, value: Any, how: Any = None) -> tf.Tensor:
    """A new tensor, like this one but for the value where the index says.

    With a ufunc for `how`, it joins the value to what is there, as its `at` does: again for each time that the index
    names a place.
    """
    tensor = convert.to_tensor(tensor)
    if how is not None:
        return at_ufunc.apply_at(how, tensor, index, value)
    items = parse(index)
    check_ranks(items)
    if tensor.shape.rank is None and is_basic(items):
        return _update_slice(tensor, index, value)
    return _update(tensor, index, lambda: value)


def _update_slice(tensor: tf.Tensor, index: Any, value: Any) -> tf.Tensor:
    items = parse(index)
    part = read(tensor, index)
    if part.shape.rank is None:
        value = as_slice_value(value, tensor.dtype, None)
        extra = tf.maximum(tf.rank(value) - tf.rank(part), 0)
        value = tf.broadcast_to(tf.reshape(value, tf.shape(value)[extra:]), tf.shape(part))
    else:
        value = fit(value, tensor.dtype, items, shapes.shape(part), tensor.shape.rank)
    return raw.TensorStridedSliceUpdate(input=tensor, value=value, **_named(strided_spec(items)))


def _write_directly(variable: tf.Variable, index: Any, items: Items, value: Any) -> bool:
    """Whether an op could do it without writing the whole anew."""
    rank = variable.shape.rank
    if not has_one_resource(variable) or rank is None or rank > SLICE_RANK or len(items) > MOST_ITEMS:
        return False
    try:
        if is_basic(items):
            return _write_slice(variable, index, items, value)
        return tf.executing_eagerly() and _write_rows(variable, items, value)
    except TENSORFLOW_ERRORS:  # no such kernel on the device
        return False


def _write_slice(variable: tf.Variable, index: Any, items: Items, value: Any) -> bool:
    if not _has_plain_steps(items):
        return False
    static = tf.executing_eagerly() and variable.shape.is_fully_defined()
    part = _local_part(variable, items, value) if static and not holds_tensor(value) else None
    if part is None:
        part = fit(value, variable.dtype, items, shapes.shape(read(variable, index)), variable.shape.rank)
    const_int = cached_spec(items) if static else strided_spec(items)
    _assign_slice(variable.handle, *const_int[:3], part, *const_int[3:])
    return True


_NOTHING: Final = np.zeros((), np.bool_)
_FEW: Final = 2**16


def _local_part(variable: tf.Variable, items: Items, value: Any) -> tf.Tensor | None:
    """The value in the shape and dtype of the part that it replaces, by NumPy itself, unless that is large."""
    key = tuple(map(as_numpy, items))
    shape = np.broadcast_to(_NOTHING, tuple(variable.shape))[key].shape
    if math.prod(shape) > _FEW:
        return None
    part = np.empty(shape, dtypes.as_numpy(variable.dtype))
    is_element = len(items) == len(variable.shape) and all(isinstance(item, IntIndex) for item in items)
    part[() if is_element else ...] = value
    return convert.eager_tensor(part)


def _has_plain_steps(items: Items) -> bool:
    """Whether XLA, which may compile a graph, knows to write the slices."""
    return tf.executing_eagerly() or all(item.step in (None, 1) for item in items if isinstance(item, SliceIndex))


def _named(const_int: tuple[Any, ...]) -> dict[str, Any]:
    masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return dict(zip(("begin", "end", "strides", *masks), const_int, strict=True))


def _write_rows(variable: tf.Variable, items: Items, value: Any) -> bool:
    """By an index of the first axes that leaves the others whole."""
    shape = tuple(variable.shape)
    found = plan(
        [IntArrayIndex(np.array(item.number)) if isinstance(item, IntIndex) else item for item in items], shape
    )
    depth = len(found.axes)
    is_leading = not found.has_cuts and found.place == 0 and found.axes == tuple(range(depth))
    if not is_leading or not 0 < depth <= _DEPTH or not variable.shape.num_elements() or "CPU" not in variable.device:
        return False
    indices = np.asarray(found.numbers)
    values = fit(value, variable.dtype, items, (*indices.shape, *shape[depth:]), len(shape))
    table = (
        np.stack(np.unravel_index(indices, shape[:depth]), -1) if indices.size else np.zeros((*indices.shape, depth))
    )
    raw.ResourceScatterNdUpdate(ref=variable.handle, indices=convert.from_numpy(table.astype(np.int64)), updates=values)
    return True


@array_function(unknown_rank="each")
@numpy_errors
def _update(tensor: tf.Tensor, index: Any, given: Callable[[], Any]) -> tf.Tensor:
    """The value is given by a function, so that its own rank, unless it is known, does not matter."""
    items, shape, value = parse(index), shapes.shape(tensor), given()
    if is_basic(items):
        if len(shape) <= SLICE_RANK and len(items) <= MOST_ITEMS and _has_plain_steps(items):
            return _update_slice(tensor, index, value)
    elif (number := _open_mask(items)) is not None:
        return _set_masked(tensor, items, number, value)
    indices = flat_indices_of(index, shape)
    own = _shape_of(indices)
    elements = fit(value, tensor.dtype, items, own, len(shape))
    flat = _scatter(tf.reshape(tensor, (-1,)), indices, tf.reshape(elements, (-1,)))
    return shapes.reshape(flat, shape)


def _shape_of(indices: np.ndarray | tf.Tensor) -> tuple[shapes.Dim, ...]:
    return indices.shape if isinstance(indices, np.ndarray) else shapes.shape(indices)


def _scatter(flat: tf.Tensor, indices: np.ndarray | tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """The vector with values at places; where one place has several, with the last."""
    if isinstance(indices, np.ndarray):
        if not indices.size:
            return flat
        last = _last_of_each(indices.ravel())
        values = values if last is None else layout.take(values, last, 0)
        chosen = indices.ravel() if last is None else indices.ravel()[last]
        return raw.TensorScatterUpdate(tensor=flat, indices=convert.from_numpy(chosen[:, None]), updates=values)
    indices = tf.reshape(indices, (-1,))
    order = layout.positions(shapes.shape(indices)[0])
    last = tf.math.unsorted_segment_max(order, indices, tf.cast(shapes.shape(flat)[0], tf.int64))
    padded = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    return tf.where(last >= 0, layout.take(padded, tf.maximum(last, 0), 0), flat)


def _last_of_each(indices: np.ndarray) -> np.ndarray | None:
    """Which numbers are the last to name their place; None where no place is named twice."""
    found, last = np.unique(indices[::-1], return_index=True)
    return None if len(found) == len(indices) else len(indices) - 1 - last


def _open_mask(items: Items) -> int | None:
    """Which item is a mask known only when the graph runs, if there is one, and all arrays beside it broadcast with as
    many elements as it may choose.
    """
    masks = [number for number, item in enumerate(items) if isinstance(item, BoolIndex) and not is_static(item)]
    others = [item for number, item in enumerate(items) if number not in masks]
    return masks[0] if len(masks) == 1 and all(map(_is_single, others)) else None


def _is_single(item: Item) -> bool:
    if isinstance(item, IntArrayIndex):
        return item.numbers.shape.rank == 0 if isinstance(item.numbers, tf.Tensor) else item.numbers.shape[-1] == 1
    return not isinstance(item, BoolIndex) or np.count_nonzero(item.truths) == 1


def _set_masked(tensor: tf.Tensor, items: Items, number: int, value: Any) -> tf.Tensor:
    """Every element that the mask could choose is written, by most what they are already: XLA knows how many."""
    mask, shape = items[number], shapes.shape(tensor)
    assert isinstance(mask, BoolIndex)
    everything = [*items[:number], FullMask(mask.truths), *items[number + 1 :]]
    found = plan(everything, shape)
    axis = found.place + len(_shape_of(found.numbers)) - 1
    indices = flat_indices_of_items(everything, shape)
    own = _shape_of(indices)
    elements = as_elements(value, tensor.dtype)
    check_for_mask(elements, items, len(shape))
    elements = drop_leading_ones(elements, len(own))
    check_room(elements, axis - len(own), own[axis])
    chosen = flat_mask(mask.truths, shape_at(items, number, shape))
    elements = spread(_move_to_front(elements, chosen, axis - len(own)), own, is_part=False)
    bools = tf.reshape(chosen, shapes.shape_tensor([-1 if index == axis else 1 for index in range(len(own))]))
    flat = tf.reshape(tensor, (-1,))
    indices = indices.ravel() if isinstance(indices, np.ndarray) else tf.reshape(indices, (-1,))
    written = tf.where(
        tf.reshape(shapes.broadcast_to(bools, own), (-1,)), tf.reshape(elements, (-1,)), layout.take(flat, indices, 0)
    )
    return shapes.reshape(_scatter(flat, indices, written), shape)


def _move_to_front(elements: tf.Tensor, flat: tf.Tensor, axis: int) -> tf.Tensor:
    """Elements along an axis, counted from the last, for each truth: to those that are set theirs in order."""
    if shapes.rank(elements) < -axis or elements.shape[axis] == 1:
        return elements
    count, expected = tf.shape(elements, tf.int64)[axis], dynamic_size.count(flat)
    is_valid = tf.debugging.Assert((count == 1) | (count == expected), ["as many values as the mask sets, or one"])
    with tf.control_dependencies([is_valid]):
        order = tf.maximum(tf.cumsum(tf.cast(flat, tf.int64)) - 1, 0)
    index = shapes.rank(elements) + axis
    padded = layout.pad(elements, [(0, int(number == index)) for number in range(shapes.rank(elements))])
    return layout.take(padded, tf.math.floormod(order, tf.maximum(count, 1)), index)
