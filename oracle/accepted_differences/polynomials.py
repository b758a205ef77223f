"""Polynomials: remainders, which hold what cancels, signs of zeros, and zeros that a graph cannot trim."""

from __future__ import annotations

from functools import partial
from unittest.mock import patch

import numpy as np
from numpy.polynomial import polyutils

from oracle.accepted_differences.model import TRACED, Allowance, Query, Reason
from oracle.case.model import Case
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.outcome import Outcome

ROUNDINGS = 64
"""Roundings that the terms of a remainder may have behind them."""


def is_single_call(case: Case, expected: Outcome) -> bool:
    """Return whether one call gives a value."""
    return expected.ok and len(case.calls()) == 1


def divides(case: Case, expected: Outcome) -> bool:
    """Return whether one call gives a quotient and a remainder."""
    return is_single_call(case, expected) and isinstance(expected.value, tuple)


def is_remainder_of_rounding(query: Query) -> bool:
    """Return whether the quotient is NumPy's, and the remainder as near as rounding errors of its terms are large; what
    is as small as they are at its beginning may be left out.
    """
    arguments, actual = query.arguments, query.actual.value
    if not arguments or not isinstance(actual, tuple) or len(actual) != 2:
        return False
    (quotient, remainder), (actual_quotient, actual_remainder) = query.expected.value, actual
    divisor = np.asarray(arguments["v"]).dtype  # in which NumPy rounds one over the leading coefficient
    is_narrow = divisor == BFLOAT16 or divisor in (np.float16, np.float32, np.complex64)
    rounded = np.float32 if is_narrow else np.result_type(quotient, remainder, np.float32)
    unit = ROUNDINGS * float(np.finfo(rounded).eps)
    size = np.max(np.abs(quotient), initial=0.0)
    if np.shape(quotient) != np.shape(actual_quotient) or np.ndim(remainder) != 1 or np.ndim(actual_remainder) != 1:
        return False
    if not np.all(np.abs(np.subtract(quotient, actual_quotient)) <= unit * size):
        return False
    bound = unit * (np.max(np.abs(arguments["u"])) + size * np.max(np.abs(arguments["v"])))
    count = min(len(remainder), len(actual_remainder))
    gaps = [remainder[: len(remainder) - count], actual_remainder[: len(actual_remainder) - count]]
    gaps.append(np.subtract(remainder[len(remainder) - count :], actual_remainder[len(actual_remainder) - count :]))
    return all(bool(np.all(np.abs(gap) <= bound)) for gap in gaps)


def are_zeros(query: Query) -> np.ndarray | bool:
    """Return which elements are zero in both results."""
    one, other = np.asarray(query.expected_part), np.asarray(query.actual_part)
    return (one == 0) & (other == 0) if one.shape == other.shape else False


def _has_zeros_to_trim(case: Case, expected: Outcome) -> bool:
    """Return whether a series ends in zeros, which NumPy leaves out."""
    has_zeros = any(array.ndim == 1 and array.size > 1 and array[-1] == 0 for array in case.arrays())
    return expected.ok and len(case.calls()) == 1 and has_zeros


def _is_answer_without_trimming(query: Query) -> bool:
    """Return whether it is NumPy's answer where the zeros at the end of the arguments take part."""
    untrimmed = partial(polyutils.as_series, trim=False)  # no argument of NumPy's functions asks for it
    with patch.object(polyutils, "as_series", untrimmed):
        return not query.compare(query.case)


ALLOWANCES = (
    Allowance(
        id="polynomial.zeros-take-part",
        reason=Reason.DECISION,
        names=tuple(f"polynomial.*{operation}" for operation in ("mul", "mulx", "div", "pow", "2poly", ".poly2*")),
        modes=TRACED,
        kinds=("value", "shape"),
        applies=_has_zeros_to_trim,
        holds=_is_answer_without_trimming,
        asks_again=True,
        why="a graph cannot trim zeros at the end of a series: they are multiplied, turn infinity into nan, and "
        "count for which series is the longer one",
        most=0.2,
    ),
)
