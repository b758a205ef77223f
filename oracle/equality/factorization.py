"""Checks of whole results: linear algebra by its own checkers, roots as multisets."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.deviation import Deviation
from oracle.equality.linalg import check_linalg, is_checked, list_parts
from oracle.equality.numeric import NumericComparison
from oracle.reference.dtypes import EPSILON, to_double


def applies(case: Case, value: Any) -> bool:
    """Return whether the case's result is judged as a whole."""
    if len(case.calls()) > 1:
        return False
    return table.finds_roots(case.name) or is_checked(case)


def compare_factors(evidence: NumericComparison, expected: Any, actual: Any) -> list[Deviation]:
    """List the first property that the result lacks; or, if it lacks none, that it is another one than NumPy's."""
    lacking = find_lacking(evidence, expected, actual)
    if lacking is not None:
        return [Deviation(*lacking, (0,))]
    if evidence.undecided or not is_other_choice(evidence.case.name, expected, actual):
        return []
    detail = "a right result, in another order or with other vectors than NumPy's"
    return [Deviation("value", detail, (0,), is_choice=True)]


def is_other_choice(name: str, expected: Any, actual: Any) -> bool:
    """Return whether one of several right results differs from NumPy's by more than rounding: by the square root of the
    rounding unit, of the largest number.
    """
    if table.relation_of(name).check not in ("factors", "roots"):
        return False
    parts = zip(list_parts(expected), list_parts(actual), strict=True)
    return any(_differ(one, other) for one, other in parts)


def _differ(one: np.ndarray, other: np.ndarray) -> bool:
    bound = max(EPSILON.get(array.dtype, 0.0) for array in (one, other)) ** 0.5
    finite = np.isfinite(one) & np.isfinite(other)
    left, right = (to_double(np.where(finite, array, 0)) for array in (one, other))
    return bool(np.any(np.abs(left - right) > bound * np.max(np.abs(left), initial=0.0)))


def find_lacking(evidence: NumericComparison, expected: Any, actual: Any) -> tuple[str, str] | None:
    """Return kind and detail of the first property that the result lacks, or None."""
    if table.finds_roots(evidence.case.name):
        return _compare_multisets(evidence, expected, actual)
    check = check_linalg(evidence.case, expected, actual, evidence.precision)
    evidence.leave_undecided(check.undecided)
    first = next(iter(check.deviations), None)
    return None if first is None else (first.kind, first.detail)


def _compare_multisets(evidence: NumericComparison, expected: Any, actual: Any) -> tuple[str, str] | None:
    """Return kind and detail if some of NumPy's numbers has no partner, nearest first; else None."""
    common = np.result_type(actual, expected)
    actual, expected = np.asarray(actual).astype(common), np.asarray(expected).astype(common)
    paired = actual.copy()
    for index in np.ndindex(expected.shape[:-1]):
        left = list(actual[index])
        for i, root in enumerate(expected[index]):
            nearest = min(range(len(left)), key=lambda k: _apart(left[k], root))
            paired[(*index, i)] = left.pop(nearest)
    if evidence.wrong((0,), expected, paired).any():
        return "value", f"expected the numbers {expected}, got {actual}"
    return None


def _apart(left: Any, right: Any) -> float:
    gap = float(abs(complex(left) - complex(right)))
    return np.inf if np.isnan(gap) else gap
