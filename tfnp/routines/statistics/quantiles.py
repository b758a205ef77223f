"""Quantiles and percentiles, with and without nan, by all of NumPy's methods."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import is_watched
from tfnp._core.edge import array_function
from tfnp._core.outputs import as_variable
from tfnp._core.parameters import ArrayLike, AxisLike, Out
from tfnp._core.ufunc.options import NO_VALUE, as_output
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.select_rare import replace_rare
from tfnp._kernels.sort import sort_keys
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import broadcast_weights
from tfnp.routines.statistics.nanfunctions import nanmean
from tfnp.routines.statistics.quantile_methods import METHODS, QuantileMethod, last_position
from tfnp.routines.statistics.sorted_sample import (
    SortedSample,
    assign_to_out,
    check_exact_out,
    reshape_rows,
)

__all__ = ["nanpercentile", "nanquantile", "percentile", "quantile"]

_FLOATS: Final = (tf.float32, tf.float64)


def _flatten_q(function: Callable[..., tf.Tensor]) -> Callable[..., tf.Tensor]:
    """Return a function that flattens a `q` of unknown rank, and restores its shape in the result.

    Along several axes the order of the result depends on the rank of `q`, which is not flattened then: see
    `_move_quantiles_last`.
    """

    @functools.wraps(function)
    def wrapper(a: Any, q: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
        out = kwargs.get("out", args[1] if len(args) > 1 else None)
        if not isinstance(q, tf.Tensor) or q.shape.is_fully_defined() or q.shape.rank == 1 or out is not None:
            return function(a, q, *args, **kwargs)
        is_valid = (tf.rank(q) <= 2) & ((tf.size(q) > 0) | tf.equal(tf.rank(q), 1))
        q = check(is_valid, ValueError("q must be a scalar or 1d"), q)
        axis = kwargs.get("axis", args[0] if args else None)
        if isinstance(axis, tuple) and len(axis) != 1:
            return function(a, q, *args, **kwargs)
        flat = function(a, tf.reshape(q, (-1,)), *args, **kwargs)
        return tf.reshape(flat, tf.concat([tf.shape(q), tf.shape(flat)[1:]], 0))

    return wrapper


@array_function(promotes=("a", "weights"), traces=("a",))
@_flatten_q
@array_function(unknown_rank="each")
def quantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> tf.Tensor:
    """The quantile of a slice that contains nan is nan. `overwrite_input` has no effect.

    A graph checks the range of `q` and the `weights` when it runs, XLA does not. Negative `weights` raise ValueError
    while tracing where they are static. Gradients flow to the elements of `a` from which the result is interpolated.
    """
    message = "Quantiles must be in the range [0, 1]"
    return _compute_quantiles(a, q, to_tensor(q), axis, out, method, keepdims, weights, message)


@array_function(promotes=("a", "weights"), traces=("a",))
@_flatten_q
@array_function(unknown_rank="each")
def percentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: ArrayLike | None = None,
) -> tf.Tensor:
    """The percentile of a slice that contains nan is nan. `overwrite_input` has no effect.

    A graph checks the range of `q` and the `weights` when it runs, XLA does not. Negative `weights` raise ValueError
    while tracing where they are static. Gradients flow to the elements of `a` from which the result is interpolated.
    """
    fraction, message = _divide_by_100(q), "Percentiles must be in the range [0, 100]"
    return _compute_quantiles(a, q, fraction, axis, out, method, keepdims, weights, message)


@array_function(promotes=("a", "weights"), traces=("a",))
@_flatten_q
@array_function(unknown_rank="each")
def nanquantile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = NO_VALUE,
    *,
    weights: ArrayLike | None = None,
) -> tf.Tensor:
    """The quantile of a slice of nan only is nan, without a RuntimeWarning. `overwrite_input` has no effect.

    A graph checks the range of `q` and the `weights` when it runs, XLA does not. `weights` of a single axis raise
    IndexError, unless all other axes have length 1.
    """
    message = "Quantiles must be in the range [0, 1]"
    return _compute_nanquantiles(a, q, to_tensor(q), axis, out, method, keepdims, weights, message)


@array_function(promotes=("a", "weights"), traces=("a",))
@_flatten_q
@array_function(unknown_rank="each")
def nanpercentile(
    a: ArrayLike,
    q: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = NO_VALUE,
    *,
    weights: ArrayLike | None = None,
) -> tf.Tensor:
    """The percentile of a slice of nan only is nan, without a RuntimeWarning. `overwrite_input` has no effect.

    A graph checks the range of `q` and the `weights` when it runs, XLA does not. `weights` of a single axis raise
    IndexError, unless all other axes have length 1.
    """
    fraction, message = _divide_by_100(q), "Percentiles must be in the range [0, 100]"
    return _compute_nanquantiles(a, q, fraction, axis, out, method, keepdims, weights, message)


def _divide_by_100(q: Any) -> tf.Tensor:
    """Return `q / 100`. Arrays are divided on the host, so that the range can be checked in a graph."""
    operand = convert.to_operand(q)
    if isinstance(operand, np.ndarray) and operand.dtype != dtypes.BFLOAT16:
        return to_tensor(np.true_divide(operand, 100))
    return ufuncs.true_divide(to_tensor(operand), 100)


def _check_arguments(
    a: Any, q: tf.Tensor, method: Any, weights: Any, message: str
) -> tuple[tf.Tensor, tf.Tensor, QuantileMethod]:
    """Raise NumPy's errors for invalid arguments. Return the array, the fractions and the method."""
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
    if static is None and q.dtype != tf.bool:
        q = check(tf.reduce_all(tf.logical_and(q >= 0, q <= 1)), ValueError(message), q)
    return a, q, METHODS[method]


