"""Allowances for matrices: what XLA answers at the edge, and polynomials of matrices."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.checkers import linalg, matrix_perturbation, singularity
from oracle.checkers.forms import are_all, is_numeric_array
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome
from oracle.relations.matrices import is_decomposed


def _is_nan_at_the_edge(question: Question) -> bool:
    return singularity.check_compiled_edge(question.case, question.expected.value, question.actual.value)


def _are_nan_residuals(question: Question) -> bool:
    arguments, value = question.arguments, question.actual.value
    if not arguments or not isinstance(value, tuple) or len(value) != 4 or not all(map(is_numeric_array, value)):
        return False
    if not are_all(np.isnan(value[1])):
        return False
    return not linalg.check_compiled_residuals(arguments, question.expected.value, value).departures


def _is_of_a_matrix(case: Case, expected: Outcome) -> bool:
    matrix = case.args[0] if case.args else case.kwargs.get("seq_of_zeros")
    return case.name == "poly" and expected.ok and isinstance(matrix, np.ndarray) and matrix.ndim == 2


def _are_of_near_matrices(question: Question) -> np.ndarray | bool:
    """Return which coefficients are as near as those of matrices that differ by rounding errors of the largest
    element. Where some of these are not finite, nothing is decided.
    """
    compared = question.departure.compared
    if compared is None:
        return False
    _, expected, actual, wrong = compared
    epsilon = EPSILON.get(expected.dtype, EPSILON[np.dtype(float)])
    moved = [matrix_perturbation.move_matrices(question.case, epsilon, seed) for seed in matrix_perturbation.SEEDS]
    with np.errstate(all="ignore"):
        distances = [np.abs(outcome.value - expected) for outcome in moved if outcome.ok]
        spread = np.max(distances, axis=0, initial=0.0) if distances else np.zeros(expected.shape)
        near = np.abs(actual - expected) <= ROUNDINGS * spread
    is_open = ~np.isfinite(spread)
    if np.any(is_open & wrong):
        question.evidence.leave_undecided("a rounding error of the matrix decides whether it is finite")
    return near | is_open


ROUNDINGS = 16


ALLOWANCES = (
    Allowance(
        id="matrix.nan-at-the-edge",
        reason=Reason.DECISION,
        names=("linalg.*",),
        modes=("xla",),
        applies=lambda case, expected: expected.ok and is_decomposed(case, expected),
        holds=_is_nan_at_the_edge,
        why="a rounding error would make NumPy raise: under XLA, where nothing can, the result is nan for such a "
        "matrix, and right for all others",
        most=0.3,
    ),
    Allowance(
        id="matrix.nan-residuals",
        reason=Reason.DECISION,
        names=("linalg.lstsq",),
        modes=("xla",),
        kinds=("shape", "value"),
        applies=lambda case, expected: expected.ok and np.size(expected.value[1]) == 0,
        holds=_are_nan_residuals,
        why="XLA must know how many residuals there are: where equations do not determine a solution they are nan",
        most=1.0,
    ),
    Allowance(
        id="poly.of-near-matrices",
        reason=Reason.NUMPY_OPEN,
        names=("poly",),
        applies=_is_of_a_matrix,
        holds=_are_of_near_matrices,
        why="errors of eigenvalues are rounding errors of the largest element of a matrix, beside which small "
        "eigenvalues may have few digits, or none",
        link="https://numpy.org/doc/stable/reference/generated/numpy.poly.html",
    ),
)
