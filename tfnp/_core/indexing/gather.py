"""Elements read: `tensor[index]` of NumPy, for every index, of tensors of any dtype and rank.

What is common is recognised by its types and done by one op or two, which check bounds themselves. All else, and
whatever such an op refuses, is parsed, planned, and done by a strided slice and a gather; there errors become NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import record

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes, weak_types
from tfnp._core.convert import EagerTensor, enum_of, shape_of
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, numpy_errors
from tfnp._core.indexing.expressions import (
    BoolIndex,
    EllipsisIndex,
    IntArrayIndex,
    IntIndex,
    Item,
    NewAxis,
    Numbers,
    SliceIndex,
    check_ranks,
    is_ranked,
    parse,
)
from tfnp._core.indexing.plans import Slicing, check_mask, is_basic, plan, resolve
from tfnp._core.indexing.strided import CACHE, MOST_ITEMS, SLICE_RANK, cache, cached_spec, sliced, strided_slice

_REFUSALS: Final = (*TENSORFLOW_ERRORS, ValueError, TypeError)
_BOOL: Final = tf.bool.as_datatype_enum
_PLACES: Final = (tf.int32.as_datatype_enum, tf.int64.as_datatype_enum)
_NUMPY_PLACES: Final = frozenset((np.dtype(np.int32), np.dtype(np.int64)))
_WHOLE: Final = frozenset((int, type(None), type(Ellipsis)))
_BOUNDS: Final = frozenset((int, type(None)))
_DEPTH: Final = 7  # of a gather_nd's places

_gather = tf.raw_ops.GatherV2.__wrapped__
_gather_nd = tf.raw_ops.GatherNd.__wrapped__
_where = tf.raw_ops.Where.__wrapped__
_reshape = tf.raw_ops.Reshape.__wrapped__


def read(tensor: tf.Tensor | tf.Variable, index: Any) -> tf.Tensor:
    """The elements that the index names, as NumPy's `array[index]`.

    A mask of a graph gives a result whose size is known when the graph runs; XLA refuses that. Indices of a graph that
    are out of bounds raise when it runs; XLA takes the nearest. Of unknown rank a tensor is read for each that it may
    have, unless its first axis is all that is indexed.
    """
    if type(tensor) is not EagerTensor and isinstance(tensor, tf.Variable):
        return _read_variable(tensor, index)
    common = _COMMON.get(type(index))
    if common is not None:
        try:
            found = common(tensor, index)
            if found is not None:
                return weak_types.alike(found, tensor) if dtypes.promotion.weakens else found
        except _REFUSALS:
            pass
    found = _read_any(tensor, index)
    return weak_types.alike(found, tensor) if dtypes.promotion.weakens else found


@array_function(unknown_rank="each")
def read_some(tensor: tf.Tensor, mask: Any, size: Any, fill_value: Any) -> tf.Tensor:
    """What a mask of the first axes chooses, cut off or filled up to a size, so that XLA knows it, too."""
    items, shape = parse(mask), shapes.shape(tensor)
    if len(items) != 1 or not isinstance(items[0], BoolIndex):
        raise TypeError("a size can be given to what a mask chooses, which has to be the only index")
    check_mask(items[0], shape)
    bools = tf.reshape(items[0].truths, (-1,))
    rows = _reshape_result(tensor, (layout.product(shape[: items[0].rank]), *shape[items[0].rank :]))
    return dynamic_size.pad_to_size(
        layout.take(rows, dynamic_size.nonzero_indices(bools, size), 0), dynamic_size.count(bools), fill_value
    )


def _read_variable(variable: tf.Variable, index: Any) -> tf.Tensor:
    """The elements, which have TensorFlow's own way to write to them: `variable[index].assign(value)`."""
    return read(variable.read_value(), index)


