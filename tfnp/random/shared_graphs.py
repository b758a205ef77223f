"""Functions that are traced once for all graphs, for tensors of any shape, and never inlined.

Random samplers have so many ops that a copy of the graph per call would take seconds to build. In eager mode the
first calls run op by op, so that a single draw needs no trace.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

CALLS_BEFORE_TRACING: Final = 16


def trace_once(*dtypes: tf.DType) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator for functions of tensors of these dtypes, whose results have their broadcast shape."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = [tf.TensorSpec(None, dtype) for dtype in dtypes]
        graph = tf.function(
            function, input_signature=signature, autograph=False, experimental_attributes={"_noinline": True}
        )

        eager_calls = itertools.count()

        @functools.wraps(function)
        def call(*tensors: tf.Tensor) -> Any:
            if tf.executing_eagerly() and next(eager_calls) < CALLS_BEFORE_TRACING:
                return function(*tensors)
            results = graph(*tensors)
            shape = functools.reduce(tf.broadcast_static_shape, [tensor.shape for tensor in tensors])
            for tensor in results if isinstance(results, tuple) else (results,):
                tensor.set_shape(shape)
            return results

        return call

    return decorate
