"""Numbers in bins."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import tfnp
from tests.tfnp.agreement import DTYPES, agree, array, gradient, traced

X = np.array([0.5, 2.0, 7.25, 2.0, 3.0, 9.5, 4.0, 4.5, 1.0])
WEIGHTS = np.arange(9) / 4
EDGES = np.array([0.0, 2.0, 2.5, 9.5])
RULES = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")
DYNAMIC = ("eager", "graph")


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype.kind not in "cV"], ids=str)
def test_every_dtype(dtype):
    agree("histogram", array(3, 4, dtype=dtype), 4, modes=("eager",))
    agree("histogram", X, weights=array(9, dtype=dtype), modes=("eager",))


@pytest.mark.sample(1)
@pytest.mark.parametrize("bins", [1, 3, EDGES, [1, 1, 4], 0, -1, 1.5, EDGES[::-1], EDGES[None], "bogus", None])
def test_bins(bins):
    for name in ("histogram", "histogram_bin_edges"):
        agree(name, X, bins, modes=DYNAMIC)
    agree("histogramdd", [X, 2 * X], bins, modes=DYNAMIC)
    agree("histogram2d", X, X[::-1], bins, modes=DYNAMIC)


@pytest.mark.full
@pytest.mark.parametrize("rule", RULES)
def test_rules(rule):
    agree("histogram_bin_edges", X, rule, modes=DYNAMIC)
    agree("histogram", (10 * X).astype(int), rule, modes=DYNAMIC)
    agree("histogram", X, rule, (1.5, 8), modes=DYNAMIC)
    agree("histogram", X * 0, rule, modes=DYNAMIC)
    agree("histogram", array(0), rule, modes=DYNAMIC)
    agree("histogram", X, rule, weights=WEIGHTS, modes=DYNAMIC)


@pytest.mark.parametrize("ends", [(0, 5), (2.5, 2.5), (3, 1), (0, np.nan), (1,), 3])
def test_ranges(ends):
    agree("histogram", X, 4, ends, modes=DYNAMIC)
    agree("histogramdd", [X, X], 2, [ends, None], modes=("eager",))


@pytest.mark.full
def test_densities_and_weights():
    for bins in (4, EDGES):
        agree("histogram", X, bins, density=True)
        agree("histogram", X, bins, density=True, weights=WEIGHTS, modes=DYNAMIC)
        agree("histogram", X, bins, weights=WEIGHTS * 1j, modes=DYNAMIC)
        agree("histogram", X, bins, weights=WEIGHTS[1:], modes=("eager",))
    agree("histogramdd", [X, X], 2, density=True, weights=WEIGHTS, modes=DYNAMIC)
    agree("histogram2d", X, X, [2, 3], density=True)
    agree("histogram2d", X, X, [EDGES, 3], [[0, 3], [1, 5]], modes=DYNAMIC)


@pytest.mark.full
def test_samples():
    for sample in (np.stack([X, X * 2], 1), X, [X], 3.0, X[None, None], np.zeros((0, 2))):
        agree("histogramdd", sample, 2, modes=DYNAMIC)
    agree("histogram2d", X, X[1:], modes=("eager",))
    agree("histogramdd", [X, X], [2, 3, 4], modes=("eager",))
    agree("histogramdd", [X, X], [EDGES, 2], modes=DYNAMIC)
    agree("histogram", X * np.nan, modes=("eager",))


@pytest.mark.full
def test_a_count_that_a_graph_is_told_when_it_runs():
    for name in ("histogram", "histogram_bin_edges"):
        for ends in (None, (0, 5)):
            agree(name, X, np.array(4), ends, modes=DYNAMIC)
    agree("histogram2d", X, X[::-1], np.array(3), density=True, modes=DYNAMIC)
    agree("histogramdd", [X, X], np.array([2, 3]), modes=("eager",))


@pytest.mark.full
def test_unknown_dims():
    for bins in (3, EDGES, "sqrt", "fd"):
        counts, edges = traced(lambda x, b=bins: tfnp.histogram(x, b), X)
        assert counts.numpy().tolist() == np.histogram(X, bins)[0].tolist()
        np.testing.assert_allclose(edges, np.histogram(X, bins)[1])


@pytest.mark.sample(1)
@pytest.mark.parametrize("values", [[0, 1, 2], [0, 0], [1], []])
def test_edges_of_bfloat16(values):
    agree("histogram_bin_edges", np.array(values, ml_dtypes.bfloat16))


def test_edges_of_complex_numbers():
    agree("histogram_bin_edges", np.array([1j, 2]), modes=("eager", "graph"))


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


def test_edges_of_points_may_be_equal():
    agree("histogram2d", np.array([8e17]), np.zeros(1), modes=("eager", "graph"))
    agree("histogramdd", np.array([[8e17]]), 3, modes=("eager", "graph"))
