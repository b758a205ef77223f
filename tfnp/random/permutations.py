"""Shuffling, permutation and random choice."""

from __future__ import annotations

import math
import operator
from collections.abc import MutableSequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.errors import not_a_variable_error
from tfnp._core.shapes import Dim
from tfnp._core.variables import read_variable, update
from tfnp._core.xla import is_for_xla
from tfnp._kernels.sort import sort_keys
from tfnp.random import bounds, elementary, parameters, sampling, shuffling, transforms
from tfnp.random.elementary import div
from tfnp.random.host_streams import HostStream, draws_arrays
from tfnp.random.parameters import UNKNOWN, to_static
from tfnp.random.streams import Stream
from tfnp.random.uint128 import as_int64


def draw_order(source: Any, length: Dim, rows: Dim = 1) -> tf.Tensor:
    """Return `rows` permutations of `length` elements, as one flat tensor of indices."""
    if isinstance(length, int) and length == 0:
        return tf.zeros([0], tf.int64)
    return sampling.draw_flat(source, shuffling.draw_orders, rows * length, as_int64(length))


def permutation(source: Any, x: Any, axis: Any) -> tf.Tensor:
    """Return the integers below `x`, or an array along an axis, in random order."""
    value = to_static(x)
    if value is not UNKNOWN and np.ndim(value) == 0 and np.asarray(value).dtype.kind in "iub":
        return draw_order(source, max(int(value), 0))
    array = convert.to_tensor(x)
    if array.shape.rank is None:
        axis_tensor = _normalize_axis_unknown_rank(array, shapes.as_int(axis))
        return tf.gather(array, draw_order(source, tf.shape(array)[axis_tensor]), axis=axis_tensor)
    rank = shapes.rank(array)
    if rank == 0 and array.dtype.is_integer:  # how many there are is known when the graph runs
        return draw_order(source, tf.maximum(tf.cast(array, tf.int64), 0))
    if rank == 0 and not source._legacy:
        raise np.exceptions.AxisError(shapes.as_int(axis), 0)
    if rank == 0:
        raise IndexError("x must be an integer or at least 1-dimensional")
    axis_index = shapes.normalize_axis(axis, rank)
    return layout.take(array, draw_order(source, shapes.shape(array)[axis_index]), axis_index)


def shuffle(source: Any, x: Any, axis: Any) -> None:
    """Assign a shuffled value to a variable, or reorder a list."""
    if isinstance(x, tf.Variable):
        if x.shape.rank == 0:
            raise TypeError("len() of unsized object")
        array = read_variable(x)
        axis_index = shapes.normalize_axis(axis, shapes.rank(array))
        order = draw_order(source, shapes.shape(array)[axis_index])
        update(x, layout.take(array, order, axis_index))
        return
    if isinstance(x, tf.Tensor | np.ndarray):
        raise not_a_variable_error("x", x)
    if axis != 0:
        raise NotImplementedError("Axis argument is only supported on ndarray objects")
    count = len(x)
    if count < 2:
        return
    if not isinstance(x, MutableSequence):
        raise TypeError(f"{type(x).__name__!r} object does not support item assignment")
    if not tf.executing_eagerly():
        raise TypeError("shuffle: a list cannot be shuffled inside tf.function: pass a tf.Variable, or use permutation")
    x[:] = [x[index] for index in convert.to_numpy(draw_order(source, count))]


def permuted(source: Any, x: Any, axis: Any, out: Any) -> tf.Tensor:
    """Return an array in which each row along the axis has a random order of its own; without an axis, all elements."""
    target = outputs.as_variable(out)
    array = convert.to_tensor(x)
    if target is not None and not array.shape.is_compatible_with(target.shape):
        raise ValueError("out must have the same shape as x")
    if target is not None:
        array = tf.ensure_shape(array, target.shape)
        dtypes.check_cast(dtypes.as_numpy(array.dtype), dtypes.as_numpy(target.dtype), "safe", "array data")
    if array.shape.rank == 0 and axis is None:
        raise TypeError("len() of unsized object")
    if axis is None:
        size = shapes.size(array) if array.shape.rank is not None else tf.size(array)
        result = tf.reshape(layout.take(tf.reshape(array, (-1,)), draw_order(source, size), 0), tf.shape(array))
        result.set_shape(array.shape)
    elif array.shape.rank is None:
        result = _permute_rows_unknown_rank(source, array, shapes.as_int(axis))
    else:
        result = _permute_rows(source, array, shapes.normalize_axis(axis, shapes.rank(array)))
    return result if target is None else outputs.write_output(result, target)


