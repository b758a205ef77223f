"""The stream of TensorFlow's own kernels: Philox 4x32-10 of a key and a counter, as the stateless random ops draw it.

Every draw takes as many steps of the counter as it has elements, of which the kernels use at most that many. The first
draws of a state are those of `tf.random.stateless_uniform` and its variants under the same key and counter.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.shapes import Dim
from tfnp._core.xla import is_for_xla
from tfnp.random import shuffling, transforms, uint128, ziggurat
from tfnp.random.elementary import seal_with_gradient
from tfnp.random.streams import Algorithm
from tfnp.random.uint128 import as_int64

NAME: Final = "TensorFlowPhilox"
BITS: Final = 64
SIZE: Final = 3  # words of a state: the key, then the lower and the upper half of the counter

_PHILOX: Final = 1  # as TensorFlow numbers its algorithms
_MAX_BIASED_RANGE: Final = 2**32  # the kernel takes a remainder of 64 bits, which prefers some integers by 2**-32

Kernel = Callable[[tf.Tensor, Dim], tf.Tensor]


def read(state: tf.Tensor, count: Dim) -> tuple[tf.Tensor, Callable[[Any], tf.Tensor]]:
    """Return the next words, and a function from a count to the state after that many."""
    return _draw_words(state, count), lambda taken: _advance(state, taken)


def encode(state: dict[str, Any]) -> list[int]:
    """Return the state dict as a row of words."""
    inner = state["state"]
    return [int(inner["key"]), *map(int, inner["counter"])]


def decode(row: np.ndarray) -> dict[str, Any]:
    """Return the state dict."""
    return {"state": {"key": int(row[0]), "counter": row[1:3].copy()}}


def _advance(state: tf.Tensor, steps: Any) -> tf.Tensor:
    """Return the state, or the row that begins with it, after as many steps of the counter."""
    following = [0] * (state.shape[0] - SIZE + 1)
    if isinstance(steps, tf.Tensor):
        word = tf.bitcast(as_int64(steps), uint128.WORD)
        increment = tf.stack([uint128.word(0), word, *map(uint128.word, following)])
    else:
        increment = convert.from_numpy(np.array([0, int(steps), *following], np.uint64))
    result = ops.add(state, increment)
    carry = ops.cast(ops.less(result, increment), tf.uint64)  # of the lower half
    return ops.add(result, ops.roll(carry, shapes.const_int(1), shapes.const_int(0)))


def _split(state: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the key and the counter, as the ops accept them."""
    sizes = shapes.const_int((1, 2, state.shape[0] - SIZE))
    return tuple(ops.split_v(state, sizes, shapes.const_int(0), 3)[:2])


def _draw_words(state: tf.Tensor, count: Dim, dtype: tf.DType = tf.uint64) -> tf.Tensor:
    key, counter = _split(state)
    return ops.stateless_random_uniform_full_int(
        shape=shapes.shape_tensor((count,)), key=key, counter=counter, alg=_PHILOX, dtype=dtype
    )


def _draw_uniforms(dtype: tf.DType) -> Kernel:
    def draw(state: tf.Tensor, count: Dim) -> tf.Tensor:
        if is_for_xla():
            return _make_uniforms(state, count, dtype)
        key, counter = _split(state)
        return ops.stateless_random_uniform(
            shape=shapes.shape_tensor((count,)), key=key, counter=counter, alg=_PHILOX, dtype=dtype
        )

    return draw


def _draw_normals(dtype: tf.DType) -> Kernel:
    def draw(state: tf.Tensor, count: Dim) -> tf.Tensor:
        if is_for_xla():
            return _make_normals(state, count, dtype)
        key, counter = _split(state)
        return ops.stateless_random_normal(
            shape=shapes.shape_tensor((count,)), key=key, counter=counter, alg=_PHILOX, dtype=dtype
        )

    return draw


def _make_uniforms(state: tf.Tensor, count: Dim, dtype: tf.DType) -> tf.Tensor:
    """Return uniform numbers, made of random bits as the kernels make them: mantissas of floats from 1 to 2. XLA's own
    op differs.
    """
    if dtype == tf.float32:
        bits = _draw_words(state, count, tf.uint32)
        mantissa, one = bits & tf.constant(2**23 - 1, tf.uint32), tf.constant(127 << 23, tf.uint32)
    else:
        bits = _draw_words(state, count)
        high = uint128.shift_left(bits & uint128.word(2**20 - 1), 32)
        mantissa, one = high | uint128.shift_right(bits, 32), uint128.word(1023 << 52)
    return tf.bitcast(mantissa | one, dtype) - tf.constant(1, dtype)


