"""Unspecified elements: undefined casts, integers of rounded floats, nan, and memory layouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.accepted_differences import undefined_casts
from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.reference.display import flatten
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome, run_numpy


def are_undefined_casts(query: Query) -> np.ndarray | bool:
    """Return which elements come of a cast that C leaves undefined."""
    expected, wrong = query.expected_part, query.deviation.wrong
    if wrong is None or not isinstance(expected, np.ndarray):
        return False
    mask = undefined_casts.open_elements(query.case, query.deviation.path, expected)
    return False if mask is None else np.broadcast_to(mask, wrong.shape)


def are_decided_by_rounding(query: Query) -> np.ndarray | bool:
    """Return which integers are the two between which a rounding error decides."""
    expected, actual, wrong = query.expected_part, query.actual_part, query.deviation.wrong
    if wrong is None or not isinstance(expected, np.ndarray) or not isinstance(actual, np.ndarray):
        return False
    if expected.dtype.kind not in "iub":
        return False
    mask = undefined_casts.are_decided_by_rounding(query.case, query.deviation.path, expected, actual)
    return np.broadcast_to(mask, wrong.shape)


def reads_sign_of_nan(case: Case, expected: Outcome) -> bool:
    """Return whether a call before the last gives nan, whose sign the last one may read."""
    inner = (run_numpy(call).value for call in case.calls() if call is not case)
    return any(bool(np.isnan(part).any()) for value in inner for part in flatten(value) if _is_inexact(part))


def _is_inexact(part: Any) -> bool:
    return isinstance(part, np.ndarray | np.inexact) and is_inexact(part.dtype)


def take_sign_of_nan(query: Query) -> np.ndarray | bool:
    """Return which numbers differ in their sign only, and have it of nan; of a method, which may have it."""
    wrong, case = query.deviation.wrong, query.case
    if wrong is None:
        return False
    is_same_size = np.abs(query.expected_part) == np.abs(query.actual_part)
    if case.name != "copysign":
        return is_same_size
    sign = run_numpy(case.args[1]).value if type(case.args[1]) is Case else case.args[1]
    return is_same_size & np.broadcast_to(np.isnan(sign), wrong.shape)


def has_nan_median(case: Case, expected: Outcome) -> bool:
    """Return whether the median of complex numbers that are all nan is asked for."""
    results = [part for part in (expected.value, *expected.after) if isinstance(part, np.ndarray | np.generic)]
    return any(part.dtype.kind == "c" and bool(np.isnan(part).any()) for part in results)


def are_nan_in_both(query: Query) -> np.ndarray:
    """Return which elements are nan in both results."""
    return np.isnan(query.expected_part) & np.isnan(query.actual_part)


def in_standard_layout(case: Case) -> Case | None:
    """Return the case over arrays in C order and native byte order, those that inner calls give included; None if they
    are.
    """
    if not case.is_nested() and all(map(_has_standard_layout, case.leaves())):
        return None

    def lay_out(value: Any) -> Any:
        if type(value) in (list, tuple):
            return type(value)(map(lay_out, value))
        is_copied = type(value) is Case and not _has_standard_layout(run_numpy(value).value)
        return Case("copy", (value,), {"order": "C"}) if is_copied else value

    other = case.map_arrays(lambda array: np.array(array, array.dtype.newbyteorder("="), order="C"))
    other = Case(case.name, tuple(map(lay_out, other.args)), {key: lay_out(arg) for key, arg in other.kwargs.items()})
    is_same = all(map(_has_standard_layout, case.arrays())) and len(other.calls()) == len(case.calls())
    return None if is_same else other


def _has_standard_layout(value: Any) -> bool:
    """Return whether the value is no array, or one in C order and native byte order."""
    return not isinstance(value, np.ndarray) or (value.flags.c_contiguous and value.dtype.isnative)
