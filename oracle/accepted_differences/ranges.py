"""Results past the range in which NumPy calculates, variances of too few terms, and positions among elements none of
which is a number.
"""

from __future__ import annotations

import numpy as np

from oracle.accepted_differences.model import Query
from oracle.accepted_differences.sums import find_ddof, find_terms
from oracle.case.model import Case
from oracle.equality.evidence import at
from oracle.reference.display import flatten
from oracle.reference.dtypes import EPSILON, is_inexact
from oracle.reference.outcome import Outcome, bind_arguments
from oracle.transforms.precision import wider


def overflows_on_the_way(case: Case, expected: Outcome) -> bool:
    """Return whether finite operands give a result that is not."""
    results = [np.asarray(part) for part in flatten(expected.value) if isinstance(part, np.ndarray | np.generic)]
    if not any(is_inexact(part.dtype) and not np.isfinite(part).all() for part in results):
        return False
    return all(np.isfinite(array).all() for array in case.arrays() if is_inexact(array.dtype))


def are_right_in_more_precision(query: Query) -> np.ndarray:
    """Return which elements are not finite in NumPy's result, and what NumPy gives in higher precision."""
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    answer = wider(query.case)
    part = np.asarray(at(answer, query.deviation.path)) if answer.ok else None
    if part is None or part.shape != expected.shape or part.dtype.kind not in "fc" or expected.dtype not in EPSILON:
        return np.zeros(expected.shape, bool)
    count = max((array.size for array in query.case.arrays()), default=1)
    error = EPSILON[expected.dtype] * (16 + count**0.5) * np.abs(part)  # as errors grow that do not all have one sign
    with np.errstate(all="ignore"):
        is_near = np.abs(actual.astype(part.dtype) - part) <= error
    return ~np.isfinite(expected) & np.isfinite(actual) & np.isfinite(part) & is_near


def has_few_terms(case: Case, expected: Outcome) -> bool:
    """Return whether some variance has no more terms than `ddof`."""
    return expected.ok and bool(_find_few_terms(case).any())


def have_few_terms(query: Query) -> np.ndarray:
    """Return which elements are of so few terms, and nan or infinite."""
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    few = _find_few_terms(query.case)
    if actual.shape != expected.shape or few.size != expected.size or actual.dtype.kind != "f":
        return np.zeros(expected.shape, bool)
    return few.reshape(expected.shape) & (np.isnan(actual) | (actual == np.inf))


def _find_few_terms(case: Case) -> np.ndarray:
    arguments = bind_arguments(case)
    if "a" not in arguments or np.asarray(arguments["a"]).dtype.kind not in "biufc":
        return np.zeros(1, bool)
    counted = find_terms(case.name, arguments)
    return np.asarray(counted.sum(arguments["axis"], keepdims=True) <= find_ddof(arguments))


def has_undefined_rows(case: Case, expected: Outcome) -> bool:
    """Return whether some row that is searched has nothing but nan and the infinity that `case` does not look for."""
    return expected.ok and bool(_find_undefined_rows(case).any())


def are_within_rows(query: Query) -> np.ndarray:
    """Return which indices are of such a row, whichever element they choose."""
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    arguments = bind_arguments(query.case)
    array, axis = np.asarray(arguments["a"]), arguments["axis"]
    length = array.size if axis is None or not array.ndim else array.shape[axis]
    rows = _find_undefined_rows(query.case)
    if actual.shape != expected.shape or rows.size != expected.size or actual.dtype.kind not in "iu":
        return np.zeros(expected.shape, bool)
    return rows.reshape(expected.shape) & (actual >= 0) & (actual < length)


def _find_undefined_rows(case: Case) -> np.ndarray:
    arguments = bind_arguments(case)
    array = np.asarray(arguments["a"]) if "a" in arguments else np.zeros(0)
    if array.dtype.kind != "f" or not array.size:
        return np.zeros(1, bool)
    lowest = -np.inf if case.name == "nanargmax" else np.inf
    return np.asarray((np.isnan(array) | (array == lowest)).all(arguments["axis"], keepdims=True))
