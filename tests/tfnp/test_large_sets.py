"""Unique elements and sets of many elements: integers of a small span are counted in tables, others sorted once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import tfnp
from tests.tfnp.test_large_arrays import run_everywhere
from tfnp._kernels.sort import tables

RANDOM = np.random.default_rng(22)
LENGTH = 3000
OPERATIONS = ("intersect1d", "union1d", "setdiff1d", "setxor1d")


def some(low: float, high: float, dtype: str, length: int = LENGTH) -> np.ndarray:
    """Return integers, with nan, infinity and both zeros among floats."""
    array = RANDOM.integers(low, high, length).astype(dtype)
    if dtype in "efdFD":
        array[[5, 50]], array[[9, 90]], array[[7, 70]] = np.nan, np.inf, -0.0
    return array + 1j * RANDOM.integers(0, 3, length).astype(dtype) if dtype in "FD" else array


PAIRS = [
    (some(0, 500, "l"), some(300, 900, "l")),
    (some(-(2**62), 2**62, "l"), some(-9, 9, "l")),
    (np.array([-(2**63), -(2**63) + 1] * 900), np.array([2**63 - 1, 2**63 - 2] * 900)),
    (np.array([2**64 - 1, 2**64 - 9] * 900, np.uint64), some(0, 9, "L")),
    *((some(-128, 128, dtype), some(-100, 0, dtype)) for dtype in "bhi"),
    *((some(0, 256, dtype), some(100, 156, dtype)) for dtype in "BHI"),
    (RANDOM.random(LENGTH) < 0.5, np.ones(LENGTH, bool)),
    *((some(0, 500, dtype), some(300, 900, dtype)) for dtype in "efdFD"),
    (some(0, 500, "l"), some(300, 900, "i")),
    (some(0, 500, "L"), some(300, 900, "l")),
    (some(0, 500, "l"), np.zeros(0, int)),
    (some(0, 500, "d", 1500), np.zeros(0)),
    (np.full(LENGTH, np.nan), np.full(9, np.nan)),
]
IDS = [f"{first.dtype}-{second.dtype}-{number}" for number, (first, second) in enumerate(PAIRS)]


def check(actual: Any, expected: Any) -> None:
    actual, expected = (value if isinstance(value, tuple) else (value,) for value in (actual, expected))
    for ours, theirs in zip(actual, expected, strict=True):
        assert ours.dtype.as_numpy_dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.sample(8)
@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_unique(pair: Any) -> None:
    for array in (pair[0], pair[0].reshape(-1, 2), np.array(pair[0])[::-1].copy()):
        check(tfnp.unique(tf.constant(array)), np.unique(array))
        check(tfnp.unique(tf.constant(array), True, True, True), np.unique(array, True, True, True))
        options = {"return_counts": True, "equal_nan": False}
        check(tfnp.unique(tf.constant(array), **options), np.unique(array, **options))
        values, inverse = tfnp.unique(tf.constant(array), return_inverse=True, equal_nan=False)
        np.testing.assert_array_equal(values.numpy()[inverse], array)


@pytest.mark.sample(3)
@pytest.mark.parametrize("pair", PAIRS, ids=IDS)
def test_sets(pair: Any) -> None:
    for first, second in (pair, pair[::-1]):
        tensors = tf.constant(first), tf.constant(second)
        for name in OPERATIONS:
            check(getattr(tfnp, name)(*tensors), getattr(np, name)(first, second))
        check(tfnp.isin(*tensors), np.isin(first, second))
        check(tfnp.isin(*tensors, invert=True), np.isin(first, second, invert=True))
        check(tfnp.intersect1d(*tensors, return_indices=True), np.intersect1d(first, second, return_indices=True))
        distinct = np.unique(first), np.unique(second)
        for name in ("intersect1d", "setdiff1d", "setxor1d"):
            check(getattr(tfnp, name)(*distinct, True), getattr(np, name)(*distinct, assume_unique=True))


@pytest.mark.full
@pytest.mark.parametrize("name", OPERATIONS)
def test_sets_in_graphs(name: str) -> None:
    for first, second in (PAIRS[0], (some(0, 500, "d"), some(300, 900, "d"))):
        expected = getattr(np, name)(first, second)
        for result in run_everywhere(getattr(tfnp, name), first, second, xla=False):
            check(result, expected)
        for result in run_everywhere(lambda x, y: getattr(tfnp, name)(x, y, size=400), first, second):
            np.testing.assert_array_equal(result[: expected.size], expected[:400])


@pytest.mark.full
def test_unique_in_graphs() -> None:
    for array in (PAIRS[0][0], some(0, 500, "d")):
        for result in run_everywhere(lambda x: tfnp.unique(x, True, True, True), array, xla=False):
            check(tuple(result), np.unique(array, True, True, True))
        expected = np.unique(array, True, True, True)
        for result in run_everywhere(lambda x: tfnp.unique(x, True, True, True, size=600), array):
            for ours, theirs in zip(result, expected, strict=True):
                np.testing.assert_array_equal(ours[: theirs.size], theirs)


@pytest.mark.parametrize("length", [tables.MIN_LENGTH - 1, tables.MIN_LENGTH])
@pytest.mark.parametrize("ratio", [1, 3.9, 4.1])
def test_tables_have_at_most_four_times_the_elements(length: int, ratio: float) -> None:
    array = np.append(np.zeros(length - 1, int), int(ratio * length))
    is_made = tables.make_table(tf.constant(array)) is not None
    assert is_made == (length >= tables.MIN_LENGTH and ratio < 4)
    check(tfnp.unique(array, return_counts=True), np.unique(array, return_counts=True))


def test_gradient_of_unique_goes_to_the_first() -> None:
    array = tf.constant(some(0, 50, "d"))
    with tf.GradientTape() as tape:
        tape.watch(array)
        values = tfnp.unique(array)
    expected = np.zeros(LENGTH)
    expected[np.unique(array, return_index=True)[1]] = 1
    np.testing.assert_array_equal(tf.convert_to_tensor(tape.gradient(values, array)), expected)


@pytest.mark.parametrize("rank", range(1, 11))
def test_indices_along_each_axis(rank: int) -> None:
    array = RANDOM.integers(0, 2, (2,) * rank).astype(float) * np.array([1.0, -1.0])
    np.testing.assert_array_equal(tfnp.argwhere(tf.constant(array)), np.argwhere(array))
    actual = tfnp.nonzero(tf.constant(array))
    assert all(indices.dtype == tf.int64 for indices in actual)
    np.testing.assert_array_equal(actual, np.nonzero(array))
    np.testing.assert_array_equal(tfnp.argwhere(tf.constant(array[:0])), np.argwhere(array[:0]))
