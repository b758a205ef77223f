"""Quantiles and percentiles."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced
from tests.tfnp.test_medians import NAN

X = np.array([[3.0, 1.0, 4.0, 1.5], [9.0, 2.0, 6.0, 5.0]])
FRACTIONS = [0.0, 0.1, 0.25, 0.5, 0.7, 1.0]
METHODS = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull"),
    *("linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"),
)
NAMES = ("quantile", "percentile", "nanquantile", "nanpercentile")


@pytest.mark.sample(1)
@pytest.mark.parametrize("method", METHODS)
def test_methods(method):
    agree("quantile", X, FRACTIONS, 1, method=method, modes=("eager", "graph"))
    agree("nanquantile", NAN, FRACTIONS, 1, method=method, modes=("eager", "graph"))
    agree("percentile", X.astype(np.float32), 30, method=method, modes=("eager",))
    agree("quantile", array(5, dtype=np.int16), 1, method=method, modes=("eager",))


@pytest.mark.full
def test_in_xla():
    for method in ("linear", "nearest", "hazen"):
        agree("quantile", X, FRACTIONS, 1, method=method, modes=("xla",))
        agree("nanquantile", NAN, FRACTIONS, 0, method=method, modes=("xla",))


@pytest.mark.sample(7)
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind != "V"], ids=str)
def test_every_dtype(dtype):
    for q in (0.3, np.float32(0.3), [0.25, 1]):
        agree("quantile", array(3, 4, dtype=dtype), q, 1, modes=("eager",))


@pytest.mark.sample(3)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1), (), 2, (0, 0)])
def test_axes(axis):
    for name in NAMES:
        agree(name, NAN, 0.4, axis, modes=("eager",))
        agree(name, NAN, [[0.4, 0.5]], axis, keepdims=True, modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("q", [-1.0, 101, [0.5, np.nan], [], np.zeros((0, 2)), np.zeros((1, 1, 1)), "a", 1, True])
def test_fractions(q):
    for name in NAMES:
        agree(name, X, q, modes=("eager", "graph"))


@pytest.mark.full
def test_weights():
    weights = np.array([[0.0, 1.0, 2.0, 0.5], [3.0, 1.0, 0.0, 1.0]])
    for name in ("quantile", "nanquantile"):
        agree(name, X, FRACTIONS, method="inverted_cdf", weights=weights)
        agree(name, X, 0.3, 1, method="inverted_cdf", weights=weights, modes=("eager", "graph"))
        agree(name, X, 0.3, 1, method="inverted_cdf", weights=weights[0], modes=("eager",))
        agree(name, X, 0.3, 1, weights=weights, modes=("eager",))
        agree(name, X, 0.3, 1, method="inverted_cdf", weights=-weights, modes=("eager",))
        agree(name, X, 0.3, 1, method="inverted_cdf", weights=weights * 0, modes=("eager",))
        agree(name, X, 0.3, 1, method="inverted_cdf", weights=np.ones(3), modes=("eager",))
        agree(name, X, 0.3, method="inverted_cdf", weights=np.ones(3), modes=("eager",))
    agree("nanpercentile", NAN[0], [10, 50, 90], method="inverted_cdf", weights=np.array([1, 2, 3, 4]))


@pytest.mark.full
def test_outputs():
    for name in NAMES:
        for method in ("linear", "nearest"):
            for out in (np.zeros(2), np.zeros((1, 2)), np.zeros(2, np.int8), np.zeros(3), np.zeros((4, 2))):
                agree(name, X, 0.5, 1, out, method=method, modes=("eager",))
        agree(name, X, [0.5, 1], 1, np.ones((2, 2, 3)), keepdims=True, modes=("eager",))


def test_wrong_arguments():
    agree("quantile", X, 0.5, method="bogus", modes=("eager",))
    agree("quantile", X + 1j, 0.5, modes=("eager",))
    agree("quantile", array(0), 0.5, modes=("eager",))
    agree("nanquantile", array(0), 0.5, modes=("eager",))


def test_the_gradient_of_a_quantile():
    assert gradient(lambda x: tfnp.quantile(x, 0.25), np.array([1.0, 3.0, 2.0]))[0].tolist() == [1.5, 0, 1.5]


@pytest.mark.full
def test_unknown_dims():
    for name in ("quantile", "nanquantile"):
        for method in ("linear", "hazen", "nearest"):
            result = traced(lambda x, n=name, m=method: getattr(tfnp, n)(x, [0.1, 0.6], 1, method=m), NAN)
            np.testing.assert_allclose(result, getattr(np, name)(NAN, [0.1, 0.6], 1, method=method))


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
