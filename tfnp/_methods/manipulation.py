"""Methods that give the same elements another shape, or another order of axes."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnp._core import layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._methods.inplace import change
from tfnp.routines.manipulation import shaping, transposition


def flatten(self: Any, /, order: Any = "C") -> tf.Tensor:
    return shaping.ravel(self, order)


def ravel(self: Any, /, order: Any = "C") -> tf.Tensor:
    return shaping.ravel(self, order)


def reshape(self: Any, /, *shape: Any, order: Any = "C", copy: Any = None) -> tf.Tensor:
    """The shape as one argument, or a side an argument."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    return shaping.reshape(self, shape[0] if len(shape) == 1 else shape, order, copy=copy)


@array_function(unknown_rank="each")
def resize(self: Any, /, *new_shape: Any, refcheck: Any = True) -> None:
    """A variable's; its shape must allow the new one, as `tf.Variable(x, shape=tf.TensorShape(None))` does. What there
    is more of is zero.
    """
    shape = shapes.as_shape(new_shape[0] if len(new_shape) == 1 else new_shape)
    flat, count = shaping.ravel(self), layout.product(shape)
    missing = tf.maximum(count - shapes.size(flat), 0)
    padded = tf.concat([flat[:count], tf.zeros((missing,), flat.dtype)], 0)
    change(self, "resize", lambda _: shapes.reshape(padded, shape))


def squeeze(self: Any, /, axis: Any = None) -> tf.Tensor:
    return shaping.squeeze(self, axis)


def swapaxes(self: Any, axis1: Any, axis2: Any, /) -> tf.Tensor:
    return transposition.swapaxes(self, axis1, axis2)


def transpose(self: Any, /, *axes: Any) -> tf.Tensor:
    """The axes as one argument, or an axis an argument; without any, or None, all are reversed."""
    if not axes:
        return transposition.transpose(self)
    return transposition.transpose(self, axes[0] if len(axes) == 1 else axes)


def transposed(self: Any) -> tf.Tensor:
    """`T`: the axes reversed."""
    return transposition.transpose(self)


def matrix_transposed(self: Any) -> tf.Tensor:
    """`mT`: the last two axes exchanged."""
    array = to_tensor(self)
    if array.shape.rank is not None and array.shape.rank < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return transposition.matrix_transpose(array)
