"""User functions applied to parts of an array: they take and return tensors.

Eagerly a function is called once for each part. In a graph it is traced twice, once to learn the shapes and dtypes of
its results, and runs in a loop of the graph; AutoGraph converts it if it converts the caller.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.autograph import convert_user_function, leave_unconverted
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike
from tfnp.routines.manipulation.shaping import expand_dims

__all__ = ["apply_along_axis", "apply_over_axes"]

Tensors = tuple[tf.Tensor, ...]


@array_function(unknown_rank="each")
def apply_along_axis(func1d: Callable[..., Any], axis: IntLike, arr: ArrayLike, *args: Any, **kwargs: Any) -> tf.Tensor:
    """`func1d` is called with 1-D tensors, once for each; in a graph it is traced, and runs in a loop.

    All results are cast and broadcast to the dtype and shape of the first. In a graph that shape must be static.
    """
    arr = to_tensor(arr)
    rank = shapes.rank(arr)
    axis = shapes.normalize_axis(axis, rank)
    rows = layout.move_axis(arr, axis, rank - 1)
    shape = shapes.shape(rows)
    if any(isinstance(dim, int) and dim == 0 for dim in shape[:-1]):
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    rows = shapes.reshape(rows, (layout.product(shape[:-1]), shape[-1]))
    func1d = convert_user_function(func1d)
    results = call_for_each(lambda row: (to_tensor(func1d(row, *args, **kwargs)),), (rows,))[0]
    inner = shapes.shape(results)[1:]
    results = shapes.reshape(results, (*shape[:-1], *inner))
    outer_axes, inner_axes = list(range(rank - 1)), list(range(rank - 1, rank - 1 + len(inner)))
    return layout.transpose(results, (*outer_axes[:axis], *inner_axes, *outer_axes[axis:]))


def call_for_each(function: Callable[..., Tensors], columns: Tensors) -> Tensors:
    """Return the stacked results of the function for each element along the first axis, which must not be empty."""
    if tf.executing_eagerly():
        rows = zip(*(tf.unstack(column) for column in columns), strict=True)
        results = [function(*row) for row in rows]
        outputs = zip(*results, strict=True)
        return tuple(tf.stack([_cast_like_first(value, values[0]) for value in values]) for values in outputs)
    first = function(*(column[0] for column in columns))

    def call(row: Tensors) -> Tensors:
        return tuple(_cast_like_first(value, like) for value, like in zip(function(*row), first, strict=True))

    leave_unconverted([call])
    return tf.map_fn(call, columns, fn_output_signature=tuple(value.dtype for value in first))


def _cast_like_first(value: tf.Tensor, first: tf.Tensor) -> tf.Tensor:
    """Cast and broadcast a result to the dtype and shape of the first, as NumPy does."""
    value = convert.cast(value, first.dtype)
    if value.shape.is_fully_defined() and first.shape.is_fully_defined():
        return shapes.broadcast_to(shapes.drop_leading_ones(value, shapes.rank(first)), shapes.shape(first))
    return value


@array_function(unknown_rank="each")
def apply_over_axes(func: Callable[..., Any], a: ArrayLike, axes: AxisLike) -> tf.Tensor:
    """`func` is called with a tensor and an axis, a Python int. `axes` must be static."""
    value = to_tensor(a)
    rank = shapes.rank(value)
    static = convert.static_value(axes)
    for axis in static if np.ndim(static) else (static,):
        index = rank + axis if axis < 0 else axis
        result = to_tensor(func(value, index))
        if shapes.rank(result) != shapes.rank(value):
            result = expand_dims(result, index)
        if shapes.rank(result) != shapes.rank(value):
            raise ValueError("function is not returning an array of the correct shape")
        value = result
    return value
