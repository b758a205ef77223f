"""Arithmetic of 64-bit words, and of 128-bit integers as pairs of words.

Unsigned integers wrap alike in eager mode, in graphs, under XLA and on every device.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays

WORD: Final = tf.uint64
LOW_MASK: Final = 0xFFFFFFFF

_shift_left = arrays.shift_left
_shift_right = arrays.shift_right


class UInt128(NamedTuple):
    """128-bit integers: high and low words."""

    high: tf.Tensor
    low: tf.Tensor


def word(value: Any) -> tf.Tensor:
    """Return a constant of words from non-negative integers."""
    if isinstance(value, int) and tf.executing_eagerly():
        return _make_eager_word(value)
    return tf.constant(np.array(value, np.uint64))


@lru_cache(maxsize=256)
def _make_eager_word(value: int) -> tf.Tensor:
    return tf.constant(np.uint64(value))


def constant128(values: list[int] | int) -> UInt128:
    """Return a constant from Python integers."""
    if isinstance(values, int):
        return UInt128(word(values >> 64), word(values & (2**64 - 1)))
    return UInt128(word([value >> 64 for value in values]), word([value & (2**64 - 1) for value in values]))


def shift_left(x: tf.Tensor, count: int) -> tf.Tensor:
    return _shift_left(x, word(count) if arrays.has_tensor(x) else np.uint64(count))


def shift_right(x: tf.Tensor, count: int) -> tf.Tensor:
    return _shift_right(x, word(count) if arrays.has_tensor(x) else np.uint64(count))


def rotate_left(x: tf.Tensor, count: int) -> tf.Tensor:
    """Return words rotated by a constant count."""
    return shift_left(x, count) | shift_right(x, 64 - count)


def rotate_right(x: tf.Tensor, counts: tf.Tensor) -> tf.Tensor:
    """Return words rotated, each by its own count below 64."""
    complement = (word(64) - counts) & word(63)
    return _shift_right(x, counts) | _shift_left(x, complement)


def multiply_words(x: tf.Tensor, y: tf.Tensor) -> UInt128:
    """Return all 128 bits of the products of words."""
    low = np.uint64(LOW_MASK)
    x0, x1, y0, y1 = x & low, shift_right(x, 32), y & low, shift_right(y, 32)
    cross = x1 * y0 + shift_right(x0 * y0, 32)  # each sum is below 2**64
    middle = x0 * y1 + (cross & low)
    return UInt128(x1 * y1 + shift_right(cross, 32) + shift_right(middle, 32), x * y)


def multiply(x: UInt128, y: UInt128) -> UInt128:
    """Return the lower 128 bits of the products."""
    high, low = multiply_words(x.low, y.low)
    return UInt128(high + x.high * y.low + x.low * y.high, low)


def add(x: UInt128, y: UInt128) -> UInt128:
    low = x.low + y.low
    return UInt128(x.high + y.high + tf.cast(tf.less(low, x.low), WORD), low)


def add_word(x: tf.Tensor, addend: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the sum and the carry."""
    result = x + addend
    return result, tf.cast(tf.less(result, addend), WORD)


def slice_words(row: tf.Tensor, first: tf.Tensor, count: Dim) -> tf.Tensor:
    """Return `count` elements from `first` on, by a gather: XLA recompiles a slice for every start."""
    return tf.gather(row, first + tf.range(as_int64(count)))


def as_int64(count: Dim) -> tf.Tensor:
    """Return a count as an int64 tensor."""
    return tf.cast(count, tf.int64) if isinstance(count, tf.Tensor) else tf.constant(count, tf.int64)
