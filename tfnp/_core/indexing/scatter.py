"""Writing: NumPy's `array[index] = value` for variables, in place where TensorFlow has an op, and for new tensors.

Where an element is indexed twice, the last value is written. In a graph, an index that is out of bounds raises when the
graph runs; XLA writes to the nearest element.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.eager_tensors import EagerTensor, eager_tensor, executing_eagerly, rank_of, size_of
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
    parse,
)
from tfnp._core.indexing.flat_indices import as_numpy, flat_indices_of, flat_indices_of_items, is_static
from tfnp._core.indexing.gather import read
from tfnp._core.indexing.plans import flatten_mask, is_basic, plan, shape_at
from tfnp._core.indexing.strided import MAX_ITEMS, SLICE_RANK, find_slice_arguments, make_slice_arguments
from tfnp._core.indexing.values import (
    as_elements,
    as_slice_value,
    broadcast_value,
    check_for_mask,
    check_mask_size,
    convert_value,
)
from tfnp._core.variables import has_one_resource, read_variable, update
from tfnp._core.xla import is_for_xla

_MAX_DEPTH: Final = 7  # of the indices of a scatter_nd
Items = Sequence[Item]


def write(variable: tf.Variable, index: Any, value: Any) -> None:
    """Assign a value, cast and broadcast as NumPy does, to the indexed elements. Raise TypeError for a tensor."""
    if not isinstance(variable, tf.Variable):
        raise TypeError(
            f"{_describe_class(variable)} does not support item assignment: tensors are immutable. Make a variable, "
            "`v = tf.Variable(tensor)`, which supports `v[index] = value`, or use the new tensor that "
            "`tensor.at[index].set(value)` returns"
        )
    dtypes.as_dtype(variable.dtype)
    items = parse(index)
    try:
        if not _write_directly(variable, index, items, value):
            update(variable, update_at(read_variable(variable), index, value))
    except IndexError:
        _check_value(items, variable.shape, variable.dtype, value)
        raise


def _describe_class(array: Any) -> str:
    return "a tf.Tensor" if isinstance(array, tf.Tensor) else f"a {type(array).__name__}"


def _check_value(items: Items, shape: tf.TensorShape, dtype: tf.DType, value: Any) -> None:
    """Raise NumPy's error for the value, which comes before that for an index out of bounds."""
    if shape.is_fully_defined() and all(map(is_static, items)):
        if convert.contains_tensor(value):
            value = np.empty(tuple(dim or 0 for dim in convert.to_tensor(value).shape), np.bool_)
        np.empty(tuple(shape), dtypes.as_numpy(dtype))[tuple(map(as_numpy, items))] = value


def update_at(tensor: tf.Tensor | tf.Variable, index: Any, value: Any, how: Any = None) -> tf.Tensor:
    """Return a new tensor with the value assigned to the indexed elements.

    With a ufunc as `how`, it is applied to the elements and the value, as its method `at` does.
    """
    tensor = convert.to_tensor(tensor)
    if how is not None:
        return at_ufunc.apply_at(how, tensor, index, value)
    items = parse(index)
    if _can_update_eagerly(tensor, items):
        return _update_slice_eagerly(tensor, items, value)
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
        value = convert_value(value, tensor.dtype, items, shapes.shape(part), tensor.shape.rank)
        if value.shape.num_elements() == 0:  # XLA writes no empty slices of two dimensions
            return tensor
    return ops.tensor_strided_slice_update(input=tensor, value=value, **_as_keywords(make_slice_arguments(items)))


def _can_update_eagerly(tensor: tf.Tensor, items: Items) -> bool:
    is_small = type(tensor) is EagerTensor and rank_of(tensor) <= SLICE_RANK and len(items) <= MAX_ITEMS
    return is_small and is_basic(items) and executing_eagerly()


@numpy_errors
def _update_slice_eagerly(tensor: tf.Tensor, items: Items, value: Any) -> tf.Tensor:
    """Return the tensor with a value written to a slice, by one op: static shapes say what fits."""
    part = None if convert.contains_tensor(value) else _convert_on_host(tensor, items, value)
    if part is None:
        part = convert_value(value, tensor.dtype, items, _shape_at_items(tensor, items), rank_of(tensor))
    if not size_of(part):  # there are no kernels for empty slices of two dimensions
        return tensor
    begin, end, strides, *masks = find_slice_arguments(items)
    return ops.tensor_strided_slice_update(tensor, begin, end, strides, part, *masks)


