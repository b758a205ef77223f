"""Checkers of what singular values give: condition numbers, norms, ranks, pseudoinverses, least squares.

A singular value is as near as the largest one lets it be. Where it lies about a limit, either side of it is right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from oracle.equality import exact
from oracle.equality.matrix import EPS, MatrixFault, Problem, adjoint, column_sizes, compare, farther, leave_undecided
from oracle.reference.dtypes import EPSILON, to_longdouble

RANK_UNITS = 0.5
"""How far a singular value may be from NumPy's where it is compared with a limit: half of the usual limit itself, which
is there so that what rounding errors leave of zeros lies below it. In units of `n * EPS` times the largest.
"""


def check_cond(problem: Problem) -> MatrixFault | None:
    """Check the reciprocal of a condition number, which is as near to NumPy's as the working precision."""
    p = problem.arguments["p"]
    if p in (None, 2, -2) and not isinstance(p, str):
        return _check_ratio(problem, p == -2, problem.error)
    if p in (-1, -np.inf):
        return _check_smallest_sums(problem)
    return _check_ratio(problem, False, problem.error * len(problem.a) ** 2)


def _check_ratio(problem: Problem, is_reciprocal: bool, error: float) -> MatrixFault | None:
    with np.errstate(all="ignore"):
        expected, actual = (to_longdouble(part[0]) for part in (problem.expected, problem.actual))
        near, far = (expected, actual) if is_reciprocal else (1 / expected, 1 / actual)
    bound = 2 * error + (4 * problem.unit() + 2 * max(problem.a.shape) * _epsilon(problem)) * np.abs(near)
    if np.isfinite(near) and np.isfinite(far) and far >= 0 and np.abs(far - near) <= bound:
        return None
    return MatrixFault(
        f"expected {problem.expected[0]}, got {problem.actual[0]}: the reciprocals may differ by {bound:.3g}"
    )


def _epsilon(problem: Problem) -> float:
    return max(EPSILON.get(problem.dtypes[0], EPS), problem.precision)


def _check_smallest_sums(problem: Problem) -> MatrixFault | None:
    """Check the product of the smallest sums of a row, or column, of the matrix and its inverse: no norms."""
    axis, a = (0 if problem.arguments["p"] == -1 else 1), to_longdouble(problem.a)
    inverse = exact.solve(problem.a, np.eye(len(a)))
    expected, actual = (to_longdouble(part[0]) for part in (problem.expected, problem.actual))
    if inverse is None or not np.isfinite(expected):
        return leave_undecided("the matrix is singular, and this is no norm")
    sizes = np.abs(inverse)
    moved = problem.error * sizes.sum(1)[:, None] * (column_sizes(problem.a) @ sizes + 1)
    bound = np.abs(a).sum(axis).min() * moved.sum(axis).max()
    bound += (4 * problem.unit() + 4 * len(a) * _epsilon(problem)) * expected
    if bound >= expected and actual >= 0:
        return leave_undecided("the bound is as large as the number")
    return compare(problem, 0, expected, bound, "the condition number")


def check_spectral_norm(problem: Problem) -> MatrixFault | None:
    """Check the largest, the smallest or the sum of the singular values."""
    count = min(problem.a.shape) if problem.arguments["ord"] == "nuc" else 1
    target = to_longdouble(problem.expected[0])
    bound = 2 * count * problem.error * problem.norm + (2 + count) * problem.unit() * np.abs(target) + problem.tiny()
    return compare(problem, 0, target, bound, "the norm")


def check_rank(problem: Problem) -> MatrixFault | None:
    """Check how many singular values are greater than the limit."""
    arguments, values = problem.arguments, problem.singular_values
    with np.errstate(all="ignore"):
        values = np.ldexp(to_longdouble(values), problem.scaled[1])
    epsilon = max(EPSILON.get(problem.of_input, EPS), problem.precision)
    if arguments["tol"] is not None:
        limit = np.longdouble(element(arguments["tol"], problem.index))
    else:
        ratio = (
            max(problem.a.shape) * epsilon if arguments["rtol"] is None else element(arguments["rtol"], problem.index)
        )
        limit = np.longdouble(ratio) * max(values, default=0)
    least, most = _possible_ranks(problem, values, limit, epsilon)
    if least <= problem.actual[0] <= most:
        return None
    return MatrixFault(f"the rank is from {least} to {most}, got {problem.actual[0]}")


def element(value: Any, index: tuple[int, ...]) -> Any:
    """Return the element of an argument that broadcasts with a stack."""
    value = np.asarray(value)
    aligned = index[len(index) - value.ndim :] if value.ndim else ()
    return value[tuple(0 if dim == 1 else i for dim, i in zip(value.shape, aligned, strict=True))]


def _possible_ranks(problem: Problem, values: np.ndarray, limit: Any, epsilon: float) -> tuple[int, int]:
    """Return the fewest and the most singular values that may be greater than the limit, but for rounding errors."""
    noise = RANK_UNITS * max(problem.a.shape) * problem.epsilon * max(values, default=0)
    noise = noise + (2 * epsilon if epsilon > EPS else EPS) * (values + np.abs(limit))
    return int(np.sum(values - noise > limit)), int(np.sum(values + noise > limit))


