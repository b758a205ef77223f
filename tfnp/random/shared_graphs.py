"""Functions that are traced once for all graphs, for tensors of any shape, and never inlined.

Random samplers have so many ops that a copy of the graph per call would take seconds to build.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core.traces import trace_recurring
from tfnp.random import arrays


def trace_once(*dtypes: tf.DType) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator for functions of tensors of these dtypes, whose results have their broadcast shape. Arrays of
    NumPy's are computed block by block.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = [tf.TensorSpec(None, dtype) for dtype in dtypes]
        graph = trace_recurring(*signature, experimental_attributes={"_noinline": True})(function)

        @functools.wraps(function)
        def call(*tensors: tf.Tensor) -> Any:
            if not arrays.has_tensor(*tensors):
                return arrays.compute_in_blocks(function, *tensors)
            tensors = tuple(map(tf.convert_to_tensor, tensors))
            results = graph(*tensors)
            shape = functools.reduce(tf.broadcast_static_shape, [tensor.shape for tensor in tensors])
            for tensor in results if isinstance(results, tuple) else (results,):
                tensor.set_shape(shape)
            return results

        return call

    return decorate