def _compute_quantiles(
    a: Any, original_q: Any, q: tf.Tensor, axis: Any, out: Any, method: Any, keepdims: Any, weights: Any, message: str
) -> tf.Tensor:
    """Return the quantiles of elements without nan, for `q` as the user passed it and as fractions."""
    out = as_output(out) if isinstance(out, tuple) else out
    as_variable(out)
    a, q, rule = _check_arguments(a, q, method, weights, message)
    sample = SortedSample(a, axis, keepdims)
    sample.check_merged_axes()
    static = None if is_watched(q) else convert.static_value(q)  # as a constant it would have no gradient
    has_no_options = rule is METHODS["linear"] and weights is None and out is None and not sample.is_empty
    if has_no_options and static is not None and q.dtype in _FLOATS and a.dtype in _FLOATS and sample.is_short:
        return _interpolate_at(sample, np.asarray(static), weak=type(original_q) in (int, float))
    flat_q = tf.reshape(q, (-1,))
    if weights is not None:
        if sample.is_empty:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        result, selects = _find_weighted_quantiles(sample, flat_q, _sort_weights(weights, a, axis, sample)), True
    else:
        if sample.is_empty and (flat_q.shape[0] != 0 or a.dtype.is_floating):  # NumPy checks the last for nan
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        n = sample.length if isinstance(sample.length, int) else tf.cast(sample.length, flat_q.dtype)
        positions = rule.position(n, flat_q)
        selects = _are_elements(rule, positions)
        result = _interpolate_rows(sample, n, positions[:, None], rule, weak=type(original_q) in (int, float))
    if a.dtype.is_floating:
        last = sample.last_elements[None, :]
        result = layout.select(ufuncs.isnan(last), convert.cast(last, result.dtype), result)
        if weights is None and shapes.rank(q) == 0 and not sample.remaining_dims and _is_static_nan(last):
            result = convert.cast(result, a.dtype)  # NumPy returns a single nan as it is
    if out is not None and selects:
        result = check_exact_out(result, (*shapes.shape(q), *sample.remaining_dims), sample, out)
    if out is not None and weights is None:
        _check_cast(a, result, out, selects)
    return reshape_rows(result, shapes.shape(q), sample, out)


