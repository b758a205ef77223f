"""Checkers of determinants, inverses, linear equations and matrix products, against exact results."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from oracle.equality import exact
from oracle.equality.matrix import (
    EPS,
    ROUNDINGS,
    UNITS,
    MatrixFault,
    Problem,
    column_sizes,
    compare,
    farther,
    leave_undecided,
    multiply_by_power,
    singular_values,
)
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, to_longdouble

LARGEST_EXACT = 24
"""Rows up to which equations are solved exactly: beyond, NumPy's result stands for the exact one."""


@dataclass(frozen=True, slots=True)
class _Determinant:
    """The exact determinant divided by `2**exponent`, its logarithm, and how far an error of each column moves it.

    Ipsen and Rehman, Perturbation bounds for determinants and characteristic polynomials, SIAM J. Matrix Anal. Appl. 30
    (2008), theorem 2.13: no farther than the sum of s_(n-k) |E|^k, with the elementary symmetric functions s of the
    singular values. Columns are scaled to a norm of about 1 first, for the error of each is relative to its own size.
    `rounding` is the error of the sum of the logarithms of pivots, which NumPy's determinants are exponentials of.
    """

    value: Any
    exponent: int
    logarithm: float
    error: float
    rounding: float


def _find_determinant(a: np.ndarray, epsilon: float) -> _Determinant:
    n, sizes = len(a), column_sizes(a)
    exponents = np.where(sizes > 0, np.frexp(sizes)[1], 0).astype(np.int64)
    exponent = int(exponents.sum())
    symmetric = np.append(1.0, np.zeros(n))
    for value in singular_values(multiply_by_power(a, -exponents)):
        symmetric[1:] += value * symmetric[:-1]
    error = UNITS * max(n, 2) * epsilon
    determinant = exact.find_determinant(a)
    log = determinant.logarithm()
    terms = float(np.abs(exponents).sum()) * math.log(2) + (abs(log) if math.isfinite(log) else 0.0)
    moved = float(np.sum(symmetric[:-1] * error ** np.arange(n, 0, -1.0)))
    value = to_longdouble(determinant.value(-exponent))[()]
    return _Determinant(value, exponent, log, moved, 4 * epsilon * (n + terms))


def check_det(problem: Problem) -> MatrixFault | None:
    """Check a determinant."""
    determinant, actual = _find_determinant(problem.a, problem.epsilon), problem.actual[0]
    with np.errstate(all="ignore"):
        scaled = multiply_by_power(to_longdouble(actual), -determinant.exponent)[()]
        bound = determinant.error + (problem.unit() + determinant.rounding) * np.abs(determinant.value)
        bound += np.ldexp(np.longdouble(problem.tiny()), -determinant.exponent)
        overflows = np.abs(determinant.value) + bound >= np.ldexp(problem.largest(), -determinant.exponent)
        if (overflows or not np.isfinite(problem.expected[0])) and not np.isfinite(actual):
            return None
        if not farther(scaled, determinant.value, bound).any():
            return None
        value = multiply_by_power(to_longdouble(determinant.value), determinant.exponent)[()]
        far = np.abs(scaled - determinant.value) / bound
    return MatrixFault(f"the determinant is {value:.17g}, got {actual[()]:.17g}: {far:.3g} times what is allowed")


def check_slogdet(problem: Problem) -> MatrixFault | None:
    """Check the sign and the logarithm of a determinant; of one that rounding errors may make zero, an upper bound."""
    determinant, (sign, size) = _find_determinant(problem.a, problem.epsilon), problem.actual
    modulus = np.abs(determinant.value)
    if not (np.isfinite(size) or size == -np.inf) or not np.isfinite(sign):
        return MatrixFault(f"expected {problem.expected}, got {problem.actual}", 1)
    unit = problem.unit(1) + problem.epsilon
    if determinant.error >= 0.5 * modulus:
        largest = float(modulus + 2 * determinant.error)
        most = (math.log(largest) if largest > 0 else -math.inf) + determinant.exponent * math.log(2)
        if (size == -np.inf) != (sign == 0):
            return MatrixFault(f"the sign {sign} and the logarithm {size} contradict each other")
        if not size <= most + determinant.rounding + unit * abs(most):
            return MatrixFault(f"the logarithm should be at most {most:.6g}, got {size:.6g}", 1)
        length = float(np.abs(sign))
        off = min(abs(length - 1), length) > 4 * problem.epsilon + problem.unit(0)
        return MatrixFault(f"the sign should be of modulus 1, or 0, got {sign}") if off else None
    relative = float(determinant.error / modulus)
    of_phase = 2 * relative + 4 * len(problem.a) * problem.epsilon + problem.unit(0)
    turned = of_phase if problem.a.dtype.kind == "c" else 0.0
    bound = 2 * relative + determinant.rounding + unit * abs(determinant.logarithm)
    return compare(problem, 0, to_longdouble(determinant.value / modulus), turned, "the sign") or compare(
        problem, 1, to_longdouble(determinant.logarithm), bound, "the logarithm"
    )


