"""Powers that NumPy calculates in two ways."""

from __future__ import annotations

import numpy as np

from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.reference.outcome import Outcome, bind_arguments


def _operands(case: Case) -> tuple[np.ndarray, np.ndarray] | None:
    """Return bases and exponents, so shaped that they broadcast to the result."""
    if case.name.startswith("ndarray.") and len(case.calls()) == 1 and len(case.args) == 2:
        return np.asarray(case.args[0]), np.asarray(case.args[1])
    arguments = bind_arguments(case)
    if not arguments:
        return None
    if "x1" in arguments:
        return np.asarray(arguments["x1"]), np.asarray(arguments["x2"])
    bases, exponents = np.asarray(arguments["A"]), np.asarray(arguments["B"])
    return bases.reshape(bases.shape + (1,) * exponents.ndim), exponents


def _find_half_powers(bases: np.ndarray, exponents: np.ndarray) -> np.ndarray:
    """Return where -0 or -infinity is raised to the power 0.5."""
    if bases.dtype.kind == "c" or exponents.dtype.kind == "c":
        return np.zeros(np.broadcast_shapes(bases.shape, exponents.shape), bool)
    is_negative_zero = (bases == 0) & np.signbit(bases.astype(np.float64))
    return np.asarray((exponents == 0.5) & (is_negative_zero | (bases == -np.inf)))


def takes_half_powers(case: Case, expected: Outcome) -> bool:
    """Return whether -0 or -infinity is raised to the power 0.5."""
    operands = _operands(case)
    return operands is not None and bool(_find_half_powers(*operands).any())


def are_roots_or_powers(query: Query) -> np.ndarray | bool:
    """Return which elements are the square root of -0 or -infinity, or its power with the exponent 0.5."""
    operands, actual = _operands(query.case), np.asarray(query.actual_part)
    if operands is None or actual.dtype.kind == "c":
        return False
    is_right = np.where(operands[0] == 0, actual == 0, np.isnan(actual) | (actual == np.inf))
    return np.broadcast_to(_find_half_powers(*operands) & is_right, actual.shape)
