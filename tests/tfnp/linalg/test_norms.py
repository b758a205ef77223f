"""Norms, determinants, ranks, conditions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, take_gradient
from tests.tfnp.linalg.matrices import DOUBLES, MODES, random, slope_is_right


def test_empty_determinants_under_xla():
    agree("linalg.slogdet", np.zeros((2, 0, 0)), modes=("xla",))
    agree("linalg.slogdet", np.array([[0.0, 1.0], [-np.inf, 7.0]]), modes=("xla",))


@pytest.mark.full
@pytest.mark.parametrize("dtype", DOUBLES)
def test_gradients(dtype):
    singular = random(3, 3, dtype=dtype)
    singular[0] = singular[1]
    for at in (random(3, 3, dtype=dtype), singular, np.eye(3, dtype=dtype)):
        assert slope_is_right(lambda x: tf.math.real(tfnp.linalg.det(x)), at)
    assert slope_is_right(lambda x: tfnp.linalg.slogdet(x).logabsdet, random(3, 3, dtype=dtype))
    for ord in ("nuc", 2, -2, "fro", 1):
        assert slope_is_right(lambda x, ord=ord: tfnp.linalg.norm(x, ord), random(3, 2, dtype=dtype))


SINGULAR = [
    ([[1.0, 2], [2, 4]], [[4.0, -2], [-2, 1]]),
    ([[0.0, 1], [0, 2]], [[2.0, 0], [-1, 0]]),  # the first pivot is zero
    ([[0.0, 1], [0, 0]], [[0.0, 0], [-1, 0]]),
    ([[0.0, 1, 0], [0, 0, 1], [0, 0, 0]], [[0.0, 0, 0], [0, 0, 0], [1, 0, 0]]),
    ([[1.0, 2, 3], [2, 4, 6], [3, 6, 9]], np.zeros((3, 3))),
    ([[0.0]], [[1.0]]),
]


def differentiate_determinant_twice(a, tangent):
    with tf.GradientTape() as outer:
        outer.watch(a)
        gradient = take_gradient(tfnp.linalg.det, a)
        along = tf.reduce_sum(gradient * tangent)
    return gradient, outer.gradient(along, a)


@pytest.mark.parametrize(("matrix", "cofactors"), SINGULAR, ids=str)
def test_derivatives_of_the_determinant_of_singular_matrices(matrix, cofactors):
    a, tangent, step = tf.constant(matrix, tf.float64), random(*np.shape(matrix)), 1e-4
    gradient, second = differentiate_determinant_twice(a, tangent)
    np.testing.assert_allclose(gradient, cofactors, atol=1e-14)
    ends = [differentiate_determinant_twice(a + sign * step * tangent, tangent)[0] for sign in (1, -1)]
    np.testing.assert_allclose(second, (ends[0] - ends[1]) / (2 * step), atol=1e-6)


def test_the_gradient_of_determinants_out_of_range():
    a = tf.constant(np.diag([1e-200, 1e-200]))
    gradient, _ = differentiate_determinant_twice(a, tf.zeros_like(a))
    np.testing.assert_allclose(gradient, a[::-1, ::-1], rtol=1e-12)


@pytest.mark.sample(2)
@pytest.mark.parametrize("wrap", MODES)
@pytest.mark.parametrize("dtype", DOUBLES)
def test_the_gradient_of_a_stack_with_singular_matrices(wrap, dtype):
    matrices = [
        np.eye(2),
        [[1.0, 2], [3, 4]],
        *(matrix for matrix, _ in SINGULAR if len(matrix) == 2),
        np.zeros((2, 2)),
    ]
    cofactors = [[[d, -c], [-b, a]] for ((a, b), (c, d)) in matrices]

    def differentiate(a):
        return take_gradient(tfnp.linalg.det, a)

    np.testing.assert_allclose(wrap(differentiate)(tf.constant(matrices, dtype)), cofactors, atol=1e-13)


@pytest.mark.full
def test_a_determinants_gradient_under_xla():
    assert slope_is_right(lambda x: tf.math.real(tfnp.linalg.det(x)), random(3, 3, dtype=np.complex128), MODES[2])


@pytest.mark.parametrize("ord", [None, 1, 2, 3, np.inf], ids=str)
def test_the_gradient_at_zero_is_finite(ord):
    for zero in (tf.zeros(3, tf.float64), tf.zeros(3, tf.complex128)):
        assert np.isfinite(take_gradient(lambda zero: tfnp.linalg.norm(zero, ord), zero)).all()


@pytest.mark.full
def test_norms_of_bfloat16_are_rounded_once():
    a = np.random.default_rng(0).normal(size=(4, 4)).astype(ml_dtypes.bfloat16)
    for ord in (None, "fro", "nuc", 1, -2, 2, -np.inf):
        agree("linalg.norm", a, ord=ord, modes=("eager", "graph", "xla") if ord in {"nuc", 1} else ("eager",))
    for ord in (0, 1, 2, 2.3, np.inf):
        agree("linalg.vector_norm", a, ord=ord, axis=1)
    agree("linalg.matrix_norm", a, keepdims=True)
    agree("linalg.cond", a, "fro")
