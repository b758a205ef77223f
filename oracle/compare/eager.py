"""Modes against eager mode, where several answers are right: a mode may not choose another one than eager mode.

NumPy leaves open in which order equal elements come, which sign an eigenvector has, which random numbers are drawn.
Each answer is right by itself. But who compiles a program, or exports it, expects the answer that it gave before.
Differences by rounding are no matter: they are judged against NumPy, in every mode alike. Nor are the signs and the
order of eigenvectors under a compiler, which has other algorithms for decompositions than eager mode.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.accepted_differences.registry import CHOICES
from oracle.case.model import Case
from oracle.equality import factorization, random, table
from oracle.equality.evidence import Evidence
from oracle.modes import GRADIENTS, Mode
from oracle.reference.display import flatten, format_value
from oracle.reference.dtypes import EPSILON, to_double
from oracle.reference.outcome import Outcome


def has_choice(case: Case, expected: Outcome, mode: Mode) -> bool:
    """Return whether several answers to the case are right, so that a mode could give another one than eager mode."""
    if mode.name == "eager" or mode.name in GRADIENTS or not expected.ok:
        return False
    return (
        random.is_random(case)
        or (mode.kin != "xla" and factorization.applies(case, expected.value))
        or any(allowance.covers(case, expected, mode, "value") for allowance in CHOICES)
    )


def find_other_choice(case: Case, expected: Outcome, eager: Outcome, actual: Outcome) -> str:
    """Return how a result differs from eager mode's by more than rounding; empty if it does not.

    Results of other dtypes or shapes are not compared, nor elements that a rounding error of the inputs moves as far.
    """
    if not (eager.ok and actual.ok):
        return ""
    parts = [_flatten(outcome) for outcome in (expected, eager, actual)]
    if len(set(map(len, parts))) > 1:
        return ""
    for index, (reference, left, right) in enumerate(zip(*parts, strict=True)):
        wrong = _differ(left, right) if _is_alike(left, right) else np.False_
        if wrong.any() and _is_alike(reference, left):
            wrong = wrong & ~_find_moved(case, expected, index)
        if wrong.any():
            first = tuple(np.argwhere(wrong)[0])
            texts = (format_value(part[first]) for part in (left, right))
            return (
                f"{f'at {[*map(int, first)]} ' if first else ''}eager mode gives {next(texts)}, this one {next(texts)}"
            )
    return ""


def _flatten(outcome: Outcome) -> list[Any]:
    """Return the leaves of a result and of what it has written to, NumPy's scalars as arrays."""
    leaves = flatten((outcome.value, outcome.after))
    return [np.asarray(leaf) if isinstance(leaf, np.generic) else leaf for leaf in leaves]


def _find_moved(case: Case, expected: Outcome, index: int) -> np.ndarray:
    """Return which elements of one of NumPy's arrays differ where inputs move by a rounding error."""
    reference = _flatten(expected)[index]
    moved = np.zeros(reference.shape, bool)
    for outcome in _move(case, expected):
        others = _flatten(outcome)
        if len(others) > index and _is_alike(reference, others[index]):
            moved |= _differ(reference, others[index])
    return moved


def _move(case: Case, expected: Outcome) -> list[Outcome]:
    """Return NumPy's outcomes for perturbed inputs, where rounding errors have a part in the result."""
    exact = all(table.relation_of(call.name, kind).rule == "exact" for call in case.calls() for kind in "fci")
    if exact or random.is_random(case):
        return []
    return [outcome for outcome in Evidence(case, expected, compiled=False).moved if outcome.ok]


def _is_alike(left: Any, right: Any) -> bool:
    """Return whether both are arrays of one shape, and of one dtype but for imaginary parts."""
    if not (isinstance(left, np.ndarray) and isinstance(right, np.ndarray)):
        return False
    dtypes = {left.dtype.kind, right.dtype.kind}
    is_like = left.dtype == right.dtype or (dtypes == {"f", "c"})  # a graph cannot know that roots are real
    return is_like and left.shape == right.shape and dtypes <= set("biufcV") and left.size > 0


def _differ(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return which elements differ: by more than the square root of the rounding unit, of the largest number, if they
    are inexact. Infinite elements, and nan, are left out: overflow depends on the order of operations.
    """
    if not (left.dtype in EPSILON and right.dtype in EPSILON):
        return np.asarray(left != right)
    bound = max(EPSILON[left.dtype], EPSILON[right.dtype]) ** 0.5
    left, right = to_double(left), to_double(right)
    finite = np.isfinite(left) & np.isfinite(right)
    with np.errstate(all="ignore"):
        return finite & (np.abs(left - right) > bound * np.max(np.abs(left), where=finite, initial=0.0))
