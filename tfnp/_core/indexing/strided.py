"""Slices, integers and new axes as arguments of TensorFlow's strided slice: three vectors and five bit masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._core.eager_tensors import host_tensor
from tfnp._core.indexing.expressions import Bound, EllipsisIndex, IntIndex, Item, NewAxis, SliceIndex
from tfnp._core.xla import is_for_xla

SLICE_RANK: Final = layout.SLICE_RANK
MAX_ITEMS: Final = 30  # the masks of a strided slice are int32
CACHE: Final[dict[tuple[Any, ...], tuple[Any, ...]]] = {}
"""Arguments for eager tensors, by the items of an index, or by ints, tuples of bounds, None and Ellipsis."""

_MAX_CACHED: Final = 4096
_MAX_INT32: Final = 2**31 - 1


def slice_strided(tensor: tf.Tensor, items: Sequence[Item]) -> tf.Tensor:
    """Return a tensor after slices, integers and new axes.

    Under XLA, slices of dynamic bounds come first, each alone, with bounds of int32, which it wants where the array has
    a dynamic size: in the body of a loop TensorFlow 2.21 compiles `x[i:, 1:3]` as if it were `x[i:, 0:2]`.
    """
    dynamic = [position for position, item in enumerate(items) if _is_dynamic(item)]
    if dynamic and len(items) > 1 and is_for_xla():
        for position in dynamic:
            alone = [
                item if other == position or isinstance(item, EllipsisIndex) else SliceIndex()
                for other, item in enumerate(items)
                if not isinstance(item, NewAxis)
            ]
            *bounds, begin_mask, end_mask, ellipsis, new_axes, removed = make_slice_arguments(alone)
            bounds = [tf.cast(tf.clip_by_value(bound, -_MAX_INT32, _MAX_INT32), tf.int32) for bound in bounds]
            tensor = ops.strided_slice(tensor, *bounds, begin_mask, end_mask, ellipsis, new_axes, removed)
        items = [SliceIndex() if position in dynamic else item for position, item in enumerate(items)]
    return ops.strided_slice(tensor, *make_slice_arguments(items))


def _is_dynamic(item: Item) -> bool:
    bounds = (item.start, item.stop, item.step) if isinstance(item, SliceIndex) else ()
    return any(isinstance(bound, tf.Tensor) for bound in bounds)


def make_slice_arguments(items: Sequence[Item]) -> tuple[Any, ...]:
    """Return begin, end, strides, and the masks for begin, end, ellipsis, new axes and removed axes."""
    bounds: list[tuple[Any, Any, Any]] = []
    masks = [0, 0, 0, 0, 0]
    for index, item in enumerate(items):
        bit, bound = 1 << index, (0, 0, 1)
        if isinstance(item, SliceIndex):
            bound = (_use_default(item.start, 0), _use_default(item.stop, 0), _use_default(item.step, 1))
            masks[0] |= bit * (item.start is None)
            masks[1] |= bit * (item.stop is None)
        elif isinstance(item, IntIndex):
            bound = (item.value, item.value + 1, 1)
            masks[4] |= bit
        else:
            masks[2 if isinstance(item, EllipsisIndex) else 3] |= bit
        bounds.append(bound)
    return (*_pack_columns(list(zip(*bounds, strict=True)) or [(), (), ()]), *masks)


def find_slice_arguments(items: Sequence[Item]) -> tuple[Any, ...]:
    """Return the cached arguments for static items, in eager mode."""
    key = tuple(items)
    return CACHE.get(key) or cache_slice_arguments(key, items)


def cache_slice_arguments(key: tuple[Any, ...], items: Sequence[Item]) -> tuple[Any, ...]:
    """Return the arguments for static items, and cache them under a key."""
    if len(CACHE) >= _MAX_CACHED:
        CACHE.clear()
    arguments = CACHE[key] = make_slice_arguments(items)
    return arguments


def _use_default(bound: Bound, default: int) -> int | tf.Tensor:
    return default if bound is None else bound


def _pack_columns(columns: list[tuple[Any, ...]]) -> list[Any]:
    """Return begin, end and strides as vectors of one dtype, on the host if they are static."""
    if any(isinstance(value, tf.Tensor) for column in columns for value in column):
        return [tf.stack([tf.cast(value, tf.int64) for value in column]) for column in columns]
    is_short = all(-_MAX_INT32 <= value <= _MAX_INT32 for column in columns for value in column)
    if is_short and tf.executing_eagerly():
        return [shapes.const_int(column) for column in columns]  # the end of one integer is the begin of the next
    rows = [np.array(column, np.int32 if is_short else np.int64) for column in columns]
    return [host_tensor(row) for row in rows] if tf.executing_eagerly() else rows