def _read_tuple(tensor: Any, index: tuple[Any, ...]) -> tf.Tensor | None:
    if len(index) > MOST_ITEMS:
        return None
    key: list[Any] = []
    for item in index:
        kind = type(item)
        if kind in _WHOLE:
            key.append(item)
        elif kind is slice:
            bounds = start, stop, step = item.start, item.stop, item.step
            if type(start) not in _BOUNDS or type(stop) not in _BOUNDS or type(step) not in _BOUNDS:
                return None
            key.append(bounds)
        else:
            return None
    const_int = CACHE.get(tuple(key)) if type(tensor) is EagerTensor else None
    if const_int is not None:
        found = strided_slice(tensor, *const_int)
        if type(found) is EagerTensor:  # a graph is not told what is kept, but what is known
            return found
    if not tf.executing_eagerly():
        return None if (tensor.shape.rank or 0) > SLICE_RANK else sliced(tensor, parse(index))
    return strided_slice(tensor, *cache(tuple(key), parse(index)))


def _read_item(tensor: Any, item: Any) -> tf.Tensor | None:
    return _read_tuple(tensor, (item,))


def _read_tensor(tensor: Any, index: Any) -> tf.Tensor | None:
    """By an array of integers, none of them negative, or a mask, both eager. In a graph, which might read both when it
    runs, what is known now is looked at now: what these ops give there is not used.
    """
    if type(tensor) is not EagerTensor:
        return None
    kind = enum_of(index)
    if kind == _BOOL:
        return _by_mask(tensor, index, shape_of(index))
    if kind in _PLACES:
        return _read_by_indices(tensor, index) if "CPU" in tensor.device else None
    return None


def _read_by_indices(tensor: Any, index: Any) -> tf.Tensor | None:
    """By a gather, which raises where it looks beyond the ends, unless it need not look at all."""
    axis = shapes.CONST_INTS.get(0)
    found = _gather(tensor, index, shapes.const_int(0) if axis is None else axis)
    return found if type(found) is EagerTensor and found._num_elements() else None


def _by_mask(tensor: Any, mask: Any, shape: tuple[int, ...]) -> tf.Tensor | None:
    """By what NumPy finds in the tensor's own memory, where a gradient could not want to know: how many are chosen has
    to be waited for anyway, and two ops and the places between them take three to ten times as long, at any size. The
    result lies beside the tensor, whatever the scope's device.

    TensorFlow knows no forward gradient of a `gather_nd` of whole rows.
    """
    if not shape or not ops.executing_eagerly():
        return None
    if not record.could_possibly_record() and "CPU" in tensor.device:
        return convert.as_constant(tensor._numpy()[mask if type(mask) is np.ndarray else mask._numpy()])
    if len(shape) > _DEPTH or shape != shape_of(tensor)[: len(shape)]:
        return None
    if len(shape) == 1:
        return _gather(tensor, convert.as_constant(np.flatnonzero(mask)), shapes.const_int(0))
    return _gather_nd(tensor, _where(mask))


def _read_array(tensor: Any, index: Any) -> tf.Tensor | None:
    """By an array as by a tensor: one op reads it while this waits."""
    if type(tensor) is not EagerTensor:
        return None
    dtype = index.dtype
    if dtype in _NUMPY_PLACES:
        return _read_by_indices(tensor, index) if index.ndim and "CPU" in tensor.device else None
    return _by_mask(tensor, index, index.shape) if dtype == np.bool_ else None


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
        return sliced(tensor, items)
    rows = _rows(tensor, items)
    if rows is not None:
        return rows
    check_ranks(items)
    return _read_by_rank(tensor, index)


def _rows(tensor: tf.Tensor, items: Sequence[Item]) -> tf.Tensor | None:
    """What arrays and integers name of the first axes, if some rank is unknown and nothing else is indexed: the rows of
    these axes, counted through.
    """
    first = _leading(items)
    if not any(isinstance(item, IntArrayIndex) for item in first) or not _are_full_slices(items[len(first) :]):
        return None
    static = tensor.shape.rank
    if static is not None and (static < len(first) or all(map(is_ranked, first))):
        return None
    shape = shapes.shape(tensor) if static is not None else tf.unstack(tf.shape(tensor)[: len(first)], len(first))
    numbers, rows = tf.zeros((), tf.int64), tf.ones((), tf.int64)
    for axis, (item, dim) in enumerate(zip(first, shape, strict=False)):
        own = item.numbers if isinstance(item, IntArrayIndex) else np.array(item.number)
        numbers = numbers * tf.cast(dim, tf.int64) + resolve(own, dim, axis)
        rows *= tf.cast(dim, tf.int64)
    if len(first) > 1:
        tensor = tf.reshape(tensor, tf.concat([rows[None], tf.shape(tensor, tf.int64)[len(first) :]], 0))
    return _gather(tensor, numbers, shapes.const_int(0))


