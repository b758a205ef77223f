"""Elements picked out: by index, by mask, by choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import EagerTensor, rank_of, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, check_no_unknown_dim, not_a_variable_error
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.variables import store
from tfnp._kernels.sort import sort_keys
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["choose", "compress", "iterable", "select", "take", "take_along_axis"]

_gather = tf.raw_ops.GatherV2.__wrapped__
_PLACES = (tf.int32, tf.int64)
_MODES = {"r": "raise", "w": "wrap", "c": "clip", 0: "clip", 1: "wrap", 2: "raise", None: "raise"}


@array_function(promotes=("a",))
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: Any = "raise") -> tf.Tensor:
    """Out of bounds, `raise` raises where values are known and when a graph runs; XLA takes the nearest."""
    if type(a) is type(indices) is EagerTensor and type(axis) is int and mode == "raise" and out is None:
        try:
            if indices.dtype in _PLACES and "CPU" in a.device and rank_of(a):
                return _gather(a, indices, shapes.const_int(axis))
        except TENSORFLOW_ERRORS:
            pass
    return _take(to_tensor(a), indices, axis, out, mode)


@array_function(unknown_rank="each")
def _take(a: tf.Tensor, indices: Any, axis: Any, out: Any, mode: Any) -> tf.Tensor:
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    check_no_unknown_dim(indices)
    positions = as_indices(indices)
    if axis is None or (shapes.rank(a) == 0 and shapes.as_int_not_bool(axis) in (0, -1)):
        a, number = ravel(a), 0
    else:
        number = shapes.normalize_axis(shapes.as_int_not_bool(axis), shapes.rank(a))
    how = clip_mode(mode)
    shape = shapes.shape(a)
    if out is not None and not out.shape.is_compatible_with(a.shape[:number] + positions.shape + a.shape[number + 1 :]):
        raise ValueError("output array does not match result of ndarray.take")
    if out is not None:
        dtypes.check_cast(dtypes.as_numpy(out.dtype), dtypes.as_numpy(a.dtype), "safe", "array data")
    if _is_empty(shape[:number] + shape[number + 1 :]):
        if how == "raise" and not _is_empty(shape[:number]):
            positions = check_indices(positions, shape[number], how, number)
        remaining = (*shape[:number], *shapes.shape(positions), *shape[number + 1 :])
        return _deliver(tf.zeros(shapes.shape_tensor(remaining), a.dtype), out)
    if _is_empty(shape[number : number + 1]) and positions.shape.num_elements() not in (0, None):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    positions = check_indices(positions, shape[number], how, number)
    return _deliver(_gather(a, positions, shapes.const_int(number)), out)


def _is_empty(shape: Sequence[shapes.Dim]) -> bool:
    """Whether a side is known to be zero."""
    return any(isinstance(dim, int) and dim == 0 for dim in shape)


def as_indices(indices: Any, casting: str = "same_kind") -> tf.Tensor:
    """Indices as int64. Lists may hold anything that can be made integers, arrays what may be cast to them."""
    if is_tensor(indices) or isinstance(indices, np.ndarray):
        tensor = to_tensor(indices)
        dtypes.check_cast(dtypes.as_numpy(tensor.dtype), np.dtype(np.int64), casting, "array data")
        return tf.cast(tensor, tf.int64)
    return to_tensor(np.asarray(indices, np.int64) if not _holds_tensors(indices) else indices, tf.int64)


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return any(_holds_tensors(item) for item in value)
    return is_tensor(value)


def clip_mode(mode: Any) -> str:
    """NumPy's three modes, which it also knows by number and by first letter."""
    static = convert.static_value(mode)
    np.take(np.zeros(1), 0, mode=static)
    return _MODES[static[0].lower() if isinstance(static, str) else static]


def check_indices(indices: tf.Tensor, dim: shapes.Dim, how: str, axis: int) -> tf.Tensor:
    """Indices as non-negative numbers below the side; what is not is an error, wrapped, or clipped."""
    length = tf.cast(dim, tf.int64)
    if how == "wrap":
        return tf.math.floormod(indices, tf.maximum(length, 1))
    if how == "clip":
        return tf.clip_by_value(indices, 0, tf.maximum(length - 1, 0))
    static = convert.static_value(indices)
    if static is not None and isinstance(dim, int):
        wrong = np.asarray(static)[(np.asarray(static) < -dim) | (np.asarray(static) >= dim)]
        if wrong.size:
            raise IndexError(f"index {wrong.flat[0]} is out of bounds for axis {axis} with size {dim}")
        if not np.any(np.asarray(static) < 0):
            return indices
    else:
        indices = layout.check_bounds(indices, -length, length - 1)
    return tf.where(indices < 0, indices + length, indices)


def _deliver(result: tf.Tensor, out: tf.Variable | None) -> tf.Tensor:
    if out is None:
        return result
    store(out, convert.cast(result, out.dtype))
    return out


@array_function(promotes=("arr",))
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> tf.Tensor:
    arr, indices = to_tensor(arr), to_tensor(indices)
    if not indices.dtype.is_integer:
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.shape.rank not in (None, 1):
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        arr, indices, axis = ravel(arr), tf.ensure_shape(indices, [None]), 0
    return _taken_along(arr, indices, axis)


@array_function(unknown_rank="equal")
def _taken_along(arr: tf.Tensor, indices: tf.Tensor, axis: Any) -> tf.Tensor:
    rank = shapes.rank(arr)
    number = shapes.normalize_axis(axis, rank)
    if shapes.rank(indices) != rank:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    own, expected = list(shapes.shape(arr)), list(shapes.shape(indices))
    dim, own[number] = own[number], 1
    try:
        common = shapes.broadcast_shapes(own, expected)
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None
    return _along(arr, tf.cast(indices, tf.int64), number, dim, common)