def _interpolate_at(sample: SortedSample, q: np.ndarray, *, weak: bool) -> tf.Tensor:
    """Return the linear quantiles of floats at static fractions: NumPy calculates their positions."""
    n, flat_q = sample.length, q.reshape(-1)
    positions = np.multiply(n - 1, flat_q)
    before = np.floor(positions)
    is_above, is_below = positions >= n - 1, positions < 0
    before, after = (
        np.where(is_above, -1, np.where(is_below, 0, part)).astype(q.dtype) for part in (before, before + 1)
    )
    indices = np.concatenate([before, after, [-1]]).astype(np.int64) % n
    elements = layout.take(sample.rows, convert.as_constant(indices), 1)
    elements = layout.transpose(elements, (1, 0))
    low, high, last = ops.split_v(elements, shapes.const_int((q.size, q.size, 1)), shapes.const_int(0), 3)
    result = _interpolate_by(low, high, (positions - before)[:, None], weak)
    result = replace_rare(result, ops.is_nan(last), lambda: convert.cast(last, result.dtype))
    if q.ndim == 0 and not sample.remaining_dims and _is_static_nan(last):
        result = convert.cast(result, sample.dtype)  # NumPy returns a single nan as it is
    return reshape_rows(result, q.shape, sample, None)


def _interpolate_by(low: tf.Tensor, high: tf.Tensor, weight: np.ndarray, weak: bool) -> tf.Tensor:
    """Interpolate from the nearer end, as `_interpolate` does, with static weights."""
    dtype = low.dtype if weak else dtypes.result_type(low, convert.as_constant(weight))
    is_nearer_high = weight >= 0.5
    difference = convert.cast(ops.subtract(high, low), dtype)
    low, high = convert.cast(low, dtype), convert.cast(high, dtype)
    weight, one_minus_weight = (
        convert.as_constant(part.astype(dtypes.as_numpy(dtype))) for part in (weight, 1 - weight)
    )
    if is_nearer_high.all():
        return ops.subtract(high, ops.multiply(difference, one_minus_weight))
    from_low = ops.add(low, ops.multiply(difference, weight))
    if not is_nearer_high.any():
        return from_low
    from_high = ops.subtract(high, ops.multiply(difference, one_minus_weight))
    return layout.select(convert.as_constant(is_nearer_high), from_high, from_low)


def _is_static_nan(last: tf.Tensor) -> bool:
    static = convert.static_value(last)
    return static is not None and bool(np.isnan(static).all())


def _check_cast(a: tf.Tensor, result: tf.Tensor, out: tf.Variable, selects: bool) -> None:
    """Check the cast to `out`: by rule "safe" for elements of the array, "same_kind" for interpolated values."""
    source, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(out.dtype)
    if selects:
        dtypes.check_cast(target, dtypes.as_numpy(a.dtype), "safe", "array data")
    else:
        dtypes.check_cast(source, target, "same_kind", "ufunc 'add' output")


def _are_elements(method: QuantileMethod, positions: tf.Tensor) -> bool:
    """Return whether all positions are those of elements, between which nothing is interpolated."""
    return method.weight is None or (positions.dtype.is_integer and method is METHODS["linear"])


def _interpolate_rows(
    sample: SortedSample, n: Any, positions: tf.Tensor, method: QuantileMethod, *, weak: bool
) -> tf.Tensor:
    """Return the elements of each row at the positions, interpolated where these lie between two elements."""
    if _are_elements(method, positions):
        return _gather_positions(sample, n, positions)
    before = ufuncs.floor(positions)
    after = ufuncs.add(before, 1)
    is_above, is_below = ufuncs.greater_equal(positions, last_position(n)), ufuncs.less(positions, 0)
    minus, zero = tf.cast(-1, positions.dtype), tf.cast(0, positions.dtype)
    before, after = (tf.where(is_above, minus, tf.where(is_below, zero, position)) for position in (before, after))
    assert method.weight is not None  # else all positions are those of elements
    weight = convert.cast(method.weight(ufuncs.subtract(positions, before), positions), positions.dtype)
    neighbors = _gather_positions(sample, n, tf.cast(tf.concat([before, after], 0), tf.int64))
    low, high = tf.split(neighbors, 2)
    return _interpolate(low, high, weight, weak)


