"""ULP measurement: how far a subject's results, and NumPy's, lie from the exact value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table, ulp
from oracle.equality.numeric import NumericComparison
from oracle.execution.modes import prepare_case
from oracle.modes import Mode
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL
from oracle.reference.outcome import Outcome, run_numpy
from oracle.subject import Subject
from oracle.transforms import precision

ASTRAY = 2.0
"""Units in the last place. Where NumPy itself is farther than this from the exact value, and the subject is no worse by
the arbiter's measure, their distance says nothing of the subject: the arbiter, not the table, judges such arguments.
"""

UNLIKE = 64.0
"""Units in the last place beyond which a distance is no rounding."""

ROOT: tuple[Any, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Distance:
    """The farthest, in units in the last place, over so many elements; and at which arguments that was.

    `error` and `numpy_error` are the largest distances of the subject and of NumPy from the exact value, None where
    nothing wider knows it. `unlike` counts the elements that no rounding explains, such as nan for a number, which no
    table allows; `first` is the first of them.
    """

    dtype: str
    ulps: float
    at: tuple[str, ...] = ()
    error: float | None = None
    numpy_error: float | None = None
    count: int = 0
    unlike: int = 0
    first: tuple[str, ...] = ()

    def join(self, other: Distance) -> Distance:
        """Return the distance over the elements of both."""
        farther = self if self.ulps >= other.ulps else other
        return Distance(
            farther.dtype,
            farther.ulps,
            farther.at,
            max([value for value in (self.error, other.error) if value is not None], default=None),
            max([value for value in (self.numpy_error, other.numpy_error) if value is not None], default=None),
            self.count + other.count,
            self.unlike + other.unlike,
            self.first or other.first,
        )


class Unmeasurable(ValueError):
    """A function that does not answer with an element for each."""


def measure_distance(case: Case, mode: Mode, subject: Subject, piece: int) -> Distance:
    """Return the distance over the elements of the case's arrays, `piece` at a time: the shape decides how many of them
    are calculated in vectors, and which by themselves.

    Raises Unmeasurable where NumPy or the subject have no such answer.
    """
    resized, pieces = _cut(case, piece)
    expected = [_array_of(run_numpy(part), case) for part in pieces]
    runner = prepare_case(mode, pieces[0], subject)
    actual = [_array_of(runner(part), case) for part in pieces]
    return distance_between(resized, np.concatenate(expected), np.concatenate(actual), mode.is_compiled)


def _cut(case: Case, piece: int) -> tuple[Case, list[Case]]:
    """Return the case over flat arrays, made longer by their own elements so that pieces are alike, and the pieces."""
    sizes = {array.size for array in case.arrays()}
    (size,) = sizes
    count = -(-size // piece)
    resized = case.map_arrays(lambda array: np.resize(array, count * piece))
    return resized, [_part(resized, slice(start, start + piece)) for start in range(0, count * piece, piece)]


def _part(case: Case, chosen: slice | np.ndarray) -> Case:
    return case.map_arrays(lambda array: array[chosen])


def _array_of(outcome: Outcome, case: Case) -> np.ndarray:
    value = outcome.value
    if not outcome.ok or not isinstance(value, (np.ndarray, np.generic)):
        raise Unmeasurable(f"{case.name}: {outcome.error or outcome.kind}")
    return np.asarray(value)


def distance_between(case: Case, expected: np.ndarray, actual: np.ndarray, compiled: bool = False) -> Distance:
    """Return the distance of what the subject makes of the case from what NumPy makes of it, which are given.

    Raises Unmeasurable if they are not alike.
    """
    if expected.dtype != actual.dtype or expected.shape != actual.shape:
        raise Unmeasurable(f"{case.name}: {actual.dtype}{actual.shape} is not {expected.dtype}{expected.shape}")
    evidence = NumericComparison(case, Outcome(expected), compiled)
    apart = evidence.apart(ROOT, expected, actual)
    error, numpy_error = _errors(evidence, expected, actual)
    if error is not None and numpy_error is not None:
        error = np.where(apart < ulp.distance(expected, actual), 0, error)  # but for what was flushed
        apart = np.where((numpy_error > ASTRAY) & (error <= table.TRUSTED_FACTOR * numpy_error), 0, apart)
    growth = table.growth(case.name, expected.dtype, compiled)
    apart = np.maximum(apart - growth * ulp.logarithm(expected), 0) if growth else apart
    unlike = ~(apart <= UNLIKE)
    apart = np.where(unlike, 0, apart)
    farthest = int(np.argmax(apart))
    return Distance(
        expected.dtype.name,
        float(apart[farthest]),
        _arguments(case, farthest) if apart[farthest] else (),
        None if error is None else _largest(error, ~unlike),
        None if numpy_error is None else _largest(numpy_error, ~unlike),
        expected.size,
        int(unlike.sum()),
        _arguments(case, int(np.argmax(unlike))) if unlike.any() else (),
    )


def _errors(
    evidence: NumericComparison, expected: np.ndarray, actual: np.ndarray
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return how far the subject and NumPy are from the exact value, in its units; 0 where one is not finite."""
    reference = evidence.reference(ROOT, expected)
    if reference is None:
        return None, None
    largest = float(np.finfo(expected.dtype).max) if expected.dtype != BFLOAT16 else 3.3895e38
    known = np.isfinite(reference) & np.isfinite(expected) & np.isfinite(actual) & (np.abs(reference) <= largest)
    size = np.abs(np.where(known, reference, 1))
    epsilon = EPSILON[expected.dtype]
    _, exponents = np.frexp(np.maximum(size, SMALLEST_NORMAL[expected.dtype]))
    unit = np.ldexp(size.dtype.type(epsilon), exponents - 1)
    errors = []
    for answer in (actual, expected):
        gap = np.abs(ulp.widest(np.where(known, answer, 0)) - np.where(known, reference, 0))
        errors.append((gap / unit).astype(np.float64))
    return errors[0], errors[1]


def _largest(error: np.ndarray, counted: np.ndarray) -> float:
    return float(np.max(error, initial=0, where=counted & np.isfinite(error)))


def _arguments(case: Case, index: int) -> tuple[str, ...]:
    return tuple(_exactly(array[index]) for array in case.arrays())


def _exactly(value: Any) -> str:
    """Return the number to its last bit."""
    if np.iscomplexobj(value):
        return f"complex({float(value.real).hex()}, {float(value.imag).hex()})"
    return float(value).hex()


def without_subnormals(case: Case) -> Case:
    """Return the case without the arguments of which one is subnormal or nearly so, unless of float16: what may become
    of those is a rule of its own, and no number of units in the last place.
    """
    tiny = [precision.are_subnormal(array, precision.NEARLY) for array in case.arrays()]
    return _part(case, ~np.logical_or.reduce(tiny))
