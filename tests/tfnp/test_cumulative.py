"""Running sums and products."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, take_gradient, traced


@pytest.mark.full
def test_long_products_of_complex_numbers_in_a_graph():
    values = np.exp(1j * np.linspace(0, 3, 40)).astype(np.complex64)
    np.testing.assert_allclose(traced(tfnp.cumprod, values[:20]), np.cumprod(values[:20]), rtol=1e-5)
    agree("cumprod", values, modes=("eager", "graph", "xla"))


@pytest.mark.full
@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_products_after_zero_do_not_overflow(dtype):
    values = np.ones(40, dtype)
    values[[3, 30, 31]] = 0, -1e30, 1e30
    agree("cumprod", values, modes=("eager", "graph", "xla"))
    values[35] = np.inf
    assert np.isnan(traced(tfnp.cumprod, values)[35:]).all()


@pytest.mark.parametrize(
    "values", [np.array([2, 0, 3, np.inf, 1]), np.exp(1j * np.arange(1, 18))], ids=["zero", "complex"]
)
def test_products_under_xla(values):
    compiled = tf.function(tfnp.cumprod, jit_compile=True, autograph=False)(tf.constant(values))
    with np.errstate(invalid="ignore"):
        np.testing.assert_allclose(compiled, np.cumprod(values), rtol=1e-14)


def test_out_has_the_shape_of_the_result():
    out = tf.Variable(np.zeros(3))
    assert tfnp.cumsum(np.ones(3), out=out) is out
    with pytest.raises(ValueError, match="wrong size"):
        tfnp.cumsum(np.ones(3), out=tf.Variable(np.zeros(4)))


@pytest.mark.full
@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.complex64], ids=str)
def test_a_sum_of_negative_zeros_is_one(dtype):
    array = np.array([[-0.0, -0.0, 0.0, -0.0], [-0.0, 2.0, -2.0, -0.0]], dtype)
    for axis in (0, 1):
        expected = np.signbit(np.cumsum(array, axis).real)
        for jit in (False, True):
            traced = tf.function(tfnp.cumsum, jit_compile=jit)(tf.constant(array), axis)
            np.testing.assert_array_equal(np.signbit(np.real(traced)), expected)
        np.testing.assert_array_equal(np.signbit(np.real(tfnp.cumsum(array, axis))), expected)


def test_the_gradient_of_a_sum_of_negative_zeros():
    x = tf.constant([-0.0, -0.0, 3.0])
    np.testing.assert_array_equal(
        take_gradient(lambda x: tf.reduce_sum(tfnp.cumsum(x) * [1.0, 10.0, 100.0]), x), [111, 110, 100]
    )
