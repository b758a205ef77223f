"""Functions of the user's, applied to parts of arrays: they take tensors and give them.

Eagerly a function is called once for each part, as in NumPy. In a graph it is traced twice, once to learn what it
gives, and runs in a loop of the graph; AutoGraph converts it if it converts what calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.routines.manipulation.shaping import expand_dims

__all__ = ["apply_along_axis", "apply_over_axes"]

Tensors = tuple[tf.Tensor, ...]


@array_function(unknown_rank="each")
def apply_along_axis(func1d: Callable[..., Any], axis: Any, arr: Any, *args: Any, **kwargs: Any) -> tf.Tensor:
    """All results take the dtype and the shape of the first. In a graph the dimensions of that must be known."""
    arr = to_tensor(arr)
    rank = shapes.rank(arr)
    number = shapes.normalize_axis(axis, rank)
    rows = layout.move_axis(arr, number, rank - 1)
    shape = shapes.shape(rows)
    if any(isinstance(dim, int) and dim == 0 for dim in shape[:-1]):
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    rows = shapes.reshape(rows, (layout.product(shape[:-1]), shape[-1]))
    found = call_for_each(lambda row: (to_tensor(func1d(row, *args, **kwargs)),), (rows,))[0]
    inner = shapes.shape(found)[1:]
    found = shapes.reshape(found, (*shape[:-1], *inner))
    before, width = list(range(rank - 1)), list(range(rank - 1, rank - 1 + len(inner)))
    return layout.transpose(found, (*before[:number], *width, *before[number:]))


def call_for_each(function: Callable[..., Tensors], columns: Tensors) -> Tensors:
    """The results of the function for each element along the first axis, of which there must be one; stacked."""
    if tf.executing_eagerly():
        rows = zip(*(tf.unstack(column) for column in columns), strict=True)
        results = [function(*row) for row in rows]
        return tuple(tf.stack([_alike(one, many[0]) for one in many]) for many in zip(*results, strict=True))
    converted = tf.__internal__.autograph.tf_convert(function, tf.__internal__.autograph.control_status_ctx())
    first = converted(*(column[0] for column in columns))

    def call(row: Tensors) -> Tensors:
        return tuple(_alike(one, other) for one, other in zip(converted(*row), first, strict=True))

    return tf.map_fn(call, columns, fn_output_signature=tuple(one.dtype for one in first))


def _alike(value: tf.Tensor, first: tf.Tensor) -> tf.Tensor:
    """A result as it is assigned to a part of an array that was made for the first."""
    value = convert.cast(value, first.dtype)
    if value.shape.is_fully_defined() and first.shape.is_fully_defined():
        while shapes.rank(value) > shapes.rank(first) and value.shape[0] == 1:
            value = tf.squeeze(value, [0])
        return shapes.broadcast_to(value, shapes.shape(first))
    return value


@array_function(unknown_rank="each")
def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> tf.Tensor:
    """The function is called with a tensor and an axis, a Python int."""
    value = to_tensor(a)
    rank = shapes.rank(value)
    static = convert.static_value(axes)
    for axis in static if np.ndim(static) else (static,):
        number = rank + axis if axis < 0 else axis
        found = to_tensor(func(value, number))
        if shapes.rank(found) != shapes.rank(value):
            found = expand_dims(found, number)
        if shapes.rank(found) != shapes.rank(value):
            raise ValueError("function is not returning an array of the correct shape")
        value = found
    return value
