"""Functions of automatic domain."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import traced

UNARY = ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh")


@pytest.mark.full
def test_a_graph_takes_the_complex_function():
    for name in UNARY:
        result = traced(getattr(tfnp.emath, name), np.array([0.25, 0.5], np.float32), rank=False)
        assert result.dtype == tf.complex64
        np.testing.assert_allclose(result, getattr(np.emath, name)([0.25, 0.5]), rtol=1e-6)
        known = tf.function(lambda name=name: getattr(tfnp.emath, name)([0.25, 0.5]), autograph=False)()
        assert known.dtype == tf.float64
    for name in ("sqrt", "log", "log2", "log10"):
        assert traced(getattr(tfnp.emath, name), np.array([1, 4], np.uint16)).dtype == tf.float32
    assert traced(tfnp.emath.power, np.array([2]), np.array([3])).dtype == tf.complex128
    assert traced(tfnp.emath.power, np.array([2], np.uint8), np.array([3])).dtype == tf.float64
