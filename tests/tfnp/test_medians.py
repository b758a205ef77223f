"""Medians, with and without nan."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tfnp.agreement import agree


@pytest.mark.full
@pytest.mark.parametrize("name", ["median", "nanmedian", "nanquantile"])
@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2), (1, 1, 0)])
def test_empty_with_dynamic_length(name, shape):
    for dtype in ("d", "i"):
        for axis in (None, -1, tuple(range(len(shape)))):
            share = (0.5,) if name == "nanquantile" else ()
            agree(name, np.zeros(shape, dtype), *share, axis=axis, modes=("graph_dims",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("axis", [(), (0, 1), (1, 0), (0, 1, 2)])
def test_one_of_several_axes_needs_rows(axis):
    for name in ("median", "nanmedian"):
        agree(name, np.zeros((1, 1, 0)), axis, modes=("eager", "graph", "graph_dims"))
    agree("quantile", np.zeros((1, 1, 0)), 0.5, axis, modes=("eager", "graph", "graph_dims"))
