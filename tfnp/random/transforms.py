"""Continuous distributions that are functions of one uniform, normal or exponential number.

These are NumPy's formulas on NumPy's numbers, so that what they give is NumPy's, but for last digits: those of its
logarithms and exponentials.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import elementary, ziggurat
from tfnp.random.elementary import div, mul, number, sealed
from tfnp.random.streams import Stream

Numbers = Callable[[Stream, Dim], tf.Tensor]
TINY: Final = 2.0**-54  # in place of a uniform 0, of which there is no logarithm, and which NumPy draws again


def doubles(stream: Stream, count: Dim) -> tf.Tensor:
    return stream.doubles(count)


def floats(stream: Stream, count: Dim) -> tf.Tensor:
    return stream.floats(count)


def short_normals(stream: Stream, count: Dim) -> tf.Tensor:
    return tf.cast(ziggurat.normals(stream, count, short=True), tf.float32)


def short_exponentials(stream: Stream, count: Dim) -> tf.Tensor:
    return tf.cast(ziggurat.exponentials(stream, count, short=True), tf.float32)


def inverse_exponentials(stream: Stream, count: Dim) -> tf.Tensor:
    """By the inverse of the distribution function: what RandomState draws, and Generator if asked to."""
    return -elementary.log(1.0 - stream.doubles(count))


def short_inverse_exponentials(stream: Stream, count: Dim) -> tf.Tensor:
    return tf.cast(-elementary.log(1.0 - tf.cast(stream.floats(count), tf.float64)), tf.float32)


def moved(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    """`loc + scale * x`, with its gradient."""
    return loc + sealed(scale * of(stream, count))


def uniform(stream: Stream, count: Dim, low: tf.Tensor, high: tf.Tensor) -> tf.Tensor:
    return low + sealed((high - low) * stream.doubles(count))


def scaled(stream: Stream, count: Dim, scale: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    return sealed(scale * of(stream, count))


def lognormal(stream: Stream, count: Dim, mean: tf.Tensor, sigma: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    return elementary.exp(moved(stream, count, mean, sigma, of=of))


def _open(stream: Stream, count: Dim) -> tf.Tensor:
    return tf.maximum(stream.doubles(count), number(TINY))


def laplace(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    u = _open(stream, count)
    is_upper = u >= 0.5
    distance = elementary.log(tf.where(is_upper, (2.0 - u) - u, u + u))
    return loc + sealed(scale * tf.where(is_upper, -distance, distance))


def gumbel(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    u = 1.0 - stream.doubles(count)
    u = tf.where(u < 1.0, u, number(1.0 - TINY * 4))
    return loc - sealed(scale * elementary.log(-elementary.log(u)))


def logistic(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    u = _open(stream, count)
    return loc + sealed(scale * elementary.log(div(u, 1.0 - u)))


def rayleigh(stream: Stream, count: Dim, scale: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    return sealed(scale * elementary.sqrt(2.0 * of(stream, count)))


def pareto(stream: Stream, count: Dim, a: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    return elementary.expm1(div(of(stream, count), a))


def weibull(stream: Stream, count: Dim, a: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    """Of shape 0 it is 0."""
    drawn = elementary.power(of(stream, count), div(number(1.0), a))
    return tf.where(a == 0.0, number(0.0), drawn)


def power(stream: Stream, count: Dim, a: tf.Tensor, *, of: Numbers) -> tf.Tensor:
    return elementary.power(-elementary.expm1(-of(stream, count)), div(number(1.0), a))


def standard_cauchy(stream: Stream, count: Dim, *, of: Numbers) -> tf.Tensor:
    pairs = tf.reshape(of(stream, 2 * count), (-1, 2))
    return div(pairs[:, 0], pairs[:, 1])


def triangular(stream: Stream, count: Dim, left: tf.Tensor, mode: tf.Tensor, right: tf.Tensor) -> tf.Tensor:
    """A root of the distribution function, on either side of the mode."""
    base, rise = right - left, mode - left
    u = stream.doubles(count)
    below = left + elementary.sqrt(mul(u, mul(rise, base)))
    above = right - elementary.sqrt(mul(1.0 - u, mul(right - mode, base)))
    return tf.where(u <= div(rise, base), below, above)


NORMALS: Final[Numbers] = ziggurat.normals
EXPONENTIALS: Final[Numbers] = ziggurat.exponentials
POLAR_NORMALS: Final[Numbers] = ziggurat.polar_normals
INVERSE_EXPONENTIALS: Final[Numbers] = inverse_exponentials

STANDARD: Final = {
    "normal": {tf.float64: ziggurat.normals, tf.float32: short_normals},
    "exponential": {tf.float64: ziggurat.exponentials, tf.float32: short_exponentials},
    "inverse exponential": {tf.float64: inverse_exponentials, tf.float32: short_inverse_exponentials},
    "uniform": {tf.float64: doubles, tf.float32: floats},
}
"""Numbers without parameters, by dtype."""
