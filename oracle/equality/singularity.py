"""Singular, indefinite and non-finite matrices: where one library raises, another may return a value.

Predicates for allowances. `may_raise` and `may_return` are about libraries that can raise; `check_compiled_singular` is
about XLA, where nothing can.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality.forms import is_comparable, is_numeric_array
from oracle.equality.linalg import (
    ENTRIES,
    check_problem,
    find_problems,
    find_stack,
    is_spectral,
    run_single,
)
from oracle.equality.matrix import EPS, UNITS, Problem, adjoint, multiply_by_power, singular_values
from oracle.reference.display import flatten
from oracle.reference.dtypes import to_double
from oracle.reference.outcome import Raised, bind_arguments, run_numpy
from oracle.transforms import precision

FACTORIZATION_FAILED = re.compile(
    r"\bsingular\b|not invertible|not positive[- ]definite|not converge|infs or NaNs"
    r"|Cholesky decomposition was not successful",
    re.IGNORECASE,
)
"""What an error says that is about the numbers of a matrix. Of a graph's, only the first line is kept."""

_SINGULAR = re.compile(r"\bsingular\b(?! value)|not invertible", re.IGNORECASE)
_INDEFINITE = re.compile(r"positive[- ]definite|Cholesky", re.IGNORECASE)
_NOT_FINITE = re.compile(r"infs or NaNs")

NUMERICAL_ERRORS = frozenset({"LinAlgError", "InvalidArgumentError"})

INVERTED = frozenset({"linalg.inv", "linalg.matrix_power", "linalg.solve", "linalg.tensorinv", "linalg.tensorsolve"})
"""Functions that raise LinAlgError for a singular matrix."""

DIRECT = frozenset({"linalg.cholesky", "linalg.det", "linalg.qr", "linalg.slogdet"})
ITERATED = ENTRIES.keys() - INVERTED - DIRECT
"""Decompositions by iterations, which do not converge where a matrix is not finite."""


def is_numerical_error(error: Raised) -> bool:
    """Return whether an error says that a matrix is singular, or indefinite, or that an iteration did not converge."""
    is_of_class = error.name in NUMERICAL_ERRORS or "LinAlgError" in error.bases
    return is_of_class and FACTORIZATION_FAILED.search(error.message) is not None


def may_raise(case: Case, error: Raised) -> bool:
    """Return whether LinAlgError, or a graph's InvalidArgumentError, is as right as the value that NumPy gives.

    It is where a rounding error makes a matrix singular or indefinite, and where a matrix that is not finite keeps an
    iteration from converging, or leaves nothing to divide by.
    """
    arguments = bind_arguments(case)
    if not is_numerical_error(error) or not arguments or not _is_of_algorithm(case.name, error.message):
        return False
    if precision.has_subnormals(case) and not run_numpy(precision.flush(case)).ok:
        return True  # with zeros in place of subnormal numbers
    return any(_fails_easily(case.name, arguments, a, b) for a, b, _ in _single_matrices(case, arguments))


def _is_of_algorithm(name: str, message: str) -> bool:
    """Return whether a message says what an algorithm for the function finds: a zero pivot of an inverse, a negative
    one of a Cholesky factor, an iteration that goes on for ever; or that the matrix is not finite.
    """
    is_of_pivots = _SINGULAR.search(message) is not None
    if name == "linalg.cond" or _NOT_FINITE.search(message):
        return True
    if name in INVERTED:
        return is_of_pivots
    return not is_of_pivots and (name == "linalg.cholesky") == (_INDEFINITE.search(message) is not None)


def _fails_easily(name: str, arguments: Mapping[str, Any], a: np.ndarray, b: np.ndarray | None) -> bool:
    if name == "linalg.cholesky":
        return not np.isfinite(a).all() or is_barely_definite(a)
    is_finite = np.isfinite(a).all() and (b is None or np.isfinite(b).all())
    if name in INVERTED and not (name == "linalg.matrix_power" and operator.index(arguments["n"]) >= 0):
        return not is_finite or is_nearly_singular(a)
    if name == "linalg.cond":
        return not is_finite or (arguments["p"] not in (None, 2, -2) and is_nearly_singular(a))
    if name in ("linalg.norm", "linalg.matrix_norm") and not is_spectral(arguments["ord"]):
        return False
    return name in ITERATED and not is_finite


def _single_matrices(case: Case, arguments: Mapping[str, Any]) -> Iterator[tuple[Any, Any, tuple[int, ...]]]:
    """Yield the matrices of a stack as they are read, with their right sides."""
    if case.name not in ENTRIES:
        return
    matrices, right, stack = find_stack(case.name, arguments)
    if matrices.ndim < 2 or matrices.dtype.kind not in "biufc":
        return
    matrices = np.broadcast_to(matrices, (*stack, *matrices.shape[-2:]))
    for index in np.ndindex(stack):
        a = to_double(matrices[index])
        is_square = a.shape[0] == a.shape[1]
        yield ENTRIES[case.name].reads(a, arguments) if is_square else a, None if right is None else right[index], index


def is_nearly_singular(a: np.ndarray) -> bool:
    """Return whether an error that elimination may commit in each column makes a finite square matrix singular."""
    if not a.size or a.shape[0] != a.shape[1] or not np.isfinite(a).all():
        return False
    sizes = np.maximum(np.abs(a.real).max(0), np.abs(a.imag).max(0))
    if not sizes.all():
        return True
    values = singular_values(multiply_by_power(a, -np.frexp(sizes)[1]))
    return bool(values[-1] <= UNITS * max(len(a), 2) * EPS * values[0])


def has_empty_row(a: np.ndarray) -> bool:
    """Return whether a row or a column is zero: no rounding error makes such a matrix regular."""
    return bool(np.any(~a.any(0)) or np.any(~a.any(1)))


