"""Indices of diagonals, triangles, grids, and of elements in a flat array."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import array, traced


def test_mask_indices_of_a_function():
    for function in (np.triu, np.tril):
        mine = getattr(tfnp, function.__name__)
        for k in (0, 1, -1):
            expected, actual = np.mask_indices(3, function, k), tfnp.mask_indices(3, mine, k)
            np.testing.assert_array_equal(expected, actual)
    with pytest.raises(ValueError, match="negative"):
        tfnp.mask_indices(-1, tfnp.triu)


@pytest.mark.full
def test_unknown_dims():
    for shape in ((3, 3), (2, 4), (4, 2), (0, 3), (3, 0)):
        for name in ("tril_indices_from", "triu_indices_from"):
            for k in (0, 1, -1):
                actual = traced(lambda x, n=name, k=k: getattr(tfnp, n)(x, k), array(*shape))
                np.testing.assert_array_equal(actual, getattr(np, name)(array(*shape), k))
    np.testing.assert_array_equal(traced(tfnp.diag_indices_from, array(3, 3)), np.diag_indices_from(array(3, 3)))
    with pytest.raises(tf.errors.InvalidArgumentError):
        traced(tfnp.diag_indices_from, array(2, 3))
    flat = traced(lambda i: tfnp.ravel_multi_index(i, (2, 3)), np.array([[0, 1], [2, 0]]))
    assert flat.numpy().tolist() == [2, 3]
