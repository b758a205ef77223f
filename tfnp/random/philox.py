"""Philox 4x64-10 (Salmon, Moraes, Dror, Shaw 2011): ten rounds turn a counter of four words into four random words."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import arrays, uint128
from tfnp.random.shared_graphs import trace_once

ROUNDS: Final = 10
MULTIPLIERS: Final = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
WEYL: Final = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)

BITS: Final = 64
WORDS: Final = 4  # of a counter, and of a buffer
SIZE: Final = 7  # words of a state: four of the counter, two of the key, position in the buffer

_NO_WORDS: Final = np.zeros(WORDS, np.uint64)
_LOWEST: Final = 2**64 - 1

Counter = tuple[tf.Tensor, tf.Tensor, tf.Tensor, tf.Tensor]


def blocks(counter: Counter, key: tuple[tf.Tensor, tf.Tensor]) -> Counter:
    """Return the random words of each counter."""
    return _make_blocks(*counter, *key)


@trace_once(*(uint128.WORD,) * 6)
def _make_blocks(*words: tf.Tensor) -> Counter:
    def turn(round_index: tf.Tensor, *state: tf.Tensor) -> tuple[tf.Tensor, ...]:
        c0, c1, c2, c3, k0, k1 = state
        high0, low0 = uint128.multiply_words(c0, np.uint64(MULTIPLIERS[0]))
        high1, low1 = uint128.multiply_words(c2, np.uint64(MULTIPLIERS[1]))
        keys = k0 + np.uint64(WEYL[0]), k1 + np.uint64(WEYL[1])
        return round_index + 1, high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0, *keys

    first = tf.constant(0) if arrays.has_tensor(*words) else 0
    state = arrays.repeat_while(lambda round_index, *_: round_index < ROUNDS, turn, (first, *words))
    return state[1], state[2], state[3], state[4]


def draw_rows(host: np.random.Philox, counter: int, key: np.ndarray, count: int) -> np.ndarray:
    """Return the words of so many counters, one after another, as rows of an array, by NumPy's bit generator."""
    before: Any = {"counter": np.array(_split(counter - 1), np.uint64), "key": key}
    host.state = {
        "bit_generator": "Philox",
        "state": before,
        "buffer": _NO_WORDS,
        "buffer_pos": WORDS,
        "has_uint32": 0,
        "uinteger": 0,
    }
    return host.random_raw(WORDS * count).reshape(-1, WORDS)


def encode(state: dict[str, Any]) -> list[int]:
    """Return NumPy's state dict as a row of words. Of the buffer only the position is stored, since the counter
    determines its words: 0 with the next counter if the buffer is still empty, as it is before the first draw.
    """
    inner = state["state"]
    counter, position = _join(inner["counter"]), int(state["buffer_pos"])
    if position == WORDS and not np.any(state["buffer"]):
        counter, position = counter + 1, 0
    return [*_split(counter), *map(int, inner["key"]), position]


def decode(state: np.ndarray) -> dict[str, Any]:
    """Return NumPy's state dict."""
    counter, key, position = _join(state[:WORDS]), state[4:6].copy(), int(state[6])
    before = _split(counter - 1)
    if position:
        buffer = np.random.Philox(counter=_join(before), key=key).random_raw(WORDS)
    else:
        counter, buffer, position = counter - 1, np.zeros(WORDS, np.uint64), WORDS
    inner = {"counter": np.array(_split(counter), np.uint64), "key": key}
    return {"state": inner, "buffer": buffer, "buffer_pos": position}


def _join(words: Iterable[Any]) -> int:
    """Return the number that words of 64 bits make, the lowest first."""
    return sum(int(word) << 64 * i for i, word in enumerate(words))


def _split(number: int) -> list[int]:
    """Return the four words of a number."""
    return [(number >> 64 * i) & _LOWEST for i in range(WORDS)]


def read(state: tf.Tensor, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
    """Return the next words, and a function from a count to the state after that many."""
    used = tf.bitcast(state[6], tf.int64)
    count = tf.cast(count, tf.int64) if isinstance(count, tf.Tensor) else count
    block_count = (count + 3) // 4 + 1
    steps = tf.bitcast(tf.range(tf.cast(block_count, tf.int64), dtype=tf.int64), uint128.WORD)
    counter = _add_to_counter(state, steps)
    output = blocks(counter, (state[4], state[5]))
    row = tf.reshape(tf.stack(output, 1), (-1,))
    return uint128.slice_words(row, used, count), lambda taken: _advance(state, used + taken)


def _add_to_counter(state: tf.Tensor, steps: tf.Tensor) -> Counter:
    c0, carry = uint128.add_word(state[0], steps)
    c1, carry = uint128.add_word(state[1], carry)
    c2, carry = uint128.add_word(state[2], carry)
    return c0, c1, c2, state[3] + carry


def _advance(state: tf.Tensor, used: tf.Tensor) -> tf.Tensor:
    """Return the state after a number of words. A block counts as drawn once its first word is used."""
    steps = tf.maximum(used - 1, 0) // 4
    counter = _add_to_counter(state, tf.bitcast(steps, uint128.WORD))
    used_of_block = tf.bitcast(used - 4 * steps, uint128.WORD)
    return tf.stack([*counter, state[4], state[5], used_of_block])
