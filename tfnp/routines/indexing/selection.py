"""Functions that select elements by index, by mask, or from alternatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, outputs, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, shape_of
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, check_no_unknown_dim, requires_static_rank
from tfnp._core.parameters import ArrayLike, IntLike, Out, ShapeLike
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.variables import store
from tfnp._kernels.select_rare import is_long, lies_within
from tfnp._kernels.sort import sort_keys
from tfnp.routines.manipulation.shaping import flatten_without_axis, ravel

__all__ = ["choose", "compress", "iterable", "select", "take", "take_along_axis"]

_gather = ops.gather
_INDEX_DTYPES = (tf.int32, tf.int64)
_MODES = {"r": "raise", "w": "wrap", "c": "clip", 0: "clip", 1: "wrap", 2: "raise", None: "raise"}


@array_function(promotes=("a",))
def take(
    a: ArrayLike, indices: ArrayLike, axis: IntLike | None = None, out: Out = None, mode: str = "raise"
) -> tf.Tensor:
    """With mode="raise", an index out of bounds raises IndexError where it is static, else the graph fails when it
    runs; XLA clips it.

    Gradients flow to the elements that are taken.
    """
    if type(a) is type(indices) is EagerTensor and mode == "raise" and out is None:
        try:
            shape = shape_of(a)
            index = 0 if axis is None and len(shape) == 1 else axis
            if type(index) is int and shape and 0 not in shape and _can_check_indices(a, indices):
                return _gather(a, indices, shapes.const_int(index))
        except TENSORFLOW_ERRORS:
            pass
    return _take(to_tensor(a), indices, axis, out, mode)


def _can_check_indices(a: tf.Tensor, indices: tf.Tensor) -> bool:
    """Return whether TensorFlow's op raises for indices that are negative or out of bounds: in eager mode on CPU."""
    return ops.executing_eagerly() and indices.dtype in _INDEX_DTYPES and "CPU" in a.device


@array_function(unknown_rank="each", traces=("a", "indices"))
def _take(a: tf.Tensor, indices: Any, axis: Any, out: Any, mode: Any) -> tf.Tensor:
    """Gather along an axis, after the checks and in the mode of NumPy."""
    outputs.as_variable(out)
    check_no_unknown_dim(indices)
    positions = as_indices(indices)
    a, axis = flatten_without_axis(a, axis)
    index_mode = normalize_mode(mode)
    shape = shapes.shape(a)
    if out is not None and not out.shape.is_compatible_with(a.shape[:axis] + positions.shape + a.shape[axis + 1 :]):
        raise ValueError("output array does not match result of ndarray.take")
    if out is not None:
        dtypes.check_cast(dtypes.as_numpy(out.dtype), dtypes.as_numpy(a.dtype), "safe", "array data")
    if _is_empty(shape[:axis] + shape[axis + 1 :]):
        if index_mode == "raise" and not _is_empty(shape[:axis]):
            positions = check_indices(positions, shape[axis], index_mode, axis)
        result_shape = (*shape[:axis], *shapes.shape(positions), *shape[axis + 1 :])
        return _write_output(tf.zeros(shapes.shape_tensor(result_shape), a.dtype), out)
    if _is_empty(shape[axis : axis + 1]) and positions.shape.num_elements() not in (0, None):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    positions = check_indices(positions, shape[axis], index_mode, axis)
    return _write_output(_gather(a, positions, shapes.const_int(axis)), out)


def _is_empty(shape: Sequence[shapes.Dim]) -> bool:
    """Return whether a static dimension is zero."""
    return any(isinstance(dim, int) and dim == 0 for dim in shape)


def as_indices(indices: Any, casting: str = "same_kind") -> tf.Tensor:
    """Return indices as an int64 tensor. Arrays are cast by the casting rule, lists as NumPy converts them."""
    if is_tensor(indices) or isinstance(indices, np.ndarray):
        tensor = to_tensor(indices)
        dtypes.check_cast(dtypes.as_numpy(tensor.dtype), np.dtype(np.int64), casting, "array data")
        return tf.cast(tensor, tf.int64)
    return to_tensor(np.asarray(indices, np.int64) if not convert.contains_tensor(indices) else indices, tf.int64)


def normalize_mode(mode: Any) -> str:
    """Return the mode "raise", "wrap" or "clip"; like NumPy, accept its number or first letter, too."""
    static = convert.static_value(mode)
    np.take(np.zeros(1), 0, mode=static)
    return _MODES[static[0].lower() if isinstance(static, str) else static]


