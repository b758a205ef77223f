"""Grids of coordinates, and the objects that are indexed to make arrays."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array


@pytest.mark.parametrize("name", ["mgrid", "ogrid"])
@pytest.mark.parametrize("key", [np.s_[0:3], np.s_[0:3, 0:2], np.s_[-1:1:5j], np.s_[0:1:0.25, :2]], ids=str)
def test_indexed_grids(name, key):
    expected, result = getattr(np, name)[key], getattr(tfnp, name)[key]
    assert type(expected) is tuple or isinstance(result, tf.Tensor)
    for want, got in zip(expected, result, strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


KEYS = [
    np.s_[1:4, 0, 5],
    np.s_[1:2:5j],
    np.s_["0,2", 1, 2],
    np.s_[array(2), 1.5],
    np.s_[np.float32(1), 2],
    np.s_["1,2,0", array(2), array(2)],
]
KEYS += [
    np.s_[array(2, 2), array(2, 1)],
    np.s_[[1, 2], [3]],
    np.s_[1, "0"],
    np.s_["x", 1],
    np.s_[()],
    np.s_["0,3,1", array(2)],
    7,
]


@pytest.mark.parametrize("name", ["r_", "c_"])
@pytest.mark.parametrize("key", KEYS, ids=range(len(KEYS)))
def test_joiners(name, key):
    try:
        expected = getattr(np, name)[key]
    except (ValueError, TypeError) as error:
        with pytest.raises(type(error)):
            getattr(tfnp, name)[key]
    else:
        result = getattr(tfnp, name)[key]
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


def test_index_expressions_are_numpys():
    assert tfnp.s_[1:2, ...] == np.s_[1:2, ...]
    assert tfnp.index_exp[1] == (1,)
