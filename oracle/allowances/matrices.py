"""Allowances for matrices: what XLA answers at the edge, and polynomials of matrices."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import Allowance, Question, Reason
from oracle.case.model import Case
from oracle.checkers import matrix_perturbation, singularity
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome
from oracle.relations.matrices import is_decomposed


def _is_nan_at_the_edge(question: Question) -> bool:
    return singularity.check_compiled_edge(question.case, question.expected.value, question.actual.value)


def _is_of_either_kind(question: Question) -> bool:
    one, other = (getattr(part, "dtype", None) for part in (question.expected_part, question.actual_part))
    if one is None or other is None or {one.kind, other.kind} != {"f", "c"}:
        return False
    return np.empty(0, one).real.dtype == np.empty(0, other).real.dtype


def _is_barely_real(case: Case, expected: Outcome) -> bool:
    """Return whether a rounding error decides if eigenvalues are real, or come in pairs."""
    if len(case.calls()) > 1 or not expected.ok:
        return False
    if case.name == "poly":  # of real matrices they come in pairs to the last bit, and zeros that are given are exact
        is_of_a_matrix = any(array.ndim == 2 and array.dtype.kind == "c" for array in case.arrays())
        return is_of_a_matrix and matrix_perturbation.is_barely_real(case)
    return matrix_perturbation.is_barely_real(case)


def _is_of_a_matrix(case: Case, expected: Outcome) -> bool:
    matrix = case.args[0] if case.args else case.kwargs.get("seq_of_zeros")
    return case.name == "poly" and expected.ok and isinstance(matrix, np.ndarray) and matrix.ndim == 2


def _are_of_near_matrices(question: Question) -> np.ndarray | bool:
    """Return which coefficients are as near as those of matrices that differ by rounding errors of the largest
    element. Where some of these are not finite, nothing is decided.
    """
    compared = question.deviation.compared
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
        why="a rounding error would make NumPy raise, and XLA cannot raise: the result is nan for such a matrix, "
        "and right for all others",
        most=0.3,
    ),
    Allowance(
        id="dtype.barely-real",
        reason=Reason.NUMPY_OPEN,
        names=("poly", "poly1d", "linalg.eig", "linalg.eigvals"),
        kinds=("dtype",),
        applies=_is_barely_real,
        holds=_is_of_either_kind,
        why="a rounding error decides whether eigenvalues are real, or come in pairs",
        most=0.6,
        link="https://numpy.org/doc/stable/reference/generated/numpy.linalg.eig.html",
    ),
    Allowance(
        id="poly.of-near-matrices",
        reason=Reason.NUMPY_OPEN,
        names=("poly",),
        applies=_is_of_a_matrix,
        holds=_are_of_near_matrices,
        why="errors of eigenvalues are relative to the largest element of the matrix, so small eigenvalues may "
        "have few correct digits, or none",
        link="https://numpy.org/doc/stable/reference/generated/numpy.poly.html",
    ),
)