def check_solve(problem: Problem) -> MatrixFault | None:
    """Check the solutions of linear equations, each column by itself.

    The exact solution of (A + E) x = b + e is x + A^-1 (e - E x) in first order; no more than |A^-1| (|E| |x| + |e|).
    """
    assert problem.b is not None
    right = problem.b if problem.b.ndim > 1 else problem.b[:, None]
    actual = np.asarray(problem.actual[0]).reshape(right.shape)
    expected = np.asarray(problem.expected[0]).reshape(right.shape)
    return _check_solution(problem, problem.a, right, expected, actual)


def check_inverse(problem: Problem) -> MatrixFault | None:
    """Check an inverse: the solution of equations whose right sides are the identity."""
    return _check_solution(problem, problem.a, np.eye(len(problem.a)), problem.expected[0], problem.actual[0])


def _check_solution(
    problem: Problem, a: np.ndarray, right: np.ndarray, expected: np.ndarray, actual: np.ndarray
) -> MatrixFault | None:
    n = len(a)
    exact_columns = exact.solve(a, np.hstack([np.eye(n), right])) if n <= LARGEST_EXACT else None
    if exact_columns is None and n > LARGEST_EXACT:
        exact_columns = to_longdouble(np.hstack([np.linalg.inv(a), expected]))
    with np.errstate(all="ignore"):
        if exact_columns is None:
            return _check_residual(problem, a, right, actual, "the matrix is singular, and")
        inverse, solution = exact_columns[:, :n], exact_columns[:, n:]
        perturbed = column_sizes(a) @ np.abs(solution) + np.abs(to_longdouble(right)).max(0, initial=0)
        bound = problem.error * np.abs(inverse).sum(1)[:, None] * perturbed
        condition = float(np.max(np.abs(inverse).sum(1) @ column_sizes(a)[:, None], initial=0)) * problem.error
        bound = bound + problem.unit() * np.abs(solution) + problem.tiny()
        wrong = farther(actual, solution, bound)
        wrong &= ~((np.abs(solution) >= problem.largest() / 2) | ~np.isfinite(expected)) | np.isfinite(actual)
        if not wrong.any():
            return _unless_vacuous(problem, a, right, actual, solution, bound)
        if not condition < 0.1 and _check_residual(problem, a, right, actual, "") is None:
            return None
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        far = np.abs(to_longdouble(actual)[index] - solution[index])
    text = f"the element {list(index)} is {solution[index]:.17g}, got {actual[index]:.17g}: {far:.3g} away"
    return MatrixFault(f"{text}, {bound[index]:.3g} is allowed", 0, wrong.reshape(problem.actual[0].shape))


def _unless_vacuous(
    problem: Problem, a: np.ndarray, right: np.ndarray, actual: np.ndarray, solution: np.ndarray, bound: np.ndarray
) -> MatrixFault | None:
    """Check a solution whose error bound is as large as its values: only a small residual decides anything."""
    size = np.abs(solution).max(0, initial=0)
    if not np.any(bound.max(0, initial=0) > size) or not size.any() or not np.isfinite(actual).all():
        return None
    if _check_residual(problem, a, right, actual, "") is None:
        return None
    return leave_undecided("the matrix is so ill-conditioned that any solution is as good")


