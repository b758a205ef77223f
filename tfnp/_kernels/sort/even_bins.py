"""The bins of many floats where these have (nearly) equal widths: by arithmetic rather than by a search, in eager mode.

Where the quotient is so close to an edge that its rounding may have crossed it, the element is compared with the edge.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import layout, ops
from tfnp._kernels.sort import sort_keys

MIN_LENGTH: Final = 1 << 14
"""Elements from which on arithmetic is faster than the search."""

_MIN_RATIO: Final = 16
"""There must be so many times the elements as edges."""

_MAX_TOLERANCE: Final = 0.1
_MIN_WIDTH: Final = {tf.float32: 1e-30, tf.float64: 1e-290}


class _Scale(NamedTuple):
    """The first edge, the number of bins in one unit, and by how much an edge may be missed, in bins."""

    first: float
    bins_per_unit: float
    tolerance: float


def find_bins(x: tf.Tensor, edges: tf.Tensor) -> tf.Tensor | None:
    """Return the index (int32) of the bin of each element of a vector, -1 outside of all. The last bin includes both
    its edges.

    Return None where the edges are not evenly spaced, or the vector is not a long eager one of float32 or float64.
    """
    if not ops.executing_eagerly() or x.dtype not in _MIN_WIDTH or x.shape[0] < MIN_LENGTH:
        return None
    if not 2 <= edges.shape[0] <= x.shape[0] // _MIN_RATIO or (scale := _find_scale(edges)) is None:
        return None
    quotient = ops.multiply(ops.subtract(x, ops.scalar(scale.first, x)), ops.scalar(scale.bins_per_unit, x))
    near = _find_near(quotient, scale.tolerance)
    index = _round_down(quotient, edges.shape[0] - 1)
    if not near.shape[0]:
        return index
    nearest = ops.rint(layout.take(quotient, near[:, 0], 0))
    return tf.tensor_scatter_nd_update(index, near, _compare_with_edges(layout.take(x, near[:, 0], 0), edges, nearest))


def _find_near(quotient: tf.Tensor, tolerance: float) -> tf.Tensor:
    """Return the indices of the quotients that are close to an integer, as a column."""
    distance = ops.absolute(ops.subtract(quotient, ops.rint(quotient)))
    return ops.where(ops.less_equal(distance, ops.scalar(tolerance, distance)))


def _round_down(quotient: tf.Tensor, count: int) -> tf.Tensor:
    """Return the integers below quotients from 0 to `count`, and -1 for others."""
    lowest, highest = ops.scalar(0.0, quotient), ops.scalar(float(count), quotient)
    is_inside = ops.logical_and(ops.greater_equal(quotient, lowest), ops.less(quotient, highest))
    return ops.select(is_inside, ops.cast(quotient, tf.int32), ops.scalar(-1, tf.int32))


def _find_scale(edges: tf.Tensor) -> _Scale | None:
    """Return the scale of evenly spaced edges; None for others."""
    values, count = edges.numpy().astype(np.float64), edges.shape[0] - 1
    width = (values[-1] - values[0]) / count
    if not _MIN_WIDTH[edges.dtype] < width < np.inf:
        return None
    deviation = np.abs((values - values[0]) / width - np.arange(count + 1)).max()
    tolerance = float(deviation + 16 * (count + 1) * np.finfo(edges.dtype.as_numpy_dtype).eps)
    return _Scale(float(values[0]), float(1 / width), tolerance) if tolerance <= _MAX_TOLERANCE else None


def _compare_with_edges(x: tf.Tensor, edges: tf.Tensor, nearest: tf.Tensor) -> tf.Tensor:
    """Return the bins of the elements that are close to an edge, by comparing them with that edge."""
    last = edges.shape[0] - 1
    edge = tf.cast(tf.clip_by_value(nearest, -1, last + 1), tf.int32)
    key, edge_key = sort_keys.key(x), layout.take(sort_keys.key(edges), tf.clip_by_value(edge, 0, last), 0)
    index = tf.where(key < edge_key, edge - 1, edge)
    index = tf.where((edge == last) & (key == edge_key), last - 1, index)
    return tf.where((index >= 0) & (index < last), index, -1)
