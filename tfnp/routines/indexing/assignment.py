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
from tfnp._core.errors import not_a_variable_error
from tfnp._core.indexing.values import drop_leading_ones
from tfnp._core.variables import read_variable, update
from tfnp.routines.indexing.selection import as_indices, check_indices, clip_mode
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["fill_diagonal", "place", "put", "put_along_axis", "putmask"]


def _check_target(target: Any, name: str) -> None:
    if not isinstance(target, tf.Variable):
        raise not_a_variable_error(name, target)
    dtypes.as_dtype(target.dtype)


def _is_nothing(dim: shapes.Dim) -> bool:
    return isinstance(dim, int) and dim == 0


@array_function(unknown_rank="each")
def put(a: tf.Variable, ind: Any, v: Any, mode: Any = "raise") -> None:
    """Out of bounds, `raise` raises where values are known and when a graph runs; XLA leaves such values out."""
    _check_target(a, "a")
    how = clip_mode(mode)
    indices, values = ravel(as_indices(ind, "safe")), ravel(to_tensor(v, a.dtype))
    if values.shape[0] == 0 or indices.shape[0] == 0:
        return
    size = shapes.size(a)
    if _is_nothing(size):
        raise IndexError("cannot replace elements of an empty array")
    _write_at(a, check_indices(indices, size, how, 0), values)


def _write_at(target: tf.Variable, indices: tf.Tensor, values: tf.Tensor) -> None:
    """Values, repeated, at places in the flat array: each element is given the last value for it, or keeps its own."""
    flat = ravel(target)
    order = layout.positions(shapes.shape(indices)[0])
    last = tf.math.unsorted_segment_max(order, indices, tf.cast(shapes.shape(flat)[0], tf.int64))
    _write_where(target, last >= 0, last, values)


def _write_where(target: tf.Variable, mask: tf.Tensor, order: tf.Tensor, values: tf.Tensor) -> None:
    """Values, repeated, where the flat mask is set; `order` says which for each element. Without values, nothing."""
    flat, count = ravel(read_variable(target)), tf.size(values, tf.int64)
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
    static, is_nothing = convert.static_value(mask), convert.static_value(count) == 0
    if static is not None and is_nothing:
        if np.any(static):
            raise ValueError("Cannot insert from an empty array!")
    elif chosen.shape[0] != 0:
        is_valid = (count > 0) | tf.logical_not(tf.reduce_any(chosen))
        tf.debugging.Assert(is_valid, ["Cannot insert from an empty array!"])


def _mask_over(target: tf.Variable, mask: Any, what: str) -> tf.Tensor:
    flat = ravel(to_tensor(mask, tf.bool))
    count, size = flat.shape[0], target.shape.num_elements()
    if None in (count, size):
        return shapes.check_length(flat, shapes.size(target), f"{what}: mask and data must be the same size")
    if count != size:
        raise ValueError(f"{what}: mask and data must be the same size")
    return flat


@array_function(unknown_rank="each")
def fill_diagonal(a: tf.Variable, val: Any, wrap: Any = False) -> None:
    """The rank must be known, and of more than two dimensions the sides."""
    if not isinstance(a, tf.Tensor | tf.Variable) and np.ndim(a) < 2:
        raise ValueError("array must be at least 2-d")
    _check_target(a, "a")
    shape = shapes.shape(a)
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    if len(shape) > 2 and len({dim for dim in shape if isinstance(dim, int)}) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    values = ravel(to_tensor(val, a.dtype))
    step = tf.cast(1 + sum(layout.product(shape[number:]) for number in range(1, len(shape))), tf.int64)
    position = layout.positions(shapes.size(a))
    mask = position % step == 0
    if len(shape) == 2 and not wrap:
        mask &= position < tf.cast(shape[1], tf.int64) ** 2
    _write_where(a, mask, position // step, values)


def put_along_axis(arr: tf.Variable, indices: Any, values: Any, axis: Any) -> None:
    """Out of bounds raises where indices are known and when a graph runs; XLA leaves such values out."""
    positions = to_tensor(indices)
    if axis is None and positions.shape.rank not in (None, 1):
        raise ValueError("when axis=None, `indices` must have a single dimension.")
    if axis is not None and not isinstance(arr, tf.Tensor | tf.Variable):
        shapes.normalize_axis(axis, np.ndim(arr))
    _check_target(arr, "arr")
    if axis is None:
        shape: tuple[shapes.Dim, ...] = (shapes.size(arr),)
        number = 0
    else:
        shape = shapes.shape(arr)
        number = shapes.normalize_axis(axis, len(shape))
    if not positions.dtype.is_integer:
        raise IndexError("`indices` must be an integer array")
    if positions.shape.rank not in (None, len(shape)):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    positions = tf.ensure_shape(positions, [None] * len(shape))
    common = _common(positions, shape, number)
    written = _spread(to_tensor(values, arr.dtype), common)
    if any(map(_is_nothing, common)):
        return
    if _is_nothing(shape[number]):
        raise IndexError(f"index 0 is out of bounds for axis {number} with size 0")
    _write_at(arr, _flat_places(tf.cast(positions, tf.int64), shape, number, common), written)


def _common(indices: tf.Tensor, shape: tuple[shapes.Dim, ...], axis: int) -> tuple[shapes.Dim, ...]:
    try:
        return shapes.broadcast_shapes(shapes.shape(indices), (*shape[:axis], 1, *shape[axis + 1 :]))
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None


def _spread(values: tf.Tensor, shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    """The values as wide as the places; leading axes of length 1 that are too many are dropped."""
    values = drop_leading_ones(values, len(shape))
    if not (shapes.is_static(shape) and values.shape.is_fully_defined()):
        values = shapes.check_broadcastable_to(
            values, shape, "shape mismatch: value array could not be broadcast to indexing result"
        )
    return ravel(shapes.broadcast_to(values, shape))


def _flat_places(
    indices: tf.Tensor, dims: tuple[shapes.Dim, ...], axis: int, common: tuple[shapes.Dim, ...]
) -> tf.Tensor:
    """Where, in the flat array, what the indices along one axis mean lies."""
    flat = check_indices(indices, dims[axis], "raise", axis) * tf.cast(layout.product(dims[axis + 1 :]), tf.int64)
    flat = shapes.broadcast_to(flat, common)
    for number, dim in enumerate(dims):
        if number != axis:
            stride = tf.cast(layout.product(dims[number + 1 :]), tf.int64)
            shape = [-1 if other == number else 1 for other in range(len(dims))]
            flat += shapes.broadcast_to(shapes.reshape(layout.positions(dim) * stride, shape), common)
    return ravel(flat)
