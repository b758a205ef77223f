"""Sets: their order, which of equal nan remains, and the indices of nan."""

from __future__ import annotations

import numpy as np

from oracle.accepted_differences.chosen import find_operands
from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.equality.equal_elements import are_equal, has_zeros_of_both_signs, have_same_elements
from oracle.reference.outcome import Outcome, bind_arguments


def asks_for_no_order(case: Case, expected: Outcome) -> bool:
    """Return whether the values of a set are asked for in any order, and nothing else."""
    arguments = bind_arguments(case)
    is_single_array = isinstance(expected.value, np.ndarray) and bool(arguments)
    return is_single_array and (case.name == "unique_values" or not arguments.get("sorted", True))


def are_in_another_order(query: Query) -> bool:
    """Return whether the values are NumPy's in any order, with zeros of any sign where both are in the array."""
    expected, actual = (
        np.asarray(query.expected_part),
        np.asarray(query.actual_part).astype(query.expected_part.dtype),
    )
    if have_same_elements(expected, actual, 0).all():
        return True
    is_open = has_zeros_of_both_signs(*find_operands(bind_arguments(query.case)))
    return is_open and bool(are_equal(np.sort(expected), np.sort(actual)).all())


def chooses_among_nan(case: Case, expected: Outcome) -> bool:
    """Return whether complex numbers with nan in either part are one element, and no index says which is meant."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("return_index") or not arguments.get("equal_nan", True):
        return False
    arrays = [array[np.isnan(array)] for array in find_operands(arguments) if array.dtype.kind == "c"]
    return len({(np.isnan(value.real), np.isnan(value.imag)) for array in arrays for value in array}) > 1


def are_other_nan(query: Query) -> np.ndarray:
    """Return which elements are nan as NumPy's is, and equal to an element of the arrays, part by part."""
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    arrays = [np.ravel(array).astype(actual.dtype) for array in find_operands(bind_arguments(query.case))]
    elements = np.concatenate(arrays)
    is_there = are_equal(actual[..., None], elements).any(-1)
    return np.isnan(expected) & np.isnan(actual) & is_there


def tells_nan_apart(case: Case, expected: Outcome) -> bool:
    """Return whether nan is no other nan, and several are there."""
    arguments = bind_arguments(case)
    if not arguments or arguments.get("equal_nan", False):
        return False
    (array,) = find_operands(arguments)
    return array.dtype.kind in "fcV" and int(np.isnan(array).sum()) > 1


def are_indices_of_nan(query: Query) -> np.ndarray | bool:
    """Return which elements are nan, and have the index of an equal nan that no other has."""
    if query.deviation.path != (0, _index_of_inverse(query.case)):
        return False
    array = find_operands(bind_arguments(query.case))[0].reshape(np.shape(query.expected_part))
    values, inverse = np.asarray(query.actual.value[0]), np.asarray(query.actual_part)
    is_nan = np.isnan(array)
    if not np.array_equal(np.sort(inverse[is_nan]), np.sort(np.asarray(query.expected_part)[is_nan])):
        return False
    return is_nan & are_equal(array, values[np.where(is_nan, inverse, 0)])


def _index_of_inverse(case: Case) -> int:
    if case.name == "unique":
        return 1 + bool(bind_arguments(case).get("return_index"))
    return 2 if case.name == "unique_all" else 1