def _make_normals(state: tf.Tensor, count: Dim, dtype: tf.DType) -> tf.Tensor:
    """Return normal numbers, made of uniform ones as the kernels make them, by the method of Box and Muller."""
    pairs = tf.reshape(_make_uniforms(state, count + count % 2, dtype), (-1, 2))
    radius = tf.sqrt(-2 * tf.math.log(tf.maximum(pairs[:, 0], tf.constant(1e-7, dtype))))
    angle = pairs[:, 1] * tf.constant(2 * math.pi, dtype)
    return tf.reshape(tf.stack([tf.sin(angle) * radius, tf.cos(angle) * radius], 1), (-1,))[:count]


def _draw_exponentials(dtype: tf.DType) -> Kernel:
    draw_uniforms = _draw_uniforms(dtype)
    return lambda state, count: -tf.math.log1p(-draw_uniforms(state, count))


_KERNELS: Final[dict[Any, Kernel]] = {
    transforms.doubles: _draw_uniforms(tf.float64),
    transforms.floats: _draw_uniforms(tf.float32),
    ziggurat.normals: _draw_normals(tf.float64),
    transforms.normals_float32: _draw_normals(tf.float32),
    ziggurat.exponentials: _draw_exponentials(tf.float64),
    transforms.exponentials_float32: _draw_exponentials(tf.float32),
}
"""Kernels, by the sampler without parameters of the same distribution."""


def draw_flat(source: Any, sampler: Any, count: Dim, tensors: tuple[tf.Tensor, ...], static: Any) -> tf.Tensor | None:
    """Return numbers drawn by a TensorFlow kernel in place of a sampler; None if there is no kernel, or for another bit
    generator.
    """
    if source._algorithm.name != NAME:
        return None
    if sampler in _KERNELS and not tensors:
        return _draw(source, _KERNELS[sampler], count)
    if sampler is transforms.uniform:
        low, high = tensors
        return low + seal_with_gradient((high - low) * _draw(source, _KERNELS[transforms.doubles], count))
    if sampler is transforms.shift_and_scale and static["base"] in _KERNELS:
        loc, scale = tensors
        return loc + seal_with_gradient(scale * _draw(source, _KERNELS[static["base"]], count))
    if sampler is transforms.scale_by and static["base"] in _KERNELS:
        return seal_with_gradient(tensors[0] * _draw(source, _KERNELS[static["base"]], count))
    if sampler is shuffling.draw_orders:
        return _sort_words(_draw(source, _draw_words, count), tensors[0])
    return None


def draw_integers(source: Any, low: int, high: int, shape: Any, dtype: np.dtype) -> tf.Tensor | None:
    """Return integers from `low` to `high`, inclusive, drawn by a kernel; None for large ranges, and for another bit
    generator.
    """
    if source._algorithm.name != NAME or not 0 <= high - low < _MAX_BIASED_RANGE:
        return None
    is_signed = high < 2**63 - 1
    offset = 0 if is_signed else low
    limits = [tf.constant(limit - offset, tf.int64) for limit in (low, high + 1)]
    drawn = _draw(source, _draw_between(*limits), layout.product(shape))
    if offset:
        drawn = tf.bitcast(drawn, tf.uint64) + tf.constant(offset % 2**64, tf.uint64)
        drawn = drawn if dtype == np.uint64 else tf.bitcast(drawn, tf.int64)
    return tf.reshape(convert.cast(drawn, dtypes.as_dtype(dtype)), shapes.shape_tensor(shape))


def draw_indices(source: Any, length: tf.Tensor, shape: Any) -> tf.Tensor | None:
    """Return integers below a length that is unknown while tracing, as `draw_integers` does."""
    if source._algorithm.name != NAME:
        return None
    kernel = _draw_between(tf.constant(0, tf.int64), tf.cast(length, tf.int64))
    return tf.reshape(_draw(source, kernel, layout.product(shape)), shapes.shape_tensor(shape))


def _draw_between(low: tf.Tensor, high: tf.Tensor) -> Kernel:
    def draw(state: tf.Tensor, count: Dim) -> tf.Tensor:
        key, counter = _split(state)
        return ops.stateless_random_uniform_int(
            shape=shapes.shape_tensor((count,)), key=key, counter=counter, alg=_PHILOX, minval=low, maxval=high
        )

    return draw


def _draw(source: Any, kernel: Kernel, count: Dim) -> tf.Tensor:
    state = source._state
    with state.lock:
        row = state.read()
        result = kernel(row, count)
        state.write(_advance(row, count))
    return tf.ensure_shape(result, [count]) if isinstance(count, int) else result


def _sort_words(words: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return permutations of `length` elements, concatenated: the indices that sort random words."""
    length = tf.cast(length, tf.int32)
    rows = tf.reshape(tf.bitcast(words, tf.int64), tf.stack([-1, tf.maximum(length, 1)]))
    order = ops.top_k(input=rows, k=tf.shape(rows)[1], sorted=True, index_type=tf.int64)[1]
    return tf.reshape(order, (-1,))


ALGORITHM: Final = Algorithm(NAME, BITS, SIZE, read, encode, decode)
