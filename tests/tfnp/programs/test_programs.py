"""Whole programs give with tfnp what they give with NumPy: integers, truths and texts exactly, floats closely."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

import tfnp
from tests.tfnp.programs import exercises


def test_exercises_are_the_same():
    same(exercises.main(np), exercises.main(tfnp), "exercises")


def same(expected: Any, found: Any, where: str) -> None:
    """Compare two results and all that is inside them."""
    if isinstance(expected, dict):
        assert expected.keys() == found.keys(), where
        for key, value in expected.items():
            same(value, found[key], f"{where}[{key!r}]")
    elif isinstance(expected, list | tuple):
        assert type(found) is type(expected), where
        assert len(found) == len(expected), where
        for number, value in enumerate(expected):
            same(value, found[number], f"{where}[{number}]")
    elif isinstance(expected, np.ndarray | np.generic):
        array = np.asarray(found.numpy() if isinstance(found, tf.Tensor) else found)
        assert (array.dtype, array.shape) == (expected.dtype, expected.shape), where
        is_exact = expected.dtype.kind in "biu"
        np.testing.assert_allclose(array, expected, rtol=0 if is_exact else 1e-9, atol=0 if is_exact else 1e-9)
    else:
        assert type(found) is type(expected) or isinstance(found, tf.Tensor), where
        assert found == expected, where