def _truncated_inverses(problem: Problem, limit: Any, epsilon: float) -> Iterator[tuple[int, np.ndarray, Any, Any]]:
    """Yield for each possible rank: the rank, the pseudoinverse of the scaled matrix, its norm, and how far errors may
    move it.

    An error E of a matrix whose rank is cut to r moves the inverse by about |E| / s_r^2 (Wedin, Perturbation theory for
    pseudo-inverses, BIT 13, 1973), and turns what is left out by |E| / (s_r - s_(r+1)).
    """
    u, s, vh = np.linalg.svd(problem.scaled[0], full_matrices=False)
    least, most = _possible_ranks(problem, to_longdouble(s), limit, epsilon)
    error = problem.error * s[0] if s.size else 0.0
    for r in range(least, most + 1):
        if r == 0:
            yield 0, np.zeros(problem.a.shape[::-1], problem.a.dtype), np.longdouble(0), np.longdouble(0)
        elif s[r - 1] > 0:
            next_value = s[r] if r < len(s) else 0.0
            turn = 1 + s[r - 1] / max(s[r - 1] - next_value, error, 1e-300) if next_value > 0 else 1.0
            inverse = (adjoint(vh[:r]) / s[:r]) @ adjoint(u[:, :r])
            norm = 1 / np.longdouble(s[r - 1])
            yield r, inverse, norm, 3 * turn * error * norm * norm


def check_pinv(problem: Problem) -> MatrixFault | None:
    """Check a pseudoinverse, for each rank that the matrix may have."""
    arguments, actual = problem.arguments, to_longdouble(problem.actual[0])
    ratio = arguments["rcond"] if arguments["rcond"] is not None else arguments["rtol"]
    if ratio is None:
        ratio = max(problem.a.shape) * _epsilon(problem)
    elif ratio is np._NoValue:
        ratio = 1e-15
    limit = np.longdouble(element(ratio, problem.index)) * max(problem.singular_values, default=0)
    with np.errstate(all="ignore"):
        scaled = actual * np.ldexp(np.longdouble(1), problem.scaled[1])
        tiny = np.ldexp(np.longdouble(problem.tiny()), problem.scaled[1])
        nearest, vacuous = np.inf, False
        for _, inverse, norm, moved in _truncated_inverses(problem, limit, _epsilon(problem)):
            bound = moved + (2 + min(problem.a.shape)) * problem.unit() * norm + tiny
            far = np.abs(scaled - inverse).max(initial=0)
            if far <= bound <= max(norm, tiny):
                return None
            nearest, vacuous = min(nearest, far / max(bound, 1e-4000)), vacuous or (far <= bound)
        a, size = to_longdouble(problem.scaled[0]), np.sqrt((np.abs(scaled) ** 2).sum())
        slack = (8 * problem.error + 4 * problem.unit()) * (1 + size) + limit
        is_generalized = not farther(a @ scaled @ a, a, slack * max(problem.singular_values, default=0)).any()
    if vacuous and is_generalized:
        return leave_undecided("the bound is as large as the pseudoinverse")
    return MatrixFault(f"the pseudoinverse is {nearest:.3g} times what is allowed away")


def check_lstsq(problem: Problem) -> MatrixFault | None:
    """Check solution, residuals, rank and singular values of a least squares problem (Higham, theorem 20.1)."""
    assert problem.b is not None
    x, sums, rank, _ = problem.actual
    bound = 2 * problem.error * problem.norm + 2 * problem.unit(3) * np.abs(to_longdouble(problem.expected[3]))
    if finding := compare(
        problem, 3, to_longdouble(problem.expected[3]), bound + problem.tiny(3), "the singular value"
    ):
        return finding
    rcond = problem.arguments["rcond"]
    ratio = max(problem.a.shape) * problem.epsilon if rcond is None else float(rcond) if 0 <= rcond < 1 else EPS / 2
    limit = np.longdouble(ratio) * max(problem.singular_values, default=0)
    right = problem.b if problem.b.ndim > 1 else problem.b[:, None]
    x = np.asarray(x).reshape(problem.a.shape[1], right.shape[1])
    for r, inverse, norm, moved in _truncated_inverses(problem, limit, problem.epsilon):
        if r == int(rank):
            with np.errstate(all="ignore"):
                return _check_solution(problem, to_longdouble(right), x, sums, to_longdouble(inverse), norm, moved)
    return MatrixFault(f"the rank is {problem.expected[2]}, got {rank}", 2)


def _check_solution(
    problem: Problem, right: np.ndarray, x: np.ndarray, sums: np.ndarray, inverse: np.ndarray, norm: Any, moved: Any
) -> MatrixFault | None:
    """Check what is left of the right sides, and the solution, each column by itself."""
    scaled, exponent = to_longdouble(problem.scaled[0]), problem.scaled[1]
    solution = inverse @ right
    residual = right - scaled @ solution
    lengths, left = _lengths(right), _lengths(residual)
    bound = moved * lengths + problem.error * norm * norm * left + problem.error * norm * lengths
    bound = bound + 2 * problem.unit() * np.abs(solution)
    actual = to_longdouble(x) * np.ldexp(np.longdouble(1), exponent)
    wrong = farther(actual, solution, bound + np.ldexp(np.longdouble(problem.tiny()), exponent))
    if wrong.any():
        far = float(np.max(np.abs(actual - solution) / bound))
        return MatrixFault(
            f"the solution is {far:.3g} times what is allowed away", 0, wrong.reshape(problem.actual[0].shape)
        )
    error = problem.error * (lengths + norm * left)
    slack = 2 * left * error + error * error + 2 * problem.unit(1) * left**2 + problem.tiny(1)
    if sums.size and sums.shape == left.shape and (wrong := farther(sums, left**2, slack)).any():
        return MatrixFault(f"the residuals should be {left**2}, got {sums}", 1, wrong)
    size = np.abs(solution).max(0, initial=0)
    if np.any(np.broadcast_to(bound, solution.shape).max(0, initial=0) > np.maximum(size, norm * lengths)):
        return leave_undecided("the bound is as large as the solution")
    return None


def _lengths(a: np.ndarray) -> np.ndarray:
    """Return the length of each column."""
    return np.sqrt((np.abs(a) ** 2).sum(0))
