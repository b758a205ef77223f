"""Checks of values: errors at once in eager mode and for static values, assertions in graphs.

XLA removes assertions. A function that is compiled defines its result for invalid values itself.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def check(condition: bool | tf.Tensor, error: Exception, value: Any, *data: tf.Tensor) -> Any:
    """Return the value. Raise the error where the condition is false.

    In a graph, a condition that is a tensor becomes an assertion: where it fails when the graph runs, TensorFlow raises
    InvalidArgumentError with the message of the error, followed by the tensors in `data`. The value, a tensor or a list
    of tensors, must be used for the assertion to run.
    """
    if isinstance(condition, bool) or tf.executing_eagerly():
        if not condition:
            raise error
        return value
    with tf.control_dependencies([tf.debugging.Assert(condition, [str(error), *data])]):
        return [tf.identity(tensor) for tensor in value] if isinstance(value, list) else tf.identity(value)
