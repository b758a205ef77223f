"""Allowances for subnormal numbers, which TensorFlow's arithmetic flushes to zero (FTZ and DAZ)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from oracle.allowances.errors import RUN_TIME_ERRORS
from oracle.allowances.model import Allowance, Exchange, Question, Reason
from oracle.allowances.programs import strip_to_last_call
from oracle.case.model import Case
from oracle.checkers import ulp
from oracle.reference.display import flatten
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact
from oracle.reference.outcome import Outcome, find_in_numpy, run_numpy
from oracle.tolerance import families
from oracle.transforms import precision

LINK = "https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/platform/denormal.h"


def _has_subnormals(case: Case, expected: Outcome) -> bool:
    """Return whether a number of the case is subnormal, or so near that, or one of NumPy's result is."""
    if precision.has_subnormals(case):
        return True
    parts = [*_arrays(expected.value), *expected.after]
    parts += [array for call in case.calls()[:-1] for array in _arrays(run_numpy(call).value)]
    if any(bool(precision.are_subnormal(array, NEARLY).any()) for array in parts):
        return True
    inputs = [array for array in case.arrays() if array.dtype in SMALLEST_NORMAL]
    tiny = max((SMALLEST_NORMAL[array.dtype] for array in inputs if array.dtype != np.float16), default=0.0)
    if any(_are_smaller(part, tiny) for part in parts):
        return True  # in an `out=` of a wider dtype
    squares = case.name in families.SETS["roots_of_sums"] or case.name.endswith(("var", "std"))
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


def _is_flushed(question: Question) -> np.ndarray | bool:
    """Return which elements are right where subnormal numbers are zeros, on the way in or out; or whether the whole
    outcome is what NumPy answers to zeros in their place.
    """
    compared = question.departure.compared
    if compared is not None:
        accepted = question.evidence.within_flushed(*compared)
        if (accepted == compared[-1]).all():
            return accepted
    last = strip_to_last_call(question.case)
    cases = [*precision.flushings(question.case), *(precision.flushings(last) if last is not None else ())]
    if question.actual.error is not None:
        return any(_raises_alike(question, run_numpy(case)) for case in cases)
    if any(not question.compare(case) for case in cases):
        return True
    flushed = _flush_parts(question.actual.value) if question.departure.kind == "shape" else None
    return flushed is not None and any(not question.compare(case, flushed) for case in cases)


def _flush_parts(value: Any) -> Any:
    """Return a result with zeros for subnormal numbers: kernels that only move numbers leave these as they are."""
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple(map(_flush_parts, value))
    return precision.flush_array(value) if isinstance(value, np.ndarray) and is_inexact(value.dtype) else value


def _raises_alike(question: Question, other: Outcome) -> bool:
    """Return whether the answer is NumPy's error, or one of TensorFlow's when the graph runs."""
    error = question.actual.error
    if error is None or other.error is None:
        return False
    return error.bases == other.error.bases or (question.mode.is_traced and error.name in RUN_TIME_ERRORS)


def _joins_one_by_one(case: Case, expected: Outcome) -> bool:
    """Return whether a ufunc combines or changes elements one by one, without options unknown to this module."""
    return (
        expected.ok
        and case.name.endswith((".accumulate", ".reduce", ".reduceat", ".at"))
        and set(case.kwargs) <= {"axis", "dtype", "keepdims", "array", "indices"}
        and bool(case.args)
    )


def _follows_from_subnormal(question: Question) -> np.ndarray | bool:
    """Return which elements are what the ufunc gives one by one where each step flushes what is subnormal."""
    wrong, actual = question.departure.wrong, question.departure.actual
    if wrong is None or actual is None or not is_inexact(actual.dtype):
        return False
    near = np.zeros(wrong.shape, bool)
    for first in (False, True):
        try:
            unflushed = np.asarray(_join(question.case, actual.dtype, lambda array: array, first))
            flushed = np.asarray(_join(question.case, actual.dtype, precision.flush_array, first))
        except (TypeError, ValueError, LookupError):  # of what this does not know to take apart
            return False
        if flushed.shape == actual.shape:
            rounding = ROUNDINGS * EPSILON[actual.dtype] * np.abs(flushed)
            with np.errstate(invalid="ignore"):
                alike = (
                    (flushed == actual)
                    | (np.abs(actual - flushed) <= rounding)
                    | (np.isnan(flushed) & np.isnan(actual))
                )
            near |= alike & ulp.bits_differ(unflushed, flushed)  # else no subnormal number has to do with it
    return near


ROUNDINGS = 64


