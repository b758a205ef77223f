"""A lane of random numbers for each that is drawn, so that rejecting a proposal for one moves no other.

Two words of the stream make a key; Philox under this key turns the number of a lane, of a stage of its work, and of an
attempt at it, into four uniform numbers. However many attempts are made, the stream moves by two words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim
from tfnp.random import elementary, philox, uint128
from tfnp.random.elementary import mul, number
from tfnp.random.streams import Stream
from tfnp.random.uint128 import whole

MOST_ATTEMPTS: Final = 256  # each succeeds more often than not

Four = tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]
Proposal = Callable[[Four], tuple[tf.Tensor, tf.Tensor]]


class Lanes:
    """So many lanes of one key."""

    def __init__(self, stream: Stream, count: Dim) -> None:
        pair = stream.uint64s(2)
        self.key = (pair[0], pair[1])
        self.count = count
        self.numbers = tf.bitcast(tf.range(whole(count)), uint128.WORD)

    def spread(self, value: tf.Tensor) -> tf.Tensor:
        """A parameter for each lane."""
        return value if value.shape.rank else tf.fill(shapes.shape_tensor((self.count,)), value)

    def uniforms(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> Four:
        """Four numbers for each lane, between 0 and 1 and never either."""
        zero = tf.zeros_like(self.numbers)
        tried = tf.bitcast(tf.cast(attempt, tf.int64), uint128.WORD)
        index = tf.bitcast(tf.cast(stage, tf.int64), uint128.WORD)
        drawn = philox.blocks((self.numbers, zero + tried, zero + index, zero), self.key)
        first, second, third, fourth = map(_fraction, drawn)
        return first, second, third, fourth

    def normals(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """A normal number, and two uniform ones beside it."""
        first, second, third, fourth = self.uniforms(stage, attempt)
        return normal(first, second), third, fourth

    def until(self, stage: tf.Tensor | int, propose: Proposal, done: tf.Tensor, value: tf.Tensor) -> tf.Tensor:
        """For each lane what the first accepted proposal is; `value` for those that are done before."""

        def attempt(tried: tf.Tensor, value: tf.Tensor, done: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            proposed, is_valid = propose(self.uniforms(stage, tried))
            return tried + 1, tf.where(is_valid & ~done, proposed, value), done | is_valid

        start = (tf.constant(0, tf.int64), value, done)
        return tf.while_loop(
            lambda _, __, done: ~tf.reduce_all(done), attempt, start, maximum_iterations=MOST_ATTEMPTS
        )[1]


def normal(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Of two uniform numbers (Box and Muller 1958)."""
    return mul(elementary.sqrt(mul(number(-2.0), elementary.log(first))), elementary.turn(second)[0])


def _fraction(row: tf.Tensor) -> tf.Tensor:
    return (2.0 * tf.cast(tf.bitcast(uint128.right(row, 12), tf.int64), tf.float64) + 1.0) * 2.0**-53
