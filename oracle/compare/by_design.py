"""Differences that an adapter declares: they are accepted, and counted under its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from oracle.adapter import FLUSHING, PROMOTION, Adapter, ByDesign
from oracle.case.model import Case
from oracle.equality.deviation import Deviation
from oracle.equality.evidence import at
from oracle.equality.numeric import NumericComparison
from oracle.modes import Mode
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome, run_numpy


def accept_by_design(
    deviations: Sequence[Deviation],
    adapter: Adapter,
    evidence: NumericComparison,
    actual: Outcome,
    mode: Mode,
    allowed: list[tuple[str, str]],
) -> list[Deviation]:
    """Return the deviations that the adapter does not declare. The others are appended to `allowed`."""
    left: list[Deviation] = []
    promoted_paths: set[tuple[object, ...]] = set()
    for deviation in deviations:
        if deviation.kind == "dtype" and not adapter.promotes:
            promoted_paths.add(deviation.path)
            allowed.append((adapter.name_declared(PROMOTION), deviation.kind))
            continue
        entry = find_declared(adapter, evidence.case, deviation.kind, mode, deviation.detail)
        if entry is not None:
            allowed.append((adapter.name_declared(entry.id), deviation.kind))
            continue
        remaining: Deviation | None = deviation
        if deviation.path in promoted_paths:
            remaining = _beyond_precision(deviation, evidence.expected, actual)
            remaining = remaining and _beyond_dtype(remaining, evidence.case, actual)
        if remaining is None:
            allowed.append((adapter.name_declared(PROMOTION), deviation.kind))
            continue
        unflushed = _beyond_flushing(remaining, evidence) if adapter.flushes else remaining
        if unflushed is None:
            allowed.append((adapter.name_declared(FLUSHING), deviation.kind))
        else:
            left.append(unflushed)
    return left


def find_declared(adapter: Adapter, case: Case, kind: str, mode: Mode, detail: str) -> ByDesign | None:
    """Return what the adapter declares of a difference in one of the names that the case calls; None if nothing."""
    names = [call.name for call in case.calls()]
    return next(
        (entry for entry in adapter.declared if any(entry.covers(name, kind, mode.name, detail) for name in names)),
        None,
    )


def find_precision(actual: Outcome, adapter: Adapter | None) -> float:
    """Return the rounding unit in which a library calculates by design, where NumPy calculates in double precision:
    that of the coarsest dtype of its results, if its adapter says that it has dtypes of its own. Else return 0.
    """
    if not actual.ok or adapter is None or adapter.promotes:
        return 0.0
    units = [EPSILON.get(dtype, 0.0) for dtype in _list_dtypes(actual.value)]
    return max((unit for unit in units if unit > DOUBLE), default=0.0)


DOUBLE = EPSILON[np.dtype(np.float64)]


def _list_dtypes(value: Any) -> Iterator[np.dtype]:
    """Yield the dtypes of the arrays in a result."""
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from _list_dtypes(part)
    elif isinstance(value, (np.ndarray, np.generic)):
        yield value.dtype


def _beyond_flushing(deviation: Deviation, evidence: NumericComparison) -> Deviation | None:
    """Return the deviation without elements that agree if subnormal numbers count as zero; None if none is left."""
    compared = deviation.compared
    if deviation.kind != "value" or compared is None:
        return deviation
    wrong = compared[-1] & ~evidence.within_flushed(*compared)
    return replace(deviation, wrong=wrong) if wrong.any() else None


def _fits(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return which elements are in the range of a dtype of integers."""
    limits = np.iinfo(dtype) if dtype.kind in "iu" else None
    least, most = (limits.min, limits.max) if limits else (0, 1)
    return np.isfinite(array) & (array.real >= least) & (array.real <= most)


def _beyond_dtype(deviation: Deviation, case: Case, actual: Outcome) -> Deviation | None:
    """Return the deviation without elements that NumPy gives where it calculates in the answer's dtype: for operands of
    a coarser one, in which the next number after 0.0 is another, and other numbers overflow; or where `dtype=` asks
    for integers, which wrap around. None if none is left.
    """
    value = at(actual, deviation.path)
    if deviation.wrong is None or not isinstance(value, np.ndarray) or value.dtype.kind not in "iufc":
        return deviation
    if value.dtype.kind in "iu":
        wrapping = Case(case.name, case.args, {"dtype": value.dtype, **case.kwargs})
        return _beyond_answer(deviation, run_numpy(wrapping), value)
    real, complex_ = (np.result_type(dtype, value.real.dtype) for dtype in (np.float16, np.complex64))

    def narrow(array: np.ndarray) -> np.ndarray:
        return array.astype(complex_ if array.dtype.kind == "c" else real) if array.dtype.kind in "iufc" else array

    with np.errstate(all="ignore"):
        return _beyond_answer(deviation, run_numpy(case.map_arrays(narrow)), value)


def _beyond_answer(deviation: Deviation, answer: Outcome, value: np.ndarray) -> Deviation | None:
    """Return the deviation without elements that are those of another answer of NumPy's; None if none is left."""
    other = at(answer, deviation.path) if answer.ok else None
    if deviation.wrong is None or not isinstance(other, np.ndarray | np.generic):
        return deviation
    if (other.shape, other.dtype) != (value.shape, value.dtype):
        return deviation
    other = np.asarray(other)
    near = _are_near(other, value, EPSILON[value.dtype]) if value.dtype in EPSILON else other == value
    wrong = deviation.wrong & ~near.reshape(deviation.wrong.shape)
    return replace(deviation, wrong=wrong) if wrong.any() else None


def _are_near(expected: np.ndarray, actual: np.ndarray, epsilon: float) -> np.ndarray:
    """Return which elements have half of the digits of a dtype in common."""
    expected, actual = expected.astype(np.complex128), actual.astype(np.complex128)
    with np.errstate(all="ignore"):
        near = np.isfinite(expected) & (np.abs(expected - actual) <= np.sqrt(epsilon) * np.abs(expected))
    return near | (expected == actual) | (np.isnan(expected) & np.isnan(actual))


def _beyond_precision(deviation: Deviation, answer: Outcome, actual: Outcome) -> Deviation | None:
    """Return the deviation without elements that agree in a library's own precision; None if none is left.

    Half of the digits of the coarser dtype must be right, within the range of the library's dtype, to which no infinity
    belongs if it is one of integers; or, where that is the finer one, the number must be NumPy's once it is rounded to
    NumPy's.
    """
    value, reference = at(actual, deviation.path), at(answer, deviation.path)
    if deviation.wrong is None or deviation.expected is None:
        return deviation
    if not (
        isinstance(value, np.ndarray) and isinstance(reference, np.ndarray) and deviation.expected.dtype.kind in "biufc"
    ):
        return deviation
    epsilon = max(EPSILON.get(value.dtype, 0.0), EPSILON.get(reference.dtype, 0.0))
    if not epsilon:
        return deviation
    with np.errstate(all="ignore"):
        near = _are_near(deviation.expected.astype(value.dtype), np.asarray(value), epsilon)
        if value.dtype.kind in "biu":
            near &= _fits(deviation.expected, value.dtype)
        if EPSILON.get(value.dtype, 0.0) < EPSILON.get(reference.dtype, 0.0):
            near |= np.asarray(value).astype(reference.dtype) == reference
    wrong = deviation.wrong & ~near.reshape(deviation.wrong.shape)
    return replace(deviation, wrong=wrong) if wrong.any() else None
