"""A stream of random bits: the words of a bit generator, split into numbers as NumPy splits them.

A state is a row of words: those of the algorithm, then four more: a flag and a value for a left-over half word, and a
flag and the bits of a left-over normal number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim
from tfnp.random import arrays, uint128
from tfnp.random.uint128 import as_int64

Reader = Callable[[tf.Tensor, Dim], tuple[tf.Tensor, Callable[[Any], tf.Tensor]]]
Accept = Callable[[tf.Tensor], tuple[tf.Tensor, tf.Tensor]]

EXTRA_WORDS: Final = 4
MAX_ROUNDS: Final = 1000  # of rejection; never reached in practice


class Algorithm(NamedTuple):
    """A bit generator: the layout of its state, and how to read words."""

    name: str
    bits: int
    size: int
    read: Reader
    encode: Callable[[dict[str, Any]], list[int]]
    decode: Callable[[np.ndarray], dict[str, Any]]
    is_sequential: bool = False  # whether each word is made from the one before it


class Stream:
    """A stream that is being read: `state` follows what was drawn last."""

    def __init__(self, algorithm: Algorithm, state: tf.Tensor) -> None:
        self.algorithm = algorithm
        self.state = state

    def uint64s(self, count: Dim) -> tf.Tensor:
        words, after = self.peek(64, count)
        self.state = after(as_int64(count))
        return words

    def uint32s(self, count: Dim) -> tf.Tensor:
        """Return words whose upper half is zero."""
        words, after = self.peek(32, count)
        self.state = after(as_int64(count))
        return words

    def doubles(self, count: Dim) -> tf.Tensor:
        """Return multiples of 2**-53 in [0, 1), as float64."""
        return self.fractions(self.uint64s(count))

    def floats(self, count: Dim) -> tf.Tensor:
        """Return multiples of 2**-24 in [0, 1), as float32."""
        return fractions_float32(self.uint32s(count))

    def fractions(self, row: tf.Tensor) -> tf.Tensor:
        return fractions_float64(row, self.algorithm.bits)

    def peek(self, bits: int, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
        """Return the next words or half words without consuming them, and a function from a count to the state after
        that many.
        """
        size = self.algorithm.size
        inner, extra = self.state[:size], self.state[size:]
        if bits == 64 and self.algorithm.bits == 64:
            words, after = self.algorithm.read(inner, count)
            return words, lambda taken: tf.concat([after(taken), extra], 0)
        if bits == 32 and self.algorithm.bits == 64:
            return self._peek_halves(inner, extra, count)
        if bits == 32:
            words, after = self.algorithm.read(inner, count)
            return words, lambda taken: tf.concat([after(taken), extra], 0)
        words, after = self.algorithm.read(inner, 2 * count)
        pairs = tf.reshape(words, shapes.shape_tensor((count, 2)))
        words64 = uint128.shift_left(pairs[:, 0], 32) | pairs[:, 1]
        return words64, lambda taken: tf.concat([after(2 * taken), extra], 0)

    def _peek_halves(
        self, inner: tf.Tensor, extra: tf.Tensor, count: Dim
    ) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
        """Return the lower half of each word, then its upper half. An upper half that is left over from before comes
        first.
        """
        words, after = self.algorithm.read(inner, (count + 1) // 2)
        halves = tf.stack([words & uint128.word(uint128.LOW_MASK), uint128.shift_right(words, 32)], 1)
        row = tf.concat([extra[1:2], tf.reshape(halves, (-1,))], 0)
        skipped = 1 - tf.bitcast(extra[0], tf.int64)

        def advance(taken: Any) -> tf.Tensor:
            index = skipped + taken  # the first that is not taken
            has_half = tf.bitcast((index - 1) & 1, uint128.WORD)
            half = tf.gather(row, tf.maximum(index - 1 + tf.bitcast(has_half, tf.int64), 0))
            return tf.concat([after(index // 2), [has_half, half * has_half], extra[2:]], 0)

        return uint128.slice_words(row, skipped, count), advance

    def draw_accepted(self, bits: int, count: Dim, accept: Accept) -> tf.Tensor:
        """Return `count` words drawn by rejection. `accept` maps words to values and flags."""
        return self.draw_accepted_rows(bits, count, as_int64(count), accept, tf.zeros((), uint128.WORD))

    def draw_accepted_rows(
        self, bits: int, count: Dim, total: tf.Tensor, accept: Accept, like: tf.Tensor, width: int = 1
    ) -> tf.Tensor:
        """Return `total` rows shaped like `like`, each from `width` words, padded with zeros to `count`."""

        def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            words, after = Stream(self.algorithm, state).peek(bits, width * count)
            values, is_valid = accept(words)
            accepted = tf.cast(is_valid, tf.int64)
            accepted_count = tf.cumsum(accepted)
            index = tf.where(is_valid & (filled + accepted_count <= total), filled + accepted_count - 1, total)
            taken = tf.reduce_sum(tf.cast(accepted_count - accepted < total - filled, tf.int64))
            row = tf.tensor_scatter_nd_update(row, index[:, None], values)
            return tf.minimum(filled + tf.reduce_sum(accepted), total), after(width * taken), row

        empty = tf.zeros(shapes.shape_tensor((count + 1, *like.shape)), like.dtype)
        start = (tf.constant(0, tf.int64), self.state, empty)
        _, self.state, row = tf.while_loop(
            lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS
        )
        return row[:-1] if isinstance(count, tf.Tensor) else row[:count]


def fractions_float32(row: tf.Tensor) -> tf.Tensor:
    return arrays.cast(arrays.bitcast(uint128.shift_right(row, 8), tf.int64), tf.float32) * np.float32(2.0**-24)


def fractions_float64(row: tf.Tensor, bits: int) -> tf.Tensor:
    """Return the fractions that words make of a bit generator with so many bits."""
    if bits == 32:
        high = uint128.shift_left(uint128.shift_right(row, 37), 26)
        row = high | uint128.shift_right(row & np.uint64(uint128.LOW_MASK), 6)
    else:
        row = uint128.shift_right(row, 11)
    return arrays.cast(arrays.bitcast(row, tf.int64), tf.float64) * 2.0**-53
