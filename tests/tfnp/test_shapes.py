"""The machinery under every routine: what it promises."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tfnp._core import shapes


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ((), (2, 3)),
        ((3,), (2, 3)),
        ((2, 1), (1, 1, 2, 3)),
        ((1, 2, 1, 2, 1, 2, 1), (2, 2, 2, 2, 2, 2, 2)),
        ((0,), (3, 0)),
    ],
)
@pytest.mark.parametrize("dtype", [np.uint16, np.float32, np.bool_])
def test_broadcast_to_every_rank_and_dtype(source, target, dtype):
    array = (np.arange(np.prod(source, dtype=int)) % 2).astype(dtype).reshape(source)
    result = shapes.broadcast_to(tf.constant(array), target)
    np.testing.assert_array_equal(result.numpy(), np.broadcast_to(array, target))


def test_broadcast_to_a_dynamic_shape():
    @tf.function(input_signature=[tf.TensorSpec([None, 1]), tf.TensorSpec([None], tf.int32)], autograph=False)
    def widen(x, like):
        return shapes.broadcast_to(x, (*shapes.shape(x)[:1], tf.size(like)))

    assert widen(tf.ones((2, 1)), tf.zeros(3, tf.int32)).shape == (2, 3)


@pytest.mark.parametrize("lengths", [(0, 1), (1, 0), (1, 3), (3, 1), (1, 1), (3, 3), (0, 0)], ids=str)
def test_unknown_dims_broadcast(lengths):
    vector = tf.TensorSpec([None], tf.float32)
    broadcast = tf.function(tfnp.broadcast_arrays, input_signature=[vector, vector], autograph=False)
    expected = np.broadcast_shapes(*[(length,) for length in lengths])
    assert [tuple(array.shape) for array in broadcast(*map(tf.ones, lengths))] == [expected] * 2


@pytest.mark.parametrize(("source", "target"), [((2,), (3,)), ((2, 3), (3,)), ((2,), (2, 1))])
def test_shapes_that_do_not_broadcast_raise(source, target):
    with pytest.raises(ValueError, match="could not be broadcast"):
        shapes.broadcast_to(tf.zeros(source), target)


def test_axes_are_checked_as_numpy_checks_them():
    assert shapes.normalize_axes((0, -1), 3) == (0, 2)
    assert shapes.normalize_axes(None, 2) == (0, 1)
    assert shapes.normalize_axis(np.int8(-2), 3) == 1
    for bad, error in [(3, np.exceptions.AxisError), (-4, np.exceptions.AxisError), (1.0, TypeError), ("0", TypeError)]:
        with pytest.raises(error):
            shapes.normalize_axis(bad, 3)
    with pytest.raises(ValueError, match="repeated axis"):
        shapes.normalize_axes((0, -3), 3)


def test_shape_arguments():
    assert shapes.as_shape(5) == (5,)
    assert shapes.as_shape(tf.constant([2, 3])) == (2, 3)
    assert shapes.as_shape(tf.TensorShape([2, 3])) == shapes.as_shape(np.array([2, 3])) == (2, 3)
    with pytest.raises(ValueError, match="negative dimensions"):
        shapes.as_shape((2, -1))
    for bad in ("23", 2.0, (2.0,), None):
        with pytest.raises(TypeError):
            shapes.as_shape(bad)
