"""Words of 64 bits, and numbers of 128 as pairs of them: what generators of random bits calculate with.

Only integers, which wrap alike in eager, in graphs, under XLA and on every device.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim

WORD: Final = tf.uint64
LOW_MASK: Final = 0xFFFFFFFF

_shift_left = tf.bitwise.left_shift
_shift_right = tf.bitwise.right_shift


class UInt128(NamedTuple):
    """Numbers of 128 bits: their upper and their lower words."""

    high: tf.Tensor
    low: tf.Tensor


def word(value: Any) -> tf.Tensor:
    """Python's or NumPy's integers, from 0 on, as a constant of words."""
    return tf.constant(np.array(value, np.uint64))


def constant128(values: list[int] | int) -> UInt128:
    """Python's integers as a constant."""
    if isinstance(values, int):
        return UInt128(word(values >> 64), word(values & (2**64 - 1)))
    return UInt128(word([value >> 64 for value in values]), word([value & (2**64 - 1) for value in values]))


def shift_left(x: tf.Tensor, count: int) -> tf.Tensor:
    return _shift_left(x, word(count))


def shift_right(x: tf.Tensor, count: int) -> tf.Tensor:
    return _shift_right(x, word(count))


def rotate_left(x: tf.Tensor, count: int) -> tf.Tensor:
    """Rotated."""
    return shift_left(x, count) | shift_right(x, 64 - count)


def rotate_right(x: tf.Tensor, counts: tf.Tensor) -> tf.Tensor:
    """Rotated, each word by its own count, less than 64."""
    back = (word(64) - counts) & word(63)
    return _shift_right(x, counts) | _shift_left(x, back)


def multiply_words(x: tf.Tensor, y: tf.Tensor) -> UInt128:
    """All 128 bits of the products of words, by those of their halves."""
    low = word(LOW_MASK)
    x0, x1, y0, y1 = x & low, shift_right(x, 32), y & low, shift_right(y, 32)
    across, other = x0 * y1, x1 * y0
    middle = shift_right(x0 * y0, 32) + (across & low) + (other & low)
    return UInt128(x1 * y1 + shift_right(across, 32) + shift_right(other, 32) + shift_right(middle, 32), x * y)


def multiply(x: UInt128, y: UInt128) -> UInt128:
    """The lower 128 bits of products."""
    high, low = multiply_words(x.low, y.low)
    return UInt128(high + x.high * y.low + x.low * y.high, low)


def add(x: UInt128, y: UInt128) -> UInt128:
    low = x.low + y.low
    return UInt128(x.high + y.high + tf.cast(tf.less(low, x.low), WORD), low)


def add_word(x: tf.Tensor, carried: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The sum, and what it carries."""
    result = x + carried
    return result, tf.cast(tf.less(result, carried), WORD)


def slice_words(row: tf.Tensor, first: tf.Tensor, count: Dim) -> tf.Tensor:
    """So many elements from one on: a gather, since XLA compiles a slice anew for every place where it begins."""
    return tf.gather(row, first + tf.range(as_int64(count)))


def as_int64(count: Dim) -> tf.Tensor:
    """The number as an int64 tensor."""
    return tf.cast(count, tf.int64) if isinstance(count, tf.Tensor) else tf.constant(count, tf.int64)
