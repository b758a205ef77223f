"""Arrays joined into one."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, traced


def test_out_is_a_variable():
    out = tf.Variable(tf.zeros(4, tf.float64))
    result = tfnp.concatenate([tf.constant([1.0, 2.0]), tf.constant([3, 4])], out=out)
    assert result is out
    assert out.numpy().tolist() == [1, 2, 3, 4]
    with pytest.raises(TypeError, match="Variable"):
        tfnp.concatenate([tf.zeros(2)], out=tf.zeros(2))
    with pytest.raises(ValueError, match="shape"):
        tfnp.stack([tf.zeros(2)], out=tf.Variable(tf.zeros(2)))
    with pytest.raises(TypeError, match="both"):
        tfnp.concatenate([tf.zeros(4)], out=out, dtype=np.float64)


def test_the_number_of_arrays_must_be_static():
    with pytest.raises(ValueError, match="number of arrays"):
        traced(tfnp.vstack, array(2, 3))


def test_the_old_name_of_vstack():
    with pytest.warns(DeprecationWarning, match="row_stack"):
        assert tfnp.row_stack([array(2), array(1, 2)]).shape == (2, 2)
    with pytest.warns(DeprecationWarning, match="row_stack"):
        agree("row_stack", [array(2), array(3, 2)], dtype=np.int8, casting="unsafe")
    assert inspect.signature(tfnp.row_stack).parameters.keys() == inspect.signature(np.row_stack).parameters.keys()


@pytest.mark.parametrize("jit_compile", [False, True])
def test_blocks_of_unknown_rank_are_traced_once_for_each_common_rank(jit_compile):
    """A branch for each rank of each block would take half a minute to trace."""
    specs = [tf.TensorSpec(None, tf.float64)] * 4
    block = tf.function(
        lambda a, b, c, d: tfnp.block([[a, b], [c, d]]), specs, autograph=False, jit_compile=jit_compile
    )
    assert len(block.get_concrete_function().graph.as_graph_def().library.function) < 60
    for shapes in (
        [(), (1,), (1, 1), ()],
        [(2, 2), (2, 1), (1, 2), (1, 1)],
        [(3, 2, 2), (3, 2, 1), (3, 1, 2), (3, 1, 1)],
    ):
        a, b, c, d = (np.arange(float(np.prod(shape))).reshape(shape) for shape in shapes)
        np.testing.assert_array_equal(block(a, b, c, d), np.block([[a, b], [c, d]]))
