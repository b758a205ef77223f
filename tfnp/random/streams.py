"""A stream of random bits: what generators of bits give, cut into the numbers that NumPy cuts it into.

A state is a row of words: those of the algorithm, then four more: whether half a word is left over, that half, whether
a normal number is, and its bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim
from tfnp.random import uint128
from tfnp.random.uint128 import as_int64

Reader = Callable[[tf.Tensor, Dim], tuple[tf.Tensor, Callable[[Any], tf.Tensor]]]
Accept = Callable[[tf.Tensor], tuple[tf.Tensor, tf.Tensor]]

EXTRA_WORDS: Final = 4
MAX_ROUNDS: Final = 1000  # of rejections: that every round rejects all is as good as impossible


class Algorithm(NamedTuple):
    """A generator of bits: how its state is laid out, and how words are read off it."""

    name: str
    bits: int
    size: int
    read: Reader
    encode: Callable[[dict[str, Any]], list[int]]
    decode: Callable[[np.ndarray], dict[str, Any]]


class Stream:
    """A stream while numbers are taken from it: `state` is the one after what was taken last."""

    def __init__(self, algorithm: Algorithm, state: tf.Tensor) -> None:
        self.algorithm = algorithm
        self.state = state

    def uint64s(self, count: Dim) -> tf.Tensor:
        found, after = self.peek(64, count)
        self.state = after(as_int64(count))
        return found

    def uint32s(self, count: Dim) -> tf.Tensor:
        """As words whose upper half is zero."""
        found, after = self.peek(32, count)
        self.state = after(as_int64(count))
        return found

    def doubles(self, count: Dim) -> tf.Tensor:
        """Multiples of 2**-53, from 0 to less than 1."""
        return self.fractions(self.uint64s(count))

    def floats(self, count: Dim) -> tf.Tensor:
        """Multiples of 2**-24, of float32."""
        return fractions_float32(self.uint32s(count))

    def fractions(self, row: tf.Tensor) -> tf.Tensor:
        if self.algorithm.bits == 32:
            row = uint128.shift_left(uint128.shift_right(row, 37), 26) | uint128.shift_right(
                row & uint128.word(uint128.LOW_MASK), 6
            )
        else:
            row = uint128.shift_right(row, 11)
        return tf.cast(tf.bitcast(row, tf.int64), tf.float64) * 2.0**-53

    def peek(self, bits: int, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
        """The next words, or halves of words, without taking them; and the state if so many of them are taken."""
        size = self.algorithm.size
        inner, extra = self.state[:size], self.state[size:]
        if bits == 64 and self.algorithm.bits == 64:
            found, after = self.algorithm.read(inner, count)
            return found, lambda taken: tf.concat([after(taken), extra], 0)
        if bits == 32 and self.algorithm.bits == 64:
            return self._peek_halves(inner, extra, count)
        if bits == 32:
            found, after = self.algorithm.read(inner, count)
            return found, lambda taken: tf.concat([after(taken), extra], 0)
        found, after = self.algorithm.read(inner, 2 * count)
        pairs = tf.reshape(found, shapes.shape_tensor((count, 2)))
        joined = uint128.shift_left(pairs[:, 0], 32) | pairs[:, 1]
        return joined, lambda taken: tf.concat([after(2 * taken), extra], 0)

    def _peek_halves(
        self, inner: tf.Tensor, extra: tf.Tensor, count: Dim
    ) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
        """The lower half of each word, then its upper one; the upper half that was left over comes before all."""
        found, after = self.algorithm.read(inner, (count + 1) // 2)
        halves = tf.stack([found & uint128.word(uint128.LOW_MASK), uint128.shift_right(found, 32)], 1)
        row = tf.concat([extra[1:2], tf.reshape(halves, (-1,))], 0)
        skipped = 1 - tf.bitcast(extra[0], tf.int64)

        def taking(taken: Any) -> tf.Tensor:
            index = skipped + taken  # the first that is not taken
            is_left = tf.bitcast((index - 1) & 1, uint128.WORD)
            kept = tf.gather(row, tf.maximum(index - 1 + tf.bitcast(is_left, tf.int64), 0))
            return tf.concat([after(index // 2), [is_left, kept * is_left], extra[2:]], 0)

        return uint128.slice_words(row, skipped, count), taking

    def draw_accepted(self, bits: int, count: Dim, judge: Accept) -> tf.Tensor:
        """So many words out of words, of which some are rejected: `judge` makes new ones, and says which are taken."""
        return self.draw_accepted_rows(bits, count, as_int64(count), judge, tf.zeros((), uint128.WORD))

    def draw_accepted_rows(
        self, bits: int, count: Dim, total: tf.Tensor, judge: Accept, like: tf.Tensor, width: int = 1
    ) -> tf.Tensor:
        """`total` rows like this, out of `width` words each, and as many more of zeros as there have to be."""

        def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
            found, after = Stream(self.algorithm, state).peek(bits, width * count)
            values, is_valid = judge(found)
            fits = tf.cast(is_valid, tf.int64)
            passed = tf.cumsum(fits)
            index = tf.where(is_valid & (filled + passed <= total), filled + passed - 1, total)
            taken = tf.reduce_sum(tf.cast(passed - fits < total - filled, tf.int64))
            row = tf.tensor_scatter_nd_update(row, index[:, None], values)
            return tf.minimum(filled + tf.reduce_sum(fits), total), after(width * taken), row

        empty = tf.zeros(shapes.shape_tensor((count + 1, *like.shape)), like.dtype)
        start = (tf.constant(0, tf.int64), self.state, empty)
        _, self.state, row = tf.while_loop(
            lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS
        )
        return row[:-1] if isinstance(count, tf.Tensor) else row[:count]


def fractions_float32(row: tf.Tensor) -> tf.Tensor:
    return tf.cast(tf.bitcast(uint128.shift_right(row, 8), tf.int64), tf.float32) * 2.0**-24
