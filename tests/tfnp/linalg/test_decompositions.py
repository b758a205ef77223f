"""Cholesky's factors, Q and R, singular values."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, take_gradient, traced
from tests.tfnp.linalg.matrices import DOUBLES, LOST, MODES, random, slope_is_right

EAGER = ("eager",)
BOTH = ("eager", "graph")


@pytest.mark.sample(3)
@pytest.mark.parametrize("dtype", DOUBLES)
@pytest.mark.parametrize("matrix", [[[-1, 0], [0, 1]], [[1, 2], [2, 1]], [[0, 0], [0, 0]]], ids=str)
def test_what_is_not_definite_has_no_factor(dtype, matrix):
    matrix = np.array(matrix, dtype)
    agree("linalg.cholesky", matrix, modes=BOTH)
    with pytest.raises(LOST):
        MODES[1](tfnp.linalg.cholesky)(matrix)


def test_xla_makes_nan_of_what_is_not_definite():
    found = MODES[2](tfnp.linalg.cholesky)(tf.constant([[1.0, 2.0], [2.0, 1.0]]))
    np.testing.assert_array_equal(found, [[np.nan, 0], [np.nan, np.nan]])


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_qr_of_columns_whose_squares_do_not_fit(size):
    agree("linalg.qr", np.array([[size, 1.0], [3 * size, 2.0]]), modes=EAGER)
    agree("linalg.qr", np.array([[size], [1.0]]), "complete", modes=EAGER)


def test_older_modes_of_qr_warn():
    with pytest.warns(DeprecationWarning, match="deprecated"):
        found = tfnp.linalg.qr(random(3, 2), "full")
    assert found.Q.shape == (3, 2)
    with pytest.warns(DeprecationWarning, match="deprecated"):
        assert tfnp.linalg.qr(random(3, 2), "economic").shape == (3, 2)


@pytest.mark.full
def test_nan_has_no_singular_values():
    agree("linalg.svdvals", np.full((2, 2), np.nan), modes=BOTH)
    with pytest.raises(LOST):
        MODES[1](tfnp.linalg.svd)(np.full((2, 2), np.nan))
    assert np.isnan(MODES[2](tfnp.linalg.svdvals)(tf.constant([[np.nan, 1], [1, 1]]))).all()


def test_unknown_sides():
    for array in (random(3, 2), random(2, 3)):
        np.testing.assert_allclose(traced(tfnp.linalg.svdvals, array), np.linalg.svdvals(array))
        np.testing.assert_allclose(np.abs(traced(tfnp.linalg.qr, array).R), np.abs(np.linalg.qr(array).R), atol=1e-12)
        found = traced(lambda x: tfnp.linalg.qr(x, "raw"), array)
        np.testing.assert_allclose(found[1], np.linalg.qr(array, "raw")[1])


def weighed(x: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(tf.math.real(x * tf.cast(np.cos(np.arange(x.shape.num_elements())).reshape(x.shape), x.dtype)))


def projected(vectors: tf.Tensor) -> tf.Tensor:
    return weighed(tf.matmul(vectors, vectors, adjoint_b=True))


GRADIENTS = {
    "cholesky": lambda x: weighed(tfnp.linalg.cholesky(tf.matmul(x, x, adjoint_b=True) + 9 * tf.eye(3, dtype=x.dtype))),
    "u": lambda x: projected(tfnp.linalg.svd(x)[0][:, :1]),
    "v": lambda x: projected(tf.linalg.adjoint(tfnp.linalg.svd(x, False)[2][:1])),
    "all of u": lambda x: projected(tfnp.linalg.svd(x)[0][:, 2:]),
    "s": lambda x: tf.reduce_sum(tfnp.linalg.svdvals(x) ** 3),
    "q": lambda x: projected(tfnp.linalg.qr(x)[0][:, :1]),
    "all of q": lambda x: projected(tfnp.linalg.qr(x, "complete")[0][:, 2:]),
    "r": lambda x: weighed(tfnp.linalg.qr(x, "r") * tf.math.conj(tfnp.linalg.qr(x, "r"))),
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", GRADIENTS)
@pytest.mark.parametrize("dtype", DOUBLES)
def test_gradients(name, dtype):
    wraps = MODES[:2] if name in ("u", "all of u") else MODES[:1]
    assert all(slope_is_right(GRADIENTS[name], random(3, 2, dtype=dtype), wrap) for wrap in wraps)


def test_gradients_at_equal_singular_values():
    assert slope_is_right(GRADIENTS["s"], np.eye(3))


@pytest.mark.full
def test_what_is_infinite_has_no_singular_vectors():
    stack = np.array([[[1, np.inf], [2, 1]], [[2, 0], [0, 2]]])
    for a in (stack, np.array([[1, -np.inf, 2], [3, 4, 5]])):
        agree("linalg.svd", a)
        agree("linalg.svd", a, full_matrices=False, modes=("eager",))
        agree("linalg.pinv", a, modes=("eager", "graph"))


@pytest.mark.parametrize("name", ["pinv", "svdvals", "eigvalsh", "det", "inv", "lstsq"])
def test_compiled_graphs_of_large_matrices_are_not_larger(name):
    def differentiate(a):
        return take_gradient(
            lambda a: tfnp.linalg.lstsq(a, a[:, 0])[0] if name == "lstsq" else getattr(tfnp.linalg, name)(a), a
        )

    def count_ops(size):
        function = tf.function(differentiate, autograph=False, jit_compile=True)
        graph = function.get_concrete_function(tf.TensorSpec((size, size), tf.float64)).graph.as_graph_def()
        return len(graph.node) + sum(len(body.node_def) for body in graph.library.function)

    assert count_ops(40) < 1.1 * count_ops(10)  # nothing is unrolled
