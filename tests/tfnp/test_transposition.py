"""Axes put in another order."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import agree, array, traced


@pytest.mark.parametrize("start", [-4, -3, -1, 0, 2, 3, 4])
def test_where_an_axis_rolls_to(start):
    for axis in (0, 2, -1):
        agree("rollaxis", array(2, 3, 4), axis, start, modes=("eager",))


def test_lists_and_unknown_ranks():
    agree("transpose", [[1, 2], [3, 4]])
    agree("swapaxes", [[1, 2]], 0, 1)
    np.testing.assert_array_equal(traced(tfnp.transpose, array(2, 3), rank=False), array(2, 3).T)


@pytest.mark.parametrize("start", [0.0, 1.0, 2.0, -2.0, 0.5, 3.5, np.float32(0), True, "a", None])
def test_rollaxis_to_a_start_that_is_no_integer(start):
    agree("rollaxis", array(2, 3), 0, start, modes=("eager",))
