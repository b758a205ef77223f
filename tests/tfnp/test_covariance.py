"""Covariances and correlations."""

from __future__ import annotations

import numpy as np

from tests.tfnp.agreement import agree


def test_no_variables_are_float64():
    for dtype in (np.float32, np.complex128):
        agree("cov", np.zeros((0, 3), dtype))
        agree("corrcoef", np.zeros((1, 0), dtype), rowvar=False)
