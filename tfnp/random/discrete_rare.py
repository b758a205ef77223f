"""More distributions of whole numbers: waiting times, draws without replacement, long tails."""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import elementary
from tfnp.random.counter_streams import FourUniforms, Lanes
from tfnp.random.discrete import MAX_FLOAT, sample_poisson, to_int64
from tfnp.random.elementary import constant, div, log_gamma, mul
from tfnp.random.gammas import sample_log_gamma
from tfnp.random.streams import Stream
from tfnp.random.transforms import Sampler

LIKELY: Final = 1 / 3  # a success: then NumPy counts trials, else it inverts the distribution function
MAX_ZIPF_EXPONENT: Final = 1025.0  # from this exponent on, no tail is left
MAX_SINGLE_DRAWS: Final = 10
HRUA_CONSTANTS: Final = (1.7155277699214135, 0.8989161620588988)  # 2 sqrt(2 / e) and 3 - 2 sqrt(3 / e)
NAN: Final = float("nan")


def geometric(stream: Stream, count: Dim, p: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    """Trials up to the first success: exponential waiting, rounded up."""
    safe = tf.where((p > 0.0) & (p < 1.0), p, constant(0.5))
    trials = -tf.math.floor(div(base(stream, count), elementary.log1p(-safe)))
    trials = tf.where(p == 1.0, constant(1.0), tf.maximum(trials, constant(1.0)))
    return to_int64(tf.where((p > 0.0) & (p <= 1.0), trials, constant(NAN)))


def negative_binomial(stream: Stream, count: Dim, n: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
    """A Poisson number whose mean is a gamma."""
    lanes = Lanes(stream, count)
    n, p = lanes.broadcast(n), lanes.broadcast(p)
    odds = div(1.0 - p, p)
    mean = tf.where(odds == 0.0, odds, mul(odds, elementary.exp(sample_log_gamma(lanes, n, 4))))
    return to_int64(sample_poisson(lanes, mean, 0))


def zipf(stream: Stream, count: Dim, a: tf.Tensor) -> tf.Tensor:
    """By rejection (Devroye 1986, X.6.1) of a tail that ends where int64 does."""
    lanes = Lanes(stream, count)
    a = lanes.broadcast(a)
    usual = (a > 1.0) & (a < MAX_ZIPF_EXPONENT)
    less = tf.where(usual, a, constant(2.0)) - 1.0
    b = elementary.exp(mul(less, constant(elementary.math.log(2))))
    least = elementary.power(constant(MAX_FLOAT), -less)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        u = mul(drawn[0], least) + (1.0 - drawn[0])
        x = tf.floor(elementary.power(u, div(constant(-1.0), less)))
        is_valid = (x >= 1.0) & (x <= MAX_FLOAT)
        x = tf.where(is_valid, x, constant(1.0))
        t = elementary.power(div(constant(1.0), x) + 1.0, less)
        return x, is_valid & (div(mul(mul(drawn[1], x), t - 1.0), b - 1.0) <= div(t, b))

    found = lanes.sample_until_accepted(0, propose, ~usual, tf.ones_like(a))
    return to_int64(tf.where(a > 1.0, found, constant(NAN)))


def logseries(stream: Stream, count: Dim, p: tf.Tensor) -> tf.Tensor:
    """Algorithm LK of Kemp (1981)."""
    lanes = Lanes(stream, count)
    p = lanes.broadcast(p)
    usual = (p > 0.0) & (p < 1.0)
    safe = tf.where(usual, p, constant(0.5))
    rate = elementary.log1p(-safe)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        v = drawn[1]
        q = -elementary.expm1(mul(rate, drawn[0]))
        far = tf.floor(div(elementary.log(v), elementary.log(q)) + 1.0)
        near = tf.where(v >= q, constant(1.0), constant(2.0))
        found = tf.where(v >= safe, constant(1.0), tf.where(v <= mul(q, q), far, near))
        return found, found >= 1.0

    found = lanes.sample_until_accepted(0, propose, ~usual, tf.ones_like(p))
    return to_int64(tf.where((p >= 0.0) & (p < 1.0), found, constant(NAN)))


def hypergeometric(stream: Stream, count: Dim, ngood: tf.Tensor, nbad: tf.Tensor, nsample: tf.Tensor) -> tf.Tensor:
    lanes = Lanes(stream, count)
    good, bad, sample = map(lanes.broadcast, (ngood, nbad, nsample))
    return to_int64(sample_hypergeometric(lanes, good, bad, sample, 0))


def sample_hypergeometric(lanes: Lanes, good: tf.Tensor, bad: tf.Tensor, sample: tf.Tensor, stage: int) -> tf.Tensor:
    """Of the sample, or of what it leaves if that is less, how many are good: drawn one by one, or by rejection."""
    total = good + bad
    is_valid = (good >= 0.0) & (bad >= 0.0) & (sample >= 0.0) & (sample <= total)
    is_more = mul(sample, constant(2.0)) > total
    drawn = tf.where(is_valid, tf.where(is_more, total - sample, sample), constant(0.0))
    is_few = drawn <= MAX_SINGLE_DRAWS
    few = _draw_one_by_one(lanes, good, total, tf.where(is_few, drawn, constant(0.0)), stage)
    many = _draw_by_rejection(lanes, is_few, good, bad, drawn, stage + 1)
    found = tf.where(is_few, few, many)
    return tf.where(is_valid, tf.where(is_more, good - found, found), constant(NAN))


def _draw_one_by_one(lanes: Lanes, good: tf.Tensor, total: tf.Tensor, draws: tf.Tensor, stage: int) -> tf.Tensor:
    def draw(step: tf.Tensor, found: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        u = lanes.uniforms(stage, step)[0]
        taken = tf.cast(step, tf.float64)
        is_good = mul(u, total - taken) < good - found
        return step + 1, found + tf.cast(is_good & (taken < draws), tf.float64)

    most = tf.cast(tf.reduce_max(tf.concat([draws, tf.zeros([1], tf.float64)], 0)), tf.int64)
    start = (tf.constant(0, tf.int64), tf.zeros_like(draws))
    return tf.while_loop(lambda step, _: step < most, draw, start, maximum_iterations=MAX_SINGLE_DRAWS)[1]


def _draw_by_rejection(
    lanes: Lanes, done: tf.Tensor, good: tf.Tensor, bad: tf.Tensor, draws: tf.Tensor, stage: int
) -> tf.Tensor:
    """HRUA of Stadlober (1989): a ratio of uniform numbers."""
    good, bad, m = (tf.where(done, constant(20.0), value) for value in (good, bad, draws))
    total = good + bad
    lesser, greater = tf.minimum(good, bad), tf.maximum(good, bad)
    share = div(lesser, total)
    middle = elementary.seal(mul(m, share) + 0.5)
    deviation = elementary.sqrt(mul(mul(mul(m, share), 1.0 - share), div(total - m, total - 1.0)) + 0.5)
    width = mul(constant(HRUA_CONSTANTS[0]), deviation) + HRUA_CONSTANTS[1]
    mode = tf.floor(div(mul(m + 1.0, lesser + 1.0), total + 2.0))
    limit = tf.minimum(tf.minimum(m, lesser) + 1.0, tf.floor(middle + mul(constant(16.0), deviation)))

    def weight(z: tf.Tensor) -> tf.Tensor:
        ends = log_gamma(z + 1.0) + log_gamma((lesser - z) + 1.0)
        others = log_gamma((m - z) + 1.0) + log_gamma(((greater - m) + z) + 1.0)
        return elementary.seal(ends) + elementary.seal(others)

    peak = weight(mode)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        x = drawn[0]
        index = middle + div(mul(width, drawn[1] - 0.5), x)
        inside = (index >= 0.0) & (index < limit)
        z = tf.floor(tf.where(inside, index, mode))
        is_valid = inside & (2.0 * elementary.log(x) <= peak - weight(z))
        return z, is_valid

    found = lanes.sample_until_accepted(stage, propose, done, tf.zeros_like(m))
    return tf.where(good > bad, m - found, found)
