"""Norms, determinants, ranks, conditions."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, EVERYWHERE, agree, traced
from tests.tfnp.linalg.matrices import DOUBLES, MODES, TAKEN, random, slope_is_right, small

EAGER = ("eager",)
BOTH = ("eager", "graph")
OF_VECTORS = [None, 0, 1, 2, 3, 0.5, -1, np.inf, -np.inf, "fro", "wrong"]
OF_MATRICES = [None, "fro", "f", "nuc", 1, -1, 2, -2, np.inf, -np.inf, 3, 0, "wrong"]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("linalg.norm", small(2, 2, dtype=dtype), modes=EAGER)
    agree("linalg.vector_norm", small(2, 2, dtype=dtype), axis=0, ord=3, modes=EAGER)


@pytest.mark.parametrize("dtype", TAKEN, ids=str)
def test_every_dtype_that_is_decomposed(dtype):
    for name in ("det", "slogdet", "matrix_rank", "cond"):
        agree(f"linalg.{name}", small(2, 2, dtype=dtype), modes=EAGER)


@pytest.mark.parametrize("ord", OF_VECTORS, ids=str)
def test_vectors(ord):
    for dtype in DOUBLES:
        agree("linalg.norm", random(3, dtype=dtype), ord, modes=EAGER)
        agree("linalg.norm", random(2, 3, dtype=dtype), ord, axis=1, keepdims=True, modes=EAGER)
        agree("linalg.vector_norm", random(2, 3, 2, dtype=dtype), ord=ord, axis=(0, 2), keepdims=True, modes=EAGER)
    agree("linalg.norm", np.zeros(0), ord, modes=EAGER)


@pytest.mark.parametrize("ord", OF_MATRICES, ids=str)
def test_matrices(ord):
    for dtype in DOUBLES:
        agree("linalg.norm", random(3, 2, dtype=dtype), ord, modes=EAGER)
        agree("linalg.norm", random(2, 3, 2, dtype=dtype), ord, (2, 0), True, modes=EAGER)
        agree("linalg.matrix_norm", random(2, 3, 2, dtype=dtype), ord=ord, modes=EAGER)
    agree("linalg.norm", np.zeros((0, 2)), ord, modes=EAGER)


@pytest.mark.full
def test_norms_under_xla():
    agree("linalg.norm", random(2, 3), "nuc", modes=("xla",))
    agree("linalg.vector_norm", random(2, 3, dtype=np.complex64), modes=("xla",))


@pytest.mark.parametrize("axis", [(0, 0), (0, 1, 2), 5, "a", 1.5, (0,), ()], ids=str)
def test_axes(axis):
    agree("linalg.norm", random(2, 3, 2), axis=axis, modes=BOTH)


def test_a_norm_of_all_axes():
    agree("linalg.norm", random(2, 3, 2), modes=EAGER)
    agree("linalg.norm", random(2, 3, 2), keepdims=True, modes=EAGER)
    agree("linalg.norm", random(2, 3, 2), 1, modes=EAGER)
    agree("linalg.norm", 3.0, modes=EAGER)


@pytest.mark.full
@pytest.mark.parametrize("dtype", DOUBLES)
def test_determinants(dtype):
    for name in ("linalg.det", "linalg.slogdet"):
        agree(name, random(2, 3, 3, dtype=dtype), modes=EVERYWHERE if dtype is np.complex128 else EAGER)
        agree(name, np.ones((2, 2), dtype), modes=BOTH)
        for shape in [(0, 0), (2, 0, 0), (1, 1), (2, 3), (3,)]:
            agree(name, random(*shape, dtype=dtype), modes=BOTH)
    agree("linalg.slogdet", np.array([[np.nan, 0], [0, 1]], dtype), modes=BOTH)


def test_empty_determinants_under_xla():
    agree("linalg.slogdet", np.zeros((2, 0, 0)), modes=("xla",))
    agree("linalg.slogdet", np.array([[0.0, 1.0], [-np.inf, 7.0]]), modes=("xla",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("p", [None, 2, -2, 1, -1, np.inf, "fro", "nuc", 7, "wrong"], ids=str)
def test_conditions(p):
    agree("linalg.cond", random(2, 3, 3), p, modes=BOTH)
    agree("linalg.cond", np.zeros((2, 2)), p, modes=BOTH)
    agree("linalg.cond", random(2, 3), p, modes=BOTH)
    agree("linalg.cond", np.zeros((0, 0)), p, modes=BOTH)


@pytest.mark.full
def test_condition_under_xla():
    agree("linalg.cond", np.stack([np.eye(2), np.zeros((2, 2))]), 1, modes=("xla",))


def test_ranks():
    stack = np.stack([np.eye(3), np.ones((3, 3)), np.zeros((3, 3))])
    agree("linalg.matrix_rank", stack, modes=BOTH)
    for options in ({"tol": 1.5}, {"rtol": 0.5}, {"hermitian": True}, {"tol": 1, "rtol": 1}):
        agree("linalg.matrix_rank", stack, modes=BOTH, **options)
    agree("linalg.matrix_rank", stack, np.array([0.5, 4, 0]), modes=BOTH)
    for few in (np.zeros(2), np.ones(2), 0.0, np.zeros((0, 3))):
        agree("linalg.matrix_rank", few, modes=BOTH)


def test_traces():
    agree("linalg.trace", random(2, 3, 3), offset=1, modes=EAGER)
    agree("linalg.trace", small(2, 3, 3, dtype=int), dtype=np.float32, modes=EAGER)


def test_unknown_sides():
    array = random(3, 3)
    for name in ("norm", "det", "cond", "matrix_rank", "trace", "vector_norm"):
        found = traced(getattr(tfnp.linalg, name), array)
        np.testing.assert_allclose(found, getattr(np.linalg, name)(array))


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
        with tf.GradientTape() as tape:
            tape.watch(a)
            result = tfnp.linalg.det(a)
        gradient = tape.gradient(result, a)
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
        with tf.GradientTape() as tape:
            tape.watch(a)
            result = tfnp.linalg.det(a)
        return tape.gradient(result, a)

    np.testing.assert_allclose(wrap(differentiate)(tf.constant(matrices, dtype)), cofactors, atol=1e-13)


@pytest.mark.full
def test_a_determinants_gradient_under_xla():
    assert slope_is_right(lambda x: tf.math.real(tfnp.linalg.det(x)), random(3, 3, dtype=np.complex128), MODES[2])


@pytest.mark.parametrize("ord", [None, 1, 2, 3, np.inf], ids=str)
def test_the_gradient_at_zero_is_finite(ord):
    for zero in (tf.zeros(3, tf.float64), tf.zeros(3, tf.complex128)):
        with tf.GradientTape() as tape:
            tape.watch(zero)
            result = tfnp.linalg.norm(zero, ord)
        assert np.isfinite(tape.gradient(result, zero)).all()


@pytest.mark.full
def test_norms_of_bfloat16_are_rounded_once():
    a = np.random.default_rng(0).normal(size=(4, 4)).astype(ml_dtypes.bfloat16)
    for ord in (None, "fro", "nuc", 1, -2, 2, -np.inf):
        agree("linalg.norm", a, ord=ord, modes=("eager", "graph", "xla") if ord in {"nuc", 1} else ("eager",))
    for ord in (0, 1, 2, 2.3, np.inf):
        agree("linalg.vector_norm", a, ord=ord, axis=1)
    agree("linalg.matrix_norm", a, keepdims=True)
    agree("linalg.cond", a, "fro")
