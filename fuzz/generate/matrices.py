"""Matrices that decompositions stumble over: each kind is made from a matrix of ordinary numbers.

What a dtype or a shape cannot hold stays as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import arrays
from fuzz.generate.builder import Draft, Word

MADE_SHARE = 0.35
SMALL_ROW = 2.0**-30

Kind = Callable[[np.ndarray], np.ndarray]


def conditioned(word: Word, *kinds: Kind) -> Word:
    """The matrices of a word, one in three of them made one of these kinds."""

    def draw(draft: Draft) -> Any:
        found, choices = word(draft), draft.choices
        if not isinstance(found, np.ndarray) or found.ndim < 2 or not found.size or not choices.flag(MADE_SHARE):
            return found
        return choices.pick(kinds)(found.copy()).astype(found.dtype, copy=False)

    return draw


def _of_inexact(kind: Kind) -> Kind:
    """A kind that integers cannot hold."""

    def make(matrix: np.ndarray) -> np.ndarray:
        return kind(matrix) if arrays.kind(matrix.dtype.newbyteorder("=")) in "fc" else matrix

    return make


def make_singular(matrix: np.ndarray) -> np.ndarray:
    """The last row is the first."""
    matrix[..., -1, :] = matrix[..., 0, :]
    return matrix


def make_symmetric(matrix: np.ndarray) -> np.ndarray:
    """The upper triangle is the lower one; conjugate, with a real diagonal, where numbers are complex."""
    if matrix.shape[-1] != matrix.shape[-2]:
        return matrix
    lower = np.tril(matrix, -1)
    return lower + lower.swapaxes(-1, -2).conj() + np.eye(matrix.shape[-1], dtype=matrix.dtype) * matrix.real


@_of_inexact
def make_ill_conditioned(matrix: np.ndarray) -> np.ndarray:
    """The last row is far smaller than the others."""
    matrix[..., -1, :] *= np.array(SMALL_ROW, matrix.dtype)
    return matrix


@_of_inexact
def make_missing(matrix: np.ndarray) -> np.ndarray:
    """One element is nan."""
    matrix[..., 0, -1] = np.nan
    return matrix


@_of_inexact
def make_all_missing(matrix: np.ndarray) -> np.ndarray:
    """Every element is nan."""
    matrix[...] = complex(np.nan, np.nan) if matrix.dtype.kind == "c" else np.nan
    return matrix


@_of_inexact
def make_infinite(matrix: np.ndarray) -> np.ndarray:
    """Two elements are infinite. Not for what has singular values: LAPACK may look for those forever."""
    matrix[..., 0, -1] = np.inf
    matrix[..., -1, 0] = -np.inf
    return matrix


@_of_inexact
def make_zeros_negative(matrix: np.ndarray) -> np.ndarray:
    """What is zero is -0.0, and so is one element in any case."""
    matrix[matrix == 0] = -0.0
    matrix[..., -1, 0] = -0.0
    return matrix


@_of_inexact
def make_subnormal(matrix: np.ndarray) -> np.ndarray:
    """One element is subnormal."""
    matrix[..., 0, -1] = ml_dtypes.finfo(matrix.real.dtype.newbyteorder("=")).tiny / 4
    return matrix


@_of_inexact
def make_large(matrix: np.ndarray) -> np.ndarray:
    """One element is close to the largest number."""
    matrix[..., 0, -1] = ml_dtypes.finfo(matrix.real.dtype.newbyteorder("=")).max / 4
    return matrix


REGULAR = (make_symmetric, make_ill_conditioned, make_zeros_negative, make_subnormal, make_large)
"""Kinds that leave a regular matrix regular, mostly."""

KINDS = (make_singular, *REGULAR, make_missing, make_all_missing)
"""Every kind but the infinite one."""