def check_indices(indices: tf.Tensor, dim: shapes.Dim, mode: str, axis: int) -> tf.Tensor:
    """Return indices without negative ones. Those out of bounds raise IndexError, wrap, or are clipped, by the mode."""
    length = tf.cast(dim, tf.int64)
    if mode == "wrap":
        return tf.math.floormod(indices, tf.maximum(length, 1))
    if mode == "clip":
        return tf.clip_by_value(indices, 0, tf.maximum(length - 1, 0))
    if is_long(indices) and lies_within(indices, 0, dim - 1):
        return indices
    static = convert.static_value(indices)
    if static is not None and isinstance(dim, int):
        out_of_bounds = np.asarray(static)[(np.asarray(static) < -dim) | (np.asarray(static) >= dim)]
        if out_of_bounds.size:
            raise IndexError(f"index {out_of_bounds.flat[0]} is out of bounds for axis {axis} with size {dim}")
        if not np.any(np.asarray(static) < 0):
            return indices
    else:
        indices = layout.check_bounds(indices, -length, length - 1)
    return tf.where(indices < 0, indices + length, indices)


def _write_output(result: tf.Tensor, out: tf.Variable | None) -> tf.Tensor:
    if out is None:
        return result
    store(out, convert.cast(result, out.dtype))
    return out


@array_function(promotes=("arr",))
def take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: IntLike | None = -1) -> tf.Tensor:
    """An index out of bounds raises IndexError where it is static, else the graph fails when it runs; XLA clips it.

    Gradients flow to the elements that are taken.
    """
    if type(arr) is type(indices) is EagerTensor and type(axis) is int and _can_check_indices(arr, indices):
        shape, index_shape = shape_of(arr), shape_of(indices)
        is_last = len(shape) > 0 and axis in (-1, len(shape) - 1) and 0 not in shape
        if is_last and shape[:-1] == index_shape[:-1] and len(shape) == len(index_shape):
            try:
                return ops.gather(arr, indices, shapes.const_int(len(shape) - 1), batch_dims=len(shape) - 1)
            except TENSORFLOW_ERRORS:
                pass  # an index is negative or out of bounds
    return _take_along_axis(arr, indices, axis)


@array_function(traces=("arr", "indices"))
def _take_along_axis(arr: Any, indices: Any, axis: Any) -> tf.Tensor:
    """Take from any array-like, along any axis."""
    arr, indices = to_tensor(arr), to_tensor(indices)
    if not indices.dtype.is_integer:
        raise IndexError("`indices` must be an integer array")
    if axis is None:
        if indices.shape.rank not in (None, 1):
            raise ValueError("when axis=None, `indices` must have a single dimension.")
        arr, indices, axis = ravel(arr), tf.ensure_shape(indices, [None]), 0
    return _take_along(arr, indices, axis)


@array_function(unknown_rank="equal")
def _take_along(arr: tf.Tensor, indices: tf.Tensor, axis: Any) -> tf.Tensor:
    rank = shapes.rank(arr)
    axis = shapes.normalize_axis(axis, rank)
    if shapes.rank(indices) != rank:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    arr_shape, index_shape = list(shapes.shape(arr)), list(shapes.shape(indices))
    dim, arr_shape[axis] = arr_shape[axis], 1
    try:
        common = shapes.broadcast_shapes(arr_shape, index_shape)
    except ValueError as error:
        raise IndexError(f"shape mismatch: {error}") from None
    return _gather_along(arr, tf.cast(indices, tf.int64), axis, dim, common)


def _gather_along(
    arr: tf.Tensor, indices: tf.Tensor, axis: int, dim: shapes.Dim, common: tuple[shapes.Dim, ...]
) -> Any:
    last = shapes.rank(arr) - 1
    if _is_empty(common):
        return tf.zeros(shapes.shape_tensor(common), arr.dtype)
    if _is_empty([dim]):
        raise IndexError(f"index 0 is out of bounds for axis {axis} with size 0")
    indices = shapes.broadcast_to(check_indices(indices, dim, "raise", axis), common)
    arr = shapes.broadcast_to(arr, [dim if index == axis else common_dim for index, common_dim in enumerate(common)])
    taken = sort_keys.gather_rows(layout.move_axis(arr, axis, last), layout.move_axis(indices, axis, last))
    return layout.move_axis(taken, last, axis)


@array_function(promotes=("a",), traces=("condition", "a"))
def compress(
    condition: ArrayLike,
    a: ArrayLike,
    axis: IntLike | None = None,
    out: Out = None,
    *,
    size: ShapeLike | None = None,
    fill_value: ArrayLike = 0,
) -> tf.Tensor:
    """The length of the result depends on values, which XLA does not support. With `size`, a keyword of tfnp's own, the
    result has that length: further elements are dropped, missing ones are `fill_value`.
    """
    outputs.as_variable(out)
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    return _take_where(condition, a, axis, out, size, fill_value)


