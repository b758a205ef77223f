"""Unique elements, and sets of them."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import agree, array

DYNAMIC = ("eager", "graph")
OPERATIONS = ("intersect1d", "union1d", "setdiff1d", "setxor1d")


@pytest.mark.full
def test_dtypes_meet_without_loss():
    agree("isin", np.array([2**63, 2**63 + 1, 5], np.uint64), np.array([-(2**63), 5]))
    agree("isin", np.array([-1, 5]), np.array([2**64 - 1, 5], np.uint64))
    agree("union1d", 0.5, array(3), modes=DYNAMIC)
    tiny = np.array([1e-45, 0, -1e-45], np.float32)
    assert tfnp.isin(tiny, np.zeros(1)).numpy().tolist() == [False, True, False]
    assert tfnp.union1d(tiny, np.zeros(1)).numpy().tolist() == [-float(tiny[0]), 0, float(tiny[0])]
    assert tfnp.setdiff1d(tiny * 1j, np.zeros(1, complex)).shape == (2,)


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