def _along(arr: tf.Tensor, indices: tf.Tensor, axis: int, dim: shapes.Dim, common: tuple[shapes.Dim, ...]) -> Any:
    last = shapes.rank(arr) - 1
    if _is_empty(common):
        return tf.zeros(shapes.shape_tensor(common), arr.dtype)
    if _is_empty([dim]):
        raise IndexError(f"index 0 is out of bounds for axis {axis} with size 0")
    indices = shapes.broadcast_to(check_indices(indices, dim, "raise", axis), common)
    arr = shapes.broadcast_to(arr, [dim if number == axis else upcast for number, upcast in enumerate(common)])
    found = sort_keys.gather_rows(layout.move_axis(arr, axis, last), layout.move_axis(indices, axis, last))
    return layout.move_axis(found, last, axis)


@array_function(promotes=("a",))
def compress(
    condition: Any, a: Any, axis: Any = None, out: Any = None, *, size: Any = None, fill_value: Any = 0
) -> tf.Tensor:
    """With `size`, which XLA needs, the result has that length along the axis; what is missing is `fill_value`."""
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    return _compressed(condition, a, axis, out, size, fill_value)


@array_function(unknown_rank="each")
def _compressed(condition: Any, a: Any, axis: int | None, out: Any, size: Any, fill_value: Any) -> tf.Tensor:
    a, mask = to_tensor(a), to_tensor(condition)
    if shapes.rank(mask) != 1:
        raise ValueError("condition must be a 1-d array")
    mask = dynamic_size.as_bools(mask)
    indices = dynamic_size.nonzero_indices(mask, size)
    if size is None:
        return _take(a, indices, axis, out, "raise")
    found = _take(a, indices, axis, None, "clip")
    number = 0 if axis is None else shapes.normalize_axis(axis, shapes.rank(a))
    kept = dynamic_size.pad_to_size(layout.move_axis(found, number, 0), dynamic_size.count(mask), fill_value)
    return _deliver(layout.move_axis(kept, 0, number), out)


@array_function(promotes=("choices",), unknown_rank="broadcast")
def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> tf.Tensor:
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    a = to_tensor(a)
    dtypes.check_cast(dtypes.as_numpy(a.dtype), np.dtype(np.int64), "safe", "array data")
    weak = [item if type(item) in dtypes.PYTHON_SCALARS else to_tensor(item) for item in _items(choices)]
    how = clip_mode(mode)
    if not weak:
        raise ValueError("0-length sequence.")
    dtype = dtypes.result_type(*weak)
    options = [to_tensor(item) for item in weak]
    shape = shapes.broadcast_shapes(shapes.shape(a), *map(shapes.shape, options))
    if out is not None and not out.shape.is_compatible_with([_known(dim) for dim in shape]):
        raise TypeError("choose: invalid shape for output array.")
    options = [shapes.broadcast_to(convert.cast(option, dtype), shape) for option in options]
    indices = shapes.broadcast_to(_chosen(tf.cast(a, tf.int64), len(options), how), shape)
    flat = tf.stack([ravel(option) for option in options], axis=1)
    result = shapes.reshape(tf.gather(flat, ravel(indices), axis=1, batch_dims=1), shape)
    return _deliver(result, out)


def _known(dim: shapes.Dim) -> int | None:
    return dim if isinstance(dim, int) else None


def _items(choices: Any) -> Sequence[Any]:
    if isinstance(choices, list | tuple):
        return choices
    whole = to_tensor(choices)
    if shapes.rank(whole) == 0:
        raise TypeError("choices must be a sequence of arrays")
    if whole.shape[0] is None:
        raise ValueError("the first side of the choices' shape must be known while tracing: it says how many there are")
    return tf.unstack(whole)


def _chosen(indices: tf.Tensor, count: int, how: str) -> tf.Tensor:
    """Here, unlike elsewhere, no index counts from the end."""
    if how != "raise":
        return check_indices(indices, count, how, 0)
    static = convert.static_value(indices)
    if static is None:
        return layout.check_bounds(indices, 0, count - 1)
    if np.any((np.asarray(static) < 0) | (np.asarray(static) >= count)):
        raise ValueError("invalid entry in choice array")
    return indices


@array_function(promotes=("choicelist", "default"), unknown_rank="broadcast")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> tf.Tensor:
    condlist, choicelist = _entries(condlist), _entries(choicelist)
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    weak = [value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value) for value in [*choicelist, default]]
    dtype = dtypes.result_type(*weak)
    conditions = [to_tensor(condition) for condition in condlist]
    for number, condition in enumerate(conditions):
        if condition.dtype != tf.bool:
            raise TypeError(f"invalid entry {number} in condlist: should be boolean ndarray")
    options = [convert.cast(to_tensor(value), dtype) for value in weak]
    shape = shapes.broadcast_shapes(
        shapes.broadcast_shapes(*map(shapes.shape, conditions)),
        shapes.broadcast_shapes(*map(shapes.shape, options)),
    )
    result = shapes.broadcast_to(options[-1], shape)
    for condition, option in reversed(list(zip(conditions, options[:-1], strict=True))):
        result = layout.select(condition, option, result)
    return result


def _entries(values: Any) -> list[Any]:
    """What one gets by going through a sequence: of a tensor, what lies along its first axis."""
    values = apply_conversion(values)
    if isinstance(values, tf.Tensor | tf.Variable) and values.shape.rank:
        return list(tf.unstack(values))
    return list(values)


def iterable(y: Any) -> bool:
    """Of a tensor, the rank says so, which must be known."""
    y = apply_conversion(y)
    if isinstance(y, tf.Tensor | tf.Variable):
        return shapes.rank(y) != 0
    return np.iterable(y)
