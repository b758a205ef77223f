"""Allowances for singular, indefinite and non-finite matrices: one library may raise where another returns."""

from __future__ import annotations

import numpy as np

from oracle.allowances.model import Allowance, Exchange, Question, Reason, by_error
from oracle.case.model import Case
from oracle.checkers import linalg, matrix_perturbation, polynomial_roots, singularity
from oracle.checkers.forms import are_all, is_numeric_array
from oracle.reference.dtypes import EPSILON
from oracle.reference.outcome import Outcome, run_numpy
from oracle.tolerance import families


def _is_decomposed(case: Case, expected: Outcome) -> bool:
    return len(case.calls()) == 1 and case.name in matrix_perturbation.FACTORED


def _raises_for_values(case: Case, expected: Outcome) -> bool:
    error = expected.error
    return error is not None and _is_decomposed(case, expected) and singularity.is_numerical_error(error)


def _may_return(question: Question) -> bool:
    return singularity.may_return(question.case, question.actual.value)


def _is_nan_at_the_edge(question: Question) -> bool:
    return singularity.check_compiled_edge(question.case, question.expected.value, question.actual.value)


def _are_nan_residuals(question: Question) -> bool:
    arguments, value = question.arguments, question.actual.value
    if not arguments or not isinstance(value, tuple) or len(value) != 4 or not all(map(is_numeric_array, value)):
        return False
    if not are_all(np.isnan(value[1])):
        return False
    return not linalg.check_compiled_residuals(arguments, question.expected.value, value).departures


_NEARLY = Case("linalg.inv", (np.array([[1.0, 1.0], [1.0, 1.0 + 2.0**-52]]),))
_REGULAR = Case("linalg.inv", (np.array([[1.0, 2.0], [3.0, 4.0]]),))
_SINGULAR = Case("linalg.inv", (np.ones((2, 2)),))
_INFINITE = Case("linalg.cholesky", (np.array([[1.0, 0, 0], [0, np.inf, 0], [np.inf, 0, 0]]),))
_LSTSQ = Case("linalg.lstsq", (np.ones((2, 2)), np.ones(2)))
_LSTSQ_ANSWER = np.linalg.lstsq(np.ones((2, 2)), np.ones(2))


def _finds_roots(case: Case, expected: Outcome) -> bool:
    return expected.ok and (case.name == "roots" or families.finds_roots(case.name))


def _are_of_one_polynomial(question: Question) -> bool:
    expected, actual = question.expected.value, question.actual.value
    return polynomial_roots.are_of_one_matrix(question.case, expected, actual, traced=False)


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


_OF_GRADED = Case("poly", (np.array([[0.0, 0.0, 1.0], [9e18, 0.0, 0.0], [0.0, 1.0, -9e18]]),))
_COEFFICIENTS = run_numpy(_OF_GRADED).value
_ROOTS = Case("polynomial.laguerre.lagroots", (np.array([10.0, 4.0, 2.0]),))

