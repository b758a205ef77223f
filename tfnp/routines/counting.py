"""How often: of small natural numbers, and of numbers in bins."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, moves, shapes, sizes
from tfnp._core.convert import to_tensor
from tfnp.routines import ufuncs
from tfnp.routines.kernels.complexes import rounded
from tfnp.routines.searching import place_among
from tfnp.routines.shaping import ravel

__all__ = ["bincount", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]


def bincount(x: Any, /, weights: Any = None, minlength: Any = 0, *, size: Any = None) -> tf.Tensor:
    """With `size`, which XLA needs, the result has that length, and what is beyond it is not counted."""
    x = to_tensor(x)
    if shapes.rank(x) != 1:
        raise ValueError("object too deep for desired array" if shapes.rank(x) else "object of too small depth")
    least = shapes.as_int(minlength)
    if least < 0:
        raise ValueError("'minlength' must not be negative")
    if x.shape[0] != 0 or x.dtype != tf.float64:
        dtypes.check_cast(dtypes.as_numpy(x.dtype), np.dtype(np.int64), "same_kind", "array data")
    x = tf.cast(x, tf.int64)
    if x.shape[0] == 0:
        return tf.zeros((least if size is None else shapes.as_int(size),), tf.int64)
    share = _share(x, weights)
    length = tf.cast(shapes.as_int(size), tf.int64) if size is not None else _length(x, least)
    places = tf.where(tf.logical_and(x >= 0, x < length), x, -1)
    counts = tf.math.unsorted_segment_sum(share, places, length)
    return counts if size is not None else sizes.open_ended(counts)


def _share(x: tf.Tensor, weights: Any) -> tf.Tensor:
    """What each element counts."""
    if weights is None:
        return tf.ones_like(x)
    weights = to_tensor(weights)
    if shapes.rank(weights) != 1:
        raise ValueError("object too deep for desired array" if shapes.rank(weights) else "object of too small depth")
    if not weights.shape.is_compatible_with(x.shape):
        raise ValueError("The weights and list don't have the same length.")
    dtypes.check_cast(dtypes.as_numpy(weights.dtype), dtypes.FLOAT64, "safe", "array data")
    return convert.cast(weights, tf.float64)


def _length(x: tf.Tensor, least: int) -> tf.Tensor:
    known = convert.static_value(x)
    if known is None:
        x = moves.in_bounds(x, 0, 2**62)
    elif np.min(known) < 0:
        raise ValueError("'list' argument must have no negative elements")
    return tf.maximum(tf.reduce_max(x) + 1, tf.cast(least, tf.int64))


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> tf.Tensor:
    """Where edges depend on values that a graph does not know, there must be a count of bins."""
    a, weights = _flat(a, weights)
    return _edges(a, bins, range, weights)


def _flat(a: Any, weights: Any) -> tuple[tf.Tensor, tf.Tensor | None]:
    a = to_tensor(a)
    if a.dtype == tf.bool:
        a = tf.cast(a, tf.uint8)
    if weights is None:
        return ravel(a), None
    weights = to_tensor(weights)
    if not weights.shape.is_compatible_with(a.shape):
        raise ValueError("weights should have the same shape as a.")
    return ravel(a), ravel(weights)


def _edges(a: tf.Tensor, bins: Any, range: Any, weights: tf.Tensor | None) -> tf.Tensor:
    known = convert.static_value(a)
    plain = convert.static_value(bins) if isinstance(bins, tf.Tensor | tf.Variable) else bins
    if isinstance(bins, tf.Tensor | tf.Variable) and bins.shape.rank == 1:
        return _given_edges(to_tensor(bins), plain)
    if np.ndim(plain) == 1:
        return convert.from_numpy(np.asarray(np.histogram_bin_edges(np.zeros(0), plain)))
    ends = None if range is None else tuple(convert.static_value(end) for end in range)
    if known is not None or isinstance(plain, str):
        if known is None:
            raise TypeError("how many bins there are depends on values, which a graph does not know: give their count")
        share = None if weights is None else convert.static_value(weights)
        return convert.from_numpy(np.asarray(np.histogram_bin_edges(np.asarray(known), plain, ends, share)))
    sample = np.zeros(min(a.shape[0] or 0, 1), dtypes.as_numpy(a.dtype))
    edges = np.histogram_bin_edges(sample, plain, ends)
    if ends is not None or np.ndim(plain) == 1 or a.shape[0] == 0:
        return convert.from_numpy(np.asarray(edges))
    return _spread_edges(a, int(plain), edges.dtype)


def _given_edges(edges: tf.Tensor, known: Any) -> tf.Tensor:
    if known is not None and np.any(known[:-1] > known[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def _spread_edges(a: tf.Tensor, count: int, dtype: np.dtype) -> tf.Tensor:
    """Evenly from the smallest to the largest element, half a unit wider where they are the same."""
    kind = tf.as_dtype(dtype)
    low, high = (convert.cast(end, kind) for end in (tf.reduce_min(a), tf.reduce_max(a)))
    same = tf.equal(low, high)
    half = tf.cast(0.5, kind)
    low, high = tf.where(same, low - half, low), tf.where(same, high + half, high)
    step = (high - low) / convert.operand(np.array(count, dtype))
    inner = rounded(tf.cast(tf.range(count), kind) * step) + low
    return tf.concat([inner, high[None]], 0)


def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Any:
    flat, share = _flat(a, weights)
    edges = _edges(flat, bins, range, share)
    even = np.ndim(bins) == 0 if not isinstance(bins, tf.Tensor | tf.Variable) else bins.shape.rank == 0
    wide = share is not None and even and not share.dtype.is_complex
    counts = _counted(flat, edges, convert.cast(share, tf.float64) if wide else share)
    counts = convert.cast(counts, share.dtype) if wide else counts
    if not density:
        return counts, edges
    widths = convert.cast(edges[1:] - edges[:-1], tf.float64)
    return ufuncs.divide(ufuncs.divide(counts, widths), tf.reduce_sum(counts)), edges


def _counted(flat: tf.Tensor, edges: tf.Tensor, share: tf.Tensor | None) -> tf.Tensor:
    """The last bin has both its edges, all others their lower one."""
    dtype = dtypes.result_type(flat, edges)
    values, bounds = convert.cast(flat, dtype), convert.cast(edges, dtype)
    last = moves.take(bounds, tf.cast(shapes.shape(bounds)[:1], tf.int64) - 1, 0)[0]
    bins = edges.shape[0] - 1 if edges.shape[0] is not None else tf.shape(edges)[0] - 1
    place = place_among(bounds, values, True) - 1
    place = tf.where(ufuncs.equal(values, last), tf.cast(bins, tf.int64) - 1, place)
    place = tf.where(tf.logical_and(place >= 0, place < tf.cast(bins, tf.int64)), place, -1)
    if share is None:
        return tf.math.unsorted_segment_sum(tf.ones_like(place), place, bins)
    return tf.math.unsorted_segment_sum(share, place, bins)


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    x, y = to_tensor(x), to_tensor(y)
    if not (shapes.rank(x) and shapes.rank(y)):
        raise TypeError("len() of unsized object")
    if not x.shape.is_compatible_with(y.shape):
        raise ValueError("x and y must have the same length.")
    if np.ndim(bins) == 1 and len(bins) not in (1, 2):
        bins = [bins, bins]
    counts, edges = histogramdd([x, y], bins, range, density, weights)
    return counts, edges[0], edges[1]


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[tf.Tensor, list[tf.Tensor]]:
    columns = _columns(sample)
    count = len(columns)
    several = isinstance(bins, list | tuple) or (isinstance(bins, tf.Tensor) and bins.shape.rank)
    if several and len(bins) != count:
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    if range is not None and len(range) != count:
        raise ValueError("range argument must have one entry per dimension")
    each = list(bins) if several else [bins] * count
    ranges = [None] * count if range is None else list(range)
    edges = [_edges_along(*parts) for parts in zip(columns, each, ranges, strict=True)]
    counts = _counted_in_all(columns, edges, weights)
    if density:
        total = tf.reduce_sum(counts)
        for axis, bounds in enumerate(edges):
            widths = bounds[1:] - bounds[:-1]
            counts = counts / tf.reshape(
                convert.cast(widths, tf.float64), [-1 if a == axis else 1 for a in _range(count)]
            )
        counts = counts / total
    return counts, edges


_range = range


def _columns(sample: Any) -> list[tf.Tensor]:
    """The coordinates: of a matrix its columns, of a sequence its items."""
    if isinstance(sample, tf.Tensor | tf.Variable | np.ndarray):
        points = to_tensor(sample)
        rank = shapes.rank(points)
        if rank != 2:
            points = shapes.reshape(points, (1, -1) if rank == 0 else (-1, 1)) if rank < 2 else points
        if rank > 2:
            raise ValueError("too many values to unpack (expected 2)")
        return tf.unstack(points, axis=1)
    stacked = to_tensor(sample)
    rank = shapes.rank(stacked)
    if rank > 2:
        raise ValueError("too many values to unpack (expected 2)")
    if rank < 2:
        stacked = shapes.reshape(stacked, (-1, 1))
        return tf.unstack(stacked, axis=1)
    return tf.unstack(stacked)


def _edges_along(values: tf.Tensor, bins: Any, range: Any) -> tf.Tensor:
    plain = convert.static_value(bins) if isinstance(bins, tf.Tensor | tf.Variable) else bins
    if np.ndim(plain) == 0:
        if shapes.as_int(plain) < 1:
            raise ValueError("`bins` must be positive, when an integer")
        values = convert.cast(values, tf.float64) if values.shape[0] == 0 or range is not None else values
        edges = _edges(values, shapes.as_int(plain), range, None)
        return convert.cast(edges, tf.float64) if edges.dtype.is_integer else edges
    return _given_edges(to_tensor(bins), plain)


def _counted_in_all(columns: list[tf.Tensor], edges: list[tf.Tensor], weights: Any) -> tf.Tensor:
    place, inside, bins = tf.cast(0, tf.int64), tf.constant(True), []
    for values, bounds in zip(columns, edges, strict=True):
        dtype = dtypes.result_type(values, bounds)
        column, limits = convert.cast(values, dtype), convert.cast(bounds, dtype)
        count = limits.shape[0] - 1
        own = place_among(limits, column, True) - 1
        own = tf.where(ufuncs.equal(column, limits[-1]), tf.cast(count - 1, tf.int64), own)
        inside = tf.logical_and(inside, tf.logical_and(own >= 0, own < count))
        place = place * count + own
        bins.append(count)
    place = tf.where(inside, place, -1)
    share = tf.ones_like(place, tf.float64) if weights is None or place.shape[0] == 0 else _share(place, weights)
    return tf.reshape(tf.math.unsorted_segment_sum(share, place, int(np.prod(bins))), bins)
