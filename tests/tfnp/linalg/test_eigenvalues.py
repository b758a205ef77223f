"""Eigenvalues, of Hermitian matrices and of others."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, gradient, traced
from tests.tfnp.linalg.matrices import DOUBLES, LOST, MODES, definite, random, slope_is_right

BOTH = ("eager", "graph")
NAMES = ("linalg.eig", "linalg.eigvals", "linalg.eigh", "linalg.eigvalsh")


@pytest.mark.full
def test_equal_eigenvalues_under_xla():
    agree("linalg.eigh", np.eye(4) + np.ones((4, 4)), modes=("xla",))


def test_real_where_all_are_but_for_rounding_errors():
    matrix = np.array([[1.0, 2, 0], [3, 4, 5], [0, 6, 7]])
    agree("linalg.eig", matrix, modes=("eager",))
    assert tfnp.linalg.eigvals(matrix).dtype == tf.float64
    assert tfnp.linalg.eigvals([[0, 1], [-1, 0]]).dtype == tf.complex128
    assert MODES[1](tfnp.linalg.eigvals)(tf.constant(matrix)).dtype == tf.complex128


def test_numbers_of_different_sizes():
    """Of which the QR algorithm would lose the smaller ones, were matrices not balanced."""
    core, sizes = np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]]), 10.0 ** np.array([-90, 0, 75])
    matrix = core * sizes / sizes[:, None]
    for found in (tfnp.linalg.eigvals(matrix), traced(tfnp.linalg.eigvals, np.stack([core, matrix]))[1]):
        np.testing.assert_allclose(np.sort(np.real(found)), np.sort(np.linalg.eigvals(core)), 1e-13)
    values, vectors = map(np.asarray, tfnp.linalg.eig(matrix))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=0), 1, 1e-13)
    scaled = vectors * sizes[:, None]
    scaled /= np.linalg.norm(scaled, axis=0)
    np.testing.assert_allclose(core @ scaled, scaled * values, 1e-12, 1e-12)


@pytest.mark.full
def test_numbers_whose_squares_are_past_the_range():
    core = np.array([[1.0, 2], [3, 4]])
    for size in (1e300, 1e-300, 2.0**1020, 2.0**-1020):
        for found in (tfnp.linalg.eigvals(core * size), traced(tfnp.linalg.eigvals, np.stack([core, core * size]))[1]):
            np.testing.assert_allclose(np.sort(np.real(found) / size), np.sort(np.linalg.eigvals(core)), 1e-13)
        values, vectors = map(np.asarray, tfnp.linalg.eig(core * size))
        np.testing.assert_allclose(core @ vectors, vectors * (values / size), 1e-13)
    apart = np.array([[0, -9e307], [1j, 0]])
    for wrap in MODES[:2]:
        np.testing.assert_allclose(wrap(tfnp.linalg.eigvals)(apart) ** 2, np.full(2, -9e307j), 1e-13)


def test_numbers_on_one_side_only():
    for matrix in (np.triu(array(4, 4)) * 1e9, np.tril(array(4, 4)) + np.eye(4), np.array([[1, 1e200], [0, 2]])):
        np.testing.assert_allclose(np.sort(tfnp.linalg.eigvals(matrix)), np.sort(np.diag(matrix)), 1e-7)


@pytest.mark.full
def test_what_is_not_finite():
    lost = np.array([[np.nan, 0], [0, 1.0]])
    for name in NAMES[:2]:
        agree(name, lost, modes=BOTH)
    with pytest.raises(LOST):
        MODES[1](tfnp.linalg.eigvals)(lost)
    for wrap in MODES[:2]:
        assert np.isnan(wrap(tfnp.linalg.eigvalsh)(tf.constant(lost))).all()


@pytest.mark.full
def test_matrices_that_are_not_finite_have_nan_for_vectors():
    stack = np.stack([np.full((2, 2), np.nan), np.array([[2.0, 1], [1, 2]]), np.array([[1, np.inf], [np.inf, 1]])])
    for dtype in ("d", "F"):
        for wrap in MODES:
            values, vectors = wrap(lambda a: tuple(tfnp.linalg.eigh(a)))(tf.constant(stack.astype(dtype)))
            assert np.isnan(values).all(-1).tolist() == np.isnan(vectors).all((-1, -2)).tolist() == [True, False, True]
            np.testing.assert_allclose(values[1], [1, 3], rtol=1e-6)


def test_xla_knows_none_of_general_matrices():
    for function in (tfnp.linalg.eig, tfnp.linalg.eigvals):
        with pytest.raises(NotImplementedError, match="use eigh"):
            MODES[2](function)(tf.constant(np.eye(2)))


def test_unknown_sides():
    whole = definite(3)
    np.testing.assert_allclose(traced(tfnp.linalg.eigvalsh, whole), np.linalg.eigvalsh(whole))
    found = traced(tfnp.linalg.eig, whole)
    np.testing.assert_allclose(np.sort(np.real(found.eigenvalues)), np.linalg.eigvalsh(whole))


def rebuilt(x: tf.Tensor) -> tf.Tensor:
    values, vectors = tfnp.linalg.eigh(x)
    whole = tf.matmul(vectors * tf.cast(tf.sin(values), x.dtype), vectors, adjoint_b=True)
    return tf.math.real(whole[0, 1] + 2 * whole[1, 1])


def first_only(x: tf.Tensor) -> tf.Tensor:
    vector = tfnp.linalg.eigh(x, "U").eigenvectors[:, :1]
    return tf.math.real(tf.matmul(vector, vector, adjoint_b=True)[0, 1])


@pytest.mark.parametrize("dtype", DOUBLES)
def test_gradients(dtype):
    whole = definite(3, dtype)
    for function in (rebuilt, first_only, lambda x: tf.reduce_sum(tfnp.linalg.eigvalsh(x) ** 3)):
        assert slope_is_right(function, whole)
    assert slope_is_right(rebuilt, np.eye(2, dtype=dtype) * np.arange(1, 3))
    assert slope_is_right(lambda x: tf.reduce_sum(tf.abs(tfnp.linalg.eigvals(x)) ** 2), random(3, 3, dtype=dtype))


@pytest.mark.full
def test_gradients_of_graphs():
    for wrap in MODES[1:]:
        assert slope_is_right(rebuilt, definite(3, np.complex128), wrap)


def test_gradients_at_equal_eigenvalues():
    assert slope_is_right(lambda x: tf.reduce_sum(tfnp.linalg.eigvalsh(x) ** 3), np.eye(3))


@pytest.mark.parametrize("scale", [1e-3, 1e3, 1e14, 1e25])
@pytest.mark.parametrize("seed", range(3))
def test_blocks_that_lead_to_one_another_only_one_way(seed, scale):
    """What is between blocks has no part in the eigenvalues, however large it is."""
    rng = np.random.default_rng(seed)
    blocks = np.array([0, 0, 1, 1, 1, 2])
    a = rng.normal(size=(6, 6))
    exact = np.concatenate([np.linalg.eigvals(a[np.ix_(blocks == k, blocks == k)]) for k in range(3)])
    a *= np.where(blocks[:, None] == blocks, 1, scale * (blocks[:, None] > blocks))
    order = rng.permutation(6)
    a = a[np.ix_(order, order)]
    for found in (tfnp.linalg.eigvals(a).numpy(), tfnp.linalg.eig(a)[0].numpy()):
        np.testing.assert_allclose(np.sort_complex(found), np.sort_complex(exact), rtol=1e-9)
    values, vectors = (part.numpy() for part in tfnp.linalg.eig(a))
    residual = np.abs(a @ vectors - vectors * values)
    assert np.all(residual <= 1e-12 * (np.abs(a) @ np.abs(vectors)).max(0))


@pytest.mark.full
def test_a_large_block_leaves_the_eigenvalues_of_a_small_one_alone():
    """Rows of which some do not reach others: the matrix is permuted to be block upper triangular."""
    graded = np.array([[0.0, 1, 0], [1, 0, 0], [2147483647, 0, 9e18]])
    turned = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 9e18]])
    for a in (graded, graded.T, turned, np.stack([graded, np.eye(3), graded.T])):
        agree("linalg.eig", a, modes=("eager", "graph"))
        agree("linalg.eigvals", a, modes=("eager", "graph"))
    values = tfnp.linalg.eigvals(turned)
    np.testing.assert_allclose(np.sort_complex(values), [-1j, 1j, 9e18], rtol=1e-15)
    np.testing.assert_allclose(np.sort_complex(traced(tfnp.linalg.eigvals, graded)), [-1, 1, 9e18], rtol=1e-15)
    assert np.isfinite(gradient(lambda a: tf.abs(tfnp.linalg.eigvals(a)) / 1e18, graded)).all()


@pytest.mark.parametrize("coupling", [1e200, 7e305])
@pytest.mark.parametrize("size", [1.0, 1e-100])
def test_what_is_between_blocks_has_no_part_in_eigenvalues(coupling, size):
    matrix = np.zeros((5, 5))
    matrix[[2, 3, 4], [4, 2, 3]] = size
    expected = np.sort_complex(np.linalg.eigvals(matrix)) / size
    matrix[4, 0] = coupling
    for found in (tfnp.linalg.eigvals(matrix), tfnp.linalg.eig(matrix)[0]):
        np.testing.assert_allclose(np.sort_complex(found) / size, expected, atol=1e-12)


@pytest.mark.parametrize("size", [1e40, 7e305])
@pytest.mark.parametrize("coupling", [0.0, 1e30])
def test_blocks_of_very_different_sizes(size, coupling):
    matrix = np.zeros((5, 5))
    matrix[[0, 1], [1, 0]] = [2.0, -2.0]
    matrix[2, 2], matrix[[3, 4], [4, 3]] = 1e-40, [size, 4 * size]
    matrix[4, [0, 1, 2]] = coupling
    found = np.asarray(tfnp.linalg.eigvals(matrix[::-1, ::-1]))
    expected = np.array([2j, -2j, 1e-40, 2 * size, -2 * size])
    for value in expected:
        assert np.min(np.abs(found - value)) <= 1e-14 * abs(value)
