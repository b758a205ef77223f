"""Gradients of functions of arrays: of the sum of squares of what each returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tfnp
from tests.tables import check_each
from tests.tfnp.agreement import array, gradient

X, THREE, FOUR = array(2, 3), array(3), array(4)
UNEVEN, SPOTTED = np.array([0.0, 1.0, 1.5, 4.0]), np.array([1.0, np.nan, 3.0])
WEIGHTS, HALVES = np.array([0.5, 1.0, 2.0, -1.0]), np.array([0.0, 0.5, 2.0])

EXPECTED: list[tuple[Callable[..., Any], Sequence[np.ndarray], Sequence[Any]]] = [
    (lambda x: tfnp.rot90(tfnp.roll(x, 1)) * [1, 2], [X], [2 * X * np.roll(np.rot90(np.tile([1, 4], (3, 1)), -1), -1)]),
    (lambda x: tfnp.moveaxis(x, 0, -1), [X], [2 * X]),
    (tfnp.emath.sqrt, [np.array([3.0])], [[1]]),
    (tfnp.diff, [np.array([1.0, 2.0, 4.0])], [[-2, -2, 4]]),
    (tfnp.trapezoid, [np.array([1.0, 2.0])], [[1.5, 1.5]]),
    (lambda x, y: tfnp.delete(tfnp.insert(x, 1, y), 0), [THREE, np.float32(5)], [2 * THREE * [0, 1, 1], 10]),
    (lambda x: tfnp.diag(tfnp.triu(x)), [array(2, 2)], [2 * np.diag(np.diag(array(2, 2)))]),
    (lambda x: tfnp.repeat(tfnp.tile(x, 2), 3), [THREE], [12 * THREE]),
    (lambda weights: tfnp.bincount([3, 1, 0, 3], weights), [WEIGHTS], [[-1, 2, 4, -1]]),
    (lambda x: tfnp.split(x, 2)[1], [FOUR], [2 * FOUR * [0, 0, 1, 1]]),
    (lambda x, y: tfnp.where(x > 1, x, y), [np.array([1.0, 2.0]), np.array([5.0, 6.0])], [[0, 4], [10, 0]]),
    (lambda x: tfnp.sort(x) * [1.0, 0.0, 0.0], [np.array([3.0, 1.0, 2.0])], [[0, 2, 0]]),
    (lambda x: tfnp.take(x, [0, 0, 2]), [np.array([1.0, 2.0, 3.0])], [[4, 0, 6]]),
    (lambda x, y: tfnp.hstack([x, tfnp.stack([y, y], 1)]), [array(3, 1), THREE], [2 * array(3, 1), 4 * THREE]),
    (tfnp.cumsum, [np.array([1.0, 2.0, 3.0])], [[20, 18, 12]]),
    (lambda x: tfnp.quantile(x, 0.25), [np.array([1.0, 3.0, 2.0])], [[1.5, 0, 1.5]]),
    (lambda x, y: tfnp.linspace(x, y, 3), [np.array(2.0), np.array(4.0)], [7, 11]),
    (lambda x: tfnp.sum(x, axis=0), [np.array([[1.0, 2.0], [4.0, 3.0]])], [[[10, 10], [10, 10]]]),
    (lambda x: tfnp.max(x, axis=1), [np.array([[1.0, 2.0], [4.0, 3.0]])], [[[0, 4], [8, 0]]]),
    (lambda x: tfnp.clip(x, 1, 3), [np.array([0.0, 2.0, 5.0])], [[0, 4, 0]]),
    (tfnp.nan_to_num, [np.array([2.0, np.nan])], [[4, 0]]),
    (lambda x: tfnp.broadcast_to(tfnp.reshape(x, (3, 1), "F"), (3, 2)), [THREE], [4 * THREE]),
    (tfnp.convolve, [np.array([1.0, 2.0]), np.array([3.0])], [[18, 36], [30]]),
    (lambda x: tfnp.full((2, 3), x, np.float64), [THREE], [4 * THREE]),
    (tfnp.subtract.reduce, [WEIGHTS], [2 * np.subtract.reduce(WEIGHTS) * np.array([1, -1, -1, -1])]),
    (tfnp.hypot.reduce, [WEIGHTS], [2 * WEIGHTS]),
    (lambda x: tfnp.pad(x, 1, "edge"), [THREE], [2 * THREE * [2, 1, 2]]),
]
FINITE: list[tuple[Callable[..., Any], Sequence[np.ndarray]]] = [
    (tfnp.cov, [np.array([[0.0, 1.0, 2.0, 4.0], [2.0, 1.0, 0.5, 3.0]])]),
    *[
        (getattr(tfnp.emath, name), [np.array([0.25, 0.75])])
        for name in ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh")
    ],
    (lambda x: tfnp.gradient(x, UNEVEN), [FOUR]),
    *[(getattr(tfnp, name), [SPOTTED]) for name in ("nansum", "nanmean", "nanmax", "nanvar", "nanprod")],
    (lambda a, b: tfnp.einsum("ij,jk->i", a, b), [X, array(3, 4)]),
    (lambda y: tfnp.polyfit(UNEVEN, y, 2), [FOUR]),
    (tfnp.poly, [np.array([1.0, 2.0, 3.0])]),
    *[(function, [WEIGHTS, UNEVEN[1:]]) for function in (tfnp.polyval, tfnp.polymul)],
    (tfnp.cumprod, [THREE]),
    (tfnp.prod, [np.array([[1.0, 2.0], [4.0, 3.0]], np.float32)]),
    (tfnp.sinc, [HALVES]),
    (tfnp.i0, [10 * HALVES]),
    (tfnp.var, [np.arange(3, dtype=np.float32)]),
    (tfnp.maximum.accumulate, [WEIGHTS]),
    (lambda x: tfnp.logaddexp.reduceat(x, [0, 2, 1]), [WEIGHTS]),
]


def test_a_gradient_is_as_expected():
    def check(case: tuple[Callable[..., Any], Sequence[np.ndarray], Sequence[Any]]) -> None:
        function, arrays, expected = case
        for slope, wanted in zip(gradient(function, *arrays), expected, strict=True):
            np.testing.assert_allclose(slope, wanted, rtol=1e-6)

    check_each(EXPECTED, check)


@pytest.mark.filterwarnings("ignore:.*encountered:RuntimeWarning")
def test_a_gradient_is_finite_and_zero_at_nan():
    def check(case: tuple[Callable[..., Any], Sequence[np.ndarray]]) -> None:
        function, arrays = case
        for slope, values in zip(gradient(function, *arrays), arrays, strict=True):
            assert np.isfinite(slope).all()
            assert not slope[np.isnan(values)].any()

    check_each(FINITE, check)
