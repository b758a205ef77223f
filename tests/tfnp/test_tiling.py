"""Arrays repeated."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tfnp.agreement import agree, array


def test_sixteen_axes():
    agree("tile", array(*(2, 1) * 8), (1, 2) * 8)
    agree("repeat", array(*(2, 1) * 8), 3, 15)


@pytest.mark.sample(1)
@pytest.mark.parametrize("shape", [(100,), (100, 3), (3, 100), (300,)])
@pytest.mark.parametrize("reps", [np.uint8(2), np.uint8([3]), np.int8([1, 3]), np.int8([1, 1, 2])], ids=str)
def test_counts_wrap_in_their_own_dtype(shape, reps):
    modes = ("eager", "graph_dims", "graph_rank") if shape == (100, 3) else ("eager", "graph_dims")
    agree("tile", np.zeros(shape), np.asarray(reps), modes=modes)
