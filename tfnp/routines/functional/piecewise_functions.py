"""Functions that are defined piecewise, by conditions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static_rank
from tfnp._core.indexing.scatter import update_at
from tfnp._core.parameters import ArrayLike
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.ufunc.options import as_element
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["piecewise"]

_COUNT_MESSAGE: Final = "piecewise: the number of functions must be that of the conditions, or one more"


@array_function(promotes=("x",), unknown_rank="each")
def piecewise(x: ArrayLike, condlist: ArrayLike, funclist: Sequence[Any], *args: Any, **kw: Any) -> tf.Tensor:
    """Eagerly, a function is called with the elements for which its condition is true.

    In a graph their number is not static: a function is called with an array of the shape of `x`, in which the last of
    its own elements stands in place of all others.
    """
    x = to_tensor(x)
    conditions = _as_conditions(condlist, x, funclist)
    count = len(conditions)
    functions = _as_functions(funclist, count)
    if any(not condition.shape.is_compatible_with(conditions[0].shape) for condition in conditions):
        raise ValueError("piecewise: all conditions must have the same shape")
    if count == len(functions) - 1:
        otherwise = tf.logical_not(tf.reduce_any(tf.stack(conditions), 0))
        conditions.append(otherwise)
    elif count != len(functions):
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    result = tf.zeros_like(x)
    for condition, function in zip(conditions, functions, strict=True):
        result = _write_piece(result, x, condition, function, args, kw)
    return result


def _expand_mask(x: tf.Tensor, condition: tf.Tensor) -> tf.Tensor:
    """Return the condition, which indexes the first axes, for each element."""
    rank, condition_rank = x.shape.rank, condition.shape.rank
    if rank is None or condition_rank is None:
        return _expand_mask_dynamic_rank(x, condition)
    if condition_rank > rank:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, but {condition_rank} were indexed")
    if not condition.shape.is_compatible_with(x.shape[:condition_rank]):
        raise IndexError(f"boolean index did not match indexed array: {condition.shape} for {x.shape}")
    if not (condition.shape.is_fully_defined() and x.shape[:condition_rank].is_fully_defined()):
        condition = _check_mask_shape(condition, tf.shape(x)[:condition_rank])
    shape = shapes.shape(condition) + (1,) * (rank - condition_rank)
    return shapes.broadcast_to(shapes.reshape(condition, shape), shapes.shape(x))


def _expand_mask_dynamic_rank(x: tf.Tensor, condition: tf.Tensor) -> tf.Tensor:
    shape, condition_rank = tf.shape(x), tf.rank(condition)
    ones = tf.ones([tf.rank(x) - condition_rank], tf.int32)
    expanded = tf.reshape(
        _check_mask_shape(condition, shape[:condition_rank]), tf.concat([tf.shape(condition), ones], 0)
    )
    return tf.broadcast_to(expanded, shape)


def _check_mask_shape(condition: tf.Tensor, shape: tf.Tensor) -> tf.Tensor:
    """Check when the graph runs that the condition has this shape."""
    is_valid = tf.reduce_all(tf.equal(tf.shape(condition), shape))
    return check(is_valid, IndexError("boolean index did not match indexed array"), condition)


def _as_conditions(condlist: Any, x: tf.Tensor, funclist: Any) -> list[tf.Tensor]:
    """Return the conditions as a list. A single condition need not be in a list."""
    single = not isinstance(condlist, list | tuple) and shapes.rank(to_tensor(condlist)) == 0
    if single or (_is_flat(condlist) and shapes.rank(x) != 0):
        condlist = [condlist]
    if isinstance(condlist, list | tuple):
        return [to_tensor(condition, tf.bool) for condition in condlist]
    conditions = to_tensor(condlist, tf.bool)
    if conditions.shape[0] is not None:
        return tf.unstack(conditions)
    funclist = apply_conversion(funclist)
    if isinstance(funclist, tf.Tensor | tf.Variable) and funclist.shape.num_elements() is None:
        raise requires_static_rank("the number of conditions or functions", "piecewise")
    return _unstack_conditions(conditions, len(funclist))


def _unstack_conditions(conditions: tf.Tensor, count: int) -> list[tf.Tensor]:
    """Return this number of conditions. Where the last one is missing, it is that no other holds."""
    length = tf.shape(conditions)[0]
    is_valid = tf.equal(length, count) | tf.equal(length, count - 1)
    error = ValueError(_COUNT_MESSAGE)
    otherwise = check(is_valid, error, tf.logical_not(tf.reduce_any(conditions, 0, keepdims=True)))
    return tf.unstack(tf.concat([conditions, otherwise], 0)[:count], count)


def _as_functions(funclist: Any, count: int) -> Any:
    """Return one function for each condition, or one more, as a sequence.

    A vector of dynamic length is taken for one more, which is zero if there is none.
    """
    if not is_tensor(funclist):
        return funclist
    values = shapes.set_unknown_rank(to_tensor(funclist), 1)
    if shapes.rank(values) != 1 or values.shape[0] is not None:
        return tf.unstack(values)
    is_valid = tf.equal(tf.size(values), count) | tf.equal(tf.size(values), count + 1)
    values = check(is_valid, ValueError(_COUNT_MESSAGE), values)
    return tf.unstack(tf.concat([values, tf.zeros((1,), values.dtype)], 0)[: count + 1], count + 1)


def _is_flat(condlist: Any) -> bool:
    if isinstance(condlist, list | tuple):
        first = condlist[0]
        return not (is_tensor(first) or isinstance(first, list | tuple | np.ndarray))
    return shapes.rank(to_tensor(condlist)) == 1


def _write_piece(result: tf.Tensor, x: tf.Tensor, condition: tf.Tensor, function: Any, args: Any, kw: Any) -> tf.Tensor:
    """Return the result with the values of one function where its condition is true."""
    if not callable(function) and _has_axes(function):
        return update_at(result, condition, to_tensor(function, x.dtype))
    mask = _expand_mask(x, condition)
    if not callable(function):
        return layout.select(mask, as_element(function, x.dtype), result)
    static = convert.static_value(condition)
    if (static is not None and not np.any(static)) or x.shape.num_elements() == 0:
        return result  # NumPy does not call the function
    if not tf.executing_eagerly():
        selected = _replace_unselected(x, mask)
        values = _cast_result(function(selected, *args, **kw), x, max(x.shape.rank or 0, 1))
        return layout.select(mask, _broadcast_result(values, x), result)
    indices = tf.where(ravel(mask))[:, 0]
    if not indices.shape[0]:
        return result
    values = _cast_result(function(tf.gather(ravel(x), indices), *args, **kw), x, 1)
    values = shapes.broadcast_to(values, (indices.shape[0],))
    return shapes.reshape(layout.scatter(ops.tensor_scatter_update, ravel(result), indices, values), shapes.shape(x))


def _replace_unselected(x: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    """Return the elements for which the mask is True, and in place of all others one of these; 1 if there is none.

    A function may have no value for the others, or no finite derivative.
    """
    flat = tf.reshape(x, (-1,))
    one = tf.ones((1,), x.dtype) if x.dtype != tf.string else tf.constant([""])
    last = tf.reduce_max(tf.where(tf.reshape(mask, (-1,)), layout.positions(shapes.shape(flat)[0]) + 1, 0))
    return layout.select(mask, x, tf.stop_gradient(tf.gather(tf.concat([one, flat], 0), last)))


def _cast_result(value: Any, x: tf.Tensor, max_rank: int) -> tf.Tensor:
    """Cast what a function returned to the dtype of `x`, and check its rank."""
    tensor = to_tensor(value)
    if x.shape.rank is not None and (tensor.shape.rank or 0) > max_rank:
        raise TypeError(f"piecewise: a function returned {tensor.shape.rank} dimensions, expected {max_rank} or fewer")
    return convert.cast(tensor, x.dtype)


def _broadcast_result(values: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """Broadcast what a function returned for all of `x`; for a scalar `x`, that may be a vector of one element."""
    if x.shape.rank == 0:
        return shapes.reshape(shapes.broadcast_to(values, (1,)), ())
    return values if x.shape.rank is None else shapes.broadcast_to(values, shapes.shape(x))


def _has_axes(value: Any) -> bool:
    value = apply_conversion(value)
    return value.shape.rank != 0 if isinstance(value, tf.Tensor | tf.Variable) else np.ndim(value) != 0
