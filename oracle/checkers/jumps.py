"""Discontinuous functions, at points that no rounding error can explain."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.outcome import bind_arguments

MOST_QUARTERS = 2.0**18
"""Sums and remainders of fewer quarters are exact in single precision."""


def find_settled(case: Case, expected: np.ndarray) -> np.ndarray:
    """Return which elements of a result are made by comparing and subtracting without rounding."""
    find = {"unwrap": _unwraps_quarters, "interp": _is_at_an_end}.get(case.name)
    nowhere = np.zeros(expected.shape, bool)
    if find is None or len(case.calls()) > 1:
        return nowhere
    mask = np.atleast_1d(find(bind_arguments(case), expected))
    return mask if mask.shape == expected.shape else nowhere


def _unwraps_quarters(arguments: dict[str, Any], expected: np.ndarray) -> np.ndarray:
    """Return all elements where angles, period and least jump are small multiples of a quarter; else none."""
    operands = [
        np.asarray(arguments.get(name)) for name in ("p", "period", "discont") if arguments.get(name) is not None
    ]
    is_exact = expected.dtype.itemsize >= 4 and all(
        array.dtype.kind in "iuf" and bool(np.all((np.rint(4 * array) == 4 * array) & (abs(4 * array) < MOST_QUARTERS)))
        for array in operands
    )
    return np.full(expected.shape, is_exact)


def _is_at_an_end(arguments: dict[str, Any], expected: np.ndarray) -> np.ndarray:
    """Return where the abscissa is the first or last of ascending points: `left` and `right` apply beyond it."""
    x, points = np.asarray(arguments.get("x")), np.asarray(arguments.get("xp"))
    if arguments.get("period") is not None or points.ndim != 1 or points.dtype.kind not in "iuf" or not points.size:
        return np.zeros(x.shape, bool)
    rises = bool(np.all(points[1:] > points[:-1]))
    return rises & ((x == points[0]) | (x == points[-1]))
