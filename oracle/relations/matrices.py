"""Matrices at the edge: singular ones, for which one library may raise where another returns; and multiple roots."""

from __future__ import annotations

from oracle.allowances.model import Question
from oracle.case.model import Case
from oracle.checkers import factorization, matrix_perturbation, polynomial_roots, singularity
from oracle.reference.outcome import Outcome
from oracle.relations import table


def is_decomposed(case: Case, expected: Outcome) -> bool:
    """Return whether the case is a single call of a function that decomposes a matrix."""
    return len(case.calls()) == 1 and case.name in matrix_perturbation.FACTORED


def may_raise_or_return(case: Case, expected: Outcome) -> bool:
    """Return whether NumPy decomposes a matrix, or raises an error for the numbers in it."""
    may_return = expected.error is None or singularity.is_numerical_error(expected.error)
    return may_return and is_decomposed(case, expected)


def is_at_the_edge(question: Question) -> bool:
    """Return whether a rounding error decides that the matrix is one for which to raise, or not to."""
    error = question.actual.error
    if error is not None:
        return singularity.may_raise(question.case, error)
    return singularity.may_return(question.case, question.actual.value)


def is_factored(case: Case, expected: Outcome) -> bool:
    """Return whether the case is a single call of which several results are right."""
    return expected.ok and factorization.applies(case, expected.value)


def is_right_choice(question: Question) -> bool:
    """Return whether the result has all properties of a right one."""
    return question.deviation.is_choice


def finds_roots(case: Case, expected: Outcome) -> bool:
    """Return whether the case finds roots."""
    return expected.ok and table.finds_roots(case.name)


def are_of_one_polynomial(question: Question) -> bool:
    """Return whether the roots are of one polynomial, but for rounding errors."""
    expected, actual = question.expected.value, question.actual.value
    return polynomial_roots.are_of_one_matrix(question.case, expected, actual, traced=False)
