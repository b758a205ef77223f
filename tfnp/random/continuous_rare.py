"""Continuous distributions by rejection or by choice between two roots: von Mises, Wald."""

from __future__ import annotations

import math
from typing import Final

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import elementary
from tfnp.random.counter_streams import Four, Lanes
from tfnp.random.elementary import div, mul, number
from tfnp.random.streams import Stream

FLAT: Final = 1e-8  # a concentration below which the circle is uniform
SHARP: Final = 1e6  # and one beyond which it is as good as a line


def wald(stream: Stream, count: Dim, mean: tf.Tensor, scale: tf.Tensor) -> tf.Tensor:
    """One of the two roots of a chi-square (Michael, Schucany and Haas 1976), the lesser as what does not cancel."""
    lanes = Lanes(stream, count)
    x, u, _ = lanes.normals(0)
    y = mul(mean, mul(x, x))
    root = elementary.sqrt(mul(y, y) + mul(mul(number(4.0), scale), y))
    lesser = mul(mean, 1.0 - div(2.0 * y, y + root))
    lesser = tf.where(y == 0.0, mean, tf.maximum(lesser, number(0.0)))
    return tf.where(u <= div(mean, mean + lesser), lesser, div(mul(mean, mean), lesser))


def vonmises(stream: Stream, count: Dim, mu: tf.Tensor, kappa: tf.Tensor) -> tf.Tensor:
    """By rejection from a wrapped Cauchy distribution (Best and Fisher 1979)."""
    lanes = Lanes(stream, count)
    mu, kappa = lanes.spread(mu), lanes.spread(kappa)
    usual = (kappa >= FLAT) & (kappa <= SHARP)
    k = tf.where(usual, kappa, number(1.0))
    s = _wrapping(k)

    def propose(drawn: Four) -> tuple[tf.Tensor, tf.Tensor]:
        z = elementary.turn(0.5 * drawn[0])[0]
        w = div(mul(s, z) + 1.0, s + z)
        y, v = mul(k, s - w), drawn[1]
        is_valid = (mul(y, 2.0 - y) - v >= 0.0) | (elementary.log(div(y, v)) + 1.0 - y >= 0.0)
        angle = elementary.arccos(tf.clip_by_value(w, number(-1.0), number(1.0)))
        return tf.where(drawn[2] < 0.5, -angle, angle), is_valid

    angle = lanes.until(0, propose, ~usual, tf.zeros_like(k))
    u = lanes.uniforms(1)[0]
    even = mul(number(math.pi), 2.0 * u - 1.0)
    sharp = mul(lanes.normals(2)[0], elementary.sqrt(div(number(1.0), tf.maximum(kappa, number(1.0)))))
    angle = tf.where(usual, angle, tf.where(kappa > SHARP, sharp, even))
    turned = _within_a_turn(mu + angle)
    return tf.where(kappa >= 0.0, turned, number(float("nan")))


def _wrapping(k: tf.Tensor) -> tf.Tensor:
    """How the Cauchy distribution is wrapped; by its series where the concentration is small."""
    safe = tf.maximum(k, number(1e-5))
    r = elementary.sqrt(mul(mul(safe, safe), number(4.0)) + 1.0) + 1.0
    rho = div(r - elementary.sqrt(2.0 * r), 2.0 * safe)
    usual = div(mul(rho, rho) + 1.0, 2.0 * rho)
    return tf.where(k < 1e-5, div(number(1.0), k) + k, usual)


def _within_a_turn(angle: tf.Tensor) -> tf.Tensor:
    turns = tf.round(mul(angle, number(1 / (2 * math.pi))))
    found = angle - mul(turns, number(2 * math.pi))
    return tf.clip_by_value(found, number(-math.pi), number(math.pi))
