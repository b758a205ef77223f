"""Poisson and binomial distributions, calculated in float64 and cast to int64 at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays, elementary
from tfnp.random.counter_streams import FourUniforms, Lanes, make_lanes
from tfnp.random.elementary import constant, div, log_factorial, mul, seal
from tfnp.random.streams import Stream

MAX_FLOAT: Final = float(2**63 - 1025)  # the largest float64 below 2**63
INVALID: Final = -(2**63)  # the result for invalid parameters
INVERSION_LIMIT: Final = 10.0  # sample by inversion below this mean
MAX_STEPS: Final = 400

Ratio = Callable[..., tf.Tensor]


def to_int64(x: tf.Tensor) -> tf.Tensor:
    """Return the values cast to int64; nan becomes the smallest int64."""
    is_nan = arrays.isnan(x)
    finite = arrays.clip(arrays.where(is_nan, constant(0.0), x), constant(-MAX_FLOAT), constant(MAX_FLOAT))
    return arrays.where(is_nan, np.int64(INVALID), arrays.cast(finite, tf.int64))


def _invert_cdf(
    u: tf.Tensor, first: tf.Tensor, ratio: Ratio, parameters: tuple[tf.Tensor, ...], active: tf.Tensor
) -> tf.Tensor:
    """Sample by inversion: step up from 0 while the cumulative probability is below the uniform number. `ratio` maps a
    step and parameters to the ratio of its probability to that of the step before.
    """
    if not arrays.has_tensor(u):
        return _invert_cdf_of_arrays(u, first, ratio, parameters, active)

    def climb(step: tf.Tensor, mass: tf.Tensor, total: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, ...]:
        mass = mul(mass, ratio(step + 1.0, *parameters))
        is_above = active & (u > total)
        return step + 1.0, mass, arrays.where(is_above, total + mass, total), arrays.where(is_above, step + 1.0, result)

    def is_below(_: tf.Tensor, mass: tf.Tensor, total: tf.Tensor, __: tf.Tensor) -> tf.Tensor:
        return arrays.any_of(active & (u > total) & (mass > 0.0))

    start = (constant(0.0), first + arrays.zeros_like(u), first + arrays.zeros_like(u), arrays.zeros_like(u))
    return tf.while_loop(is_below, climb, start, maximum_iterations=MAX_STEPS)[3]


def _invert_cdf_of_arrays(
    u: np.ndarray, first: np.ndarray, ratio: Ratio, parameters: tuple[np.ndarray, ...], active: np.ndarray
) -> np.ndarray:
    """Return the same for arrays: a step is made of the elements alone that have not come to its end."""
    result = np.zeros_like(u)
    left = np.flatnonzero(active & (u > first))
    take = lambda item: item if np.ndim(item) == 0 else item[left]  # noqa: E731 - a scalar is that of all elements
    remaining, mass, total, arguments = u[left], take(first), take(first), [take(item) for item in parameters]
    for step in range(1, MAX_STEPS + 1):
        if not left.size or not np.any(mass > 0.0):
            break
        mass = mass * ratio(np.float64(step), *arguments)
        total = total + mass
        result[left] = step
        is_above = remaining > total
        left, remaining = left[is_above], remaining[is_above]
        mass, total, *arguments = (item if np.ndim(item) == 0 else item[is_above] for item in (mass, total, *arguments))
    return result


def sample_poisson(lanes: Lanes, lam: tf.Tensor, stage: int) -> tf.Tensor:
    """Return Poisson numbers: by inversion, or by transformed rejection (PTRS, Hörmann 1993)."""
    use_inversion = lam < INVERSION_LIMIT
    small_mean = arrays.where(use_inversion & (lam >= 0.0), lam, constant(0.0))
    is_positive = small_mean > 0.0

    def invert() -> tf.Tensor:
        u, first = lanes.uniforms(stage)[0], elementary.exp(-small_mean)
        return _invert_cdf(u, first, lambda step, mean: div(mean, step), (small_mean,), is_positive)

    inverted = arrays.compute_if_any(is_positive, invert, lanes.broadcast(arrays.zeros_like(small_mean)))
    use_rejection = (lam >= INVERSION_LIMIT) & (lam <= MAX_FLOAT)

    def reject() -> tf.Tensor:
        rejected = _reject_poisson(lanes, lam, use_rejection, stage + 1)
        return arrays.where(use_rejection, rejected, inverted)

    result = arrays.compute_if_any(use_rejection, reject, inverted)
    return arrays.where((lam >= 0.0) & (lam <= MAX_FLOAT), result, constant(float("nan")))


def _reject_poisson(lanes: Lanes, lam: tf.Tensor, use_rejection: tf.Tensor, stage: int) -> tf.Tensor:
    large_mean = arrays.where(use_rejection, lam, constant(INVERSION_LIMIT))
    sqrt_mean, log_mean = elementary.sqrt(large_mean), elementary.log(large_mean)
    b = mul(constant(2.53), sqrt_mean) + 0.931
    a = mul(constant(0.02483), b) - 0.059
    alpha = 1.1239 + div(constant(1.1328), b - 3.4)
    squeeze = 0.9277 - div(constant(3.6224), b - 2.0)
    parameters = large_mean, log_mean, a, b, alpha, squeeze
    return lanes.sample_until_accepted(stage, _propose_poisson, parameters, ~use_rejection, arrays.zeros_like(lam))


def _propose_poisson(
    drawn: FourUniforms,
    mean: tf.Tensor,
    log_mean: tf.Tensor,
    a: tf.Tensor,
    b: tf.Tensor,
    alpha: tf.Tensor,
    squeeze: tf.Tensor,
) -> tuple[tf.Tensor, tf.Tensor]:
    u, v = drawn[0] - 0.5, drawn[1]
    distance = 0.5 - arrays.absolute(u)
    k = arrays.floor(mul(div(2.0 * a, distance) + b, u) + seal(mean + 0.43))
    is_inside = (distance >= 0.07) & (v <= squeeze)
    is_outside = (k < 0.0) | ((distance < 0.013) & (v > distance))

    def is_under(k: tf.Tensor, distance: tf.Tensor, v: tf.Tensor, *parameters: tf.Tensor) -> tf.Tensor:
        mean, log_mean, a, b, alpha = parameters
        safe_k = arrays.maximum(k, constant(0.0))
        height = elementary.log(div(mul(v, alpha), div(a, mul(distance, distance)) + b))
        return height <= (mul(safe_k, log_mean) - mean) - log_factorial(safe_k)

    is_open = ~(is_inside | is_outside)
    return k, is_inside | arrays.decide(is_open, is_under, k, distance, v, mean, log_mean, a, b, alpha)


def sample_binomial(lanes: Lanes, n: tf.Tensor, p: tf.Tensor, stage: int) -> tf.Tensor:
    """Return binomial numbers: by inversion, or by transformed rejection (BTRS, Hörmann 1993), of the less likely
    outcome.
    """
    is_valid = (n >= 0.0) & (p >= 0.0) & (p <= 1.0)
    n = arrays.where(is_valid, n, constant(0.0))
    q = arrays.where(is_valid, arrays.minimum(p, 1.0 - p), constant(0.0))
    mean = mul(n, q)
    use_inversion = mean < INVERSION_LIMIT
    odds = div(q, 1.0 - q)
    is_inverted = use_inversion & (mean > 0.0)

    def invert() -> tf.Tensor:
        first = elementary.exp(mul(n, elementary.log1p(-arrays.where(use_inversion, q, constant(0.0)))))
        u = lanes.uniforms(stage)[0]
        steps = _invert_cdf(
            u, first, lambda step, n, odds: mul(odds, div((n + 1.0) - step, step)), (n, odds), is_inverted
        )
        return arrays.minimum(steps, n)

    inverted = arrays.compute_if_any(is_inverted, invert, lanes.broadcast(arrays.zeros_like(mean)))

    def reject() -> tf.Tensor:
        rejection_n = arrays.where(use_inversion, constant(40.0), n)
        parameters = _prepare_btrs(rejection_n, arrays.where(use_inversion, constant(0.5), q))
        start = arrays.zeros_like(mean)
        rejected = lanes.sample_until_accepted(stage + 1, _propose_btrs, parameters, use_inversion, start)
        return arrays.where(use_inversion, inverted, rejected)

    result = arrays.compute_if_any(~use_inversion, reject, inverted)
    result = arrays.where(p > 0.5, n - result, result)
    return arrays.where(is_valid, result, constant(float("nan")))


def _prepare_btrs(n: tf.Tensor, p: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return what proposals of the number of successes need."""
    deviation = elementary.sqrt(mul(mul(n, p), 1.0 - p))
    b = mul(constant(2.53), deviation) + 1.15
    a = (mul(constant(0.0248), b) - 0.0873) + mul(constant(0.01), p)
    alpha = mul(div(constant(5.1), b) + 2.83, deviation)
    squeeze = 0.92 - div(constant(4.2), b)
    center, log_odds = seal(mul(n, p) + 0.5), elementary.log(div(p, 1.0 - p))
    mode = arrays.floor(mul(n + 1.0, p))
    peak = log_factorial(mode) + log_factorial(n - mode)
    return n, a, b, alpha, squeeze, center, log_odds, mode, peak


