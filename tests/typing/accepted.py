"""A user's program that type checkers accept, and the types that they see in it."""

from typing import Any, assert_type

import numpy as np
import tensorflow as tf

import tfnp
from tfnp.exceptions import AxisError
from tfnp.typing import ArrayLike, NDArray, Tensor


def normalize(x: ArrayLike, axis: int = 0) -> Tensor:
    mean = tfnp.mean(x, axis=axis, keepdims=True)
    return tfnp.subtract(x, mean) / tfnp.std(x, axis=axis, keepdims=True)


def sum_columns(a: tfnp.ndarray) -> tfnp.ndarray:
    return tfnp.add(a, 1).sum(axis=0).T


x = tfnp.zeros((3, 4), dtype="float32")
assert_type(x, tfnp.ndarray)
assert_type(tfnp.sin(x), tfnp.ndarray)
assert_type(tfnp.divmod(x, 2), tuple[tfnp.ndarray, tfnp.ndarray])
assert_type(tfnp.sum(x, axis=(0, 1)), tfnp.ndarray)
assert_type(tfnp.linalg.inv(x), tfnp.ndarray)
assert_type(tfnp.random.default_rng(1).normal(size=3), tfnp.ndarray)
assert_type(x[0], tfnp.ndarray)
assert_type(-x + 1, tfnp.ndarray)
assert_type(x.reshape(2, 6).argmax(), tfnp.ndarray)
assert_type(tfnp.add.reduce(x), tfnp.ndarray)
assert_type(tfnp.clip(x, None, 3.0), tfnp.ndarray)
assert_type(tfnp.array([1.0], copy=None), tfnp.ndarray)
assert_type(tfnp.cumsum(x, axis=None), tfnp.ndarray)
assert_type(tfnp.random.default_rng(1).gamma([1.0, 2.0]), tfnp.ndarray)
normalize([[1.0, 2.0]])
normalize(np.ones(3))
normalize(tf.ones(3))
normalize(tf.Variable(tf.ones(3)))
normalize(x)
sum_columns(x)


def scaled(x: NDArray[np.float64], by: NDArray[Any] | None = None) -> NDArray[np.floating[Any]]:
    """Annotations of programs for NumPy."""
    return x if by is None else tfnp.multiply(x, by)


try:
    scaled(tfnp.ones(3), by=tfnp.ones(3)).mean()
except AxisError:
    print(tfnp.ones((2, 3)).strides, tfnp.lib.scimath.sqrt(-1), tfnp.version.version)
