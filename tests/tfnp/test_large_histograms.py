"""Histograms of many elements, of which the bins are calculated where these are evenly spaced."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.test_large_arrays import run_everywhere
from tfnp._kernels.sort import even_bins

LENGTH = even_bins.MIN_LENGTH + 777
RANDOM = np.random.default_rng(18)


def beside_edges(edges: np.ndarray) -> np.ndarray:
    """Return elements that are equal to an edge, or next to it, or anywhere, also outside of all bins."""
    near = np.concatenate([edges, np.nextafter(edges, np.inf), np.nextafter(edges, -np.inf)])
    span = edges[-1] - edges[0]
    anywhere = RANDOM.uniform(edges[0] - span, edges[-1] + span, LENGTH - near.size).astype(edges.dtype)
    return np.concatenate([near, anywhere])


EDGES = {
    "even": np.linspace(-3, 3, 101),
    "thirds": np.arange(31) / 3,
    "integers": np.arange(257.0),
    "float32": np.linspace(0.1, 0.7, 50, dtype=np.float32),
    "one": np.array([2.0, 2.5]),
    "far": np.linspace(1e6, 1e6 + 1, 100),
    "too far": np.linspace(1e15, 1e15 + 1, 9),
    "uneven": np.sort(RANDOM.standard_normal(50)),
    "equal": np.array([0.0, 0, 1, 1, 1, 2, 2]),
    "nearly even": np.linspace(0, 1, 21) + RANDOM.uniform(-1e-9, 1e-9, 21),
    "infinite": np.array([-np.inf, 0, np.inf]),
}


@pytest.mark.parametrize("edges", EDGES.values(), ids=EDGES)
def test_elements_beside_the_edges(edges: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        array = np.append(beside_edges(edges) if np.isfinite(edges).all() else RANDOM.random(LENGTH), [-0.0, 0.0])
    array = array.astype(edges.dtype)
    expected = np.histogram(array, edges)[0]
    np.testing.assert_array_equal(tfnp.histogram(tf.constant(array), tf.constant(edges))[0], expected)
    if np.isfinite(edges).all() and np.ptp(edges) > max(1e-290, 100 * np.spacing(edges[-1])):
        for bins, ends in ((len(edges), (edges[0], edges[-1])), (7, None)):
            counts, bounds = tfnp.histogram(tf.constant(array), bins, ends)
            expected, expected_bounds = np.histogram(array, bins, ends)
            np.testing.assert_array_equal(bounds, expected_bounds)
            np.testing.assert_array_equal(counts, expected)
            assert counts.dtype == expected.dtype


@pytest.mark.sample(10)
@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefd"])
def test_every_dtype(dtype: str) -> None:
    array = RANDOM.integers(0, 90, LENGTH).astype(dtype)
    for bins, ends in ((10, None), (13, (5, 60)), (np.array([0, 10, 20, 45]), None)):
        for ours, theirs in zip(tfnp.histogram(array, bins, ends), np.histogram(array, bins, ends), strict=True):
            np.testing.assert_array_equal(ours, theirs)
            assert ours.dtype.as_numpy_dtype == theirs.dtype


def test_nan_is_in_no_bin() -> None:
    array = RANDOM.random(LENGTH)
    array[::7] = np.nan
    np.testing.assert_array_equal(tfnp.histogram(array, 10, (0, 1))[0], np.histogram(array, 10, (0, 1))[0])
    with pytest.raises(ValueError, match="finite"):
        tfnp.histogram(tf.constant(array), 10)


@pytest.mark.parametrize("weights", [None, RANDOM.integers(1, 5, LENGTH).astype(float)], ids=["counts", "weights"])
def test_dimensions_and_weights(weights: Any) -> None:
    points = np.stack([RANDOM.standard_normal(LENGTH), RANDOM.integers(0, 9, LENGTH)], 1)
    for bins in (5, (7, [0.0, 1, 2, 9])):
        ours, edges = tfnp.histogramdd(tf.constant(points), bins, weights=weights)
        theirs, expected_edges = np.histogramdd(points, bins, weights=weights)
        np.testing.assert_array_equal(ours, theirs)
        for bounds, expected in zip(edges, expected_edges, strict=True):
            np.testing.assert_array_equal(bounds, expected)
    for bins in (11, np.linspace(-1, 1, 9)):
        ours, _ = tfnp.histogram(points[:, 0], bins, weights=weights)
        np.testing.assert_array_equal(ours, np.histogram(points[:, 0], bins, weights=weights)[0])


@pytest.mark.full
def test_graphs_and_gradients() -> None:
    array, weights = RANDOM.standard_normal(LENGTH), RANDOM.integers(1, 5, LENGTH).astype(float)
    for result in run_everywhere(lambda x, w: tfnp.histogram(x, 9, (-1, 1), weights=w)[0], array, weights):
        np.testing.assert_array_equal(result, np.histogram(array, 9, (-1, 1), weights=weights)[0])
    tensor = tf.constant(weights)
    with tf.GradientTape() as tape:
        tape.watch(tensor)
        counts = tfnp.histogram(array, 9, (-1, 1), weights=tensor)[0]
    expected = (array >= -1) & (array <= 1)
    np.testing.assert_array_equal(tf.convert_to_tensor(tape.gradient(counts, tensor)), expected)


def test_weighted_counts() -> None:
    array, weights = RANDOM.integers(0, 100, LENGTH), RANDOM.integers(0, 9, LENGTH).astype(float)
    for result in run_everywhere(tfnp.bincount, array, weights, xla=False):
        np.testing.assert_array_equal(result, np.bincount(array, weights))
    for result in run_everywhere(lambda x, w: tfnp.bincount(x, w, size=50), array, weights):
        np.testing.assert_array_equal(result, np.bincount(array, weights)[:50])
