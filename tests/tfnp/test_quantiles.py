"""Quantiles and percentiles."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree


@pytest.mark.full
def test_first_row_of_nan_keeps_its_dtype():
    for values in ([np.nan, np.nan], [[np.nan, 1.0], [np.nan, 2.0]], [[1.0, np.nan], [2.0, np.nan]]):
        agree("nanquantile", np.array(values, np.float16), np.array(0.25), 0)


def test_a_graph_checks_the_range_of_quantiles():
    quantile = tf.function(tfnp.quantile)
    np.testing.assert_array_equal(quantile(tf.constant([1.0, 2.0]), tf.constant(0.5)), 1.5)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Quantiles must be in the range"):
        quantile(tf.constant([1.0, 2.0]), tf.constant(-1.0))


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize(
    ("weights", "message"), [([0.0, 0.0], "all zero"), ([np.nan, 1.0], "included NaN"), ([-1.0, 2.0], "non-negative")]
)
def test_a_graph_checks_weights(name, weights, message):
    @tf.function
    def quantile(a, weights):
        return getattr(tfnp, name)(a, 0.5, method="inverted_cdf", weights=weights)

    assert quantile(tf.constant([1.0, 2.0]), tf.constant([1.0, 3.0])) == 2.0
    with pytest.raises(tf.errors.InvalidArgumentError, match=message):
        quantile(tf.constant([1.0, 2.0]), tf.constant(weights))


def test_zero_weights_raise_while_tracing():
    with pytest.raises(ValueError, match="all zero"):
        tf.function(lambda a: tfnp.quantile(a, 0.5, method="inverted_cdf", weights=0.0))(tf.constant(1.0))
    with pytest.raises(ValueError, match="all zero"):
        tf.function(lambda a: tfnp.quantile(a, 0.5, 1, method="inverted_cdf", weights=[[1], [0]]))(tf.ones((2, 1)))


@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile", "nanpercentile"])
def test_the_fraction_has_a_gradient_too(name):
    x, scale = tf.constant([0.0, 1.0, 5.0], tf.float64), 100.0 if "percent" in name else 1.0
    q = tf.constant([0.2, 0.7], tf.float64) * scale
    with tf.GradientTape() as tape:
        tape.watch(q)
        result = getattr(tfnp, name)(x, q)
    np.testing.assert_allclose(tape.gradient(result, q), np.array([2.0, 8.0]) / scale)
    with tf.autodiff.ForwardAccumulator(q, tf.ones_like(q)) as forward:
        result = getattr(tfnp, name)(x, q)
    np.testing.assert_allclose(forward.jvp(result), np.array([2.0, 8.0]) / scale)
