"""Cholesky's factors, Q and R, singular values."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import EVERYWHERE, agree, traced
from tests.tfnp.linalg.matrices import DOUBLES, LOST, MODES, TAKEN, definite, random, slope_is_right, small

EMPTY = [(0, 3), (3, 0), (0, 0), (2, 0, 0), (0, 2, 2)]
EAGER = ("eager",)
BOTH = ("eager", "graph")


@pytest.mark.sample(10)
@pytest.mark.parametrize("dtype", TAKEN, ids=str)
def test_every_dtype(dtype):
    agree("linalg.cholesky", np.eye(2).astype(dtype) * 2, modes=EAGER)
    for name in ("linalg.qr", "linalg.svd", "linalg.svdvals"):
        agree(name, small(2, 3, dtype=dtype), modes=("eager",))


def test_there_is_none_of_half_precision():
    for name in ("cholesky", "qr", "svd"):
        agree(f"linalg.{name}", np.eye(2, dtype=np.float16), modes=BOTH)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DOUBLES)
def test_cholesky(dtype):
    stack = np.stack([definite(3, dtype), np.eye(3, dtype=dtype)])
    agree("linalg.cholesky", stack, modes=EVERYWHERE if dtype is np.complex128 else BOTH)
    agree("linalg.cholesky", stack, upper=True, modes=EAGER)
    agree("linalg.cholesky", random(2, 3), modes=EAGER)
    half = np.triu(definite(2, dtype)) + np.array([[0, 0], [99, 0]])
    agree("linalg.cholesky", half, upper=True, modes=EAGER)
    agree("linalg.cholesky", half.T, modes=BOTH)


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


@pytest.mark.sample(28)
@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw", "wrong"])
@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 2, 2), *EMPTY])
def test_qr(mode, shape):
    for dtype in DOUBLES:
        agree("linalg.qr", random(*shape, dtype=dtype), mode, modes=EAGER)


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_qr_of_columns_whose_squares_do_not_fit(size):
    agree("linalg.qr", np.array([[size, 1.0], [3 * size, 2.0]]), modes=EAGER)
    agree("linalg.qr", np.array([[size], [1.0]]), "complete", modes=EAGER)


@pytest.mark.full
def test_qr_under_xla():
    for mode in ("complete", "raw"):
        agree("linalg.qr", random(3, 2, dtype=np.complex128), mode, modes=("xla",))


def test_older_modes_of_qr_warn():
    with pytest.warns(DeprecationWarning, match="deprecated"):
        found = tfnp.linalg.qr(random(3, 2), "full")
    assert found.Q.shape == (3, 2)
    with pytest.warns(DeprecationWarning, match="deprecated"):
        assert tfnp.linalg.qr(random(3, 2), "economic").shape == (3, 2)


@pytest.mark.full
def test_zeros_and_their_reflections():
    agree("linalg.qr", np.zeros((2, 2)), "raw", modes=BOTH)
    agree("linalg.qr", np.array([[3.0, 1], [0, 2]]), "raw", modes=BOTH)
    agree("linalg.qr", np.array([[1j, 1], [0, 2]]), "raw", modes=BOTH)


@pytest.mark.parametrize("shape", [(3, 2), (2, 3), (2, 2, 2), *EMPTY])
def test_svd(shape):
    for dtype in DOUBLES:
        agree("linalg.svd", random(*shape, dtype=dtype), modes=EAGER)
        agree("linalg.svd", random(*shape, dtype=dtype), full_matrices=False, modes=EAGER)
        agree("linalg.svdvals", random(*shape, dtype=dtype), modes=EAGER)


@pytest.mark.full
def test_svd_under_xla():
    stack = random(2, 4, 3, dtype=np.complex128)
    stack[1, 0] = stack[1, 1]
    agree("linalg.svd", stack, modes=("xla",))


def test_svd_of_hermitian_matrices():
    whole = random(3, 3, dtype=np.complex128)
    for wanted in (True, False):
        agree("linalg.svd", whole + whole.conj().T, compute_uv=wanted, hermitian=True, modes=EAGER)
    agree("linalg.svd", np.zeros((0, 0)), hermitian=True, modes=EAGER)


@pytest.mark.full
def test_nan_has_no_singular_values():
    agree("linalg.svdvals", np.full((2, 2), np.nan), modes=BOTH)
    with pytest.raises(LOST):
        MODES[1](tfnp.linalg.svd)(np.full((2, 2), np.nan))
    assert np.isnan(MODES[2](tfnp.linalg.svdvals)(tf.constant([[np.nan, 1], [1, 1]]))).all()


def test_infinity_has_nan_for_singular_values():
    agree("linalg.svdvals", np.array([[np.inf, 0], [0, 1]]), modes=BOTH)


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
        with tf.GradientTape() as tape:
            tape.watch(a)
            result = tfnp.linalg.lstsq(a, a[:, 0])[0] if name == "lstsq" else getattr(tfnp.linalg, name)(a)
        return tape.gradient(result, a)

    def count_ops(size):
        function = tf.function(differentiate, autograph=False, jit_compile=True)
        graph = function.get_concrete_function(tf.TensorSpec((size, size), tf.float64)).graph.as_graph_def()
        return len(graph.node) + sum(len(body.node_def) for body in graph.library.function)

    assert count_ops(40) < 1.1 * count_ops(10)  # nothing is unrolled
