"""Slopes of products, and slopes of these, where factors are zero."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.tfnp.agreement import take_gradient
from tests.tfnp.kernels.agreement import MODES
from tfnp._kernels.reduce import prod_gradient

ZEROS = ([2.0, 3.0, 4.0], [2.0, 0.0, 3.0], [0.0, 0.0, 3.0], [0.0, 0.0, 0.0], [5.0])


def slopes(kernel, mode, x, length="known"):
    """The slope of a weighted sum of results, and the slope of the sum of that."""
    weights = tf.constant(np.arange(1.0, 6.0)[: x.shape[-1]])

    def differentiate(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            slope = take_gradient(lambda x: tf.reduce_sum(tf.math.real(kernel(x)) * weights), x)
        return slope, outer.gradient(slope, x, unconnected_gradients="zero")

    if mode == "eager":
        return differentiate(tf.constant(x))
    spec = tf.TensorSpec([None] * x.ndim if length == "unknown" else x.shape, x.dtype)
    return tf.function(differentiate, input_signature=[spec], jit_compile=mode == "xla", autograph=False)(x)


def others(x, *left_out):
    return np.prod([value for index, value in enumerate(x) if index not in left_out])


def expected(x, ends):
    """Of the products of the first so many factors, weighted."""
    indices = range(len(x))
    first = [sum((end + 1) * others(x[: end + 1], i) for end in ends if end >= i) for i in indices]
    second = [
        sum((end + 1) * others(x[: end + 1], i, j) for end in ends for j in indices if j != i and end >= max(i, j))
        for i in indices
    ]
    return first, second


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("length", ["known", "unknown"])
@pytest.mark.parametrize("values", ZEROS, ids=str)
def test_cumulative_products(mode, length, values):
    if (mode, length) == ("xla", "unknown"):
        length = "known"
    result = slopes(prod_gradient.cumprod_along(0), mode, np.array(values), length)
    for actual, expected_slope in zip(result, expected(values, range(len(values))), strict=True):
        np.testing.assert_allclose(actual, expected_slope)


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("values", ZEROS, ids=str)
def test_products(mode, values):
    def kernel(x):
        product = prod_gradient.prod_along((0,), 1, True)(x)
        return tf.concat([tf.zeros(len(values) - 1, product.dtype), product], 0)

    result = slopes(kernel, mode, np.array(values))
    for actual, expected_slope in zip(result, expected(values, [len(values) - 1]), strict=True):
        np.testing.assert_allclose(actual, expected_slope)


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
def test_several_axes_of_complex_numbers(mode):
    x = np.array([[[0.0, 2j], [1, 3]], [[2, 1 + 1j], [1, 1]]])
    first, _ = slopes(prod_gradient.prod_along((0, 2), 3, False), mode, x)
    assert first.numpy()[0, 0, 0] == np.conj(2j * 2 * (1 + 1j))
    assert first.numpy()[:, 0].ravel()[1:].tolist() == [0, 0, 0]
    assert first.numpy()[0, 1].tolist() == [6, 2]


def test_second_derivatives_of_complex_products():
    x = np.array([0j, 0j])
    _, second = slopes(prod_gradient.cumprod_along(0), "eager", x)
    assert second.numpy().tolist() == [2, 2]
