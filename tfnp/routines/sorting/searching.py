"""Where something is: extremes, what is not zero, the place of a number among others in order."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import EagerTensor, enum_of, rank_of, shape_of, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS, not_a_variable_error
from tfnp._core.ufunc.options import NO_VALUE, normalize_axes
from tfnp._core.variables import store
from tfnp._kernels.sort import argminmax, sort_keys
from tfnp.routines.manipulation.shaping import ravel

__all__ = [
    "argmax",
    "argmin",
    "argwhere",
    "digitize",
    "extract",
    "flatnonzero",
    "nanargmax",
    "nanargmin",
    "nonzero",
    "searchsorted",
    "where",
]

_select = tf.raw_ops.SelectV2.__wrapped__
_BOOL: Final = tf.bool.as_datatype_enum
Finder = Callable[[tf.Tensor, int], tf.Tensor]


@array_function(unknown_rank="each")
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = NO_VALUE) -> tf.Tensor:
    if type(a) is EagerTensor and type(axis) is int and out is None and keepdims is NO_VALUE:
        rank = rank_of(a)
        if -rank <= axis < rank and shape_of(a)[axis]:
            return argminmax.argmax(a, axis % rank)
    return _place(to_tensor(a), axis, out, keepdims, argminmax.argmax, "argmax")


@array_function(unknown_rank="each")
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = NO_VALUE) -> tf.Tensor:
    if type(a) is EagerTensor and type(axis) is int and out is None and keepdims is NO_VALUE:
        rank = rank_of(a)
        if -rank <= axis < rank and shape_of(a)[axis]:
            return argminmax.argmin(a, axis % rank)
    return _place(to_tensor(a), axis, out, keepdims, argminmax.argmin, "argmin")


def _place(a: tf.Tensor, axis: Any, out: Any, keepdims: Any, find: Finder, name: str) -> tf.Tensor:
    """A number is taken for a vector of one element."""
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    shape, kept = shapes.shape(a), keepdims is not NO_VALUE and bool(keepdims)
    if axis is None:
        flat, number = ravel(a), 0
        left = (1,) * len(shape) if kept else ()
    else:
        number = shapes.as_int_not_bool(axis)
        flat = ravel(a) if not shape and number in (0, -1) else a
        number = shapes.normalize_axis(number, shapes.rank(flat))
        left = (*shape[:number], *((1,) if kept and shape else ()), *shape[number + 1 :])
    if flat.shape[number] == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    result = shapes.reshape(find(flat, number), left)
    return result if out is None else _deliver(result, out, name)


def _deliver(result: tf.Tensor, out: tf.Variable, name: str) -> tf.Variable:
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError(f"output array does not match result of np.{name}.")
    dtypes.check_cast(dtypes.as_numpy(out.dtype), dtypes.as_numpy(tf.int64), "safe", "array data")
    store(out, tf.cast(result, out.dtype))
    return out


@array_function(unknown_rank="each")
def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = NO_VALUE) -> tf.Tensor:
    """Of nothing but nan it raises where that is known, or when the graph runs; under XLA the index means nothing."""
    return _place(_without_nan(a, axis, -np.inf), axis, out, keepdims, argminmax.argmax, "argmax")


@array_function(unknown_rank="each")
def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = NO_VALUE) -> tf.Tensor:
    """As `nanargmax`."""
    return _place(_without_nan(a, axis, np.inf), axis, out, keepdims, argminmax.argmin, "argmin")


def _without_nan(a: Any, axis: Any, value: float) -> tf.Tensor:
    a = to_tensor(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return a
    if isinstance(axis, tuple):
        normalize_axes(axis, shapes.rank(a))
    number = None if axis is None else shapes.as_int_not_bool(axis)
    if number is not None and shapes.rank(a):
        number = shapes.normalize_axis(number, shapes.rank(a))
    elif number is not None:
        number = None
    missing = tf.not_equal(a, a)
    with tf.init_scope() if type(a) is EagerTensor else nullcontext():  # where numbers are known, so is what they lack
        only = tf.reduce_any(tf.reduce_all(tf.not_equal(a, a), number))
    if a.shape.num_elements() != 0:
        missing = _refusing(only, missing)
    return layout.select(missing, convert.from_numpy(np.array(value, dtypes.as_numpy(a.dtype))), a)


def _refusing(only: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
    static = convert.static_value(only)
    if static is None:
        with tf.control_dependencies([tf.debugging.Assert(tf.logical_not(only), ["All-NaN slice encountered"])]):
            return tf.identity(result)
    if static:
        raise ValueError("All-NaN slice encountered")
    return result


def where(condition: Any, x: Any = NO_VALUE, y: Any = NO_VALUE, /, *, size: Any = None, fill_value: Any = None) -> Any:
    """With `condition` alone, `nonzero` of it, which `size` and `fill_value` are for."""
    if type(condition) is type(x) is type(y) is EagerTensor and _is_plain(condition, x, y):
        try:
            return _select(condition, x, y)
        except TENSORFLOW_ERRORS:
            pass
    return _where(condition, x, y, size, fill_value)


def _is_plain(condition: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> bool:
    """Whether these eager tensors can go straight to TensorFlow."""
    return enum_of(x) == enum_of(y) and enum_of(condition) == _BOOL and not dtypes.promotion.weakens


@array_function(promotes=("x", "y"))
def _where(condition: Any, x: Any, y: Any, size: Any, fill_value: Any) -> Any:
    if x is NO_VALUE and y is NO_VALUE:
        return nonzero(condition, size=size, fill_value=fill_value)
    if x is NO_VALUE or y is NO_VALUE:
        raise ValueError("either both or neither of x and y should be given")
    return _choose(to_tensor(condition, tf.bool), x, y)


def _choose(mask: tf.Tensor, x: Any, y: Any) -> tf.Tensor:
    """A Python scalar is weak; where it does not fit, it wraps, as in NumPy."""
    weak = [value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value) for value in (x, y)]
    dtype = dtypes.result_type(*weak)
    first, second = (convert.cast(to_tensor(value), dtype) for value in weak)
    return layout.select(mask, first, second)


@array_function(unknown_rank="each")
def nonzero(a: Any, *, size: Any = None, fill_value: Any = None) -> tuple[tf.Tensor, ...]:
    """With `size`, which XLA needs, each has that length: what is too much is cut off, what is missing is `fill_value`,
    zero unless given, or one of a tuple for each axis.
    """
    a = to_tensor(a)
    if shapes.rank(a) == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    mask = dynamic_size.as_bools(a)
    rows = _indices(dynamic_size.nonzero_indices(mask, size), shapes.shape(a))
    if size is None or fill_value is None:
        return tuple(rows)
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * len(rows)
    return tuple(
        dynamic_size.pad_to_size(row, dynamic_size.count(mask), fill) for row, fill in zip(rows, fills, strict=True)
    )


def _indices(flat: tf.Tensor, shape: tuple[shapes.Dim, ...]) -> list[tf.Tensor]:
    """Along each axis, the indices of places in the flat array."""
    rows = []
    for dim in reversed(shape[1:]):
        step = tf.maximum(tf.cast(dim, tf.int64), 1)
        rows.append(flat % step)
        flat = flat // step
    return [flat, *reversed(rows)]


@array_function(unknown_rank="each")
def argwhere(a: Any, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    """The indices as rows. `size` and `fill_value` as in `nonzero`."""
    a = to_tensor(a)
    if shapes.rank(a) == 0:
        found = flatnonzero(a)
        return tf.reshape(found[:0], shapes.shape_tensor((tf.size(found), 0)))
    return tf.stack(nonzero(a, size=size, fill_value=fill_value), axis=1)


@array_function(unknown_rank="each")
def flatnonzero(a: Any, *, size: Any = None, fill_value: Any = None) -> tf.Tensor:
    """`size` and `fill_value` as in `nonzero`."""
    return dynamic_size.nonzero_indices(dynamic_size.as_bools(to_tensor(a)), size, fill_value)


@array_function(promotes=("arr",), unknown_rank="each")
def extract(condition: Any, arr: Any, *, size: Any = None, fill_value: Any = 0) -> tf.Tensor:
    """With `size`, which XLA needs, the result has that length; what is missing is `fill_value`."""
    mask, flat = dynamic_size.as_bools(to_tensor(condition)), ravel(arr)
    indices = dynamic_size.nonzero_indices(mask, size)
    static, length = convert.static_value(indices), flat.shape[0]
    if static is not None and length is not None and np.any(static >= length):
        raise IndexError(f"index {np.max(static)} is out of bounds for axis 0 with size {length}")
    if static is None:
        indices = layout.check_bounds(indices, 0, tf.cast(shapes.size(flat), tf.int64) - 1)
    found = layout.take(flat, indices, 0)
    return found if size is None else dynamic_size.pad_to_size(found, dynamic_size.count(mask), fill_value)


@array_function(promotes=("a", "v"), weak=False, unknown_rank="each")
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> tf.Tensor:
    """Nan is greater than all numbers. What is not in order has no place: the result is then whatever it is. Every
    index of a `sorter` has to be in bounds, where NumPy looks only at those that it comes across; XLA checks none.
    """
    weak = v if type(v) in dtypes.PYTHON_SCALARS else to_tensor(v)
    a = to_tensor(a)
    np.searchsorted(np.zeros(0), 0, side=side)
    if shapes.rank(a) != 1:
        raise ValueError("object too deep for desired array" if shapes.rank(a) else "object of too small depth")
    if sorter is not None:
        a = _in_order(a, to_tensor(sorter))
    dtype = dtypes.result_type(a, to_tensor(weak))
    return search_sorted_position(convert.cast(a, dtype), to_tensor(weak, dtype), str(side)[0] in "rR")


def search_sorted_position(a: tf.Tensor, v: tf.Tensor, after: bool) -> tf.Tensor:
    """How many elements of a vector in order come before each of the values; equal ones too, if `after`."""
    flat = ravel(v)
    if a.dtype.is_complex:
        ranks = sort_keys.dense_ranks(tf.concat([a, flat], 0))
        split = shapes.shape(a)[0]
        first, second = ranks[:split], ranks[split:]
    else:
        first, second = sort_keys.key(a), sort_keys.key(flat)
    bound = tf.raw_ops.UpperBound if after else tf.raw_ops.LowerBound
    found = bound(sorted_inputs=first[None, :], values=second[None, :], out_type=tf.int64)
    return shapes.reshape(found, shapes.shape(v))


def _in_order(a: tf.Tensor, sorter: tf.Tensor) -> tf.Tensor:
    if not (sorter.dtype.is_integer or sorter.dtype == tf.bool):
        raise TypeError("sorter must only contain integers")
    if shapes.rank(sorter) != 1:
        raise TypeError("could not parse sorter argument")
    message = "sorter.size must equal a.size"
    if not sorter.shape.is_compatible_with(a.shape):
        raise ValueError(message)
    sorter = shapes.check_same_shape(a, sorter, message)
    highest = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    indices = tf.clip_by_value(tf.cast(sorter, tf.int64), 0, tf.maximum(highest, 0))
    error, static = ValueError("Sorter index out of range."), convert.static_value(sorter)
    if static is None:
        indices = check(tf.reduce_all(tf.equal(indices, tf.cast(sorter, tf.int64))), error, indices)
    elif np.any((static < 0) | (static >= static.size)):
        raise error
    return layout.take(a, indices, 0)


@array_function(promotes=("x",), weak=False, unknown_rank="each")
def digitize(x: Any, bins: Any, right: Any = False) -> tf.Tensor:
    """That bins are in order is checked where they are known; at run time they are taken to be, either way."""
    x, bins = to_tensor(x), to_tensor(bins)
    if x.dtype.is_complex:
        raise TypeError("x may not be complex")
    if shapes.rank(bins) != 1:
        raise ValueError("object too deep for desired array" if shapes.rank(bins) else "object of too small depth")
    dtypes.check_cast(dtypes.as_numpy(bins.dtype), np.dtype(np.float64), "safe", "array data")
    static = convert.static_value(bins)
    if static is not None:
        static = np.asarray(static, np.float64)
        rising, falling = bool((static[1:] >= static[:-1]).all()), bool((static[1:] <= static[:-1]).all())
        if not rising and not falling:
            raise ValueError("bins must be monotonically increasing or decreasing")
        return searchsorted(bins, x, "left" if right else "right") if rising else _falling(bins, x, right)
    rising = tf.reduce_all(bins[1:] >= bins[:-1])
    return tf.where(rising, searchsorted(bins, x, "left" if right else "right"), _falling(bins, x, right))


def _falling(bins: tf.Tensor, x: tf.Tensor, right: Any) -> tf.Tensor:
    index = searchsorted(tf.reverse(bins, [0]), x, "left" if right else "right")
    return tf.cast(shapes.shape(bins)[0], tf.int64) - index
