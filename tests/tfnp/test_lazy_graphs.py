"""Functions that are traced when they are called often."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core import lazy_graphs


def test_it_is_traced_once_and_only_when_it_is_called_often() -> None:
    runs: list[bool] = []

    @lazy_graphs.trace_later(tf.TensorSpec(None, tf.float32))
    def double(x: tf.Tensor) -> tf.Tensor:
        runs.append(tf.executing_eagerly())
        return x + x

    results = [double(tf.constant([float(i)])) for i in range(lazy_graphs.CALLS_BEFORE_TRACING + 3)]
    np.testing.assert_array_equal(tf.concat(results, 0), 2.0 * np.arange(len(results)))
    assert runs == [True] * lazy_graphs.CALLS_BEFORE_TRACING + [False]
    for _ in range(2):  # the graphs of callers share the trace
        tf.function(lambda: double(tf.constant(2.0)))()
    assert len(runs) == lazy_graphs.CALLS_BEFORE_TRACING + 1