ALLOWANCES = (
    Allowance(
        id="matrix.raises-at-the-edge",
        reason=Reason.NUMPY_OPEN,
        names=("linalg.*",),
        kinds=("spurious error",),
        applies=_is_decomposed,
        holds=by_error(singularity.may_raise),
        why="a rounding error decides whether a matrix is singular or positive definite, or an iteration converges",
        witness=Exchange(_NEARLY, np.linalg.LinAlgError("Singular matrix")),
        counter=(
            Exchange(_REGULAR, np.linalg.LinAlgError("Singular matrix")),
            Exchange(_NEARLY, RuntimeError("boom")),
            Exchange(_NEARLY, np.linalg.LinAlgError("0-dimensional array given")),
            Exchange(_NEARLY, np.linalg.LinAlgError("Eigenvalues did not converge")),
            Exchange(Case("linalg.eigvals", (np.eye(2),)), np.linalg.LinAlgError("Eigenvalues did not converge")),
        ),
        most=0.3,
    ),
    Allowance(
        id="matrix.returns-at-the-edge",
        reason=Reason.NUMPY_OPEN,
        names=("linalg.*",),
        kinds=("missing error",),
        applies=_raises_for_values,
        holds=_may_return,
        why="a rounding error decides whether NumPy raises: a value that is right for a matrix next to it will do, or "
        "one that is not finite for a matrix that is not",
        witness=Exchange(_SINGULAR, 2.0**53 * np.array([[1, -1], [-1, 1]])),
        counter=(
            Exchange(_SINGULAR, np.eye(2)),
            Exchange(_SINGULAR, np.full((2, 2), np.nan)),
            Exchange(Case("linalg.inv", (np.zeros((2, 2)),)), np.full((2, 2), np.inf)),
            Exchange(_INFINITE, np.array([[2.0, 0, 0], [0, np.inf, 0], [np.inf, np.nan, np.nan]])),
            Exchange(_INFINITE, np.array([[1.0, 0, 0], [0, np.inf, 0], [np.inf, np.nan, 1.0]])),
        ),
        most=0.3,
    ),
    Allowance(
        id="matrix.nan-at-the-edge",
        reason=Reason.DECISION,
        names=("linalg.*",),
        modes=("xla",),
        applies=lambda case, expected: expected.ok and _is_decomposed(case, expected),
        holds=_is_nan_at_the_edge,
        why="a rounding error would make NumPy raise: under XLA, where nothing can, the result is nan for such a "
        "matrix, and right for all others",
        witness=Exchange(_NEARLY, np.full((2, 2), np.nan), "xla"),
        counter=(
            Exchange(_NEARLY, np.full((2, 2), np.nan), "graph"),
            Exchange(
                Case("linalg.inv", (np.stack([_NEARLY.args[0], 2 * np.eye(2)]),)),
                np.stack([np.full((2, 2), np.nan), np.eye(2)]),
                "xla",
            ),
            Exchange(_REGULAR, np.full((2, 2), np.nan), "xla"),
        ),
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
        witness=Exchange(_LSTSQ, (_LSTSQ_ANSWER[0], np.array([np.nan]), *_LSTSQ_ANSWER[2:]), "xla"),
        counter=(
            Exchange(_LSTSQ, (_LSTSQ_ANSWER[0], np.array([3.0]), *_LSTSQ_ANSWER[2:]), "xla"),
            Exchange(_LSTSQ, (_LSTSQ_ANSWER[0], np.array([np.nan]), *_LSTSQ_ANSWER[2:]), "graph"),
            Exchange(_LSTSQ, (_LSTSQ_ANSWER[0] + 1, np.array([np.nan]), *_LSTSQ_ANSWER[2:]), "xla"),
        ),
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
        witness=Exchange(_OF_GRADED, _COEFFICIENTS - np.array([0, 0, 2e9, 0])),
        counter=(
            Exchange(_OF_GRADED, _COEFFICIENTS * np.array([1, 1 + 1e-12, 1, 1])),
            Exchange(_OF_GRADED, _COEFFICIENTS.astype(np.float32)),
            Exchange(Case("poly", (np.array([[2.0, 1.0], [1.0, 3.0]]),)), np.array([1, -5, 5 + 1e-12])),
        ),
    ),
    Allowance(
        id="roots.of-one-polynomial",
        reason=Reason.NUMPY_OPEN,
        names=("roots", "polynomial.*roots"),
        modes=("eager",),
        kinds=("dtype",),
        applies=_finds_roots,
        holds=_are_of_one_polynomial,
        why="a rounding error moves a multiple root by its own root, and makes a pair of it: the roots are of one "
        "polynomial, but for that",
        witness=Exchange(_ROOTS, np.array([4.0, 4.0])),
        counter=(
            Exchange(_ROOTS, np.array([4.1, 3.9])),
            Exchange(_ROOTS, np.array([4.0, 4.0], np.float32)),
            Exchange(Case("roots", (np.array([1.0, -3.0, 2.0]),)), np.array([2.0, 1.0 + 1e-6])),
        ),
        most=0.8,
    ),
)
