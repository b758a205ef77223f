"""Arrays repeated."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

ARRAYS = [array(3), array(2, 3), 5, [1, 2], array(0), array(2, 0)]


@pytest.mark.sample(5)
@pytest.mark.parametrize("reps", [0, 2, (2, 1), (1, 2, 3), [], -1, (2, -1), 2.0, True, (2.0, 1), None])
def test_tile(reps):
    for value in ARRAYS:
        agree("tile", value, reps, modes=("eager", "graph"))


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "repeats", [0, 2, [2], [1, 0, 2], -1, [1, -1, 1], 2.0, [1.0, 2.0, 3.0], True, [], np.array(2), [[1, 2]]]
)
def test_repeat(repeats):
    for value in ARRAYS:
        agree("repeat", value, repeats, modes=("eager",))
    agree("repeat", array(2, 3), repeats, 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    agree("tile", array(2, 3, dtype=dtype), (2, 2))
    agree("repeat", array(3, dtype=dtype), 2)
    agree("repeat", array(3), np.array([1, 0, 2]).astype(dtype), modes=("eager", "graph"))


def test_sixteen_axes():
    agree("tile", array(*(2, 1) * 8), (1, 2) * 8)
    agree("repeat", array(*(2, 1) * 8), 3, 15)


def test_unknown_dims():
    np.testing.assert_array_equal(traced(lambda x: tfnp.tile(x, (2, 2)), array(3)), np.tile(array(3), (2, 2)))
    np.testing.assert_array_equal(traced(lambda x: tfnp.repeat(x, 3), array(2, 3)), np.repeat(array(2, 3), 3))
    np.testing.assert_array_equal(traced(lambda x: tfnp.repeat(x, [1, 0, 2]), array(3)), np.repeat(array(3), [1, 0, 2]))


def test_gradients():
    (slope,) = gradient(lambda x: tfnp.repeat(tfnp.tile(x, 2), 3), array(3))
    np.testing.assert_array_equal(slope, 12 * array(3))


@pytest.mark.parametrize("reps", [-1.0, -0.5, 1.5, np.nan, np.inf, [[0, 0]], [[2]], "a", 1j, (2, [1, 2])])
def test_tile_by_invalid_counts(reps):
    for value in (0.0, array(2)):
        agree("tile", value, reps, modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(100,), (100, 3), (3, 100), (300,)])
@pytest.mark.parametrize("reps", [np.uint8(2), np.uint8([3]), np.int8([1, 3]), np.int8([1, 1, 2])], ids=str)
def test_counts_wrap_in_their_own_dtype(shape, reps):
    modes = ("eager", "graph_dims", "graph_rank") if shape == (100, 3) else ("eager", "graph_dims")
    agree("tile", np.zeros(shape), np.asarray(reps), modes=modes)


def test_booleans_count():
    for reps in (np.array(True), np.array(False), np.array([True, False])):
        agree("tile", np.zeros((2, 3)), reps, modes=("eager", "graph", "graph_dims"))
