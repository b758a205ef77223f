"""Reading: NumPy's `array[index]`, for every index, of tensors of any dtype and rank.

Common indices are recognized by their Python types, and need one op or two, which check bounds themselves. Others, and
those for which an op raises, are parsed, planned and executed as a strided slice and a gather, with NumPy's errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes, weak_types
from tfnp._core.eager_tensors import EagerTensor, enum_of, shape_of
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, numpy_errors
from tfnp._core.indexing.expressions import (
    BoolIndex,
    EllipsisIndex,
    Indices,
    IntArrayIndex,
    IntIndex,
    Item,
    NewAxis,
    SliceIndex,
    check_ranks,
    has_static_rank,
    parse,
)
from tfnp._core.indexing.plans import BasicIndex, check_mask, is_basic, normalize_indices, plan
from tfnp._core.indexing.strided import (
    CACHE,
    MAX_ITEMS,
    SLICE_RANK,
    cache_slice_arguments,
    find_slice_arguments,
    slice_strided,
)
from tfnp._core.tensorflow_internals import record

_REFUSALS: Final = (*TENSORFLOW_ERRORS, ValueError, TypeError)
_BOOL: Final = tf.bool.as_datatype_enum
_INDEX_ENUMS: Final = (tf.int32.as_datatype_enum, tf.int64.as_datatype_enum)
_INDEX_DTYPES: Final = frozenset((np.dtype(np.int32), np.dtype(np.int64)))
_SIMPLE: Final = frozenset((int, type(None), type(Ellipsis)))
_BOUNDS: Final = frozenset((int, type(None)))
_MAX_DEPTH: Final = 7  # of the indices of a gather_nd

_gather = ops.gather
_strided_slice = ops.strided_slice


def read(tensor: tf.Tensor | tf.Variable, index: Any) -> tf.Tensor:
    """Return the indexed elements, as NumPy's `array[index]` does.

    In a graph, the size of the result of a mask is known only when the graph runs, and XLA rejects it; indices that are
    out of bounds raise when the graph runs, and XLA takes the nearest element. For a tensor of unknown rank a graph is
    traced for each rank, unless only the first axis is indexed.
    """
    if type(tensor) is not EagerTensor and isinstance(tensor, tf.Variable):
        return _read_variable(tensor, index)
    common = _COMMON.get(type(index))
    if common is not None:
        try:
            result = common(tensor, index)
            if result is not None:
                return weak_types.weaken_like(result, tensor) if dtypes.promotion.weakens else result
        except _REFUSALS:
            pass
    result = _read_any(tensor, index)
    return weak_types.weaken_like(result, tensor) if dtypes.promotion.weakens else result


@array_function(unknown_rank="each")
def read_some(tensor: tf.Tensor, index: Any, size: Any, fill_value: Any) -> tf.Tensor:
    """Return the elements where a mask of the first axes is True, truncated or padded to a static size."""
    items, shape = parse(index), shapes.shape(tensor)
    if len(items) != 1 or not isinstance(items[0], BoolIndex):
        raise TypeError("size= requires a single boolean mask as index")
    check_mask(items[0], shape)
    mask = tf.reshape(items[0].mask, (-1,))
    rows = _reshape_result(tensor, (layout.product(shape[: items[0].rank]), *shape[items[0].rank :]))
    return dynamic_size.pad_to_size(
        layout.take(rows, dynamic_size.nonzero_indices(mask, size), 0), dynamic_size.count(mask), fill_value
    )


def _read_variable(variable: tf.Variable, index: Any) -> tf.Tensor:
    """Return the elements of a variable."""
    return read(variable.read_value(), index)


def _read_tuple(tensor: Any, index: tuple[Any, ...]) -> tf.Tensor | None:
    if len(index) > MAX_ITEMS:
        return None
    key: list[Any] = []
    for item in index:
        item_type = type(item)
        if item_type in _SIMPLE:
            key.append(item)
        elif item_type is slice:
            bounds = start, stop, step = item.start, item.stop, item.step
            if type(start) not in _BOUNDS or type(stop) not in _BOUNDS or type(step) not in _BOUNDS:
                return None
            key.append(bounds)
        else:
            return None
    arguments = CACHE.get(tuple(key)) if type(tensor) is EagerTensor else None
    if arguments is not None:
        result = _strided_slice(tensor, *arguments)
        if type(result) is EagerTensor:  # in a graph, constants instead of cached tensors keep the shape static
            return result
    if not tf.executing_eagerly():
        return None if (tensor.shape.rank or 0) > SLICE_RANK else slice_strided(tensor, parse(index))
    return _strided_slice(tensor, *cache_slice_arguments(tuple(key), parse(index)))


def _read_item(tensor: Any, item: Any) -> tf.Tensor | None:
    return _read_tuple(tensor, (item,))


def _read_tensor(tensor: Any, index: Any) -> tf.Tensor | None:
    """Return the elements at an eager tensor: a mask, or integers without negative ones.

    In a graph, the result is not used.
    """
    if type(tensor) is not EagerTensor:
        return None
    enum = enum_of(index)
    if enum == _BOOL:
        return _read_by_mask(tensor, index, shape_of(index))
    if enum in _INDEX_ENUMS:
        return _read_by_indices(tensor, index) if "CPU" in tensor.device else None
    return None


def _read_by_indices(tensor: Any, index: Any) -> tf.Tensor | None:
    """Return the elements by a gather, which raises for indices out of bounds on CPU, unless the result is empty."""
    axis = shapes.CONST_INTS.get(0)
    result = _gather(tensor, index, shapes.const_int(0) if axis is None else axis)
    return result if type(result) is EagerTensor and result._num_elements() else None


def _read_by_mask(tensor: Any, mask: Any, shape: tuple[int, ...]) -> tf.Tensor | None:
    """Return the elements where an eager mask is True.

    Unless a gradient may be recorded, NumPy reads the memory of the tensor. This is three to ten times as fast as two
    ops at any size, and the size of the result has to be waited for anyway. The result is on the device of the tensor.

    A vector uses a gather, since TensorFlow has no forward gradient of `gather_nd` of rows.
    """
    if not shape or not ops.executing_eagerly():
        return None
    if not record.could_possibly_record() and "CPU" in tensor.device:
        return convert.as_constant(tensor._numpy()[mask if type(mask) is np.ndarray else mask._numpy()])
    if len(shape) > _MAX_DEPTH or shape != shape_of(tensor)[: len(shape)]:
        return None
    if len(shape) == 1:
        return _gather(tensor, convert.as_constant(np.flatnonzero(mask)), shapes.const_int(0))
    return ops.gather_nd(tensor, ops.where(mask))


def _read_array(tensor: Any, index: Any) -> tf.Tensor | None:
    """Return the elements at an array, which is read by an op before this returns."""
    if type(tensor) is not EagerTensor:
        return None
    dtype = index.dtype
    if dtype in _INDEX_DTYPES:
        return _read_by_indices(tensor, index) if index.ndim and "CPU" in tensor.device else None
    return _read_by_mask(tensor, index, index.shape) if dtype == np.bool_ else None


_COMMON: Final[dict[type, Callable[[Any, Any], tf.Tensor | None]]] = {
    tuple: _read_tuple,
    int: _read_item,
    slice: _read_item,
    type(None): _read_item,
    type(Ellipsis): _read_item,
    EagerTensor: _read_tensor,
    np.ndarray: _read_array,
}


def _read_any(tensor: tf.Tensor, index: Any) -> tf.Tensor:
    items = parse(index)
    if tf.executing_eagerly():
        return execute(tensor, items)
    if tensor.shape.rank is None and is_basic(items):
        return slice_strided(tensor, items)
    rows = _read_rows(tensor, items)
    if rows is not None:
        return rows
    check_ranks(items)
    return _read_by_rank(tensor, index)


def _read_rows(tensor: tf.Tensor, items: Sequence[Item]) -> tf.Tensor | None:
    """Return the elements at arrays and integers that index the first axes, where a rank is unknown; None for other
    items.
    """
    first = _take_leading(items)
    if not any(isinstance(item, IntArrayIndex) for item in first) or not _are_full_slices(items[len(first) :]):
        return None
    static = tensor.shape.rank
    if static is not None and (static < len(first) or all(map(has_static_rank, first))):
        return None
    shape = shapes.shape(tensor) if static is not None else tf.unstack(tf.shape(tensor)[: len(first)], len(first))
    flat, rows = tf.zeros((), tf.int64), tf.ones((), tf.int64)
    for axis, (item, dim) in enumerate(zip(first, shape, strict=False)):
        indices = item.indices if isinstance(item, IntArrayIndex) else np.array(item.value)
        flat = flat * tf.cast(dim, tf.int64) + normalize_indices(indices, dim, axis)
        rows *= tf.cast(dim, tf.int64)
    if len(first) > 1:
        tensor = tf.reshape(tensor, tf.concat([rows[None], tf.shape(tensor, tf.int64)[len(first) :]], 0))
    return _gather(tensor, flat, shapes.const_int(0))


def _take_leading(items: Sequence[Item]) -> list[IntArrayIndex | IntIndex]:
    """Return the leading items that are arrays or integers."""
    leading: list[IntArrayIndex | IntIndex] = []
    for item in items:
        if not isinstance(item, IntArrayIndex | IntIndex):
            break
        leading.append(item)
    return leading


def _are_full_slices(items: Sequence[Item]) -> bool:
    return all(isinstance(item, EllipsisIndex) for item in items)


@array_function(unknown_rank="each")
def _read_by_rank(tensor: tf.Tensor, index: Any) -> tf.Tensor:
    return execute(tensor, parse(index))


@numpy_errors
def execute(tensor: tf.Tensor, items: Sequence[Item]) -> tf.Tensor:
    """Return the elements of a tensor of static rank that the items of an index name."""
    steps = plan(items, shapes.shape(tensor))
    if steps.has_slice:
        tensor = _slice(tensor, steps.basic)
    return tensor if steps.indices is None else _gather_flat(tensor, steps.axes, steps.indices, steps.position)


def _slice(tensor: tf.Tensor, items: Sequence[BasicIndex]) -> tf.Tensor:
    """Return the tensor after slices, integers and new axes: all at once, or axis by axis above the rank limit of a
    strided slice.
    """
    if shapes.rank(tensor) <= SLICE_RANK and len(items) <= MAX_ITEMS:
        if tf.executing_eagerly():
            return _strided_slice(tensor, *find_slice_arguments(items))
        return slice_strided(tensor, items)
    new, axis = [], 0
    for position, item in enumerate(items):
        if isinstance(item, NewAxis):
            new.append(position - sum(isinstance(other, IntIndex) for other in items[:position]))
        elif isinstance(item, IntIndex):
            dim = shapes.shape(tensor)[axis]
            tensor = layout.take(tensor, tf.cast(dim, tf.int64) + item.value if item.value < 0 else item.value, axis)
        else:
            if not item.is_full:
                tensor = layout.take(tensor, _list_indices(item, shapes.shape(tensor)[axis]), axis)
            axis += 1
    return _insert_new_axes(tensor, new) if new else tensor


def _list_indices(item: SliceIndex, dim: shapes.Dim) -> tf.Tensor:
    """Return the indices that a slice selects of an axis."""
    return slice_strided(layout.positions(dim), (item,))


def _insert_new_axes(tensor: tf.Tensor, indices: Sequence[int]) -> tf.Tensor:
    shape = list(shapes.shape(tensor))
    for index in indices:
        shape.insert(index, 1)
    return _reshape_result(tensor, tuple(shape))


def _gather_flat(tensor: tf.Tensor, axes: tuple[int, ...], indices: Indices, position: int) -> tf.Tensor:
    """Return elements at flat indices into `axes`; the axes of the indices are at `position`."""
    if isinstance(indices, np.ndarray):
        indices = convert.as_constant(indices if indices.flags.c_contiguous else indices.copy())
    rank = shapes.rank(tensor)
    first = axes[0] if axes else position
    if len(axes) != 1:
        if axes != tuple(range(first, first + len(axes))):
            first = 0
            tensor = layout.transpose(tensor, (*axes, *(axis for axis in range(rank) if axis not in axes)))
        shape = shapes.shape(tensor)
        after = shape[first + len(axes) :]
        tensor = _reshape_result(tensor, (*shape[:first], layout.product(shape[first : first + len(axes)]), *after))
    result = _gather(tensor, indices, shapes.const_int(first))
    return result if first == position else _move_axes(result, first, shapes.rank(indices), position)


def _reshape_result(tensor: tf.Tensor, shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    return ops.reshape(tensor, shapes.const_int(shape) if shapes.is_static(shape) else shapes.shape_tensor(shape))


def _move_axes(tensor: tf.Tensor, source: int, width: int, target: int) -> tf.Tensor:
    """Return the tensor with `width` axes moved from the position `source` to `target`."""
    block = tuple(range(source, source + width))
    others = [axis for axis in range(shapes.rank(tensor)) if axis not in block]
    return layout.transpose(tensor, (*others[:target], *block, *others[target:]))
