"""Functions of many small ops, which run as a graph only when they are called often.

A graph runs several times faster than its ops one by one, but to trace it takes as long as some twenty such runs. A
program that needs one call does not wait for the trace.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

CALLS_BEFORE_TRACING: Final = 16


def trace_later(*signature: tf.TensorSpec, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator of functions whose first eager calls run op by op, and later ones as one graph. Callers that
    are being traced share the graph. `options` are those of `tf.function`.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        graph = tf.function(function, input_signature=signature, autograph=False, **options)
        eager_calls = itertools.count()

        @functools.wraps(function)
        def call(*tensors: tf.Tensor) -> Any:
            if tf.executing_eagerly() and next(eager_calls) < CALLS_BEFORE_TRACING:
                return function(*tensors)
            return graph(*tensors)

        return call

    return decorate
