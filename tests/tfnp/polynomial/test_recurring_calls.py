"""Calls of series that recur: lengths and dtypes that depend on values are NumPy's each time."""

from __future__ import annotations

import numpy as np
import pytest

from tfnp import polynomial


@pytest.mark.parametrize("name", ["legmul", "hermmul", "chebmul"])
def test_recurring_calls_keep_their_dtype(name: str) -> None:
    """NumPy's dtype depends on how many coefficients are left: one of them alone is promoted by Legendre's product."""
    module = {"leg": "legendre", "her": "hermite", "che": "chebyshev"}[name[:3]]
    multiply, power = (getattr(getattr(polynomial, module), name[:-3] + verb) for verb in ("mul", "pow"))
    reference = getattr(np.polynomial, module)
    one, two = np.float32([1, 0]), np.float32([1, 2])
    expected = [getattr(reference, name)(one, two).dtype, getattr(reference, name[:-3] + "pow")(one, 3).dtype]
    for _ in range(70):
        assert multiply(two, two).dtype == power(two, 3).dtype == np.float32
        assert [multiply(one, two).dtype, power(one, 3).dtype] == expected


@pytest.mark.parametrize("coefficients", [[0.0], [2.0], [0.0, 0.0]])
@pytest.mark.parametrize("name", ["Polynomial", "Chebyshev", "Hermite"])
def test_recurring_integrals_keep_their_length(name: str, coefficients: list[float]) -> None:
    """The integral of a single zero has one coefficient."""
    expected = getattr(np.polynomial, name)(coefficients).integ().coef
    for _ in range(30):
        np.testing.assert_array_equal(getattr(polynomial, name)(coefficients).integ().coef, expected, strict=True)
