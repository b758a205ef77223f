"""Backward error of one matrix of a stack: the problem, both results, and rounding error bounds.

Everything is calculated in double precision, as NumPy's `linalg` does, and rounded to the dtype of the result; or in
the precision that a library calculates in by design. A
backward stable algorithm gives the exact result for a matrix A + E whose columns differ from those of A by no more than
a few n units in the last place of the largest element of the column: elimination with row exchanges (Higham, Accuracy
and Stability of Numerical Algorithms, 2nd edition, theorems 9.3 and 9.4), Householder's reflections (theorem 19.4).
Singular values and eigenvalues of Hermitian matrices: of the norm of A (Golub and Van Loan, Matrix Computations, 4th
edition, 8.1.2 and 8.6.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, to_longdouble

EPS = 2.0**-52
UNITS = 4
"""Rounding errors of the double computation, in `n * EPS`."""

ITERATED = 30
"""The same of singular vectors and eigenvectors, which LAPACK iterates for: what its own tests allow, by the same
measures (LAPACK Users' Guide, 3rd edition; LAPACK Working Note 41). Its drivers were seen to come to 16.
"""

ROUNDINGS = 1.25
"""Units in the last place of the result's dtype: a correctly rounded result is half of one away."""


@dataclass(frozen=True, slots=True)
class MatrixFault:
    """Wrong result for one matrix, or one that nothing could be decided about. `part` counts results."""

    detail: str
    part: int = 0
    wrong: np.ndarray | None = None
    is_undecided: bool = False


def leave_undecided(reason: str) -> MatrixFault:
    """Return the finding that nothing could be decided, with the reason."""
    return MatrixFault(reason, is_undecided=True)


@dataclass(eq=False)
class Problem:
    """One matrix, in double precision; its right side; the other arguments; the parts of both results.

    `index` is its index in the stack, `of_input` the dtype of the input, `precision` the rounding unit in which the
    subject calculates by design; 0 for double precision.
    """

    a: np.ndarray
    b: np.ndarray | None
    arguments: Mapping[str, Any]
    expected: tuple[np.ndarray, ...]
    actual: tuple[np.ndarray, ...]
    index: tuple[int, ...] = ()
    of_input: np.dtype = np.dtype(np.float64)  # noqa: RUF009 - dtypes never change
    precision: float = 0.0

    @cached_property
    def dtypes(self) -> tuple[np.dtype, ...]:
        """The dtypes of NumPy's result."""
        return tuple(part.dtype for part in self.expected)

    @property
    def epsilon(self) -> float:
        """The rounding unit of the calculation."""
        return max(EPS, self.precision)

    @property
    def error(self) -> float:
        """The norm of E relative to A."""
        return UNITS * max(*self.a.shape, 2) * self.epsilon

    @property
    def iterated(self) -> float:
        """The norm of E relative to A, of an algorithm that iterates."""
        return ITERATED / UNITS * self.error

    def unit(self, part: int = 0) -> float:
        """Return how far rounding to the dtype of the result leads, relative to each element; 0 in double precision."""
        epsilon = max(EPSILON.get(self.dtypes[part], EPS), self.precision)
        return ROUNDINGS * epsilon if epsilon > EPS else 0.0

    def tiny(self, part: int = 0) -> float:
        """Return the magnitude below which numbers may be flushed to zero."""
        return SMALLEST_NORMAL.get(self.dtypes[part], 0.0)

    def largest(self, part: int = 0) -> Any:
        """Return the greatest number of the dtype of the result."""
        return np.longdouble(np.finfo(self.dtypes[part]).max)

    @cached_property
    def scaled(self) -> tuple[np.ndarray, int]:
        """The matrix divided by a power of two, so that its largest element is about 1, and the exponent."""
        return scale(self.a)

    @cached_property
    def singular_values(self) -> np.ndarray:
        """The singular values of the scaled matrix, in double precision."""
        return singular_values(self.scaled[0])

    @cached_property
    def norm(self) -> np.longdouble:
        """The spectral norm."""
        return np.ldexp(np.longdouble(max(self.singular_values, default=0.0)), self.scaled[1])


def scale(a: np.ndarray) -> tuple[np.ndarray, int]:
    """Divide by a power of two, so that the largest element is about 1."""
    size = largest_part(a)
    exponent = int(np.frexp(size)[1]) if size > 0 else 0
    return multiply_by_power(a, -exponent), exponent


def largest_part(a: np.ndarray) -> Any:
    """Return the largest of all real and imaginary parts; no modulus, which may overflow."""
    return max(np.abs(a.real).max(initial=0), np.abs(a.imag).max(initial=0))


def multiply_by_power(a: np.ndarray, exponents: Any) -> np.ndarray:
    """Return the array times powers of two."""
    if a.dtype.kind != "c":
        return np.ldexp(a, exponents)
    product = np.empty(np.broadcast_shapes(a.shape, np.shape(exponents)), a.dtype)
    product.real, product.imag = np.ldexp(a.real, exponents), np.ldexp(a.imag, exponents)
    return product


def singular_values(a: np.ndarray) -> np.ndarray:
    """Return the singular values of a finite matrix; none of an empty one."""
    return np.linalg.svd(a, compute_uv=False) if a.size else np.zeros(0)


def adjoint(a: np.ndarray) -> np.ndarray:
    """Return the conjugate transpose."""
    return a.conj().swapaxes(-1, -2)


def as_hermitian(a: np.ndarray, lower: bool = True) -> np.ndarray:
    """Return the Hermitian matrix of which one triangle is read."""
    half = np.tril(a, -1) if lower else np.triu(a, 1)
    return half + adjoint(half) + np.diag(np.diagonal(a).real)


def column_sizes(a: np.ndarray) -> np.ndarray:
    """Return the largest element of each column, up to a factor of the root of two."""
    return np.maximum(np.abs(to_longdouble(a.real)), np.abs(to_longdouble(a.imag))).max(0, initial=0)


def farther(actual: np.ndarray, target: Any, bound: Any) -> np.ndarray:
    """Return which elements are farther from the target than the bound, or not finite where the target is."""
    with np.errstate(all="ignore"):
        return ~(np.abs(to_longdouble(actual) - target) <= bound)


def compare(problem: Problem, part: int, target: np.ndarray, bound: Any, what: str) -> MatrixFault | None:
    """Check one part of the result against a target."""
    actual = problem.actual[part]
    wrong = np.atleast_1d(farther(actual, target, bound))
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.argwhere(wrong)[0]) if np.ndim(actual) else ()
    near, far = (
        np.broadcast_to(bound, np.shape(actual))[index],
        np.abs(to_longdouble(actual)[index] - np.asarray(target)[index]),
    )
    at = f" at {list(index)}" if index else ""
    text = f"{what}{at} should be {np.asarray(target)[index]:.17g}, got {np.asarray(actual)[index]:.17g}: "
    return MatrixFault(f"{text}{far:.3g} away, {near:.3g} is allowed", part, wrong.reshape(np.shape(actual)))
