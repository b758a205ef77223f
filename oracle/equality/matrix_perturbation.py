"""Perturbed linear algebra: how ill-conditioned a call is, and whether it raises."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.forms import are_all
from oracle.equality.linalg import ENTRIES
from oracle.reference.dtypes import to_double
from oracle.reference.outcome import Outcome, run_numpy
from oracle.transforms import perturb

FACTORED = frozenset(ENTRIES)
"""Functions that decompose a matrix first."""

GENERAL = frozenset({"linalg.eig", "linalg.eigvals"})
"""Eigenvalues of matrices that need not be Hermitian: XLA knows none."""

NUMERICAL = re.compile(r"did not converge|Singular matrix|not positive definite")
"""What NumPy says of a matrix for its numbers."""

UNIT = 2.0**-52
SEEDS = (1, 2, 3)


SUMMED = frozenset({"linalg.matrix_norm", "linalg.matrix_power", "linalg.norm"})
"""Those of them that mostly add and multiply, element by element."""


def in_floats(case: Case) -> Case:
    """Return the case with integers as the floating numbers that they are calculated in."""
    if case.name not in FACTORED | {"gradient"}:
        return case
    return case.map_arrays(lambda array: array.astype(np.float64) if array.dtype.kind in "biu" else array)


def move(case: Case, epsilon: float, seeds: Iterable[int]) -> list[Outcome]:
    """Return NumPy's outcomes when numbers move by a rounding error, for each seed. One of a matrix that is decomposed
    is a rounding error of its largest elements: that is how far the decompositions are stable.
    """
    floats = in_floats(case)
    if case.name not in FACTORED - SUMMED:
        return perturb.move(floats, epsilon, seeds, _is_sum)
    return [move_matrices(floats, epsilon, seed) for seed in seeds]


def move_matrices(case: Case, epsilon: float, seed: int) -> Outcome:
    """Return NumPy's outcome when elements of matrices move by a rounding error of the largest."""
    random = np.random.default_rng(seed)

    def shake(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind not in "fc" or array.ndim < 2 or not array.size:
            return array
        size = np.where(np.isfinite(array), np.abs(array), 0).max((-2, -1), keepdims=True)
        return (array + epsilon * size * random.choice([-1.0, 1.0], array.shape)).astype(array.dtype)

    return perturb.move(case.map_arrays(shake), epsilon, [seed], _is_sum)[0]


def _is_sum(name: str) -> bool:
    return table.relation_of(name).rule == "sum"


def is_barely_real(case: Case) -> bool:
    """Return whether a rounding error decides if eigenvalues are real: they are in one of several outcomes, or all
    their imaginary parts are less than what one moves them by.
    """
    upcast = case.map_arrays(_in_double)  # as they are calculated, even where the result is rounded
    outcomes = [run_numpy(case), *move(upcast, UNIT, SEEDS)]
    first, *others = [np.asarray(_first_part(outcome.value)) for outcome in outcomes if outcome.ok]
    if {other.dtype.kind for other in others} - {first.dtype.kind}:
        return True
    spread = max((np.abs(other - first).max(initial=0) for other in others if other.shape == first.shape), default=0)
    return first.dtype.kind == "c" and are_all(np.abs(first.imag) <= spread)


def _first_part(result: Any) -> Any:
    if isinstance(result, dict):  # the parts of a polynomial object
        return next(part for part in result.values() if isinstance(part, np.ndarray))
    return result[0] if isinstance(result, tuple) else result


def _in_double(array: np.ndarray) -> np.ndarray:
    return to_double(array) if array.dtype.kind in "fc" and array.dtype.char not in "gG" else array
