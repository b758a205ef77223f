"""Functions that are traced once for all that call them, of tensors of any shape, and never copied into a graph.

What draws random numbers calculates with words of many operations: a graph of copies would take seconds to make.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf


def trace_once(*dtypes: tf.DType) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Around a function of tensors of these dtypes, each result of which has the shape that they broadcast to."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = [tf.TensorSpec(None, dtype) for dtype in dtypes]
        graph = tf.function(
            function, input_signature=signature, autograph=False, experimental_attributes={"_noinline": True}
        )

        @functools.wraps(function)
        def call(*tensors: tf.Tensor) -> Any:
            found = graph(*tensors)
            form = functools.reduce(tf.broadcast_static_shape, [tensor.shape for tensor in tensors])
            for tensor in found if isinstance(found, tuple) else (found,):
                tensor.set_shape(form)
            return found

        return call

    return decorate
