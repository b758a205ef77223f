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
from tfnp.random.elementary import constant, mul
from tfnp.random.streams import Stream
from tfnp.random.uint128 import as_int64

MAX_ATTEMPTS: Final = 256  # each succeeds more often than not

FourUniforms = tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]
Proposal = Callable[[FourUniforms], tuple[tf.Tensor, tf.Tensor]]


class Lanes:
    """So many lanes of one key."""

    def __init__(self, stream: Stream, count: Dim) -> None:
        pair = stream.uint64s(2)
        self.key = (pair[0], pair[1])
        self.count = count
        self.lane_ids = tf.bitcast(tf.range(as_int64(count)), uint128.WORD)

    def broadcast(self, value: tf.Tensor) -> tf.Tensor:
        """A parameter for each lane."""
        return value if value.shape.rank else tf.fill(shapes.shape_tensor((self.count,)), value)

    def uniforms(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> FourUniforms:
        """Four numbers for each lane, between 0 and 1 and never either."""
        zero = tf.zeros_like(self.lane_ids)
        tried = tf.bitcast(tf.cast(attempt, tf.int64), uint128.WORD)
        index = tf.bitcast(tf.cast(stage, tf.int64), uint128.WORD)
        drawn = philox.blocks((self.lane_ids, zero + tried, zero + index, zero), self.key)
        first, second, third, fourth = map(_to_unit_interval, drawn)
        return first, second, third, fourth

    def normals(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """A normal number, and two uniform ones beside it."""
        first, second, third, fourth = self.uniforms(stage, attempt)
        return box_muller(first, second), third, fourth

    def sample_until_accepted(
        self, stage: tf.Tensor | int, propose: Proposal, done: tf.Tensor, value: tf.Tensor
    ) -> tf.Tensor:
        """For each lane what the first accepted proposal is; `value` for those that are done before."""

        def attempt(tried: tf.Tensor, value: tf.Tensor, done: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            proposed, is_valid = propose(self.uniforms(stage, tried))
            return tried + 1, tf.where(is_valid & ~done, proposed, value), done | is_valid

        start = (tf.constant(0, tf.int64), value, done)
        return tf.while_loop(lambda _, __, done: ~tf.reduce_all(done), attempt, start, maximum_iterations=MAX_ATTEMPTS)[
            1
        ]


def box_muller(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Of two uniform numbers (Box and Muller 1958)."""
    return mul(elementary.sqrt(mul(constant(-2.0), elementary.log(first))), elementary.cos_sin_turns(second)[0])


def _to_unit_interval(row: tf.Tensor) -> tf.Tensor:
    return (2.0 * tf.cast(tf.bitcast(uint128.shift_right(row, 12), tf.int64), tf.float64) + 1.0) * 2.0**-53
