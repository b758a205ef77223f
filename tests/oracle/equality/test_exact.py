"""Exact linear algebra of small matrices."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from oracle.equality import exact
from tests.oracle.equality import matrices


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_determinants_and_solutions_are_those_of_numpy(n, dtype):
    a, b = matrices.random(n, n, dtype), matrices.random(9, 2, m=n)
    found = exact.find_determinant(a)
    assert np.isclose(complex(found.value()), np.linalg.det(a), rtol=1e-12)
    assert np.isclose(found.logarithm(), np.linalg.slogdet(a)[1], atol=1e-12)
    assert np.allclose(exact.solve(a, b).astype(dtype), np.linalg.solve(a, b))


def test_nothing_is_rounded():
    a = np.array([[1e300, 1.0], [2.0, 1e-300]])
    truth = Fraction(1e300) * Fraction(1e-300) - 2
    assert float(exact.find_determinant(a).value()) == float(truth)
    assert exact.find_determinant(matrices.RANK_ONE[:2, :2] * 0 + 1).value() == 0
    assert exact.solve(np.ones((2, 2)), np.eye(2)) is None
    assert exact.solve(np.array([[3.0]]), np.eye(1))[0, 0] == np.longdouble(1) / 3


def test_a_determinant_beyond_all_ranges_has_a_logarithm():
    found = exact.find_determinant(np.diag([1e300] * 20))
    assert np.isclose(found.logarithm(), 6000 * np.log(10))
    assert np.isinf(found.value()) or found.value() > 1e300
    assert np.isclose(float(found.value(-20 * 997)), float(np.ldexp(np.longdouble(1e300), -997)) ** 20)
