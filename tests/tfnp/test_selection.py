"""Elements picked out."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array


def test_compress_has_two_more_parameters_than_numpys():
    expected = list(inspect.signature(np.compress).parameters)
    assert list(inspect.signature(tfnp.compress).parameters) == [*expected, "size", "fill_value"]


def test_compress():
    agree("compress", np.array([True, False, True]), array(2, 3), 1, modes=("eager", "graph"))
    agree("compress", [0, 1], array(3), modes=("eager", "graph"))
    agree("compress", [0, 1, 0, 1], array(3), modes=("eager",))
    agree("compress", [[0, 1]], array(3), modes=("eager",))
    sized = tf.function(lambda m, x: tfnp.compress(m, x, size=2, fill_value=-1), jit_compile=True)
    assert sized(tf.constant([False, True, False]), tf.constant([1, 2, 3])).numpy().tolist() == [2, -1]
    part = tfnp.compress([False, True, False], array(2, 3), 1, size=2, fill_value=-1)
    np.testing.assert_array_equal(part, [[array(2, 3)[0, 1], -1], [array(2, 3)[1, 1], -1]])


def test_iterable():
    for value in (tf.ones(2), tf.Variable([1]), [1], "a"):
        assert tfnp.iterable(value)
    for value in (tf.ones(()), tf.Variable(1), 1, None):
        assert not tfnp.iterable(value)


def test_an_index_into_an_empty_axis_is_out_of_bounds():
    for shape in [(0, 0), (0, 2), (0,)]:
        with pytest.raises(IndexError):
            tfnp.take(tf.zeros(shape), tf.constant([0]), 0)


def test_indices_may_be_tensors():
    x = array(3, 4)
    for indices in (np.array([[0, 3], [2, 1], [1, 1]]), np.array([[0, -1], [2, 1], [1, 1]])):
        operands = tf.constant(x), tf.constant(indices)
        np.testing.assert_array_equal(tfnp.take(*operands, 1), np.take(x, indices, 1))
        np.testing.assert_array_equal(tfnp.take_along_axis(*operands, 1), np.take_along_axis(x, indices, 1))
