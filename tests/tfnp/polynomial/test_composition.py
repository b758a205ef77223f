"""Series instead of x: conversion to other bases, domains and windows, and series of lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from tests.tfnp.agreement import gradient, traced
from tfnp import polynomial

KINDS = ("Polynomial", "Chebyshev", "Legendre", "Hermite", "HermiteE", "Laguerre")
SERIES = (
    [1.0, -2.0, 3.0, 0.5, 2.0],
    [1.0, 2.0, 3.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0],
    [-1.0, 0.0, -0.0, 0.0, -2.0],
    [1.0, np.inf, 3.0, 0.0],
    [np.inf, 0.0, 0.0],
    [1.0, 2.0, 3.0, np.inf],
    [1.0, np.nan, 3.0],
)
LINES = ([0.5, 2.0], [3.0], [3.0, 0.0], [0.0, -1.0], [3.0, np.inf])

each_kind = pytest.mark.parametrize("kind", KINDS)
SAMPLED = ("Polynomial", "Chebyshev", "Laguerre")
some_kinds = pytest.mark.parametrize(
    "kind", [kind if kind in SAMPLED else pytest.param(kind, marks=pytest.mark.full) for kind in KINDS]
)
"""All kinds with `-m full` only: each traces graphs for seconds, and the recurrences are tested elsewhere."""


def substitute(home: Any, kind: str, c: Any, line: Any) -> Any:
    """Return the coefficients of a series of a line."""
    series_class = getattr(home, kind)
    return series_class(c)(series_class(line)).coef


def convert(home: Any, kind: str, c: Any, **options: Any) -> Any:
    return getattr(home, kind)(c).convert(**options).coef


@pytest.mark.sample(2)
@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
@each_kind
def test_series_of_lines(kind: str) -> None:
    """Lengths, infinities and signs of zero are NumPy's."""
    for c in map(np.array, SERIES):
        for line in map(np.array, LINES):
            expected = substitute(np.polynomial, kind, c, line)
            result = substitute(polynomial, kind, tf.constant(c), tf.constant(line)).numpy()
            np.testing.assert_allclose(result, expected, 1e-12, err_msg=f"{c} of {line}")
            is_number = ~np.isnan(expected)
            np.testing.assert_array_equal(np.signbit(result)[is_number], np.signbit(expected)[is_number])


@pytest.mark.full
@each_kind
def test_series_of_lines_in_graphs(kind: str) -> None:
    def call(c: tf.Tensor, line: tf.Tensor) -> tf.Tensor:
        return substitute(polynomial, kind, c, tf.ensure_shape(line, [2]))

    c, line = np.array(SERIES[1]), np.array(LINES[0])
    expected = substitute(np.polynomial, kind, c, line)
    np.testing.assert_allclose(traced(call, c, line), expected, 1e-12)
    for compiled in (False, True):
        result = tf.function(call, jit_compile=compiled, autograph=False)(tf.constant(c), tf.constant(line))
        assert result.shape == (len(c) + (kind == "Polynomial"),)
        np.testing.assert_allclose(result, [*expected, *[0.0] * (len(result) - len(expected))], 1e-12, 1e-12)
        assert not np.signbit(result[len(expected) :]).any()


@pytest.mark.sample(2)
@each_kind
def test_a_longer_series_needs_no_larger_graph(kind: str) -> None:
    def count_operations(length: int) -> int:
        function = tf.function(lambda c: convert(polynomial, kind, c, window=[0, 2]), autograph=False)
        graph = function.get_concrete_function(tf.TensorSpec([length], tf.float64)).graph
        return len(graph.get_operations())

    assert count_operations(5) == count_operations(40)


@pytest.mark.sample(6)
@pytest.mark.parametrize("dtype", ["e", "f", "d", "F", "D", "i"])
@some_kinds
def test_dtypes(kind: str, dtype: str) -> None:
    """NumPy's own integers promote single precision."""
    c, domain = np.array([1, 2, 3], dtype), np.array([0, 2], "f")
    expected = convert(np.polynomial, kind, c, domain=domain)
    result = convert(polynomial, kind, c, domain=domain)
    assert result.dtype == expected.dtype
    np.testing.assert_allclose(result, expected)


@pytest.mark.sample(2)
@some_kinds
def test_gradients(kind: str) -> None:
    """The result is linear in the coefficients, so differences are exact derivatives."""
    c, window = np.array([1.0, -2.0, 3.0, 0.5]), np.array([0.0, 2.0])
    (found,) = gradient(lambda c: convert(polynomial, kind, c, window=window), c)
    jacobian = [np.resize(convert(np.polynomial, kind, unit, window=window), 4) for unit in np.eye(4)]
    rows = [np.where(np.arange(4) <= degree, row, 0) for degree, row in enumerate(jacobian)]
    np.testing.assert_allclose(found, 2 * np.array(rows) @ convert(np.polynomial, kind, c, window=window), 1e-9)


def test_longer_series_in_place_of_x() -> None:
    for kind in KINDS:
        for x in ([1.0, 2.0, 3.0], [1.0, 0.0, 3.0, 2.0]):
            expected = substitute(np.polynomial, kind, SERIES[0], x)
            np.testing.assert_allclose(substitute(polynomial, kind, SERIES[0], x), expected, 1e-9)