def _leading(items: Sequence[Item]) -> list[IntArrayIndex | IntIndex]:
    """The items in front that are arrays and integers."""
    found: list[IntArrayIndex | IntIndex] = []
    for item in items:
        if not isinstance(item, IntArrayIndex | IntIndex):
            break
        found.append(item)
    return found


def _are_full_slices(items: Sequence[Item]) -> bool:
    return all(isinstance(item, EllipsisIndex) for item in items)


@array_function(unknown_rank="each")
def _read_by_rank(tensor: tf.Tensor, index: Any) -> tf.Tensor:
    return execute(tensor, parse(index))


@numpy_errors
def execute(tensor: tf.Tensor, items: Sequence[Item]) -> tf.Tensor:
    """What the items of an index name, of a tensor of known rank."""
    found = plan(items, shapes.shape(tensor))
    if found.has_cuts:
        tensor = _slice(tensor, found.cuts)
    return tensor if found.numbers is None else _gather_elements(tensor, found.axes, found.numbers, found.place)


def _slice(tensor: tf.Tensor, cuts: Sequence[Slicing]) -> tf.Tensor:
    if shapes.rank(tensor) <= SLICE_RANK and len(cuts) <= MOST_ITEMS:
        return strided_slice(tensor, *cached_spec(cuts)) if tf.executing_eagerly() else sliced(tensor, cuts)
    new, axis = [], 0
    for index, cut in enumerate(cuts):
        if isinstance(cut, NewAxis):
            new.append(index - sum(isinstance(other, IntIndex) for other in cuts[:index]))
        elif isinstance(cut, IntIndex):
            dim = shapes.shape(tensor)[axis]
            tensor = layout.take(tensor, tf.cast(dim, tf.int64) + cut.number if cut.number < 0 else cut.number, axis)
        else:
            tensor = tensor if cut.is_whole else layout.take(tensor, _is_cached(cut, shapes.shape(tensor)[axis]), axis)
            axis += 1
    return _insert_new_axes(tensor, new) if new else tensor


def _is_cached(cut: SliceIndex, dim: shapes.Dim) -> tf.Tensor:
    """The places that a slice keeps of an axis."""
    return sliced(layout.positions(dim), (cut,))


def _insert_new_axes(tensor: tf.Tensor, indices: Sequence[int]) -> tf.Tensor:
    shape = list(shapes.shape(tensor))
    for index in indices:
        shape.insert(index, 1)
    return _reshape_result(tensor, tuple(shape))


def _gather_elements(tensor: tf.Tensor, axes: tuple[int, ...], numbers: Numbers, index: int) -> tf.Tensor:
    """The elements at the numbers along the axes, joined in one; the axes of the numbers come at `place`."""
    if isinstance(numbers, np.ndarray):
        numbers = convert.as_constant(numbers if numbers.flags.c_contiguous else numbers.copy())
    rank = shapes.rank(tensor)
    first = axes[0] if axes else index
    if len(axes) != 1:
        if axes != tuple(range(first, first + len(axes))):
            first = 0
            tensor = layout.transpose(tensor, (*axes, *(axis for axis in range(rank) if axis not in axes)))
        shape = shapes.shape(tensor)
        after = shape[first + len(axes) :]
        tensor = _reshape_result(tensor, (*shape[:first], layout.product(shape[first : first + len(axes)]), *after))
    found = _gather(tensor, numbers, shapes.const_int(first))
    return found if first == index else _move_axes(found, first, shapes.rank(numbers), index)


def _reshape_result(tensor: tf.Tensor, shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    return _reshape(tensor, shapes.const_int(shape) if shapes.is_static(shape) else shapes.shape_tensor(shape))


def _move_axes(tensor: tf.Tensor, source: int, width: int, target: int) -> tf.Tensor:
    """The axes from `source` on put at the place `target`."""
    block = tuple(range(source, source + width))
    others = [axis for axis in range(shapes.rank(tensor)) if axis not in block]
    return layout.transpose(tensor, (*others[:target], *block, *others[target:]))
