"""`array.flat` does what NumPy's does: read and go through, of a variable write."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import tensorflow as tf

import tfnp

ARRAY = np.arange(12, dtype=np.int32).reshape(3, 2, 2)
KEYS = [
    0,
    -1,
    5,
    slice(2, 9, 3),
    slice(None, None, -2),
    ...,
    [1, 4, -2],
    np.array([[0, 3]]),
    ARRAY.ravel() % 3 == 0,
    (7,),
    [],
]
WRONG = [12, -13, (1, 2), None, [99], "a", np.ones(3, bool), (slice(2), 0)]
VALUES = [-1, [-1, -2], 2.9, np.array([[7, 8], [9, 10]]), range(30), True]


@pytest.fixture(autouse=True)
def behaviour():
    with tfnp.numpy_behavior():
        yield


def outcome(work):
    try:
        return "ok", np.asarray(work()).tolist()
    except (LookupError, TypeError, ValueError) as error:
        return "error", next(kind.__name__ for kind in type(error).__mro__ if kind.__module__ == "builtins")


@pytest.mark.parametrize("key", [*KEYS, *WRONG], ids=str)
@pytest.mark.parametrize("make", [tf.constant, tf.Variable])
def test_reading(key, make):
    assert outcome(lambda: make(ARRAY).flat[key]) == outcome(lambda: ARRAY.flat[key])


def writing(key, value):
    def write(target):
        target.flat[key] = value
        return 0

    return write


@pytest.mark.sample(82)
@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("key", [*KEYS, *WRONG], ids=str)
def test_writing(key, value):
    variable, array = tf.Variable(ARRAY), ARRAY.copy()
    write = writing(key, value)
    assert outcome(lambda: write(variable)) == outcome(lambda: write(array))
    assert variable.numpy().tolist() == array.tolist()


@pytest.mark.sample(2)
@pytest.mark.parametrize("value", VALUES, ids=str)
def test_writing_in_a_graph(value):
    for key in KEYS:
        variable, array = tf.Variable(ARRAY), ARRAY.copy()
        write = writing(key, value)
        found = outcome(partial(tf.function(write, autograph=False), variable))
        assert found == outcome(partial(write, array)), key
        assert variable.numpy().tolist() == array.tolist(), key


def test_all_of_it_is_assigned():
    variable, array = tf.Variable(ARRAY), ARRAY.copy()
    variable.flat, array.flat = [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]
    assert variable.numpy().tolist() == array.tolist()
    variable.flat[1:3] = tf.constant([70.5, 80.5])
    assert variable.numpy().ravel()[:4].tolist() == [1, 70, 80, 4]


def test_going_through():
    ours, theirs = tf.constant(ARRAY).flat, ARRAY.flat
    assert (len(ours), ours.index, ours.coords) == (len(theirs), theirs.index, theirs.coords)
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        assert (one.shape, int(one), ours.index) == ((), other, theirs.index)
        if number < 11:
            assert ours.coords == theirs.coords
    assert next(ours, None) is None
    assert [*tf.constant(5).flat] == [5]


def test_it_is_an_array_where_one_is_wanted():
    flat = tf.constant(ARRAY).flat
    assert np.asarray(flat).tolist() == flat.copy().numpy().tolist() == [*range(12)]
    assert tfnp.sum(flat) == 66
    assert tf.reduce_sum(flat) == 66
    assert ((flat == ARRAY.flat).all(), (flat > 5).sum().item()) == (True, 6)
    assert tf.function(lambda x: tfnp.sum(x.flat), autograph=False)(tf.constant(ARRAY)) == 66


def test_a_tensor_is_not_written_to():
    tensor = tf.constant(ARRAY)
    with pytest.raises(TypeError, match="never changes"):
        tensor.flat[0] = 1
    with pytest.raises(TypeError, match=r"tensor\.at"):
        tensor.flat = 1
    with pytest.raises(TypeError, match=r"^a tf\.Tensor does not support item assignment"):
        tensor[0] = 1
