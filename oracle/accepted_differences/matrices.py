"""Allowances for matrices: what XLA answers at the edge, and polynomials of matrices."""

from __future__ import annotations

import numpy as np

from oracle.accepted_differences.model import Allowance, Query, Reason
from oracle.case.model import Case
from oracle.equality import factorization, matrix_perturbation, polynomial_roots, singularity, table
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome


def is_decomposed(case: Case, expected: Outcome) -> bool:
    """Return whether the case is a single call of a function that decomposes a matrix."""
    return len(case.calls()) == 1 and case.name in matrix_perturbation.FACTORED


def may_raise_or_return(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy decomposes a matrix, or raises an error for the numbers in it."""
    may_return = expected.error is None or singularity.is_numerical_error(expected.error)
    return may_return and is_decomposed(case, expected)


def is_at_the_edge(query: Query) -> bool:
    """Return whether a rounding error decides that the matrix is one for which to raise, or not to."""
    error = query.actual.error
    if error is not None:
        return singularity.may_raise(query.case, error)
    return singularity.may_return(query.case, query.actual.value)


def is_factored(case: Case, expected: Outcome) -> bool:
    """Return whether the case is a single call of which several results are right."""
    return expected.ok and factorization.applies(case, expected.value)


def is_right_choice(query: Query) -> bool:
    """Return whether the result has all properties of a right one."""
    return query.deviation.is_choice


def finds_roots(case: Case, expected: Outcome) -> bool:
    """Return whether the case finds roots."""
    return expected.ok and table.finds_roots(case.name)


def are_of_one_polynomial(query: Query) -> bool:
    """Return whether the roots are of one polynomial, but for rounding errors."""
    expected, actual = query.expected.value, query.actual.value
    return polynomial_roots.are_of_one_matrix(query.case, expected, actual, traced=False)


def _is_nan_at_the_edge(query: Query) -> bool:
    return singularity.check_compiled_edge(query.case, query.expected.value, query.actual.value)


def is_of_either_kind(query: Query) -> bool:
    """Return whether one result is real, the other complex, and both are of one precision."""
    one, other = (getattr(part, "dtype", None) for part in (query.expected_part, query.actual_part))
    if one is None or other is None or {one.kind, other.kind} != {"f", "c"}:
        return False
    return np.empty(0, one).real.dtype == np.empty(0, other).real.dtype


def is_barely_real(case: Case, expected: Outcome) -> bool:
    """Return whether a rounding error decides if eigenvalues are real, or come in pairs."""
    if len(case.calls()) > 1 or not expected.ok:
        return False
    if case.name == "poly":  # of real matrices they come in pairs to the last bit, and zeros that are given are exact
        is_of_a_matrix = any(array.ndim == 2 and array.dtype.kind == "c" for array in case.arrays())
        return is_of_a_matrix and matrix_perturbation.is_barely_real(case)
    return matrix_perturbation.is_barely_real(case)


def is_of_a_matrix(case: Case, expected: Outcome) -> bool:
    """Return whether `poly` is called with a matrix."""
    matrix = case.args[0] if case.args else case.kwargs.get("seq_of_zeros")
    return case.name == "poly" and expected.ok and isinstance(matrix, np.ndarray) and matrix.ndim == 2


def are_of_near_matrices(query: Query) -> np.ndarray | bool:
    """Return which coefficients are as near as those of matrices that differ by rounding errors of the largest
    element. Where some of these are not finite, nothing is decided.
    """
    compared = query.deviation.compared
    if compared is None:
        return False
    _, expected, actual, wrong = compared
    epsilon = EPSILON.get(expected.dtype, EPSILON[np.dtype(float)])
    moved = [matrix_perturbation.move_matrices(query.case, epsilon, seed) for seed in matrix_perturbation.SEEDS]
    with np.errstate(all="ignore"):
        distances = [np.abs(outcome.value - expected) for outcome in moved if outcome.ok]
        spread = np.max(distances, axis=0, initial=0.0) if distances else np.zeros(expected.shape)
        near = np.abs(actual - expected) <= ROUNDINGS * spread
    is_open = ~np.isfinite(spread)
    if np.any(is_open & wrong):
        query.evidence.leave_undecided("a rounding error of the matrix decides whether it is finite")
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
)
