"""Arrays written to."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array

SOURCES = [
    1,
    2.5,
    300,
    -1,
    True,
    1j,
    array(3),
    array(3, dtype=np.int64),
    array(2, 1),
    array(1, 2, 3),
    array(4),
    [1, 2, 3],
    np.float64(2),
]
OPTIONS = [{}, {"casting": "unsafe"}, {"casting": "no"}, {"casting": "wrong"}, {"where": np.array([True, False, True])}]
OPTIONS += [{"where": [[True], [False]]}, {"where": False}, {"where": 1}, {"where": array(3)}]


def written(module, destination, source, options):
    try:
        assert module.copyto(destination, source, **options) is None
    except (TypeError, ValueError, OverflowError) as error:
        return type(error)
    return np.asarray(destination).tolist()


@pytest.mark.sample(63)
@pytest.mark.parametrize("source", SOURCES, ids=map(str, SOURCES))
@pytest.mark.parametrize("options", OPTIONS, ids=map(str, OPTIONS))
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_copyto(source, options):
    for dtype in (np.float32, np.int8, bool, np.complex64):
        expected = written(np, np.zeros((2, 3), dtype), source, options)
        assert written(tfnp, tf.Variable(np.zeros((2, 3), dtype)), source, options) == expected


def test_a_tensor_never_changes():
    with pytest.raises(TypeError, match="Variable"):
        tfnp.copyto(tf.zeros(3), 1)


def test_in_a_graph():
    v = tf.Variable([1.0, 2.0])
    tf.function(lambda x: tfnp.copyto(v, x, where=[True, False]), autograph=False)(tf.constant([7.0, 8.0]))
    assert v.numpy().tolist() == [7, 2]


def test_an_array_copied_to_itself_is_left_alone():
    values = np.zeros(1)
    assert np.copyto(values, values, where=[False, False]) is None
    variable = tf.Variable(values)
    assert tfnp.copyto(variable, variable, where=[False, False]) is None
    assert variable.numpy() == 0
