"""Slices, integers and new axes as TensorFlow's strided slice takes them: three vectors, and masks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout
from tfnp._core.indexing.expressions import Bound, EllipsisIndex, IntIndex, Item, SliceIndex

SLICE_RANK: Final = layout.SLICE_RANK
MOST_ITEMS: Final = 30  # a strided slice has its masks in an int32
CACHE: Final[dict[tuple[Any, ...], tuple[Any, ...]]] = {}
"""What was made for eager tensors: by the items of an index, or by plain numbers, None and Ellipsis in their place."""

_MAX_CACHED: Final = 4096

strided_slice = tf.raw_ops.StridedSlice.__wrapped__


def sliced(tensor: tf.Tensor, items: Sequence[Item]) -> tf.Tensor:
    return strided_slice(tensor, *strided_spec(items))


def strided_spec(items: Sequence[Item]) -> tuple[Any, ...]:
    """Begin, end, strides, and the masks of begins, ends, ellipses, new axes and axes that go, of a strided slice."""
    bounds: list[tuple[Any, Any, Any]] = []
    masks = [0, 0, 0, 0, 0]
    for index, item in enumerate(items):
        bit, found = 1 << index, (0, 0, 1)
        if isinstance(item, SliceIndex):
            found = (_or(item.start, 0), _or(item.stop, 0), _or(item.step, 1))
            masks[0] |= bit * (item.start is None)
            masks[1] |= bit * (item.stop is None)
        elif isinstance(item, IntIndex):
            found = (item.number, item.number + 1, 1)
            masks[4] |= bit
        else:
            masks[2 if isinstance(item, EllipsisIndex) else 3] |= bit
        bounds.append(found)
    return (*_packed(list(zip(*bounds, strict=True)) or [(), (), ()]), *masks)


def cached_spec(items: Sequence[Item]) -> tuple[Any, ...]:
    """The same, made once for items that are made of numbers, where nothing is traced."""
    key = tuple(items)
    return CACHE.get(key) or cache(key, items)


def cache(key: tuple[Any, ...], items: Sequence[Item]) -> tuple[Any, ...]:
    if len(CACHE) >= _MAX_CACHED:
        CACHE.clear()
    const_int = CACHE[key] = strided_spec(items)
    return const_int


def _or(bound: Bound, default: int) -> int | tf.Tensor:
    return default if bound is None else bound


def _packed(columns: list[tuple[Any, ...]]) -> list[Any]:
    """Three vectors of one dtype, as a strided slice takes them: where nothing in them is a tensor, on the host."""
    if any(isinstance(value, tf.Tensor) for column in columns for value in column):
        return [tf.stack([tf.cast(value, tf.int64) for value in column]) for column in columns]
    table = np.array(columns, np.int64)
    if not table.size or np.abs(table).max() <= np.iinfo(np.int32).max:
        table = table.astype(np.int32)
    if not tf.executing_eagerly():
        return list(table)
    with tf.device("CPU:0"):
        return [convert.eager_tensor(row.copy()) for row in table]
