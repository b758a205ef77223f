"""Allowances for interpolation and the trapezoidal rule: equal abscissas, and rounding errors where terms cancel."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.checkers import ulp
from oracle.reference.dtypes import EPSILON, to_longdouble
from oracle.reference.outcome import Outcome, bind_arguments

UNIT = float(np.finfo(np.float64).eps)


def _terms_of_trapezoids(arguments: dict[str, Any]) -> tuple[np.ndarray, int]:
    """Return the sum of the sizes of the terms, in the widest dtype, and how many there are."""
    y, x, axis = np.asarray(arguments["y"]), arguments["x"], arguments["axis"]
    sizes = np.abs(np.where(np.isfinite(y), y, 0)).astype(np.longdouble)
    count = y.shape[axis]
    if x is None:
        return np.trapezoid(sizes, dx=np.abs(np.asarray(arguments["dx"], np.clongdouble)).real, axis=axis), count
    x = np.asarray(x)
    along = axis if x.ndim > 1 else 0
    steps = np.abs(np.diff(to_longdouble(x), axis=along))
    if x.ndim == 1:
        steps = steps.reshape([-1 if i == axis % y.ndim else 1 for i in range(y.ndim)])
    return np.trapezoid(sizes, dx=steps, axis=axis), max(count, x.shape[along])


def _integrates_to_and_fro(case: Case, expected: Outcome) -> bool:
    """Return whether the abscissas go forth and back, so that terms cancel."""
    arguments = bind_arguments(case)
    if not arguments or arguments["x"] is None:
        return False
    x = np.asarray(arguments["x"])
    steps = np.diff(x, axis=arguments["axis"] if x.ndim > 1 else 0)
    return x.dtype.kind in "iuf" and bool((steps > 0).any() and (steps < 0).any())


def _are_near_in_terms(question: Question) -> np.ndarray:
    """Return which elements are within the forward error bound of sums (Higham 4.4) and three roundings a term."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    terms, count = _terms_of_trapezoids(bind_arguments(question.case))
    with np.errstate(all="ignore"):
        is_near = np.abs(actual - expected) <= (count + 3) * EPSILON.get(expected.dtype, UNIT) * terms
    return np.isfinite(terms) & is_near


def _may_vanish(case: Case, expected: Outcome) -> bool:
    return bool(bind_arguments(case)) and bool(np.any(np.asarray(expected.value) == 0))


def _are_sums_of_zeros(question: Question) -> np.ndarray:
    """Return which elements are zero in both, as all of their terms are."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    terms, _ = _terms_of_trapezoids(bind_arguments(question.case))
    return (terms == 0) & (expected == 0) & (actual == 0)


def _may_overflow(case: Case, expected: Outcome) -> bool:
    arguments = bind_arguments(case)
    return bool(arguments) and not np.isfinite(expected.value).all()


def _overflow_with_terms(question: Question) -> np.ndarray:
    """Return which elements are finite in neither, where finite terms may overflow in some order."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    with np.errstate(all="ignore"):
        terms, _ = _terms_of_trapezoids(bind_arguments(question.case))
    return (2 * terms > ulp.largest(expected.dtype)) & ~np.isfinite(expected) & ~np.isfinite(actual)


ALLOWANCES = (
    Allowance(
        id="trapezoid.to-and-fro",
        reason=Reason.NUMPY_OPEN,
        names=("trapezoid",),
        applies=_integrates_to_and_fro,
        holds=_are_near_in_terms,
        why="where abscissas go to and fro terms cancel, and the order of a sum is nobody's promise",
        link="https://numpy.org/doc/stable/reference/generated/numpy.trapezoid.html",
    ),
    Allowance(
        id="trapezoid.sign-of-zero",
        reason=Reason.NUMPY_OPEN,
        names=("trapezoid",),
        applies=_may_vanish,
        holds=_are_sums_of_zeros,
        why="the sign of a sum of zeros tells whether it began with a zero or with its first term",
        most=0.2,
        link="https://numpy.org/doc/stable/reference/generated/numpy.trapezoid.html",
    ),
    Allowance(
        id="trapezoid.overflow",
        reason=Reason.NUMPY_OPEN,
        names=("trapezoid",),
        applies=_may_overflow,
        holds=_overflow_with_terms,
        why="terms that overflow meet infinity: the order of a sum decides whether it is infinite or nan",
        link="https://numpy.org/doc/stable/reference/generated/numpy.trapezoid.html",
    ),
)
