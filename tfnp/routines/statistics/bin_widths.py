"""How wide bins should be for so many numbers of such a spread: NumPy's rules, each under its name.

A rule takes numbers, as a vector of floats that is not empty, and the ends of their range; what it says is a scalar,
zero where one bin has to do. Where the rules come from:
https://numpy.org/doc/stable/reference/generated/numpy.histogram_bin_edges.html
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import mean, std
from tfnp.routines.statistics.quantiles import percentile

__all__ = ["RULES", "Ends"]

Ends = tuple[tf.Tensor, tf.Tensor]
FEWEST: Final = 100  # bins that Stone's rule tries


def _count(x: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.size(x), x.dtype)


def _number(value: float, x: tf.Tensor) -> tf.Tensor:
    return convert.as_constant(np.array(value, x.dtype.as_numpy_dtype))


def _spread(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_max(x) - tf.reduce_min(x)


def _sqrt(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return _spread(x) / tf.sqrt(_count(x))


def _sturges(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return _spread(x) / (ufuncs.log2(_count(x)) + 1)


def _rice(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return _spread(x) / (2 * _count(x) ** _number(1 / 3, x))


def _scott(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return (_number(24 * math.pi**0.5, x) / _count(x)) ** _number(1 / 3, x) * std(x)


def _stone(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    """The least of an estimate of the loss, among all counts of bins up to a hundred, or the root of the count."""
    count, spread = _count(x), _spread(x)
    low, high = ends
    most = tf.maximum(FEWEST, tf.cast(tf.sqrt(count), tf.int32))

    def loss(bins: tf.Tensor) -> tf.Tensor:
        width = (high - low) / tf.cast(bins, x.dtype)
        indices = tf.clip_by_value(tf.cast((x - low) / width, tf.int32), 0, bins - 1)
        shares = tf.math.unsorted_segment_sum(tf.ones_like(x), indices, bins) / count
        return (2 - (count + 1) * tf.reduce_sum(shares * shares)) / (spread / tf.cast(bins, x.dtype))

    losses = tf.map_fn(loss, tf.range(1, most + 1), fn_output_signature=x.dtype)
    best = tf.argmin(losses) + 1
    alone = tf.logical_or(count <= 1, tf.equal(spread, 0))
    return tf.where(alone, tf.zeros_like(spread), spread / tf.cast(best, x.dtype))


def _doane(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    count, deviation = _count(x), std(x)
    error = tf.sqrt(6 * (count - 2) / ((count + 1) * (count + 3)))
    skew = mean(((x - mean(x)) / deviation) ** 3)
    width = _spread(x) / (1 + ufuncs.log2(count) + ufuncs.log2(1 + tf.abs(skew) / error))
    return tf.where(tf.logical_and(count > 2, deviation > 0), width, tf.zeros_like(width))


def _freedman_diaconis(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    quarters = convert.cast(percentile(x, [75, 25]), x.dtype)
    return 2 * (quarters[0] - quarters[1]) / _count(x) ** _number(1 / 3, x)


def _auto(x: tf.Tensor, ends: Ends) -> tf.Tensor:
    return tf.minimum(tf.maximum(_freedman_diaconis(x, ends), _sqrt(x, ends) / 2), _sturges(x, ends))


RULES: Final[dict[str, Callable[[tf.Tensor, Ends], tf.Tensor]]] = {
    "auto": _auto,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _sqrt,
    "stone": _stone,
    "sturges": _sturges,
}
