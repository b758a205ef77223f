"""The state of a generator: on the host until it is needed, then in a variable or in the graph being traced.

The variable is created outside of what is being traced, so that a generator continues with each call of a
`tf.function`: as a ResourceVariable, since `tf.function` claims each new `tf.Variable` for itself, initializes it in
the graph, and traces again, and since a `tf.distribute.Strategy` makes copies of a `tf.Variable`: the replicas share
this one, and draw one after another, other numbers each. A generator that is created while tracing belongs to the
function and starts anew with each call.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.errors import requires_static
from tfnp._core.tensorflow_internals import ResourceVariable
from tfnp._core.variables import read_variable, store


class State:
    """A mutable row of words."""

    def __init__(self, row: np.ndarray) -> None:
        self._initial = row
        self._graph = _find_current_graph()
        self._graph_value: tf.Tensor | None = None
        self._variable: tf.Variable | None = None
        self.lock = threading.Lock()

    def read(self) -> tf.Tensor:
        if self._is_in_own_graph():
            return tf.constant(self._initial) if self._graph_value is None else self._graph_value
        return tf.bitcast(read_variable(self.variable), tf.uint64)

    def write(self, row: tf.Tensor) -> None:
        if self._is_in_own_graph():
            self._graph_value = row
        else:
            store(self.variable, tf.bitcast(row, tf.int64))

    @property
    def is_outside_graphs(self) -> bool:
        """Whether the state belongs to no function, and so can be read and replaced in eager mode."""
        return self._graph is None

    def peek(self) -> np.ndarray:
        """Return the words as an array. They must be static."""
        if self._variable is None and self._graph_value is None:
            return self._initial
        if not tf.executing_eagerly():
            raise requires_static("the state", "bit_generator.state")
        return convert.to_numpy(self.read())

    def put(self, row: np.ndarray) -> None:
        """Replace the words by those of an array."""
        if self._variable is None:
            self._initial, self._graph_value = row, None
        else:
            self.write(tf.constant(row))

    def _is_in_own_graph(self) -> bool:
        return self._variable is None and self._graph is not None and self._graph is _find_current_graph()

    @property
    def variable(self) -> tf.Variable:
        """The variable that holds the state; it is created when it is first asked for."""
        if self._variable is None:
            with tf.init_scope():
                self._variable = ResourceVariable(self._initial.view(np.int64), trainable=False, name="random_state")
        return self._variable


def _find_current_graph() -> Any:
    """Return the graph being traced, or None in eager mode."""
    return None if tf.executing_eagerly() else tf.compat.v1.get_default_graph()
