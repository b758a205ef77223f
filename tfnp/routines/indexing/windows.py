"""Parts of arrays of static size at positions that a graph does not know: `x[i]` and `x[i - 1:i + 2]` in a loop.

If the bounds of the position say that such a part lies within the array, it is read by one slice, and written by one
slice update, which XLA compiles to an update in place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops, shapes
from tfnp._core.indexing import access
from tfnp._core.indexing.expressions import parse
from tfnp._core.indexing.plans import normalize_indices
from tfnp._core.indexing.values import convert_value
from tfnp._core.xla import is_for_xla

_MOST_AXES: Final = 8
_INTEGERS: Final = frozenset(("int32", "int64"))


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A part of an axis: `length` elements from `start`, or one element without the axis if `length` is None.

    `lowest` and `highest` are those of `start`.
    """

    start: Any
    length: int | None
    lowest: int | None
    highest: int | None
    index: Any  # the same as an index of tensors

    @property
    def size(self) -> int:
        return 1 if self.length is None else self.length

    def fits(self, dim: Any) -> bool:
        """Return whether the part lies within an axis, and does not begin before it, which means from its end."""
        return (
            isinstance(dim, int)
            and self.lowest is not None
            and self.highest is not None
            and self.lowest >= 0
            and self.highest + self.size <= dim
        )


def _has_window(key: Any) -> bool:
    return isinstance(key, Window) or (type(key) is tuple and any(isinstance(item, Window) for item in key))


def as_index(key: Any) -> Any:
    """Return an index with tensors in place of windows."""
    if isinstance(key, Window):
        return key.index
    if type(key) is tuple:
        return tuple(item.index if isinstance(item, Window) else item for item in key)
    return key


@dataclass(frozen=True, slots=True)
class _Part:
    """The begin and the size of a part of an array along each axis, and its shape as an index selects it."""

    begin: list[Any]
    size: list[int]
    shape: list[int]

    def make_begin(self) -> tf.Tensor:
        return tf.stack([tf.cast(start, tf.int64) for start in self.begin])


def read(tensor: tf.Tensor, key: Any) -> tf.Tensor:
    """Return the elements at an index, which may have windows."""
    if not _has_window(key):
        return access.read(tensor, key)
    part = _find_part(tensor, key, for_write=False)
    if part is None:
        first = _split(tensor, key)
        if first is None:
            return access.read(tensor, as_index(key))
        part, key = first
        return access.read(_slice(tensor, part), key)
    result = _slice(tensor, part)
    return result if part.shape == part.size else ops.reshape(result, shapes.const_int(tuple(part.shape)))


def update_at(tensor: tf.Tensor, key: Any, value: Any) -> tf.Tensor:
    """Return a new tensor with a value at an index, which may have windows."""
    part = None
    if type(tensor) is tf.Tensor or not tf.executing_eagerly():
        part = _find_part(tensor, key, for_write=True)
    if part is None:
        first = _split(tensor, key)
        if first is None:
            return _write_dynamic(tensor, as_index(key), value)
        part, key = first
        return _write_part(tensor, part, _write_dynamic(_slice(tensor, part), key, value))
    new = convert_value(value, tensor.dtype, parse(as_index(key)), tuple(part.shape), len(part.size))
    if not math.prod(part.size):
        return tensor
    new = ops.reshape(shapes.broadcast_to(new, tuple(part.shape)), shapes.const_int(tuple(part.size)))
    return _write_part(tensor, part, new)


def _write_dynamic(tensor: tf.Tensor, key: Any, value: Any) -> tf.Tensor:
    """Return a new tensor with a value at an index. For XLA a slice of dynamic bounds is a selection along its axis."""
    items = _expand(key if type(key) is tuple else (key,), tensor.shape.rank) if tensor.shape.rank is not None else None
    if items is None or not tensor.shape.is_fully_defined() or not is_for_xla():
        return access.update_at(tensor, key, value)
    dynamic = [axis for axis, item in enumerate(items) if not _is_static(item)]
    if len(dynamic) != 1 or not is_dynamic_slice(items[dynamic[0]]):
        return access.update_at(tensor, key, value)
    part_key = tuple(slice(None) if axis in dynamic else item for axis, item in enumerate(items))
    axis = sum(isinstance(item, slice) for item in items[: dynamic[0]])
    part = _select_part(access.read(tensor, part_key), axis, items[dynamic[0]], value)
    return access.update_at(tensor, part_key, part)


def is_dynamic_slice(item: Any) -> bool:
    """Return whether an item of an index is a slice of consecutive elements with a bound that a graph does not know."""
    return isinstance(item, slice) and item.step in (None, 1) and not _is_static(item)


def _is_static(item: Any) -> bool:
    if isinstance(item, slice):
        return all(bound is None or isinstance(bound, int) for bound in (item.start, item.stop, item.step))
    return isinstance(item, int | np.integer) and not isinstance(item, bool)


