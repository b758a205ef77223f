"""Shapes, other shapes for the same elements, and broadcasting."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced


def test_a_float_is_no_side_even_after_an_equal_int_was():
    tfnp.reshape(tf.zeros((2, 3)), (3, 2))
    with pytest.raises(TypeError):
        tfnp.reshape(tf.zeros((2, 3)), (3.0, 2.0))


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", DTYPES)
def test_broadcast_in_every_dtype_above_the_ranks_of_the_kernels(dtype):
    agree("broadcast_to", array(3, dtype=dtype), (2, 3))
    agree("broadcast_to", array(2, 1, 2, 1, 2, 1, 2, 1, dtype=dtype), (2,) * 8)


def test_broadcast_to_sixteen_axes():
    agree("broadcast_to", array(*(2, 1) * 8), (2,) * 16)


def test_unknown_dims_stay_tensors():
    assert traced(lambda x: tf.stack(tfnp.shape(x)), array(2, 3)).numpy().tolist() == [2, 3]
    assert traced(tfnp.size, array(2, 3)) == 6
    np.testing.assert_array_equal(
        traced(lambda x: tfnp.reshape(x, (3, -1), "F"), array(2, 3)), array(2, 3).reshape((3, -1), order="F")
    )
    np.testing.assert_array_equal(
        traced(lambda x: tfnp.broadcast_to(x, (2, 3)), array(3)), np.broadcast_to(array(3), (2, 3))
    )


def test_ravel_needs_no_rank_and_others_say_so():
    np.testing.assert_array_equal(traced(tfnp.ravel, array(2, 3), rank=False), array(6))
    with pytest.raises(ValueError, match="rank"):
        traced(lambda a: tfnp.atleast_2d(a) if tfnp.ndim(a) else a, array(2, 3), rank=False)


def test_shape_must_be_static():
    agree("broadcast_shapes", np.array([7, 3, 10, 100]), modes=("eager",))
    with pytest.raises(TypeError, match="must be static"):
        tf.function(tfnp.broadcast_shapes)(tf.constant([2, 3]))
