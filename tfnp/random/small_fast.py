"""SFC64 (Doty-Humphrey 2010): a chaotic generator, in which each word needs the one before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.random import uint128

BITS: Final = 64
SIZE: Final = 4


def encode(state: dict[str, Any]) -> list[int]:
    return [*map(int, state["state"]["state"])]


def decode(state: np.ndarray) -> dict[str, Any]:
    return {"state": {"state": state[:SIZE].copy()}}


def read(state: tf.Tensor, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
    """Return the next words, and a function from a count to the state after that many."""
    count = tf.cast(count, tf.int32) if isinstance(count, tf.Tensor) else count
    states = tf.TensorArray(uint128.WORD, count + 1, element_shape=[SIZE]).write(0, state)
    drawn = tf.TensorArray(uint128.WORD, count, element_shape=[])

    def draw(step: tf.Tensor, state: tf.Tensor, states: Any, drawn: Any) -> tuple[Any, ...]:
        a, b, c, index = tf.unstack(state)
        output = a + b + index
        state = tf.stack(
            [
                b ^ uint128.shift_right(b, 11),
                c + uint128.shift_left(c, 3),
                uint128.rotate_left(c, 24) + output,
                index + uint128.word(1),
            ]
        )
        return step + 1, state, states.write(step + 1, state), drawn.write(step, output)

    start = (tf.constant(0), state, states, drawn)
    _, _, states, drawn = tf.while_loop(lambda step, *_: step < count, draw, start)
    all_states = states.stack()
    return drawn.stack(), lambda taken: tf.gather(all_states, taken)
