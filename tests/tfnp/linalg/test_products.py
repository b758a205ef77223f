"""Products of vectors and matrices."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree
from tests.tfnp.linalg.matrices import random

BOTH = ("eager", "graph")


@pytest.mark.full
def test_powers_of_a_singular_matrix():
    agree("linalg.matrix_power", np.zeros((2, 2)), -1, modes=BOTH)
    agree("linalg.matrix_power", random(3, 3, dtype=np.complex64), -2, modes=("xla",))


def test_a_chain_in_a_variable():
    matrices, out = [random(2, 2)] * 3, tf.Variable(tf.zeros((2, 2), tf.float64))
    assert tfnp.linalg.multi_dot(matrices, out=out) is out
    np.testing.assert_allclose(out, np.linalg.multi_dot(matrices))
    with pytest.raises(TypeError):
        tfnp.linalg.multi_dot(matrices, out=tf.zeros((2, 2), tf.float64))


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
