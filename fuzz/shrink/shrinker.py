"""The shrinker: finds a simpler case with the same difference.

It is pure: the caller's `still_fails` decides what "the same" is and where cases run, `answer` runs NumPy. Every
accepted candidate is simpler by `measure`, so the reduction terminates, and it gives the same result in every process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fuzz.generate import preconditions
from fuzz.shrink import passes
from fuzz.shrink.order import find_dtype, rank_dtype, rank_kind, to_numbers, weigh_value
from fuzz.shrink.paths import walk
from oracle import Case, run_numpy
from oracle.harness import run_reference


class Spent(Exception):
    """Raised when the budget of calls is used up."""


class Reduction:
    """The simplest failing case so far, and the number of calls left."""

    def __init__(
        self, case: Case, still_fails: Callable[[Case], bool], budget: int, answer: Callable[[Any], Any]
    ) -> None:
        self.best, self.answer = case, answer
        self._measure = measure(case)
        self._still_fails = still_fails
        self._left = budget
        self._seen = {case.json()}
        self._keeps_preconditions = preconditions.hold(case)

    def attempt(self, candidate: Case) -> bool:
        """Return whether the candidate is simpler and fails the same way, and keep it if so. Each candidate is judged
        at most once.
        """
        size = measure(candidate)
        if size >= self._measure or _passes_on_nothing(candidate):
            return False
        if self._keeps_preconditions and not preconditions.hold(candidate):
            return False  # no answer to it is wrong
        try:
            text = candidate.json()
            Case.from_json(text)
        except (TypeError, ValueError):  # a reference value that no case can hold, or a call that none may make
            return False
        if text in self._seen:
            return False
        if self._left <= 0:
            raise Spent
        self._seen.add(text)
        self._left -= 1
        if not self._still_fails(candidate):
            return False
        self.best, self._measure = candidate, size
        return True


def reduce_case(
    case: Case,
    still_fails: Callable[[Case], bool],
    budget: int = 400,
    answer: Callable[[Any], Any] = run_reference,
) -> Case:
    """Return the simplest case found for which `still_fails` holds. The given case is taken to fail.

    The biggest steps come first, so that a dozen calls are enough if arrays hardly matter, as in most crashes. Simpler
    means: fewer calls, then fewer arguments, elements and axes, then simpler layout, dtypes and values.

    `answer` returns NumPy's outcome of a call; of a program of ops, eager mode's.
    """
    reduction = Reduction(case, still_fails, budget, answer)
    try:
        for leap in passes.propose_leaps(case):
            reduction.attempt(leap)
        while True:
            before = reduction.best
            for step in passes.STEPS:
                step(reduction)
            if reduction.best is before:
                return before
    except Spent:
        return reduction.best


def _passes_on_nothing(case: Case) -> bool:
    """Return whether a call is given the result of a write, which is none, for the array that is written to."""
    arrays = [value.args[-1:] for _, value in walk(case) if type(value) is Case and value.name == "last"]
    return any(type(value) is Case and run_numpy(value).value is None for (value,) in filter(None, arrays))


def measure(case: Case) -> tuple[float, ...]:
    """Return how complex a case is, as a tuple in lexicographic order."""
    arrays = case.arrays()
    values = [value for _, value in walk(case)]
    return (
        sum(type(value) is Case for value in values),
        len(case.args) + len(case.kwargs),
        sum(write.name != passes.SIMPLEST_WRITE for write in passes.list_writes(case)),
        sum(type(value) is np.ndarray for value in values) - len(arrays),
        sum(_elements(array) for array in arrays),
        sum(array.ndim for array in arrays),
        len(values),
        sum(not _is_plain(array) for array in arrays),
        sum(rank_dtype(dtype) for value in values if (dtype := find_dtype(value)) is not None)
        + sum(rank_kind(value) for value in values),
        sum(_weights(values)),
    )


def _elements(array: np.ndarray) -> float:
    """Return the number of elements, with an empty dimension counting slightly more than one of length 1: an empty
    array needs an explanation.
    """
    elements = 1.0
    for dim in array.shape:
        elements *= dim or 1.5
    return elements


def _is_plain(array: np.ndarray) -> bool:
    flags = array.flags
    return flags.c_contiguous and flags.aligned and flags.writeable and array.dtype.isnative


def _weights(values: list[Any]) -> Iterator[float]:
    for value in values:
        if type(value) is np.ndarray:
            yield sum(weigh_value(item) for item in to_numbers(value))
        elif type(value) is slice:
            yield sum(1 + weigh_value(part) for part in (value.start, value.stop, value.step) if part is not None)
        else:
            yield weigh_value(value)
