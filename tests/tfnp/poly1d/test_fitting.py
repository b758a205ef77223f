"""Polynomials through points."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.tfnp.agreement import agree


def test_the_smallest_ratio_is_one_number():
    agree("polyfit", [0.0], [0.0], 0, (0, 0))


def test_a_ratio_that_is_none_is_the_rounding_error():
    agree("polyfit", [0.0], [1.0], 0, rcond=1.0)


@pytest.mark.full
def test_points_of_bfloat16_are_fitted_in_float32():
    x, y = np.arange(6).astype(ml_dtypes.bfloat16), np.array([0.5, 2, 3, 3.5, 7, 8], ml_dtypes.bfloat16)
    agree("polyfit", x, y, 1)
    agree("polyfit", x, y, 1, cov=True)
    agree("polyfit", x, y, 1, w=x + ml_dtypes.bfloat16(1))
    agree("polynomial.polynomial.polyfit", x, y, 1)
    agree("polynomial.chebyshev.chebfit", x, y, 1, w=x + ml_dtypes.bfloat16(1))
