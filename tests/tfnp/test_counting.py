"""How often small natural numbers occur."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

X, WEIGHTS = np.array([3, 1, 0, 3]), np.array([0.5, 1.0, 2.0, -1.0])
DYNAMIC = ("eager", "graph")


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind != "V"], ids=str)
def test_every_dtype(dtype):
    agree("bincount", array(5, dtype=dtype), modes=("eager",))
    agree("bincount", X, array(4, dtype=dtype), modes=("eager",))


@pytest.mark.parametrize("x", [X, X * 0, array(0, dtype=int), [], [1, -1], np.zeros((1, 1), int), 3, [2, 2]])
def test_shapes(x):
    agree("bincount", x, modes=DYNAMIC)


@pytest.mark.parametrize("minlength", [0, 2, 7, -1, 1.5, None, np.int32(6)])
def test_lengths(minlength):
    agree("bincount", X, minlength=minlength, modes=DYNAMIC)


@pytest.mark.parametrize("weights", [WEIGHTS, [1, 2, 3, 4], WEIGHTS * 1j, WEIGHTS[:3], WEIGHTS[None], 2.0])
def test_weights(weights):
    agree("bincount", X, weights, modes=DYNAMIC)


def test_a_size_makes_counts_fit_for_xla():
    compiled = tf.function(lambda x, w: tfnp.bincount(x, w, size=3), jit_compile=True)
    assert compiled(X, WEIGHTS).numpy().tolist() == [2, 1, 0]
    assert tfnp.bincount(X, size=6).numpy().tolist() == [1, 1, 0, 2, 0, 0]
    assert tfnp.bincount([], size=2).numpy().tolist() == [0, 0]
    with pytest.raises(TypeError, match="pass size="):
        tf.function(tfnp.bincount, jit_compile=True)(tf.constant(X))


def test_the_gradient_of_weights():
    assert gradient(lambda weights: tfnp.bincount(X, weights), WEIGHTS)[0].tolist() == [-1, 2, 4, -1]


def test_unknown_dims():
    assert traced(tfnp.bincount, X).numpy().tolist() == [1, 1, 0, 2]
    assert traced(lambda x: tfnp.bincount(x, minlength=3), X[:0]).numpy().tolist() == [0, 0, 0]


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
