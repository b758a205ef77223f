"""Parameters that NumPy refuses and that are unknown while tracing: what is drawn by them is marked."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp


@pytest.mark.full
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
            source.wald(degrees, 0.5),
            source.wald(0.5, degrees),
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


@pytest.mark.full
@pytest.mark.parametrize("jit_compile", [False, True], ids=["graph", "xla"])
@pytest.mark.parametrize("pvals", [[0.5, 0.5, 0.0], [-0.5, 0.5, 1.0], [0.9, 0.9, 0.2], [np.nan, 0.5, 0.5]])
def test_counts_of_wrong_categories_are_marked(pvals, jit_compile):
    @tf.function(jit_compile=jit_compile)
    def draw(n, pvals):
        return tfnp.random.default_rng(1).multinomial(n, pvals)

    right, wrong = draw(tf.constant([3, -1]), tf.constant(pvals, tf.float64)).numpy().tolist()
    assert wrong == [np.iinfo(np.int64).min] * 3
    assert sum(right) == 3 if pvals[0] == 0.5 else right == wrong


def test_parameters_are_checked_alone():
    def draw(name, *arguments):
        @tf.function
        def call(x):
            return getattr(tfnp.random.default_rng(1), name)(*(x if value is None else value for value in arguments))

        call(tf.constant(0.5))

    with pytest.raises(ValueError, match="n < 0"):
        draw("binomial", -1, None)
    with pytest.raises(ValueError, match="n < 0"):
        tf.function(lambda x: tfnp.random.default_rng(1).multinomial(-1, x))([0.5, 0.5])
    with pytest.raises(ValueError, match="left > mode"):
        draw("triangular", 3.0, None, 2.0)
    for arguments in (("binomial", 3, None), ("triangular", None, -5.0, None), ("hypergeometric", 10**6, None, 100)):
        draw(*arguments)