@array_function(unknown_rank="each")
def _take_where(condition: Any, a: Any, axis: int | None, out: Any, size: Any, fill_value: Any) -> tf.Tensor:
    a, mask = to_tensor(a), to_tensor(condition)
    if shapes.rank(mask) != 1:
        raise ValueError("condition must be a 1-d array")
    mask = dynamic_size.as_bools(mask)
    indices = dynamic_size.nonzero_indices(mask, size)
    if size is None:
        return _take(a, indices, axis, out, "raise")
    taken = _take(a, indices, axis, None, "clip")
    axis = 0 if axis is None else shapes.normalize_axis(axis, shapes.rank(a))
    padded = dynamic_size.pad_to_size(layout.move_axis(taken, axis, 0), dynamic_size.count(mask), fill_value)
    return _write_output(layout.move_axis(padded, 0, axis), out)


@array_function(promotes=("choices",), unknown_rank="broadcast", traces=("a", "choices"))
def choose(a: ArrayLike, choices: ArrayLike, out: Out = None, mode: str = "raise") -> tf.Tensor:
    """`choices` is a sequence, or a tensor whose first dimension is static.

    With mode="raise", an index out of bounds raises ValueError where it is static, else the graph fails when it runs;
    XLA does not check it.
    """
    outputs.as_variable(out)
    a = to_tensor(a)
    dtypes.check_cast(dtypes.as_numpy(a.dtype), np.dtype(np.int64), "safe", "array data")
    operands = [item if type(item) in dtypes.PYTHON_SCALARS else to_tensor(item) for item in _unstack_choices(choices)]
    index_mode = normalize_mode(mode)
    if not operands:
        raise ValueError("0-length sequence.")
    dtype = dtypes.result_type(*operands)
    options = [to_tensor(item) for item in operands]
    shape = shapes.broadcast_shapes(shapes.shape(a), *map(shapes.shape, options))
    if out is not None and not out.shape.is_compatible_with([_as_static_dim(dim) for dim in shape]):
        raise TypeError("choose: invalid shape for output array.")
    options = [shapes.broadcast_to(convert.cast(option, dtype), shape) for option in options]
    indices = shapes.broadcast_to(_check_choices(tf.cast(a, tf.int64), len(options), index_mode), shape)
    flat = tf.stack([ravel(option) for option in options], axis=1)
    result = shapes.reshape(tf.gather(flat, ravel(indices), axis=1, batch_dims=1), shape)
    return _write_output(result, out)


def _as_static_dim(dim: shapes.Dim) -> int | None:
    return dim if isinstance(dim, int) else None


def _unstack_choices(choices: Any) -> Sequence[Any]:
    if isinstance(choices, list | tuple | str):  # a str is a sequence of characters
        return choices
    tensor = to_tensor(choices)
    if shapes.rank(tensor) == 0:
        raise TypeError("choices must be a sequence of arrays")
    if tensor.shape[0] is None:
        raise requires_static_rank("the first dimension of choices", "choose")
    return tf.unstack(tensor)


def _check_choices(indices: tf.Tensor, count: int, mode: str) -> tf.Tensor:
    """Return indices from 0 to count - 1. Unlike other indices, negative ones are out of bounds."""
    if mode != "raise":
        return check_indices(indices, count, mode, 0)
    static = convert.static_value(indices)
    if static is None:
        return layout.check_bounds(indices, 0, count - 1)
    if np.any((np.asarray(static) < 0) | (np.asarray(static) >= count)):
        raise ValueError("invalid entry in choice array")
    return indices


@array_function(
    promotes=("choicelist", "default"), unknown_rank="broadcast", traces=("condlist", "choicelist", "default")
)
def select(condlist: ArrayLike, choicelist: ArrayLike, default: ArrayLike = 0) -> tf.Tensor:
    """`condlist` and `choicelist` may be tensors whose first dimension is static.

    The gradient with respect to elements that are not selected is zero.
    """
    condlist, choicelist = _iterate(condlist), _iterate(choicelist)
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    operands = [value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value) for value in [*choicelist, default]]
    dtype = dtypes.result_type(*operands)
    conditions = [to_tensor(condition) for condition in condlist]
    for index, condition in enumerate(conditions):
        if condition.dtype != tf.bool:
            raise TypeError(f"invalid entry {index} in condlist: should be boolean ndarray")
    options = [convert.cast(to_tensor(value), dtype) for value in operands]
    shape = shapes.broadcast_shapes(
        shapes.broadcast_shapes(*map(shapes.shape, conditions)),
        shapes.broadcast_shapes(*map(shapes.shape, options)),
    )
    result = shapes.broadcast_to(options[-1], shape)
    for condition, option in reversed(list(zip(conditions, options[:-1], strict=True))):
        result = layout.select(condition, option, result)
    return result


def _iterate(values: Any) -> list[Any]:
    """Return the items of a sequence, or the parts of a tensor along its first axis."""
    values = apply_conversion(values)
    if isinstance(values, tf.Tensor | tf.Variable) and values.shape.rank:
        return list(tf.unstack(values))
    return list(values)


def iterable(y: ArrayLike) -> bool:
    """The rank of a tensor must be static."""
    y = apply_conversion(y)
    if isinstance(y, tf.Tensor | tf.Variable):
        return shapes.rank(y) != 0
    return np.iterable(y)
