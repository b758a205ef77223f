"""MT19937 (Matsumoto and Nishimura 1998): blocks of 624 words, each made of three words of the last block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import uint128

LENGTH: Final = 624
OFFSET: Final = 397
UPPER: Final = 0x80000000
MATRIX: Final = 0x9908B0DF

BITS: Final = 32
SIZE: Final = LENGTH + 1  # words of a state: the block, and the position in it


def encode(state: dict[str, Any]) -> list[int]:
    inner = state["state"]
    return [*map(int, inner["key"]), int(inner["pos"])]


def decode(state: np.ndarray) -> dict[str, Any]:
    return {"state": {"key": state[:LENGTH].astype(np.uint32), "pos": int(state[LENGTH])}}


def read(state: tf.Tensor, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
    """Return the next words, as uint64, and a function from a count to the state after that many."""
    used = tf.bitcast(state[LENGTH], tf.int64)
    keys = _generate_keys(tf.cast(state[:LENGTH], tf.uint32), count)
    row = tf.cast(_temper(tf.reshape(keys, (-1,))), tf.uint64)
    return uint128.slice_words(row, used, count), lambda taken: _advance(keys, used + taken)


def _advance(keys: tf.Tensor, used: tf.Tensor) -> tf.Tensor:
    """Return the state after a number of words. A block counts as drawn once its first word is used."""
    row = tf.maximum(used - 1, 0) // LENGTH
    used_words = used - LENGTH * row
    return tf.concat([tf.cast(tf.gather(keys, row), tf.uint64), [tf.bitcast(used_words, tf.uint64)]], 0)


def _generate_keys(key: tf.Tensor, count: Dim) -> tf.Tensor:
    """Return the current block, and as many more as may be needed."""
    if isinstance(count, int):
        rows: Any = (count + LENGTH - 1) // LENGTH
    else:
        rows = tf.cast((tf.cast(count, tf.int64) + LENGTH - 1) // LENGTH, tf.int32)
    keys = tf.TensorArray(tf.uint32, rows + 1, element_shape=[LENGTH]).write(0, key)

    def make(row: tf.Tensor, key: tf.Tensor, keys: tf.TensorArray) -> tuple[Any, ...]:
        key = _twist(key)
        return row + 1, key, keys.write(row + 1, key)

    _, _, keys = tf.while_loop(lambda row, *_: row < rows, make, (tf.constant(0), key, keys))
    return keys.stack()


def _twist(key: tf.Tensor) -> tf.Tensor:
    """Return the next block, in parts that depend on earlier parts only."""
    span = LENGTH - OFFSET
    first = _mix(key[:span], key[1 : span + 1]) ^ key[OFFSET:]
    second = _mix(key[span : 2 * span], key[span + 1 : 2 * span + 1]) ^ first
    following = tf.concat([key[2 * span + 1 :], first[:1]], 0)
    third = _mix(key[2 * span :], following) ^ second[: LENGTH - 2 * span]
    return tf.concat([first, second, third], 0)


def _mix(x: tf.Tensor, following: tf.Tensor) -> tf.Tensor:
    bits = (x & _make_constant(UPPER)) | (following & _make_constant(UPPER - 1))
    return _shift_right(bits, 1) ^ ((bits & _make_constant(1)) * _make_constant(MATRIX))


def _temper(x: tf.Tensor) -> tf.Tensor:
    x ^= _shift_right(x, 11)
    x ^= _shift_left(x, 7) & _make_constant(0x9D2C5680)
    x ^= _shift_left(x, 15) & _make_constant(0xEFC60000)
    return x ^ _shift_right(x, 18)


def _make_constant(value: int) -> tf.Tensor:
    return tf.constant(np.uint32(value))


def _shift_left(x: tf.Tensor, count: int) -> tf.Tensor:
    return tf.bitwise.left_shift(x, _make_constant(count))


def _shift_right(x: tf.Tensor, count: int) -> tf.Tensor:
    return tf.bitwise.right_shift(x, _make_constant(count))
