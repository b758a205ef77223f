"""Where the state of a generator is kept: on the host until it is needed, then in a variable, or in a graph.

A variable is made outside of whatever is being traced, so that a generator goes on with each call of a `tf.function`.
One that is made while a function is traced is a part of what it does: it starts anew with each call.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.variables import read_variable, store


class State:
    """A row of words that changes."""

    def __init__(self, row: np.ndarray) -> None:
        self._first = row
        self._home = _graph()
        self._inner: tf.Tensor | None = None
        self._variable: tf.Variable | None = None
        self.lock = threading.Lock()

    def read(self) -> tf.Tensor:
        if self._is_at_home():
            return tf.constant(self._first) if self._inner is None else self._inner
        return tf.bitcast(read_variable(self._kept()), tf.uint64)

    def write(self, row: tf.Tensor) -> None:
        if self._is_at_home():
            self._inner = row
        else:
            store(self._kept(), tf.bitcast(row, tf.int64))

    def peek(self) -> np.ndarray:
        """The words, which must be known."""
        if self._variable is None and self._inner is None:
            return self._first
        if not tf.executing_eagerly():
            raise TypeError("the state of a generator is not known while tracing")
        return convert.to_numpy(self.read())

    def put(self, row: np.ndarray) -> None:
        """Other words, known now."""
        if self._variable is None:
            self._first, self._inner = row, None
        else:
            self.write(tf.constant(row))

    def _is_at_home(self) -> bool:
        return self._variable is None and self._home is not None and self._home is _graph()

    def _kept(self) -> tf.Variable:
        if self._variable is None:
            with tf.init_scope():
                self._variable = tf.Variable(self._first.view(np.int64), trainable=False, name="random_state")
        return self._variable


def _graph() -> Any:
    """The graph that is being traced; None in eager."""
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