def _write_directly(variable: tf.Variable, index: Any, items: Items, value: Any) -> bool:
    """Write by an op that changes only the indexed elements. Return whether there is one."""
    rank = variable.shape.rank
    if not has_one_resource(variable) or rank is None or rank > SLICE_RANK or len(items) > MAX_ITEMS:
        return False
    try:
        if is_basic(items):
            return _write_slice(variable, index, items, value)
        return tf.executing_eagerly() and _write_rows(variable, items, value)
    except TENSORFLOW_ERRORS:  # no such kernel on the device
        return False


def _write_slice(variable: tf.Variable, index: Any, items: Items, value: Any) -> bool:
    if not _can_write_slices(items):
        return False
    static = tf.executing_eagerly() and variable.shape.is_fully_defined()
    part = _convert_on_host(variable, items, value) if static and not convert.contains_tensor(value) else None
    if part is None:
        part = convert_value(value, variable.dtype, items, shapes.shape(read(variable, index)), variable.shape.rank)
    arguments = find_slice_arguments(items) if static else make_slice_arguments(items)
    ops.resource_strided_slice_assign(variable.handle, *arguments[:3], part, *arguments[3:])
    return True


_ANY: Final = np.zeros((), np.bool_)
_MAX_LOCAL_SIZE: Final = 2**16


def _convert_on_host(variable: tf.Tensor | tf.Variable, items: Items, value: Any) -> tf.Tensor | None:
    """Return the value in the shape and dtype of the elements that it replaces, as NumPy converts it; None if there are
    many.
    """
    shape = _shape_at_items(variable, items)
    if math.prod(shape) > _MAX_LOCAL_SIZE:
        return None
    part = np.empty(shape, dtypes.as_numpy(variable.dtype))
    is_element = len(items) == len(variable.shape) and all(isinstance(item, IntIndex) for item in items)
    part[() if is_element else ...] = value
    return convert.from_numpy(part) if part.dtype == dtypes.TEXT else eager_tensor(part)


def _shape_at_items(array: tf.Tensor | tf.Variable, items: Items) -> tuple[int, ...]:
    """Return the shape of the elements at static items."""
    return np.broadcast_to(_ANY, tuple(array.shape))[tuple(map(as_numpy, items))].shape


def _can_write_slices(items: Items) -> bool:
    """Return whether XLA, which may compile a graph, supports writing the slices: those of static bounds with a step of
    1.
    """
    if tf.executing_eagerly():
        return True
    slices = [item for item in items if isinstance(item, SliceIndex)]
    has_tensors = any(isinstance(bound, tf.Tensor) for item in slices for bound in (item.start, item.stop))
    is_simple = all(item.step is None or (type(item.step) is int and item.step == 1) for item in slices)
    return is_simple and not (has_tensors and is_for_xla())


def _as_keywords(arguments: tuple[Any, ...]) -> dict[str, Any]:
    masks = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    return dict(zip(("begin", "end", "strides", *masks), arguments, strict=True))


def _write_rows(variable: tf.Variable, items: Items, value: Any) -> bool:
    """Write by ResourceScatterNdUpdate, which supports an index of the first axes. Return whether the index is one."""
    shape = tuple(variable.shape)
    steps = plan([IntArrayIndex(np.array(item.value)) if isinstance(item, IntIndex) else item for item in items], shape)
    depth = len(steps.axes)
    is_leading = not steps.has_slice and steps.position == 0 and steps.axes == tuple(range(depth))
    if (
        not is_leading
        or not 0 < depth <= _MAX_DEPTH
        or not variable.shape.num_elements()
        or "CPU" not in variable.device
    ):
        return False
    indices = np.asarray(steps.indices)
    values = convert_value(value, variable.dtype, items, (*indices.shape, *shape[depth:]), len(shape))
    table = (
        np.stack(np.unravel_index(indices, shape[:depth]), -1) if indices.size else np.zeros((*indices.shape, depth))
    )
    ops.resource_scatter_nd_update(
        ref=variable.handle, indices=convert.from_numpy(table.astype(np.int64)), updates=values
    )
    return True


@array_function(unknown_rank="each")
@numpy_errors
def _update(tensor: tf.Tensor, index: Any, get_value: Callable[[], Any]) -> tf.Tensor:
    """Return the tensor updated at any index. The value comes from a function, so that `array_function` ignores its
    unknown rank.
    """
    items, shape, value = parse(index), shapes.shape(tensor), get_value()
    if is_basic(items):
        if len(shape) <= SLICE_RANK and len(items) <= MAX_ITEMS and _can_write_slices(items):
            return _update_slice(tensor, index, value)
    elif (position := _find_dynamic_mask(items)) is not None:
        return _update_masked(tensor, items, position, value)
    indices = flat_indices_of(index, shape)
    elements = convert_value(value, tensor.dtype, items, _get_shape(indices), len(shape))
    flat = _scatter(tf.reshape(tensor, (-1,)), indices, tf.reshape(elements, (-1,)))
    return shapes.reshape(flat, shape)


