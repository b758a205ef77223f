"""Quantiles and percentiles, with and without nan, by all of NumPy's methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.ufunc.options import as_output
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.sort import sort_keys
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import broadcast_weights
from tfnp.routines.statistics.medians import (
    NOTHING,
    SortedSample,
    assign_to_out,
    check_exact_out,
    check_out,
    reshape_rows,
)
from tfnp.routines.statistics.nanfunctions import nanmean
from tfnp.routines.statistics.quantile_methods import METHODS, Method, last_place

__all__ = ["nanpercentile", "nanquantile", "percentile", "quantile"]


def _in_a_row(function: Callable[..., tf.Tensor]) -> Callable[..., tf.Tensor]:
    """Around a function of quantiles: those whose rank is unknown are found as if they were in a row. Only in a row may
    there be none. Of several axes, ranks may lie otherwise: see `_turned`.
    """

    @functools.wraps(function)
    def found(a: Any, q: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
        out = kwargs.get("out", args[1] if len(args) > 1 else None)
        if not isinstance(q, tf.Tensor) or q.shape.is_fully_defined() or q.shape.rank == 1 or out is not None:
            return function(a, q, *args, **kwargs)
        is_valid = (tf.rank(q) <= 2) & ((tf.size(q) > 0) | tf.equal(tf.rank(q), 1))
        q = check(is_valid, ValueError("q must be a scalar or 1d"), q)
        axis = kwargs.get("axis", args[0] if args else None)
        if isinstance(axis, tuple) and len(axis) != 1:
            return function(a, q, *args, **kwargs)
        row = function(a, tf.reshape(q, (-1,)), *args, **kwargs)
        return tf.reshape(row, tf.concat([tf.shape(q), tf.shape(row)[1:]], 0))

    return found


@array_function(promotes=("a", "weights"))
@_in_a_row
@array_function(unknown_rank="each")
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> tf.Tensor:
    return _quantile(a, q, to_tensor(q), axis, out, method, keepdims, weights, "Quantiles must be in the range [0, 1]")


@array_function(promotes=("a", "weights"))
@_in_a_row
@array_function(unknown_rank="each")
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = False,
    *,
    weights: Any = None,
) -> tf.Tensor:
    share = _hundredths(q)
    return _quantile(a, q, share, axis, out, method, keepdims, weights, "Percentiles must be in the range [0, 100]")


@array_function(promotes=("a", "weights"))
@_in_a_row
@array_function(unknown_rank="each")
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = NOTHING,
    *,
    weights: Any = None,
) -> tf.Tensor:
    message = "Quantiles must be in the range [0, 1]"
    return _nanquantile(a, q, to_tensor(q), axis, out, method, keepdims, weights, message)


@array_function(promotes=("a", "weights"))
@_in_a_row
@array_function(unknown_rank="each")
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: Any = False,
    method: Any = "linear",
    keepdims: Any = NOTHING,
    *,
    weights: Any = None,
) -> tf.Tensor:
    share, message = _hundredths(q), "Percentiles must be in the range [0, 100]"
    return _nanquantile(a, q, share, axis, out, method, keepdims, weights, message)


def _hundredths(q: Any) -> tf.Tensor:
    """What is no tensor is divided here and now, so that its bounds can be checked."""
    operand = convert.to_operand(q)
    if isinstance(operand, np.ndarray) and operand.dtype != dtypes.BFLOAT16:
        return to_tensor(np.true_divide(operand, 100))
    return ufuncs.true_divide(to_tensor(operand), 100)


def _checked(a: Any, q: tf.Tensor, method: Any, weights: Any, message: str) -> tuple[tf.Tensor, Method]:
    a = to_tensor(a)
    if a.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    static = convert.static_value(q)
    if q.shape.num_elements() == 0 and shapes.rank(q) != 1:
        raise ValueError("zero-size array to reduction operation minimum which has no identity")
    if static is not None and not np.all((np.asarray(static) >= 0) & (np.asarray(static) <= 1)):
        raise ValueError(message)
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if shapes.rank(q) > 2:
        raise ValueError("q must be a scalar or 1d")
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join(METHODS)}")
    return a, METHODS[method]


def _quantile(
    a: Any, given: Any, q: tf.Tensor, axis: Any, out: Any, method: Any, keepdims: Any, weights: Any, message: str
) -> tf.Tensor:
    out = as_output(out) if isinstance(out, tuple) else out
    check_out(out)
    a, how = _checked(a, q, method, weights, message)
    sample = SortedSample(a, axis, keepdims)
    sample.merge()
    flat = tf.reshape(q, (-1,))
    if weights is not None:
        result, taken = _weighted(sample, flat, _weights(weights, a, axis, sample)), True
    else:
        if sample.is_empty and (flat.shape[0] != 0 or a.dtype.is_floating):  # the last is asked whether it is nan
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        n = sample.length if isinstance(sample.length, int) else tf.cast(sample.length, flat.dtype)
        indices = how.place(n, flat)
        taken = _is_whole(how, indices)
        result = _at(sample.rows, n, indices[:, None], how, weak=type(given) in (int, float))
    if a.dtype.is_floating:
        last = sample.last[None, :]
        result = layout.select(ufuncs.isnan(last), convert.cast(last, result.dtype), result)
        if weights is None and shapes.rank(q) == 0 and not sample.others and _is_known_nan(last):
            result = convert.cast(result, a.dtype)  # a single one, which NumPy takes as it is
    if out is not None and taken:
        result = check_exact_out(result, (*shapes.shape(q), *sample.others), sample, out)
    if out is not None and weights is None:
        _check_cast(a, result, out, taken)
    return reshape_rows(result, shapes.shape(q), sample, out)


def _is_known_nan(last: tf.Tensor) -> bool:
    static = convert.static_value(last)
    return static is not None and bool(np.isnan(static).all())


def _check_cast(a: tf.Tensor, result: tf.Tensor, out: tf.Variable, taken: bool) -> None:
    """What NumPy takes straight from the array it casts otherwise than what it calculates."""
    source, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(out.dtype)
    if taken:
        dtypes.check_cast(target, dtypes.as_numpy(a.dtype), "safe", "array data")
    else:
        dtypes.check_cast(source, target, "same_kind", "ufunc 'add' output")


def _is_whole(how: Method, indices: tf.Tensor) -> bool:
    """Whether each place is that of an element."""
    return how.weight is None or (indices.dtype.is_integer and how is METHODS["linear"])


def _at(rows: tf.Tensor, n: Any, indices: tf.Tensor, how: Method, *, weak: bool) -> tf.Tensor:
    """For each place, a row, the elements there; between two elements, in the proportion of the fraction."""
    count = shapes.shape(rows)[0]
    if how.weight is None or _is_whole(how, indices):
        return _taken(rows, n, indices, count)
    before = ufuncs.floor(indices)
    after = ufuncs.add(before, 1)
    above, below = ufuncs.greater_equal(indices, last_place(n)), ufuncs.less(indices, 0)
    minus, zero = tf.cast(-1, indices.dtype), tf.cast(0, indices.dtype)
    before, after = (tf.where(above, minus, tf.where(below, zero, index)) for index in (before, after))
    weight = convert.cast(how.weight(ufuncs.subtract(indices, before), indices), indices.dtype)
    low, high = (_taken(rows, n, tf.cast(index, tf.int64), count) for index in (before, after))
    return _interpolated(low, high, weight, weak)


def _taken(rows: tf.Tensor, n: Any, indices: tf.Tensor, count: shapes.Dim) -> tf.Tensor:
    """Elements of each row at places that are the same for all rows, or its own; -1 stands for the last there is."""
    whole = tf.cast(n, tf.int64)
    indices = tf.where(indices < 0, tf.maximum(whole - 1, 0), indices)
    upcast = shapes.broadcast_to(indices, (shapes.shape(indices)[0], count))
    return layout.transpose(sort_keys.gather_rows(rows, layout.transpose(upcast, (1, 0))), (1, 0))


def _interpolated(low: tf.Tensor, high: tf.Tensor, weight: tf.Tensor, weak: bool) -> tf.Tensor:
    """From the nearer end. A weight that came of a Python number is weak."""
    upper = ufuncs.greater_equal(weight, 0.5)
    remaining = ufuncs.subtract(1, weight)
    if weak:
        kind = dtypes.result_type(low, 0.0)
        weight, remaining = convert.cast(weight, kind), convert.cast(remaining, kind)
    difference = ufuncs.subtract(high, low)
    first = ufuncs.add(low, ufuncs.multiply(difference, weight))
    second = ufuncs.subtract(high, ufuncs.multiply(difference, remaining))
    return tf.where(upper, second, first)


def _weights(weights: Any, a: tf.Tensor, axis: Any, sample: SortedSample) -> tf.Tensor:
    """A weight for each element, in the order of the sample."""
    axes = None if axis is None else shapes.normalize_axes(axis, shapes.rank(a), "axis")
    whole = shapes.broadcast_to(broadcast_weights(to_tensor(weights), a, axes), shapes.shape(a))
    static = convert.static_value(whole)
    if static is not None and np.any(static < 0):
        raise ValueError("Weights must be non-negative.")
    return sort_keys.gather_rows(over_axes.flatten_axes(convert.cast(whole, tf.float64), sample.axes)[0], sample.order)


def _weighted(sample: SortedSample, q: tf.Tensor, weights: tf.Tensor, counts: tf.Tensor | None = None) -> tf.Tensor:
    """The first element at which the share of weights reaches the quantile; of so many elements in each row."""
    reached = tf.cumsum(weights, 1)
    reached = ufuncs.divide(reached, reached[:, -1:])
    bad = ufuncs.isnan(reached[:, -1]) if counts is None else ufuncs.isnan(reached[:, -1]) & tf.greater(counts, 0)
    if convert.static_value(tf.reduce_any(bad)):
        raise ValueError("Weights included NaN, inf or were all zero.")
    if q.dtype.is_floating:
        reached = convert.cast(reached, q.dtype)
    reached = tf.where(ufuncs.equal(reached, 0), tf.cast(-1, reached.dtype), reached)
    before = ufuncs.less(reached[None, :, :], q[:, None, None])
    last = tf.cast(sample.length, tf.int64) if counts is None else tf.maximum(counts, 1)
    indices = tf.minimum(tf.reduce_sum(tf.cast(before, tf.int64), 2), last - 1)
    return _taken(sample.rows, sample.length, indices, shapes.shape(sample.rows)[0])


def _nanquantile(
    a: Any, given: Any, q: tf.Tensor, axis: Any, out: Any, method: Any, keepdims: Any, weights: Any, message: str
) -> tf.Tensor:
    a, how = _checked(a, q, method, weights, message)
    if a.shape.num_elements() == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    check_out(out)
    sample = SortedSample(a, axis, keepdims is not NOTHING and keepdims)
    with_nan = sample.fill() if weights is None else None
    flat = tf.cast(q, tf.int64) if q.dtype == tf.bool else q
    flat, counted = tf.reshape(flat, (-1, 1)), sample.counts
    counts = tf.cast(counted, flat.dtype)[None, :]
    if weights is not None:
        result = _weighted(sample, flat[:, 0], _weights_of_numbers(weights, a, axis, sample), counted)
    else:
        result = _at(sample.rows, counts, how.place(counts, flat), how, weak=type(given) in (int, float))
    if with_nan is not None and result.dtype.is_floating:
        result = with_nan(result)
    if a.dtype.is_floating:
        nan = convert.from_numpy(np.array(np.nan, dtypes.as_numpy(result.dtype)))
        result = layout.select(tf.equal(counted, 0)[None, :], nan, result)
        if result.dtype != a.dtype and _begins_with_nothing(counted):
            result = convert.cast(result, a.dtype)
    if out is not None and shapes.rank(q) == 0 and (axis is None or not sample.others):
        weighing = [] if weights is None else [to_tensor(weights)]
        result = assign_to_out(result, out, functools.partial(_found, axis, method), a, q, *weighing)
    if shapes.rank(q) == 2 and axis is not None and len(sample.axes) != 1 and sample.others:
        return _turned(result, shapes.shape(q), sample, out)
    return reshape_rows(result, shapes.shape(q), sample, out)


def _found(axis: Any, method: str, a: np.ndarray, q: np.ndarray, weights: np.ndarray | None = None) -> Any:
    return np.nanquantile(a, q, axis, method=method, weights=weights)


def _begins_with_nothing(counts: tf.Tensor) -> bool:
    """Whether the first row, of whose dtype NumPy makes all, is known to be nothing but nan, and so keeps its own."""
    static = convert.static_value(counts)
    return static is not None and static.size > 0 and not static.flat[0]


def _turned(result: tf.Tensor, lead: tuple[shapes.Dim, ...], sample: SortedSample, out: Any) -> Any:
    """Of a matrix of quantiles along several axes, NumPy puts the rows last, and the columns first."""
    whole = tf.reshape(result, shapes.shape_tensor((*lead, *sample.others)))
    whole = layout.move_axis(whole, 0, shapes.rank(whole) - 1)
    first, sample.others = sample.others[0], (*sample.others[1:], lead[0])
    return reshape_rows(whole, (lead[1], first), sample, out)


def _weights_of_numbers(weights: Any, a: tf.Tensor, axis: Any, sample: SortedSample) -> tf.Tensor:
    """Weights, zero for what is nan. NumPy finds those of one axis for the first of the other axes only."""
    weights = to_tensor(weights)
    found = _weights(weights, a, axis, sample)
    if not weights.shape.is_compatible_with(a.shape) and any(dim != 1 for dim in sample.others):
        raise IndexError("weights must have the shape of the array, where nan is left out along one of several axes")
    return layout.select(ufuncs.isnan(sample.rows), tf.zeros((), found.dtype), found)
