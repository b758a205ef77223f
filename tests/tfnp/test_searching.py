"""Where something is."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

NAN = np.array([[1.0, np.nan, 3.0], [-np.inf, 5.0, 2.0]], np.float32)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_extremes_of_every_dtype(dtype):
    for name in ("argmax", "argmin"):
        agree(name, array(3, 4, dtype=dtype), 1)


@pytest.mark.parametrize("axis", [None, 0, -1, 2, (0,), True])
def test_axes(axis):
    for name in ("argmax", "nanargmin"):
        agree(name, array(2, 3), axis, keepdims=True, modes=("eager", "graph"))


@pytest.mark.full
def test_nan_comes_first():
    for axis in (None, 0, 1):
        agree("argmax", NAN, axis)
        agree("argmin", NAN, axis)
        agree("nanargmax", NAN, axis)
    agree("argmax", np.array([1j, complex(0, np.nan), 5]))
    agree("nanargmax", np.full(3, np.nan), modes=("eager", "graph"))


def test_empty():
    agree("argmax", array(0), modes=("eager", "graph"))
    agree("argmin", array(3, 0), 0, modes=("eager", "graph"))
    agree("argmin", array(3, 0), 1, modes=("eager", "graph"))


def test_where_chooses():
    agree("where", array(2, 3) > 3, array(2, 3), 0.5)
    agree("where", array(3, dtype=np.int8), np.array([1, 2, 3], np.int8), 300)
    agree("where", [True, False], np.float32(1), 2.5, modes=("eager", "graph"))
    agree("where", array(2), 1, modes=("eager",))
    agree("where", array(*(1,) * 10) > 0, array(*(2,) * 10), 0, modes=("eager", "graph"))
    assert traced(lambda c, x: tfnp.where(c, x, -x), np.array([True, False]), array(2)).numpy().tolist() == [0, -7]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["nonzero", "argwhere", "flatnonzero"])
def test_indices_of_nonzero_elements(name):
    for shape in ((), (5,), (2, 3), (0, 3), (2, 1, 3, 2)):
        agree(name, array(*shape), modes=("eager", "graph"))
    agree(name, NAN, modes=("eager",))


def test_a_size_makes_indices_fit_for_xla():
    find = tf.function(lambda x: tfnp.nonzero(x, size=4, fill_value=-1), jit_compile=True)
    assert find(tf.constant([0, 3, 0, 1]))[0].numpy().tolist() == [1, 3, -1, -1]
    assert tfnp.flatnonzero(tf.constant([1, 1, 1]), size=2).numpy().tolist() == [0, 1]
    assert tfnp.extract([0, 1, 1], [5, 6, 7], size=4, fill_value=9).numpy().tolist() == [6, 7, 9, 9]
    with pytest.raises(TypeError, match="pass size="):
        tf.function(tfnp.nonzero, jit_compile=True)(tf.constant([0, 3, 0, 1]))


@pytest.mark.full
def test_positions_in_sorted_arrays():
    edges = np.array([1.0, 2.0, 2.0, 5.0, np.nan])
    for side in ("left", "right", "bogus"):
        agree("searchsorted", edges, np.array([0.0, 2.0, 6.0, np.nan]), side)
    agree("searchsorted", np.array([3, 1, 2]), np.array([2, 4]), sorter=np.array([1, 2, 0]))
    agree("searchsorted", np.array([1 + 1j, 2, 2 + 1j]), np.array([2 + 0j, 3]))
    agree("searchsorted", array(2, 3), 1, modes=("eager",))
    agree("digitize", np.array([0.5, 2.0, 7.0]), np.array([5.0, 2.0, 1.0]))
    agree("digitize", np.array([0.5, 2.0, 7.0]), np.array([1.0, 2.0, 5.0]), right=True)
    agree("digitize", np.array([0.5]), np.array([1.0, 5.0, 2.0]), modes=("eager",))


def test_the_gradient_of_a_choice():
    both = gradient(lambda x, y: tfnp.where(x > 1, x, y), np.array([1.0, 2.0]), np.array([5.0, 6.0]))
    assert [part.tolist() for part in both] == [[0, 4], [10, 0]]
