"""Where something is."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array, traced

NAN = np.array([[1.0, np.nan, 3.0], [-np.inf, 5.0, 2.0]], np.float32)


@pytest.mark.full
def test_nan_comes_first():
    for axis in (None, 0, 1):
        agree("argmax", NAN, axis)
        agree("argmin", NAN, axis)
        agree("nanargmax", NAN, axis)
    agree("argmax", np.array([1j, complex(0, np.nan), 5]))
    agree("nanargmax", np.full(3, np.nan), modes=("eager", "graph"))


def test_where_chooses():
    agree("where", array(2, 3) > 3, array(2, 3), 0.5)
    agree("where", array(3, dtype=np.int8), np.array([1, 2, 3], np.int8), 300)
    agree("where", [True, False], np.float32(1), 2.5, modes=("eager", "graph"))
    agree("where", array(2), 1, modes=("eager",))
    agree("where", array(*(1,) * 10) > 0, array(*(2,) * 10), 0, modes=("eager", "graph"))
    assert traced(lambda c, x: tfnp.where(c, x, -x), np.array([True, False]), array(2)).numpy().tolist() == [0, -7]


def test_a_size_makes_indices_fit_for_xla():
    find = tf.function(lambda x: tfnp.nonzero(x, size=4, fill_value=-1), jit_compile=True)
    assert find(tf.constant([0, 3, 0, 1]))[0].numpy().tolist() == [1, 3, -1, -1]
    assert tfnp.flatnonzero(tf.constant([1, 1, 1]), size=2).numpy().tolist() == [0, 1]
    assert tfnp.extract([0, 1, 1], [5, 6, 7], size=4, fill_value=9).numpy().tolist() == [6, 7, 9, 9]
    with pytest.raises(TypeError, match="pass size="):
        tf.function(tfnp.nonzero, jit_compile=True)(tf.constant([0, 3, 0, 1]))
