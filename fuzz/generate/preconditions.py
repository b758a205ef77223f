"""Preconditions that NumPy's manual states and NumPy does not check. The answer is unspecified where one is violated.

Only hostile calls violate these. Each predicate takes the arguments of a call by parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzz.generate.argument_coverage import bind
from oracle import Case

Arguments = Mapping[str, Any]


@dataclass(frozen=True)
class Precondition:
    """A condition on a parameter, with the reason that the manual gives."""

    parameter: str
    holds: Callable[[Arguments], bool]
    reason: str


def _is_sorted(found: Any) -> bool:
    plain = np.asarray(found)
    return bool(np.array_equal(np.sort(plain, axis=-1), plain, equal_nan=plain.dtype.kind in "fc"))


def _is_monotonic(found: Any) -> bool:
    return _is_sorted(found) or _is_sorted(np.asarray(found)[::-1])


def _is_increasing_or_periodic(arguments: Arguments) -> bool:
    """Return whether the points increase; with a period whether they differ: of equal ones the sorting chooses one."""
    period, points = arguments.get("period"), np.asarray(arguments["xp"])
    if period is None:
        return _is_sorted(points)
    return not period or np.unique(np.asarray(points, float) % abs(period)).size == points.size


def _is_sorted_by_sorter(arguments: Arguments) -> bool:
    first = np.asarray(arguments["a"])
    sorter = arguments.get("sorter")
    return _is_sorted(first if sorter is None else first[np.asarray(sorter)])


def _is_unique(*names: str) -> Callable[[Arguments], bool]:
    def holds(arguments: Arguments) -> bool:
        if not arguments.get("assume_unique", False):
            return True
        return all(np.unique(arguments[name]).size == np.size(arguments[name]) for name in names)

    return holds


def _is_hermitian(name: str, flag: str = "hermitian") -> Callable[[Arguments], bool]:
    def holds(arguments: Arguments) -> bool:
        matrix = np.asarray(arguments[name])
        if (flag and not arguments.get(flag, False)) or matrix.ndim < 2:
            return True
        return bool(np.array_equal(matrix, matrix.swapaxes(-1, -2).conj(), equal_nan=matrix.dtype.kind in "fc"))

    return holds


_UNIQUE = "if assume_unique is true, both arrays are taken to hold no element twice"
_HERMITIAN = "if hermitian is true, the matrix is taken to equal its conjugate transpose"

PRECONDITIONS: Mapping[str, Precondition] = {
    "interp": Precondition("xp", _is_increasing_or_periodic, "the points must increase, or differ within a period"),
    "searchsorted": Precondition("a", _is_sorted_by_sorter, "the array must be sorted, or `sorter` must sort it"),
    "digitize": Precondition("bins", lambda found: _is_monotonic(found["bins"]), "the bins must be monotonic"),
    "intersect1d": Precondition("assume_unique", _is_unique("ar1", "ar2"), _UNIQUE),
    "setdiff1d": Precondition("assume_unique", _is_unique("ar1", "ar2"), _UNIQUE),
    "setxor1d": Precondition("assume_unique", _is_unique("ar1", "ar2"), _UNIQUE),
    "isin": Precondition("assume_unique", _is_unique("element", "test_elements"), _UNIQUE),
    "linalg.svd": Precondition("hermitian", _is_hermitian("a"), _HERMITIAN),
    "linalg.pinv": Precondition("hermitian", _is_hermitian("a"), _HERMITIAN),
    "linalg.matrix_rank": Precondition("hermitian", _is_hermitian("A"), _HERMITIAN),
    "linalg.cholesky": Precondition("a", _is_hermitian("a", ""), "the matrix must equal its conjugate transpose"),
}
"""The preconditions of functions, by name."""


def holds(case: Case) -> bool:
    """Return whether the precondition of the function holds in a call, if it has one and arguments are known."""
    known = PRECONDITIONS.get(case.name)
    if known is None or case.is_nested():
        return True
    try:
        return known.holds({name: found.values[0] for name, found in bind(case).items()})
    except (KeyError, IndexError, TypeError, ValueError):  # of an invalid call
        return True


def hold(case: Case) -> bool:
    """Return whether the preconditions of all functions hold in a case."""
    return all(map(holds, case.calls()))
