"""A sampler run on a generator: its state read, numbers drawn, the state after them written.

A sampler is a function of a stream, how many numbers there are to be, and tensors; what else it takes is static. It is
traced once, for every number of numbers, and called in eager and in graphs alike: it has hundreds of operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import tensorflow as tf

from tfnp._core import layout, shapes
from tfnp._core.shapes import Dim
from tfnp.random.generator_state import State
from tfnp.random.streams import Algorithm, Stream
from tfnp.random.uint128 import as_int64

Sampler = Callable[..., tf.Tensor]


class Source(Protocol):
    """What has bits to draw from."""

    _algorithm: Any
    _state: State


def draw(source: Any, sampler: Sampler, shape: Sequence[Dim], *tensors: tf.Tensor, **static: Any) -> tf.Tensor:
    """Numbers in this shape."""
    count = layout.product(shape)
    found = draw_flat(source, sampler, count, *tensors, **static)
    return tf.reshape(found, shapes.shape_tensor(shape))


def draw_flat(source: Any, sampler: Sampler, count: Dim, *tensors: tf.Tensor, **static: Any) -> tf.Tensor:
    """What the sampler makes of the stream."""
    algorithm: Algorithm = source._algorithm
    state: State = source._state
    forms = tuple((tensor.dtype, tensor.shape.rank) for tensor in tensors)
    function = _trace_sampler(sampler, algorithm, forms, tuple(static.items()))
    with state.lock:
        found, after = function(state.read(), as_int64(count), *tensors)
        state.write(after)
    if isinstance(count, int) and found.shape.rank == 1:
        found = tf.ensure_shape(found, [count])
    return found


@lru_cache(maxsize=1024)
def _trace_sampler(sampler: Sampler, algorithm: Algorithm, forms: Any, static: Any) -> Callable[..., Any]:
    def body(state: tf.Tensor, count: tf.Tensor, *tensors: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        stream = Stream(algorithm, state)
        found = sampler(stream, count, *tensors, **dict(static))
        return found, tf.ensure_shape(stream.state, state.shape)

    signature = [
        tf.TensorSpec([algorithm.size + 4], tf.uint64),
        tf.TensorSpec([], tf.int64),
        *(tf.TensorSpec([None] * rank, dtype) for dtype, rank in forms),
    ]
    with tf.init_scope():
        return tf.function(body, input_signature=signature, autograph=False).get_concrete_function()
