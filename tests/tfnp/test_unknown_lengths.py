"""Functions whose length is a tensor that a graph does not know."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tables import check_each

OF_LENGTH = {
    "linspace": lambda m, n: m.linspace(0.5, 3, n),
    "linspace of an open interval": lambda m, n: m.linspace(0, 3, n, endpoint=False),
    "linspace of integers": lambda m, n: m.linspace(0, 7, n, dtype=np.int32),
    "linspace between arrays": lambda m, n: m.linspace(np.array([0.0, 1.0]), np.array([1.0, 5.0]), n, axis=-1),
    "linspace with the step": lambda m, n: m.linspace(0.5, 3, n, retstep=True),
    "logspace": lambda m, n: m.logspace(0, 2, n),
    "bartlett": lambda m, n: m.bartlett(n),
    "blackman": lambda m, n: m.blackman(n),
    "hamming": lambda m, n: m.hamming(n),
    "hanning": lambda m, n: m.hanning(n),
    "kaiser": lambda m, n: m.kaiser(n, 8.6),
    "mgrid": lambda m, n: m.mgrid[0:n, 1:3],
    "mgrid of one axis": lambda m, n: m.mgrid[0:n],
    "mgrid with a step": lambda m, n: m.mgrid[0:n:0.5, 0:1:3j],
    "ogrid": lambda m, n: m.ogrid[0:n, 0:n],
    "r_": lambda m, n: m.r_[0:n, 7],
    "tril_indices": lambda m, n: m.tril_indices(n),
    "tril_indices of a rectangle": lambda m, n: m.tril_indices(n, -1, 3),
    "triu_indices": lambda m, n: m.triu_indices(n),
    "triu_indices of a rectangle": lambda m, n: m.triu_indices(3, 1, n),
    "diag_indices": lambda m, n: m.diag_indices(n, 3),
    "unravel_index": lambda m, n: m.unravel_index([0, 3], (2, n + 2)),
    "unravel_index by columns": lambda m, n: m.unravel_index(3, (n + 2, 2), "F"),
}


def trace(call):
    """Return a function of the length, of which the graph knows only the dtype."""

    @tf.function(input_signature=[tf.TensorSpec([], tf.int64)], autograph=False)
    def traced(length):
        with tfnp.numpy_behavior():
            return call(tfnp, length)

    return traced


def test_a_length_may_be_unknown_while_tracing():
    def check(name):
        traced = trace(OF_LENGTH[name])
        for n in (0, 1, 5):
            actual, expected = traced(n), OF_LENGTH[name](np, n)
            are_several = isinstance(expected, tuple)
            for one, other in zip(actual, expected, strict=True) if are_several else [(actual, expected)]:
                assert one.dtype == np.asarray(other).dtype
                np.testing.assert_allclose(one.numpy(), other, rtol=1e-14, atol=1e-15)

    check_each(OF_LENGTH, check)


def test_a_negative_length_fails_when_the_graph_runs():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Number of samples must be non-negative"):
        trace(OF_LENGTH["linspace"])(-1)


def test_an_index_out_of_unknown_bounds_fails_when_the_graph_runs():
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of bounds"):
        trace(lambda m, n: m.unravel_index(9, (n, 2)))(3)


def test_a_permutation_of_unknown_length_is_that_of_a_static_one():
    actual = trace(lambda m, n: m.random.default_rng(3).permutation(n))(4)
    np.testing.assert_array_equal(actual, tfnp.random.default_rng(3).permutation(4))


def test_gradients_flow_to_the_ends_of_an_unknown_number_of_points():
    def call(m, n):
        start = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(start)
            y = tf.reduce_sum(m.linspace(start, 3.0, n))
        return tape.gradient(y, start)

    assert trace(call)(5) == 2.5
