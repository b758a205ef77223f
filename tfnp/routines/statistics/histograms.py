"""Numbers in bins: how many there are in each, and where one ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.complex.arithmetic import round_to
from tfnp._kernels.gradients import differentiable
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.sort import sort_keys
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import reductions, ufuncs
from tfnp.routines.math.cumulative import cumsum
from tfnp.routines.sorting.counting import fraction_nonzero
from tfnp.routines.sorting.searching import search_sorted_position
from tfnp.routines.statistics.bin_widths import RULES

__all__ = ["histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


@array_function(promotes=(), weak=False, unknown_rank="each")
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> tf.Tensor:
    """XLA needs a count of bins, or their edges: how many a rule finds depends on values."""
    a, weights = _flat(a, weights)
    return _edges(a, bins, range, weights)


def _flat(a: Any, weights: Any) -> tuple[tf.Tensor, tf.Tensor | None]:
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


def _edges(a: tf.Tensor, bins: Any, range: Any, weights: tf.Tensor | None) -> tf.Tensor:
    plain = bins = apply_conversion(bins)
    if isinstance(bins, tf.Tensor | tf.Variable):
        if bins.shape.rank != 0:
            return _given_edges(to_tensor(bins))
        plain = convert.static_value(bins)
    if plain is None and bins is not None:
        return _counted_edges(a, to_tensor(bins), range)
    if np.ndim(plain) == 1:
        return convert.from_numpy(np.asarray(np.histogram_bin_edges(np.zeros(0), plain)))
    ends = None if range is None else tuple(convert.static_value(end) for end in range)
    static = convert.static_value(a)
    sample = _sample(a) if static is None else np.asarray(static)
    is_bfloat16 = sample.dtype == dtypes.BFLOAT16 and ends is None  # beside numbers of Python, NumPy leaves bfloat16
    sample = sample.astype(np.float32) if is_bfloat16 else sample
    edges = np.histogram_bin_edges(sample, plain, ends, None if weights is None else np.ones(sample.shape))
    edges = edges.astype(dtypes.BFLOAT16) if is_bfloat16 else edges
    if static is not None or a.shape[0] == 0:
        found = convert.from_numpy(np.asarray(edges))
        return _following(a, found) if ends is None and a.dtype == found.dtype and a.shape[0] else found
    if isinstance(plain, str):
        return _ruled_edges(a, plain, ends, edges.dtype)
    if ends is not None:
        return convert.from_numpy(np.asarray(edges))
    return _spread_edges(*_outer_edges(a, edges.dtype), int(plain))


def _slope_of_edges(upstream: tf.Tensor, a: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor | None, ...]:
    """How the smallest and the largest element, of which equal ones share it, move edges that lie evenly between."""
    high = tf.cast(tf.linspace(0.0, 1.0, upstream.shape[0]), a.dtype)
    shares = tf.zeros_like(a)
    for share, fold in ((1 - high, over_axes.reduce_min), (high, over_axes.reduce_max)):
        found = tf.cast(tf.equal(a, fold(a, (0,))), a.dtype)
        shares += tf.reduce_sum(upstream * share) * found / tf.reduce_sum(found)
    return shares, None


@differentiable(_slope_of_edges)
def _following(a: tf.Tensor, edges: tf.Tensor) -> tf.Tensor:
    """Edges that NumPy has found, with the gradient that they have."""
    return tf.identity(edges)


def _sample(a: tf.Tensor) -> np.ndarray:
    """Numbers that tell what the edges of others will be: different ones, of which bfloat16 makes its own."""
    return np.arange(2 if a.shape[0] is None else min(a.shape[0], 2)).astype(dtypes.as_numpy(a.dtype))


def _counted_edges(a: tf.Tensor, count: tf.Tensor, range: Any) -> tf.Tensor:
    """As many as a graph is told when it runs."""
    if not count.dtype.is_integer:
        raise TypeError("`bins` must be an integer, a string, or an array")
    ends = None if range is None else tuple(convert.static_value(end) for end in range)
    sample = _sample(a)
    dtype = np.histogram_bin_edges(sample, 1, ends).dtype
    with tf.control_dependencies([tf.debugging.Assert(count >= 1, ["`bins` must be positive, when an integer"])]):
        count = tf.cast(count, tf.int32)
    return dynamic_size.data_dependent(_spread_edges(*_ends(a, ends, dtype), count))


def _ends(a: tf.Tensor, ends: Any, dtype: np.dtype) -> tuple[tf.Tensor, tf.Tensor]:
    if ends is None and a.shape[0] != 0:
        return _outer_edges(a, dtype)
    low, high = np.histogram_bin_edges([], 1, ends)
    return convert.from_numpy(np.asarray(low, dtype)), convert.from_numpy(np.asarray(high, dtype))


def _ruled_edges(a: tf.Tensor, rule: str, ends: Any, dtype: np.dtype) -> tf.Tensor:
    kind = tf.as_dtype(dtype)
    x = convert.cast(a, kind)
    low, high = _ends(a, ends, dtype)
    if ends is not None:
        x = tf.boolean_mask(x, tf.logical_and(x >= low, x <= high))
    sample = tf.cond(tf.size(x) > 0, lambda: x, lambda: low[None])
    width = convert.cast(RULES[rule](sample, (low, high)), kind)
    if a.dtype.is_integer:
        width = tf.where(tf.logical_and(width > 0, width < 1), tf.ones_like(width), width)
    fits = tf.logical_and(width > 0, tf.size(x) > 0)
    count = tf.where(fits, tf.math.ceil((high - low) / tf.where(fits, width, tf.ones_like(width))), 1)
    return dynamic_size.data_dependent(_spread_edges(low, high, tf.cast(count, tf.int32)))


def _given_edges(edges: tf.Tensor) -> tf.Tensor:
    """What is no vector that rises is refused; a graph that finds so when it runs fails. XLA checks nothing."""
    if shapes.rank(edges) != 1:
        raise ValueError("`bins` must be 1d, when an array")
    static, message = convert.static_value(edges), "`bins` must increase monotonically, when an array"
    if static is None:
        falls = tf.reduce_any(ufuncs.greater(edges[:-1], edges[1:]))
        with tf.control_dependencies([tf.debugging.Assert(tf.logical_not(falls), [message])]):
            return tf.identity(edges)
    if np.any(np.asarray(static)[:-1] > np.asarray(static)[1:]):
        raise ValueError(message)
    return edges


def _outer_edges(a: tf.Tensor, dtype: np.dtype) -> tuple[tf.Tensor, tf.Tensor]:
    """The smallest and the largest element, half a unit apart from them where they are the same."""
    kind = tf.as_dtype(dtype)
    low, high = (convert.cast(fold(a, (0,)), kind) for fold in (over_axes.reduce_min, over_axes.reduce_max))
    if a.shape[0] is None:
        some = tf.size(a) > 0
        low, high = tf.where(some, low, tf.zeros_like(low)), tf.where(some, high, tf.ones_like(high))
    same = tf.equal(low, high)
    half = tf.cast(0.5, kind)
    return tf.where(same, low - half, low), tf.where(same, high + half, high)


TOO_MANY = "Too many bins for data range, or a range that is none"


def _spread_edges(low: tf.Tensor, high: tf.Tensor, count: Any) -> tf.Tensor:
    """Evenly from one to the other."""
    kind = low.dtype
    step = (high - low) / (
        tf.cast(count, kind)
        if isinstance(count, tf.Tensor)
        else convert.as_constant(np.array(count, kind.as_numpy_dtype))
    )
    inner = tf.cast(tf.range(count), kind) * step
    inner = (inner if kind.is_complex else round_to(inner)) + low
    edges = tf.concat([inner, high[None]], 0)
    if tf.executing_eagerly():
        return edges
    is_range = tf.logical_and(ufuncs.isfinite(low), ufuncs.isfinite(high))
    is_valid = tf.logical_and(is_range, tf.logical_not(tf.reduce_any(ufuncs.greater_equal(edges[:-1], edges[1:]))))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [TOO_MANY])]):
        return tf.identity(edges)


@array_function(promotes=(), weak=False, unknown_rank="each")
def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    flat, share = _flat(a, weights)
    edges = _edges(flat, bins, range, share)
    even = np.ndim(bins) == 0 if not isinstance(bins, tf.Tensor | tf.Variable) else bins.shape.rank == 0
    if share is not None and even and not share.dtype.is_complex:
        counts = convert.cast(_counted(flat, edges, convert.cast(share, tf.float64)), share.dtype)
    elif share is not None and not even:
        counts = _summed_between(flat, edges, share)
    else:
        counts = _counted(flat, edges, share)
    if not as_bool(density, "density"):
        return counts, edges
    widths = convert.cast(edges[1:] - edges[:-1], tf.float64)
    return ufuncs.divide(ufuncs.divide(counts, widths), reductions.sum(counts)), edges


def _counted(flat: tf.Tensor, edges: tf.Tensor, share: tf.Tensor | None) -> tf.Tensor:
    """The last bin has both its edges, all others their lower one."""
    if edges.shape[0] == 0:
        return tf.zeros((0,), tf.int64 if share is None else share.dtype)
    dtype = dtypes.result_type(flat, edges)
    values, bounds = convert.cast(flat, dtype), convert.cast(edges, dtype)
    last = layout.take(bounds, tf.cast(shapes.shape(bounds)[:1], tf.int64) - 1, 0)[0]
    bins = edges.shape[0] - 1 if edges.shape[0] is not None else tf.shape(edges)[0] - 1
    index = search_sorted_position(bounds, values, True) - 1
    index = tf.where(ufuncs.equal(values, last), tf.cast(bins, tf.int64) - 1, index)
    index = tf.where(tf.logical_and(index >= 0, index < tf.cast(bins, tf.int64)), index, -1)
    return _sum_bins(tf.ones_like(index) if share is None else share, index, bins)


def _sum_bins(weights: tf.Tensor, indices: tf.Tensor, count: shapes.Dim) -> tf.Tensor:
    """Return the sum of weights in each bin. XLA cannot scatter into no bins."""
    if isinstance(count, int) and count == 0:
        return tf.zeros((0,), weights.dtype)
    return tf.math.unsorted_segment_sum(weights, indices, count)


def _summed_between(flat: tf.Tensor, edges: tf.Tensor, share: tf.Tensor) -> tf.Tensor:
    """Weights in bins of any width, as differences of running sums: what NumPy loses by that is lost."""
    dtype = dtypes.result_type(flat, edges)
    values, bounds = convert.cast(flat, dtype), convert.cast(edges, dtype)
    order = sort_keys.stable_order(sort_keys.keys(values))
    values, running = sort_keys.gather_rows(values, order), cumsum(sort_keys.gather_rows(share, order))
    running = tf.concat([tf.zeros((1,), running.dtype), running], 0)
    indices = tf.concat(
        [search_sorted_position(values, bounds[:-1], False), search_sorted_position(values, bounds[-1:], True)], 0
    )
    sums = layout.take(running, indices, 0)
    return convert.cast(ufuncs.subtract(sums[1:], sums[:-1]), share.dtype)


@array_function(promotes=(), weak=False, unknown_rank="each")
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    for one in map(apply_conversion, (x, y)):  # before anything is said of what is in them
        if not isinstance(one, tf.Tensor | tf.Variable):
            len(one)
        elif one.shape.rank == 0:
            raise TypeError("len() of unsized object")
    x, y = to_tensor(x), to_tensor(y)
    if not x.shape.is_compatible_with(y.shape):
        raise ValueError("x and y must have the same length.")
    if _length(bins) not in {None, 1, 2}:
        bins = [to_tensor(bins)] * 2
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


@array_function(promotes=(), weak=False)
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """How many coordinates a point has must be known while tracing: by the shape of the sample, or as the length of
    `bins` or `range`.
    """
    several = _length(bins) if range is None else len(range)
    sample = apply_conversion(sample)
    is_unranked = isinstance(sample, tf.Tensor | tf.Variable) and sample.shape.rank is None
    if is_unranked and several is None:
        raise ValueError(_COLUMNS)
    return _counted_in_boxes(sample, several, bins, range, density, weights)


@array_function(unknown_rank="each")
def _counted_in_boxes(
    sample: Any, expected: int | None, bins: Any, range: Any, density: Any, weights: Any
) -> tuple[tf.Tensor, list[tf.Tensor]]:
    columns = _columns(sample, expected)
    count, several = len(columns), _length(bins)
    if several is not None and several != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is not None and len(range) != count:
        raise ValueError("range argument must have one entry per dimension")
    each = [bins] * count if several is None else [bins[number] for number in _range(count)]
    ranges = [None] * count if range is None else [range[number] for number in _range(count)]
    edges = [_edges_along(*parts) for parts in zip(columns, each, ranges, strict=True)]
    counts = _counted_in_all(columns, edges, weights)
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


def _length(bins: Any) -> int | None:
    """How many items there are; None for what has none."""
    bins = apply_conversion(bins)
    if isinstance(bins, tf.Tensor | tf.Variable):
        return shapes.as_int(bins.shape[0]) if bins.shape.rank else None
    try:
        return len(bins)
    except TypeError:
        return None


_COLUMNS = "how many edges there are depends on the shape of the sample, which must be known here"


def _columns(sample: Any, expected: int | None) -> list[tf.Tensor]:
    """The coordinates: of a matrix its columns, of which so many are expected, of a sequence its items."""
    if isinstance(sample, tf.Tensor | tf.Variable | np.ndarray | np.generic):
        points = to_tensor(sample)
        rank = shapes.rank(points)
        if rank != 2:
            points = shapes.reshape(points, (1, -1) if rank == 0 else (-1, 1)) if rank < 2 else points
        if rank > 2:
            raise ValueError("too many values to unpack (expected 2)")
        if points.shape[1] is None:
            if expected is None:
                raise ValueError(_COLUMNS)
            points = tf.ensure_shape(points, [None, expected])
        return tf.unstack(points, axis=1)
    stacked = to_tensor(sample if isinstance(sample, str | bytes) else list(sample))
    rank = shapes.rank(stacked)
    if rank > 2:
        raise ValueError("too many values to unpack (expected 2)")
    if rank < 2:
        stacked = shapes.reshape(stacked, (-1, 1))
        return tf.unstack(stacked, axis=1)
    return tf.unstack(stacked)


def _edges_along(values: tf.Tensor, bins: Any, range: Any) -> tf.Tensor:
    rank = bins.shape.rank if isinstance(bins, tf.Tensor | tf.Variable) else np.ndim(bins)
    if rank != 0:
        return _given_edges(to_tensor(bins))
    plain: Any = convert.static_value(bins)
    if plain is not None or bins is None:
        if plain < 1:
            raise ValueError("`bins` must be positive, when an integer")
        bins = shapes.as_int(plain)
    values = convert.cast(values, tf.float64) if values.shape[0] == 0 or range is not None else values
    edges = _edges(values, bins, range, None)
    return convert.cast(edges, tf.float64) if edges.dtype.is_integer else edges


def _counted_in_all(columns: list[tf.Tensor], edges: list[tf.Tensor], weights: Any) -> tf.Tensor:
    index, inside = tf.cast(0, tf.int64), tf.constant(True)
    counts: list[shapes.Dim] = []
    for values, bounds in zip(columns, edges, strict=True):
        dtype = dtypes.result_type(values, bounds)
        column, limits = convert.cast(values, dtype), convert.cast(bounds, dtype)
        if limits.shape[0] == 0:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0: no edges are given")
        counts.append(shapes.shape(limits)[0] - 1)
        count = tf.cast(counts[-1], tf.int64)
        own = search_sorted_position(limits, column, True) - 1
        own = tf.where(ufuncs.equal(column, limits[-1]), count - 1, own)
        inside = tf.logical_and(inside, tf.logical_and(own >= 0, own < count))
        index = index * count + own
    index = tf.where(inside, index, -1)
    share = (
        tf.ones_like(index, tf.float64) if weights is None or index.shape[0] == 0 else fraction_nonzero(index, weights)
    )
    return tf.reshape(_sum_bins(share, index, layout.product(counts)), shapes.shape_tensor(counts))
