"""A program for NumPy that type checkers accept with tfnp.numpy, and the types that they see in it."""

from typing import Any, assert_type

import numpy
import tensorflow as tf

import tfnp.numpy as np
from tfnp.numpy.typing import ArrayLike, NDArray


def normalize(x: np.ndarray, axis: int = 0) -> np.ndarray:
    x -= np.mean(x, axis=axis, keepdims=True)
    x[x > 3.0] = 3.0
    return x / np.std(x, axis=axis, keepdims=True)


def scale(x: NDArray[np.float64], by: ArrayLike = 2.0) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.multiply(x, by)


x = np.zeros((3, 4), dtype="float32")
assert_type(x, np.ndarray)
assert_type(np.sin(x), np.ndarray)
assert_type(np.divmod(x, 2), tuple[np.ndarray, np.ndarray])
assert_type(x.reshape(2, 6).T, np.ndarray)
assert_type(-x + 1, np.ndarray)
assert_type(1 - x @ x.T, np.ndarray)
assert_type(np.linalg.inv(x), np.ndarray)
assert_type(np.fft.rfft(x, axis=0), np.ndarray)
assert_type(np.concatenate([x, x]), np.ndarray)
assert_type(np.asarray(numpy.ones(3)), np.ndarray)
root: float = np.sqrt(2.0)
smallest: float = np.min(x)
total: float = x.sum()
index: int = int(np.argmax(x))
name: str = np.strings.upper("a")
np.add(x, 1, out=x)
np.add.at(x, [0, 1], 1.0)
x[0, 1:] = x[1, :-1] ** 2
normalize(np.random.default_rng(1).normal(size=(3, 4)))
scale(x, by=[1.0, 2.0, 3.0, 4.0])
tf.reduce_sum(x)
numpy.sum(numpy.asarray(x))
for row in np.arange(6).reshape(2, 3):
    print(row.max(), np.pi, np.float32(row[0]), np.newaxis, np.char.upper(["a"]))
with np.errstate(divide="ignore"), np.calculate_with("tensorflow"):
    print(np.jit(normalize)(x), np.poly1d([1, 2])(x), np.allclose(x, 0))
