"""The von Mises distribution, by rejection, and the Wald distribution, by a choice between two roots."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays, elementary
from tfnp.random.counter_streams import FourUniforms, make_lanes
from tfnp.random.elementary import constant, div, mul
from tfnp.random.streams import Stream

UNIFORM_BELOW: Final = 1e-8  # the concentration below which von Mises is uniform
NORMAL_ABOVE: Final = 1e6  # the concentration above which it is normal


def wald(stream: Stream, count: Dim, mean: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    """Sample by choosing between the roots of a chi-square equation (Michael, Schucany and Haas 1976); the smaller root
    is computed without cancellation. Parameters that are not positive give nan.
    """
    lanes = make_lanes(stream, count)
    x, u = lanes.normals(0)
    y = mul(mean, mul(x, x))
    discriminant_root = elementary.sqrt(mul(y, y) + mul(mul(constant(4.0), scale), y))
    smaller_root = mul(mean, 1.0 - div(2.0 * y, y + discriminant_root))
    smaller_root = arrays.where(y == 0.0, mean, arrays.maximum(smaller_root, constant(0.0)))
    result = arrays.where(u <= div(mean, mean + smaller_root), smaller_root, div(mul(mean, mean), smaller_root))
    return arrays.where((mean > 0.0) & (scale > 0.0), result, constant(np.nan))


def vonmises(stream: Stream, count: Dim, mu: tf.Tensor, kappa: tf.Tensor) -> tf.Tensor:
    """Sample by rejection from a wrapped Cauchy distribution (Best and Fisher 1979)."""
    lanes = make_lanes(stream, count)
    is_regular = (kappa >= UNIFORM_BELOW) & (kappa <= NORMAL_ABOVE)
    k = arrays.where(is_regular, kappa, constant(1.0))
    s = _compute_wrapping(k)

    def propose(drawn: FourUniforms, k: tf.Tensor, s: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        z = elementary.cos_turns(0.5 * drawn[0])
        w = div(mul(s, z) + 1.0, s + z)
        y, v = mul(k, s - w), drawn[1]
        is_below = mul(y, 2.0 - y) - v >= 0.0
        is_valid = is_below | arrays.decide(~is_below, lambda y, v: elementary.log(div(y, v)) + 1.0 - y >= 0.0, y, v)
        angle = elementary.arccos(arrays.clip(w, constant(-1.0), constant(1.0)))
        return arrays.where(drawn[2] < 0.5, -angle, angle), is_valid

    angle = lanes.sample_until_accepted(0, propose, (k, s), ~is_regular, arrays.zeros_like(k))

    def replace_others() -> tf.Tensor:
        uniform_angle = mul(constant(math.pi), 2.0 * lanes.uniforms(1)[0] - 1.0)
        root = elementary.sqrt(div(constant(1.0), arrays.maximum(kappa, constant(1.0))))
        normal_angle = mul(lanes.normals(2)[0], root)
        return arrays.where(is_regular, angle, arrays.where(kappa > NORMAL_ABOVE, normal_angle, uniform_angle))

    wrapped = _wrap_angle(mu + arrays.compute_if_any(~is_regular, replace_others, angle))
    return arrays.where(kappa >= 0.0, wrapped, constant(float("nan")))


def _compute_wrapping(k: tf.Tensor) -> tf.Tensor:
    """Return the parameter of the wrapped Cauchy distribution; by a series for small concentrations."""
    safe = arrays.maximum(k, constant(1e-5))
    r = elementary.sqrt(mul(mul(safe, safe), constant(4.0)) + 1.0) + 1.0
    rho = div(r - elementary.sqrt(2.0 * r), 2.0 * safe)
    result = div(mul(rho, rho) + 1.0, 2.0 * rho)
    return arrays.where(k < 1e-5, div(constant(1.0), k) + k, result)


def _wrap_angle(angle: tf.Tensor) -> tf.Tensor:
    """Map an angle to [-pi, pi]."""
    turns = arrays.rint(mul(angle, constant(1 / (2 * math.pi))))
    remainder = angle - mul(turns, constant(2 * math.pi))
    return arrays.clip(remainder, constant(-math.pi), constant(math.pi))
