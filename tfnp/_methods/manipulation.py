"""Methods that change the shape or the order of axes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnp._core import layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import AxisLike, IntLike, ShapeLike
from tfnp._methods.inplace import update_inplace
from tfnp.routines.manipulation import shaping, transposition


def flatten(self: Any, /, order: str = "C") -> tf.Tensor:
    return shaping.ravel(self, order)


def ravel(self: Any, /, order: str = "C") -> tf.Tensor:
    return shaping.ravel(self, order)


def reshape(self: Any, /, *shape: ShapeLike, order: str = "C", copy: bool | None = None) -> tf.Tensor:
    """Return the array in another shape, which is one argument or one argument per dimension."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    return shaping.reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)


@array_function(unknown_rank="each")
def resize(self: Any, /, *new_shape: ShapeLike, refcheck: bool = True) -> None:
    """Resize a variable in place; new elements are zero.

    The variable must accept the new shape, as `tf.Variable(x, shape=tf.TensorShape(None))` does.
    """
    shape = shapes.as_shape(new_shape[0] if len(new_shape) == 1 else new_shape)
    flat, count = shaping.ravel(self), layout.product(shape)
    padding = tf.maximum(count - shapes.size(flat), 0)
    padded = tf.concat([flat[:count], tf.zeros((padding,), flat.dtype)], 0)
    update_inplace(self, "resize", lambda _: shapes.reshape(padded, shape))


def squeeze(self: Any, /, axis: AxisLike = None) -> tf.Tensor:
    return shaping.squeeze(self, axis)


def swapaxes(self: Any, axis1: IntLike, axis2: IntLike, /) -> tf.Tensor:
    return transposition.swapaxes(self, axis1, axis2)


def transpose(self: Any, /, *axes: AxisLike) -> tf.Tensor:
    """Return the array with its axes permuted. They are one argument or one argument per axis; None reverses them."""
    if not axes:
        return transposition.transpose(self)
    return transposition.transpose(self, axes[0] if len(axes) == 1 else axes)


def reverse_axes(self: Any) -> tf.Tensor:
    """Implement `T`: return the array with its axes reversed."""
    return transposition.transpose(self)


def matrix_transpose(self: Any) -> tf.Tensor:
    """Implement `mT`: return the array with its last two axes exchanged."""
    array = to_tensor(self)
    if array.shape.rank is not None and array.shape.rank < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return transposition.matrix_transpose(array)
