"""Histograms, and the edges of their bins."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static_rank
from tfnp._core.parameters import ArrayLike
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.complex.arithmetic import round_to
from tfnp._kernels.gradients import differentiable
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.sort import even_bins, sort_keys
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import reductions, ufuncs
from tfnp.routines.math.cumulative import cumsum
from tfnp.routines.sorting.counting import as_weights
from tfnp.routines.sorting.searching import search_sorted_position
from tfnp.routines.statistics.averages import mean, std
from tfnp.routines.statistics.quantiles import percentile

__all__ = ["histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


@array_function(promotes=(), weak=False, unknown_rank="each", traces=("a", "bins", "weights"))
def histogram_bin_edges(
    a: ArrayLike, bins: ArrayLike | str = 10, range: Sequence[float] | None = None, weights: ArrayLike | None = None
) -> tf.Tensor:
    """The number of bins of a rule ("auto", "fd", ...) depends on values: for XLA, `bins` must be an integer or edges.

    A graph with a range that is not finite, or with edges that do not increase, fails when it runs. With an integer for
    `bins`, gradients of the edges flow to the smallest and the largest element.
    """
    a, weights = _flatten(a, weights)
    return _find_edges(a, bins, range, weights)


def _flatten(a: Any, weights: Any) -> tuple[tf.Tensor, tf.Tensor | None]:
    """Return the array and its weights, flattened. Constants of a graph stay constants, so that edges are static."""
    a = to_tensor(a)
    if a.dtype == tf.bool:
        a = tf.cast(a, tf.uint8)
    static = None if tf.executing_eagerly() else convert.static_value(a)
    flat = ravel(a) if static is None else convert.from_numpy(np.ravel(static))
    if weights is None:
        return flat, None
    weights, message = to_tensor(weights), "weights should have the same shape as a."
    if not weights.shape.is_compatible_with(a.shape):
        raise ValueError(message)
    return flat, ravel(shapes.check_same_shape(a, weights, message))


def _find_edges(
    a: tf.Tensor, bins: Any, range: Any, weights: tf.Tensor | None, *, may_be_equal: bool = False
) -> tf.Tensor:
    """Return the edges of the bins: calculated by NumPy where values are static, else by ops. Equal edges raise
    ValueError unless they `may_be_equal`.
    """
    static_bins = bins = apply_conversion(bins)
    if isinstance(bins, tf.Tensor | tf.Variable):
        if bins.shape.rank != 0:
            return _check_edges(to_tensor(bins))
        static_bins = convert.static_value(bins)
    if static_bins is None and bins is not None:
        return _space_dynamically(a, to_tensor(bins), range, may_be_equal)
    if np.ndim(static_bins) == 1:
        return convert.from_numpy(np.asarray(np.histogram_bin_edges(np.zeros(0), static_bins)))
    ends: Any = None if range is None else tuple(convert.static_value(end) for end in range)
    static = convert.static_value(a) if isinstance(static_bins, str) else _find_static_ends(a)
    sample = _make_dtype_sample(a) if static is None else np.asarray(static)
    # NumPy has no linspace of bfloat16; Python scalars do not change the dtype.
    infers_bfloat16 = sample.dtype == dtypes.BFLOAT16 and np.result_type(np.float32, *(ends or ())) == np.float32
    sample = sample.astype(np.float32) if infers_bfloat16 else sample
    if may_be_equal:
        ends_along: Any = [ends]
        _, (edges,) = np.histogramdd(sample[:, None], [static_bins], ends_along)
    else:
        edges = np.histogram_bin_edges(sample, static_bins, ends, None if weights is None else np.ones(sample.shape))
    edges = edges.astype(dtypes.BFLOAT16) if infers_bfloat16 else edges
    if static is not None or a.shape[0] == 0:
        constant = convert.from_numpy(np.asarray(edges))
        has_gradient = ends is None and a.dtype == constant.dtype and a.shape[0]
        return _attach_gradient(a, constant) if has_gradient else constant
    if isinstance(static_bins, str):
        return _apply_rule(a, static_bins, ends, edges.dtype)
    if ends is not None:
        return convert.from_numpy(np.asarray(edges))
    return _space_edges(*_find_outer_edges(a, edges.dtype), int(static_bins), may_be_equal)


def _find_static_ends(a: tf.Tensor) -> Any:
    """Return the elements if they are static: of many real ones in eager mode, only the smallest and the largest."""
    if type(a) is not EagerTensor or a.dtype.is_complex or a.shape[0] < even_bins.MIN_LENGTH:
        return convert.static_value(a)
    return np.stack([over_axes.reduce_min(a, (0,)), over_axes.reduce_max(a, (0,))])


def _differentiate_edges(upstream: tf.Tensor, a: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor | None, ...]:
    """Return the gradient of evenly spaced edges: it goes to the smallest and largest element, in equal parts to equal
    ones.
    """
    high = tf.cast(tf.linspace(0.0, 1.0, upstream.shape[0]), a.dtype)
    gradient = tf.zeros_like(a)
    for weight, reduce in ((1 - high, over_axes.reduce_min), (high, over_axes.reduce_max)):
        is_extreme = tf.cast(tf.equal(a, reduce(a, (0,))), a.dtype)
        gradient += tf.reduce_sum(upstream * weight) * is_extreme / tf.reduce_sum(is_extreme)
    return gradient, None


@differentiable(_differentiate_edges)
def _attach_gradient(a: tf.Tensor, edges: tf.Tensor) -> tf.Tensor:
    """Return edges that NumPy calculated, with their gradient."""
    return tf.identity(edges)


def _make_dtype_sample(a: tf.Tensor) -> np.ndarray:
    """Return a short array for which NumPy's edges have the dtype of the result."""
    return np.arange(2 if a.shape[0] is None else min(a.shape[0], 2)).astype(dtypes.as_numpy(a.dtype))


