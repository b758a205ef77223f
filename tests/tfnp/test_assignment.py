"""Elements of a variable replaced."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array
from tfnp.routines.indexing import assignment

LATER = ("eager", "graph")


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    x, two = array(3, 4, dtype=dtype), array(2, dtype=dtype)
    agree("put", x, np.array([[0, -1], [2, 5]]), two, modes=LATER)
    agree("place", x, x == 0, two, modes=LATER)
    agree("putmask", x, np.arange(12) % 3 == 0, two, modes=LATER)
    agree("fill_diagonal", x, two, modes=LATER)
    agree("put_along_axis", x, np.array([[1], [0], [-1]]), two[1:], 1, modes=LATER)


@pytest.mark.full
def test_of_several_values_the_last_remains():
    indices = np.arange(10_000) % 7
    agree("put", array(7), indices, array(10_000))
    agree("put_along_axis", array(2, 7), indices[None], array(2, 10_000), 1)
    agree("put_along_axis", array(1, 3), np.array([[0, 1, 0], [2, 2, 2]]), array(2, 3), 1)


def test_of_several_values_for_one_of_many_elements_the_last_remains():
    agree("put", array(99), np.array([3, 98, 3, -1, 0, 3]), np.arange(6))
    agree("put", array(99), np.array([3, 98, 3, -1, 0, 3]), [7, 8])
    agree("put_along_axis", array(60, 2), np.array([[3, 3], [5, 0], [3, 3]]), array(3, 2), 0)


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


@pytest.mark.sample(3)
@pytest.mark.parametrize("mode", ["raise", "wrap", "clip", "bogus", 1, None])
def test_modes(mode):
    agree("put", array(3), np.array([-4, 1, 5]), [8, 9], mode, modes=LATER)
    agree("put", array(3), np.array([-1, 1]), [8, 9], mode, modes=LATER)


@pytest.mark.parametrize(
    ("indices", "values"),
    [([], 1), (0, []), (7, []), ([0.5], 1), (np.array([0.5]), 1), ([True], 2), (1, "a"), (0, 1j), (0, np.nan), (3, 1)],
)
def test_dtypes_of_indices_and_values(indices, values):
    for dtype in (np.float32, np.int8):
        agree("put", array(3, dtype=dtype), indices, values, modes=("eager",))


@pytest.mark.full
def test_into_empty():
    agree("put", array(0), [0], 1)
    agree("put", array(0), [], 1)
    agree("place", array(0), array(0) > 0, [])
    agree("putmask", array(0), array(0) > 0, 1)
    agree("fill_diagonal", array(0, 3), 1)
    agree("fill_diagonal", array(3, 0), 1)
    agree("put_along_axis", array(0, 2), np.zeros((0, 2), int), 1, 0)
    agree("put_along_axis", array(2, 0), np.zeros((2, 1), int), 1, 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("values", [1, [1, 2], [], 300, 1.5, np.float64(1.5), np.array(1.5), np.arange(3), 1j, "a"])
def test_masked_assignment(values):
    mask = np.array([[True, False, True], [False, True, True]])
    for dtype in (np.float32, np.int8, bool):
        for name in ("place", "putmask"):
            agree(name, array(2, 3, dtype=dtype), mask, values, modes=LATER)
    agree("place", array(2, 3), np.zeros(6, bool), values, modes=LATER)
    agree("place", array(2, 3), np.ones(5, bool), values, modes=LATER)


@pytest.mark.full
def test_compiled():
    x, mask = array(3, 3), np.eye(3) > 0
    agree("put", x, [3, 3, 1], [1, 2, 3])
    agree("place", x, mask, [1, 2])
    agree("putmask", x, mask, [1, 2])
    agree("fill_diagonal", x, [1, 2])
    agree("put_along_axis", x, np.array([[2], [0], [1]]), 5, 1)


@pytest.mark.sample(5)
@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("shape", [(3,), (3, 3), (2, 5), (7, 2), (3, 3, 3), (2, 2, 2, 2), (2, 3, 2), (1, 1)])
def test_diagonals(shape, wrap):
    agree("fill_diagonal", array(*shape), np.array([5, 6]), wrap, modes=LATER)
    agree("fill_diagonal", array(*shape), -1, wrap, modes=("eager",))
    agree("fill_diagonal", array(*shape), [], wrap, modes=("eager",))


@pytest.mark.sample(9)
@pytest.mark.parametrize(
    ("indices", "values", "axis"),
    [
        (np.array([0, 5, -1]), [1, 2], None),
        (np.array([0, 5, -1]), [1, 2, 3], None),
        (np.array([[0]]), 1, None),
        (np.array([[0, 1]]), 5, 0),
        (np.array([[0, 1, 2]]), np.array([[[7]]]), 0),
        (np.array([[0, 1, 2]]), np.arange(3), -1),
        (np.array([[0, 1, 2]]), np.arange(4), -1),
        (np.array([[0.0]]), 1, 0),
        (np.array([0]), 1, 0),
        (np.array([[9, 0, 0, 0]]), 1, 0),
        (np.array([[0, 0, 0, 0]]), 1, 2),
    ],
)
def test_along_an_axis(indices, values, axis):
    agree("put_along_axis", array(3, 4), indices, values, axis, modes=LATER)


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
