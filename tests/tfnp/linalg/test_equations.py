"""Equations, inverses, least squares."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, take_gradient
from tests.tfnp.linalg.matrices import DOUBLES, LOST, MODES, random, slope_is_right

BOTH = ("eager", "graph")


@pytest.mark.full
@pytest.mark.parametrize("dtype", DOUBLES)
def test_a_singular_matrix_has_no_inverse(dtype):
    singular = np.array([[1, 2], [2, 4]], dtype)
    agree("linalg.inv", np.stack([np.eye(2, dtype=dtype), singular]), modes=BOTH)
    agree("linalg.solve", singular, np.ones(2), modes=BOTH)
    with pytest.raises(LOST):
        MODES[1](tfnp.linalg.inv)(singular)


@pytest.mark.full
def test_xla_makes_nan_of_it_alone():
    stack = np.stack([2 * np.eye(2), [[1, 2], [2, 4]]])
    found = MODES[2](tfnp.linalg.inv)(tf.constant(stack))
    np.testing.assert_array_equal(found, np.stack([np.eye(2) / 2, np.full((2, 2), np.nan)]))


@pytest.mark.full
def test_what_is_not_finite_raises_nothing():
    lost = np.array([[np.inf, 0], [0, 1.0]])
    agree("linalg.inv", lost)
    assert np.isnan(tfnp.linalg.inv([[np.nan, 0], [0, 1]])).any()
    assert np.isnan(MODES[1](tfnp.linalg.inv)(tf.constant([[np.nan, 0], [0, 1]]))).any()


@pytest.mark.full
def test_lstsq_of_less_than_full_rank():
    lame = np.array([[1.0, 1], [1, 1], [2, 2]])
    for rcond in (None, 0.5):
        agree("linalg.lstsq", lame, np.arange(3.0), rcond, modes=BOTH)
    agree("linalg.lstsq", lame, np.arange(2.0), modes=BOTH)
    agree("linalg.lstsq", lame[0], np.arange(2.0), modes=BOTH)
    sums = MODES[2](tfnp.linalg.lstsq)(tf.constant(lame), tf.constant(np.arange(3.0)))[1]
    assert np.isnan(sums).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("rcond", [0, -1, 1.0, 2])
def test_lstsq_takes_the_machine_epsilon_for_a_cutoff_that_is_not_between_0_and_1(rcond):
    agree("linalg.lstsq", np.diag([1.0, 1e-20]), np.ones(2), rcond, modes=("eager", "graph", "xla"))


GRADIENTS = {
    "inv": lambda x: tf.math.real(tfnp.linalg.inv(x)[0, 1]),
    "solve": lambda x: tf.math.real(tfnp.linalg.solve(x, x[0])[1] * 3),
    "pinv": lambda x: tf.math.real(tfnp.linalg.pinv(x[:, :2])[0, 1]),
    "lstsq": lambda x: tf.math.real(tfnp.linalg.lstsq(x[:, :2], x[:, 2])[0][1]),
}


@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("dtype", DOUBLES)
def test_gradients(name, dtype):
    assert slope_is_right(GRADIENTS[name], random(3, 3, dtype=dtype))


@pytest.mark.full
def test_gradients_of_graphs():
    for wrap in MODES[1:]:
        assert slope_is_right(GRADIENTS["inv"], random(3, 3, dtype=np.complex128), wrap)


def test_second_derivatives():
    x = tf.constant(random(2, 2))
    with tf.GradientTape() as outer:
        outer.watch(x)
        slope = take_gradient(lambda x: tfnp.linalg.inv(x)[0, 0], x)[0, 0]
    inverse = np.linalg.inv(x.numpy())
    np.testing.assert_allclose(outer.gradient(slope, x)[0, 0], 2 * inverse[0, 0] ** 3)


@pytest.mark.parametrize("rcond", [(), [0.1, 0.2]])
def test_lstsq_takes_one_cutoff(rcond):
    agree("linalg.lstsq", np.eye(2), np.ones(2), rcond, modes=("eager", "graph", "xla"))
    with pytest.raises(ValueError, match="rcond must be a scalar"):
        tfnp.linalg.lstsq(np.eye(2), np.ones(2), rcond)


def test_nan_does_not_move_a_row_upwards():
    a, b = np.array([[1.0, np.nan], [2.0, 1.0]]), np.zeros(2)
    for solve in (tfnp.linalg.solve, tf.function(tfnp.linalg.solve), tf.function(tfnp.linalg.solve, jit_compile=True)):
        assert np.isnan(solve(a, b)).all()
    assert np.isnan(tf.function(tfnp.linalg.det)(tf.constant(a))).all()
