"""Elements that are chosen from others: minima and maxima, sorted rows, sets; and which of equal zeros is chosen."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from oracle.accepted_differences.model import Query, is_provided
from oracle.accepted_differences.order import bind_sort, find_rows, is_stable, keep_elements
from oracle.case.model import Case
from oracle.equality.equal_elements import are_equal, is_zero, parts_of
from oracle.reference.display import flatten
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome

SETS = ("ar", "x", "ar1", "ar2", "element", "test_elements")
"""The parameters that take arrays of which sets are made."""

BOUNDS = ("a", "a_min", "a_max", "min", "max")
"""The parameters of `clip` that may be in its result."""

Test = Callable[[np.ndarray], np.ndarray]


def find_operands(arguments: dict[str, Any]) -> list[np.ndarray]:
    """Return the arrays of which sets are made."""
    return [np.asarray(arguments[name]) for name in SETS if name in arguments]


def find_among(case: Case, is_such: Test) -> np.ndarray:
    """Return which elements of the result have such a number among those that they are chosen from."""
    arguments = bind_sort(case)
    options = {**arguments, **arguments.get("kwargs", {})}

    def test(name: str) -> np.ndarray:
        return is_such(np.asarray(options[name]))

    if operands := find_operands(options):
        return np.asarray(any(is_such(array).any() for array in operands))
    if _sorts(case):
        array, axis = find_rows(options)
        return np.asarray(is_such(array).any(axis if array.ndim else None, keepdims=True))
    chosen = np.asarray(options["where"], bool) if is_provided(options.get("where")) else True
    name, _, method = case.name.removeprefix("ndarray.").partition(".")
    if name == "clip":
        bounds = [test(bound) for bound in BOUNDS if is_provided(options.get(bound))]
        return np.asarray(reduce(operator.or_, bounds) & chosen)
    if method == "at":
        mask = np.array(test("a"))
        np.logical_or.at(mask, options["indices"], test("b"))
        return mask
    if method == "outer":
        return np.asarray(np.logical_or.outer(test("A"), test("B")) & chosen)
    if method == "accumulate":
        return np.asarray(np.logical_or.accumulate(test("array"), options["axis"]))
    if method == "reduceat":
        return np.asarray(np.logical_or.reduceat(test("array"), options["indices"], options["axis"]))
    if "x1" in options:
        return np.asarray((test("x1") | test("x2")) & chosen)
    return _find_among_reduced(options, test("array" if method else "a"), chosen, is_such)


def _sorts(case: Case) -> bool:
    return "sort" in case.name or case.name == "apply_along_axis"


def _find_among_reduced(options: dict[str, Any], such: np.ndarray, chosen: Any, is_such: Test) -> np.ndarray:
    keepdims = options.get("keepdims", False)
    mask = np.logical_or.reduce(such, options["axis"], where=chosen, keepdims=keepdims is True)
    initial = options.get("initial")
    return np.asarray(mask | is_such(np.asarray(initial)) if is_provided(initial) else mask)


def shape_as(mask: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return the mask in the shape of the result, all false where NumPy writes to an array of an unrelated shape."""
    try:
        return mask.reshape(expected.shape) if mask.size == expected.size else np.broadcast_to(mask, expected.shape)
    except ValueError:
        return np.zeros(expected.shape, bool)


def _of_part(i: int, test: Test) -> Test:
    """Return the test of the real or the imaginary part, which is +0 where a number has none."""

    def is_such(array: np.ndarray) -> np.ndarray:
        parts = parts_of(array)
        return test(parts[i] if i < len(parts) else np.zeros(array.shape))

    return is_such


def _find_opposite_zeros(case: Case, part: int) -> np.ndarray:
    """Return which elements of the result are chosen from zeros of both signs, or parts of numbers that are such."""
    masks = [find_among(case, _of_part(part, partial(is_zero, negative=negative))) for negative in (False, True)]
    return masks[0] & masks[1]


def has_opposite_zeros(case: Case, expected: Outcome) -> bool:
    """Return whether zeros of both signs meet, one of them is in the result, and no stable sort and no index says which
    of them is meant.
    """
    arguments = bind_sort(case)
    if not arguments or is_stable(arguments) or arguments.get("return_index") or arguments.get("return_indices"):
        return False
    results = [np.asarray(part) for part in flatten((expected.value, expected.after)) if _is_inexact(part)]
    if not any(bool((part == 0).any()) for array in results for part in parts_of(array)):
        return False
    return any(bool(_find_opposite_zeros(case, part).any()) for part in (0, 1))


def _is_inexact(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) and is_inexact(value.dtype)


def are_of_either_sign(query: Query) -> np.ndarray:
    """Return which elements are equal to NumPy's but for the sign of a zero, where zeros of both signs meet; of rows
    that are sorted, in those that have the array's elements.
    """
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    free = are_equal(expected, actual)
    for i, (one, other) in enumerate(zip(parts_of(expected), parts_of(actual), strict=True)):
        is_open = shape_as(_find_opposite_zeros(query.case, i), expected)
        free = free & (is_open | (is_zero(one, negative=True) == is_zero(other, negative=True)))
    return free & keep_elements(query) if _sorts(query.case) else free
