"""Arrays gone through."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array, take_gradient

SHAPES = [(), (3,), (2, 3), (0, 2), (2, 1, 2)]


@pytest.mark.parametrize("shape", SHAPES)
def test_elements_with_their_indices(shape):
    expected = list(np.ndenumerate(array(*shape)))
    result = list(tfnp.ndenumerate(array(*shape)))
    assert [index for index, _ in result] == [index for index, _ in expected]
    assert all(isinstance(value, tf.Tensor) and value.shape == () for _, value in result)
    assert [float(value) for _, value in result] == [float(value) for _, value in expected]
    assert list(tfnp.ndindex(*shape)) == [index for index, _ in expected]


@pytest.mark.parametrize(
    "arrays",
    [(), (array(3),), (array(3), 2), (array(2, 1), array(3)), (array(2, 0), array(2, 1)), (array(), array(1, 2), 5)],
)
def test_arrays_against_one_another(arrays):
    expected, result = np.broadcast(*arrays), tfnp.broadcast(*arrays)
    for name in ("shape", "size", "nd", "ndim", "numiter", "index"):
        assert getattr(result, name) == getattr(expected, name)
    for _ in range(2):
        assert [list(map(float, row)) for row in result] == [list(map(float, row)) for row in expected]
        assert result.index == expected.index
        result.reset()
        expected.reset()
    assert [list(map(float, row)) for row in zip(*result.iters, strict=True)] == [*map(list, expected)] * bool(arrays)
    assert tfnp.broadcast(result, 1).numiter == np.broadcast(expected, 1).numiter


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match="broadcast"):
        tfnp.broadcast(array(2), array(3))


def test_shape_must_be_static_in_a_graph():
    add = tf.function(lambda x: tf.add_n([value * index[0] for index, value in tfnp.ndenumerate(x)]), autograph=False)
    assert add(tf.constant([1.0, 2.0, 3.0])) == 8
    shape = tf.function(lambda x: tfnp.broadcast(x, tf.zeros((2, 1))).size, [tf.TensorSpec([None])], autograph=False)
    assert shape(tf.zeros(3)) == 6
    for name in ("ndenumerate", "broadcast"):
        with pytest.raises(TypeError, match="must be static"):
            tf.function(lambda x, name=name: next(getattr(tfnp, name)(x)), [tf.TensorSpec([None])], autograph=False)(
                tf.zeros(3)
            )


def test_gradient():
    x = tf.constant([1.0, 2.0])
    assert take_gradient(
        lambda x: sum(a * b for a, b in tfnp.broadcast(x, tf.constant([[1.0], [3.0]]))), x
    ).numpy().tolist() == [4, 4]


def test_they_are_classes():
    assert inspect.isclass(tfnp.broadcast)
    assert isinstance(tfnp.ndenumerate([1]), tfnp.ndenumerate)
