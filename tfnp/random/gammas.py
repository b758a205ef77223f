"""Gamma distributions, and those derived from them: beta, chi-square, F, t.

They are calculated as logarithms, which do not underflow for small shapes: the ratio of two gamma numbers of shape 1e-5
is an ordinary number.
"""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays, discrete, elementary
from tfnp.random.counter_streams import FourUniforms, Lanes, box_muller, make_lanes
from tfnp.random.elementary import constant, div, mul, seal
from tfnp.random.streams import Stream

INF: Final = float("inf")
NAN: Final = float("nan")
SURE_MARGIN: Final = 1e-9
SURE_MARGIN_OF_SHAPE: Final = 1e-13


def sample_log_gamma(lanes: Lanes, shape: tf.Tensor, stage: int) -> tf.Tensor:
    """Sample logarithms of gamma numbers (Marsaglia and Tsang 2000); a shape below 1 is raised by 1 and corrected."""
    is_small = shape < 1.0
    is_regular = (shape > 0.0) & (shape < INF)
    shifted_shape = arrays.where(is_regular, arrays.where(is_small, shape + 1.0, shape), constant(1.0))
    d = shifted_shape - 1 / 3
    c = div(constant(1.0), elementary.sqrt(mul(constant(9.0), d)))

    def propose(drawn: FourUniforms, c: tf.Tensor, d: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        x = box_muller(drawn[0], drawn[1])
        root = mul(c, x) + 1.0
        is_positive = root > 0.0
        log_v = mul(constant(3.0), elementary.log(arrays.where(is_positive, root, constant(1.0))))
        u = drawn[2]
        is_sure = _is_surely_below(u, x, d)
        return log_v, is_positive & (is_sure | arrays.decide(is_positive & ~is_sure, _is_below, u, x, log_v, d))

    log_v = lanes.sample_until_accepted(stage, propose, (c, d), ~is_regular, arrays.zeros_like(shape))
    result = seal(elementary.log(d) + log_v)

    def correct() -> tf.Tensor:
        correction = div(elementary.log(lanes.uniforms(stage + 1)[0]), arrays.where(is_regular, shape, constant(1.0)))
        return arrays.where(is_small, result + correction, result)

    corrected = arrays.compute_if_any(is_small, correct, result)
    limit = arrays.where(shape == 0.0, constant(-INF), arrays.where(shape == INF, shape, constant(NAN)))
    return arrays.where(is_regular, corrected, limit)


def _is_below(u: tf.Tensor, x: tf.Tensor, log_v: tf.Tensor, d: tf.Tensor) -> tf.Tensor:
    """Return whether a proposal is accepted, if it is positive."""
    bound = mul(d, seal(1.0 - elementary.exp(log_v)) + log_v) + mul(mul(x, x), constant(0.5))
    return elementary.log(u) < bound


def _is_surely_below(u: tf.Tensor, x: tf.Tensor, d: tf.Tensor) -> tf.Tensor:
    """Return a mask of elements for which `_is_below` is true, found without logarithms: most of an array's. The margin
    is far above the rounding errors of both. Of tensors all elements are computed in any case.
    """
    if arrays.has_tensor(u):
        return tf.zeros_like(u, tf.bool)
    squared = x * x
    return u < (1.0 - SURE_MARGIN - SURE_MARGIN_OF_SHAPE * d) - 0.0331 * (squared * squared)


def standard_gamma(stream: Stream, count: Dim, shape: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    return elementary.exp(sample_log_gamma(lanes, shape, 0))


def standard_gamma_float32(stream: Stream, count: Dim, shape: tf.Tensor) -> tf.Tensor:
    return arrays.cast(standard_gamma(stream, count, shape), tf.float32)


def gamma(stream: Stream, count: Dim, shape: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    return mul(scale, standard_gamma(stream, count, shape))


def chisquare(stream: Stream, count: Dim, df: tf.Tensor) -> tf.Tensor:
    return 2.0 * standard_gamma(stream, count, df * 0.5)


def beta(stream: Stream, count: Dim, a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    x, y = sample_log_gamma(lanes, a, 0), sample_log_gamma(lanes, b, 2)
    result = div(constant(1.0), elementary.exp(y - x) + 1.0)
    return arrays.where((a == 0.0) | (b == 0.0), constant(NAN), result)  # where less, it is nan


def f(stream: Stream, count: Dim, dfnum: tf.Tensor, dfden: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    log_numerator, log_denominator = (sample_log_gamma(lanes, df * 0.5, 2 * i) for i, df in enumerate((dfnum, dfden)))
    return mul(elementary.exp(log_numerator - log_denominator), div(dfden, dfnum))


def standard_t(stream: Stream, count: Dim, df: tf.Tensor) -> tf.Tensor:
    """Sample Student's t; infinitely many degrees of freedom give a normal number, as in NumPy."""
    lanes = make_lanes(stream, count)
    log_denominator = sample_log_gamma(lanes, df * 0.5, 2)
    root = elementary.exp(0.5 * (elementary.log(df * 0.5) - log_denominator))
    return mul(lanes.normals(0)[0], arrays.where(df == INF, constant(1.0), root))


def noncentral_chisquare(stream: Stream, count: Dim, df: tf.Tensor, nonc: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    return _sample_noncentral(lanes, df, nonc)


def _sample_noncentral(lanes: Lanes, df: tf.Tensor, nonc: tf.Tensor) -> tf.Tensor:
    """Sample noncentral chi-square numbers: above one degree of freedom a shifted normal plus a central one, otherwise
    a Poisson mixture. Where there are no degrees of freedom, they are nan.
    """
    is_large = df > 1.0
    poisson = discrete.sample_poisson(lanes, arrays.where(is_large, constant(0.0), nonc) * 0.5, 6)
    degrees = arrays.where(is_large, df - 1.0, df + 2.0 * poisson)
    central = 2.0 * elementary.exp(sample_log_gamma(lanes, degrees * 0.5, 2))
    shifted_normal = lanes.normals(0)[0] + elementary.sqrt(nonc)
    result = arrays.where(is_large, central + mul(shifted_normal, shifted_normal), central)
    return arrays.where(arrays.isnan(nonc), nonc, arrays.where(df <= 0.0, constant(NAN), result))


def noncentral_f(stream: Stream, count: Dim, dfnum: tf.Tensor, dfden: tf.Tensor, nonc: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    log_numerator = _sample_noncentral(lanes, dfnum, nonc)
    log_denominator = 2.0 * elementary.exp(sample_log_gamma(lanes, dfden * 0.5, 10))
    return div(mul(log_numerator, dfden), mul(log_denominator, dfnum))
