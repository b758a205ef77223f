"""Allowances for subnormal numbers, which TensorFlow's arithmetic flushes to zero (FTZ and DAZ)."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from oracle.accepted_differences.chosen import find_among, shape_as
from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.equal_elements import are_equal
from oracle.reference.display import flatten
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact
from oracle.reference.environments import flush_subnormals, run_flushed
from oracle.reference.error_classes import RUN_TIME_ERRORS
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy
from oracle.transforms import precision

LINK = "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/platform/denormal.h"


def _has_subnormals(case: Case, expected: Outcome) -> bool:
    """Return whether a number of the case is subnormal, or so near that, or one of NumPy's result is."""
    if precision.has_subnormals(case):
        return True
    parts = [*_arrays(expected.value), *_arrays(expected.after)]
    parts += [array for call in case.calls()[:-1] for array in _arrays(run_numpy(call).value)]
    if any(bool(precision.are_subnormal(array, NEARLY).any()) for array in parts):
        return True
    inputs = [array for array in case.arrays() if array.dtype in SMALLEST_NORMAL]
    tiny = max((SMALLEST_NORMAL[array.dtype] for array in inputs if array.dtype != np.float16), default=0.0)
    if any(_are_smaller(part, tiny) for part in parts):
        return True  # in an `out=` of a wider dtype
    squares = table.has_trait(case.name, "roots_of_sums") or case.name.endswith(("var", "std"))
    return squares and any(_are_smaller(array, NEARLY * tiny**0.5) for array in inputs)


NEARLY = 8.0
"""What is so little above the smallest normal number may be made of products that are below it."""


def _are_smaller(array: np.ndarray, size: float) -> bool:
    """Return whether a number is smaller, and no zero."""
    with np.errstate(all="ignore"):
        return bool(((np.abs(array) < size) & (array != 0)).any())


def _arrays(value: object) -> list[np.ndarray]:
    if isinstance(value, dict):
        value = list(value.values())
    arrays = [np.asarray(part) for part in flatten(value) if isinstance(part, (np.ndarray, np.generic, float, complex))]
    return [array for array in arrays if is_inexact(array.dtype)]


def _is_flushed(query: Query) -> np.ndarray | bool:
    """Return which elements are right where subnormal numbers are zeros, on the way in or out; or whether the whole
    outcome is what NumPy answers to zeros in their place.
    """
    compared, actual = query.deviation.compared, query.deviation.actual
    is_by_element = actual is not None and (is_inexact(actual.dtype) or actual.dtype == bool)  # counts are not
    if compared is not None and is_by_element:
        accepted = query.evidence.within_flushed(*compared)
        if (accepted == compared[-1]).all():
            return accepted
    cases = list(precision.flushings(query.case))
    if query.actual.error is not None:
        return any(_raises_alike(query, run_numpy(case)) for case in cases)
    if any(not query.compare(case) for case in cases):
        return True
    flushed = _flush_parts(query.actual.value) if query.deviation.kind == "shape" else None
    return flushed is not None and any(not query.compare(case, flushed) for case in cases)


def _flush_parts(value: Any) -> Any:
    """Return a result with zeros for subnormal numbers: kernels that only move numbers leave these as they are."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_flush_parts, value))
    return precision.flush_array(value) if isinstance(value, np.ndarray) and is_inexact(value.dtype) else value


def _raises_alike(query: Query, other: Outcome) -> bool:
    """Return whether the answer is NumPy's error, or one of TensorFlow's when the graph runs."""
    error = query.actual.error
    if error is None or other.error is None:
        return False
    return error.bases == other.error.bases or (query.mode.is_traced and error.name in RUN_TIME_ERRORS)


def _hangs_on_flushing(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy answers otherwise where its arithmetic flushes subnormal numbers."""
    return any(not _is_same(run_flushed(case, operands), expected) for operands in (True, False))


def _is_same(one: Outcome, other: Outcome) -> bool:
    """Return whether both outcomes are alike to the last bit."""
    parts, others = [*flatten(one.value), *one.after], [*flatten(other.value), *other.after]
    if one.error != other.error or len(parts) != len(others):
        return False
    return all(map(_has_same_bits, parts, others))


def _has_same_bits(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray | np.generic) and isinstance(other, np.ndarray | np.generic):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    return type(one) is type(other) and repr(one) == repr(other)


def _is_near(actual: Outcome, flushed: Outcome) -> bool:
    """Return whether a result differs by roundings of its largest numbers from what is flushed: of a matrix, checkers
    know the exact value only.
    """
    parts, others = flatten(actual.value), flatten(flushed.value)
    if not (actual.ok and flushed.ok) or flushed.after or len(parts) != len(others):
        return False
    return all(map(_are_near, map(np.asarray, parts), map(np.asarray, others)))


def _are_near(one: np.ndarray, other: np.ndarray) -> bool:
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if not is_inexact(one.dtype):
        return bool((one == other).all())
    with np.errstate(all="ignore"):
        size = np.max(np.abs(other), initial=0.0)
        return bool(np.all(np.abs(one - other) <= ROUNDINGS * EPSILON[one.dtype] * size))


