"""A call compared with NumPy's, in every mode; and ways to make arrays for it."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import tensorflow as tf

from oracle import Case, check

DTYPES = [np.dtype(code) for code in "?bhiqBHIQefdFD"] + [np.dtype(ml_dtypes.bfloat16)]
EVERYWHERE = ("eager", "graph", "xla")


def agree(name: str, *args: Any, modes: tuple[str, ...] = EVERYWHERE, **kwargs: Any) -> None:
    """Raise where `tfnp` differs from NumPy."""
    check(Case(name, args, kwargs), modes)


def array(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    """Small numbers, zeros among them, that every dtype holds."""
    return (np.arange(np.prod(shape, dtype=int)) * 7 % 10).reshape(shape).astype(dtype)


def traced(function: Any, *arrays: np.ndarray, rank: bool = True) -> Any:
    """What the function gives in a graph that knows no side of its arguments, nor their rank unless asked to."""
    specs = [tf.TensorSpec([None] * np.ndim(value) if rank else None, value.dtype) for value in arrays]
    return tf.function(function, input_signature=specs, autograph=False)(*map(tf.constant, arrays))


def gradient(function: Any, *arrays: np.ndarray) -> list[np.ndarray]:
    """The gradients of the sum of squares of what the function gives."""
    tensors = [tf.constant(value) for value in arrays]
    with tf.GradientTape() as tape:
        tape.watch(tensors)
        result = tf.reduce_sum(function(*tensors) ** 2)
    return [tf.convert_to_tensor(value).numpy() for value in tape.gradient(result, tensors)]
