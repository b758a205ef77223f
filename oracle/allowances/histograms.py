"""Allowances for histograms: of subnormal numbers, and with weights less precise than densities."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.allowances.subnormals import LINK
from oracle.case.model import Case
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome, bind_arguments
from oracle.transforms import precision


def _has_bins_of_subnormals(case: Case, expected: Outcome) -> bool:
    """Return whether all edges are zeros and subnormal numbers, and the counts are integers."""
    counts, edges = expected.value
    is_tiny = precision.are_subnormal(edges) | (edges == 0)
    return bool(bind_arguments(case)) and counts.dtype.kind in "iu" and bool(is_tiny.all() and (edges != 0).any())


def _are_counts_of_all(question: Question) -> bool:
    """Return whether the counts are none below zero, and as many in all as NumPy's."""
    expected, actual = np.asarray(question.expected_part), np.asarray(question.actual_part)
    is_of_counts = question.departure.path == (0, 0)
    return is_of_counts and bool((actual >= 0).all()) and int(actual.sum()) == int(expected.sum())


def _divides_by_a_rounded_sum(case: Case, expected: Outcome) -> bool:
    """Return whether densities are asked for, of weights less precise than they are."""
    arguments = bind_arguments(case)
    if not arguments or not arguments["density"] or arguments["weights"] is None:
        return False
    weights, (densities, _) = np.asarray(arguments["weights"]), expected.value
    is_coarser = EPSILON.get(weights.dtype, 0) > EPSILON.get(densities.dtype, 1)
    return is_coarser and bool(np.isfinite(weights).all()) and weights.astype(np.longdouble).sum() != 0


def _are_near_in_weights(question: Question) -> np.ndarray | bool:
    """Return which densities are within the rounding errors of two sums of weights (Higham 4.4): a bin's, and all."""
    if question.departure.path != (0, 0):
        return False
    weights = np.asarray(bind_arguments(question.case)["weights"])
    expected, edges = (np.asarray(part, np.longdouble) for part in question.expected.value)
    sizes = np.abs(weights.astype(np.longdouble)).sum()
    error = weights.size * EPSILON[weights.dtype] * sizes / np.abs(weights.astype(np.longdouble).sum())
    with np.errstate(all="ignore"):
        bound = error * (np.abs(expected) + 1 / np.diff(edges))
        return np.isfinite(bound) & (np.abs(np.asarray(question.actual_part) - expected) <= bound)


ALLOWANCES = (
    # Upstream bug: tensorflow-subnormals-flushed
    Allowance(
        id="histogram.subnormal-bins",
        reason=Reason.TENSORFLOW_FAULT,
        names=("histogram",),
        applies=_has_bins_of_subnormals,
        holds=_are_counts_of_all,
        why="TensorFlow takes the edges of all bins for zeros, so that any bin may count what lies between them",
        link=LINK,
        until="2.23",
    ),
    Allowance(
        id="histogram.density-of-weights",
        reason=Reason.NUMPY_OPEN,
        names=("histogram",),
        applies=_divides_by_a_rounded_sum,
        holds=_are_near_in_weights,
        why="densities are as exact as sums of weights in their own dtype, which is less precise than the result",
        most=0.1,
        link="https://numpy.org/doc/stable/reference/generated/numpy.histogram.html",
    ),
)
