"""Elements picked out: by index, by mask, by choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import EagerTensor, rank_of, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, refuse_tensor
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
                return _gather(a, indices, shapes.spec(axis))
        except TENSORFLOW_ERRORS:
            pass
    return _take(to_tensor(a), indices, axis, out, mode)


@array_function(unknown_rank="each")
def _take(a: tf.Tensor, indices: Any, axis: Any, out: Any, mode: Any) -> tf.Tensor:
    if out is not None and not isinstance(out, tf.Variable):
        raise refuse_tensor("out", out)
    places = as_indices(indices)
    if axis is None or (shapes.rank(a) == 0 and shapes.as_int_not_bool(axis) in (0, -1)):
        a, number = ravel(a), 0
    else:
        number = shapes.normalize_axis(shapes.as_int_not_bool(axis), shapes.rank(a))
    how = clip_mode(mode)
    sides = shapes.shape(a)
    if out is not None and not out.shape.is_compatible_with(a.shape[:number] + places.shape + a.shape[number + 1 :]):
        raise ValueError("output array does not match result of ndarray.take")
    if out is not None:
        dtypes.check_cast(dtypes.as_numpy(out.dtype), dtypes.as_numpy(a.dtype), "safe", "array data")
    if _is_empty(sides[:number] + sides[number + 1 :]):
        if how == "raise" and not _is_empty(sides[:number]):
            places = bounded(places, sides[number], how, number)
        rest = (*sides[:number], *shapes.shape(places), *sides[number + 1 :])
        return _deliver(tf.zeros(shapes.pack(rest), a.dtype), out)
    if _is_empty(sides[number : number + 1]) and places.shape.num_elements() not in (0, None):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    places = bounded(places, sides[number], how, number)
    return _deliver(_gather(a, places, shapes.spec(number)), out)


def _is_empty(sides: Sequence[shapes.Side]) -> bool:
    """Whether a side is known to be zero."""
    return any(isinstance(side, int) and side == 0 for side in sides)


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
    known = convert.static_value(mode)
    np.take(np.zeros(1), 0, mode=known)
    return _MODES[known[0].lower() if isinstance(known, str) else known]


def bounded(places: tf.Tensor, side: shapes.Side, how: str, axis: int) -> tf.Tensor:
    """Indices as non-negative numbers below the side; what is not is an error, wrapped, or clipped."""
    length = tf.cast(side, tf.int64)
    if how == "wrap":
        return tf.math.floormod(places, tf.maximum(length, 1))
    if how == "clip":
        return tf.clip_by_value(places, 0, tf.maximum(length - 1, 0))
    known = convert.static_value(places)
    if known is not None and isinstance(side, int):
        wrong = np.asarray(known)[(np.asarray(known) < -side) | (np.asarray(known) >= side)]
        if wrong.size:
            raise IndexError(f"index {wrong.flat[0]} is out of bounds for axis {axis} with size {side}")
        if not np.any(np.asarray(known) < 0):
            return places
    else:
        places = layout.in_bounds(places, -length, length - 1)
    return tf.where(places < 0, places + length, places)


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
    own, wanted = list(shapes.shape(arr)), list(shapes.shape(indices))
    side, own[number] = own[number], 1
    try:
        common = shapes.broadcast_shapes(own, wanted)
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None
    return _along(arr, tf.cast(indices, tf.int64), number, side, common)


def _along(arr: tf.Tensor, places: tf.Tensor, axis: int, side: shapes.Side, common: tuple[shapes.Side, ...]) -> Any:
    last = shapes.rank(arr) - 1
    if _is_empty(common):
        return tf.zeros(shapes.pack(common), arr.dtype)
    if _is_empty([side]):
        raise IndexError(f"index 0 is out of bounds for axis {axis} with size 0")
    places = shapes.broadcast_to(bounded(places, side, "raise", axis), common)
    arr = shapes.broadcast_to(arr, [side if number == axis else wide for number, wide in enumerate(common)])
    found = sort_keys.gather_rows(layout.move_axis(arr, axis, last), layout.move_axis(places, axis, last))
    return layout.move_axis(found, last, axis)


@array_function(promotes=("a",))
def compress(
    condition: Any, a: Any, axis: Any = None, out: Any = None, *, size: Any = None, fill_value: Any = 0
) -> tf.Tensor:
    """With `size`, which XLA needs, the result has that length along the axis; what is missing is `fill_value`."""
    if out is not None and not isinstance(out, tf.Variable):
        raise refuse_tensor("out", out)
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    return _compressed(condition, a, axis, out, size, fill_value)


@array_function(unknown_rank="each")
def _compressed(condition: Any, a: Any, axis: int | None, out: Any, size: Any, fill_value: Any) -> tf.Tensor:
    a, mask = to_tensor(a), to_tensor(condition)
    if shapes.rank(mask) != 1:
        raise ValueError("condition must be a 1-d array")
    mask = dynamic_size.truths(mask)
    places = dynamic_size.places(mask, size)
    if size is None:
        return _take(a, places, axis, out, "raise")
    found = _take(a, places, axis, None, "clip")
    number = 0 if axis is None else shapes.normalize_axis(axis, shapes.rank(a))
    kept = dynamic_size.sized(layout.move_axis(found, number, 0), dynamic_size.count(mask), fill_value)
    return _deliver(layout.move_axis(kept, 0, number), out)


@array_function(promotes=("choices",), unknown_rank="broadcast")
def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> tf.Tensor:
    if out is not None and not isinstance(out, tf.Variable):
        raise refuse_tensor("out", out)
    a = to_tensor(a)
    dtypes.check_cast(dtypes.as_numpy(a.dtype), np.dtype(np.int64), "safe", "array data")
    weak = [item if type(item) in dtypes.PYTHON_SCALARS else to_tensor(item) for item in _items(choices)]
    how = clip_mode(mode)
    if not weak:
        raise ValueError("0-length sequence.")
    dtype = dtypes.result_type(*weak)
    options = [to_tensor(item) for item in weak]
    sides = shapes.broadcast_shapes(shapes.shape(a), *map(shapes.shape, options))
    if out is not None and not out.shape.is_compatible_with([_known(side) for side in sides]):
        raise TypeError("choose: invalid shape for output array.")
    options = [shapes.broadcast_to(convert.cast(option, dtype), sides) for option in options]
    places = shapes.broadcast_to(_chosen(tf.cast(a, tf.int64), len(options), how), sides)
    flat = tf.stack([ravel(option) for option in options], axis=1)
    result = shapes.reshape(tf.gather(flat, ravel(places), axis=1, batch_dims=1), sides)
    return _deliver(result, out)


def _known(side: shapes.Side) -> int | None:
    return side if isinstance(side, int) else None


def _items(choices: Any) -> Sequence[Any]:
    if isinstance(choices, list | tuple):
        return choices
    whole = to_tensor(choices)
    if shapes.rank(whole) == 0:
        raise TypeError("choices must be a sequence of arrays")
    if whole.shape[0] is None:
        raise ValueError("the first side of the choices' shape must be known while tracing: it says how many there are")
    return tf.unstack(whole)


def _chosen(places: tf.Tensor, count: int, how: str) -> tf.Tensor:
    """Here, unlike elsewhere, no index counts from the end."""
    if how != "raise":
        return bounded(places, count, how, 0)
    known = convert.static_value(places)
    if known is None:
        return layout.in_bounds(places, 0, count - 1)
    if np.any((np.asarray(known) < 0) | (np.asarray(known) >= count)):
        raise ValueError("invalid entry in choice array")
    return places


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
    sides = shapes.broadcast_shapes(
        shapes.broadcast_shapes(*map(shapes.shape, conditions)),
        shapes.broadcast_shapes(*map(shapes.shape, options)),
    )
    result = shapes.broadcast_to(options[-1], sides)
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
