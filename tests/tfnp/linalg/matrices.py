"""Matrices to ask about, well apart from singular ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tests.tfnp.agreement import take_gradient

DOUBLES = [np.float64, np.complex128]
TAKEN = [np.dtype(code) for code in "?bhiqBHIQfdFD"]
LOST = (tf.errors.InvalidArgumentError, np.linalg.LinAlgError)
MODES: list[Callable[[Any], Any]] = [
    lambda function: function,
    lambda function: tf.function(function, autograph=False),
    lambda function: tf.function(function, autograph=False, jit_compile=True),
]


def random(*shape: int, dtype: Any = np.float64, seed: int = 0) -> np.ndarray:
    """Normal numbers, of both parts if complex."""
    numbers = np.random.default_rng(seed)
    found = numbers.normal(size=shape)
    return (found + 1j * numbers.normal(size=shape) if np.dtype(dtype).kind == "c" else found).astype(dtype)


def small(*shape: int, dtype: Any = np.float64) -> np.ndarray:
    """Whole numbers, with a heavy diagonal."""
    found = (np.arange(np.prod(shape, dtype=int)) * 7 % 5).reshape(shape)
    return (found + 9 * np.eye(*shape[-2:], dtype=int)).astype(dtype)


def definite(side: int, dtype: Any = np.float64) -> np.ndarray:
    half = random(side, side, dtype=dtype)
    return half @ half.conj().T + np.eye(side, dtype=dtype)


def slope_is_right(function: Callable[[tf.Tensor], tf.Tensor], at: np.ndarray, wrap: Any = MODES[0]) -> bool:
    """Whether a tape agrees with differences along one direction, for a function that gives a number."""

    def slope(x: tf.Tensor) -> tf.Tensor:
        return take_gradient(function, x)

    way, step = random(*at.shape, dtype=at.dtype, seed=1), 1e-6
    found = np.real(np.vdot(wrap(slope)(tf.constant(at)).numpy(), way))
    ends = [float(function(tf.constant(at + sign * step * way))) for sign in (1, -1)]
    return bool(np.isclose(found, (ends[0] - ends[1]) / (2 * step), rtol=1e-5, atol=1e-6))
