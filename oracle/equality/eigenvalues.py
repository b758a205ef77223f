"""Backward error of eigenvalues and eigenvectors of general matrices, after balancing.

A number is an eigenvalue of B + E with |E| no less than the smallest singular value of B - z I (Trefethen and Embree,
Spectra and Pseudospectra, chapter 2), and a number of them together are those of one matrix only if the coefficients of
the polynomial of which they are the roots are near (Ipsen and Rehman, 2008). Where neither is told by the condition of
an eigenvalue, multiple ones need no case of their own. B is D^-1 A D with powers of two, as LAPACK and others balance a
matrix before the QR algorithm; eigenvalues that are on the diagonal of what is triangular are exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from oracle.equality.matrix import (
    UNITS,
    MatrixFault,
    Problem,
    farther,
    leave_undecided,
    multiply_by_power,
    scale,
    singular_values,
)
from oracle.reference.dtypes import to_longdouble

MOST_SWEEPS = 100

LARGEST_POLYNOMIAL = 8
"""Rows up to which the characteristic polynomial is calculated: beyond, NumPy's eigenvalues stand for it."""


def check_eigvals(problem: Problem) -> MatrixFault | None:
    """Check eigenvalues, in any order."""
    actual, expected = (
        np.asarray(part[0]).astype(np.complex128).ravel() for part in (problem.actual, problem.expected)
    )
    isolated, block = _isolate(problem.a)
    remaining, others = list(actual), list(expected)
    for value in isolated:
        nearest = remaining.pop(_nearest(remaining, value))
        others.pop(_nearest(others, value))
        bound = 4 * problem.epsilon * abs(value) + problem.unit() * abs(value) + problem.tiny()
        if not abs(nearest - value) <= bound:
            return MatrixFault(
                f"the matrix has the eigenvalue {value} on its diagonal; the nearest of {actual} is {nearest}"
            )
    if not len(block):
        return None
    balanced, _, exponent = balance(block)
    scaled = (multiply_by_power(to_longdouble(np.array(values)), -exponent) for values in (others, remaining))
    return _check_spectrum(problem, balanced, exponent, *scaled)


def _nearest(values: list[Any], value: complex) -> int:
    gaps = np.abs(to_longdouble(np.array(values)) - value)
    return int(np.argmin(np.where(np.isnan(gaps), np.inf, gaps)))


def _isolate(a: np.ndarray) -> tuple[list[complex], np.ndarray]:
    """Return the eigenvalues that permutations bring to the diagonal, as LAPACK does, and the remaining block."""
    indices: list[int] = list(range(len(a)))
    values: list[complex] = []
    while True:
        block = a[np.ix_(indices, indices)] != 0
        np.fill_diagonal(block, False)
        alone = np.flatnonzero(~block.any(0) | ~block.any(1))
        if not alone.size:
            return values, a[np.ix_(indices, indices)]
        values.append(complex(a[indices[alone[0]], indices[alone[0]]]))
        del indices[alone[0]]