def _permute_rows(source: Any, array: tf.Tensor, axis: int) -> tf.Tensor:
    last = shapes.rank(array) - 1
    rows_last = layout.move_axis(array, axis, last)
    shape = shapes.shape(rows_last)
    rows = layout.product(shape[:-1])
    if any(isinstance(dim, int) and dim == 0 for dim in shape):
        return array
    order = tf.reshape(draw_order(source, shape[-1], rows), shapes.shape_tensor(shape))
    return layout.move_axis(sort_keys.gather_rows(rows_last, order), last, axis)


def _permute_rows_unknown_rank(source: Any, array: tf.Tensor, axis: int) -> tf.Tensor:
    """Return an array of unknown rank with each row along an axis in a random order of its own."""
    axis_index, other_axes = _normalize_axis_unknown_rank(array, axis), tf.range(tf.rank(array) - 1)
    rows_last = tf.transpose(
        array, order := tf.concat([other_axes + tf.cast(other_axes >= axis_index, tf.int32), [axis_index]], 0)
    )
    rows = tf.reshape(rows_last, tf.stack([-1, tf.maximum(tf.shape(rows_last)[-1], 1)]))
    orders = draw_order(source, tf.shape(rows)[1], tf.shape(rows)[0])
    result = sort_keys.gather_rows(rows, tf.reshape(orders, tf.shape(rows)))
    return tf.transpose(tf.reshape(result, tf.shape(rows_last)), tf.math.invert_permutation(order))


def _normalize_axis_unknown_rank(array: tf.Tensor, axis: int) -> tf.Tensor:
    """Return a non-negative axis of an array of unknown rank; a wrong one fails when the graph runs."""
    rank = tf.rank(array)
    is_valid = tf.debugging.Assert((axis < rank) & (axis >= -rank), ["axis is out of bounds"])
    with tf.control_dependencies([is_valid]):
        return tf.math.floormod(axis, tf.maximum(rank, 1))


def choice(source: Any, a: Any, size: Any, replace: Any, p: Any, axis: Any) -> tf.Tensor:
    """Return random integers below `a`, or random elements of an array along the axis."""
    _check_choice(source, a, size, replace, p, axis)
    p = None if p is None else _make_vector(convert.to_tensor(p))
    value = to_static(a)
    is_integer = value is not UNKNOWN and np.ndim(value) == 0
    array = None if is_integer else convert.to_tensor(a)
    if array is not None and array.shape.rank is None:
        return _choose_unknown_rank(source, array, () if size is None else parameters.as_size(size), replace, p, axis)
    if array is not None and source._legacy and shapes.rank(array) != 1:
        raise ValueError("a must be 1-dimensional")
    if array is not None and shapes.rank(array) == 0:
        raise ValueError(
            "choice: a must be an array, or an integer that is static inside tf.function, not a 0-d tensor"
        )
    axis_index = 0 if array is None else shapes.normalize_axis(axis, shapes.rank(array))
    population: Dim = int(value) if array is None else shapes.shape(array)[axis_index]
    shape = () if size is None else parameters.as_size(size)
    if p is not None:
        _check_probabilities(population, p)
    indices = _draw_indices(source, population, shape, bool(replace), p)
    if array is None:
        return indices
    result = layout.take(array, tf.reshape(indices, (-1,)), axis_index)
    array_shape = shapes.shape(array)
    return shapes.reshape(result, (*array_shape[:axis_index], *shape, *array_shape[axis_index + 1 :]))


def _choose_unknown_rank(
    source: Any, array: tf.Tensor, shape: tuple[Dim, ...], replace: Any, p: Any, axis: int
) -> tf.Tensor:
    """Return random elements of an array of unknown rank along an axis. RandomState takes one dimension."""
    if source._legacy:
        array = _make_vector(array)
    axis_index = _normalize_axis_unknown_rank(array, operator.index(axis))
    indices = _draw_indices(source, tf.shape(array, tf.int64)[axis_index], shape, bool(replace), p)
    return tf.gather(array, shapes.reshape(indices, shape), axis=axis_index)


