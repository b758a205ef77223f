"""Checks of values: errors at once in eager mode and for static values, assertions in graphs.

XLA removes assertions. A function that is compiled defines its result for invalid values itself; shapes are known when
XLA compiles, so that what is wrong with them is an error there, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import tensorflow as tf

from tfnp._core.xla import is_for_xla


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
    with tf.control_dependencies([make_assertion(condition, [str(error), *data])]):
        return [tf.identity(tensor) for tensor in value] if isinstance(value, list) else tf.identity(value)


def make_assertion(condition: tf.Tensor, data: Sequence[Any]) -> tf.Operation:
    """Return the operation that fails when the graph runs, or XLA compiles it, where the condition is false.

    Of a condition that depends on values, XLA removes it.
    """
    if is_for_xla() and depends_on_shapes(condition):
        return tf.reshape(tf.zeros((1,)), tf.where(condition, [1], [2]), name="assertion_of_shapes").op
    return tf.debugging.Assert(condition, data)


def depends_on_shapes(tensor: tf.Tensor) -> bool:
    """Return whether XLA knows a tensor when it compiles the graph: it is made of shapes and constants."""
    pending, seen = [tensor.op], set()
    while pending:
        operation = pending.pop()
        if operation.name in seen or operation.type in _OF_SHAPES:
            continue
        if not operation.inputs and operation.type != "Const":
            return False
        seen.add(operation.name)
        pending += [each.op for each in operation.inputs]
    return True


_OF_SHAPES: Final = frozenset(("Shape", "ShapeN", "Size", "Rank"))