def _join(case: Case, dtype: np.dtype, flush: Callable[[np.ndarray], np.ndarray], first: bool) -> np.ndarray:
    """Return what the call gives in this dtype where each step is flushed, and on request the operands are, first."""
    name, method = case.name.rsplit(".", 1)
    ufunc: np.ufunc = find_in_numpy(name)
    array, operands = np.asarray(case.args[0]), list(case.args[1:])
    indices = operands.pop(0) if method in ("reduceat", "at") else None
    if method == "at":
        return _apply(ufunc, array, indices, operands, flush, first)
    axis = case.kwargs.get("axis", (*operands, 0)[0])
    if axis is None:
        array, axis = array.ravel(), 0
    rows = np.moveaxis(array.astype(dtype), operator.index(axis), 0)
    rows = flush(rows) if first else rows

    def join(rows: np.ndarray) -> np.ndarray:
        results = [rows[0]]
        with np.errstate(all="ignore"):
            for row in rows[1:]:
                results.append(flush(np.asarray(ufunc(results[-1], row)).astype(dtype)))
        return np.stack(results)

    if method == "accumulate":
        return np.moveaxis(join(rows), 0, axis)
    if method == "reduce":
        return np.expand_dims(join(rows)[-1], axis) if case.kwargs.get("keepdims") else join(rows)[-1]
    starts = np.arange(len(rows))[np.asarray(indices)]
    ends = [max(start + 1, end) for start, end in zip(starts, [*starts[1:], len(rows)], strict=True)]
    parts = [join(rows[start:end])[-1] for start, end in zip(starts, ends, strict=True)]
    return np.moveaxis(np.stack(parts), 0, axis)


def _apply(
    ufunc: np.ufunc,
    array: np.ndarray,
    index: Any,
    operands: list[Any],
    flush: Callable[[np.ndarray], np.ndarray],
    first: bool,
) -> np.ndarray:
    """Return what `at` leaves in the array where each step is flushed."""
    current = flush(np.array(array)) if first else np.array(array)
    positions = np.arange(current.size).reshape(current.shape)[index]
    others = [np.broadcast_to(operand, positions.shape).ravel() for operand in operands]
    with np.errstate(all="ignore"):
        for position, *operand_row in zip(positions.ravel(), *others, strict=True):
            current.flat[position] = flush(
                np.asarray(ufunc(current.flat[position], *operand_row)).astype(current.dtype)
            )
    return current


_NEGATIVE = Case("negative", (np.array([1e-310, 1.0]),))
_COMPANION = Case("polynomial.polynomial.polycompanion", (np.array([0.0, 5e-324]),))
_LOG = Case("emath.log2", (np.array([-5e-324]),))
_COUNT = Case("count_nonzero", (np.array([1e-40, 1.0], np.float32),))
_JOINED = Case("divide.reduce", (np.array([1e-20, 1e20, 1e-30], np.float32),))

ALLOWANCES = (
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="subnormal.flushed",
        reason=Reason.TENSORFLOW_FAULT,
        names=("*",),
        kinds=("value", "shape", "dtype", "spurious error", "different error", "missing error"),
        applies=_has_subnormals,
        holds=_is_flushed,
        asks_again=True,
        why="TensorFlow's kernels flush subnormal numbers to zero: the answer is NumPy's for zeros in their place",
        link=LINK,
        until="2.23",
        witness=Exchange(_COUNT, np.int64(1)),
        counter=(
            Exchange(_NEGATIVE, np.array([-0.0, -2.0])),
            Exchange(_NEGATIVE, np.array([0.0, -1.0], np.float32)),
            Exchange(Case("negative", (np.array([1e-300, 1.0]),)), np.array([-0.0, -1.0])),
            Exchange(Case("negative", (np.array([1e-7], np.float16),)), np.array([-0.0], np.float16)),
            Exchange(_COUNT, np.int64(0)),
            Exchange(Case("polynomial.laguerre.lagpow", (np.array([1e-310, 1e-310]), 1)), np.array([1.0])),
            Exchange(_COUNT, ZeroDivisionError()),
            Exchange(Case("polynomial.polynomial.polydiv", (np.zeros(1), np.array(5e-324))), (np.zeros(1), np.ones(1))),
            Exchange(Case("polynomial.polynomial.polydiv", (1.0, np.array(1e-300))), ZeroDivisionError()),
            Exchange(Case("sqrt", (Case("divide", (1e-300, -9e18)),)), np.float64(-1.0)),
            Exchange(Case("sqrt", (Case("divide", (1e-300, -9.0)),)), np.float64(-0.0)),
            Exchange(Case("count_nonzero", (np.array([1e-300, 1.0]),)), np.int64(1)),
            Exchange(_COMPANION, np.array([[1.0]])),
            Exchange(_COMPANION, np.array([[np.inf]])),
            Exchange(Case(_COMPANION.name, (np.array([0.0, 1e-300]),)), np.array([[np.nan]])),
            Exchange(_LOG, np.array([0.0])),
            Exchange(_LOG, np.array([-np.inf], np.float32)),
            Exchange(Case("emath.log2", (np.array([-1e-300]),)), np.array([-np.inf])),
        ),
        most=0.3,
    ),
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="subnormal.on-the-way",
        reason=Reason.TENSORFLOW_FAULT,
        names=("*.accumulate", "*.reduce", "*.reduceat", "*.at"),
        applies=_joins_one_by_one,
        holds=_follows_from_subnormal,
        why="each step flushes an intermediate result that is subnormal, and what follows is made of the zero",
        link=LINK,
        until="2.23",
        witness=Exchange(_JOINED, np.float32(0)),
        counter=(
            Exchange(Case("divide.reduce", (np.array([1e-10, 1e20, 1e-30], np.float32),)), np.float32(0)),
            Exchange(_JOINED, np.float32(-3)),
            Exchange(Case("divide.accumulate", _JOINED.args), np.array([1e-20, 0, -3], np.float32)),
            Exchange(_JOINED, np.float64(0)),
        ),
        most=0.2,
    ),
)
