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
from tfnp._core.indexing.expressions import AllOf, Cut, Item, Lookup, Mask, Place, check_ranks, holds_tensor, parse
from tfnp._core.indexing.flat_indices import as_numpy, is_known, places_of, places_of_items
from tfnp._core.indexing.gather import read
from tfnp._core.indexing.plans import flat_mask, is_basic, plan, sides_at
from tfnp._core.indexing.strided import MOST_ITEMS, SLICE_RANK, kept_spec, strided_spec
from tfnp._core.indexing.values import as_elements, as_part, check_for_mask, check_room, fitted, lowered, spread
from tfnp._core.variables import has_one_resource, held, update

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
        if not _write_in_place(variable, index, items, value):
            update(variable, updated(held(variable), index, value))
    except IndexError:
        _check_value(items, variable.shape, variable.dtype, value)
        raise


def _named_class(array: Any) -> str:
    return "a tf.Tensor" if isinstance(array, tf.Tensor) else f"a {type(array).__name__}"


def _check_value(items: Items, sides: tf.TensorShape, dtype: tf.DType, value: Any) -> None:
    """Raise what NumPy does: that a value does not fit comes before indices that are out of bounds."""
    if sides.is_fully_defined() and all(map(is_known, items)):
        if holds_tensor(value):
            value = np.empty(tuple(side or 0 for side in convert.to_tensor(value).shape), np.bool_)
        np.empty(tuple(sides), dtypes.as_numpy(dtype))[tuple(map(as_numpy, items))] = value


def updated(tensor: tf.Tensor | tf.Variable, index: Any, value: Any, how: Any = None) -> tf.Tensor:
    """A new tensor, like this one but for the value where the index says.

    With a ufunc for `how`, it joins the value to what is there, as its `at` does: again for each time that the index
    names a place.
    """
    tensor = convert.to_tensor(tensor)
    if how is not None:
        return at_ufunc.joined_at(how, tensor, index, value)
    items = parse(index)
    check_ranks(items)
    if tensor.shape.rank is None and is_basic(items):
        return _updated_slice(tensor, index, value)
    return _updated(tensor, index, lambda: value)


def _updated_slice(tensor: tf.Tensor, index: Any, value: Any) -> tf.Tensor:
    items = parse(index)
    part = read(tensor, index)
    if part.shape.rank is None:
        value = as_part(value, tensor.dtype, None)
        extra = tf.maximum(tf.rank(value) - tf.rank(part), 0)
        value = tf.broadcast_to(tf.reshape(value, tf.shape(value)[extra:]), tf.shape(part))
    else:
        value = fitted(value, tensor.dtype, items, shapes.shape(part), tensor.shape.rank)
    return raw.TensorStridedSliceUpdate(input=tensor, value=value, **_named(strided_spec(items)))


def _write_in_place(variable: tf.Variable, index: Any, items: Items, value: Any) -> bool:
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
    known = tf.executing_eagerly() and variable.shape.is_fully_defined()
    part = _part_here(variable, items, value) if known and not holds_tensor(value) else None
    if part is None:
        part = fitted(value, variable.dtype, items, shapes.shape(read(variable, index)), variable.shape.rank)
    spec = kept_spec(items) if known else strided_spec(items)
    _assign_slice(variable.handle, *spec[:3], part, *spec[3:])
    return True


_NOTHING: Final = np.zeros((), np.bool_)
_FEW: Final = 2**16


def _part_here(variable: tf.Variable, items: Items, value: Any) -> tf.Tensor | None:
    """The value in the shape and dtype of the part that it replaces, by NumPy itself, unless that is large."""
    key = tuple(map(as_numpy, items))
    sides = np.broadcast_to(_NOTHING, tuple(variable.shape))[key].shape
    if math.prod(sides) > _FEW:
        return None
    part = np.empty(sides, dtypes.as_numpy(variable.dtype))
    is_element = len(items) == len(variable.shape) and all(isinstance(item, Place) for item in items)
    part[() if is_element else ...] = value
    return convert.eager_tensor(part)


def _has_plain_steps(items: Items) -> bool:
    """Whether XLA, which may compile a graph, knows to write the slices."""
    return tf.executing_eagerly() or all(item.step in (None, 1) for item in items if isinstance(item, Cut))


def _named(spec: tuple[Any, ...]) -> dict[str, Any]:
    masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return dict(zip(("begin", "end", "strides", *masks), spec, strict=True))


def _write_rows(variable: tf.Variable, items: Items, value: Any) -> bool:
    """By an index of the first axes that leaves the others whole."""
    sides = tuple(variable.shape)
    found = plan([Lookup(np.array(item.number)) if isinstance(item, Place) else item for item in items], sides)
    depth = len(found.axes)
    is_leading = not found.has_cuts and found.place == 0 and found.axes == tuple(range(depth))
    if not is_leading or not 0 < depth <= _DEPTH or not variable.shape.num_elements() or "CPU" not in variable.device:
        return False
    places = np.asarray(found.numbers)
    values = fitted(value, variable.dtype, items, (*places.shape, *sides[depth:]), len(sides))
    table = np.stack(np.unravel_index(places, sides[:depth]), -1) if places.size else np.zeros((*places.shape, depth))
    raw.ResourceScatterNdUpdate(ref=variable.handle, indices=convert.from_numpy(table.astype(np.int64)), updates=values)
    return True