def _select_part(part: tf.Tensor, axis: int, selected: slice, value: Any) -> tf.Tensor:
    """Return an array with a value in place of a slice of an axis."""
    dim, rank = part.shape[axis], part.shape.rank
    start, stop = (_clip_bound(bound, dim, default) for bound, default in ((selected.start, 0), (selected.stop, dim)))
    positions = tf.range(dim, dtype=tf.int64)
    new = shapes.drop_leading_ones(convert.to_tensor(value, part.dtype), rank)
    value_axis = axis - rank + new.shape.rank
    if value_axis >= 0 and new.shape[value_axis] != 1:
        count = tf.shape(new, tf.int64)[value_axis]
        new = tf.gather(new, tf.clip_by_value(positions - start, 0, tf.maximum(count - 1, 0)), axis=value_axis)
    mask = (positions >= start) & (positions < stop)
    return tf.where(tf.reshape(mask, [-1 if other == axis else 1 for other in range(rank)]), new, part)


def _clip_bound(bound: Any, dim: int, default: int) -> tf.Tensor:
    """Return a bound of a slice as a position from 0 to the dim."""
    position = tf.cast(default if bound is None else bound, tf.int64)
    return tf.clip_by_value(tf.where(position < 0, position + dim, position), 0, dim)


def _slice(tensor: tf.Tensor, part: _Part) -> tf.Tensor:
    return ops.slice_from(tensor, part.make_begin(), shapes.const_int(tuple(part.size)))


def _write_part(tensor: tf.Tensor, part: _Part, new: tf.Tensor) -> tf.Tensor:
    begin = part.make_begin()
    if is_for_xla():
        return ops.xla_dynamic_update_slice(tensor, new, begin)  # in place
    end = begin + tf.constant(part.size, tf.int64)
    return ops.tensor_strided_slice_update(tensor, begin, end, [1] * len(part.size), new)


def _find_part(tensor: tf.Tensor, key: Any, *, for_write: bool) -> _Part | None:
    """Return the part that an index selects; None if it is not of static size, or no position in it is dynamic.

    For a write, an integer of which nothing is known is a position, too.
    """
    items = key if type(key) is tuple else (key,)
    is_dynamic = _has_window(key) or (for_write and any(isinstance(item, tf.Tensor) for item in items))
    if not is_dynamic or tensor.shape.rank is None or not tensor.shape.is_fully_defined():
        return None
    expanded = _expand(items, tensor.shape.rank)
    if expanded is None or tensor.shape.rank > _MOST_AXES:
        return None
    part, axis = _Part([], [], []), 0
    for item in expanded:
        if item is None:
            part.shape.append(1)
        elif not _add_item(part, item, tensor.shape[axis], axis):
            return None
        else:
            axis += 1
    return part


def _split(tensor: tf.Tensor, key: Any) -> tuple[_Part, tuple[Any, ...]] | None:
    """Return the part that the windows of an index select alone, and what its other items select of that; None if there
    is no window that lies within the array.
    """
    if not _has_window(key) or tensor.shape.rank is None or not tensor.shape.is_fully_defined():
        return None
    expanded = _expand(key if type(key) is tuple else (key,), tensor.shape.rank)
    if expanded is None or not all(map(_is_basic, expanded)):
        return None
    others: list[Any] = []
    part, axis = _Part([], [], []), 0
    for item in expanded:
        if item is None:
            others.append(None)
            continue
        dim = tensor.shape[axis]
        is_window = isinstance(item, Window) and item.fits(dim)
        _add_axis(part, item.start if is_window else 0, item.size if is_window else dim, keeps_axis=True)
        others.append((0 if item.length is None else slice(None)) if is_window else as_index(item))
        axis += 1
    return (part, tuple(others)) if any(isinstance(start, tf.Tensor) for start in part.begin) else None


def _is_basic(item: Any) -> bool:
    is_index = isinstance(item, tf.Tensor) and item.shape.rank == 0 and item.dtype.is_integer
    return is_index or item is None or isinstance(item, int | np.integer | slice | Window)


def _expand(items: Sequence[Any], rank: int) -> list[Any] | None:
    """Return the items with full slices in place of the ellipsis, and for the remaining axes."""
    count = sum(item is not None and item is not ... for item in items)
    ellipses = [position for position, item in enumerate(items) if item is ...]
    if count > rank or len(ellipses) > 1:
        return None
    position = ellipses[0] if ellipses else len(items)
    return [*items[:position], *[slice(None)] * (rank - count), *items[position + 1 :]]


def _add_item(part: _Part, item: Any, dim: int, axis: int) -> bool:
    """Add an axis to a part. Return whether that was possible."""
    if isinstance(item, int | np.integer) and not isinstance(item, bool):
        if not -dim <= item < dim:
            return False
        return _add_axis(part, int(item) % dim, 1, keeps_axis=False)
    if isinstance(item, slice):
        if any(isinstance(bound, tf.Tensor) for bound in (item.start, item.stop, item.step)):
            return False
        covered = range(dim)[item]
        return covered.step == 1 and _add_axis(part, covered.start, len(covered), keeps_axis=True)
    if isinstance(item, Window):
        if item.fits(dim):
            return _add_axis(part, item.start, item.size, item.length is not None)
        item = item.index
    if isinstance(item, tf.Tensor) and item.shape.rank == 0 and item.dtype.name in _INTEGERS and dim:
        return _add_axis(part, normalize_indices(item, dim, axis), 1, keeps_axis=False)
    return False


def _add_axis(part: _Part, begin: Any, size: int, keeps_axis: bool) -> bool:
    part.begin.append(begin)
    part.size.append(size)
    if keeps_axis:
        part.shape.append(size)
    return True
