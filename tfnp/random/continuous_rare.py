"""Continuous distributions by rejection or by choice between two roots: von Mises, Wald."""

from __future__ import annotations

import math
from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import elementary
from tfnp.random.counter_streams import FourUniforms, Lanes
from tfnp.random.elementary import constant, div, mul
from tfnp.random.streams import Stream

UNIFORM_BELOW: Final = 1e-8  # a concentration below which the circle is uniform
NORMAL_ABOVE: Final = 1e6  # and one beyond which it is as good as a line


def wald(stream: Stream, count: Dim, mean: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    """One of the two roots of a chi-square (Michael, Schucany and Haas 1976), the lesser as what does not cancel."""
    lanes = Lanes(stream, count)
    x, u, _ = lanes.normals(0)
    y = mul(mean, mul(x, x))
    root = elementary.sqrt(mul(y, y) + mul(mul(constant(4.0), scale), y))
    lesser = mul(mean, 1.0 - div(2.0 * y, y + root))
    lesser = tf.where(y == 0.0, mean, tf.maximum(lesser, constant(0.0)))
    return tf.where(u <= div(mean, mean + lesser), lesser, div(mul(mean, mean), lesser))


def vonmises(stream: Stream, count: Dim, mu: tf.Tensor, kappa: tf.Tensor) -> tf.Tensor:
    """By rejection from a wrapped Cauchy distribution (Best and Fisher 1979)."""
    lanes = Lanes(stream, count)
    mu, kappa = lanes.broadcast(mu), lanes.broadcast(kappa)
    usual = (kappa >= UNIFORM_BELOW) & (kappa <= NORMAL_ABOVE)
    k = tf.where(usual, kappa, constant(1.0))
    s = _compute_wrapping(k)

    def propose(drawn: FourUniforms) -> tuple[tf.Tensor, tf.Tensor]:
        z = elementary.cos_sin_turns(0.5 * drawn[0])[0]
        w = div(mul(s, z) + 1.0, s + z)
        y, v = mul(k, s - w), drawn[1]
        is_valid = (mul(y, 2.0 - y) - v >= 0.0) | (elementary.log(div(y, v)) + 1.0 - y >= 0.0)
        angle = elementary.arccos(tf.clip_by_value(w, constant(-1.0), constant(1.0)))
        return tf.where(drawn[2] < 0.5, -angle, angle), is_valid

    angle = lanes.sample_until_accepted(0, propose, ~usual, tf.zeros_like(k))
    u = lanes.uniforms(1)[0]
    even = mul(constant(math.pi), 2.0 * u - 1.0)
    sharp = mul(lanes.normals(2)[0], elementary.sqrt(div(constant(1.0), tf.maximum(kappa, constant(1.0)))))
    angle = tf.where(usual, angle, tf.where(kappa > NORMAL_ABOVE, sharp, even))
    turned = _wrap_angle(mu + angle)
    return tf.where(kappa >= 0.0, turned, constant(float("nan")))


def _compute_wrapping(k: tf.Tensor) -> tf.Tensor:
    """How the Cauchy distribution is wrapped; by its series where the concentration is small."""
    safe = tf.maximum(k, constant(1e-5))
    r = elementary.sqrt(mul(mul(safe, safe), constant(4.0)) + 1.0) + 1.0
    rho = div(r - elementary.sqrt(2.0 * r), 2.0 * safe)
    usual = div(mul(rho, rho) + 1.0, 2.0 * rho)
    return tf.where(k < 1e-5, div(constant(1.0), k) + k, usual)


def _wrap_angle(angle: tf.Tensor) -> tf.Tensor:
    turns = tf.round(mul(angle, constant(1 / (2 * math.pi))))
    found = angle - mul(turns, constant(2 * math.pi))
    return tf.clip_by_value(found, constant(-math.pi), constant(math.pi))