def _check_residual(
    problem: Problem, a: np.ndarray, right: np.ndarray, actual: np.ndarray, why: str
) -> MatrixFault | None:
    """Check that the solution is one of equations next to these (Rigal and Gaches; Higham, theorem 7.1)."""
    left, solution = to_longdouble(a), to_longdouble(actual)
    residual = np.abs(to_longdouble(right) - left @ solution)
    sizes = column_sizes(a) @ np.abs(solution) + np.abs(to_longdouble(right)).max(0, initial=0)
    bound = problem.error * sizes + (problem.unit() + 2.0**-60) * (np.abs(left) @ np.abs(solution))
    wrong = farther(residual, np.longdouble(0), bound + problem.tiny())
    if not wrong.any():
        return None
    return MatrixFault(f"{why} the residual is {np.max(residual / sizes):.3g} relative to the equations".strip())


def check_power(problem: Problem) -> MatrixFault | None:
    """Check the power of a matrix of floats (Higham, 3.5: the error of a product is bounded by the sizes' product)."""
    power, n = operator.index(problem.arguments["n"]), len(problem.a)
    base, moved = to_longdouble(problem.a), np.zeros(())
    if power < 0:
        inverse = exact.solve(problem.a, np.eye(n)) if n <= LARGEST_EXACT else to_longdouble(np.linalg.inv(problem.a))
        if inverse is None:
            return leave_undecided("the inverse is that of a singular matrix")
        base, sums = inverse, np.abs(inverse).sum(1)[:, None]
        moved = problem.error * sums * (column_sizes(problem.a) @ np.abs(inverse) + 1) + problem.unit() * np.abs(
            inverse
        )
    return _check_product(problem, [base] * abs(power), [moved] * abs(power), problem.dtypes[0])


def check_product(problem: Problem, factors: list[np.ndarray], coarsest: np.dtype) -> MatrixFault | None:
    """Check the product of several matrices, whose intermediate results may be rounded to the coarsest dtype."""
    return _check_product(
        problem, [to_longdouble(factor) for factor in factors], [np.zeros(())] * len(factors), coarsest
    )


def _check_product(
    problem: Problem, factors: list[np.ndarray], moved: list[np.ndarray], coarsest: np.dtype
) -> MatrixFault | None:
    expected, actual = to_longdouble(problem.expected[0]), to_longdouble(problem.actual[0])
    if not factors:
        wrong = expected != actual
        return (
            MatrixFault(f"expected {problem.expected[0]}, got {problem.actual[0]}", 0, wrong) if wrong.any() else None
        )
    with np.errstate(all="ignore"):
        product, sizes, largest = factors[0], np.abs(factors[0]), np.abs(factors[0]) + moved[0]
        for factor, move in zip(factors[1:], moved[1:], strict=True):
            product, sizes = product @ factor, sizes @ np.abs(factor)
            largest = largest @ (np.abs(factor) + move)
        terms = sum(factor.shape[0] for factor in factors[1:]) + len(factors)
        epsilon = EPSILON.get(coarsest, EPS)
        unit = terms * max(problem.epsilon, min(epsilon, 2.0**-23)) + ROUNDINGS * len(factors) * epsilon
        tiny = SMALLEST_NORMAL.get(problem.dtypes[0], 0.0) * terms
        bound = unit * sizes + 2 * np.abs(largest - sizes) + tiny * (1 + sizes)
        target = np.where(np.isfinite(expected), expected, product)
        wrong = farther(actual, target, 2 * bound)
        may_overflow = sizes * (1 + unit) >= np.longdouble(_largest(problem.dtypes[0]))
        of_numpy = ~np.isfinite(expected) & ~np.isfinite(actual)
        wrong &= ~of_numpy & ~(may_overflow & ~np.isfinite(actual))
    if not wrong.any():
        return None
    index = tuple(int(i) for i in np.argwhere(np.atleast_1d(wrong))[0])[: wrong.ndim]
    far = np.abs(actual - target)[index] / np.broadcast_to(bound, wrong.shape)[index]
    return MatrixFault(
        f"at {list(index)} expected {target[index]:.17g}, got {actual[index]:.17g}: {far:.3g} bounds", 0, wrong
    )


def _largest(dtype: np.dtype) -> float:
    return float(np.finfo(dtype).max) if dtype.kind in "fc" else 3.38e38
