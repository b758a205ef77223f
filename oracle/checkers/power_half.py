"""Bases whose square root differs from C's pow with the exponent 0.5."""

from __future__ import annotations

import numpy as np


def find_half_powers(bases: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """Return where -0 or -infinity is raised to the power 0.5."""
    if bases.dtype.kind == "c" or exponents.dtype.kind == "c":
        return np.zeros(np.broadcast_shapes(bases.shape, exponents.shape), bool)
    is_negative_zero = (bases == 0) & np.signbit(bases.astype(np.float64))
    return np.asarray((exponents == 0.5) & (is_negative_zero | (bases == -np.inf)))
