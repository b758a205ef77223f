"""Matrices on which decompositions fail: each kind is made from a matrix of ordinary numbers.

If a dtype or a shape cannot have the property, the matrix is returned unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import arrays
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import NUMBERS

MADE_SHARE = 0.4
SMALL_ROW = 2.0**-30

Kind = Callable[[np.ndarray], np.ndarray]


def conditioned(strategy: Strategy, *kinds: Kind) -> Strategy:
    """Return the strategy with one in three of its matrices made one of these kinds; in ordinary calls a kind without
    unusual numbers.
    """
    usual = [kind for kind in kinds if kind in USUAL]

    def draw(draft: Draft) -> Any:
        found, choices = strategy(draft), draft.choices
        fitting = kinds if NUMBERS in choices.edges else usual
        if not fitting or not isinstance(found, np.ndarray) or found.ndim < 2 or not found.size:
            return found
        if not choices.flag(MADE_SHARE):
            return found
        return choices.pick(fitting)(found.copy()).astype(found.dtype, copy=False)

    return draw


def _of_inexact(kind: Kind) -> Kind:
    """Restrict a kind to inexact dtypes."""

    def make(matrix: np.ndarray) -> np.ndarray:
        return kind(matrix) if arrays.kind(matrix.dtype.newbyteorder("=")) in "fc" else matrix

    return make


def make_singular(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with the last row equal to the first."""
    matrix[..., -1, :] = matrix[..., 0, :]
    return matrix


def make_symmetric(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with the lower triangle mirrored; Hermitian, with a real diagonal, if complex."""
    if matrix.shape[-1] != matrix.shape[-2]:
        return matrix
    lower = np.tril(matrix, -1)
    return lower + lower.swapaxes(-1, -2).conj() + np.eye(matrix.shape[-1], dtype=matrix.dtype) * matrix.real


def make_hermitian(matrix: np.ndarray) -> np.ndarray:
    """Return the square matrix with the lower triangle mirrored, and a real diagonal, whatever the elements are."""
    mirror = matrix.swapaxes(-1, -2).conj()
    lower = np.tri(matrix.shape[-1], dtype=bool)
    real = np.eye(matrix.shape[-1], dtype=bool)
    return np.where(real, matrix.real, np.where(lower, matrix, mirror)).astype(matrix.dtype)


@_of_inexact
def make_ill_conditioned(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with a last row far smaller than the others."""
    matrix[..., -1, :] *= np.array(SMALL_ROW, matrix.dtype)
    return matrix


@_of_inexact
def make_uneven(stack: np.ndarray) -> np.ndarray:
    """Return a stack whose first matrix is far smaller than the others: less than their rounding errors."""
    if stack.ndim > 2:
        eps = ml_dtypes.finfo(stack.real.dtype.newbyteorder("=")).eps
        stack[(0,) * (stack.ndim - 2)] *= np.array(float(eps) ** 2, stack.dtype)
    return stack


@_of_inexact
def make_missing(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with one element nan."""
    matrix[..., 0, -1] = np.nan
    return matrix


@_of_inexact
def make_all_missing(matrix: np.ndarray) -> np.ndarray:
    """Return a matrix of nan."""
    matrix[...] = complex(np.nan, np.nan) if matrix.dtype.kind == "c" else np.nan
    return matrix


@_of_inexact
def make_infinite(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with two infinite elements. Not for functions with singular values, for which LAPACK may not
    terminate.
    """
    matrix[..., 0, -1] = np.inf
    matrix[..., -1, 0] = -np.inf
    return matrix


@_of_inexact
def make_zeros_negative(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with -0.0 for zeros, and for one element in any case."""
    matrix[matrix == 0] = -0.0
    matrix[..., -1, 0] = -0.0
    return matrix


@_of_inexact
def make_subnormal(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with one subnormal element."""
    matrix[..., 0, -1] = ml_dtypes.finfo(matrix.real.dtype.newbyteorder("=")).tiny / 4
    return matrix


@_of_inexact
def make_large(matrix: np.ndarray) -> np.ndarray:
    """Return the matrix with one element near the largest number of the dtype."""
    matrix[..., 0, -1] = ml_dtypes.finfo(matrix.real.dtype.newbyteorder("=")).max / 4
    return matrix


REGULAR = (
    make_symmetric,
    make_ill_conditioned,
    make_ill_conditioned,
    make_zeros_negative,
    make_subnormal,
    make_large,
    make_uneven,
)
"""Kinds that leave a regular matrix regular, mostly."""

USUAL = frozenset((make_singular, make_symmetric, make_ill_conditioned, make_uneven))
"""Kinds whose elements are finite and of moderate size."""

KINDS = (make_singular, *REGULAR, make_missing, make_all_missing)
"""Every kind but the infinite one."""
