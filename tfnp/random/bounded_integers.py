"""Integers below a bound: NumPy's choice of bits and its rejection methods.

Generator multiplies by the width and rejects by the lower half of the product (Lemire 2019); RandomState masks bits.
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
}  # by bits of an integer


class IntegerMethod(NamedTuple):
    """Method by which integers of one range are drawn: the number of bits, and the method."""

    bits: int
    method: str  # "zero", "bits", "lemire" or "masked"


def choose_method(width: int, dtype: np.dtype, *, masked: bool) -> IntegerMethod:
    """Return the method for integers of a dtype from 0 to `width`, inclusive."""
    bits = 1 if dtype.kind == "b" else dtype.itemsize * 8
    if width == 0:
        return IntegerMethod(bits, "zero")
    if bits == 64 and width <= uint128.LOW_MASK:
        bits = 32
    if width == 2**bits - 1:
        return IntegerMethod(bits, "bits")
    return IntegerMethod(bits, "masked" if masked else "lemire")


def compute_limits(width: int, bits: int) -> list[int]:
    """Return the width, Lemire's rejection threshold, and the mask."""
    return [width, (2**bits - 1 - width) % (width + 1), 2 ** width.bit_length() - 1]


def sample_integers(stream: Stream, count: Dim, limits: tf.Tensor, *, bits: int, method: str) -> tf.Tensor:
    """Return random integers, as words. `limits` come from `compute_limits`."""
    width, threshold, mask = limits[0], limits[1], limits[2]
    if method == "zero":
        return tf.fill(tf.expand_dims(as_int64(count), 0) if isinstance(count, tf.Tensor) else [count], uint128.word(0))
    acceptors: dict[str, Callable[[tf.Tensor], tuple[tf.Tensor, tf.Tensor]]] = {
        "bits": lambda row: (row, tf.ones_like(row, tf.bool)),
        "lemire": lambda row: _multiply_shift(row, width, threshold, bits),
        "masked": lambda row: (row & mask, (row & mask) <= width),
    }
    accept = acceptors[method]
    if PARTS_PER_WORD[bits] != 1 and bits != 64:
        return _draw_parts(stream, count, accept, bits)
    if method == "bits":
        return stream.uint64s(count) if bits == 64 else stream.uint32s(count)
    return stream.draw_accepted(bits, count, accept)


def _multiply_shift(row: tf.Tensor, width: tf.Tensor, threshold: tf.Tensor, bits: int) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the high part of the product of Lemire's method, and whether it is accepted."""
    if bits == 64:
        high, low = uint128.multiply_words(row, width + uint128.word(1))
        return high, low >= threshold
    product = row * (width + uint128.word(1))
    return uint128.shift_right(product, bits), (product & uint128.word(2**bits - 1)) >= threshold


def _draw_parts(stream: Stream, count: Dim, accept: Any, bits: int) -> tf.Tensor:
    """Return integers of few bits, several from each 32-bit word, the lowest bits first. Parts of the last word that
    are not used are dropped.
    """
    parts, total = PARTS_PER_WORD[bits], as_int64(count)
    word_count = (count + parts - 1) // parts + 1
    algorithm = stream.algorithm

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        words, after = Stream(algorithm, state).peek(32, word_count)
        shifts = uint128.word([bits * part for part in range(parts)])
        chunks = tf.reshape(tf.bitwise.right_shift(words[:, None], shifts), (-1,)) & uint128.word(2**bits - 1)
        values, is_valid = accept(chunks)
        accepted = tf.cumsum(tf.cast(is_valid, tf.int64))
        rank = accepted - tf.cast(is_valid, tf.int64)
        considered = tf.reduce_sum(tf.cast(rank < total - filled, tf.int64))  # up to the last that is used
        index = tf.where(is_valid & (rank < total - filled), filled + rank, total)
        row = tf.tensor_scatter_nd_update(row, index[:, None], values)
        is_done = filled + accepted[-1] >= total
        used_words = tf.where(is_done, (considered + parts - 1) // parts, as_int64(word_count))
        return tf.minimum(filled + accepted[-1], total), after(used_words), row

    size = tf.expand_dims(total + 1, 0) if isinstance(count, tf.Tensor) else [count + 1]
    start = (tf.constant(0, tf.int64), stream.state, tf.fill(size, uint128.word(0)))
    _, stream.state, row = tf.while_loop(lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS)
    return row[:-1] if isinstance(count, tf.Tensor) else row[:count]
