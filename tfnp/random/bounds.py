"""Random integers between bounds: NumPy's own values for scalar bounds; one stream per element for arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.shapes import Dim
from tfnp.random import arrays, bounded_integers, host, kernel_streams, parameters, sampling, uint128
from tfnp.random.counter_streams import make_lanes
from tfnp.random.host_streams import draws_arrays
from tfnp.random.parameters import UNKNOWN, to_static
from tfnp.random.streams import Stream


def draw_integers(source: Any, low: Any, high: Any, size: Any, dtype: Any, *, endpoint: Any = False) -> tf.Tensor:
    """Return random integers from `low` to `high`, or from 0 to `low` if `high` is None."""
    numpy_dtype = dtypes.as_numpy(np.int64 if dtype is int else dtype)
    bounds = to_static(low), to_static(high)
    if any(value is UNKNOWN for value in bounds):
        return _draw_array_bounds(source, low, high, size, numpy_dtype, bool(endpoint))
    if _check(source, *bounds, size, dtype, endpoint):
        return _draw_scalar_bounds(source, 0, 1, size, numpy_dtype, False)
    first, last = (0, bounds[0]) if bounds[1] is None else bounds
    if np.size(first) == 1 and np.size(last) == 1:
        return _draw_scalar_bounds(source, first, last, size, numpy_dtype, bool(endpoint))
    return _draw_array_bounds(source, first, last, size, numpy_dtype, bool(endpoint))


def _check(source: Any, low: Any, high: Any, size: Any, dtype: Any, endpoint: Any) -> bool:
    """Raise NumPy's errors. Return whether the result has no elements, for which NumPy does not check bounds."""
    shape = () if size is None else to_static(size)
    is_empty = shape is not UNKNOWN and size is not None and 0 in parameters.as_size(size)
    common = np.shape(low) if high is None else np.broadcast_shapes(np.shape(low), np.shape(high))
    checked_size = size if is_empty else common or None
    checked_dtype = dtypes.as_numpy(dtype) if isinstance(dtype, tf.DType) else dtype
    if source._legacy:
        parameters.get_numpy_method("randint", legacy=True)(low, high, checked_size, checked_dtype)
    else:
        parameters.get_numpy_method("integers", legacy=False)(low, high, checked_size, checked_dtype, endpoint)
    return is_empty


def _as_python_int(value: Any) -> int:
    return int(np.asarray(value).item())


def _draw_scalar_bounds(source: Any, low: Any, high: Any, size: Any, dtype: np.dtype, endpoint: bool) -> tf.Tensor:
    common = np.broadcast_shapes(np.shape(low), np.shape(high))
    shape = common if size is None else parameters.as_size(size)
    if common and shapes.is_static(shape):
        parameters.check_fits(common, shape)
    first, last = _as_python_int(low), _as_python_int(high) - (not endpoint)
    for draw in (host.draw_integers, kernel_streams.draw_integers):
        if (result := draw(source, first, last, shape, dtype)) is not None:
            return result
    width = max(last - first, 0)
    method = bounded_integers.choose_method(width, dtype, masked=source._legacy)
    limits = uint128.word(bounded_integers.compute_limits(width, method.bits))
    drawn = sampling.draw(
        source, bounded_integers.sample_integers, shape, limits, bits=method.bits, method=method.method
    )
    return _add_low(drawn, uint128.word(first % 2**64), dtype)


def draw_indices(source: Any, length: tf.Tensor, shape: tuple[Dim, ...]) -> tf.Tensor:
    """Return random integers below a length that is unknown while tracing, at most 2**32: those that `draw_integers`
    gives for this length.
    """
    drawn = kernel_streams.draw_indices(source, length, shape)
    if drawn is not None:
        return drawn
    bits, method = bounded_integers.choose_method_of_lengths(masked=source._legacy)
    limits = bounded_integers.compute_limits_of_length(length, bits)
    return tf.bitcast(
        sampling.draw(source, bounded_integers.sample_integers, shape, limits, bits=bits, method=method), tf.int64
    )


def _add_low(drawn: tf.Tensor, first: tf.Tensor, dtype: np.dtype) -> tf.Tensor:
    shifted = drawn + first
    if dtype == np.uint64:
        return shifted
    return convert.cast(tf.bitcast(shifted, tf.int64), dtypes.as_dtype(dtype))


def _draw_array_bounds(source: Any, low: Any, high: Any, size: Any, dtype: np.dtype, endpoint: bool) -> tf.Tensor:
    first, last = (_as_words(value, dtype) for value in ((0, low) if high is None else (low, high)))
    if not endpoint:
        last -= uint128.word(1)
    first, last = convert.to_tensor(first), convert.to_tensor(last)
    last = tf.where(_is_empty(first, last, dtype), first, last)
    bounds = parameters.broadcast_parameters((first, last), size)
    drawn = sampling.draw(source, _sample_each, bounds.shape, *bounds.tensors)
    return drawn if dtype == np.uint64 else convert.cast(tf.bitcast(drawn, tf.int64), dtypes.as_dtype(dtype))


def _is_empty(first: tf.Tensor, last: tf.Tensor, dtype: np.dtype) -> tf.Tensor:
    """Return a mask of the bounds, which are words, between which no integer lies; this cannot be checked while
    tracing.
    """
    if dtype == np.uint64:
        return tf.less(last, first)
    return tf.less(tf.bitcast(last, tf.int64), tf.bitcast(first, tf.int64))


def _as_words(value: Any, dtype: np.dtype) -> tf.Tensor:
    """Return bounds as words. A bound may be one above the maximum of the dtype."""
    if to_static(value) is not UNKNOWN:
        return uint128.word(_make_words(np.asarray(to_static(value))))
    tensor = convert.to_tensor(value)
    if tensor.dtype == tf.uint64:
        return tensor
    if not tensor.dtype.is_integer and tensor.dtype != tf.bool:
        raise TypeError(f"Cannot cast array data from {tensor.dtype.name} to {dtype.name} according to the rule 'safe'")
    return tf.bitcast(tf.cast(tensor, tf.int64), tf.uint64)


def _make_words(bounds: np.ndarray) -> np.ndarray:
    """Return bounds modulo 2**64."""
    if bounds.dtype.kind in "bi":
        return bounds.astype(np.int64).view(np.uint64)
    if bounds.dtype.kind == "u":
        return bounds.astype(np.uint64)
    flat = [int(item) % 2**64 for item in bounds.ravel()]
    return np.array(flat, np.uint64).reshape(bounds.shape)


@draws_arrays(from_lanes=True)
def _sample_each(stream: Stream, count: Dim, first: tf.Tensor, last: tf.Tensor) -> tf.Tensor:
    """Return integers drawn by Lemire's rejection, with a stream for each element. An empty range gives its lower
    bound.
    """
    lanes = make_lanes(stream, count)
    width = last - first
    range_size = width + np.uint64(1)
    is_full = arrays.equal(range_size, np.uint64(0))
    divisor = arrays.where(is_full, np.uint64(1), range_size)
    threshold = arrays.where(is_full, np.uint64(0), arrays.remainder(np.uint64(2**64 - 1) - width, divisor))

    def propose(words: Any, range_size: Any, is_full: Any, threshold: Any) -> tuple[Any, Any]:
        high, low = uint128.multiply_words(words[0], range_size)
        return (high if arrays.is_none(is_full) else arrays.where(is_full, words[0], high)), low >= threshold

    parameters = range_size, is_full, threshold
    none_done = arrays.not_equal(range_size, range_size)
    return first + lanes.draw_until_accepted(0, propose, parameters, none_done, arrays.zeros_like(range_size))