def _make_vector(tensor: tf.Tensor) -> tf.Tensor:
    """Return a tensor of unknown rank as one of one dimension, which is checked when the graph runs."""
    return tf.ensure_shape(tensor, [None]) if tensor.shape.rank is None else tensor


def _check_probabilities(population: Dim, p: tf.Tensor) -> None:
    if shapes.rank(p) != 1:
        raise ValueError("p must be 1-dimensional")
    if isinstance(population, int) and p.shape[0] not in (None, population):
        raise ValueError("a and p must have same size")


def _check_choice(source: Any, a: Any, size: Any, replace: Any, p: Any, axis: Any) -> None:
    """Raise NumPy's errors. NumPy chooses indices for this, not elements."""
    static_values = to_static(a), to_static(size), to_static(p)
    is_text = isinstance(size, str | bytes)  # NumPy multiplies it first
    if any(value is UNKNOWN for value in static_values):
        if is_text:
            np.prod(size, dtype=np.int64)
        return
    draws = None if replace and not is_text and np.all(static_values[1]) else static_values[1]
    options = {} if source._legacy else {"axis": axis}
    parameters.get_numpy_method("choice", legacy=source._legacy)(
        static_values[0], draws, replace, static_values[2], **options
    )
    if static_values[1] is not None:
        parameters.as_size(static_values[1])


def _draw_indices(source: Any, population: Dim, shape: tuple[Dim, ...], replace: bool, p: Any) -> tf.Tensor:
    count = layout.product(shape)
    if isinstance(population, int) and isinstance(count, int):
        _check_lengths(population, count, replace)
    if replace and p is None:
        if isinstance(population, int) and population == 0:
            return tf.zeros(shapes.shape_tensor(shape), tf.int64)
        if not isinstance(population, int):
            return bounds.draw_indices(source, population, shape)
        return bounds.draw_integers(source, 0, population, shape, np.int64)
    if p is None:
        order = draw_order(source, population)
        return shapes.reshape(order[: count if isinstance(count, int) else tf.cast(count, tf.int64)], shape)
    probabilities = convert.to_tensor(p, tf.float64)
    if replace:
        sums = tf.cumsum(probabilities)
        return sampling.draw(source, _invert_sums, shape, div(sums, sums[-1]), for_xla=is_for_xla())
    return sampling.draw(source, _sample_without_replacement, shape, probabilities)


def _check_lengths(population: int, count: int, replace: bool) -> None:
    """Raise NumPy's errors about lengths, which are static even where values are not."""
    if count and not population:
        raise ValueError("a cannot be empty unless no samples are taken")
    if count > population and not replace:
        raise ValueError("Cannot take a larger sample than population when replace is False")


@draws_arrays(in_parts=False)
def _invert_sums(stream: Stream, count: Dim, sums: tf.Tensor, *, for_xla: bool) -> tf.Tensor:
    """Return indices drawn by inversion of cumulative probabilities."""
    if isinstance(stream, HostStream):
        return np.searchsorted(sums, stream.doubles(count), "right").astype(np.int64)
    if for_xla:
        return _count_not_above(sums, stream.doubles(count))
    return tf.searchsorted(sums, stream.doubles(count), side="right", out_type=tf.int64)


def _count_not_above(sums: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Return how many of the ascending sums are not above each value, by bisection. XLA's kernel of TensorFlow's op
    compares all pairs, in memory for all of them.
    """
    count = tf.size(sums, tf.int64)

    def halve(low: tf.Tensor, high: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        middle = (low + high) // 2
        is_below = (low < high) & (tf.gather(sums, tf.minimum(middle, count - 1)) <= values)
        return tf.where(is_below, middle + 1, low), tf.where(is_below, high, middle)

    start = tf.zeros_like(values, tf.int64)
    return tf.while_loop(lambda low, high: tf.reduce_any(low < high), halve, (start, start + count))[0]


def _sample_without_replacement(stream: Stream, count: Dim, probabilities: tf.Tensor) -> tf.Tensor:
    """Return the indices of the smallest exponential waiting times with these rates, which have the distribution of
    successive draws without replacement.
    """
    waiting_times = div(transforms.inverse_exponentials(stream, shapes.shape(probabilities)[0]), probabilities)
    keys = tf.where(probabilities > 0.0, waiting_times, elementary.constant(math.inf))
    return sort_keys.stable_order((sort_keys.key(keys),))[: count if isinstance(count, int) else as_int64(count)]