def is_barely_definite(a: np.ndarray) -> bool:
    """Return whether a rounding error decides if a Hermitian matrix is positive definite.

    Cholesky's factor is found if the smallest eigenvalue of the matrix scaled to a diagonal of ones is greater than
    about n units in the last place, not if it is less than minus that (Demmel; Higham, theorem 10.14).
    """
    diagonal = np.diagonal(a).real
    if not a.size or not np.isfinite(a).all() or np.any(diagonal <= 0):
        return False
    powers = -(np.frexp(diagonal)[1] // 2)
    scaled = multiply_by_power(multiply_by_power(a, powers), powers[:, None])
    values = np.linalg.eigvalsh((scaled + adjoint(scaled)) / 2)
    return bool(np.abs(values[0]) <= UNITS * max(len(a), 2) * EPS * np.abs(values).max())


def may_return(case: Case, actual: Any) -> bool:
    """Return whether a value is as right as the LinAlgError that NumPy raises: of a matrix at the edge, one that is
    right for a matrix next to it; of a matrix that is not finite, nothing but numbers that are not. All other matrices
    of the stack have to be right.
    """
    return _is_right_where_numpy_raises(case, actual, compiled=False)


def check_compiled_singular(case: Case, actual: Any) -> bool:
    """Check what XLA gives where NumPy raises LinAlgError: NaN for each matrix that is singular or not positive
    definite; for those at the edge of it, a value that is right for a matrix next to it will do; the right value for
    all others.
    """
    return _is_right_where_numpy_raises(case, actual, compiled=True)


def check_compiled_edge(case: Case, expected: Any, actual: Any) -> bool:
    """Check what XLA gives where NumPy gives a value, though a rounding error, or zeros in place of subnormal numbers,
    would make it raise: NaN for such a matrix; the right value for all others.
    """
    arguments = bind_arguments(case)
    if not arguments or case.name not in INVERTED | {"linalg.cholesky"} or not is_comparable(expected, actual):
        return False
    at_the_edge = is_barely_definite if case.name == "linalg.cholesky" else is_nearly_singular
    with np.errstate(all="ignore"):
        problems = list(find_problems(case.name, arguments, expected, actual))
        if all(
            check_problem(case.name, arguments, problem) is None
            or (
                at_the_edge(problem.a)
                and all(np.isnan(_without_zeros(case.name, part)).all() for part in problem.actual)
            )
            for problem in problems
        ):
            return True
    return precision.has_subnormals(case) and _is_right_where_numpy_raises(precision.flush(case), actual, True)


def _is_right_where_numpy_raises(case: Case, actual: Any, compiled: bool) -> bool:
    arguments = bind_arguments(case)
    if not arguments or case.name not in ENTRIES or not all(map(is_numeric_array, flatten(actual))):
        return False
    try:
        with np.errstate(all="ignore"):
            problems = list(find_problems(case.name, arguments, actual, actual))
            return all(_is_right(case.name, arguments, problem, compiled) for problem in problems)
    except (TypeError, ValueError):
        return False


def _is_right(name: str, arguments: Mapping[str, Any], problem: Problem, compiled: bool) -> bool:
    try:
        expected = run_single(name, arguments, problem.a, problem.b, problem.index)
    except np.linalg.LinAlgError:
        return _is_right_of_singular(name, problem, compiled)
    rounded = tuple(part.astype(other.dtype) for part, other in zip(expected, problem.actual, strict=True))
    if any(one.shape != other.shape for one, other in zip(rounded, problem.actual, strict=True)):
        return False
    one = replace(problem, arguments=arguments, expected=rounded)
    return check_problem(name, arguments, one) is None


def _is_right_of_singular(name: str, problem: Problem, compiled: bool) -> bool:
    """Return whether the value will do for one matrix for which NumPy raises."""
    is_finite = np.isfinite(problem.a).all() and (problem.b is None or np.isfinite(problem.b).all())
    floating = [part for part in problem.actual if part.dtype.kind in "fc"]
    if not is_finite or compiled:
        is_gone = np.isnan if is_finite else lambda part: ~np.isfinite(part)
        if floating and all(bool(np.all(is_gone(_without_zeros(name, part)))) for part in floating):
            return True
        if name == "linalg.cholesky" and _fails_midway(problem):
            return True
    if not is_finite or not problem.a.size or has_empty_row(problem.a):
        return False
    at_the_edge = is_barely_definite if name == "linalg.cholesky" else is_nearly_singular
    return at_the_edge(problem.a) and ENTRIES[name].check(problem) is None


def _fails_midway(problem: Problem) -> bool:
    """Return whether a factor is right for the leading rows and columns, and has no finite number in those after."""
    arguments = problem.arguments
    factor = problem.actual[0].T if arguments["upper"] else problem.actual[0]
    count = int(np.argmin(np.isfinite(np.diagonal(factor))))
    if not count or np.isfinite(factor[count:, count:][np.tril_indices(len(factor) - count)]).any():
        return False
    leading = (problem.actual[0][:count, :count],)
    block = Problem(problem.a[:count, :count], None, arguments, leading, leading)
    return _is_right("linalg.cholesky", arguments, block, False)


def _without_zeros(name: str, part: np.ndarray) -> np.ndarray:
    """Return what is not zero by definition: the triangle of a triangular factor."""
    if name in ("linalg.cholesky", "linalg.qr") and part.ndim == 2 and part.shape[0] == part.shape[1]:
        is_upper = not np.tril(part, -1).any() if part.size else True
        return part[np.triu_indices(len(part))] if is_upper else part[np.tril_indices(len(part))]
    return part
