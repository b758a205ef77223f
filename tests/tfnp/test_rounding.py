"""Numbers made simpler."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, take_gradient


def test_any_int_bounds_bfloat16():
    for bounds in ((None, 2**63), (-(2**63) - 1, None), (0, 2**70)):
        agree("clip", np.array([0, 2.5, -7], ml_dtypes.bfloat16), *bounds, modes=("eager",))


@pytest.mark.full
def test_rounding_of_few_digits():
    half = array(4, dtype=DTYPES[-1])
    for decimals in (1, 4, -1):
        agree("round", half, decimals)
        agree("round", half, decimals, out=np.zeros(4, np.float32))


def test_rounding_into_an_array_is_refused():
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.round(1.5, out=tf.zeros(()))


@pytest.mark.parametrize("tol", [100, 1000, 0.5, 1, 0])
def test_real_if_close(tol):
    for value in (np.array([1 + 1e-14j, 2]), np.array([1 + 0.4j]), array(3), np.array([], complex)):
        agree("real_if_close", value, tol, modes=("eager",))
    with pytest.raises(TypeError, match="real"):
        tf.function(tfnp.real_if_close)(tf.constant([1j]))


STEPS = {
    "round": tfnp.round,
    "round to decimals": lambda x: tfnp.round(x, 1),
    "rint": tfnp.rint,
    "floor": tfnp.floor,
    "ceil": tfnp.ceil,
    "trunc": tfnp.trunc,
    "fix": tfnp.fix,
    "floor_divide": lambda x: tfnp.floor_divide(x, 2.0),
    "divmod": lambda x: tfnp.divmod(x, 2.0)[0],
    "modf": lambda x: tfnp.modf(x)[1],
    "spacing": tfnp.spacing,
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", STEPS)
def test_the_gradient_of_steps_is_zero(name, dtype):
    points = np.array([0.3, -1.7, 2.5], dtype)

    def slope(x):
        return take_gradient(lambda x: STEPS[name](x) + x, x)

    for mode in (slope, tf.function(slope), tf.function(slope, jit_compile=True)):
        assert mode(tf.constant(points)).numpy().tolist() == [1, 1, 1]
    symbolic = tf.function(lambda x: tf.gradients(STEPS[name](x), x)[0], autograph=False)
    assert symbolic(tf.constant(points)).numpy().tolist() == [0, 0, 0]
    assert tf.vectorized_map(slope, tf.constant(points)).numpy().tolist() == [1, 1, 1]
    with tf.autodiff.ForwardAccumulator(tf.constant(points), tf.ones_like(points)) as accumulator:
        result = STEPS[name](tf.constant(points))
    assert accumulator.jvp(result) is None


def test_the_gradient_of_a_quotient_is_zero_for_both_operands():
    x, y = tf.constant([[5.0, 7.0]]), tf.constant([[2.0], [3.0]])
    for slope, operand in zip(take_gradient(tfnp.floor_divide, [x, y]), (x, y), strict=True):
        np.testing.assert_array_equal(slope, tf.zeros_like(operand))


@pytest.mark.parametrize("jit", [False, True])
def test_the_fraction_of_modf_has_slope_one_at_zero_too(jit):
    x = tf.constant([0.0, -0.0, 0.25, -1.5, 3.0])

    def differentiate(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            fraction, integral = tfnp.modf(x)
            total = 2 * fraction + 5 * integral
        return tape.gradient(total, x)

    np.testing.assert_array_equal(differentiate(x), [2] * 5)
    np.testing.assert_array_equal(tf.function(differentiate, jit_compile=jit)(x), [2] * 5)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16, tf.float32, tf.float64])
def test_the_mantissa_of_frexp_has_the_slope_of_its_power_of_two(jit, dtype):
    x = tf.constant([3.0, -0.2, 1024.0, 0.0], dtype)

    def differentiate(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            mantissa, _ = tfnp.frexp(x)
        return tape.gradient(mantissa, x)

    expected = [2.0**-2, 2.0**2, 2.0**-11, 1.0]
    np.testing.assert_array_equal(tf.cast(differentiate(x), tf.float64), expected)
    np.testing.assert_array_equal(tf.cast(tf.function(differentiate, jit_compile=jit)(x), tf.float64), expected)
