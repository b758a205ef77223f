"""Where a matrix is singular, indefinite or not finite, and what may be said of it."""

from __future__ import annotations

import numpy as np
import pytest

from oracle import Case
from oracle.equality import singularity
from oracle.equality.linalg import check_compiled_residuals
from oracle.reference.outcome import Raised
from tests.oracle.equality import matrices

ONES = np.ones((2, 2))
ZEROS = np.zeros((2, 2))
EDGE = np.array([[2.0, -2, 10], [3, 1, 7], [10, 10, 10]])
LOST = np.array([[np.nan, 0], [0, 1.0]])
NAN = np.full((2, 2), np.nan)
LOWER_NAN = np.array([[np.nan, 0], [np.nan, np.nan]])
SINGULAR = Raised("LinAlgError", ("LinAlgError", "ValueError"), "Singular matrix")
DIVERGED = Raised("LinAlgError", ("LinAlgError", "ValueError"), "Eigenvalues did not converge")
INDEFINITE = Raised("LinAlgError", ("LinAlgError", "ValueError"), "Matrix is not positive definite")
LATE = Raised("InvalidArgumentError", (), "Input matrix is not invertible.")


@pytest.mark.parametrize(
    ("name", "args", "error", "allowed"),
    [
        ("inv", (EDGE,), SINGULAR, True),
        ("inv", (EDGE,), LATE, True),
        ("inv", (EDGE,), Raised("LinAlgError", ("LinAlgError",), "Last 2 dimensions must be square"), False),
        ("inv", (EDGE,), Raised("AttributeError", ("AttributeError",), "Singular matrix"), False),
        ("inv", (np.eye(2),), SINGULAR, False),
        ("inv", (np.diag([1e150, 1.0]),), SINGULAR, False),
        ("inv", (np.stack([np.eye(3), EDGE]),), SINGULAR, True),
        ("solve", (EDGE, np.ones(3)), SINGULAR, True),
        ("svdvals", (LOST,), Raised("LinAlgError", ("LinAlgError",), "SVD did not converge"), True),
        ("svdvals", (LOST,), Raised("AttributeError", ("AttributeError",), "'NoneType'"), False),
        ("svdvals", (EDGE,), SINGULAR, False),
        ("eigvalsh", (np.array([[1, np.nan], [2, 1.0]]),), SINGULAR, False),
        ("eigvalsh", (np.array([[1, np.nan], [2, 1.0]]), "U"), DIVERGED, True),
        ("eigvalsh", (np.array([[1, np.nan], [2, 1.0]]), "U"), SINGULAR, False),
        ("inv", (EDGE,), DIVERGED, False),
        ("det", (LOST,), SINGULAR, False),
        ("matrix_power", (EDGE, 3), SINGULAR, False),
        ("matrix_power", (EDGE, -3), SINGULAR, True),
        ("cholesky", (np.array([[1.0, 1], [1, 1 + 2**-52]]),), INDEFINITE, True),
        ("cholesky", (np.array([[1.0, 1], [1, 1 + 2**-52]]),), SINGULAR, False),
        ("cholesky", (np.array([[1.0, 1], [1, 2]]),), INDEFINITE, False),
    ],
)
def test_what_may_raise(name, args, error, allowed):
    assert singularity.may_raise(Case(f"linalg.{name}", args), error) == allowed


@pytest.mark.parametrize(
    ("name", "args", "value", "eager", "compiled"),
    [
        ("inv", (ONES,), np.full((2, 2), 7.0), False, False),
        ("inv", (ONES,), NAN, False, True),
        ("inv", (ONES,), 2.0**53 * np.array([[1, -1], [-1, 1]]), True, True),
        ("inv", (ZEROS,), NAN, False, True),
        ("inv", (ZEROS,), np.eye(2), False, False),
        ("inv", (ZEROS,), np.full((2, 2), np.inf), False, False),
        ("inv", (np.stack([ZEROS, 2 * np.eye(2)]),), np.stack([NAN, np.eye(2) / 2]), False, True),
        ("inv", (np.stack([ZEROS, 2 * np.eye(2)]),), np.stack([NAN, np.eye(2)]), False, False),
        ("inv", (np.stack([ZEROS, 2 * np.eye(2)]),), np.stack([NAN, NAN]), False, False),
        ("solve", (ONES, np.array([1.0, 2])), np.full(2, np.nan), False, True),
        ("solve", (ONES, np.array([1.0, 2])), np.array([1.0, 2]), False, False),
        ("cholesky", (-np.eye(2),), LOWER_NAN, False, True),
        ("cholesky", (-np.eye(2),), np.eye(2), False, False),
        ("cholesky", (np.stack([-np.eye(2), np.eye(2)]),), np.stack([LOWER_NAN, np.eye(2)]), False, True),
        ("svdvals", (LOST,), np.full(2, np.nan), True, True),
        ("svdvals", (LOST,), np.array([3.0, 1]), False, False),
        ("eigvals", (LOST,), np.array([np.nan, 1.0]), False, False),
    ],
)
def test_what_may_be_returned_where_numpy_raises(name, args, value, eager, compiled):
    case = Case(f"linalg.{name}", args)
    assert singularity.may_return(case, value) == eager
    assert singularity.check_compiled_singular(case, value) == compiled


def test_xla_may_fill_residuals_with_nan_where_there_are_none():
    arguments = {"a": np.array([[1.0, 1], [1, 1], [2, 2]]), "b": np.arange(3.0), "rcond": None}
    solution, none, rank, values = expected = np.linalg.lstsq(*arguments.values())

    def deviations(*actual):
        return check_compiled_residuals(arguments, expected, actual).deviations

    assert not none.size
    assert not deviations(*expected)
    assert not deviations(solution, np.array([np.nan]), rank, values)
    assert deviations(solution, np.array([0.5]), rank, values)
    assert deviations(solution * 2, np.array([np.nan]), rank, values)


def test_what_decides_about_singularity():
    assert singularity.is_nearly_singular(EDGE)
    assert singularity.is_nearly_singular(ONES)
    assert not singularity.is_nearly_singular(matrices.HILBERT)
    assert singularity.has_empty_row(ZEROS)
    assert not singularity.has_empty_row(ONES)
    assert not singularity.is_barely_definite(np.diag([1e150, 1e-150]))
