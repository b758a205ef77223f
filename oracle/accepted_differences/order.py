"""Orders that NumPy does not promise: of equal elements in unstable sorts, and within partitions."""

from __future__ import annotations

import operator
from itertools import pairwise
from typing import Any

import numpy as np

from oracle.accepted_differences.model import Query
from oracle.case.model import Case
from oracle.case.vocabulary import function_name
from oracle.equality.equal_elements import are_equal, have_same_elements
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.outcome import Outcome, bind_arguments


def is_stable(arguments: dict[str, Any]) -> bool:
    """Return whether a stable sort is asked for."""
    return bool(arguments.get("stable")) or str(arguments.get("kind") or "quicksort")[0] in "sm"


def bind_sort(case: Case) -> dict[str, Any]:
    """Return the arguments of a call, or of a sort that `apply_along_axis` is given."""
    arguments = bind_arguments(case)
    if arguments and case.name == "apply_along_axis":
        is_sort = function_name(arguments["func1d"]) in ("sort", "sort_complex") and not arguments.get("args")
        return {"a": arguments["arr"], "axis": arguments["axis"]} if is_sort else {}
    return arguments


def find_rows(arguments: dict[str, Any]) -> tuple[np.ndarray, int]:
    """Return the array to be ordered, and the axis: without one the array is flattened."""
    array, axis = _as_ordered(arguments["a"]), arguments.get("axis", -1)
    return (array.ravel(), 0) if axis is None or array.ndim == 0 else (array, operator.index(axis))


def _as_ordered(value: Any) -> np.ndarray:
    """Return an array of bfloat16 in float32: the registered dtype does not order nan."""
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype == BFLOAT16 else array


def keep_elements(query: Query) -> np.ndarray:
    """Return which rows have the array's elements, or NumPy's: its vectorised sorts change the signs of some zeros."""
    array, axis = find_rows(bind_sort(query.case))
    expected = np.asarray(query.expected_part)
    actual, array = (np.asarray(other).astype(expected.dtype) for other in (query.actual_part, array))
    return have_same_elements(array, actual, axis) | have_same_elements(expected, actual, axis)


def leaves_order_open(case: Case, expected: Outcome) -> bool:
    """Return whether an array is partitioned, or sorted by an unstable sort where some elements are equal."""
    arguments = bind_arguments(case)
    if not arguments or "kth" in arguments or is_stable(arguments):
        return "kth" in arguments
    array, axis = find_rows(arguments)
    rows = np.moveaxis(np.sort(array, axis), axis, 0)
    return len(rows) > 1 and bool(are_equal(rows[1:], rows[:-1]).any())


def is_other_order(query: Query) -> np.ndarray:
    """Return which rows are sorted, or partitioned, as NumPy's are: by their elements, or by those at their indices."""
    arguments = bind_arguments(query.case)
    array, axis = find_rows(arguments)
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    shape = expected.shape
    if "arg" in query.case.name:
        has_all = _are_permutations(actual, axis)
        expected, actual = _take(array, expected, axis), _take(array, actual, axis)
    else:
        has_all, actual = keep_elements(query), actual.astype(expected.dtype)
    return np.broadcast_to(has_all & _have_same_parts(arguments, expected, actual, axis), shape)


def _are_permutations(order: np.ndarray, axis: int) -> np.ndarray:
    """Return which rows hold every index once."""
    rows = np.moveaxis(np.sort(order, axis), axis, -1)
    return np.moveaxis((rows == np.arange(rows.shape[-1])).all(-1, keepdims=True), -1, axis)


def _take(array: np.ndarray, order: np.ndarray, axis: int) -> np.ndarray:
    return np.take_along_axis(array, np.clip(order, 0, array.shape[axis] - 1), axis)


def _have_same_parts(arguments: dict[str, Any], expected: np.ndarray, actual: np.ndarray, axis: int) -> np.ndarray:
    """Return which rows have equal elements; of a partition between one index asked for and the next, in any order."""
    if "kth" not in arguments:
        return np.asarray(are_equal(expected, actual).all(axis, keepdims=True))
    length = expected.shape[axis]
    indices = sorted({int(index) % length for index in np.ravel(arguments["kth"])})
    bounds = [0, *[bound for index in indices for bound in (index, index + 1)], length]
    same = np.ones([1 if dim == axis % expected.ndim else size for dim, size in enumerate(expected.shape)], bool)
    for start, stop in pairwise(bounds):
        parts = [np.sort(_as_ordered(array.take(range(start, stop), axis)), axis) for array in (expected, actual)]
        same &= are_equal(*parts).all(axis, keepdims=True)
    return same