ROUNDINGS = 64


def _follows_from_subnormal(query: Query) -> np.ndarray | bool:
    """Return whether the outcome is right where each step flushes what is subnormal; or which elements are."""
    wrong, path, actual = query.deviation.wrong, query.deviation.path, query.deviation.actual
    wrong = wrong if actual is not None and is_inexact(actual.dtype) else None  # counts are of one reading
    accepted = np.zeros(() if wrong is None else wrong.shape, bool)
    is_of_a_matrix = query.case.name.startswith("linalg.")
    for operands in (True, False):
        left = query.compare(query.case, within=partial(flush_subnormals, operands))
        if not left or (is_of_a_matrix and _is_near(query.actual, run_flushed(query.case, operands))):
            return True
        if wrong is not None and all(one.wrong is not None for one in left):
            masks = [one.wrong for one in left if one.path == path and one.wrong is not None]
            accepted |= ~masks[0] if masks else True
    return accepted


def _compares_subnormals(case: Case, expected: Outcome) -> bool:
    """Return whether a subnormal number is among those that an element is chosen from."""
    return bool(bind_arguments(case)) and bool(find_among(case, precision.are_subnormal).any())


def _sortable(array: np.ndarray) -> np.ndarray:
    """Return bfloat16 as float32: comparisons of the registered dtype do not order nan."""
    return array.astype(np.float32) if array.dtype == precision.BFLOAT16 else array


def _are_flushed_extremes(query: Query) -> np.ndarray | bool:
    """Return which elements are chosen from a subnormal number and others, and are NumPy's choice from zeros instead
    of such numbers: a zero, or one of the subnormal numbers themselves.
    """
    path = query.deviation.path
    flushed = run_numpy(precision.flush(query.case, nearly=1.0))
    if not flushed.ok:
        return False
    expected = np.asarray(flushed.after[path[1]] if path[0] == 1 else flushed.value)
    actual = np.asarray(query.actual_part)
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        return False
    flushed_actual = precision.flush_array(actual)
    is_one = flushed_actual == actual
    for leaf in query.case.leaves():
        if isinstance(leaf, (np.ndarray, np.generic, float, complex)) and np.asarray(leaf).dtype.kind in "biufcV":
            is_one = is_one | np.isin(_sortable(actual), _sortable(np.asarray(leaf).astype(actual.dtype)))
    return (
        shape_as(find_among(query.case, precision.are_subnormal), expected)
        & are_equal(expected, flushed_actual)
        & is_one
    )


def _has_bins_of_subnormals(case: Case, expected: Outcome) -> bool:
    """Return whether all edges are zeros and subnormal numbers, and the counts are integers."""
    counts, edges = expected.value
    is_tiny = precision.are_subnormal(edges) | (edges == 0)
    return bool(bind_arguments(case)) and counts.dtype.kind in "iu" and bool(is_tiny.all() and (edges != 0).any())


def _are_counts_of_all(query: Query) -> bool:
    """Return whether the counts are none below zero, and as many in all as NumPy's."""
    expected, actual = np.asarray(query.expected_part), np.asarray(query.actual_part)
    is_of_counts = query.deviation.path == (0, 0)
    return is_of_counts and bool((actual >= 0).all()) and int(actual.sum()) == int(expected.sum())


ALLOWANCES = (
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="extremes.subnormal",
        reason=Reason.TENSORFLOW_FAULT,
        names=tuple(sorted(table.TRAITS["extremes"])),
        applies=_compares_subnormals,
        holds=_are_flushed_extremes,
        why="TensorFlow's kernels compare subnormal numbers as zeros, and return one of them, or a zero",
        link=LINK,
        until="2.23",
        most=0.1,
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="histogram.subnormal-bins",
        reason=Reason.TENSORFLOW_FAULT,
        names=("histogram",),
        applies=_has_bins_of_subnormals,
        holds=_are_counts_of_all,
        why="TensorFlow treats subnormal edges of bins as zeros, so that any bin may count the numbers between them",
        link=LINK,
        until="2.23",
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="subnormal.flushed",
        reason=Reason.TENSORFLOW_FAULT,
        names=("*",),
        kinds=("value", "shape", "dtype", "spurious error", "missing error"),
        applies=_has_subnormals,
        holds=_is_flushed,
        asks_again=True,
        why="TensorFlow's kernels flush subnormal numbers to zero: the answer is NumPy's for zeros in their place",
        link=LINK,
        until="2.23",
        most=0.3,
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="subnormal.on-the-way",
        reason=Reason.TENSORFLOW_FAULT,
        names=("*",),
        kinds=("value", "shape", "dtype", "spurious error", "missing error"),
        applies=_hangs_on_flushing,
        holds=_follows_from_subnormal,
        asks_again=True,
        why="kernels flush a subnormal intermediate result to zero, and the result is that of the zero",
        link=LINK,
        until="2.23",
        most=0.2,
    ),
)
