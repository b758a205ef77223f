"""Allowances for minima and maxima: signs of equal zeros, and subnormal numbers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason, is_provided
from oracle.allowances.subnormals import LINK
from oracle.case.model import Case
from oracle.checkers.equality import are_equal, is_zero, parts_of
from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy
from oracle.transforms import precision

UFUNCS = ("maximum", "minimum", "fmax", "fmin")
METHODS = ("outer", "reduce", "accumulate", "reduceat", "at")
REDUCTIONS = ("min", "max", "amin", "amax", "nanmin", "nanmax", "ndarray.min", "ndarray.max")
NAMES = (*UFUNCS, *(f"{name}.{method}" for name in UFUNCS for method in METHODS), *REDUCTIONS, "clip", "ndarray.clip")
BOUNDS = ("a", "a_min", "a_max", "min", "max")

Test = Callable[[np.ndarray], np.ndarray]


def find_among(case: Case, is_such: Test) -> np.ndarray:
    """Return which elements of the result have such a number among those that they are chosen from."""
    arguments = bind_arguments(case)
    options = {**arguments, **arguments.get("kwargs", {})}

    def test(name: str) -> np.ndarray:
        return is_such(np.asarray(options[name]))

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
    if not method and name in UFUNCS:
        return np.asarray((test("x1") | test("x2")) & chosen)
    return _find_among_reduced(options, test("array" if method else "a"), chosen, is_such)


def _find_among_reduced(options: dict[str, Any], such: np.ndarray, chosen: Any, is_such: Test) -> np.ndarray:
    keepdims = options.get("keepdims", False)
    mask = np.logical_or.reduce(such, options["axis"], where=chosen, keepdims=keepdims is True)
    initial = options.get("initial")
    return np.asarray(mask | is_such(np.asarray(initial)) if is_provided(initial) else mask)


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


def _has_opposite_zeros(case: Case, expected: Outcome) -> bool:
    """Return whether zeros of both signs meet, and one of them is in the result."""
    results = [array for array in (expected.value, *expected.after) if isinstance(array, (np.ndarray, np.generic))]
    parts = [part for array in results if is_inexact(array.dtype) for part in parts_of(np.asarray(array))]
    if not any((part == 0).any() for part in parts) or not bind_arguments(case):
        return False
    return any(bool(_find_opposite_zeros(case, part).any()) for part in (0, 1))


def _are_opposite_zeros(question: Question) -> np.ndarray | bool:
    """Return which elements are equal to NumPy's but for the sign of a zero, where zeros of both signs meet."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    free = are_equal(expected, actual)
    for i, (one, other) in enumerate(zip(parts_of(expected), parts_of(actual), strict=True)):
        is_same = np.signbit(one) == np.signbit(other) if is_inexact(one.dtype) else True
        free = free & (is_same | np.isnan(one) | _shape_as(_find_opposite_zeros(question.case, i), expected))
    return free


def _shape_as(mask: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Return the mask in the shape of the result, all false where NumPy writes to an array of an unrelated shape."""
    try:
        return mask.reshape(expected.shape) if mask.size == expected.size else np.broadcast_to(mask, expected.shape)
    except ValueError:
        return np.zeros(expected.shape, bool)


def _compares_subnormals(case: Case, expected: Outcome) -> bool:
    """Return whether a subnormal number is among those that an element is chosen from."""
    return bool(bind_arguments(case)) and bool(find_among(case, precision.are_subnormal).any())


def _sortable(array: np.ndarray) -> np.ndarray:
    """Return bfloat16 as float32: the order of the registered dtype has no place for nan."""
    return array.astype(np.float32) if array.dtype == precision.BFLOAT16 else array


def _are_flushed_extremes(question: Question) -> np.ndarray | bool:
    """Return which elements are chosen from a subnormal number and others, and are NumPy's choice from zeros in place
    of such numbers: a zero, or one of the subnormal numbers themselves.
    """
    path = question.departure.path
    flushed = run_numpy(precision.flush(question.case, nearly=1.0))
    if not flushed.ok:
        return False
    expected = np.asarray(flushed.after[path[1]] if path[0] == 1 else flushed.value)
    actual = np.asarray(question.actual_part)
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return False
    flushed_actual = precision.flush_array(actual)
    is_one = flushed_actual == actual
    for leaf in question.case.leaves():
        if isinstance(leaf, (np.ndarray, np.generic, float, complex)) and np.asarray(leaf).dtype.kind in "biufcV":
            is_one = is_one | np.isin(_sortable(actual), _sortable(np.asarray(leaf).astype(actual.dtype)))
    return (
        _shape_as(find_among(question.case, precision.are_subnormal), expected)
        & are_equal(expected, flushed_actual)
        & is_one
    )


ALLOWANCES = (
    Allowance(
        id="extremes.sign-of-zero",
        reason=Reason.NUMPY_OPEN,
        names=NAMES,
        applies=_has_opposite_zeros,
        holds=_are_opposite_zeros,
        why="zeros of both signs are equal, and which of them NumPy takes differs with dtypes, lengths and processors",
        most=0.1,
        link="https://numpy.org/doc/stable/reference/generated/numpy.maximum.html",
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="extremes.subnormal",
        reason=Reason.TENSORFLOW_FAULT,
        names=NAMES,
        applies=_compares_subnormals,
        holds=_are_flushed_extremes,
        why="TensorFlow's kernels compare subnormal numbers as if they were zeros, and return one of them, or a zero",
        link=LINK,
        until="2.23",
        most=0.1,
    ),
)
