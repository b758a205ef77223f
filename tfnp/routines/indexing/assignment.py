"""Functions that write elements of an array, which must be a `tf.Variable`.

They raise TypeError for a tensor or a NumPy array. The new value is calculated for the whole array, and assigned at
once: of several values for one element the last remains, as in NumPy, on every device. Values are cast as `astype`
casts, by `place` and `putmask` only where that is safe. They are repeated as often as needed, but by `put_along_axis`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.checks import make_assertion
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import eager_tensor, is_on_host
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.traces import MAX_SIZE
from tfnp._core.variables import read_variable, update
from tfnp.routines.indexing.selection import as_indices, check_indices, normalize_mode
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["fill_diagonal", "place", "put", "put_along_axis", "putmask"]


FEW: Final = 8
"""How many times as many elements an array has as indices, where a scatter takes less time than a selection."""


def _check_target(target: Any, name: str) -> None:
    """Raise TypeError where the array that a function writes to is not a variable of a supported dtype."""
    if not isinstance(target, tf.Variable):
        raise not_a_variable_error(name, target)
    dtypes.as_dtype(target.dtype)


def _is_zero(dim: shapes.Dim) -> bool:
    return isinstance(dim, int) and dim == 0


def _update(target: tf.Variable, compute: Callable[..., tf.Tensor | None], *args: Any) -> None:
    """Assign to a variable what a function computes from its value; assign nothing if that is None."""
    value = compute(read_variable(target), *args)
    if value is not None:
        update(target, value)


def put(a: tf.Variable, ind: ArrayLike, v: ArrayLike, mode: str = "raise") -> None:
    """`a` must be a `tf.Variable`. With mode="raise", an index out of bounds raises IndexError where it is static, else
    the graph fails when it runs; XLA ignores such values.
    """
    _check_target(a, "a")
    _update(a, _put, ind, v, mode)


@array_function(unknown_rank="each", traces=("a", "ind", "v"))
def _put(a: tf.Tensor, ind: Any, v: Any, mode: Any) -> tf.Tensor | None:
    index_mode = normalize_mode(mode)
    indices, values = ravel(as_indices(ind, "safe")), ravel(to_tensor(v, a.dtype))
    if values.shape[0] == 0 or indices.shape[0] == 0:
        return None
    size = shapes.size(a)
    if _is_zero(size):
        raise IndexError("cannot replace elements of an empty array")
    return _put_at(a, check_indices(indices, size, index_mode, 0), values)


def _put_at(a: tf.Tensor, indices: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Return the array with values, repeated as needed, at flat indices; of several for one element, the last."""
    size, count = a.shape.num_elements(), indices.shape[0]
    if size is not None and size > MAX_SIZE and a.dtype != tf.string and all(map(is_on_host, (a, indices, values))):
        array = np.array(convert.to_numpy(a))
        np.put(array, convert.to_numpy(indices), convert.to_numpy(values))
        return eager_tensor(array)
    order = layout.positions(shapes.shape(indices)[0])
    if size is None or count is None or count * FEW > size:
        last = tf.math.unsorted_segment_max(order, indices, tf.cast(shapes.size(a), tf.int64))
        return _put_where(a, last >= 0, lambda: last, values)
    if count > 1 and values.shape[0] != 1:
        order = _find_last_equal(indices)
    return _scatter(a, indices, _repeat(values, order))


def _find_last_equal(indices: tf.Tensor) -> tf.Tensor:
    """Return for each of several integers the position of the last one that is equal."""
    order = tf.argsort(indices, stable=True)
    increasing = tf.gather(indices, order)
    return tf.cast(tf.gather(order, tf.searchsorted(increasing, indices, "right") - 1), tf.int64)


