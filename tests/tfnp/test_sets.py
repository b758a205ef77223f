"""Unique elements, and sets of them."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced

DYNAMIC = ("eager", "graph")
NAN = np.array([np.nan, 1.0, -0.5, np.nan, 1.0, np.inf], np.float32)
OPERATIONS = ("intersect1d", "union1d", "setdiff1d", "setxor1d")


@pytest.mark.sample(6)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("unique", array(3, 5, dtype=dtype), True, True, True, modes=("eager",))
    agree("isin", array(3, 5, dtype=dtype), array(4, dtype=dtype), modes=("eager",))
    for name in OPERATIONS:
        agree(name, array(3, 5, dtype=dtype), array(4, dtype=dtype), modes=("eager",))


@pytest.mark.sample(5)
@pytest.mark.parametrize("axis", [None, 0, 1, -1, 2, (0,), 1.0])
def test_axes(axis):
    rows = np.array([[1, 2, 1], [0, 2, 0], [1, 2, 1]], np.float32)
    agree("unique", rows, True, True, True, axis, modes=DYNAMIC)
    agree("unique", rows[0], axis=axis, modes=("eager",))


@pytest.mark.full
def test_nan_is_one_or_many():
    for equal in (True, False):
        agree("unique", NAN, return_counts=True, return_index=True, equal_nan=equal, modes=DYNAMIC)
    agree("unique", np.array([[np.nan, 1], [np.nan, 1]]), axis=0, modes=DYNAMIC)
    agree("unique", np.array([1j, complex(0, np.nan), complex(np.nan, 0), 1j]), modes=DYNAMIC)
    for name in ("unique_all", "unique_counts", "unique_values"):
        agree(name, NAN, modes=DYNAMIC)
        agree(name, x=NAN, modes=DYNAMIC)
    for name in OPERATIONS:
        agree(name, NAN, np.array([np.nan, 1.0, 7.0]), modes=DYNAMIC)
    agree("isin", NAN, np.array([np.nan, 1.0]))


@pytest.mark.full
def test_empty():
    for name in OPERATIONS:
        agree(name, array(0), array(3), modes=DYNAMIC)
        agree(name, array(3), array(0), modes=DYNAMIC)
        agree(name, array(0), array(0), modes=DYNAMIC)
    agree("unique", array(0, 3), return_inverse=True, modes=DYNAMIC)
    agree("isin", array(3), array(0))
    agree("isin", array(0), array(3))


def test_options_of_membership():
    agree("isin", array(2, 3, dtype=int), [1, 4, 4], invert=True, kind="table")
    agree("isin", array(2, 3, dtype=int), [1, 4], True, kind="sort")
    for kind in ("table", "bogus"):
        agree("isin", array(2, 3), [1, 4], kind=kind)


@pytest.mark.full
def test_dtypes_meet_without_loss():
    agree("isin", np.array([2**63, 2**63 + 1, 5], np.uint64), np.array([-(2**63), 5]))
    agree("isin", np.array([-1, 5]), np.array([2**64 - 1, 5], np.uint64))
    agree("union1d", 0.5, array(3), modes=DYNAMIC)
    tiny = np.array([1e-45, 0, -1e-45], np.float32)
    assert tfnp.isin(tiny, np.zeros(1)).numpy().tolist() == [False, True, False]
    assert tfnp.union1d(tiny, np.zeros(1)).numpy().tolist() == [-float(tiny[0]), 0, float(tiny[0])]
    assert tfnp.setdiff1d(tiny * 1j, np.zeros(1, complex)).shape == (2,)


def test_indices_of_common_elements():
    first, second = np.array([[5, 1], [7, 5]]), np.array([7, 2, 5, 7])
    agree("intersect1d", first, second, return_indices=True, modes=DYNAMIC)
    agree("intersect1d", np.zeros(1), -np.zeros(1), return_indices=True, modes=DYNAMIC)  # the zero of the first
    agree("intersect1d", np.array([5, 1, 7]), np.array([7, 2, 5]), True, True, modes=DYNAMIC)
    agree("setdiff1d", np.array([5, 1, 7]), np.array([2, 5]), True, modes=DYNAMIC)
    agree("setxor1d", np.array([5, 1, 7]), np.array([2, 5]), True, modes=DYNAMIC)


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["unique", "unique_values", *OPERATIONS])
def test_a_size_makes_sets_fit_for_xla(name):
    x, y = np.array([4, 1, 4, 2]), np.array([2, 9, 4])
    arguments = (x,) if "unique" in name else (x, y)
    expected = [*sorted(getattr(np, name)(*arguments).tolist()), -1, -1, -1, -1, -1][:5]
    sized = tf.function(lambda *args: getattr(tfnp, name)(*args, size=5, fill_value=-1), jit_compile=True)
    assert sized(*map(tf.constant, arguments)).numpy().tolist() == expected
    assert getattr(tfnp, name)(*arguments, size=1).numpy().tolist() == expected[:1]
    with pytest.raises(TypeError, match="pass size="):
        tf.function(getattr(tfnp, name), jit_compile=True)(*map(tf.constant, arguments))


def test_all_parts_have_the_size():
    values, indices, inverse, counts = tfnp.unique(tf.constant([3, 1, 3]), True, True, True, size=3, fill_value=0)
    assert [part.numpy().tolist() for part in (values, indices, inverse, counts)] == [
        [1, 3, 0],
        [1, 0, 1],
        [1, 0, 1],
        [1, 2, 0],
    ]
    parts = tfnp.intersect1d(np.array([3, 1, 3]), np.array([5, 3]), return_indices=True, size=2)
    assert [part.numpy().tolist() for part in parts] == [[3, 0], [0, 0], [1, 0]]
    assert tfnp.unique(tf.zeros((0,)), size=2, fill_value=7).numpy().tolist() == [7, 7]


def test_unknown_dims():
    x, y = np.array([4, 1, 4, 2]), np.array([2, 9, 4])
    for name in OPERATIONS:
        assert (traced(getattr(tfnp, name), x, y).numpy() == getattr(np, name)(x, y)).all()
    assert traced(lambda x: tfnp.unique(x, axis=0), x).numpy().tolist() == [1, 2, 4]
    assert traced(tfnp.isin, x, y).numpy().tolist() == [True, False, True, True]
