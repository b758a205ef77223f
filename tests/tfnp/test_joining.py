"""Arrays joined into one."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

NAMES = ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack")
LISTS = {
    "none": [],
    "one": [array(2, 3)],
    "two": [array(2, 3), array(2, 3)],
    "other dims": (array(2, 3), array(1, 3)),
    "other ranks": [array(2, 3), array(3)],
    "scalars": [1, 2.5],
    "0-d arrays": [array(), array()],
    "an array": array(2, 3, 2),
    "no sequence": 5,
    "lists": [[1, 2], [3.5]],
    "empty": [array(0), array(2)],
    "dtypes": [array(2, dtype=np.int8), array(2, dtype=np.uint8)],
    "numbers and arrays": [array(2), 3],
    "deep": [array(*(1,) * 15), array(*(1,) * 15)],
}


@pytest.mark.sample(22)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("arrays", LISTS.values(), ids=LISTS)
def test_every_way_to_join(name, arrays):
    agree(name, arrays, modes=("eager", "graph"))


@pytest.mark.sample(4)
@pytest.mark.parametrize("axis", [0, 1, -1, -3, 2, None, True, 1.0, (0,)])
def test_axes(axis):
    for name in ("concatenate", "stack"):
        agree(name, [array(2, 3), array(2, 3)], axis)


@pytest.mark.sample(5)
@pytest.mark.parametrize("first", DTYPES)
def test_the_common_dtype(first):
    for second in (np.int8, np.uint16, np.float32, np.complex64):
        agree("concatenate", [array(2, dtype=first), array(3, dtype=second)], modes=("eager",))
        agree("stack", [array(2, dtype=first), array(2, dtype=second)], dtype=np.float32, modes=("eager",))
        agree("hstack", [array(2, dtype=first)], dtype=second, casting="safe", modes=("eager",))
    agree("concatenate", [array(2, dtype=first), array(3, dtype=first)])


def test_a_python_scalar_is_weak_along_no_axis_only():
    agree("concatenate", [1.5, np.float32(2)], None)
    agree("hstack", [1.5, np.float32(2)])


@pytest.mark.sample(5)
@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe", "wrong"])
def test_casting(casting):
    agree("concatenate", [array(2), array(2, dtype=np.int64)], casting=casting)
    agree("concatenate", [array(2)], dtype=np.int8, casting=casting)


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


BLOCKS = [
    1,
    array(2),
    [1, 2.5],
    [[array(2, 2), array(2, 1)], [array(1, 2), array(1, 1)]],
    [array(1), array(1, 1)],
    [[array(2, dtype=np.int8), array(2)]],
    [[[array(2)], [array(2)]]],
    [[1, 2], 3],
    [[], [1]],
    [],
    [(1, 2)],
    [[array(2, 2)], [array(3)]],
]


@pytest.mark.parametrize("blocks", BLOCKS, ids=range(len(BLOCKS)))
def test_block(blocks):
    agree("block", blocks, modes=("eager", "graph"))


def test_unknown_dims():
    result = traced(lambda x, y: tfnp.concatenate([x, y], 1), array(2, 3), array(2, 1))
    np.testing.assert_array_equal(result, np.concatenate([array(2, 3), array(2, 1)], 1))
    with pytest.raises(ValueError, match="number of arrays"):
        traced(tfnp.vstack, array(2, 3))


def test_gradients():
    slopes = gradient(lambda x, y: tfnp.hstack([x, tfnp.stack([y, y], 1)]), array(3, 1), array(3))
    np.testing.assert_array_equal(slopes[0], 2 * array(3, 1))
    np.testing.assert_array_equal(slopes[1], 4 * array(3))


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
