"""Poisson and binomial distributions, calculated in float64 and cast to int64 at the end."""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import elementary
from tfnp.random.counter_streams import FourUniforms, Lanes, Proposal
from tfnp.random.elementary import constant, div, log_gamma, mul, seal
from tfnp.random.streams import Stream

MAX_FLOAT: Final = float(2**63 - 1025)  # the largest float64 below 2**63
INVALID: Final = -(2**63)  # the result for invalid parameters
INVERSION_LIMIT: Final = 10.0  # sample by inversion below this mean
MAX_STEPS: Final = 400


def to_int64(x: tf.Tensor) -> tf.Tensor:
    """Return the values cast to int64; nan becomes the smallest int64."""
    is_nan = tf.math.is_nan(x)
    finite = tf.clip_by_value(tf.where(is_nan, constant(0.0), x), constant(-MAX_FLOAT), constant(MAX_FLOAT))
    return tf.where(is_nan, tf.constant(INVALID, tf.int64), tf.cast(finite, tf.int64))


def _invert_cdf(u: tf.Tensor, first: tf.Tensor, ratio: object, active: tf.Tensor) -> tf.Tensor:
    """Sample by inversion: step up from 0 while the cumulative probability is below the uniform number. `ratio` maps a
    step to the ratio of its probability to that of the step before.
    """

    def climb(step: tf.Tensor, mass: tf.Tensor, total: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, ...]:
        mass = mul(mass, ratio(step + 1.0))  # type: ignore[operator]
        is_above = active & (u > total)
        return step + 1.0, mass, tf.where(is_above, total + mass, total), tf.where(is_above, step + 1.0, result)

    def is_below(_: tf.Tensor, mass: tf.Tensor, total: tf.Tensor, __: tf.Tensor) -> tf.Tensor:
        return tf.reduce_any(active & (u > total) & (mass > 0.0))

    start = (constant(0.0), first, first, tf.zeros_like(u))
    return tf.while_loop(is_below, climb, start, maximum_iterations=MAX_STEPS)[3]


def sample_poisson(lanes: Lanes, lam: tf.Tensor, stage: int) -> tf.Tensor:
    """Return Poisson numbers: by inversion, or by transformed rejection (PTRS, Hörmann 1993)."""
    use_inversion = lam < INVERSION_LIMIT
    small_mean = tf.where(use_inversion & (lam >= 0.0), lam, constant(0.0))
    inverted = _invert_cdf(
        lanes.uniforms(stage)[0], elementary.exp(-small_mean), lambda step: div(small_mean, step), small_mean > 0.0
    )
    use_rejection = (lam >= INVERSION_LIMIT) & (lam <= MAX_FLOAT)
    large_mean = tf.where(use_rejection, lam, constant(INVERSION_LIMIT))
    sqrt_mean, log_mean = elementary.sqrt(large_mean), elementary.log(large_mean)
    b = mul(constant(2.53), sqrt_mean) + 0.931
    a = mul(constant(0.02483), b) - 0.059
    alpha = 1.1239 + div(constant(1.1328), b - 3.4)
    squeeze = 0.9277 - div(constant(3.6224), b - 2.0)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        u, v = drawn[0] - 0.5, drawn[1]
        distance = 0.5 - tf.abs(u)
        k = tf.floor(mul(div(2.0 * a, distance) + b, u) + seal(large_mean + 0.43))
        is_inside = (distance >= 0.07) & (v <= squeeze)
        is_outside = (k < 0.0) | ((distance < 0.013) & (v > distance))
        safe_k = tf.maximum(k, constant(0.0))
        height = elementary.log(div(mul(v, alpha), div(a, mul(distance, distance)) + b))
        bound = (mul(safe_k, log_mean) - large_mean) - log_gamma(safe_k + 1.0)
        return k, is_inside | (~is_outside & (height <= bound))

    result = lanes.sample_until_accepted(stage + 1, propose, ~use_rejection, tf.zeros_like(lam))
    result = tf.where(use_rejection, result, inverted)
    return tf.where((lam >= 0.0) & (lam <= MAX_FLOAT), result, constant(float("nan")))


def sample_binomial(lanes: Lanes, n: tf.Tensor, p: tf.Tensor, stage: int) -> tf.Tensor:
    """Return binomial numbers: by inversion, or by transformed rejection (BTRS, Hörmann 1993), of the less likely
    outcome.
    """
    is_valid = (n >= 0.0) & (p >= 0.0) & (p <= 1.0)
    n = tf.where(is_valid, n, constant(0.0))
    q = tf.where(is_valid, tf.minimum(p, 1.0 - p), constant(0.0))
    mean = mul(n, q)
    use_inversion = mean < INVERSION_LIMIT
    odds = div(q, 1.0 - q)
    probability_of_zero = elementary.exp(mul(n, elementary.log1p(-tf.where(use_inversion, q, constant(0.0)))))
    steps = lambda step: mul(odds, div((n + 1.0) - step, step))  # noqa: E731 - a formula
    inverted = tf.minimum(
        _invert_cdf(lanes.uniforms(stage)[0], probability_of_zero, steps, use_inversion & (mean > 0.0)), n
    )
    rejection_n, rejection_p = tf.where(use_inversion, constant(40.0), n), tf.where(use_inversion, constant(0.5), q)
    result = lanes.sample_until_accepted(
        stage + 1, _make_btrs_proposal(rejection_n, rejection_p), use_inversion, tf.zeros_like(mean)
    )
    result = tf.where(use_inversion, inverted, result)
    result = tf.where(p > 0.5, n - result, result)
    return tf.where(is_valid, result, constant(float("nan")))


def _make_btrs_proposal(n: tf.Tensor, p: tf.Tensor) -> Proposal:
    deviation = elementary.sqrt(mul(mul(n, p), 1.0 - p))
    b = mul(constant(2.53), deviation) + 1.15
    a = (mul(constant(0.0248), b) - 0.0873) + mul(constant(0.01), p)
    alpha = mul(div(constant(5.1), b) + 2.83, deviation)
    squeeze = 0.92 - div(constant(4.2), b)
    center, log_odds = seal(mul(n, p) + 0.5), elementary.log(div(p, 1.0 - p))
    mode = tf.floor(mul(n + 1.0, p))
    peak = log_gamma(mode + 1.0) + log_gamma((n - mode) + 1.0)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        u, v = drawn[0] - 0.5, drawn[1]
        distance = 0.5 - tf.abs(u)
        k = tf.floor(mul(div(2.0 * a, distance) + b, u) + center)
        is_inside = (distance >= 0.07) & (v <= squeeze)
        is_in_range = (k >= 0.0) & (k <= n)
        safe_k = tf.where(is_in_range, k, mode)
        height = elementary.log(div(mul(v, alpha), div(a, mul(distance, distance)) + b))
        bound = (peak - (log_gamma(safe_k + 1.0) + log_gamma((n - safe_k) + 1.0))) + mul(safe_k - mode, log_odds)
        return k, is_in_range & (is_inside | (height <= bound))

    return propose


def poisson(stream: Stream, count: Dim, lam: tf.Tensor) -> tf.Tensor:
    lanes = Lanes(stream, count)
    return to_int64(sample_poisson(lanes, lanes.broadcast(lam), 0))


def binomial(stream: Stream, count: Dim, n: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
    lanes = Lanes(stream, count)
    return to_int64(sample_binomial(lanes, lanes.broadcast(n), lanes.broadcast(p), 0))