def _get_shape(indices: np.ndarray | tf.Tensor) -> tuple[shapes.Dim, ...]:
    return indices.shape if isinstance(indices, np.ndarray) else shapes.shape(indices)


def _scatter(flat: tf.Tensor, indices: np.ndarray | tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Return a vector with values written to elements; of several values for one element, the last."""
    if isinstance(indices, np.ndarray):
        if not indices.size:
            return flat
        last = _find_last_occurrences(indices.ravel())
        values = values if last is None else layout.take(values, last, 0)
        unique = indices.ravel() if last is None else indices.ravel()[last]
        return layout.scatter(ops.tensor_scatter_update, flat, convert.from_numpy(unique), values)
    indices = tf.reshape(indices, (-1,))
    order = layout.positions(shapes.shape(indices)[0])
    last = tf.math.unsorted_segment_max(order, indices, tf.cast(shapes.shape(flat)[0], tf.int64))
    padded = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    return tf.where(last >= 0, layout.take(padded, tf.maximum(last, 0), 0), flat)


def _find_last_occurrences(indices: np.ndarray) -> np.ndarray | None:
    """Return the position of the last occurrence of each index; None if none occurs twice."""
    unique, last = np.unique(indices[::-1], return_index=True)
    return None if len(unique) == len(indices) else len(indices) - 1 - last


def _find_dynamic_mask(items: Items) -> int | None:
    """Return the position of the only mask without a static value; None if there is none or another array is long."""
    masks = [position for position, item in enumerate(items) if isinstance(item, BoolIndex) and not is_static(item)]
    others = [item for position, item in enumerate(items) if position not in masks]
    return masks[0] if len(masks) == 1 and all(map(_is_single, others)) else None


def _is_single(item: Item) -> bool:
    """Return whether an item broadcasts with any number of elements along its last axis."""
    if isinstance(item, IntArrayIndex):
        return item.indices.shape.rank == 0 if isinstance(item.indices, tf.Tensor) else item.indices.shape[-1] == 1
    return not isinstance(item, BoolIndex) or np.count_nonzero(item.mask) == 1


def _update_masked(tensor: tf.Tensor, items: Items, position: int, value: Any) -> tf.Tensor:
    """Return the tensor updated where a mask without a static value is True.

    All elements that the mask may select are written, most of them unchanged, so that XLA knows their number.
    """
    item, shape = items[position], shapes.shape(tensor)
    assert isinstance(item, BoolIndex)
    full_items = [*items[:position], FullMask(item.mask), *items[position + 1 :]]
    steps = plan(full_items, shape)
    axis = steps.position + len(_get_shape(steps.indices)) - 1
    indices = flat_indices_of_items(full_items, shape)
    target = _get_shape(indices)
    elements = as_elements(value, tensor.dtype)
    check_for_mask(elements, items, len(shape))
    elements = shapes.drop_leading_ones(elements, len(target))
    check_mask_size(elements, axis - len(target), target[axis])
    flat_mask = flatten_mask(item.mask, shape_at(items, position, shape))
    elements = broadcast_value(_align_with_mask(elements, flat_mask, axis - len(target)), target, is_slice=False)
    mask = tf.reshape(flat_mask, shapes.shape_tensor([-1 if other == axis else 1 for other in range(len(target))]))
    flat = tf.reshape(tensor, (-1,))
    indices = indices.ravel() if isinstance(indices, np.ndarray) else tf.reshape(indices, (-1,))
    updates = tf.where(
        tf.reshape(shapes.broadcast_to(mask, target), (-1,)), tf.reshape(elements, (-1,)), layout.take(flat, indices, 0)
    )
    return shapes.reshape(_scatter(flat, indices, updates), shape)


def _align_with_mask(elements: tf.Tensor, mask: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the values moved along an axis, counted from the last, to the positions at which a flat mask is True."""
    if shapes.rank(elements) < -axis or elements.shape[axis] == 1:
        return elements
    count, expected = tf.shape(elements, tf.int64)[axis], dynamic_size.count(mask)
    message = (
        "NumPy boolean array indexing assignment cannot assign N input values to the M output values where the mask is "
        "true: N must be M or 1"
    )
    order = tf.maximum(tf.cumsum(tf.cast(mask, tf.int64)) - 1, 0)
    order = check((count == 1) | (count == expected), ValueError(message), order, count, expected)
    axis += shapes.rank(elements)
    padded = layout.pad(elements, [(0, int(other == axis)) for other in range(shapes.rank(elements))])
    return layout.take(padded, tf.math.floormod(order, tf.maximum(count, 1)), axis)
