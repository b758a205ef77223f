"""Distributions of whole numbers, as float64 until the very end."""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import elementary
from tfnp.random.counter_streams import FourUniforms, Lanes, Proposal
from tfnp.random.elementary import constant, div, log_gamma, mul, seal
from tfnp.random.streams import Stream

MAX_FLOAT: Final = float(2**63 - 1025)  # the greatest float64 below 2**63
INVALID: Final = -(2**63)  # where there is no such distribution
INVERSION_LIMIT: Final = 10.0  # below a mean of this many, one is counted up to
MAX_STEPS: Final = 400


def to_int64(x: tf.Tensor) -> tf.Tensor:
    """As int64; what is nan becomes the least."""
    lost = tf.math.is_nan(x)
    safe = tf.clip_by_value(tf.where(lost, constant(0.0), x), constant(-MAX_FLOAT), constant(MAX_FLOAT))
    return tf.where(lost, tf.constant(INVALID, tf.int64), tf.cast(safe, tf.int64))


def _invert_cdf(u: tf.Tensor, first: tf.Tensor, ratio: object, active: tf.Tensor) -> tf.Tensor:
    """By inversion: steps up from 0 while the probabilities so far add up to less than the uniform number.

    `ratio` gives, of the number of a step, how much more likely it is than the step before.
    """

    def climb(step: tf.Tensor, mass: tf.Tensor, total: tf.Tensor, found: tf.Tensor) -> tuple[tf.Tensor, ...]:
        mass = mul(mass, ratio(step + 1.0))  # type: ignore[operator]
        above = active & (u > total)
        return step + 1.0, mass, tf.where(above, total + mass, total), tf.where(above, step + 1.0, found)

    def is_below(_: tf.Tensor, mass: tf.Tensor, total: tf.Tensor, __: tf.Tensor) -> tf.Tensor:
        return tf.reduce_any(active & (u > total) & (mass > 0.0))

    start = (constant(0.0), first, first, tf.zeros_like(u))
    return tf.while_loop(is_below, climb, start, maximum_iterations=MAX_STEPS)[3]


def sample_poisson(lanes: Lanes, lam: tf.Tensor, stage: int) -> tf.Tensor:
    """By inversion, or by the transformed rejection PTRS of Hörmann (1993)."""
    is_few = lam < INVERSION_LIMIT
    few = tf.where(is_few & (lam >= 0.0), lam, constant(0.0))
    counted = _invert_cdf(lanes.uniforms(stage)[0], elementary.exp(-few), lambda step: div(few, step), few > 0.0)
    is_many = (lam >= INVERSION_LIMIT) & (lam <= MAX_FLOAT)
    many = tf.where(is_many, lam, constant(INVERSION_LIMIT))
    root, logarithm = elementary.sqrt(many), elementary.log(many)
    b = mul(constant(2.53), root) + 0.931
    a = mul(constant(0.02483), b) - 0.059
    alpha = 1.1239 + div(constant(1.1328), b - 3.4)
    surely = 0.9277 - div(constant(3.6224), b - 2.0)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        u, v = drawn[0] - 0.5, drawn[1]
        near = 0.5 - tf.abs(u)
        k = tf.floor(mul(div(2.0 * a, near) + b, u) + seal(many + 0.43))
        inside = (near >= 0.07) & (v <= surely)
        outside = (k < 0.0) | ((near < 0.013) & (v > near))
        safe = tf.maximum(k, constant(0.0))
        height = elementary.log(div(mul(v, alpha), div(a, mul(near, near)) + b))
        bound = (mul(safe, logarithm) - many) - log_gamma(safe + 1.0)
        return k, inside | (~outside & (height <= bound))

    found = lanes.sample_until_accepted(stage + 1, propose, ~is_many, tf.zeros_like(lam))
    found = tf.where(is_many, found, counted)
    return tf.where((lam >= 0.0) & (lam <= MAX_FLOAT), found, constant(float("nan")))


def sample_binomial(lanes: Lanes, n: tf.Tensor, p: tf.Tensor, stage: int) -> tf.Tensor:
    """By inversion, or by the transformed rejection BTRS of Hörmann (1993); of the less likely outcome."""
    is_valid = (n >= 0.0) & (p >= 0.0) & (p <= 1.0)
    n = tf.where(is_valid, n, constant(0.0))
    q = tf.where(is_valid, tf.minimum(p, 1.0 - p), constant(0.0))
    mean = mul(n, q)
    is_few = mean < INVERSION_LIMIT
    odds = div(q, 1.0 - q)
    none = elementary.exp(mul(n, elementary.log1p(-tf.where(is_few, q, constant(0.0)))))
    steps = lambda step: mul(odds, div((n + 1.0) - step, step))  # noqa: E731 - a formula
    counted = tf.minimum(_invert_cdf(lanes.uniforms(stage)[0], none, steps, is_few & (mean > 0.0)), n)
    large, small = tf.where(is_few, constant(40.0), n), tf.where(is_few, constant(0.5), q)
    found = lanes.sample_until_accepted(stage + 1, _make_btrs_proposal(large, small), is_few, tf.zeros_like(mean))
    found = tf.where(is_few, counted, found)
    found = tf.where(p > 0.5, n - found, found)
    return tf.where(is_valid, found, constant(float("nan")))


def _make_btrs_proposal(n: tf.Tensor, p: tf.Tensor) -> Proposal:
    spread = elementary.sqrt(mul(mul(n, p), 1.0 - p))
    b = mul(constant(2.53), spread) + 1.15
    a = (mul(constant(0.0248), b) - 0.0873) + mul(constant(0.01), p)
    alpha = mul(div(constant(5.1), b) + 2.83, spread)
    surely = 0.92 - div(constant(4.2), b)
    center, log_odds = seal(mul(n, p) + 0.5), elementary.log(div(p, 1.0 - p))
    mode = tf.floor(mul(n + 1.0, p))
    peak = log_gamma(mode + 1.0) + log_gamma((n - mode) + 1.0)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        u, v = drawn[0] - 0.5, drawn[1]
        near = 0.5 - tf.abs(u)
        k = tf.floor(mul(div(2.0 * a, near) + b, u) + center)
        inside = (near >= 0.07) & (v <= surely)
        within = (k >= 0.0) & (k <= n)
        safe = tf.where(within, k, mode)
        height = elementary.log(div(mul(v, alpha), div(a, mul(near, near)) + b))
        bound = (peak - (log_gamma(safe + 1.0) + log_gamma((n - safe) + 1.0))) + mul(safe - mode, log_odds)
        return k, within & (inside | (height <= bound))

    return propose


def poisson(stream: Stream, count: Dim, lam: tf.Tensor) -> tf.Tensor:
    lanes = Lanes(stream, count)
    return to_int64(sample_poisson(lanes, lanes.broadcast(lam), 0))


def binomial(stream: Stream, count: Dim, n: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
    lanes = Lanes(stream, count)
    return to_int64(sample_binomial(lanes, lanes.broadcast(n), lanes.broadcast(p), 0))