def _space_dynamically(a: tf.Tensor, count: tf.Tensor, range: Any, may_be_equal: bool) -> tf.Tensor:
    """Return evenly spaced edges of bins whose number is known when the graph runs."""
    if not count.dtype.is_integer:
        raise TypeError("`bins` must be an integer, a string, or an array")
    ends: Any = None if range is None else tuple(convert.static_value(end) for end in range)
    dtype = np.histogram_bin_edges(_make_dtype_sample(a), 1, ends).dtype
    count = check(count >= 1, ValueError("`bins` must be positive, when an integer"), tf.cast(count, tf.int32))
    return dynamic_size.data_dependent(_space_edges(*_find_ends(a, ends, dtype), count, may_be_equal))


def _find_ends(a: tf.Tensor, ends: Any, dtype: np.dtype) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the first and the last edge: from the range, or from the elements if there is none."""
    if ends is None and a.shape[0] != 0:
        return _find_outer_edges(a, dtype)
    low, high = np.histogram_bin_edges([], 1, ends)
    return convert.from_numpy(np.asarray(low, dtype)), convert.from_numpy(np.asarray(high, dtype))


def _apply_rule(a: tf.Tensor, rule: str, ends: Any, dtype: np.dtype) -> tf.Tensor:
    """Return the edges of bins whose number is chosen by a rule, when the graph runs."""
    tf_dtype = tf.as_dtype(dtype)
    x = convert.cast(a, tf_dtype)
    low, high = _find_ends(a, ends, dtype)
    if ends is not None:
        x = tf.boolean_mask(x, tf.logical_and(x >= low, x <= high))
    sample = tf.cond(tf.size(x) > 0, lambda: x, lambda: low[None])
    width = convert.cast(_WIDTH_RULES[rule](sample, (low, high)), tf_dtype)
    if a.dtype.is_integer:
        width = tf.where(tf.logical_and(width > 0, width < 1), tf.ones_like(width), width)
    has_width = tf.logical_and(width > 0, tf.size(x) > 0)
    count = tf.where(has_width, tf.math.ceil((high - low) / tf.where(has_width, width, tf.ones_like(width))), 1)
    return dynamic_size.data_dependent(_space_edges(low, high, tf.cast(count, tf.int32)))


def _check_edges(edges: tf.Tensor) -> tf.Tensor:
    """Check that edges are a non-decreasing vector, in a graph when it runs; return them."""
    if shapes.rank(edges) != 1:
        raise ValueError("`bins` must be 1d, when an array")
    static, message = convert.static_value(edges), "`bins` must increase monotonically, when an array"
    if static is None:
        decreases = tf.reduce_any(ufuncs.greater(edges[:-1], edges[1:]))
        return check(tf.logical_not(decreases), ValueError(message), edges)
    if np.any(np.asarray(static)[:-1] > np.asarray(static)[1:]):
        raise ValueError(message)
    return edges


def _find_outer_edges(a: tf.Tensor, dtype: np.dtype) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the smallest and the largest element; where these are equal, half a unit below and above."""
    tf_dtype = tf.as_dtype(dtype)
    low, high = (convert.cast(reduce(a, (0,)), tf_dtype) for reduce in (over_axes.reduce_min, over_axes.reduce_max))
    if a.shape[0] is None:
        has_elements = tf.size(a) > 0
        low, high = tf.where(has_elements, low, tf.zeros_like(low)), tf.where(has_elements, high, tf.ones_like(high))
    is_equal = tf.equal(low, high)
    half = tf.cast(0.5, tf_dtype)
    return tf.where(is_equal, low - half, low), tf.where(is_equal, high + half, high)


