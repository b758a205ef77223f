"""One counter-based random stream per element, so that a rejected proposal of one element does not shift the others.

Two words of the stream make a key. Philox under this key maps the index of the lane, the stage of the algorithm and the
attempt to four uniform numbers. So the stream advances by two words, however many attempts are made.
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

MAX_ATTEMPTS: Final = 256  # each is accepted with probability above 1/2

FourUniforms = tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]
Proposal = Callable[[FourUniforms], tuple[tf.Tensor, tf.Tensor]]


class Lanes:
    """A vector of independent streams under one key."""

    def __init__(self, stream: Stream, count: Dim) -> None:
        pair = stream.uint64s(2)
        self.key = (pair[0], pair[1])
        self.count = count
        self.lane_ids = tf.bitcast(tf.range(as_int64(count)), uint128.WORD)

    def broadcast(self, value: tf.Tensor) -> tf.Tensor:
        """Return a parameter as a vector of one value for each lane."""
        return value if value.shape.rank else tf.fill(shapes.shape_tensor((self.count,)), value)

    def uniforms(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> FourUniforms:
        """Return four uniform numbers per lane, strictly between 0 and 1."""
        zero = tf.zeros_like(self.lane_ids)
        attempt_index = tf.bitcast(tf.cast(attempt, tf.int64), uint128.WORD)
        stage_index = tf.bitcast(tf.cast(stage, tf.int64), uint128.WORD)
        drawn = philox.blocks((self.lane_ids, zero + attempt_index, zero + stage_index, zero), self.key)
        first, second, third, fourth = map(_to_unit_interval, drawn)
        return first, second, third, fourth

    def normals(self, stage: tf.Tensor | int, attempt: tf.Tensor | int = 0) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        """Return a normal number and two uniform ones per lane."""
        first, second, third, fourth = self.uniforms(stage, attempt)
        return box_muller(first, second), third, fourth

    def sample_until_accepted(
        self, stage: tf.Tensor | int, propose: Proposal, done: tf.Tensor, value: tf.Tensor
    ) -> tf.Tensor:
        """Return the first accepted proposal of each lane, or `value` for lanes that need none."""

        def attempt(
            attempt_index: tf.Tensor, value: tf.Tensor, done: tf.Tensor
        ) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            proposed, is_valid = propose(self.uniforms(stage, attempt_index))
            return attempt_index + 1, tf.where(is_valid & ~done, proposed, value), done | is_valid

        start = (tf.constant(0, tf.int64), value, done)
        return tf.while_loop(lambda _, __, done: ~tf.reduce_all(done), attempt, start, maximum_iterations=MAX_ATTEMPTS)[
            1
        ]


def box_muller(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Return a normal number, computed from two uniform ones (Box and Muller 1958)."""
    return mul(elementary.sqrt(mul(constant(-2.0), elementary.log(first))), elementary.cos_sin_turns(second)[0])


def _to_unit_interval(row: tf.Tensor) -> tf.Tensor:
    return (2.0 * tf.cast(tf.bitcast(uint128.shift_right(row, 12), tf.int64), tf.float64) + 1.0) * 2.0**-53
