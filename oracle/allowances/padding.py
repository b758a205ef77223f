"""Allowances for rounding in the borders of padded arrays: means, medians and ramps."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.reference.dtypes import is_inexact, to_longdouble
from oracle.reference.outcome import Outcome, bind_arguments

ROUNDINGS = {"median": 2, "linear_ramp": 7}
"""Units in the last place of the sizes of what it is made of that a border may be away along each axis: the roundings
of the mean of two; those of a difference, a quotient, a product of at most twice the size, and a sum, on both sides.
"""


def _find_border(case: Case) -> np.ndarray:
    """Return which elements of the result are not the array's own."""
    arguments = bind_arguments(case)
    inside = np.zeros(np.shape(arguments["array"]), bool)
    return np.pad(inside, arguments["pad_width"], constant_values=True)


def _calculates_a_border(case: Case, expected: Outcome) -> bool:
    is_calculated = bind_arguments(case).get("mode") in ("mean", *ROUNDINGS)
    return is_calculated and is_inexact(np.asarray(expected.value).dtype)


def _are_near_on_the_border(question: Question) -> np.ndarray:
    """Return which elements of the border are within the rounding errors of a mean, a median or a ramp."""
    arguments = bind_arguments(question.case)
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    units = ROUNDINGS.get(arguments["mode"], max(expected.shape, default=0) + 1)  # a mean is a sum (Higham 4.4)
    bound = units * expected.ndim * float(ml_dtypes.finfo(expected.dtype).eps) * _find_sizes(arguments)
    with np.errstate(all="ignore"):
        return _find_border(question.case) & (np.abs(to_longdouble(actual) - to_longdouble(expected)) <= bound)


def _find_sizes(arguments: dict[str, Any]) -> np.ndarray:
    """Return how large the numbers are, element by element, of which a border is calculated."""
    array, options = np.asarray(arguments["array"]), arguments["kwargs"]
    sizes = np.abs(to_longdouble(array))
    sizes = np.where(np.isfinite(sizes), sizes, 0)
    if arguments["mode"] == "linear_ramp":
        return np.pad(sizes, arguments["pad_width"], "edge") + np.max(np.abs(options.get("end_values", 0)))
    lengths = {"stat_length": options.get("stat_length")}
    return np.pad(sizes, arguments["pad_width"], "mean" if arguments["mode"] == "mean" else "maximum", **lengths)


ALLOWANCES = (
    Allowance(
        id="padding.rounding",
        reason=Reason.NUMPY_OPEN,
        names=("pad",),
        applies=_calculates_a_border,
        holds=_are_near_on_the_border,
        why="a border of means, medians or ramps is calculated in an order that is nobody's promise",
        most=0.1,
        link="https://numpy.org/doc/stable/reference/generated/numpy.pad.html",
    ),
)
