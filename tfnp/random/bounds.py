"""Integers between bounds: of one pair, NumPy's own; of arrays of bounds, each element by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.shapes import Dim
from tfnp.random import bounded_integers, parameters, philox, sampling, uint128
from tfnp.random.counter_streams import MAX_ATTEMPTS, Lanes
from tfnp.random.parameters import UNKNOWN, to_static
from tfnp.random.streams import Stream


def draw_integers(source: Any, low: Any, high: Any, size: Any, dtype: Any, *, endpoint: Any = False) -> tf.Tensor:
    """What `high` leaves out is `low`, from 0 on."""
    expected = dtypes.as_numpy(np.int64 if dtype is int else dtype)
    given = to_static(low), to_static(high)
    if any(value is UNKNOWN for value in given):
        return _draw_array_bounds(source, low, high, size, expected, bool(endpoint))
    if _check(source, *given, size, dtype, endpoint):
        return _draw_scalar_bounds(source, 0, 1, size, expected, False)
    first, last = (0, given[0]) if given[1] is None else given
    if np.size(first) == 1 and np.size(last) == 1:
        return _draw_scalar_bounds(source, first, last, size, expected, bool(endpoint))
    return _draw_array_bounds(source, first, last, size, expected, bool(endpoint))


def _check(source: Any, low: Any, high: Any, size: Any, dtype: Any, endpoint: Any) -> bool:
    """NumPy's errors. Returns whether no elements are asked for, of which it does not look at bounds."""
    shape = () if size is None else to_static(size)
    is_empty = shape is not UNKNOWN and size is not None and 0 in parameters.as_size(size)
    common = np.shape(low) if high is None else np.broadcast_shapes(np.shape(low), np.shape(high))
    expected = size if is_empty else common or None
    kind = dtypes.as_numpy(dtype) if isinstance(dtype, tf.DType) else dtype
    if source._legacy:
        parameters.get_numpy_method("randint", legacy=True)(low, high, expected, kind)
    else:
        parameters.get_numpy_method("integers", legacy=False)(low, high, expected, kind, endpoint)
    return is_empty


def _as_python_int(value: Any) -> int:
    return int(np.asarray(value).item())


def _draw_scalar_bounds(source: Any, low: Any, high: Any, size: Any, dtype: np.dtype, endpoint: bool) -> tf.Tensor:
    common = np.broadcast_shapes(np.shape(low), np.shape(high))
    shape = common if size is None else parameters.as_size(size)
    if common and shapes.is_static(shape):
        parameters.check_fits(common, shape)
    first, last = _as_python_int(low), _as_python_int(high) - (not endpoint)
    width = max(last - first, 0)
    plan = bounded_integers.choose_method(width, dtype, masked=source._legacy)
    numbers = uint128.word(bounded_integers.compute_limits(width, plan.bits))
    drawn = sampling.draw(source, bounded_integers.sample_integers, shape, numbers, bits=plan.bits, way=plan.way)
    return _add_low(drawn, uint128.word(first % 2**64), dtype)


def _add_low(drawn: tf.Tensor, first: tf.Tensor, dtype: np.dtype) -> tf.Tensor:
    total = drawn + first
    if dtype == np.uint64:
        return total
    return convert.cast(tf.bitcast(total, tf.int64), dtypes.as_dtype(dtype))


def _draw_array_bounds(source: Any, low: Any, high: Any, size: Any, dtype: np.dtype, endpoint: bool) -> tf.Tensor:
    first, last = (_as_words(value, dtype) for value in ((0, low) if high is None else (low, high)))
    if not endpoint:
        last -= uint128.word(1)
    first, last = convert.to_tensor(first), convert.to_tensor(last)
    given = parameters.broadcast_parameters((first, last), size)
    drawn = sampling.draw(source, _sample_each, given.shape, *given.tensors)
    return drawn if dtype == np.uint64 else convert.cast(tf.bitcast(drawn, tf.int64), dtypes.as_dtype(dtype))


def _as_words(value: Any, dtype: np.dtype) -> tf.Tensor:
    """As words; a bound may lie one beyond what the dtype holds."""
    if to_static(value) is not UNKNOWN:
        flat = [int(item) % 2**64 for item in np.asarray(to_static(value), object).ravel()]
        return uint128.word(np.array(flat, np.uint64).reshape(np.shape(to_static(value))))
    tensor = convert.to_tensor(value)
    if tensor.dtype == tf.uint64:
        return tensor
    if not tensor.dtype.is_integer and tensor.dtype != tf.bool:
        raise TypeError(f"Cannot cast array data from {tensor.dtype.name} to {dtype.name} according to the rule 'safe'")
    return tf.bitcast(tf.cast(tensor, tf.int64), tf.uint64)


def _sample_each(stream: Stream, count: Dim, first: tf.Tensor, last: tf.Tensor) -> tf.Tensor:
    """By Lemire's rejection in lanes. Where the bounds leave nothing, the lower one."""
    lanes = Lanes(stream, count)
    first, last = lanes.broadcast(first), lanes.broadcast(last)
    width = last - first
    count_of = width + uint128.word(1)
    is_full = tf.equal(count_of, uint128.word(0))
    divisor = tf.where(is_full, uint128.word(1), count_of)
    least = tf.where(is_full, uint128.word(0), tf.math.floormod(uint128.word(2**64 - 1) - width, divisor))
    zero = tf.zeros_like(lanes.lane_ids)

    def attempt(tried: tf.Tensor, value: tf.Tensor, done: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        drawn = philox.blocks((lanes.lane_ids, zero + tf.bitcast(tried, uint128.WORD), zero, zero), lanes.key)[0]
        high, low = uint128.multiply_words(drawn, count_of)
        is_valid = ~done & (low >= least)
        return tried + 1, tf.where(is_valid, tf.where(is_full, drawn, high), value), done | is_valid

    start = (tf.constant(0, tf.int64), zero, tf.zeros_like(is_full))
    found = tf.while_loop(lambda _, __, done: ~tf.reduce_all(done), attempt, start, maximum_iterations=MAX_ATTEMPTS)[1]
    return first + found
