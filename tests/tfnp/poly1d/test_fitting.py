"""Polynomials through points."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.tfnp.agreement import agree


@pytest.mark.full
def test_points_of_bfloat16_are_fitted_in_float32():
    x, y = np.arange(6).astype(ml_dtypes.bfloat16), np.array([0.5, 2, 3, 3.5, 7, 8], ml_dtypes.bfloat16)
    agree("polyfit", x, y, 1)
    agree("polyfit", x, y, 1, cov=True)
    agree("polyfit", x, y, 1, w=x + ml_dtypes.bfloat16(1))
    agree("polynomial.polynomial.polyfit", x, y, 1)
    agree("polynomial.chebyshev.chebfit", x, y, 1, w=x + ml_dtypes.bfloat16(1))