def _gather_positions(sample: SortedSample, n: Any, positions: tf.Tensor) -> tf.Tensor:
    """Return the elements of each row at positions: the same for all rows, or others for each. -1 is the last."""
    length = tf.cast(n, tf.int64)
    positions = tf.where(positions < 0, tf.maximum(length - 1, 0), positions)
    broadcast = shapes.broadcast_to(positions, (shapes.shape(positions)[0], sample.row_count))
    return layout.transpose(sample.take(layout.transpose(broadcast, (1, 0))), (1, 0))


def _interpolate(low: tf.Tensor, high: tf.Tensor, weight: tf.Tensor, weak: bool) -> tf.Tensor:
    """Return low + (high - low) * weight, calculated from the nearer end. With `weak`, the weight is a weak scalar."""
    is_nearer_high = ufuncs.greater_equal(weight, 0.5)
    one_minus_weight = ufuncs.subtract(1, weight)
    if weak:
        dtype = dtypes.result_type(low, 0.0)
        weight, one_minus_weight = convert.cast(weight, dtype), convert.cast(one_minus_weight, dtype)
    difference = ufuncs.subtract(high, low)
    from_low = ufuncs.add(low, ufuncs.multiply(difference, weight))
    from_high = ufuncs.subtract(high, ufuncs.multiply(difference, one_minus_weight))
    return tf.where(is_nearer_high, from_high, from_low)


_UNUSABLE_WEIGHTS: Final = "Weights included NaN, inf or were all zero."


def _sort_weights(weights: Any, a: tf.Tensor, axis: Any, sample: SortedSample, *, skips_nan: bool = False) -> tf.Tensor:
    """Return the weight of each element, in the order of the sample. Raise ValueError for wrong static weights, but not
    for those that may belong to nan, with `skips_nan`.
    """
    axes = None if axis is None else shapes.normalize_axes(axis, shapes.rank(a), "axis")
    broadcast = shapes.broadcast_to(broadcast_weights(to_tensor(weights), a, axes), shapes.shape(a))
    static = convert.static_value(broadcast)
    if static is not None and np.any(static < 0):
        raise ValueError("Weights must be non-negative.")
    if static is not None and not skips_nan:
        totals = np.sum(static, tuple(sample.axes), dtype=np.float64)
        if not (np.isfinite(totals) & (totals > 0)).all():
            raise ValueError(_UNUSABLE_WEIGHTS)
    rows = over_axes.flatten_axes(convert.cast(broadcast, tf.float64), sample.axes)[0]
    if static is None:
        is_negative = tf.reduce_any(tf.less(rows, 0.0))
        rows = check(tf.logical_not(is_negative), ValueError("Weights must be non-negative."), rows)
    return sort_keys.gather_rows(rows, sample.order)


def _find_weighted_quantiles(
    sample: SortedSample, q: tf.Tensor, weights: tf.Tensor, counts: tf.Tensor | None = None
) -> tf.Tensor:
    """Return the first element of each row at which the cumulative weight reaches the quantile.

    `counts` has the number of elements of each row that are not nan; None stands for all.
    """
    cdf = tf.cumsum(weights, 1)
    cdf = ufuncs.divide(cdf, cdf[:, -1:])
    is_invalid = ufuncs.isnan(cdf[:, -1]) if counts is None else ufuncs.isnan(cdf[:, -1]) & tf.greater(counts, 0)
    cdf = check(tf.logical_not(tf.reduce_any(is_invalid)), ValueError(_UNUSABLE_WEIGHTS), cdf)
    if q.dtype.is_floating:
        cdf = convert.cast(cdf, q.dtype)
    cdf = tf.where(ufuncs.equal(cdf, 0), tf.cast(-1, cdf.dtype), cdf)
    is_before = ufuncs.less(cdf[None, :, :], q[:, None, None])
    last = tf.cast(sample.length, tf.int64) if counts is None else tf.maximum(counts, 1)
    positions = tf.minimum(tf.reduce_sum(tf.cast(is_before, tf.int64), 2), last - 1)
    return _gather_positions(sample, sample.length, positions)


