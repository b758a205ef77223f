"""Allowances for sets: their order, which of equal elements remains, and arrays wrongly said to be sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.checkers.equality import are_equal, has_zeros_of_both_signs, have_same_elements, is_zero, parts_of
from oracle.reference.outcome import Outcome, bind_arguments

OPERATIONS = ("intersect1d", "setdiff1d", "setxor1d")


def _operands(arguments: dict[str, Any]) -> list[np.ndarray]:
    """Return the arrays of which sets are made."""
    names = ("ar", "x", "ar1", "ar2", "element", "test_elements")
    return [np.asarray(arguments[name]) for name in names if name in arguments]


def _asks_for_no_order(case: Case, expected: Outcome) -> bool:
    arguments = bind_arguments(case)
    is_single_array = isinstance(expected.value, np.ndarray) and bool(arguments)
    return is_single_array and (case.name == "unique_values" or not arguments["sorted"])


def _are_in_another_order(question: Question) -> bool:
    """Return whether the values are NumPy's in any order, with zeros of any sign where both are in the array."""
    expected, actual = (
        np.asarray(question.expected_part),
        np.asarray(question.actual_part).astype(question.expected_part.dtype),
    )
    if have_same_elements(expected, actual, 0).all():
        return True
    is_open = has_zeros_of_both_signs(*_operands(bind_arguments(question.case)))
    return is_open and bool(are_equal(np.sort(expected), np.sort(actual)).all())


def _chooses_among_zeros(case: Case, expected: Outcome) -> bool:
    """Return whether zeros of both signs are in the arrays, and no index says which of them is meant."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("return_index") or arguments.get("return_indices"):
        return False
    return has_zeros_of_both_signs(*_operands(arguments))


def _are_zeros_of_another_sign(question: Question) -> np.ndarray | bool:
    """Return which elements are equal to NumPy's but for the sign of a zero, of which both are in the arrays."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    operands = _operands(bind_arguments(question.case))
    free = are_equal(expected, actual)
    for i, (one, other) in enumerate(zip(parts_of(expected), parts_of(actual), strict=True)):
        is_open = has_zeros_of_both_signs(*[parts_of(array)[i] for array in operands if i < len(parts_of(array))])
        free = free & (is_open | (is_zero(one, negative=True) == is_zero(other, negative=True)))
    return free


def _chooses_among_nan(case: Case, expected: Outcome) -> bool:
    """Return whether complex numbers with nan in several places are one element, and no index says which is meant."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("return_index") or not arguments.get("equal_nan", True):
        return False
    arrays = [array[np.isnan(array)] for array in _operands(arguments) if array.dtype.kind == "c"]
    return len({(np.isnan(value.real), np.isnan(value.imag)) for array in arrays for value in array}) > 1


def _are_other_nan(question: Question) -> np.ndarray:
    """Return which elements are nan as NumPy's is, and equal to an element of the arrays, part by part."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    arrays = [np.ravel(array).astype(actual.dtype) for array in _operands(bind_arguments(question.case))]
    elements = np.concatenate(arrays)
    is_there = are_equal(actual[..., None], elements).any(-1)
    return np.isnan(expected) & np.isnan(actual) & is_there


def _tells_nan_apart(case: Case, expected: Outcome) -> bool:
    """Return whether nan is no other nan, and several are there."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("equal_nan", False):
        return False
    (array,) = _operands(arguments)
    return array.dtype.kind in "fcV" and int(np.isnan(array).sum()) > 1


def _are_indices_of_nan(question: Question) -> np.ndarray | bool:
    """Return which elements are nan, and have the index of an equal nan that no other has."""
    if question.departure.path != (0, _index_of_inverse(question.case)):
        return False
    array = _operands(bind_arguments(question.case))[0].reshape(np.shape(question.expected_part))
    values, inverse = np.asarray(question.actual.value[0]), np.asarray(question.actual_part)
    is_nan = np.isnan(array)
    if not np.array_equal(np.sort(inverse[is_nan]), np.sort(np.asarray(question.expected_part)[is_nan])):
        return False
    return is_nan & are_equal(array, values[np.where(is_nan, inverse, 0)])


def _index_of_inverse(case: Case) -> int:
    if case.name == "unique":
        return 1 + bool(bind_arguments(case).get("return_index"))
    return 2 if case.name == "unique_all" else 1


ALLOWANCES = (
    Allowance(
        id="set.order",
        is_choice=True,
        reason=Reason.NUMPY_OPEN,
        names=("unique", "unique_values"),
        applies=_asks_for_no_order,
        holds=_are_in_another_order,
        why="unique_values, and unique with sorted=False, return values in any order",
        most=0.7,
        link="https://numpy.org/doc/stable/reference/generated/numpy.unique_values.html",
    ),
    Allowance(
        id="set.sign-of-zero",
        reason=Reason.NUMPY_OPEN,
        names=("unique", "unique_counts", "unique_inverse", "unique_values", "union1d", *OPERATIONS),
        applies=_chooses_among_zeros,
        holds=_are_zeros_of_another_sign,
        why="zeros of both signs are one element, and a sort that is not stable decides which of them is left",
        link="https://numpy.org/doc/stable/reference/generated/numpy.unique.html",
    ),
    Allowance(
        id="set.which-nan",
        reason=Reason.NUMPY_OPEN,
        names=("unique", "union1d"),
        applies=_chooses_among_nan,
        holds=_are_other_nan,
        why="complex numbers with nan are one element, and a hash or a sort decides which of them is left",
        most=0.1,
        link="https://numpy.org/doc/stable/reference/generated/numpy.unique.html",
    ),
    Allowance(
        id="set.inverse-of-nan",
        is_choice=True,
        reason=Reason.NUMPY_OPEN,
        names=("unique", "unique_all", "unique_inverse"),
        applies=_tells_nan_apart,
        holds=_are_indices_of_nan,
        why="where each nan is an element of its own, their order is that of a sort which cannot tell them apart",
        most=0.1,
        link="https://numpy.org/doc/stable/reference/generated/numpy.unique.html",
    ),
)
