"""A call compared with NumPy's, in every mode; and ways to make arrays for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

from oracle import Case, Subject, check
from tests import tiers
from tfnp._core import xla

DTYPES = [np.dtype(code) for code in "?bhiqBHIQefdFD"] + [np.dtype(ml_dtypes.bfloat16)]
EVERYWHERE = ("eager", "graph", "xla")
SUBJECT = Subject("tfnp", exact_errors=True)


def agree(name: str, *args: Any, modes: tuple[str, ...] | None = None, **kwargs: Any) -> None:
    """Raise where `tfnp` differs from NumPy in eager mode, in a graph, or under XLA.

    Unless modes are given, XLA is left to the full tier where `tfnp` makes the same ops for it as for a graph: where
    nothing asks `is_for_xla` while the graph is traced.
    """
    case = Case(name, args, kwargs)
    if modes is not None or tiers.is_full:
        check(case, modes or EVERYWHERE, SUBJECT)
        return
    with count_questions() as questions:
        check(case, EVERYWHERE[:2], SUBJECT)
    if questions:
        check(case, ("xla",), SUBJECT)


@contextmanager
def count_questions() -> Iterator[list[bool]]:
    """Yield a list that gets an item whenever `tfnp` asks, while tracing, whether it is for XLA."""
    questions: list[bool] = []

    def executing_eagerly() -> bool:
        if tf.executing_eagerly():
            return True
        questions.append(True)
        return False

    module = SimpleNamespace(executing_eagerly=executing_eagerly, compat=tf.compat)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "tf", module)
        yield questions


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


def take_gradient(function: Any, x: Any, upstream: Any = None) -> Any:
    """Return the gradient of what the function returns, by one tensor or a list of them."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = function(*x) if isinstance(x, list) else function(x)
    return tape.gradient(result, x, upstream)