def _compute_nanquantiles(
    a: Any, original_q: Any, q: tf.Tensor, axis: Any, out: Any, method: Any, keepdims: Any, weights: Any, message: str
) -> tf.Tensor:
    """Return the quantiles of the elements that are not nan, for `q` as the user passed it and as fractions."""
    a, q, rule = _check_arguments(a, q, method, weights, message)
    if a.shape.num_elements() == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    as_variable(out)
    sample = SortedSample(a, axis, keepdims is not NO_VALUE and keepdims)
    set_nan = sample.pad_empty_rows() if weights is None else None
    flat_q = tf.cast(q, tf.int64) if q.dtype == tf.bool else q
    flat_q, counts_per_row = tf.reshape(flat_q, (-1, 1)), sample.counts
    counts = tf.cast(counts_per_row, flat_q.dtype)[None, :]
    if weights is not None:
        row_weights = _sort_weights_without_nan(weights, a, axis, sample)
        result = _find_weighted_quantiles(sample, flat_q[:, 0], row_weights, counts_per_row)
    else:
        result = _interpolate_rows(
            sample, counts, rule.position(counts, flat_q), rule, weak=type(original_q) in (int, float)
        )
    if set_nan is not None and result.dtype.is_floating:
        result = set_nan(result)
    if a.dtype.is_floating:
        nan = convert.from_numpy(np.array(np.nan, dtypes.as_numpy(result.dtype)))
        result = layout.select(tf.equal(counts_per_row, 0)[None, :], nan, result)
        if result.dtype != a.dtype and _is_first_row_nan(counts_per_row):
            result = convert.cast(result, a.dtype)
    if out is not None and shapes.rank(q) == 0 and (axis is None or not sample.remaining_dims):
        weight_operands = [] if weights is None else [to_tensor(weights)]
        result = assign_to_out(
            result, out, functools.partial(_evaluate_nanquantile, axis, method), a, q, *weight_operands
        )
    if shapes.rank(q) == 2 and axis is not None and len(sample.axes) != 1 and sample.remaining_dims:
        return _move_quantiles_last(result, shapes.shape(q), sample, out)
    return reshape_rows(result, shapes.shape(q), sample, out)


def _evaluate_nanquantile(
    axis: Any, method: str, a: np.ndarray, q: np.ndarray, weights: np.ndarray | None = None
) -> Any:
    return np.nanquantile(a, q, axis, method=method, weights=weights)


def _is_first_row_nan(counts: tf.Tensor) -> bool:
    """Return whether the first row is static and all nan. NumPy gives all results the dtype of the first row's."""
    static = convert.static_value(counts)
    return static is not None and static.size > 0 and not static.flat[0]


def _move_quantiles_last(result: tf.Tensor, q_shape: tuple[shapes.Dim, ...], sample: SortedSample, out: Any) -> Any:
    """Return the result for a 2-D `q` along several axes, in NumPy's order: rows of `q` last, its columns first."""
    moved = tf.reshape(result, shapes.shape_tensor((*q_shape, *sample.remaining_dims)))
    moved = layout.move_axis(moved, 0, shapes.rank(moved) - 1)
    first_dim, sample.remaining_dims = sample.remaining_dims[0], (*sample.remaining_dims[1:], q_shape[0])
    return reshape_rows(moved, (q_shape[1], first_dim), sample, out)


def _sort_weights_without_nan(weights: Any, a: tf.Tensor, axis: Any, sample: SortedSample) -> tf.Tensor:
    """Return the weight of each element in the order of the sample, zero for nan.

    Raise IndexError for weights of a single axis if there are other axes, for which NumPy's result is wrong.
    """
    weights = to_tensor(weights)
    result = _sort_weights(weights, a, axis, sample, skips_nan=True)
    if not weights.shape.is_compatible_with(a.shape) and any(dim != 1 for dim in sample.remaining_dims):
        raise IndexError("weights must have the shape of a, unless all axes of a but one have length 1")
    return layout.select(ufuncs.isnan(sample.rows), tf.zeros((), result.dtype), result)
