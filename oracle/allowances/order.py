"""Allowances for orders that NumPy does not promise: of equal elements in unstable sorts, and within partitions."""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.case.vocabulary import function_name
from oracle.checkers.equality import are_equal, has_zeros_of_both_signs, have_same_elements
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.outcome import Outcome, bind_arguments


def _is_stable(arguments: dict[str, Any]) -> bool:
    return bool(arguments.get("stable")) or str(arguments.get("kind") or "quicksort")[0] in "sm"


def _as_ordered(value: Any) -> np.ndarray:
    """Return an array of bfloat16 in float32: the registered dtype does not order nan."""
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype == BFLOAT16 else array


def _along(arguments: dict[str, Any]) -> tuple[np.ndarray, int]:
    """Return the array to be ordered, and the axis: without one the array is flattened."""
    array, axis = _as_ordered(arguments["a"]), arguments.get("axis", -1)
    return (array.ravel(), 0) if axis is None or array.ndim == 0 else (array, operator.index(axis))


def _to_mask(question: Question, rows: np.ndarray) -> np.ndarray:
    return np.broadcast_to(rows, np.shape(question.expected_part))


def _bind_sort(case: Case) -> dict[str, Any]:
    """Return the arguments of a sort, or of one along an axis that another function is given."""
    arguments = bind_arguments(case)
    if arguments and case.name == "apply_along_axis":
        is_sort = function_name(arguments["func1d"]) in ("sort", "sort_complex") and not arguments.get("args")
        return {"a": arguments["arr"], "axis": arguments["axis"]} if is_sort else {}
    return arguments


def _sorts_zeros(case: Case, expected: Outcome) -> bool:
    """Return whether zeros of both signs were sorted, and not by a stable sort."""
    arguments = _bind_sort(case)
    return bool(arguments) and not _is_stable(arguments) and has_zeros_of_both_signs(np.asarray(arguments["a"]))


def _are_sorted_too(question: Question) -> np.ndarray:
    """Return which elements are equal to NumPy's, in rows that have the array's elements, signs of zeros included."""
    return are_equal(np.asarray(question.expected_part), np.asarray(question.actual_part)) & _keep_elements(question)


def _keep_elements(question: Question) -> np.ndarray:
    """Return which rows have the array's elements, or NumPy's: its vectorised sorts change the signs of some zeros."""
    array, axis = _along(_bind_sort(question.case))
    expected = np.asarray(question.expected_part)
    actual, array = (np.asarray(other).astype(expected.dtype) for other in (question.actual_part, array))
    return have_same_elements(array, actual, axis) | have_same_elements(expected, actual, axis)


def _sorts_equal_elements(case: Case, expected: Outcome) -> bool:
    """Return whether some elements along the axis are equal, and no stable sort was asked for."""
    arguments = bind_arguments(case)
    if not arguments or _is_stable(arguments):
        return False
    array, axis = _along(arguments)
    rows = np.moveaxis(np.sort(array, axis), axis, 0)
    return len(rows) > 1 and bool(are_equal(rows[1:], rows[:-1]).any())


def _take(array: np.ndarray, order: np.ndarray, axis: int) -> np.ndarray:
    return np.take_along_axis(array, np.clip(order, 0, array.shape[axis] - 1), axis)


def _are_permutations(order: np.ndarray, axis: int) -> np.ndarray:
    """Return which rows hold every index once."""
    rows = np.moveaxis(np.sort(order, axis), axis, -1)
    return np.moveaxis((rows == np.arange(rows.shape[-1])).all(-1, keepdims=True), -1, axis)


def _is_another_order(question: Question) -> np.ndarray:
    """Return which rows hold an order that sorts the array as well."""
    array, axis = _along(bind_arguments(question.case))
    order = np.asarray(question.actual_part)
    sorted_rows = are_equal(_take(array, order, axis), _take(array, np.asarray(question.expected_part), axis))
    return _to_mask(question, _are_permutations(order, axis) & sorted_rows.all(axis, keepdims=True))


def _have_same_parts(arguments: dict[str, Any], expected: np.ndarray, actual: np.ndarray, axis: int) -> np.ndarray:
    """Return which rows have equal elements between one index asked for and the next, in any order."""
    length = expected.shape[axis]
    indices = sorted({int(index) % length for index in np.ravel(arguments["kth"])})
    bounds = [0, *[bound for index in indices for bound in (index, index + 1)], length]
    same = np.ones([1 if dim == axis % expected.ndim else size for dim, size in enumerate(expected.shape)], bool)
    for start, stop in pairwise(bounds):
        parts = [np.sort(_as_ordered(array.take(range(start, stop), axis)), axis) for array in (expected, actual)]
        same &= are_equal(*parts).all(axis, keepdims=True)
    return same


def _is_another_partition(question: Question) -> np.ndarray:
    """Return which rows have the same elements, and equal ones between the indices asked for."""
    arguments = bind_arguments(question.case)
    _, axis = _along(arguments)
    expected = np.asarray(question.expected_part)
    actual = np.asarray(question.actual_part).astype(expected.dtype)
    return _to_mask(question, _keep_elements(question) & _have_same_parts(arguments, expected, actual, axis))


def _is_order_of_a_partition(question: Question) -> np.ndarray:
    """Return which rows hold an order that partitions the array as well."""
    arguments = bind_arguments(question.case)
    array, axis = _along(arguments)
    order = np.asarray(question.actual_part)
    parts = _take(array, np.asarray(question.expected_part), axis), _take(array, order, axis)
    return _to_mask(question, _are_permutations(order, axis) & _have_same_parts(arguments, *parts, axis))


ALLOWANCES = (
    Allowance(
        id="order.signs-of-sorted-zeros",
        reason=Reason.NUMPY_OPEN,
        names=("sort", "ndarray.sort", "sort_complex", "apply_along_axis"),
        applies=_sorts_zeros,
        holds=_are_sorted_too,
        why="zeros of both signs are equal, and a sort that is not stable leaves them in any order",
        most=0.1,
        link="https://numpy.org/doc/stable/reference/generated/numpy.sort.html",
    ),
    Allowance(
        id="order.equal-elements",
        is_choice=True,
        reason=Reason.NUMPY_OPEN,
        names=("argsort", "ndarray.argsort"),
        applies=_sorts_equal_elements,
        holds=_is_another_order,
        why="a sort that is not stable leaves the indices of equal elements in any order",
        most=0.4,
        link="https://numpy.org/doc/stable/reference/generated/numpy.argsort.html",
    ),
    Allowance(
        id="order.within-partitions",
        is_choice=True,
        reason=Reason.NUMPY_OPEN,
        names=("partition", "ndarray.partition"),
        applies=lambda case, expected: bool(bind_arguments(case)),
        holds=_is_another_partition,
        why="the order of elements between the indices that a partition is asked for is undefined",
        most=0.4,
        link="https://numpy.org/doc/stable/reference/generated/numpy.partition.html",
    ),
    Allowance(
        id="order.within-argpartitions",
        is_choice=True,
        reason=Reason.NUMPY_OPEN,
        names=("argpartition", "ndarray.argpartition"),
        applies=lambda case, expected: bool(bind_arguments(case)),
        holds=_is_order_of_a_partition,
        why="the order of the indices between those that a partition is asked for is undefined, as of equal elements",
        most=0.4,
        link="https://numpy.org/doc/stable/reference/generated/numpy.argpartition.html",
    ),
)
