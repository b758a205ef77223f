"""Order statistics and partitions of long vectors, which are not sorted in eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.agreement import take_gradient
from tests.tfnp.test_large_arrays import vector
from tfnp._kernels.sort import sample_select
from tfnp.routines.statistics.quantile_methods import METHODS

LENGTH = sample_select.MIN_LENGTH + 4321
RANDOM = np.random.default_rng(31)


def with_some(value: float, share: float) -> np.ndarray:
    """Return normal numbers, a share of which is replaced by a value."""
    return np.where(RANDOM.random(LENGTH) < share, value, vector(LENGTH, "d"))


VECTORS = {
    "normal": vector(LENGTH, "d"),
    "sorted": np.sort(vector(LENGTH, "d")),
    "periodic": np.sin(np.arange(LENGTH) * np.pi / 8),
    "few values": RANDOM.integers(0, 10, LENGTH),
    "half zeros": with_some(0, 0.5),
    "signed zeros": np.where(RANDOM.random(LENGTH) < 0.5, -0.0, 0.0),
    "subnormal": RANDOM.integers(-1000, 1000, LENGTH) * 5e-324,
    "some nan": with_some(np.nan, 0.2),
    "many nan": with_some(np.nan, 0.9),
    "nothing but nan": np.full(LENGTH, np.nan),
    "infinite": np.where(RANDOM.random(LENGTH) < 0.5, np.inf, -np.inf),
    "extreme integers": np.array([-(2**63), 2**63 - 1] * (LENGTH // 2)),
    "shortest": vector(sample_select.MIN_LENGTH, "f"),
}
POSITIONS = [[0], [LENGTH // 2], [-1], [7, LENGTH // 2, LENGTH // 2 + 1, -9], list(range(0, LENGTH, 4000))]


def same_bits(first: Any, second: Any) -> bool:
    return np.asarray(first).tobytes() == np.asarray(second).tobytes()


@pytest.mark.sample(8)
@pytest.mark.parametrize("array", VECTORS.values(), ids=VECTORS)
def test_selected_elements_are_those_of_a_stable_sort(array: np.ndarray) -> None:
    order = np.argsort(array, stable=True)
    for positions in ([0, 5], [len(array) // 3], [len(array) // 2, len(array) // 2 + 1, len(array) - 1]):
        np.testing.assert_array_equal(sample_select.select_indices(tf.constant(array), positions), order[positions])


def check_partition(array: np.ndarray, indices: np.ndarray, kth: Any) -> None:
    """Check that the elements at `kth` are where a sort puts them: no greater one is before, no smaller one after."""
    np.testing.assert_array_equal(np.sort(indices), np.arange(array.size))
    ranks = np.unique(array, return_inverse=True)[1][indices]  # all nans are equal
    expected = np.sort(ranks)
    for position in kth:
        assert ranks[position] == expected[position]
        assert ranks[: position % array.size].max(initial=-1) <= ranks[position] <= ranks[position:].min()


@pytest.mark.sample(2)
@pytest.mark.parametrize("array", VECTORS.values(), ids=VECTORS)
def test_partitions(array: np.ndarray) -> None:
    for positions in POSITIONS:
        kth = [position % array.size for position in positions]
        indices = tfnp.argpartition(tf.constant(array), kth)
        assert indices.dtype == tf.int64
        check_partition(array, indices.numpy(), kth)
        result = tfnp.partition(tf.constant(array), kth).numpy()
        check_partition(array, np.argsort(array, stable=True)[np.argsort(np.argsort(result, stable=True))], kth)


@pytest.mark.parametrize("array", VECTORS.values(), ids=VECTORS)
def test_sorts_are_stable(array: np.ndarray) -> None:
    order = np.argsort(array, stable=True)
    assert same_bits(tfnp.sort(tf.constant(array)), array[order])
    np.testing.assert_array_equal(tfnp.argsort(tf.constant(array)), order)
    rows = array[: LENGTH // 3 * 3].reshape(3, -1)
    for axis in (0, 1):
        order = np.argsort(rows, axis, stable=True)
        assert same_bits(tfnp.sort(tf.constant(rows), axis), np.take_along_axis(rows, order, axis))
        np.testing.assert_array_equal(tfnp.argsort(tf.constant(rows), axis), order)


def test_gradients_of_sorts_are_permuted() -> None:
    x, weights = tf.constant(VECTORS["normal"]), np.arange(float(LENGTH))
    for select in (tfnp.sort, lambda a: tfnp.partition(a, 7)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = select(x)
            total = tf.reduce_sum(result * weights)
        expected = weights[np.argsort(result.numpy())][np.argsort(np.argsort(x.numpy()))]
        np.testing.assert_array_equal(tf.convert_to_tensor(tape.gradient(total, x)), expected)


@pytest.mark.sample(11)
@pytest.mark.parametrize("dtype", [*"?bBhHiIlLefdFD"])
def test_partitions_of_every_dtype(dtype: str) -> None:
    array, kth = vector(LENGTH, dtype), LENGTH // 3
    check_partition(array, tfnp.argpartition(tf.constant(array), kth).numpy(), [kth])
    result = tfnp.partition(tf.constant(array[:, None]), kth, None).numpy()
    assert result.dtype == array.dtype
    assert result[kth] == np.sort(array)[kth]


@pytest.mark.sample(7)
@pytest.mark.parametrize("array", VECTORS.values(), ids=VECTORS)
@pytest.mark.parametrize("name", ["median", "nanmedian", "percentile", "nanpercentile"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_statistics(name: str, array: np.ndarray) -> None:
    if "median" in name:
        np.testing.assert_array_equal(getattr(tfnp, name)(array), getattr(np, name)(array))
        return
    for q in (50, [0, 10, 99.9, 100], np.linspace(0, 100, 40)):
        actual, expected = getattr(tfnp, name)(tf.constant(array), q), getattr(np, name)(array, q)
        np.testing.assert_allclose(actual, expected, 1e-15, 1e-300)  # interpolation flushes subnormal numbers
        assert actual.dtype == expected.dtype


@pytest.mark.sample(2)
@pytest.mark.parametrize("method", METHODS)
def test_methods_of_quantiles(method: str) -> None:
    for array in (VECTORS["normal"], VECTORS["few values"], vector(LENGTH, "e"), vector(LENGTH, "B")):
        for options in ({}, {"axis": 0, "keepdims": True}):
            expected = np.quantile(array, [0.1, 0.77], method=method, **options)
            actual = tfnp.quantile(tf.constant(array), [0.1, 0.77], method=method, **options)
            np.testing.assert_allclose(actual, expected, 1e-15)
    weights = RANDOM.integers(1, 4, LENGTH)
    expected = np.quantile(VECTORS["normal"], 0.3, weights=weights, method="inverted_cdf")
    assert tfnp.quantile(VECTORS["normal"], 0.3, weights=weights, method="inverted_cdf") == expected


@pytest.mark.full
def test_gradients_are_those_of_a_graph() -> None:
    array = tf.constant(VECTORS["few values"], tf.float64)

    def slope(x: tf.Tensor) -> tf.Tensor:
        return tf.convert_to_tensor(take_gradient(lambda x: tfnp.percentile(x, 30) + tfnp.nanmedian(x), x))

    actual, expected = slope(array), tf.function(slope, autograph=False)(array)
    assert tf.reduce_sum(actual) == 2
    np.testing.assert_array_equal(actual, expected)
    with tf.GradientTape() as tape:
        tape.watch(array)
        result = tfnp.partition(array, 900)[900]
    chosen = np.flatnonzero(tf.convert_to_tensor(tape.gradient(result, array)))
    np.testing.assert_array_equal(array.numpy()[chosen], [result])


@pytest.mark.parametrize("name", ["multiply", "nextafter"])
def test_at_needs_no_memory_for_each_pair_of_indices(name):
    rng = np.random.default_rng(0)
    array, indices, values = rng.random(50_000), rng.integers(0, 50_000, 2**17), rng.random(2**17)
    expected = array.copy()
    getattr(np, name).at(expected, indices, values)
    variable = tf.Variable(array)
    tf.function(lambda i, b: getattr(tfnp, name).at(variable, i, b), jit_compile=True)(indices, values)
    np.testing.assert_allclose(variable, expected, rtol=1e-13)
