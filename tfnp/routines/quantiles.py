"""Medians, quantiles, percentiles, with and without nan."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, delivery, dtypes, moves, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.errors import refuse_tensor
from tfnp.routines import ufuncs
from tfnp.routines.folding import NOTHING, deliver
from tfnp.routines.kernels import folds, orders
from tfnp.routines.kernels.ranks import METHODS, Method
from tfnp.routines.missing import nanmean
from tfnp.routines.statistics import mean, weights_along

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


class Sample:
    """The elements along some axes in order, a row for each element of the result; nan last."""

    def __init__(self, a: tf.Tensor, axis: Any, keepdims: Any) -> None:
        self.axes = shapes.normalize_axes(axis, shapes.rank(a))
        self.axes = tuple(sorted(self.axes))
        rows, sides = folds.flattened(a, self.axes)
        self.unordered = rows
        self.sides = sides
        self.kept = (
            tuple(1 if number in self.axes else side for number, side in enumerate(sides))
            if keepdims
            else (tuple(side for number, side in enumerate(sides) if number not in self.axes))
        )
        self.order = orders.stable_order(orders.keys(rows))
        self.rows = orders.gather_rows(rows, self.order)
        self.length = shapes.shape(rows)[1]

    @property
    def last(self) -> tf.Tensor:
        return moves.take(self.rows, to_tensor(self.length - 1, tf.int64)[None], 1)[:, 0]

    @property
    def counts(self) -> tf.Tensor:
        """How many elements of each row are not nan."""
        return tf.reduce_sum(tf.cast(tf.logical_not(ufuncs.isnan(self.rows)), tf.int64), 1)


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> tf.Tensor:
    """Nan where there is one."""
    _check_out(out)
    sample = Sample(to_tensor(a), axis, keepdims)
    length = sample.length
    low, high = (length - 1) // 2 if length is not 0 else 0, length // 2  # noqa: F632 - may be a tensor
    middle = moves.part(sample.rows, 1, low, (high - low + 1) if length is not 0 else 0)  # noqa: F632
    result = mean(middle, 1)
    if length is not 0 and not (sample.rows.dtype.is_integer or sample.rows.dtype == tf.bool):  # noqa: F632
        result = moves.select(ufuncs.isnan(sample.last), sample.last, result)
    result = _shaped(result, sample.kept, None)
    return result if out is None else deliver(result, out, "median")


def _check_out(out: Any) -> None:
    if out is not None and not isinstance(out, tf.Variable):
        raise refuse_tensor("out", out)


def _shaped(result: tf.Tensor, sides: tuple[shapes.Side, ...], out: Any) -> tf.Tensor:
    """In the shape of the result, or assigned to `out`."""
    result = tf.reshape(result, shapes.pack(sides))
    return result if out is None else delivery.deliver(result, out, None, casting="unsafe")


def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = NOTHING
) -> tf.Tensor:
    """Nan where there is nothing else."""
    a = to_tensor(a)
    if a.shape.num_elements() == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    kept = keepdims is not NOTHING and keepdims
    _check_out(out)
    sample = Sample(a, axis, kept)
    counts = sample.counts
    places = tf.stack([tf.maximum(counts - 1, 0) // 2, tf.maximum(tf.minimum(counts // 2, counts - 1), 0)], axis=1)
    pair = orders.gather_rows(sample.rows, places)
    single = tf.equal(places[:, 0], places[:, 1])
    return _shaped(moves.select(single, pair[:, 0], mean(pair, 1)), sample.kept, out)


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
    share = ufuncs.true_divide(to_tensor(q), 100)
    return _quantile(a, q, share, axis, out, method, keepdims, weights, "Percentiles must be in the range [0, 100]")


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
    complaint = "Quantiles must be in the range [0, 1]"
    return _nanquantile(a, q, to_tensor(q), axis, out, method, keepdims, weights, complaint)


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
    share, complaint = ufuncs.true_divide(to_tensor(q), 100), "Percentiles must be in the range [0, 100]"
    return _nanquantile(a, q, share, axis, out, method, keepdims, weights, complaint)


def _checked(a: Any, q: tf.Tensor, method: Any, weights: Any, complaint: str) -> tuple[tf.Tensor, Method]:
    a = to_tensor(a)
    if a.dtype.is_complex:
        raise TypeError("a must be an array of real numbers")
    known = convert.static_value(q)
    if q.shape.num_elements() == 0 and shapes.rank(q) != 1:
        raise ValueError("zero-size array to reduction operation minimum which has no identity")
    if known is not None and not np.all((np.asarray(known) >= 0) & (np.asarray(known) <= 1)):
        raise ValueError(complaint)
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    if shapes.rank(q) > 2:
        raise ValueError("q must be a scalar or 1d")
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {', '.join(METHODS)}")
    return a, METHODS[method]


def _quantile(
    a: Any,
    given: Any,
    q: tf.Tensor,
    axis: Any,
    out: Any,
    method: Any,
    keepdims: Any,
    weights: Any,
    complaint: str,
    *,
    assigns: bool = False,
) -> tf.Tensor:
    _check_out(out)
    a, how = _checked(a, q, method, weights, complaint)
    sample = Sample(a, axis, keepdims)
    flat = tf.reshape(q, (-1,))
    if weights is not None:
        result = _weighted(a, sample, flat, weights)
    else:
        if sample.length is 0 and flat.shape[0] != 0:  # noqa: F632 - may be a tensor
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        n = sample.length if isinstance(sample.length, int) else tf.cast(sample.length, flat.dtype)
        places = _places(how, n, flat)
        result = _at(sample.rows, n, places[:, None], how, weak=type(given) in (int, float))
    if a.dtype.is_floating:
        last = sample.last[None, :]
        result = moves.select(ufuncs.isnan(last), convert.cast(last, result.dtype), result)
    sides = (*shapes.shape(q), *sample.kept)
    if out is not None and not assigns:
        _check_taken(a, result, sides, out, how.weight is None or weights is not None)
    return _shaped(result, sides, out)


def _check_taken(
    a: tf.Tensor, result: tf.Tensor, sides: tuple[shapes.Side, ...], out: tf.Variable, whole: bool
) -> None:
    """What NumPy takes straight from the array goes to an `out` of its shape; what it calculates may broadcast."""
    if not whole:
        dtypes.check_cast(dtypes.as_numpy(result.dtype), dtypes.as_numpy(out.dtype), "same_kind", "ufunc 'add' output")
        return
    dtypes.check_cast(dtypes.as_numpy(out.dtype), dtypes.as_numpy(a.dtype), "safe", "array data")
    if shapes.is_static(sides) and tuple(out.shape) != tuple(sides):
        raise ValueError("output array does not match result of ndarray.take")


def _places(how: Method, n: Any, q: tf.Tensor) -> tf.Tensor:
    return how.place(n, q)


def _at(rows: tf.Tensor, n: Any, places: tf.Tensor, how: Method, *, weak: bool) -> tf.Tensor:
    """For each place, a row, the elements there; between two elements, in the proportion of the fraction."""
    count = shapes.shape(rows)[0]
    if how.weight is None or places.dtype.is_integer:
        return _taken(rows, n, places, count)
    before = ufuncs.floor(places)
    after = ufuncs.add(before, 1)
    above, below = ufuncs.greater_equal(places, ufuncs.subtract(n, 1)), ufuncs.less(places, 0)
    minus, zero = tf.cast(-1, places.dtype), tf.cast(0, places.dtype)
    before, after = (tf.where(above, minus, tf.where(below, zero, place)) for place in (before, after))
    weight = convert.cast(how.weight(ufuncs.subtract(places, before), places), places.dtype)
    low, high = (_taken(rows, n, tf.cast(place, tf.int64), count) for place in (before, after))
    return _interpolated(low, high, weight, weak)


def _taken(rows: tf.Tensor, n: Any, places: tf.Tensor, count: shapes.Side) -> tf.Tensor:
    """Elements of each row at places that are the same for all rows, or its own; -1 stands for the last there is."""
    whole = tf.cast(n, tf.int64)
    places = tf.where(places < 0, tf.maximum(whole - 1, 0), places)
    wide = shapes.broadcast_to(places, (shapes.shape(places)[0], count))
    return moves.transpose(orders.gather_rows(rows, moves.transpose(wide, (1, 0))), (1, 0))


def _interpolated(low: tf.Tensor, high: tf.Tensor, weight: tf.Tensor, weak: bool) -> tf.Tensor:
    """From the nearer end. A weight that came of a Python number is weak."""
    upper = ufuncs.greater_equal(weight, 0.5)
    rest = ufuncs.subtract(1, weight)
    if weak:
        kind = dtypes.result_type(low, 0.0)
        weight, rest = convert.cast(weight, kind), convert.cast(rest, kind)
    difference = ufuncs.subtract(high, low)
    first = ufuncs.add(low, ufuncs.multiply(difference, weight))
    second = ufuncs.subtract(high, ufuncs.multiply(difference, rest))
    return tf.where(upper, second, first)


def _weighted(a: tf.Tensor, sample: Sample, q: tf.Tensor, weights: Any) -> tf.Tensor:
    """The first element at which the share of weights reaches the quantile."""
    weights = to_tensor(weights)
    axes = None if len(sample.axes) == shapes.rank(a) and shapes.rank(weights) == shapes.rank(a) else sample.axes
    weights = shapes.broadcast_to(weights_along(weights, a, axes), shapes.shape(a))
    known = convert.static_value(weights)
    if known is not None and np.any(known < 0):
        raise ValueError("Weights must be non-negative.")
    flat = orders.gather_rows(folds.flattened(convert.cast(weights, tf.float64), sample.axes)[0], sample.order)
    reached = tf.cumsum(flat, 1)
    reached = ufuncs.divide(reached, reached[:, -1:])
    total = convert.static_value(reached)
    if total is not None and np.isnan(np.asarray(total)[:, -1:]).any():
        raise ValueError("Weights included NaN, inf or were all zero.")
    if q.dtype.is_floating:
        reached = convert.cast(reached, q.dtype)
    reached = tf.where(ufuncs.equal(reached, 0), tf.cast(-1, reached.dtype), reached)
    before = ufuncs.less(reached[None, :, :], q[:, None, None])
    places = tf.minimum(tf.reduce_sum(tf.cast(before, tf.int64), 2), tf.cast(sample.length, tf.int64) - 1)
    return _taken(sample.rows, sample.length, places, shapes.shape(sample.rows)[0])


def _nanquantile(
    a: Any, given: Any, q: tf.Tensor, axis: Any, out: Any, method: Any, keepdims: Any, weights: Any, complaint: str
) -> tf.Tensor:
    kept = False if keepdims is NOTHING else keepdims
    a = to_tensor(a)
    a, how = _checked(a, q, method, weights, complaint)
    if a.shape.num_elements() == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    if not a.dtype.is_floating or weights is not None:
        return _quantile(a, given, q, axis, out, method, kept, weights, complaint, assigns=True)
    _check_out(out)
    sample = Sample(a, axis, kept)
    flat = tf.reshape(q, (-1, 1))
    counts = tf.cast(sample.counts, flat.dtype)[None, :]
    weak = type(given) in (int, float)
    result = _at(sample.rows, counts, _places(how, counts, flat), how, weak=weak)
    none = ufuncs.equal(counts, 0)
    result = moves.select(none, convert.from_numpy(np.array(np.nan, dtypes.as_numpy(result.dtype))), result)
    return _shaped(result, (*shapes.shape(q), *sample.kept), out)
