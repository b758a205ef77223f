"""Continuous distributions that transform one uniform, normal or exponential number.

They apply NumPy's formulas to NumPy's numbers, so the results agree up to the last digits of logarithms and
exponentials.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays, elementary, ziggurat
from tfnp.random.elementary import constant, div, mul, seal_with_gradient
from tfnp.random.streams import Stream

Sampler = Callable[[Stream, Dim], tf.Tensor]
SMALLEST_UNIFORM: Final = (
    2.0**-54
)  # in place of a uniform 0, of which there is no logarithm, and which NumPy draws again


def doubles(stream: Stream, count: Dim) -> tf.Tensor:
    return stream.doubles(count)


def floats(stream: Stream, count: Dim) -> tf.Tensor:
    return stream.floats(count)


def normals_float32(stream: Stream, count: Dim) -> tf.Tensor:
    return arrays.cast(ziggurat.normals(stream, count, short=True), tf.float32)


def exponentials_float32(stream: Stream, count: Dim) -> tf.Tensor:
    return arrays.cast(ziggurat.exponentials(stream, count, short=True), tf.float32)


def inverse_exponentials(stream: Stream, count: Dim) -> tf.Tensor:
    """Return exponential numbers by inversion, which RandomState uses always, and Generator if requested."""
    return -elementary.log(1.0 - stream.doubles(count))


def inverse_exponentials_float32(stream: Stream, count: Dim) -> tf.Tensor:
    return arrays.cast(-elementary.log(1.0 - arrays.cast(stream.floats(count), tf.float64)), tf.float32)


def shift_and_scale(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    """Return `loc + scale * x`, with its gradient."""
    return loc + seal_with_gradient(scale * base(stream, count))


def uniform(stream: Stream, count: Dim, low: tf.Tensor, high: tf.Tensor) -> tf.Tensor:
    return low + seal_with_gradient((high - low) * stream.doubles(count))


def scale_by(stream: Stream, count: Dim, scale: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    return seal_with_gradient(scale * base(stream, count))


def lognormal(stream: Stream, count: Dim, mean: tf.Tensor, sigma: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    return elementary.exp(shift_and_scale(stream, count, mean, sigma, base=base))


def _draw_open_uniforms(stream: Stream, count: Dim) -> tf.Tensor:
    return arrays.maximum(stream.doubles(count), constant(SMALLEST_UNIFORM))


def laplace(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    u = _draw_open_uniforms(stream, count)
    is_upper = u >= 0.5
    distance = elementary.log(arrays.where(is_upper, (2.0 - u) - u, u + u))
    return loc + seal_with_gradient(scale * arrays.where(is_upper, -distance, distance))


def gumbel(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    u = 1.0 - stream.doubles(count)
    u = arrays.where(u < 1.0, u, constant(1.0 - SMALLEST_UNIFORM * 4))
    return loc - seal_with_gradient(scale * elementary.log(-elementary.log(u)))


def logistic(stream: Stream, count: Dim, loc: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    u = _draw_open_uniforms(stream, count)
    return loc + seal_with_gradient(scale * elementary.log(div(u, 1.0 - u)))


def rayleigh(stream: Stream, count: Dim, scale: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    return seal_with_gradient(scale * elementary.sqrt(2.0 * base(stream, count)))


def pareto(stream: Stream, count: Dim, a: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    return _mask_invalid(a > 0.0, elementary.expm1(div(base(stream, count), a)))


def weibull(stream: Stream, count: Dim, a: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    """Sample by the power of an exponential number; a shape of 0 gives 0."""
    samples = elementary.power(base(stream, count), div(constant(1.0), a))
    return _mask_invalid(a >= 0.0, arrays.where(a == 0.0, constant(0.0), samples))


def power(stream: Stream, count: Dim, a: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    return _mask_invalid(a > 0.0, elementary.power(-elementary.expm1(-base(stream, count)), div(constant(1.0), a)))


def _mask_invalid(is_valid: tf.Tensor, samples: tf.Tensor) -> tf.Tensor:
    """Return the values, with nan for parameters that are invalid, which cannot be checked while tracing."""
    return arrays.where(is_valid, samples, constant(float("nan")))


def standard_cauchy(stream: Stream, count: Dim, *, base: Sampler) -> tf.Tensor:
    pairs = arrays.reshape(base(stream, 2 * count), (-1, 2))
    return div(pairs[:, 0], pairs[:, 1])


def triangular(stream: Stream, count: Dim, left: tf.Tensor, mode: tf.Tensor, right: tf.Tensor) -> tf.Tensor:
    """Invert the distribution function, on either side of the mode."""
    base, rise = right - left, mode - left
    u = stream.doubles(count)
    below = left + elementary.sqrt(mul(u, mul(rise, base)))
    above = right - elementary.sqrt(mul(1.0 - u, mul(right - mode, base)))
    is_valid = (left <= mode) & (mode <= right) & (left < right)
    return _mask_invalid(is_valid, arrays.where(u <= div(rise, base), below, above))


STANDARD: Final = {
    "normal": {tf.float64: ziggurat.normals, tf.float32: normals_float32},
    "exponential": {tf.float64: ziggurat.exponentials, tf.float32: exponentials_float32},
    "inverse exponential": {tf.float64: inverse_exponentials, tf.float32: inverse_exponentials_float32},
    "uniform": {tf.float64: doubles, tf.float32: floats},
}
"""Samplers without parameters, by distribution and dtype."""
