"""How often small natural numbers occur."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import gradient

X, WEIGHTS = np.array([3, 1, 0, 3]), np.array([0.5, 1.0, 2.0, -1.0])


def test_a_size_makes_counts_fit_for_xla():
    compiled = tf.function(lambda x, w: tfnp.bincount(x, w, size=3), jit_compile=True)
    assert compiled(X, WEIGHTS).numpy().tolist() == [2, 1, 0]
    assert tfnp.bincount(X, size=6).numpy().tolist() == [1, 1, 0, 2, 0, 0]
    assert tfnp.bincount([], size=2).numpy().tolist() == [0, 0]
    with pytest.raises(TypeError, match="pass size="):
        tf.function(tfnp.bincount, jit_compile=True)(tf.constant(X))


def test_long_vectors():
    x, weights = np.tile(X, 2000), np.tile(WEIGHTS, 2000)
    for arguments in ((x,), (x, weights), (x, None, 7), (x.astype(np.int8), x)):
        actual, expected = tfnp.bincount(*arguments), np.bincount(*arguments)
        np.testing.assert_array_equal(actual, expected)
        assert actual.dtype.as_numpy_dtype == expected.dtype
    slopes = gradient(lambda weights: tfnp.bincount(x, weights), weights)[0]
    np.testing.assert_array_equal(slopes, np.tile([-2000, 4000, 8000, -2000], 2000))
    with pytest.raises(ValueError, match="negative"):
        tfnp.bincount(-x)
