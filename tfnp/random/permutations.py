"""What is shuffled, and what is chosen: arrays put in an order that was drawn, or parts of them."""

from __future__ import annotations

import math
from collections.abc import MutableSequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.errors import not_a_variable_error
from tfnp._core.shapes import Dim
from tfnp._core.variables import read_variable, update
from tfnp._kernels.sort import sort_keys
from tfnp.random import bounds, elementary, parameters, sampling, shuffling, transforms
from tfnp.random.elementary import div
from tfnp.random.parameters import UNKNOWN, to_static
from tfnp.random.streams import Stream
from tfnp.random.uint128 import as_int64


def draw_order(source: Any, length: Dim, rows: Dim = 1) -> tf.Tensor:
    """So many orders of so many elements, as one row of indices."""
    if isinstance(length, int) and length == 0:
        return tf.zeros([0], tf.int64)
    return sampling.draw_flat(source, shuffling.draw_orders, rows * length, as_int64(length))


def permutation(source: Any, x: Any, axis: Any) -> tf.Tensor:
    """Of an integer, the order itself; of an array, the array in that order along the axis."""
    value = to_static(x)
    if value is not UNKNOWN and np.ndim(value) == 0 and np.asarray(value).dtype.kind in "iub":
        count = int(value)
        if count < 0 and source._legacy:
            raise ValueError("negative dimensions are not allowed")
        return draw_order(source, max(count, 0))
    array = convert.to_tensor(x)
    if array.shape.rank is None:
        late = _normalize_axis_unknown_rank(array, shapes.as_int(axis))
        return tf.gather(array, draw_order(source, tf.shape(array)[late]), axis=late)
    rank = shapes.rank(array)
    if rank == 0 and not source._legacy:
        raise np.exceptions.AxisError(shapes.as_int(axis), 0)
    if rank == 0:
        raise IndexError("x must be an integer or at least 1-dimensional")
    number = shapes.normalize_axis(axis, rank)
    return layout.take(array, draw_order(source, shapes.shape(array)[number]), number)


def shuffle(source: Any, x: Any, axis: Any) -> None:
    """A variable is assigned to; a list is reordered, for which the order must be known."""
    if isinstance(x, tf.Variable):
        if x.shape.rank == 0:
            raise TypeError("len() of unsized object")
        array = read_variable(x)
        number = shapes.normalize_axis(axis, shapes.rank(array))
        order = draw_order(source, shapes.shape(array)[number])
        update(x, layout.take(array, order, number))
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
        raise TypeError("a list cannot be shuffled while tracing: the order is known only when the graph runs")
    x[:] = [x[index] for index in convert.to_numpy(draw_order(source, count))]


def permuted(source: Any, x: Any, axis: Any, out: Any) -> tf.Tensor:
    """Every row along the axis in an order of its own; without one, all elements."""
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
        found = tf.reshape(layout.take(tf.reshape(array, (-1,)), draw_order(source, size), 0), tf.shape(array))
        found.set_shape(array.shape)
    elif array.shape.rank is None:
        found = _permute_rows_unknown_rank(source, array, shapes.as_int(axis))
    else:
        found = _permute_rows(source, array, shapes.normalize_axis(axis, shapes.rank(array)))
    return found if target is None else outputs.write_output(found, target)


def _permute_rows(source: Any, array: tf.Tensor, axis: int) -> tf.Tensor:
    last = shapes.rank(array) - 1
    moved = layout.move_axis(array, axis, last)
    shape = shapes.shape(moved)
    rows = layout.product(shape[:-1])
    if any(isinstance(dim, int) and dim == 0 for dim in shape):
        return array
    order = tf.reshape(draw_order(source, shape[-1], rows), shapes.shape_tensor(shape))
    return layout.move_axis(sort_keys.gather_rows(moved, order), last, axis)


def _permute_rows_unknown_rank(source: Any, array: tf.Tensor, axis: int) -> tf.Tensor:
    """The same of an array whose rank is known when a graph runs."""
    number, others = _normalize_axis_unknown_rank(array, axis), tf.range(tf.rank(array) - 1)
    moved = tf.transpose(array, order := tf.concat([others + tf.cast(others >= number, tf.int32), [number]], 0))
    rows = tf.reshape(moved, tf.stack([-1, tf.maximum(tf.shape(moved)[-1], 1)]))
    drawn = draw_order(source, tf.shape(rows)[1], tf.shape(rows)[0])
    found = sort_keys.gather_rows(rows, tf.reshape(drawn, tf.shape(rows)))
    return tf.transpose(tf.reshape(found, tf.shape(moved)), tf.math.invert_permutation(order))