def _scatter(a: tf.Tensor, indices: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Return the array with values at flat indices: for equal ones, values are equal."""
    return shapes.reshape(tf.tensor_scatter_nd_update(ravel(a), indices[:, None], values), shapes.shape(a))


def _repeat(values: tf.Tensor, order: tf.Tensor) -> tf.Tensor:
    """Return the values at positions, as if they were repeated."""
    if values.shape[0] == 1:
        return shapes.broadcast_to(values, shapes.shape(order))
    return layout.take(values, tf.math.floormod(order, tf.size(values, tf.int64)), 0)


def _put_where(a: tf.Tensor, mask: tf.Tensor, find_order: Callable[[], tf.Tensor], values: tf.Tensor) -> tf.Tensor:
    """Return the array with values where the flat mask is True: for each element, the value at its index in the order
    that a function finds.

    The values are repeated as needed. If there are none, return the array unchanged.
    """
    flat, count = ravel(a), tf.size(values, tf.int64)
    if values.shape[0] == 1:
        return shapes.reshape(ops.select(mask, values, flat), shapes.shape(a))
    padded = tf.concat([values, tf.zeros((1,), values.dtype)], 0)
    order = tf.math.floormod(tf.maximum(find_order(), 0), tf.maximum(count, 1))
    result = ops.select(mask & (count > 0), layout.take(padded, order, 0), flat)
    return shapes.reshape(result, shapes.shape(a))


def place(arr: tf.Variable, mask: ArrayLike, vals: ArrayLike) -> None:
    """`arr` must be a `tf.Variable`. If `vals` is empty, a mask with a True element raises ValueError where it is
    static, else the graph fails when it runs.
    """
    _check_target(arr, "arr")
    _update(arr, _replace_masked, mask, vals)


@array_function(unknown_rank="broadcast", traces=("arr", "mask", "vals"))
def _replace_masked(arr: tf.Tensor, mask: Any, vals: Any) -> tf.Tensor | None:
    flat_mask, values = _flatten_mask(arr, mask, "place"), _cast_safely(vals, arr.dtype)
    if values.shape[0] in (0, None):
        _check_mask_empty(mask, flat_mask, tf.size(values))
    if values.shape[0] == 0:
        return None
    return _put_where(arr, flat_mask, lambda: tf.cumsum(tf.cast(flat_mask, tf.int64)) - 1, values)


def putmask(a: tf.Variable, /, mask: ArrayLike, values: ArrayLike) -> None:
    """`a` must be a `tf.Variable`. `values` that are arrays must be castable to its dtype by the rule "safe"."""
    _check_target(a, "a")
    _update(a, _put_masked, mask, values)


@array_function(unknown_rank="each", traces=("a", "mask", "values"))
def _put_masked(a: tf.Tensor, mask: Any, values: Any) -> tf.Tensor:
    flat_mask = _flatten_mask(a, mask, "putmask")
    return _put_where(a, flat_mask, lambda: layout.positions(shapes.shape(flat_mask)[0]), _cast_safely(values, a.dtype))


def _cast_safely(values: Any, dtype: tf.DType) -> tf.Tensor:
    """Cast arrays by the rule "safe", and any other values, such as lists, as `astype` does."""
    if isinstance(values, tf.Tensor | tf.Variable | np.ndarray):
        values = to_tensor(values)
        dtypes.check_cast(dtypes.as_numpy(values.dtype), dtypes.as_numpy(dtype), "safe", "array data")
    return ravel(to_tensor(values, dtype))


def _check_mask_empty(mask: Any, flat_mask: tf.Tensor, count: tf.Tensor) -> None:
    """Raise ValueError where there are no values although the mask has a True element."""
    static, is_empty = convert.static_value(mask), convert.static_value(count) == 0
    if static is not None and is_empty:
        if np.any(static):
            raise ValueError("Cannot insert from an empty array!")
    elif flat_mask.shape[0] != 0:
        is_valid = (count > 0) | tf.logical_not(tf.reduce_any(flat_mask))
        make_assertion(is_valid, ["Cannot insert from an empty array!"])


def _flatten_mask(target: tf.Tensor, mask: Any, function: str) -> tf.Tensor:
    flat = ravel(to_tensor(mask, tf.bool))
    count, size = flat.shape[0], target.shape.num_elements()
    if None in (count, size):
        return shapes.check_length(flat, shapes.size(target), f"{function}: mask and data must be the same size")
    if count != size:
        raise ValueError(f"{function}: mask and data must be the same size")
    return flat


def fill_diagonal(a: tf.Variable, val: ArrayLike, wrap: bool = False) -> None:
    """`a` must be a `tf.Variable` of static rank."""
    _check_target(a, "a")
    _update(a, _fill_diagonal, val, wrap)


@array_function(unknown_rank="each", traces=("a", "val"))
def _fill_diagonal(a: tf.Tensor, val: Any, wrap: Any) -> tf.Tensor:
    shape = shapes.shape(a)
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    if len(shape) > 2 and len({dim for dim in shape if isinstance(dim, int)}) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    values = ravel(to_tensor(val, a.dtype))
    step = 1 + sum(layout.product(shape[axis:]) for axis in range(1, len(shape)))
    size = shapes.size(a)
    last = size if len(shape) > 2 or wrap else _minimum(size, shape[1] * shape[1])
    if values.shape[0] is None:
        last = tf.where(tf.size(values) > 0, last, 0)
    order = layout.positions((last + step - 1) // step)
    return a if values.shape[0] == 0 else _scatter(a, order * tf.cast(step, tf.int64), _repeat(values, order))


def _minimum(x: shapes.Dim, y: shapes.Dim) -> shapes.Dim:
    return min(x, y) if isinstance(x, int) and isinstance(y, int) else tf.minimum(x, y)


def put_along_axis(arr: tf.Variable, indices: ArrayLike, values: ArrayLike, axis: IntLike | None) -> None:
    """`arr` must be a `tf.Variable`. An index out of bounds raises IndexError where it is static, else the graph fails
    when it runs; XLA ignores such values.
    """
    if axis is None and to_tensor(indices).shape.rank not in (None, 1):
        raise ValueError("when axis=None, `indices` must have a single dimension.")
    _check_target(arr, "arr")
    _update(arr, _put_along, indices, values, axis)


@array_function(traces=("arr", "indices", "values"))
def _put_along(arr: tf.Tensor, indices: Any, values: Any, axis: Any) -> tf.Tensor | None:
    positions = to_tensor(indices)
    if axis is None:
        shape: tuple[shapes.Dim, ...] = (shapes.size(arr),)
        axis = 0
    else:
        shape = shapes.shape(arr)
        axis = shapes.normalize_axis(axis, len(shape))
    if not positions.dtype.is_integer:
        raise IndexError("`indices` must be an integer array")
    if positions.shape.rank not in (None, len(shape)):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    positions = tf.ensure_shape(positions, [None] * len(shape))
    index_shape = _broadcast_index_shape(positions, shape, axis)
    flat_values = _broadcast_values(to_tensor(values, arr.dtype), index_shape)
    if any(map(_is_zero, index_shape)):
        return None
    if _is_zero(shape[axis]):
        raise IndexError(f"index 0 is out of bounds for axis {axis} with size 0")
    return _put_at(arr, _flatten_indices(tf.cast(positions, tf.int64), shape, axis, index_shape), flat_values)


def _broadcast_index_shape(indices: tf.Tensor, shape: tuple[shapes.Dim, ...], axis: int) -> tuple[shapes.Dim, ...]:
    try:
        return shapes.broadcast_shapes(shapes.shape(indices), (*shape[:axis], 1, *shape[axis + 1 :]))
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None


def _broadcast_values(values: tf.Tensor, shape: tuple[shapes.Dim, ...]) -> tf.Tensor:
    """Broadcast the values to the shape of the indices, without leading axes of length 1 that are too many."""
    values = shapes.drop_leading_ones(values, len(shape))
    if not (shapes.is_static(shape) and values.shape.is_fully_defined()):
        values = shapes.check_broadcastable_to(
            values, shape, "shape mismatch: value array could not be broadcast to indexing result"
        )
    return ravel(shapes.broadcast_to(values, shape))


def _flatten_indices(
    indices: tf.Tensor, dims: tuple[shapes.Dim, ...], axis: int, index_shape: tuple[shapes.Dim, ...]
) -> tf.Tensor:
    """Return the flat indices of elements that are given by their indices along one axis."""
    flat = check_indices(indices, dims[axis], "raise", axis) * tf.cast(layout.product(dims[axis + 1 :]), tf.int64)
    flat = shapes.broadcast_to(flat, index_shape)
    for other, dim in enumerate(dims):
        if other != axis:
            stride = tf.cast(layout.product(dims[other + 1 :]), tf.int64)
            shape = [-1 if index == other else 1 for index in range(len(dims))]
            flat += shapes.broadcast_to(shapes.reshape(layout.positions(dim) * stride, shape), index_shape)
    return ravel(flat)
