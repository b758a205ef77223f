"""Elements picked out."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced


def test_compress_has_two_more_parameters_than_numpys():
    expected = list(inspect.signature(np.compress).parameters)
    assert list(inspect.signature(tfnp.compress).parameters) == [*expected, "size", "fill_value"]


@pytest.mark.sample(6)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_take_from_every_dtype(dtype):
    agree("take", array(3, 4, dtype=dtype), np.array([[0, -1], [2, 1]]), 1, modes=("eager", "graph"))


@pytest.mark.sample(5)
@pytest.mark.parametrize("mode", ["raise", "wrap", "clip", "bogus", 1, None])
def test_modes_of_indices(mode):
    agree("take", array(3), np.array([-4, 1, 5]), mode=mode, modes=("eager", "graph"))
    agree("choose", np.array([0, 1, 0]), [array(3), 9], mode=mode, modes=("eager", "graph"))


@pytest.mark.parametrize(
    "indices", [0, [], [1, 0], [True, False], [0.0], np.array([0.0]), np.array([2], np.uint64), 7, -4]
)
def test_dtypes_of_indices(indices):
    agree("take", array(3), indices, modes=("eager", "graph"))


def test_take_from_empty():
    agree("take", array(0), [0], modes=("eager",))
    agree("take", array(0), [], modes=("eager",))
    agree("take", array(0, 3), [5], axis=1, modes=("eager",))


def test_take_into():
    agree("take", array(2, 3), [1], axis=1, out=np.zeros((2, 1), np.float32), modes=("eager",))
    agree("take", array(2, 3), [1], axis=1, out=np.zeros((2, 2), np.float32), modes=("eager",))
    agree("take", array(2, 3), [1], axis=1, out=np.zeros((2, 1)), modes=("eager",))


@pytest.mark.full
def test_take_along_axis():
    agree("take_along_axis", array(2, 3), np.array([[0, -1], [2, 1]]), 1)
    agree("take_along_axis", array(2, 3), np.array([[1]]), 0)
    agree("take_along_axis", array(2, 3), np.array([4, 0]), None)
    for indices in (np.array([0]), np.array([[0.0]]), np.array([[3]]), np.zeros((3, 1), int)):
        agree("take_along_axis", array(2, 3), indices, 1, modes=("eager",))


def test_compress():
    agree("compress", np.array([True, False, True]), array(2, 3), 1, modes=("eager", "graph"))
    agree("compress", [0, 1], array(3), modes=("eager", "graph"))
    agree("compress", [0, 1, 0, 1], array(3), modes=("eager",))
    agree("compress", [[0, 1]], array(3), modes=("eager",))
    sized = tf.function(lambda m, x: tfnp.compress(m, x, size=2, fill_value=-1), jit_compile=True)
    assert sized(tf.constant([False, True, False]), tf.constant([1, 2, 3])).numpy().tolist() == [2, -1]
    part = tfnp.compress([False, True, False], array(2, 3), 1, size=2, fill_value=-1)
    np.testing.assert_array_equal(part, [[array(2, 3)[0, 1], -1], [array(2, 3)[1, 1], -1]])


def test_select():
    x = array(5)
    agree("select", [x < 3, x > 7], [x, x * 2], 100)
    agree("select", [x < 3], [np.array(1, np.int8)], 2.5)
    agree("select", [], [], modes=("eager",))
    agree("select", [x], [x], modes=("eager",))


def test_iterable():
    for value in (tf.ones(2), tf.Variable([1]), [1], "a"):
        assert tfnp.iterable(value)
    for value in (tf.ones(()), tf.Variable(1), 1, None):
        assert not tfnp.iterable(value)


def test_the_gradient_of_taking():
    assert gradient(lambda x: tfnp.take(x, [0, 0, 2]), np.array([1.0, 2.0, 3.0]))[0].tolist() == [4, 0, 6]


def test_unknown_dims():
    np.testing.assert_array_equal(traced(lambda x: tfnp.take(x, [0, -1], 1), array(2, 3)), array(2, 3)[:, [0, -1]])
    np.testing.assert_array_equal(traced(tfnp.take, array(4), np.array([[1], [-1]])), array(4)[[[1], [-1]]])
    indices = np.array([[1, 0], [0, 2]])
    actual = traced(lambda x, i: tfnp.take_along_axis(x, i, 1), array(2, 3), indices)
    np.testing.assert_array_equal(actual, np.take_along_axis(array(2, 3), indices, 1))
    np.testing.assert_array_equal(traced(lambda x: tfnp.compress(x > 3, x), array(4)), np.array([7.0, 4.0]))
    np.testing.assert_array_equal(traced(lambda i, x: tfnp.choose(i, [x, 9]), np.array([1, 0]), array(2)), [9.0, 7.0])
    np.testing.assert_array_equal(traced(lambda x: tfnp.select([x > 3], [x], -1), array(3)), [-1.0, 7.0, 4.0])


def test_an_index_into_an_empty_axis_is_out_of_bounds():
    for shape in [(0, 0), (0, 2), (0,)]:
        with pytest.raises(IndexError):
            tfnp.take(tf.zeros(shape), tf.constant([0]), 0)
