"""Elements of an array replaced: of a `tf.Variable`, which alone can change.

Given a tensor, or an array of NumPy's, they raise TypeError. What is written is worked out for the whole array and
assigned at once: of several values for one element the last remains, as in NumPy, on every device. Values are cast as
`astype` casts, by `place` and `putmask` only where that is safe; and repeated as often as there are elements for them,
save by `put_along_axis`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import refuse_tensor
from tfnp._core.indexing.values import lowered
from tfnp._core.variables import held, update
from tfnp.routines.indexing.selection import as_indices, bounded, clip_mode
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["fill_diagonal", "place", "put", "put_along_axis", "putmask"]


def _check_target(target: Any, name: str) -> None:
    if not isinstance(target, tf.Variable):
        raise refuse_tensor(name, target)
    dtypes.as_dtype(target.dtype)


def _is_nothing(side: shapes.Side) -> bool:
    return isinstance(side, int) and side == 0


@array_function(unknown_rank="each")
def put(a: tf.Variable, ind: Any, v: Any, mode: Any = "raise") -> None:
    """Out of bounds, `raise` raises where values are known and when a graph runs; XLA leaves such values out."""
    _check_target(a, "a")
    how = clip_mode(mode)
    places, values = ravel(as_indices(ind, "safe")), ravel(to_tensor(v, a.dtype))
    if values.shape[0] == 0 or places.shape[0] == 0:
        return
    size = shapes.size(a)
    if _is_nothing(size):
        raise IndexError("cannot replace elements of an empty array")
    _write_at(a, bounded(places, size, how, 0), values)


def _write_at(target: tf.Variable, places: tf.Tensor, values: tf.Tensor) -> None:
    """Values, repeated, at places in the flat array: each element is given the last value for it, or keeps its own."""
    flat = ravel(target)
    order = layout.positions(shapes.shape(places)[0])
    last = tf.math.unsorted_segment_max(order, places, tf.cast(shapes.shape(flat)[0], tf.int64))
    _write_where(target, last >= 0, last, values)


def _write_where(target: tf.Variable, mask: tf.Tensor, order: tf.Tensor, values: tf.Tensor) -> None:
    """Values, repeated, where the flat mask is set; `order` says which for each element. Without values, nothing."""
    flat, count = ravel(held(target)), tf.size(values, tf.int64)
    padded = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    chosen = layout.take(padded, tf.math.floormod(tf.maximum(order, 0), tf.maximum(count, 1)), 0)
    result = tf.raw_ops.SelectV2(condition=mask & (count > 0), t=chosen, e=flat)
    update(target, shapes.reshape(result, shapes.shape(target)))


@array_function(unknown_rank="broadcast")
def place(arr: tf.Variable, mask: Any, vals: Any) -> None:
    """Without values, a mask that is set somewhere is an error: where it is known, and when a graph runs."""
    _check_target(arr, "arr")
    chosen, values = _mask_over(arr, mask, "place"), _safely_cast(vals, arr.dtype)
    if values.shape[0] in (0, None):
        _check_none(mask, chosen, tf.size(values))
    if values.shape[0] == 0:
        return
    _write_where(arr, chosen, tf.cumsum(tf.cast(chosen, tf.int64)) - 1, values)


@array_function(unknown_rank="each")
def putmask(a: tf.Variable, /, mask: Any, values: Any) -> None:
    _check_target(a, "a")
    chosen = _mask_over(a, mask, "putmask")
    _write_where(a, chosen, layout.positions(shapes.shape(chosen)[0]), _safely_cast(values, a.dtype))


def _safely_cast(values: Any, dtype: tf.DType) -> tf.Tensor:
    """What is no array yet is made one of the dtype, whatever is lost by it."""
    if isinstance(values, tf.Tensor | tf.Variable | np.ndarray):
        values = to_tensor(values)
        dtypes.check_cast(dtypes.as_numpy(values.dtype), dtypes.as_numpy(dtype), "safe", "array data")
    return ravel(to_tensor(values, dtype))


def _check_none(mask: Any, chosen: tf.Tensor, count: tf.Tensor) -> None:
    """Without values, the mask may choose nothing."""
    known, is_nothing = convert.static_value(mask), convert.static_value(count) == 0
    if known is not None and is_nothing:
        if np.any(known):
            raise ValueError("Cannot insert from an empty array!")
    elif chosen.shape[0] != 0:
        fine = (count > 0) | tf.logical_not(tf.reduce_any(chosen))
        tf.debugging.Assert(fine, ["Cannot insert from an empty array!"])


def _mask_over(target: tf.Variable, mask: Any, what: str) -> tf.Tensor:
    flat = ravel(to_tensor(mask, tf.bool))
    count, size = flat.shape[0], target.shape.num_elements()
    if None in (count, size):
        return shapes.of_length(flat, shapes.size(target), f"{what}: mask and data must be the same size")
    if count != size:
        raise ValueError(f"{what}: mask and data must be the same size")
    return flat


@array_function(unknown_rank="each")
def fill_diagonal(a: tf.Variable, val: Any, wrap: Any = False) -> None:
    """The rank must be known, and of more than two dimensions the sides."""
    if not isinstance(a, tf.Tensor | tf.Variable) and np.ndim(a) < 2:
        raise ValueError("array must be at least 2-d")
    _check_target(a, "a")
    sides = shapes.shape(a)
    if len(sides) < 2:
        raise ValueError("array must be at least 2-d")
    if len(sides) > 2 and len({side for side in sides if isinstance(side, int)}) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    values = ravel(to_tensor(val, a.dtype))
    step = tf.cast(1 + sum(layout.product(sides[number:]) for number in range(1, len(sides))), tf.int64)
    position = layout.positions(shapes.size(a))
    mask = position % step == 0
    if len(sides) == 2 and not wrap:
        mask &= position < tf.cast(sides[1], tf.int64) ** 2
    _write_where(a, mask, position // step, values)


def put_along_axis(arr: tf.Variable, indices: Any, values: Any, axis: Any) -> None:
    """Out of bounds raises where indices are known and when a graph runs; XLA leaves such values out."""
    places = to_tensor(indices)
    if axis is None and places.shape.rank not in (None, 1):
        raise ValueError("when axis=None, `indices` must have a single dimension.")
    if axis is not None and not isinstance(arr, tf.Tensor | tf.Variable):
        shapes.normalize_axis(axis, np.ndim(arr))
    _check_target(arr, "arr")
    if axis is None:
        sides: tuple[shapes.Side, ...] = (shapes.size(arr),)
        number = 0
    else:
        sides = shapes.shape(arr)
        number = shapes.normalize_axis(axis, len(sides))
    if not places.dtype.is_integer:
        raise IndexError("`indices` must be an integer array")
    if places.shape.rank not in (None, len(sides)):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    places = tf.ensure_shape(places, [None] * len(sides))
    common = _common(places, sides, number)
    written = _spread(to_tensor(values, arr.dtype), common)
    if any(map(_is_nothing, common)):
        return
    if _is_nothing(sides[number]):
        raise IndexError(f"index 0 is out of bounds for axis {number} with size 0")
    _write_at(arr, _flat_places(tf.cast(places, tf.int64), sides, number, common), written)


def _common(places: tf.Tensor, sides: tuple[shapes.Side, ...], axis: int) -> tuple[shapes.Side, ...]:
    try:
        return shapes.broadcast_shapes(shapes.shape(places), (*sides[:axis], 1, *sides[axis + 1 :]))
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None


def _spread(values: tf.Tensor, sides: tuple[shapes.Side, ...]) -> tf.Tensor:
    """The values as wide as the places; leading axes of length 1 that are too many are dropped."""
    values = lowered(values, len(sides))
    if not (shapes.is_static(sides) and values.shape.is_fully_defined()):
        values = shapes.fitting(values, sides, "shape mismatch: value array could not be broadcast to indexing result")
    return ravel(shapes.broadcast_to(values, sides))


def _flat_places(
    places: tf.Tensor, sides: tuple[shapes.Side, ...], axis: int, common: tuple[shapes.Side, ...]
) -> tf.Tensor:
    """Where, in the flat array, what the indices along one axis mean lies."""
    flat = bounded(places, sides[axis], "raise", axis) * tf.cast(layout.product(sides[axis + 1 :]), tf.int64)
    flat = shapes.broadcast_to(flat, common)
    for number, side in enumerate(sides):
        if number != axis:
            stride = tf.cast(layout.product(sides[number + 1 :]), tf.int64)
            shape = [-1 if other == number else 1 for other in range(len(sides))]
            flat += shapes.broadcast_to(shapes.reshape(layout.positions(side) * stride, shape), common)
    return ravel(flat)