def balance(a: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """Balance by powers of two (Osborne, J. ACM 7, 1960): D^-1 A D / 2^e, the exponents of D, and e."""
    n = len(a)
    sizes = np.where(np.eye(n, dtype=bool), 0, np.abs(to_longdouble(a)))
    with np.errstate(divide="ignore"):
        logs = np.log2(sizes)
    powers = np.zeros(n, np.int64)
    for _ in range(MOST_SWEEPS):
        moved = False
        for i in range(n):
            between = logs + (powers - powers[:, None])
            row, column = between[i].max(), between[:, i].max()
            step = round((row - column) / 2) if np.isfinite(row) and np.isfinite(column) else 0
            if step:
                powers[i], moved = powers[i] + step, True
        if not moved:
            break
    exponents = powers - powers[:, None]
    balanced = multiply_by_power(to_longdouble(a), exponents)
    largest = max(np.abs(balanced.real).max(initial=0), np.abs(balanced.imag).max(initial=0))
    exponent = int(np.frexp(largest)[1]) if largest > 0 else 0
    double = np.complex128 if a.dtype.kind == "c" else np.float64
    return multiply_by_power(balanced, -exponent).astype(double), powers, exponent


def _check_spectrum(
    problem: Problem, block: np.ndarray, exponent: int, expected: np.ndarray, actual: np.ndarray
) -> MatrixFault | None:
    """Check that the numbers are the eigenvalues of one matrix next to the block; all are divided by 2**exponent."""
    polynomial = _find_polynomial(block) if len(block) <= LARGEST_POLYNOMIAL else multiply_roots(expected)
    finding = _check_eigenvalues(problem, block, exponent, polynomial, actual)
    if finding is not None and _check_eigenvalues(problem, block, exponent, polynomial, expected) is not None:
        return leave_undecided("NumPy's own eigenvalues are not those of a matrix next to the balanced one")
    return finding


def _check_eigenvalues(
    problem: Problem, block: np.ndarray, exponent: int, polynomial: np.ndarray, actual: np.ndarray
) -> MatrixFault | None:
    """Check that each number is an eigenvalue by itself, and that all together are those of one matrix."""
    sizes = singular_values(block)
    error = UNITS * max(len(block), 2) * problem.epsilon * sizes[0]
    tiny = float(np.ldexp(np.longdouble(problem.tiny()), -exponent))
    for value in actual:
        narrow = complex(value)
        if not np.isfinite(narrow):
            return MatrixFault(f"an eigenvalue is {narrow}, in units of 2**{exponent}")
        gap = singular_values(block - narrow * np.eye(len(block)))[-1]
        if gap > error + problem.unit() * abs(narrow) + tiny:
            text = f"{narrow} * 2**{exponent} is no eigenvalue, but if the balanced matrix had errors of {gap:.3g}"
            return MatrixFault(f"{text}; {error:.3g} is allowed")
    if not farther(
        multiply_roots(actual), polynomial, _bound_polynomial(problem, sizes, np.abs(actual), error) + tiny
    ).any():
        return None
    return MatrixFault(
        f"expected the eigenvalues {problem.expected[0]}, got {problem.actual[0]}: they are of another matrix"
    )


def _bound_polynomial(problem: Problem, sizes: np.ndarray, moduli: np.ndarray, error: float) -> np.ndarray:
    """Return how far errors of the matrix, and of rounding each eigenvalue, may move each coefficient."""
    n = len(sizes)
    of_sizes, of_moduli = (multiply_roots(-values) for values in (sizes, moduli))
    bound = np.real(of_moduli) * (2 * problem.unit() + 2.0**-60) * np.arange(n + 1)
    for k in range(1, n + 1):
        for i in range(1, k + 1):
            bound[k] += 2 * math.comb(n - k + i, i) * np.real(of_sizes[k - i]) * error**i
    return bound


def _find_polynomial(a: np.ndarray) -> np.ndarray:
    """Return the coefficients of the characteristic polynomial, in longdouble (Faddeev and LeVerrier's recursion)."""
    matrix, n = to_longdouble(a), len(a)
    coefficients, power = [np.longdouble(1)], np.eye(n, dtype=matrix.dtype)
    for k in range(1, n + 1):
        power = matrix @ power
        coefficients.append(-np.trace(power) / k)
        power = power + coefficients[-1] * np.eye(n)
    return np.array(coefficients)


def multiply_roots(roots: np.ndarray) -> np.ndarray:
    """Return the coefficients of the monic polynomial, that of the highest degree first."""
    coefficients = np.ones(1, np.clongdouble)
    for root in roots:
        coefficients = np.append(coefficients, 0) - root * np.insert(coefficients, 0, 0)
    return coefficients


def check_eig(problem: Problem) -> MatrixFault | None:
    """Check the eigenvalues, and that each vector is of length 1 and belongs to its eigenvalue."""
    if (finding := check_eigvals(problem)) is not None:
        return finding
    finding = _check_vectors(problem, problem.actual)
    if finding is not None and _check_vectors(problem, problem.expected) is not None:
        return leave_undecided("NumPy's own eigenvectors are not those of a matrix next to the balanced one")
    return finding


def _check_vectors(problem: Problem, parts: tuple[np.ndarray, ...]) -> MatrixFault | None:
    values, vectors, unit = to_longdouble(parts[0]), to_longdouble(parts[1]), problem.unit(1)
    n = len(problem.a)
    lengths = np.sqrt((np.abs(vectors) ** 2).sum(0))
    if np.any(~(np.abs(lengths - 1) <= problem.error + 2 * unit)):
        return MatrixFault(f"eigenvectors should be of length 1, got {lengths.astype(float)}", 1)
    balanced, powers, exponent = balance(problem.a)
    norm = scale(balanced)[0]
    norm = np.longdouble(singular_values(norm)[0]) * np.ldexp(np.longdouble(1), scale(balanced)[1] + exponent)
    with np.errstate(all="ignore"):
        inside = multiply_by_power(vectors, -powers[:, None])
        residual = multiply_by_power(to_longdouble(problem.a) @ vectors - vectors * values, -powers[:, None])
        rounding = np.abs(to_longdouble(problem.a)) @ np.abs(vectors) + np.abs(vectors) * np.abs(values)
        flushed = np.abs(to_longdouble(problem.a)).sum(1)[:, None] + np.abs(values)
        slack = multiply_by_power(
            (2 * unit + 4 * n * 2.0**-63) * rounding + problem.tiny(1) * flushed, -powers[:, None]
        )
        sizes = np.sqrt((np.abs(inside) ** 2).sum(0))
        wrong = farther(residual, np.longdouble(0), 2 * problem.error * norm * sizes + slack)
    if not wrong.any():
        return None
    far = float(np.nanmax(np.abs(residual) / (norm * sizes)))
    return MatrixFault(
        f"what should be an eigenvector is none: the error of the balanced matrix is {far:.3g}", 1, wrong
    )
