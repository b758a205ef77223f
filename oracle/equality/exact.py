"""Exact determinants and solutions of linear equations over the integers.

Every float is an integer times a power of two, so the equations are solved without rounding, by fraction-free
Gauss-Jordan elimination (Bareiss, Sylvester's identity and multistep integer-preserving Gaussian elimination, Math.
Comp. 22, 1968).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

QUOTIENT_BITS = 80
"""Bits of a quotient before it is rounded to longdouble."""


@dataclass(frozen=True, slots=True)
class Gaussian:
    """A complex number of integers. `//` is exact: the quotient must be one, too."""

    re: int
    im: int

    def __mul__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def __sub__(self, other: Gaussian) -> Gaussian:
        return Gaussian(self.re - other.re, self.im - other.im)

    def __neg__(self) -> Gaussian:
        return Gaussian(-self.re, -self.im)

    def __floordiv__(self, other: Gaussian) -> Gaussian:
        product, size = self * Gaussian(other.re, -other.im), other.re**2 + other.im**2
        return Gaussian(product.re // size, product.im // size)

    def __bool__(self) -> bool:
        return bool(self.re or self.im)


@dataclass(frozen=True, slots=True)
class Determinant:
    """The determinant as `mantissa * 2**exponent`."""

    mantissa: Any
    exponent: int

    def value(self, exponent: int = 0) -> Any:
        """Return the determinant times `2**exponent`, rounded to longdouble."""
        return _round_quotient(self.mantissa, 1, self.exponent + exponent)

    def logarithm(self) -> float:
        """Return the natural logarithm of its modulus; minus infinity for zero."""
        if not self.mantissa:
            return -math.inf
        m = self.mantissa
        size = math.log(abs(m)) if isinstance(m, int) else math.log(m.re**2 + m.im**2) / 2
        return size + self.exponent * math.log(2)


def find_determinant(matrix: np.ndarray) -> Determinant:
    """Return the exact determinant of a finite square matrix."""
    rows, exponents = _as_integers(matrix)
    determinant, _ = _eliminate(rows, len(rows), _one(matrix))
    return Determinant(determinant, sum(exponents))


def solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """Return the solution, rounded to longdouble, of equations with finite sides; None where the matrix is singular."""
    is_complex = matrix.dtype.kind == "c" or right.dtype.kind == "c"
    if is_complex:
        matrix, right = matrix.astype(np.complex128), right.astype(np.complex128)
    left, of_left = _as_integers(matrix)
    other, of_right = _as_integers(right)
    n = len(left)
    determinant, rows = _eliminate([a + b for a, b in zip(left, other, strict=True)], n, _one(matrix))
    if not determinant:
        return None
    solution = np.empty(right.shape, np.clongdouble if is_complex else np.longdouble)
    for i, k in np.ndindex(right.shape):
        solution[i, k] = _round_quotient(rows[i][n + k], rows[i][i], of_right[k] - of_left[i])
    return solution


def _one(matrix: np.ndarray) -> Any:
    return Gaussian(1, 0) if matrix.dtype.kind == "c" else 1


def _as_integers(matrix: np.ndarray) -> tuple[list[list[Any]], list[int]]:
    """Return the rows as integers, and the exponent of the power of two by which each column is to be multiplied."""
    if matrix.dtype.kind == "c":
        columns, exponents = _of_reals(np.concatenate([matrix.real, matrix.imag]).astype(np.float64))
        n = len(matrix)
        return [list(map(Gaussian, columns[i], columns[n + i])) for i in range(n)], exponents
    return _of_reals(matrix.astype(np.float64))


def _of_reals(matrix: np.ndarray) -> tuple[list[list[int]], list[int]]:
    mantissas, exponents = np.frexp(matrix)
    integers = np.ldexp(mantissas, 53).astype(np.int64).tolist()
    powers, n = (exponents - 53).tolist(), len(matrix)
    smallest = [min((powers[i][k] for i in range(n) if integers[i][k]), default=0) for k in range(matrix.shape[1])]
    rows = [
        [m << max(e - low, 0) for m, e, low in zip(*line, smallest, strict=True)]
        for line in zip(integers, powers, strict=True)
    ]
    return rows, smallest


def _eliminate(rows: list[list[Any]], n: int, one: Any) -> tuple[Any, list[list[Any]]]:
    """Return the determinant of the first n columns; and the rows, after which they hold a multiple of the identity."""
    previous, sign = one, False
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return one - one, rows
        if pivot != k:
            rows[k], rows[pivot], sign = rows[pivot], rows[k], not sign
        top, first = rows[k], rows[k][k]
        for i in range(n):
            if i != k:
                factor = rows[i][k]
                rows[i] = [(first * x - factor * y) // previous for x, y in zip(rows[i], top, strict=True)]
        previous = first
    return (-previous if sign else previous), rows


def _round_quotient(numerator: Any, denominator: Any, exponent: int) -> Any:
    """Return the quotient times a power of two."""
    if isinstance(numerator, int) and isinstance(denominator, int):
        return _real_quotient(numerator, denominator, exponent)
    if isinstance(denominator, int):
        denominator = Gaussian(denominator, 0)
    size = denominator.re**2 + denominator.im**2
    product = numerator * Gaussian(denominator.re, -denominator.im)
    quotient = np.zeros((), np.clongdouble)
    quotient.real, quotient.imag = (_real_quotient(part, size, exponent) for part in (product.re, product.im))
    return quotient[()]


def _real_quotient(numerator: int, denominator: int, exponent: int) -> np.longdouble:
    negative = (numerator < 0) != (denominator < 0)
    numerator, denominator = abs(numerator), abs(denominator)
    shift = QUOTIENT_BITS - numerator.bit_length() + denominator.bit_length()
    quotient = (numerator << shift) // denominator if shift > 0 else numerator // (denominator << -shift)
    high, low = quotient >> 40, quotient & (1 << 40) - 1
    with np.errstate(all="ignore"):
        value = np.ldexp(np.ldexp(np.longdouble(high), 40) + np.longdouble(low), exponent - shift)
    return -value if negative else value
