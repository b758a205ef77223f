"""Products of vectors and matrices."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced
from tests.tfnp.linalg.matrices import random, small

EAGER = ("eager",)
BOTH = ("eager", "graph")


@pytest.mark.sample(10)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("linalg.outer", array(3, dtype=dtype), array(2, dtype=dtype), modes=EAGER)
    agree("linalg.diagonal", array(2, 3, 3, dtype=dtype), offset=1, modes=EAGER)
    agree("linalg.matrix_transpose", array(2, 3, 1, dtype=dtype), modes=EAGER)
    agree("linalg.matmul", array(2, 3, dtype=dtype), array(3, 2, dtype=dtype), modes=EAGER)
    agree("linalg.vecdot", array(2, 3, dtype=dtype), array(3, dtype=dtype), modes=EAGER)
    agree("linalg.tensordot", array(2, 3, dtype=dtype), array(3, 2, dtype=dtype), axes=1, modes=EAGER)


def test_vectors_in_space_only():
    agree("linalg.cross", array(2, 3), array(3), modes=BOTH)
    agree("linalg.cross", array(3, 2), array(3, 2), axis=0, modes=BOTH)
    for shapes in [(2, 3), (3, 2)]:
        agree("linalg.cross", array(shapes[0]), array(shapes[1]), modes=BOTH)
    agree("linalg.cross", array(3), 1.0, modes=BOTH)
    agree("linalg.outer", array(3, 1), array(3), modes=BOTH)


@pytest.mark.parametrize("power", [0, 1, 2, 3, 4, 7, -1, -2, 1.5, "a"], ids=str)
def test_powers(power):
    for matrix in (small(2, 3, 3), small(2, 2, dtype=np.int32), np.eye(2, dtype=bool), random(0, 0), random(2, 3)):
        agree("linalg.matrix_power", matrix, power, modes=EAGER)


@pytest.mark.full
def test_powers_of_a_singular_matrix():
    agree("linalg.matrix_power", np.zeros((2, 2)), -1, modes=BOTH)
    agree("linalg.matrix_power", random(3, 3, dtype=np.complex64), -2, modes=("xla",))


CHAINS = [
    [(2, 3), (3, 2)],
    [(2, 3), (3, 4), (4, 1)],
    [(3,), (3, 4), (4, 2), (2,)],
    [(9, 1), (1, 9), (9, 2), (2, 3)],
    [(3,), (3, 2), (2, 2)],
    [(2, 2), (2, 2), (2,)],
    [(2, 2)],
    [(2, 2), (2, 2, 2), (2, 2)],
    [(2, 3), (2, 3), (3, 2)],
]


@pytest.mark.parametrize("shapes", CHAINS, ids=str)
def test_chains(shapes):
    agree("linalg.multi_dot", [random(*shape) for shape in shapes], modes=BOTH)


def test_a_chain_in_a_variable():
    matrices, out = [random(2, 2)] * 3, tf.Variable(tf.zeros((2, 2), tf.float64))
    assert tfnp.linalg.multi_dot(matrices, out=out) is out
    np.testing.assert_allclose(out, np.linalg.multi_dot(matrices))
    with pytest.raises(TypeError):
        tfnp.linalg.multi_dot(matrices, out=tf.zeros((2, 2), tf.float64))


def test_unknown_sides():
    matrices = [random(2, 3), random(3, 4), random(4, 2), random(2, 2)]
    found = traced(lambda *parts: tfnp.linalg.multi_dot(list(parts)), *matrices)
    np.testing.assert_allclose(found, np.linalg.multi_dot(matrices))
    np.testing.assert_allclose(traced(lambda x: tfnp.linalg.matrix_power(x, 0), random(3, 3)), np.eye(3))


def test_the_namespace():
    assert tfnp.linalg.LinAlgError is np.linalg.LinAlgError
    assert {name for name in dir(np.linalg) if not name.startswith("_")} - set(dir(tfnp.linalg)) <= {"linalg", "test"}


def test_multi_dot_traces_branches_for_the_ranks_of_its_ends_only():
    """With those of all five matrices, tracing would take nine seconds."""
    specs = [tf.TensorSpec(None, tf.float64)] * 5
    function = tf.function(lambda *arrays: tfnp.linalg.multi_dot(list(arrays)), specs, autograph=False)
    assert len(function.get_concrete_function().graph.as_graph_def().library.function) < 100
    matrices = [np.arange(6.0).reshape(2, 3), np.ones((3, 2)), np.eye(2), np.ones((2, 4)), np.arange(4.0)]
    np.testing.assert_allclose(function(*matrices), np.linalg.multi_dot(matrices))
    with pytest.raises(tf.errors.InvalidArgumentError):
        function(*matrices[:2], np.ones(2), *matrices[3:])
