"""Allowances for unspecified elements: undefined casts, integers of rounded floats, nan, and memory layouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.allowances import undefined_casts
from oracle.allowances.model import Allowance, Question, Reason, by_answer_to
from oracle.case.model import Case
from oracle.reference.display import flatten
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome, run_numpy


def _are_undefined_casts(question: Question) -> np.ndarray | bool:
    """Return which elements come of a cast that C leaves undefined."""
    expected, wrong = question.expected_part, question.deviation.wrong
    if wrong is None or not isinstance(expected, np.ndarray):
        return False
    mask = undefined_casts.open_elements(question.case, question.deviation.path, expected)
    return False if mask is None else np.broadcast_to(mask, wrong.shape)


def _are_decided_by_rounding(question: Question) -> np.ndarray | bool:
    """Return which integers are the two between which a rounding error decides."""
    expected, actual, wrong = question.expected_part, question.actual_part, question.deviation.wrong
    if wrong is None or not isinstance(expected, np.ndarray) or not isinstance(actual, np.ndarray):
        return False
    mask = undefined_casts.are_decided_by_rounding(question.case, question.deviation.path, expected, actual)
    return np.broadcast_to(mask, wrong.shape)


def _reads_sign_of_nan(case: Case, expected: Outcome) -> bool:
    """Return whether a call before the last gives nan, whose sign the last one may read."""
    inner = (run_numpy(call).value for call in case.calls() if call is not case)
    return any(bool(np.isnan(part).any()) for value in inner for part in flatten(value) if _is_inexact(part))


def _is_inexact(part: Any) -> bool:
    return isinstance(part, np.ndarray | np.inexact) and is_inexact(part.dtype)


def _take_sign_of_nan(question: Question) -> np.ndarray | bool:
    """Return which numbers differ in their sign only, and have it of nan; of a method, which may have it."""
    wrong, case = question.deviation.wrong, question.case
    if wrong is None:
        return False
    is_same_size = np.abs(question.expected_part) == np.abs(question.actual_part)
    if case.name != "copysign":
        return is_same_size
    sign = run_numpy(case.args[1]).value if type(case.args[1]) is Case else case.args[1]
    return is_same_size & np.broadcast_to(np.isnan(sign), wrong.shape)


def _has_nan_median(case: Case, expected: Outcome) -> bool:
    """Return whether the median of complex numbers that are all nan is asked for."""
    results = [part for part in (expected.value, *expected.after) if isinstance(part, np.ndarray | np.generic)]
    return any(part.dtype.kind == "c" and bool(np.isnan(part).any()) for part in results)


def _are_nan_in_both(question: Question) -> np.ndarray:
    return np.isnan(question.expected_part) & np.isnan(question.actual_part)


def _in_standard_layout(case: Case) -> Case | None:
    """Return the case over arrays in C order and native byte order, those that inner calls give included; None if they
    are.
    """

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


ALLOWANCES = (
    Allowance(
        id="element.undefined-cast",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        applies=lambda case, expected: expected.ok,
        holds=_are_undefined_casts,
        why="C does not define the cast of a float to an integer type that cannot hold it, and NumPy itself gives "
        "two answers",
        most=0.4,
        link="https://numpy.org/doc/stable/release/1.24.0-notes.html",
    ),
    Allowance(
        id="element.rounded-integer",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        applies=lambda case, expected: expected.ok,
        holds=_are_decided_by_rounding,
        why="a float close to an integer is truncated: a rounding error decides between two integers",
        most=0.2,
        link="https://numpy.org/doc/stable/reference/generated/numpy.arange.html",
    ),
    Allowance(
        id="element.sign-of-nan",
        reason=Reason.NUMPY_OPEN,
        names=("copysign", "copysign.*"),
        applies=_reads_sign_of_nan,
        holds=_take_sign_of_nan,
        why="the sign of a nan that a calculation makes depends on the processor's instruction",
        link="https://numpy.org/doc/stable/user/misc.html",
    ),
    Allowance(
        id="element.parts-of-nan",
        reason=Reason.NUMPY_OPEN,
        names=("nanmedian",),
        applies=_has_nan_median,
        holds=_are_nan_in_both,
        why="for complex numbers that are all nan, NumPy returns nan+0j or the last of them, depending on the "
        "length of a row",
        link="https://numpy.org/doc/stable/reference/generated/numpy.nanmedian.html",
    ),
    Allowance(
        id="element.of-a-layout",
        reason=Reason.NUMPY_OPEN,
        names=("*",),
        kinds=("value", "shape"),
        **by_answer_to(_in_standard_layout),
        why="NumPy chooses among several loops by memory layout, and a tensor has only one layout",
        is_live=False,  # it depends on the processor
        link="https://numpy.org/doc/stable/reference/simd/index.html",
    ),
)
