"""Parameters that NumPy refuses and that are unknown while tracing: what is drawn by them is marked."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp


@pytest.mark.slow
@pytest.mark.parametrize("jit_compile", [False, True], ids=["graph", "xla"])
def test_what_is_drawn_by_wrong_parameters_is_marked(jit_compile):
    source = tfnp.random.Generator(tfnp.random.PCG64(1))

    def draw(bounds, weights, degrees):
        return (
            source.integers(bounds[:, 0], bounds[:, 1]),
            source.negative_binomial(degrees, 1.0),
            source.dirichlet(weights[0]),
            source.dirichlet(weights[1]),
            source.noncentral_chisquare(degrees, 1.0),
            source.beta(2.0, degrees),
            source.triangular(0.0, 0.0, degrees),
        )

    bounds, weights = (
        tf.constant([[3, 3], [7, 2], [0, 5]], tf.int64),
        tf.constant([[-1.0, 2.0], [1.0, 2.0]], tf.float64),
    )
    results = tf.function(draw, jit_compile=jit_compile)(bounds, weights, tf.constant([0.0, 1.0], tf.float64))
    integers, failures, lost, shares, *marked = (result.numpy() for result in results)
    assert integers[:2].tolist() == [3, 7]
    assert 0 <= integers[2] < 5
    assert failures.tolist() == [np.iinfo(np.int64).min, 0]
    assert np.isnan(lost).all()
    np.testing.assert_allclose(shares.sum(), 1)
    for numbers in marked:
        assert np.isnan(numbers).tolist() == [True, False]
