"""Functions defined by cases: one for where each condition holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.indexing.scatter import update_at
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.ufunc.options import as_element
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["piecewise"]


@array_function(promotes=("x",), unknown_rank="each")
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> tf.Tensor:
    """In eager a function is given the elements for which its condition holds; in a graph, which could not tell their
    number, all of them.
    """
    x = to_tensor(x)
    conditions = _conditions(condlist, x, funclist)
    count = len(conditions)
    functions = _functions(funclist, count)
    if any(not condition.shape.is_compatible_with(conditions[0].shape) for condition in conditions):
        raise ValueError("the conditions must have one shape")
    if count == len(functions) - 1:
        remaining = tf.logical_not(tf.reduce_any(tf.stack(conditions), 0))
        conditions.append(remaining)
    elif count != len(functions):
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    result = tf.zeros_like(x)
    for condition, function in zip(conditions, functions, strict=True):
        result = _piece(result, x, condition, function, args, kw)
    return result


def _mask_over(x: tf.Tensor, condition: tf.Tensor) -> tf.Tensor:
    """The condition, which is an index of the first axes, for each element."""
    rank, deep = x.shape.rank, condition.shape.rank
    if rank is None or deep is None:
        return _mask_over_unknown(x, condition)
    if deep > rank:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, but {deep} were indexed")
    if not condition.shape.is_compatible_with(x.shape[:deep]):
        raise IndexError(f"boolean index did not match indexed array: {condition.shape} for {x.shape}")
    if not (condition.shape.is_fully_defined() and x.shape[:deep].is_fully_defined()):
        condition = _matching(condition, tf.shape(x)[:deep])
    shape = shapes.shape(condition) + (1,) * (rank - deep)
    return shapes.broadcast_to(shapes.reshape(condition, shape), shapes.shape(x))


def _mask_over_unknown(x: tf.Tensor, condition: tf.Tensor) -> tf.Tensor:
    shape, deep = tf.shape(x), tf.rank(condition)
    ones = tf.ones([tf.rank(x) - deep], tf.int32)
    upcast = tf.reshape(_matching(condition, shape[:deep]), tf.concat([tf.shape(condition), ones], 0))
    return tf.broadcast_to(upcast, shape)


def _matching(condition: tf.Tensor, shape: tf.Tensor) -> tf.Tensor:
    """The condition; a graph where it has not these sides fails when it runs."""
    is_valid = tf.reduce_all(tf.equal(tf.shape(condition), shape))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, ["boolean index did not match indexed array"])]):
        return tf.identity(condition)


def _conditions(condlist: Any, x: tf.Tensor, funclist: Any) -> list[tf.Tensor]:
    """One condition may stand without a list around it. What is in a list and has no rank yet is one of several."""
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
        raise ValueError("how many conditions or functions there are must be known while tracing: their shape says so")
    return _as_many_conditions(conditions, len(funclist))


def _as_many_conditions(conditions: tf.Tensor, count: int) -> list[tf.Tensor]:
    """So many conditions; the last of them is that no other holds, if it is missing."""
    length = tf.shape(conditions)[0]
    is_valid = tf.equal(length, count) | tf.equal(length, count - 1)
    with tf.control_dependencies([tf.debugging.Assert(is_valid, ["as many functions as conditions are expected"])]):
        remaining = tf.logical_not(tf.reduce_any(conditions, 0, keepdims=True))
    return tf.unstack(tf.concat([conditions, remaining], 0)[:count], count)


def _functions(funclist: Any, count: int) -> Any:
    """One for each condition, or one more, as a sequence. In a graph that does not know whether there is one more of
    the numbers in an array, there is: zero, if there is none.
    """
    if not is_tensor(funclist):
        return funclist
    values = shapes.with_rank(to_tensor(funclist), 1)
    if shapes.rank(values) != 1 or values.shape[0] is not None:
        return tf.unstack(values)
    is_valid = tf.equal(tf.size(values), count) | tf.equal(tf.size(values), count + 1)
    with tf.control_dependencies([tf.debugging.Assert(is_valid, ["as many functions as conditions are expected"])]):
        return tf.unstack(tf.concat([values, tf.zeros((1,), values.dtype)], 0)[: count + 1], count + 1)


def _is_flat(condlist: Any) -> bool:
    if isinstance(condlist, list | tuple):
        first = condlist[0]
        return not (is_tensor(first) or isinstance(first, list | tuple | np.ndarray))
    return shapes.rank(to_tensor(condlist)) == 1


def _piece(result: tf.Tensor, x: tf.Tensor, condition: tf.Tensor, function: Any, args: Any, kw: Any) -> tf.Tensor:
    if not callable(function) and _has_axes(function):
        return update_at(result, condition, to_tensor(function, x.dtype))
    mask = _mask_over(x, condition)
    if not callable(function):
        return layout.select(mask, as_element(function, x.dtype), result)
    static = convert.static_value(condition)
    if (static is not None and not np.any(static)) or x.shape.num_elements() == 0:
        return result  # without a call, as in NumPy
    if not tf.executing_eagerly():
        found = _found(function(x, *args, **kw), x, max(x.shape.rank or 0, 1))
        return layout.select(mask, _as_wide(found, x), result)
    indices = tf.where(ravel(mask))
    if not indices.shape[0]:
        return result
    found = _found(function(tf.gather_nd(ravel(x), indices), *args, **kw), x, 1)
    found = shapes.broadcast_to(found, (indices.shape[0],))
    return shapes.reshape(tf.tensor_scatter_nd_update(ravel(result), indices, found), shapes.shape(x))


def _found(value: Any, x: tf.Tensor, most: int) -> tf.Tensor:
    """What a function gave, in the dtype of `x`, if it has no more axes than what it was given."""
    tensor = to_tensor(value)
    if x.shape.rank is not None and (tensor.shape.rank or 0) > most:
        raise TypeError(
            f"a function of funclist gave {tensor.shape.rank} dimensions where at most {most} can be written"
        )
    return convert.cast(tensor, x.dtype)


def _as_wide(found: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """What a function gave for all of `x`: of a single element one, with an axis or without."""
    if x.shape.rank == 0:
        return shapes.reshape(shapes.broadcast_to(found, (1,)), ())
    return found if x.shape.rank is None else shapes.broadcast_to(found, shapes.shape(x))


def _has_axes(value: Any) -> bool:
    value = apply_conversion(value)
    return value.shape.rank != 0 if isinstance(value, tf.Tensor | tf.Variable) else np.ndim(value) != 0
