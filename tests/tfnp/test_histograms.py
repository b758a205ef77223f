"""Numbers in bins."""

from __future__ import annotations

import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import agree, gradient

X = np.array([0.5, 2.0, 7.25, 2.0, 3.0, 9.5, 4.0, 4.5, 1.0])
DYNAMIC = ("eager", "graph")


@pytest.mark.full
def test_a_count_that_a_graph_is_told_when_it_runs():
    for name in ("histogram", "histogram_bin_edges"):
        for ends in (None, (0, 5)):
            agree(name, X, np.array(4), ends, modes=DYNAMIC)
    agree("histogram2d", X, X[::-1], np.array(3), density=True, modes=DYNAMIC)
    agree("histogramdd", [X, X], np.array([2, 3]), modes=("eager",))


@pytest.mark.full
def test_small_weights_are_summed_in_large_integers():
    agree("histogram", np.zeros(2), 1, density=True, weights=np.array([2**32 - 2, 3], np.uint32))
    agree("histogram", np.array([0.0, 0.0, 0.0, 1.0]), density=True, weights=np.array([0, 117, 4, 7], np.int8))


@pytest.mark.parametrize(("values", "slopes"), [([1.0, 5.0, 2.0], [2, 10, 0]), ([3.0, 3.0], [6, 6])])
def test_edges_move_with_the_ends(values, slopes):
    result = gradient(lambda x: tfnp.histogram_bin_edges(x, 1), np.array(values))
    assert result[0].tolist() == slopes


@pytest.mark.full
@pytest.mark.parametrize("weights", [None, np.array([1])])
def test_a_single_edge_makes_no_bins(weights):
    agree("histogramdd", np.array([[-1, 0]], np.int8), bins=[[1, 2], [3]], weights=weights)
    agree("histogram", np.array([3.0]), bins=[3], weights=weights)
