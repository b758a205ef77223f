"""Integers below a bound: NumPy's choices of how many bits to use for one, and of what to reject.

Generator multiplies by the width and looks at the lower half of the product (Lemire 2019); RandomState masks bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import uint128
from tfnp.random.streams import MAX_ROUNDS, Stream
from tfnp.random.uint128 import as_int64

PARTS_PER_WORD: Final = {
    1: 32,
    8: 4,
    16: 2,
    32: 1,
    64: 1,
}  # of how many numbers 32 bits are made, those of 64 bits apart


class IntegerMethod(NamedTuple):
    """How integers of one range are drawn: the bits of each, and what is done with them."""

    bits: int
    way: str  # "nothing" to draw, "plain" bits, "lemire", "masked"


def choose_method(width: int, dtype: np.dtype, *, masked: bool) -> IntegerMethod:
    """For numbers from 0 to `width`, the greatest, of a dtype."""
    bits = 1 if dtype.kind == "b" else dtype.itemsize * 8
    if width == 0:
        return IntegerMethod(bits, "nothing")
    if bits == 64 and width <= uint128.LOW_MASK:
        bits = 32
    if width == 2**bits - 1:
        return IntegerMethod(bits, "plain")
    return IntegerMethod(bits, "masked" if masked else "lemire")


def compute_limits(width: int, bits: int) -> list[int]:
    """What the two ways compare with: the width, the least that the lower half may be, the mask."""
    return [width, (2**bits - 1 - width) % (width + 1), 2 ** width.bit_length() - 1]


def sample_integers(stream: Stream, count: Dim, numbers: tf.Tensor, *, bits: int, way: str) -> tf.Tensor:
    """As words; `numbers` are those of `constants`."""
    width, least, mask = numbers[0], numbers[1], numbers[2]
    if way == "nothing":
        return tf.fill(tf.expand_dims(as_int64(count), 0) if isinstance(count, tf.Tensor) else [count], uint128.word(0))
    judges: dict[str, Callable[[tf.Tensor], tuple[tf.Tensor, tf.Tensor]]] = {
        "plain": lambda row: (row, tf.ones_like(row, tf.bool)),
        "lemire": lambda row: _multiply_shift(row, width, least, bits),
        "masked": lambda row: (row & mask, (row & mask) <= width),
    }
    judge = judges[way]
    if PARTS_PER_WORD[bits] != 1 and bits != 64:
        return _draw_parts(stream, count, judge, bits)
    if way == "plain":
        return stream.uint64s(count) if bits == 64 else stream.uint32s(count)
    return stream.draw_accepted(bits, count, judge)


def _multiply_shift(row: tf.Tensor, width: tf.Tensor, least: tf.Tensor, bits: int) -> tuple[tf.Tensor, tf.Tensor]:
    if bits == 64:
        high, low = uint128.multiply_words(row, width + uint128.word(1))
        return high, low >= least
    product = row * (width + uint128.word(1))
    return uint128.shift_right(product, bits), (product & uint128.word(2**bits - 1)) >= least


def _draw_parts(stream: Stream, count: Dim, judge: Any, bits: int) -> tf.Tensor:
    """Numbers of few bits, several out of 32, the lowest first; what is left of those in the end is thrown away."""
    parts, total = PARTS_PER_WORD[bits], as_int64(count)
    many = (count + parts - 1) // parts + 1
    algorithm = stream.algorithm

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        found, after = Stream(algorithm, state).peek(32, many)
        shifts = uint128.word([bits * part for part in range(parts)])
        split = tf.reshape(tf.bitwise.right_shift(found[:, None], shifts), (-1,)) & uint128.word(2**bits - 1)
        values, is_valid = judge(split)
        passed = tf.cumsum(tf.cast(is_valid, tf.int64))
        before = passed - tf.cast(is_valid, tf.int64)
        seen = tf.reduce_sum(tf.cast(before < total - filled, tf.int64))  # up to the last that is needed
        where = tf.where(is_valid & (before < total - filled), filled + before, total)
        row = tf.tensor_scatter_nd_update(row, where[:, None], values)
        is_done = filled + passed[-1] >= total
        taken = tf.where(is_done, (seen + parts - 1) // parts, as_int64(many))
        return tf.minimum(filled + passed[-1], total), after(taken), row

    size = tf.expand_dims(total + 1, 0) if isinstance(count, tf.Tensor) else [count + 1]
    start = (tf.constant(0, tf.int64), stream.state, tf.fill(size, uint128.word(0)))
    _, stream.state, row = tf.while_loop(lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS)
    return row[:-1] if isinstance(count, tf.Tensor) else row[:count]