def _normalize_axis_unknown_rank(array: tf.Tensor, axis: int) -> tf.Tensor:
    """From the front, of an array whose rank is known when a graph runs."""
    rank = tf.rank(array)
    is_valid = tf.debugging.Assert((axis < rank) & (axis >= -rank), ["axis is out of bounds"])
    with tf.control_dependencies([is_valid]):
        return tf.math.floormod(axis, tf.maximum(rank, 1))


def choice(source: Any, a: Any, size: Any, replace: Any, p: Any, axis: Any) -> tf.Tensor:
    """Of an integer, numbers below it; of an array, parts along the axis."""
    _check_choice(source, a, size, replace, p, axis)
    value = to_static(a)
    is_number = value is not UNKNOWN and np.ndim(value) == 0
    array = None if is_number else convert.to_tensor(a)
    if array is not None and source._legacy and shapes.rank(array) != 1:
        raise ValueError("a must be 1-dimensional")
    if array is not None and shapes.rank(array) == 0:
        raise ValueError("a must be a sequence, or an integer that is known when the function is traced")
    number = 0 if array is None else shapes.normalize_axis(axis, shapes.rank(array))
    population: Dim = int(value) if array is None else shapes.shape(array)[number]
    shape = () if size is None else parameters.as_size(size)
    if p is not None:
        _check_probabilities(population, convert.to_tensor(p))
    indices = _draw_indices(source, population, shape, bool(replace), p)
    if array is None:
        return indices
    found = layout.take(array, tf.reshape(indices, (-1,)), number)
    every = shapes.shape(array)
    return shapes.reshape(found, (*every[:number], *shape, *every[number + 1 :]))


def _check_probabilities(population: Dim, p: tf.Tensor) -> None:
    if shapes.rank(p) != 1:
        raise ValueError("p must be 1-dimensional")
    if isinstance(population, int) and p.shape[0] not in (None, population):
        raise ValueError("a and p must have same size")


def _check_choice(source: Any, a: Any, size: Any, replace: Any, p: Any, axis: Any) -> None:
    """NumPy's errors. What it would draw it draws once, of places, not of the array."""
    values = to_static(a), to_static(size), to_static(p)
    is_text = isinstance(size, str | bytes)  # which NumPy multiplies before it looks whether it is a shape
    if any(value is UNKNOWN for value in values):
        if is_text:
            np.prod(size, dtype=np.int64)
        return
    few = None if replace and not is_text and np.all(values[1]) else values[1]
    options = {} if source._legacy else {"axis": axis}
    parameters.get_numpy_method("choice", legacy=source._legacy)(values[0], few, replace, values[2], **options)
    if values[1] is not None:
        parameters.as_size(values[1])


def _draw_indices(source: Any, population: Dim, shape: tuple[Dim, ...], replace: bool, p: Any) -> tf.Tensor:
    count = layout.product(shape)
    if isinstance(population, int) and isinstance(count, int):
        _check_lengths(population, count, replace)
    if replace and p is None:
        if isinstance(population, int) and population == 0:
            return tf.zeros(shapes.shape_tensor(shape), tf.int64)
        return bounds.draw_integers(source, 0, population, shape, np.int64)
    if p is None:
        order = draw_order(source, population)
        return shapes.reshape(order[: count if isinstance(count, int) else tf.cast(count, tf.int64)], shape)
    chances = convert.to_tensor(p, tf.float64)
    if replace:
        return sampling.draw(source, _sample_by_probability, shape, chances)
    return sampling.draw(source, _sample_without_replacement, shape, chances)


def _check_lengths(population: int, count: int, replace: bool) -> None:
    """What NumPy asks of lengths, which are known where values are not."""
    if count and not population:
        raise ValueError("a cannot be empty unless no samples are taken")
    if count > population and not replace:
        raise ValueError("Cannot take a larger sample than population when replace is False")


def _sample_by_probability(stream: Stream, count: Dim, chances: tf.Tensor) -> tf.Tensor:
    """Where uniform numbers fall among the sums of the chances."""
    sums = tf.cumsum(chances)
    sums = div(sums, sums[-1])
    return tf.searchsorted(sums, stream.doubles(count), side="right", out_type=tf.int64)


def _sample_without_replacement(stream: Stream, count: Dim, chances: tf.Tensor) -> tf.Tensor:
    """The first to ring of alarms as likely as the chances, which is as good as drawing one after another."""
    waiting = div(transforms.inverse_exponentials(stream, shapes.shape(chances)[0]), chances)
    keys = tf.where(chances > 0.0, waiting, elementary.constant(math.inf))
    return sort_keys.stable_order((sort_keys.key(keys),))[: count if isinstance(count, int) else as_int64(count)]
