"""Axes put in another order."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced


@pytest.mark.sample(9)
@pytest.mark.parametrize(
    "axes", [None, (0, 1, 2), (2, 0, 1), [-1, 0, 1], (0, 1), (0, 0, 1), (0, 1, 3), 1, (1.0, 0, 2), [None]]
)
def test_transpose(axes):
    agree("transpose", array(2, 3, 4), axes)
    agree("permute_dims", array(2, 3, 4), axes, modes=("eager",))


@pytest.mark.sample(2)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(dtype):
    agree("transpose", array(2, 3, dtype=dtype))
    agree("matrix_transpose", array(2, 2, 3, dtype=dtype))


@pytest.mark.sample(2)
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (2, 1) * 8])
def test_every_rank(shape):
    for name in ("transpose", "matrix_transpose"):
        agree(name, array(*shape))
    for name in ("swapaxes", "moveaxis", "rollaxis"):
        agree(name, array(*shape), 0, -1, modes=("eager", "graph"))
        agree(name, array(*shape), 1, 0, modes=("eager",))


@pytest.mark.parametrize(
    ("source", "target"), [([0, 1], [-1, 0]), ([0, 1], [0]), ([0, 0], [0, 1]), (0, 3), (None, 0), ((), ())]
)
def test_several_axes_move(source, target):
    agree("moveaxis", array(2, 3, 4), source, target)


@pytest.mark.parametrize("start", [-4, -3, -1, 0, 2, 3, 4])
def test_where_an_axis_rolls_to(start):
    for axis in (0, 2, -1):
        agree("rollaxis", array(2, 3, 4), axis, start, modes=("eager",))


def test_lists_and_unknown_ranks():
    agree("transpose", [[1, 2], [3, 4]])
    agree("swapaxes", [[1, 2]], 0, 1)
    np.testing.assert_array_equal(traced(tfnp.transpose, array(2, 3), rank=False), array(2, 3).T)


def test_gradients():
    (slope,) = gradient(lambda x: tfnp.moveaxis(x, 0, -1), array(2, 3))
    np.testing.assert_array_equal(slope, 2 * array(2, 3))


@pytest.mark.parametrize("start", [0.0, 1.0, 2.0, -2.0, 0.5, 3.5, np.float32(0), True, "a", None])
def test_rollaxis_to_a_start_that_is_no_integer(start):
    agree("rollaxis", array(2, 3), 0, start, modes=("eager",))