_INVALID_RANGE = "Too many bins for data range, or the autodetected range is not finite"


def _space_edges(low: tf.Tensor, high: tf.Tensor, count: Any, may_be_equal: bool = False) -> tf.Tensor:
    """Return evenly spaced edges. A graph checks, when it runs, that they are finite, and increase unless they
    `may_be_equal`.
    """
    dtype = low.dtype
    step = (high - low) / (
        tf.cast(count, dtype)
        if isinstance(count, tf.Tensor)
        else convert.as_constant(np.array(count, dtype.as_numpy_dtype))
    )
    inner = tf.cast(tf.range(count), dtype) * step
    inner = (inner if dtype.is_complex else round_to(inner)) + low
    edges = tf.concat([inner, high[None]], 0)
    if tf.executing_eagerly():
        return edges
    is_finite = tf.logical_and(ufuncs.isfinite(low), ufuncs.isfinite(high))
    if may_be_equal:
        return check(is_finite, ValueError(_INVALID_RANGE), edges)
    is_valid = tf.logical_and(is_finite, tf.logical_not(tf.reduce_any(ufuncs.greater_equal(edges[:-1], edges[1:]))))
    return check(is_valid, ValueError(_INVALID_RANGE), edges)


@array_function(promotes=(), weak=False, unknown_rank="each", traces=("a", "bins", "weights"))
def histogram(
    a: ArrayLike,
    bins: ArrayLike | str = 10,
    range: Sequence[float] | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> Any:
    """The counts are int64, or have the dtype of `weights`. Gradients flow to `weights`, none to `a`. `density` must be
    static.

    The number of bins of a rule ("auto", "fd", ...) depends on values: for XLA, `bins` must be an integer or edges.
    """
    flat, flat_weights = _flatten(a, weights)
    edges = _find_edges(flat, bins, range, flat_weights)
    is_evenly_spaced = np.ndim(bins) == 0 if not isinstance(bins, tf.Tensor | tf.Variable) else bins.shape.rank == 0
    if flat_weights is not None and is_evenly_spaced and not flat_weights.dtype.is_complex:
        counts = _count_in_bins(flat, edges, convert.cast(flat_weights, tf.float64))
        if flat_weights.dtype == tf.uint32:  # sums past the range wrap around
            counts = convert.cast(counts, tf.int64)
        counts = convert.cast(counts, flat_weights.dtype)
    elif flat_weights is not None and not is_evenly_spaced:
        counts = _sum_sorted_weights(flat, edges, flat_weights)
    else:
        counts = _count_in_bins(flat, edges, flat_weights)
    if not as_bool(density, "density"):
        return counts, edges
    widths = convert.cast(edges[1:] - edges[:-1], tf.float64)
    return ufuncs.divide(ufuncs.divide(counts, widths), reductions.sum(counts)), edges


def _count_in_bins(flat: tf.Tensor, edges: tf.Tensor, weights: tf.Tensor | None) -> tf.Tensor:
    """Return the count, or the sum of weights, in each bin. The last bin includes both its edges."""
    if edges.shape[0] == 0:
        return tf.zeros((0,), tf.int64 if weights is None else weights.dtype)
    dtype = dtypes.result_type(flat, edges)
    values, bounds = convert.cast(flat, dtype), convert.cast(edges, dtype)
    bins = edges.shape[0] - 1 if edges.shape[0] is not None else tf.shape(edges)[0] - 1
    return _sum_bins(weights, _find_bins(values, bounds), bins)


def _find_bins(values: tf.Tensor, edges: tf.Tensor) -> tf.Tensor:
    """Return the bin of each element, -1 outside of all. The last bin includes both its edges."""
    if (index := even_bins.find_bins(values, edges)) is not None:
        return index
    length = shapes.shape(edges)[0]
    bins = ops.scalar(length - 1, tf.int64) if isinstance(length, int) else tf.cast(length, tf.int64) - 1
    zero, one = ops.scalar(0, tf.int64), ops.scalar(1, tf.int64)
    last = ops.gather(edges, bins, shapes.const_int(0))
    index = ops.subtract(search_sorted_position(edges, values, True), one)
    index = layout.select(ufuncs.equal(values, last), ops.subtract(bins, one), index)
    is_inside = ops.logical_and(ops.greater_equal(index, zero), ops.less(index, bins))
    return layout.select(is_inside, index, ops.scalar(-1, tf.int64))


def _sum_bins(weights: tf.Tensor | None, indices: tf.Tensor, count: shapes.Dim) -> tf.Tensor:
    """Return the sum of weights, or the count, in each bin. XLA cannot scatter into zero bins."""
    if isinstance(count, int) and count == 0:
        return tf.zeros((0,), tf.int64 if weights is None else weights.dtype)
    if weights is not None:
        return tf.math.unsorted_segment_sum(weights, indices, count)
    if not tf.executing_eagerly():
        return tf.math.unsorted_segment_sum(tf.ones_like(indices, tf.int64), indices, count)
    counts = ops.dense_bincount(  # faster, but for indices that are not negative
        input=ops.add(indices, ops.scalar(1, indices)),
        size=ops.scalar(count + 1, indices) if isinstance(count, int) else tf.cast(count + 1, indices.dtype),
        weights=convert.as_constant(np.zeros(0, np.int64)),
        binary_output=False,
    )
    return layout.slice_along(counts, 0, 1, count)


def _sum_sorted_weights(flat: tf.Tensor, edges: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    """Sum the weights in bins of any width as NumPy does: as differences of a cumulative sum, with its rounding."""
    dtype = dtypes.result_type(flat, edges)
    values, bounds = convert.cast(flat, dtype), convert.cast(edges, dtype)
    order = sort_keys.stable_order(sort_keys.keys(values))
    values, running = sort_keys.gather_rows(values, order), cumsum(sort_keys.gather_rows(weights, order))
    running = tf.concat([tf.zeros((1,), running.dtype), running], 0)
    indices = tf.concat(
        [search_sorted_position(values, bounds[:-1], False), search_sorted_position(values, bounds[-1:], True)], 0
    )
    sums = layout.take(running, indices, 0)
    return convert.cast(ufuncs.subtract(sums[1:], sums[:-1]), weights.dtype)


@array_function(promotes=(), weak=False, unknown_rank="each", traces=("x", "y", "bins", "weights"))
def histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: ArrayLike = 10,
    range: ArrayLike | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """The counts are float64. Gradients flow to `weights`, none to `x` and `y`. In a graph `bins` of unknown length are
    edges: one or two numbers fail when it runs, and XLA does not check them.
    """
    if any(not isinstance(value, list | tuple) and to_tensor(value).shape.rank == 0 for value in (x, y)):
        raise TypeError("x and y must be 1-D, got a scalar")
    x, y = to_tensor(x), to_tensor(y)
    if not x.shape.is_compatible_with(y.shape):
        raise ValueError("x and y must have the same length.")
    bins = apply_conversion(bins)
    if isinstance(bins, tf.Tensor | tf.Variable) and bins.shape.rank == 1 and bins.shape[0] is None:
        bins = [_check_many_edges(to_tensor(bins))] * 2
    if _get_length(bins) not in {None, 1, 2}:
        bins = [to_tensor(bins)] * 2
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


def _check_many_edges(bins: tf.Tensor) -> tf.Tensor:
    """Return edges of unknown length. One or two numbers would be the numbers of bins: these fail when a graph runs."""
    message = "`bins` of length 1 or 2 must have a static length inside tf.function: set it, as with tf.ensure_shape"
    return check((tf.size(bins) != 1) & (tf.size(bins) != 2), ValueError(message), bins)


@array_function(promotes=(), weak=False, traces=("sample", "bins", "weights"))
def histogramdd(
    sample: ArrayLike,
    bins: ArrayLike = 10,
    range: ArrayLike | None = None,
    density: bool | None = None,
    weights: ArrayLike | None = None,
) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """The number of dimensions must be static: from the shape of the sample, or as the length of `bins` or `range`.

    The counts are float64. Gradients flow to `weights`, none to the sample.
    """
    dimension_count = _get_length(bins) if range is None else len(range)
    sample = apply_conversion(sample)
    is_unranked = isinstance(sample, tf.Tensor | tf.Variable) and sample.shape.rank is None
    if is_unranked and dimension_count is None:
        raise requires_static_rank("the shape of the sample", "histogramdd")
    return _count_points(sample, dimension_count, bins, range, density, weights)


@array_function(unknown_rank="each")
def _count_points(
    sample: Any, expected: int | None, bins: Any, range: Any, density: Any, weights: Any
) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """Return counts and edges. The number of dimensions is that of the sample if none is expected."""
    columns = _as_columns(sample, expected)
    count, bins_length = len(columns), _get_length(bins)
    if bins_length is not None and bins_length != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is not None and len(range) != count:
        raise ValueError("range argument must have one entry per dimension")
    bins_by_axis = [bins] * count if bins_length is None else [bins[axis_index] for axis_index in _range(count)]
    ranges = [None] * count if range is None else [range[axis_index] for axis_index in _range(count)]
    edges = [_find_edges_along(*operands) for operands in zip(columns, bins_by_axis, ranges, strict=True)]
    counts = _count_in_boxes(columns, edges, weights)
    if as_bool(density, "density"):
        total = tf.reduce_sum(counts)
        for axis, bounds in enumerate(edges):
            widths = bounds[1:] - bounds[:-1]
            counts = counts / tf.reshape(
                convert.cast(widths, tf.float64), [-1 if a == axis else 1 for a in _range(count)]
            )
        counts = counts / total
    return counts, edges


_range = range


def _get_length(bins: Any) -> int | None:
    """Return the length of `bins`, or None for a scalar."""
    bins = apply_conversion(bins)
    if isinstance(bins, tf.Tensor | tf.Variable):
        if bins.shape.rank and bins.shape[0] is None:
            raise requires_static_rank("the length of `bins`", "histogramdd")
        return bins.shape[0] if bins.shape.rank else None
    try:
        return len(bins)
    except TypeError:
        return None


_SAMPLE_MESSAGE: Final = "sample must be an (N, D) array, or D sequences of length N"


def _as_columns(sample: Any, expected: int | None) -> list[tf.Tensor]:
    """Return the coordinates of points, one vector for each dimension: columns of a matrix, or items of a sequence."""
    if isinstance(sample, tf.Tensor | tf.Variable | np.ndarray | np.generic):
        points = to_tensor(sample)
        rank = shapes.rank(points)
        if rank != 2:
            points = shapes.reshape(points, (1, -1) if rank == 0 else (-1, 1)) if rank < 2 else points
        if rank > 2:
            raise ValueError(_SAMPLE_MESSAGE)
        if points.shape[1] is None:
            if expected is None:
                raise requires_static_rank("the shape of the sample", "histogramdd")
            points = tf.ensure_shape(points, [None, expected])
        return tf.unstack(points, axis=1)
    stacked = to_tensor(sample if isinstance(sample, str | bytes) else list(sample))
    rank = shapes.rank(stacked)
    if rank > 2:
        raise ValueError(_SAMPLE_MESSAGE)
    if rank < 2:
        stacked = shapes.reshape(stacked, (-1, 1))
        return tf.unstack(stacked, axis=1)
    return tf.unstack(stacked)


def _find_edges_along(values: tf.Tensor, bins: Any, range: Any) -> tf.Tensor:
    """Return the edges along one dimension."""
    rank = bins.shape.rank if isinstance(bins, tf.Tensor | tf.Variable) else np.ndim(bins)
    if rank != 0:
        return _check_edges(to_tensor(bins))
    static_bins: Any = convert.static_value(bins)
    if static_bins is not None or bins is None:
        if static_bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        bins = shapes.as_int(static_bins)
    values = convert.cast(values, tf.float64) if values.shape[0] == 0 or range is not None else values
    edges = _find_edges(values, bins, range, None, may_be_equal=True)
    return convert.cast(edges, tf.float64) if edges.dtype.is_integer else edges


def _count_in_boxes(columns: list[tf.Tensor], edges: list[tf.Tensor], weights: Any) -> tf.Tensor:
    """Return the counts of points in the bins of all dimensions, by flat indices: that of a point outside is -1."""
    index, is_inside = tf.cast(0, tf.int64), tf.constant(True)
    counts: list[shapes.Dim] = []
    for values, bounds in zip(columns, edges, strict=True):
        dtype = dtypes.result_type(values, bounds)
        column, limits = convert.cast(values, dtype), convert.cast(bounds, dtype)
        if limits.shape[0] == 0:
            raise IndexError("`bins` must have at least one edge, when an array")
        counts.append(shapes.shape(limits)[0] - 1)
        count = tf.cast(counts[-1], tf.int64)
        bin_index = tf.cast(_find_bins(column, limits), tf.int64)
        is_inside = tf.logical_and(is_inside, bin_index >= 0)
        index = index * count + bin_index
    index = tf.where(is_inside, index, -1)
    point_weights = None if weights is None or index.shape[0] == 0 else as_weights(index, weights)
    result = _sum_bins(point_weights, index, layout.product(counts))
    return tf.reshape(tf.cast(result, tf.float64), shapes.shape_tensor(counts))


# The rules that choose the width of bins, by NumPy's names:
# https://numpy.org/doc/stable/reference/generated/numpy.histogram_bin_edges.html
# A rule takes a non-empty vector of floats and the ends of their range. It returns a scalar; zero means one bin.

Ends = tuple[tf.Tensor, tf.Tensor]
_MIN_STONE_BINS: Final = 100  # Stone's rule tries at least so many


def _count(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.size(x), x.dtype)


def _make_scalar(value: float, x: tf.Tensor) -> tf.Tensor:
    return convert.as_constant(np.array(value, x.dtype.as_numpy_dtype))


def _find_range(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_max(x) - tf.reduce_min(x)


def _square_root_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return _find_range(x) / tf.sqrt(_count(x))


def _sturges_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return _find_range(x) / (ufuncs.log2(_count(x)) + 1)


def _rice_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return _find_range(x) / (2 * _count(x) ** _make_scalar(1 / 3, x))


def _scott_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return (_make_scalar(24 * math.pi**0.5, x) / _count(x)) ** _make_scalar(1 / 3, x) * std(x)


def _stone_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    """Return the width with the least estimated loss, of up to 100 bins, or up to the square root of the count."""
    count, value_range = _count(x), _find_range(x)
    low, high = ends
    max_bins = tf.maximum(_MIN_STONE_BINS, tf.cast(tf.sqrt(count), tf.int32))

    def loss(bins: tf.Tensor) -> tf.Tensor:
        width = (high - low) / tf.cast(bins, x.dtype)
        indices = tf.clip_by_value(tf.cast((x - low) / width, tf.int32), 0, bins - 1)
        proportions = tf.math.unsorted_segment_sum(tf.ones_like(x), indices, bins) / count
        return (2 - (count + 1) * tf.reduce_sum(proportions * proportions)) / (value_range / tf.cast(bins, x.dtype))

    losses = tf.map_fn(loss, tf.range(1, max_bins + 1), fn_output_signature=x.dtype)
    best = tf.argmin(losses) + 1
    is_single_bin = tf.logical_or(count <= 1, tf.equal(value_range, 0))
    return tf.where(is_single_bin, tf.zeros_like(value_range), value_range / tf.cast(best, x.dtype))


def _doane_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    count, deviation = _count(x), std(x)
    error = tf.sqrt(6 * (count - 2) / ((count + 1) * (count + 3)))
    skew = mean(((x - mean(x)) / deviation) ** 3)
    width = _find_range(x) / (1 + ufuncs.log2(count) + ufuncs.log2(1 + tf.abs(skew) / error))
    return tf.where(tf.logical_and(count > 2, deviation > 0), width, tf.zeros_like(width))


def _freedman_diaconis_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    quarters = convert.cast(percentile(x, [75, 25]), x.dtype)
    return 2 * (quarters[0] - quarters[1]) / _count(x) ** _make_scalar(1 / 3, x)


def _auto_width(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return tf.minimum(
        tf.maximum(_freedman_diaconis_width(x, ends), _square_root_width(x, ends) / 2), _sturges_width(x, ends)
    )


_WIDTH_RULES: Final[dict[str, Callable[[tf.Tensor, Ends], tf.Tensor]]] = {
    "auto": _auto_width,
    "doane": _doane_width,
    "fd": _freedman_diaconis_width,
    "rice": _rice_width,
    "scott": _scott_width,
    "sqrt": _square_root_width,
    "stone": _stone_width,
    "sturges": _sturges_width,
}
