"""Integers below a bound: NumPy's choice of bits and its rejection methods.

Generator multiplies by the width and rejects by the lower half of the product (Lemire 2019); RandomState masks bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import layout
from tfnp._core.shapes import Dim
from tfnp.random import uint128
from tfnp.random.streams import MAX_ROUNDS, Accept, Stream
from tfnp.random.uint128 import as_int64


class IntegerMethod(NamedTuple):
    """Method by which integers of one range are drawn: the number of bits, and the method.

    "zero" draws nothing. "bits" takes bits as they are, "shift" their upper and "mask" their lower part; these reject
    nothing, since the number of integers is a power of two. "lemire" and "masked" reject.
    """

    bits: int
    method: str


def choose_method(width: int, dtype: np.dtype, *, masked: bool) -> IntegerMethod:
    """Return the method for integers of a dtype from 0 to `width`, inclusive."""
    bits = 1 if dtype.kind == "b" else dtype.itemsize * 8
    if width == 0:
        return IntegerMethod(bits, "zero")
    if bits == 64 and width <= uint128.LOW_MASK:
        bits = 32
    if width == 2**bits - 1:
        return IntegerMethod(bits, "bits")
    if width & (width + 1) == 0:
        return IntegerMethod(bits, "mask" if masked else "shift")
    return IntegerMethod(bits, "masked" if masked else "lemire")


def compute_limits(width: int, bits: int) -> list[int]:
    """Return the width, Lemire's rejection threshold, and the mask."""
    return [width, (2**bits - 1 - width) % (width + 1), 2 ** width.bit_length() - 1]


def choose_method_of_lengths(*, masked: bool) -> IntegerMethod:
    """Return the method for integers below a length that is unknown while tracing. It gives the same numbers as that
    which `choose_method` chooses for the length.
    """
    return IntegerMethod(32, "masked" if masked else "lemire")


def compute_limits_of_length(length: tf.Tensor, bits: int) -> tf.Tensor:
    """Return what `compute_limits` does, for integers below a length that is unknown while tracing."""
    width = tf.bitcast(tf.cast(length, tf.int64) - 1, tf.uint64)
    threshold = tf.math.floormod(uint128.word(2**bits - 1) - width, width + uint128.word(1))
    mask = width
    for shift in (1, 2, 4, 8, 16):
        mask = mask | uint128.shift_right(mask, shift)
    return tf.stack([width, threshold, mask])


def sample_integers(stream: Stream, count: Dim, limits: tf.Tensor, *, bits: int, method: str) -> tf.Tensor:
    """Return random integers, as words. `limits` come from `compute_limits`."""
    width, threshold, mask = limits[0], limits[1], limits[2]
    if method == "zero":
        return tf.fill(tf.expand_dims(as_int64(count), 0) if isinstance(count, tf.Tensor) else [count], uint128.word(0))
    if method == "lemire":
        return _draw_accepted(stream, count, lambda row: _multiply_shift(row, width, threshold, bits), bits)
    if method == "masked":
        return _draw_accepted(stream, count, lambda row: (row & mask, (row & mask) <= width), bits)
    row = _draw_bits(stream, count, bits)
    if method == "shift":
        return _multiply_shift(row, width, threshold, bits)[0]
    return row & mask if method == "mask" else row


def _draw_accepted(stream: Stream, count: Dim, accept: Accept, bits: int) -> tf.Tensor:
    if bits < 32:
        return _draw_accepted_parts(stream, count, accept, bits)
    return stream.draw_accepted(bits, count, accept)


def _draw_bits(stream: Stream, count: Dim, bits: int) -> tf.Tensor:
    """Return integers of so many bits, of which none is rejected."""
    if bits >= 32:
        return stream.uint64s(count) if bits == 64 else stream.uint32s(count)
    parts = 32 // bits
    return layout.slice_along(_split_words(stream.uint32s((count + parts - 1) // parts), bits), 0, 0, count)


def _split_words(words: tf.Tensor, bits: int) -> tf.Tensor:
    """Return the parts of 32-bit words, the lowest bits first."""
    shifts = uint128.word(list(range(0, 32, bits)))
    return tf.reshape(tf.bitwise.right_shift(words[:, None], shifts), (-1,)) & uint128.word(2**bits - 1)


def _multiply_shift(row: tf.Tensor, width: tf.Tensor, threshold: tf.Tensor, bits: int) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the high part of the product of Lemire's method, and whether it is accepted."""
    if bits == 64:
        high, low = uint128.multiply_words(row, width + uint128.word(1))
        return high, low >= threshold
    product = row * (width + uint128.word(1))
    return uint128.shift_right(product, bits), (product & uint128.word(2**bits - 1)) >= threshold


def _draw_accepted_parts(stream: Stream, count: Dim, accept: Accept, bits: int) -> tf.Tensor:
    """Return integers of few bits, several from each 32-bit word, the lowest bits first. Parts of the last word that
    are not used are dropped.
    """
    parts, total = 32 // bits, as_int64(count)
    word_count = (count + parts - 1) // parts + 1
    algorithm = stream.algorithm

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        words, after = Stream(algorithm, state).peek(32, word_count)
        values, is_valid = accept(_split_words(words, bits))
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