def _propose_btrs(drawn: FourUniforms, *parameters: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    n, a, b, alpha, squeeze, center, log_odds, mode, peak = parameters
    u, v = drawn[0] - 0.5, drawn[1]
    distance = 0.5 - arrays.absolute(u)
    k = arrays.floor(mul(div(2.0 * a, distance) + b, u) + center)
    is_inside = (distance >= 0.07) & (v <= squeeze)
    is_in_range = (k >= 0.0) & (k <= n)

    def is_under(k: tf.Tensor, distance: tf.Tensor, v: tf.Tensor, *parameters: tf.Tensor) -> tf.Tensor:
        n, a, b, alpha, log_odds, mode, peak = parameters
        safe_k = arrays.where((k >= 0.0) & (k <= n), k, mode)
        height = elementary.log(div(mul(v, alpha), div(a, mul(distance, distance)) + b))
        return height <= (peak - (log_factorial(safe_k) + log_factorial(n - safe_k))) + mul(safe_k - mode, log_odds)

    under = arrays.decide(is_in_range & ~is_inside, is_under, k, distance, v, n, a, b, alpha, log_odds, mode, peak)
    return k, is_in_range & (is_inside | under)


def poisson(stream: Stream, count: Dim, lam: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    return to_int64(sample_poisson(lanes, lam, 0))


def binomial(stream: Stream, count: Dim, n: tf.Tensor, p: tf.Tensor) -> tf.Tensor:
    lanes = make_lanes(stream, count)
    return to_int64(sample_binomial(lanes, n, p, 0))
