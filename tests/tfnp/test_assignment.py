"""Elements of a variable replaced."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array
from tfnp.routines.indexing import assignment


def test_numpy_writes_to_long_arrays():
    target, expected = tf.Variable(np.zeros((99, 99))), np.zeros((99, 99))
    indices, values = np.array([3, 9800, 3, -1, 0, 3] * 2000), np.arange(7.0)
    tfnp.put(target, indices, values)
    np.put(expected, indices, values)
    np.testing.assert_array_equal(target, expected)
    tfnp.put_along_axis(target, indices[None, :4] % 99, values[:4], 1)
    np.put_along_axis(expected, indices[None, :4] % 99, values[:4], 1)
    np.testing.assert_array_equal(target, expected)


@pytest.mark.parametrize(
    ("name", "args"), [("fill_diagonal", (1,)), ("put", ([3, 5], 1)), ("put_along_axis", (np.array([[3]]), 1, 1))]
)
def test_few_elements_are_scattered(name, args):
    """No array is made of the positions of all elements."""
    target = tf.Variable(np.zeros((40, 50)))
    function = tf.function(lambda: getattr(tfnp, name)(target, *args), autograph=False)
    tensors = [tensor for op in function.get_concrete_function().graph.get_operations() for tensor in op.outputs]
    assert not [tensor for tensor in tensors if tensor.dtype == tf.int64 and (tensor.shape.num_elements() or 0) > 100]
    assert "TensorScatterUpdate" in {tensor.op.type for tensor in tensors}


@pytest.mark.parametrize("name", assignment.__all__)
def test_a_tensor_never_changes(name):
    args = {"fill_diagonal": (1,), "put_along_axis": (np.zeros((1, 2), int), 1, 0)}.get(name, (np.ones((2, 2), int), 1))
    for target in (tf.zeros((2, 2)), np.zeros((2, 2))):
        with pytest.raises(TypeError, match=r"tf\.Variable"):
            getattr(tfnp, name)(target, *args)


def test_a_number_is_no_array_to_write_to():
    with pytest.raises(TypeError, match=r"tf\.Variable"):
        tfnp.put(np.float64(0), 0, 1)


def test_dims_may_be_unknown():
    v = tf.Variable(array(3, 3), shape=(None, None))
    expected = array(3, 3)
    for name, args in (
        ("put", ([1, -1], [70, 80])),
        ("put_along_axis", (np.array([[0], [1], [2]]), 60, 1)),
        ("place", (np.eye(3) > 0, [1, 2])),
        ("putmask", (np.ones((3, 3)) > 0, [3, 4])),
        ("fill_diagonal", (9,)),
    ):
        tf.function(getattr(tfnp, name), autograph=False)(v, *args)
        getattr(np, name)(expected, *args)
        assert np.array_equal(v, expected)


def test_a_variable_may_be_written_over_itself():
    v = tf.Variable([3.0, 1.0, 2.0])
    tfnp.put(v, [2, 1, 0], v)
    assert v.numpy().tolist() == [2, 1, 3]


@pytest.mark.parametrize("dtype", [np.float64, np.int8, bool])
def test_eager_updates_of_slices(dtype):
    """Integers that follow each other have bounds in common: none takes the elements of another."""
    numbered = (np.arange(24).reshape(4, 6) % 5).astype(dtype)

    def update(index, value):
        with tfnp.numpy_behavior():
            return tfnp.asarray(numbered).at[index].set(value)

    indices = [*range(-4, 4), (1, 2), (2, 1), (..., 3), np.s_[1:3], np.s_[::-1, 2:4], np.s_[4:2], None, (), np.s_[:0]]
    for index in indices:
        for value in (
            1,
            np.ones(numbered[index].shape, dtype),
            np.float32(1),
            tf.ones([1] * numbered[index].ndim, dtype),
        ):
            expected = numbered.copy()
            expected[index] = np.asarray(value)
            np.testing.assert_array_equal(update(index, value), expected, str(index))
    for index, value, error in [(4, 1, IndexError), ((0, -7), 1, IndexError), (0, [1, 2], ValueError)]:
        with pytest.raises(error):
            numbered.copy()[index] = value
        with pytest.raises(error):
            update(index, value)