@array_function(unknown_rank="each")
@numpy_errors
def _updated(tensor: tf.Tensor, index: Any, given: Callable[[], Any]) -> tf.Tensor:
    """The value is given by a function, so that its own rank, unless it is known, does not matter."""
    items, sides, value = parse(index), shapes.shape(tensor), given()
    if is_basic(items):
        if len(sides) <= SLICE_RANK and len(items) <= MOST_ITEMS and _has_plain_steps(items):
            return _updated_slice(tensor, index, value)
    elif (number := _open_mask(items)) is not None:
        return _set_masked(tensor, items, number, value)
    places = places_of(index, sides)
    own = _sides_of(places)
    elements = fitted(value, tensor.dtype, items, own, len(sides))
    flat = _scattered(tf.reshape(tensor, (-1,)), places, tf.reshape(elements, (-1,)))
    return shapes.reshape(flat, sides)


def _sides_of(places: np.ndarray | tf.Tensor) -> tuple[shapes.Side, ...]:
    return places.shape if isinstance(places, np.ndarray) else shapes.shape(places)


def _scattered(flat: tf.Tensor, places: np.ndarray | tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """The vector with values at places; where one place has several, with the last."""
    if isinstance(places, np.ndarray):
        if not places.size:
            return flat
        last = _last_of_each(places.ravel())
        values = values if last is None else layout.take(values, last, 0)
        chosen = places.ravel() if last is None else places.ravel()[last]
        return raw.TensorScatterUpdate(tensor=flat, indices=convert.from_numpy(chosen[:, None]), updates=values)
    places = tf.reshape(places, (-1,))
    order = layout.positions(shapes.shape(places)[0])
    last = tf.math.unsorted_segment_max(order, places, tf.cast(shapes.shape(flat)[0], tf.int64))
    padded = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    return tf.where(last >= 0, layout.take(padded, tf.maximum(last, 0), 0), flat)


def _last_of_each(places: np.ndarray) -> np.ndarray | None:
    """Which numbers are the last to name their place; None where no place is named twice."""
    found, last = np.unique(places[::-1], return_index=True)
    return None if len(found) == len(places) else len(places) - 1 - last


def _open_mask(items: Items) -> int | None:
    """Which item is a mask known only when the graph runs, if there is one, and all arrays beside it broadcast with as
    many elements as it may choose.
    """
    masks = [number for number, item in enumerate(items) if isinstance(item, Mask) and not is_known(item)]
    others = [item for number, item in enumerate(items) if number not in masks]
    return masks[0] if len(masks) == 1 and all(map(_is_single, others)) else None


def _is_single(item: Item) -> bool:
    if isinstance(item, Lookup):
        return item.numbers.shape.rank == 0 if isinstance(item.numbers, tf.Tensor) else item.numbers.shape[-1] == 1
    return not isinstance(item, Mask) or np.count_nonzero(item.truths) == 1


def _set_masked(tensor: tf.Tensor, items: Items, number: int, value: Any) -> tf.Tensor:
    """Every element that the mask could choose is written, by most what they are already: XLA knows how many."""
    mask, sides = items[number], shapes.shape(tensor)
    assert isinstance(mask, Mask)
    everything = [*items[:number], AllOf(mask.truths), *items[number + 1 :]]
    found = plan(everything, sides)
    axis = found.place + len(_sides_of(found.numbers)) - 1
    places = places_of_items(everything, sides)
    own = _sides_of(places)
    elements = as_elements(value, tensor.dtype)
    check_for_mask(elements, items, len(sides))
    elements = lowered(elements, len(own))
    check_room(elements, axis - len(own), own[axis])
    chosen = flat_mask(mask.truths, sides_at(items, number, sides))
    elements = spread(_in_turn(elements, chosen, axis - len(own)), own, is_part=False)
    truths = tf.reshape(chosen, shapes.pack([-1 if place == axis else 1 for place in range(len(own))]))
    flat = tf.reshape(tensor, (-1,))
    places = places.ravel() if isinstance(places, np.ndarray) else tf.reshape(places, (-1,))
    written = tf.where(
        tf.reshape(shapes.broadcast_to(truths, own), (-1,)), tf.reshape(elements, (-1,)), layout.take(flat, places, 0)
    )
    return shapes.reshape(_scattered(flat, places, written), sides)


def _in_turn(elements: tf.Tensor, flat: tf.Tensor, axis: int) -> tf.Tensor:
    """Elements along an axis, counted from the last, for each truth: to those that are set theirs in order."""
    if shapes.rank(elements) < -axis or elements.shape[axis] == 1:
        return elements
    count, wanted = tf.shape(elements, tf.int64)[axis], dynamic_size.count(flat)
    fine = tf.debugging.Assert((count == 1) | (count == wanted), ["as many values as the mask sets, or one"])
    with tf.control_dependencies([fine]):
        order = tf.maximum(tf.cumsum(tf.cast(flat, tf.int64)) - 1, 0)
    place = shapes.rank(elements) + axis
    padded = layout.pad(elements, [(0, int(number == place)) for number in range(shapes.rank(elements))])
    return layout.take(padded, tf.math.floormod(order, tf.maximum(count, 1)), place)
