"""Indices of diagonals, triangles, grids, and of elements in a flat array."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, traced

TRIANGLES = ("tril_indices", "triu_indices")


@pytest.mark.parametrize("n", [0, 1, 3, -1, True, 2.0, "a", None], ids=str)
def test_sizes(n):
    for arguments in ((), (2,), (0,), (-1,), (1.5,)):
        agree("diag_indices", n, *arguments, modes=("eager",))
    for name in TRIANGLES:
        for arguments in ((), (1,), (-1,), (9,), (0, 2), (1, 0)):
            agree(name, n, *arguments, modes=("eager",))


@pytest.mark.full
def test_of_an_array():
    for shape in ((3, 3), (2, 3), (0, 0), (3,), (), (2, 2, 2), (2, 2, 3)):
        agree("diag_indices_from", array(*shape))
        for name in TRIANGLES:
            agree(f"{name}_from", array(*shape), modes=("eager", "graph"))
            agree(f"{name}_from", array(*shape), k=1)


def test_mask_indices_of_a_function():
    for function in (np.triu, np.tril):
        mine = getattr(tfnp, function.__name__)
        for k in (0, 1, -1):
            expected, actual = np.mask_indices(3, function, k), tfnp.mask_indices(3, mine, k)
            np.testing.assert_array_equal(expected, actual)
    with pytest.raises(ValueError, match="negative"):
        tfnp.mask_indices(-1, tfnp.triu)


@pytest.mark.sample(14)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype(dtype):
    agree("ix_", array(3, dtype=dtype), array(2), modes=("eager", "graph"))
    agree("unravel_index", np.array([0, 1]).astype(dtype), (2, 3), modes=("eager",))
    agree("ravel_multi_index", (np.array([0, 1]).astype(dtype), np.array([2, 0])), (2, 3), modes=("eager",))


def test_open_grids():
    agree("ix_", [0, 1], [2])
    agree("ix_")
    agree("ix_", [], np.array([]), modes=("eager",))
    agree("ix_", np.array([True, False, True]), [0], modes=("eager", "graph"))
    agree("ix_", array(2, 2), modes=("eager",))
    agree("ix_", 3, modes=("eager",))


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", ["raise", "wrap", "clip", ("wrap", "clip"), ("clip",), "bogus", 1, None], ids=str)
def test_flat_indices(mode):
    for dims in ((2, 3), (3,), (2, 0), (-1, 2), 6, (2.0, 3), (2**40, 2**40)):
        for index in ((0, 2), (5, -1), ([0, 1], [[2], [0]]), ([], []), (1,), np.array([[0, 1], [1, 0]]), 3):
            agree("ravel_multi_index", index, dims, mode=mode, modes=("eager",))
    agree("ravel_multi_index", (np.array([0, 1]), np.array([2, 0])), (2, 3), mode=mode, order="F")


@pytest.mark.sample(2)
@pytest.mark.parametrize("order", ["C", "F", "A", "c", None], ids=str)
def test_indices_in_a_shape(order):
    for shape in ((2, 3), 6, (0,), (), (2, 0, 3), (-1, 2), (2.0,), np.array([3, 2])):
        for index in (0, 5, 6, -1, [0, 4], [], np.array([[1, 2]]), [1.0]):
            agree("unravel_index", index, shape, order, modes=("eager",))
    agree("unravel_index", np.array([0, 5]), (2, 3), order)


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
