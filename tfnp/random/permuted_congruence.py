"""PCG64 and PCG64DXSM (O'Neill 2014): a 128-bit linear congruence with a permuted output.

The state n steps ahead is an affine function of the current one. So all states are calculated at once, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import uint128
from tfnp.random.shared_graphs import trace_once
from tfnp.random.uint128 import UInt128

MULTIPLIER: Final = 0x2360ED051FC65DA44385DF649FCCF645
CHEAP_MULTIPLIER: Final = 0xDA942042E4DD58B5

BITS: Final = 64
SIZE: Final = 4  # words of a state: value and increment, high words first
ROW_LENGTH: Final = 1024  # states that are reached from one by precalculated jumps


def encode(state: dict[str, Any]) -> list[int]:
    inner = state["state"]
    return [part for values in (inner["state"], inner["inc"]) for part in (values >> 64, values & (2**64 - 1))]


def decode(state: np.ndarray) -> dict[str, Any]:
    values = [int(state[0]) << 64 | int(state[1]), int(state[2]) << 64 | int(state[3])]
    return {"state": {"state": values[0], "inc": values[1]}}


def read(state: tf.Tensor, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
    """Return the next words, and a function from a count to the state after that many."""
    return _output_xsl_rr(_compute_states(state, count, 1, MULTIPLIER)), lambda taken: _advance(
        state, taken, MULTIPLIER
    )


def read_dxsm(state: tf.Tensor, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
    """Return the next words of PCG64DXSM, and a function from a count to the state after that many. It outputs a state
    before the next step.
    """
    return _output_dxsm(_compute_states(state, count, 0, CHEAP_MULTIPLIER)), lambda taken: _advance(
        state, taken, CHEAP_MULTIPLIER
    )


def _output_xsl_rr(x: UInt128) -> tf.Tensor:
    return uint128.rotate_right(x.high ^ x.low, uint128.shift_right(x.high, 58))


def _output_dxsm(x: UInt128) -> tf.Tensor:
    high = x.high ^ uint128.shift_right(x.high, 32)
    high *= uint128.word(CHEAP_MULTIPLIER)
    high ^= uint128.shift_right(high, 48)
    return high * (x.low | uint128.word(1))


@lru_cache
def _compute_jump_table(multiplier: int) -> tuple[UInt128, UInt128]:
    """Return the multipliers of the value and of the increment for each position of a row."""
    powers = [pow(multiplier, step, (multiplier - 1) << 128) for step in range(ROW_LENGTH)]
    sums = [(power - 1) // (multiplier - 1) for power in powers]
    return UInt128(*_split_words([power % 2**128 for power in powers])), UInt128(*_split_words(sums))


def _split_words(values: list[int]) -> tuple[Any, Any]:
    return np.array([v >> 64 for v in values], np.uint64), np.array([v & (2**64 - 1) for v in values], np.uint64)


def _compute_states(state: tf.Tensor, count: Dim, first: int, multiplier: int) -> UInt128:
    """Return the states from `first` steps ahead on: the first of each row by a jump, the others from the table."""
    rows = (count + first + ROW_LENGTH - 1) // ROW_LENGTH
    starts = ROW_LENGTH * tf.range(rows, dtype=tf.int64)
    heads = UInt128(*(tf.expand_dims(part, 1) for part in _jump_states(state, starts, multiplier)))
    powers, sums = (UInt128(*map(tf.constant, table)) for table in _compute_jump_table(multiplier))
    states = uint128.add(uint128.multiply(heads, powers), uint128.multiply(sums, UInt128(state[2], state[3])))
    return UInt128(*(tf.reshape(part, (-1,))[first : count + first] for part in states))


def _advance(state: tf.Tensor, taken: Any, multiplier: int) -> tf.Tensor:
    return tf.stack([*_jump_states(state, tf.cast(taken, tf.int64), multiplier), state[2], state[3]])


def _jump_states(state: tf.Tensor, steps: tf.Tensor, multiplier: int) -> UInt128:
    factor = uint128.constant128(multiplier)
    return UInt128(*_jump(tf.bitcast(steps, uint128.WORD), *tf.unstack(state), *factor))


@trace_once(*(uint128.WORD,) * 7)
def _jump(steps: tf.Tensor, *state_words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the state `steps` ahead, by binary doubling (Brown 1994)."""

    def double(left: tf.Tensor, high: tf.Tensor, low: tf.Tensor, *step: tf.Tensor) -> tuple[tf.Tensor, ...]:
        increment, factor = UInt128(step[0], step[1]), UInt128(step[2], step[3])
        stepped = uint128.add(uint128.multiply(UInt128(high, low), factor), increment)
        is_taken = tf.equal(left & uint128.word(1), uint128.word(1))
        one_more = uint128.add(factor, UInt128(uint128.word(0), uint128.word(1)))
        high, low = tf.where(is_taken, stepped.high, high), tf.where(is_taken, stepped.low, low)
        return (
            uint128.shift_right(left, 1),
            high,
            low,
            *uint128.multiply(increment, one_more),
            *uint128.multiply(factor, factor),
        )

    zero = tf.zeros_like(steps)
    start = (steps, zero + state_words[0], zero + state_words[1], *state_words[2:])
    result = tf.while_loop(lambda left, *_: tf.reduce_any(tf.not_equal(left, uint128.word(0))), double, start)
    return result[1], result[2]
