"""Run a sampler: read the state of a generator, draw, and write the new state.

A sampler is a function of a stream, the number of elements, and tensors; its other arguments are static. It has
hundreds of ops, which take several times as long to trace as to run. Eager calls on the CPU run it on arrays of
NumPy's (see `host`). Elsewhere its first eager calls run op by op. For later calls, and in graphs, it is traced once,
for any number of elements. The numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

import tensorflow as tf

from tfnp._core import layout, shapes, traces
from tfnp._core.shapes import Dim
from tfnp.random import host, kernel_streams
from tfnp.random.generator_state import State
from tfnp.random.streams import Algorithm, Stream
from tfnp.random.uint128 import as_int64

Sampler = Callable[..., tf.Tensor]

MOST_WORDS_IN_SEQUENCE: Final = 64
"""The longest draw that runs op by op from an algorithm that needs each word for the next one."""


class Source(Protocol):
    """An object with a bit generator."""

    _algorithm: Any
    _state: State


def draw(source: Any, sampler: Sampler, shape: Sequence[Dim], *tensors: tf.Tensor, **static: Any) -> tf.Tensor:
    """Return the result of a sampler, in a shape."""
    count = layout.product(shape)
    result = draw_flat(source, sampler, count, *tensors, **static)
    return tf.reshape(result, shapes.shape_tensor(shape))


def draw_flat(source: Any, sampler: Sampler, count: Dim, *tensors: tf.Tensor, **static: Any) -> tf.Tensor:
    """Return the flat result of a sampler, or of what NumPy or TensorFlow has in its place."""
    for draw_instead in (host.draw_flat, kernel_streams.draw_flat):
        drawn = draw_instead(source, sampler, count, tensors, static)
        if drawn is not None:
            return drawn
    algorithm: Algorithm = source._algorithm
    state: State = source._state
    tensor_specs = tuple((tensor.dtype, tensor.shape.rank) for tensor in tensors)
    key = (sampler, algorithm, tensor_specs, tuple(static.items()))
    make = partial(_trace_sampler, *key)
    graph = traces.find_trace(key, make) if _may_run_op_by_op(algorithm, count) else traces.keep_trace(key, make)
    function = partial(traces.run_recurring, key, _run_sampler, sampler, algorithm, key[-1]) if graph is None else graph
    with state.lock:
        result, next_state = function(state.read(), as_int64(count), *tensors)
        state.write(next_state)
    if isinstance(count, int) and result.shape.rank == 1:
        result = tf.ensure_shape(result, [count])
    return result


def _may_run_op_by_op(algorithm: Algorithm, count: Dim) -> bool:
    """Return whether a call need not run as a graph."""
    if not tf.executing_eagerly() or not isinstance(count, int):
        return False
    return not algorithm.is_sequential or count <= MOST_WORDS_IN_SEQUENCE


def _run_sampler(
    sampler: Sampler, algorithm: Algorithm, static: Any, state: tf.Tensor, count: tf.Tensor, *tensors: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
    """Return what the sampler draws, and the state after it."""
    stream = Stream(algorithm, state)
    result = sampler(stream, count, *tensors, **dict(static))
    return result, tf.ensure_shape(stream.state, state.shape)


def _trace_sampler(sampler: Sampler, algorithm: Algorithm, tensor_specs: Any, static: Any) -> Callable[..., Any]:
    signature = [
        tf.TensorSpec([algorithm.size + 4], tf.uint64),
        tf.TensorSpec([], tf.int64),
        *(tf.TensorSpec([None] * rank, dtype) for dtype, rank in tensor_specs),
    ]
    with tf.init_scope():
        body = partial(_run_sampler, sampler, algorithm, static)
        return tf.function(body, input_signature=signature, autograph=False).get_concrete_function()
