"""Geometric, negative binomial, hypergeometric, Zipf and log-series distributions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays, elementary
from tfnp.random.counter_streams import FourUniforms, Lanes, make_lanes
from tfnp.random.discrete import MAX_FLOAT, sample_poisson, to_int64
from tfnp.random.elementary import constant, div, log_factorial, mul
from tfnp.random.gammas import sample_log_gamma
from tfnp.random.streams import Stream
from tfnp.random.transforms import Sampler

MAX_ZIPF_EXPONENT: Final = 1025.0  # from this exponent on, all mass is at 1
MAX_SINGLE_DRAWS: Final = 10
HRUA_CONSTANTS: Final = (1.7155277699214135, 0.8989161620588988)  # 2 sqrt(2 / e) and 3 - 2 sqrt(3 / e)
NAN: Final = float("nan")


def geometric(stream: Stream, count: Dim, p: tf.Tensor, *, base: Sampler) -> tf.Tensor:
    """Sample the number of trials: an exponential waiting time, rounded up."""
    safe = arrays.where((p > 0.0) & (p < 1.0), p, constant(0.5))
    trials = -arrays.floor(div(base(stream, count), elementary.log1p(-safe)))
    trials = arrays.where(p == 1.0, constant(1.0), arrays.maximum(trials, constant(1.0)))
    return to_int64(arrays.where((p > 0.0) & (p <= 1.0), trials, constant(NAN)))


def negative_binomial(stream: Stream, count: Dim, n: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
    """Sample a Poisson number whose mean is gamma distributed."""
    lanes = make_lanes(stream, count)
    odds = div(1.0 - p, p)
    mean = arrays.where(odds == 0.0, odds, mul(odds, elementary.exp(sample_log_gamma(lanes, n, 4))))
    is_valid = (n > 0.0) & (p > 0.0) & (p <= 1.0)
    return to_int64(sample_poisson(lanes, arrays.where(is_valid, mean, constant(NAN)), 0))


def zipf(stream: Stream, count: Dim, a: tf.Tensor) -> tf.Tensor:
    """Sample by rejection (Devroye 1986, X.6.1), with the tail truncated at the int64 maximum."""
    lanes = make_lanes(stream, count)
    is_regular = (a > 1.0) & (a < MAX_ZIPF_EXPONENT)
    exponent = arrays.where(is_regular, a, constant(2.0)) - 1.0
    b = elementary.exp(mul(exponent, constant(elementary.math.log(2))))
    tail_probability = elementary.power(constant(MAX_FLOAT), -exponent)

    def propose(
        drawn: FourUniforms, exponent: tf.Tensor, b: tf.Tensor, tail_probability: tf.Tensor
    ) -> tuple[tf.Tensor, tf.Tensor]:
        u = mul(drawn[0], tail_probability) + (1.0 - drawn[0])
        x = arrays.floor(elementary.power(u, div(constant(-1.0), exponent)))
        is_valid = (x >= 1.0) & (x <= MAX_FLOAT)
        x = arrays.where(is_valid, x, constant(1.0))
        t = elementary.power(div(constant(1.0), x) + 1.0, exponent)
        return x, is_valid & (div(mul(mul(drawn[1], x), t - 1.0), b - 1.0) <= div(t, b))

    result = lanes.sample_until_accepted(0, propose, (exponent, b, tail_probability), ~is_regular, arrays.ones_like(a))
    return to_int64(arrays.where(a > 1.0, result, constant(NAN)))


def logseries(stream: Stream, count: Dim, p: tf.Tensor) -> tf.Tensor:
    """Sample by algorithm LK (Kemp 1981)."""
    lanes = make_lanes(stream, count)
    is_regular = (p > 0.0) & (p < 1.0)
    safe = arrays.where(is_regular, p, constant(0.5))
    rate = elementary.log1p(-safe)

    def propose(drawn: FourUniforms, safe: tf.Tensor, rate: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        v = drawn[1]
        q = -elementary.expm1(mul(rate, drawn[0]))
        far_value = arrays.floor(div(elementary.log(v), elementary.log(q)) + 1.0)
        near_value = arrays.where(v >= q, constant(1.0), constant(2.0))
        result = arrays.where(v >= safe, constant(1.0), arrays.where(v <= mul(q, q), far_value, near_value))
        return result, result >= 1.0

    result = lanes.sample_until_accepted(0, propose, (safe, rate), ~is_regular, arrays.ones_like(p))
    return to_int64(arrays.where((p >= 0.0) & (p < 1.0), result, constant(NAN)))


def hypergeometric(stream: Stream, count: Dim, ngood: tf.Tensor, nbad: tf.Tensor, nsample: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    return to_int64(sample_hypergeometric(lanes, ngood, nbad, nsample, 0))


def sample_hypergeometric(lanes: Lanes, good: tf.Tensor, bad: tf.Tensor, sample: tf.Tensor, stage: int) -> tf.Tensor:
    """Return the number of good items in the sample, computed from its complement if that is smaller."""
    total = good + bad
    is_valid = (good >= 0.0) & (bad >= 0.0) & (sample >= 0.0) & (sample <= total)
    use_complement = mul(sample, constant(2.0)) > total
    drawn = arrays.where(is_valid, arrays.where(use_complement, total - sample, sample), constant(0.0))
    use_single_draws = drawn <= MAX_SINGLE_DRAWS
    single = _draw_one_by_one(lanes, good, total, arrays.where(use_single_draws, drawn, constant(0.0)), stage)
    rejected = arrays.compute_if_any(
        ~use_single_draws,
        lambda: _draw_by_rejection(lanes, use_single_draws, good, bad, drawn, stage + 1),
        single,
    )
    result = arrays.where(use_single_draws, single, rejected)
    return arrays.where(is_valid, arrays.where(use_complement, good - result, result), constant(NAN))


def _draw_one_by_one(lanes: Lanes, good: tf.Tensor, total: tf.Tensor, draws: tf.Tensor, stage: int) -> tf.Tensor:
    def draw(step: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        u = lanes.uniforms(stage, step)[0]
        taken = arrays.cast(step, tf.float64)
        is_good = mul(u, total - taken) < good - result
        return step + 1, result + arrays.cast(is_good & (taken < draws), tf.float64)

    if not arrays.has_tensor(draws):
        return _draw_one_by_one_of_arrays(lanes, good, total, draws, stage)
    max_draws = tf.cast(tf.maximum(tf.reduce_max(draws), 0.0), tf.int64)  # that of none is -infinity
    start = (tf.constant(0, tf.int64), lanes.broadcast(tf.zeros_like(draws)))
    return tf.while_loop(lambda step, _: step < max_draws, draw, start, maximum_iterations=MAX_SINGLE_DRAWS)[1]


def _draw_one_by_one_of_arrays(lanes: Lanes, good: Any, total: Any, draws: Any, stage: int) -> np.ndarray:
    result = np.zeros(lanes.count)
    for step in range(int(np.max(draws, initial=0.0))):
        is_good = lanes.uniforms(stage, step)[0] * (total - step) < good - result
        result += is_good & (step < draws)
    return result


def _draw_by_rejection(
    lanes: Lanes, done: tf.Tensor, good: tf.Tensor, bad: tf.Tensor, draws: tf.Tensor, stage: int
) -> tf.Tensor:
    """Return hypergeometric numbers by the ratio of uniforms (HRUA, Stadlober 1989)."""
    good, bad, m = (arrays.where(done, constant(20.0), value) for value in (good, bad, draws))
    total = good + bad
    smaller, larger = arrays.minimum(good, bad), arrays.maximum(good, bad)
    fraction = div(smaller, total)
    middle = elementary.seal(mul(m, fraction) + 0.5)
    deviation = elementary.sqrt(mul(mul(mul(m, fraction), 1.0 - fraction), div(total - m, total - 1.0)) + 0.5)
    width = mul(constant(HRUA_CONSTANTS[0]), deviation) + HRUA_CONSTANTS[1]
    mode = arrays.floor(div(mul(m + 1.0, smaller + 1.0), total + 2.0))
    limit = arrays.minimum(arrays.minimum(m, smaller) + 1.0, arrays.floor(middle + mul(constant(16.0), deviation)))

    def weight(z: tf.Tensor, smaller: tf.Tensor, larger: tf.Tensor, m: tf.Tensor) -> tf.Tensor:
        end_terms = log_factorial(z) + log_factorial(smaller - z)
        remaining_terms = log_factorial(m - z) + log_factorial((larger - m) + z)
        return elementary.seal(end_terms) + elementary.seal(remaining_terms)

    def propose(drawn: FourUniforms, *parameters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        middle, width, limit, mode, *others = parameters
        x = drawn[0]
        index = middle + div(mul(width, drawn[1] - 0.5), x)
        is_inside = (index >= 0.0) & (index < limit)
        z = arrays.floor(arrays.where(is_inside, index, mode))
        return z, is_inside & arrays.decide(is_inside, is_under, x, z, *others)

    def is_under(x: tf.Tensor, z: tf.Tensor, peak: tf.Tensor, *others: tf.Tensor) -> tf.Tensor:
        return 2.0 * elementary.log(x) <= peak - weight(z, *others)

    peak = weight(mode, smaller, larger, m)
    parameters = middle, width, limit, mode, peak, smaller, larger, m
    result = lanes.sample_until_accepted(stage, propose, parameters, done, arrays.zeros_like(m))
    return arrays.where(good > bad, m - result, result)
