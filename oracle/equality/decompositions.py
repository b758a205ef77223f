"""Checkers of matrix decompositions (Cholesky, QR, SVD, Hermitian eigenvectors), whose factors are not unique.

What they multiply to is, and so is what each factor is called: triangular, orthonormal, sorted. In a dtype less precise
than double each factor is what double precision gives, rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.equality.matrix import MatrixFault, Problem, adjoint, column_sizes, compare, farther
from oracle.reference.dtypes import to_longdouble


def check_cholesky(problem: Problem) -> MatrixFault | None:
    """Check a triangle L with L L^H = A (Higham, theorems 10.3 and 10.8)."""
    upper = bool(problem.arguments.get("upper", False))
    a, factor = to_longdouble(problem.a), to_longdouble(problem.actual[0])
    expected = to_longdouble(problem.expected[0])
    lower = adjoint(factor) if upper else factor
    target = adjoint(expected) if upper else expected
    if np.triu(lower, 1).any():
        return MatrixFault("the factor is not triangular")
    if np.any(np.diagonal(lower).imag) or np.any(np.diagonal(lower).real <= 0):
        return MatrixFault("the diagonal of the factor is not positive")
    sizes = np.abs(lower) @ np.abs(adjoint(lower))
    with np.errstate(all="ignore"):
        wrong = farther(lower @ adjoint(lower), a, (problem.error + 2 * problem.unit()) * sizes + problem.tiny())
        if wrong.any():
            return MatrixFault(
                f"L L^H is {_farthest(lower @ adjoint(lower) - a, sizes):.3g} away from the matrix", 0, wrong
            )
        inverse = np.abs(_inverse_of_triangle(target))
        moved = problem.error * np.abs(target) @ np.abs(adjoint(target))
        bound = np.abs(target) @ np.tril(inverse @ moved @ inverse.T) + 2 * problem.unit() * np.abs(target)
        wrong = farther(lower, target, np.where(np.isfinite(bound), bound, np.inf) + problem.tiny())
    return MatrixFault(f"the factor is {_farthest(lower - target, target):.3g} away", 0, wrong) if wrong.any() else None


def _inverse_of_triangle(lower: np.ndarray) -> np.ndarray:
    inverse = np.eye(len(lower), dtype=lower.dtype)
    for i in range(len(lower)):
        inverse[i] = (inverse[i] - lower[i, :i] @ inverse[:i]) / lower[i, i]
    return inverse


def check_qr(problem: Problem) -> MatrixFault | None:
    """Check an orthonormal Q and a triangular R with Q R = A, column by column (Higham, theorem 19.4)."""
    a, mode = to_longdouble(problem.a), problem.arguments["mode"]
    if len(problem.actual) == 1:
        return _check_r(problem, a)
    if mode == "raw":
        q, r = _multiply_reflections(*map(to_longdouble, problem.actual))
    else:
        q, r = map(to_longdouble, problem.actual)
        if np.any(np.tril(r, -1)):
            return MatrixFault("the second factor is not triangular", 1)
    unit = problem.unit() * (2 * max(a.shape) if mode == "raw" else 1)
    bound = problem.error * _column_lengths(a) + 2 * unit * (np.abs(q) @ np.abs(r)) + problem.tiny()
    product = q @ r
    if (wrong := farther(product, a, bound)).any():
        return MatrixFault(f"the factors multiply to {_farthest(product - a, _column_lengths(a)):.3g} away", 0, wrong)
    return _check_orthonormal(q, problem.error, unit)


def _check_r(problem: Problem, a: np.ndarray) -> MatrixFault | None:
    """Check R alone by R^H R = A^H A."""
    r = to_longdouble(problem.actual[0])
    if str(problem.arguments["mode"]).startswith("e"):
        r = np.triu(r)  # below it are reflections
    if np.any(np.tril(r, -1)):
        return MatrixFault("the factor is not triangular")
    lengths = _column_lengths(a)
    bound = 2 * problem.error * lengths[:, None] * lengths + 2 * problem.unit() * np.abs(adjoint(r)) @ np.abs(r)
    wrong = farther(adjoint(r) @ r, adjoint(a) @ a, bound + problem.tiny())
    return MatrixFault("R^H R is not A^H A", 0) if wrong.any() else _check_diagonal(problem, r)


def _check_diagonal(problem: Problem, r: np.ndarray) -> MatrixFault | None:
    """Check the sizes of R, which is unique but for a phase of each row, as far as the matrix is well-conditioned."""
    expected = np.triu(to_longdouble(problem.expected[0]))
    n = min(r.shape)
    leading = expected[:n, :n]
    if not n or r.shape[0] > r.shape[1] or np.any(np.diagonal(leading) == 0):
        return None
    lengths = _column_lengths(to_longdouble(problem.a))[:n]
    inverse = np.abs(_inverse_of_triangle(adjoint(leading))).T
    growth = (inverse * lengths[:, None]).sum()
    bound = 4 * problem.error * growth * (np.abs(expected) + _column_lengths(to_longdouble(problem.a)))
    with np.errstate(all="ignore"):
        wrong = farther(np.abs(r), np.abs(expected), bound + 2 * problem.unit() * np.abs(expected) + problem.tiny())
    return (
        MatrixFault(f"expected the sizes of {problem.expected[0]}, got {problem.actual[0]}", 0, wrong)
        if wrong.any()
        else None
    )


def _multiply_reflections(h: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Q and R of LAPACK's raw form: reflections, whose vectors lie below the triangle."""
    reflections = h.swapaxes(-1, -2)
    rows = reflections.shape[0]
    q = np.eye(rows, dtype=h.dtype)
    for i in range(tau.shape[-1]):
        vector = np.where(np.arange(rows) > i, reflections[:, i], np.arange(rows) == i)[:, None]
        q = q - tau[i] * (q @ vector) @ adjoint(vector)
    return q, np.triu(reflections)


def check_svd(problem: Problem) -> MatrixFault | None:
    """Check singular values, orthonormal U and V, and U S V^H = A."""
    if len(problem.actual) == 1:
        return check_singular_values(problem)
    if (finding := check_singular_values(problem, part=1)) is not None:
        return finding
    u, s, vh = map(to_longdouble, problem.actual)
    k, a = len(s), to_longdouble(problem.a)
    if (finding := _check_orthonormal(u, problem.iterated, problem.unit(), 0)) is not None:
        return finding
    if (finding := _check_orthonormal(adjoint(vh), problem.iterated, problem.unit(), 2)) is not None:
        return finding
    product = (u[:, :k] * s) @ vh[:k]
    bound = (
        problem.iterated * problem.norm + 3 * problem.unit() * (np.abs(u[:, :k]) * s) @ np.abs(vh[:k]) + problem.tiny()
    )
    if farther(product, a, bound).any():
        return MatrixFault(f"the factors multiply to {_farthest(product - a, problem.norm):.3g} away", 0)
    return None


def check_singular_values(problem: Problem, part: int = 0) -> MatrixFault | None:
    """Check singular values: sorted, not negative, each as near as the largest lets them be."""
    s = problem.actual[part]
    if np.any(s < 0) or np.any(np.diff(s) > 0):
        return MatrixFault(f"singular values should be sorted and not negative, got {s}", part)
    return _check_values(problem, part, "the singular value")


def check_eigh(problem: Problem) -> MatrixFault | None:
    """Check sorted eigenvalues, orthonormal eigenvectors, and that each is one."""
    if (finding := check_eigvalsh(problem)) is not None:
        return finding
    a, values, vectors = map(to_longdouble, (problem.a, *problem.actual))
    if (finding := _check_orthonormal(vectors, problem.iterated, problem.unit(1), 1)) is not None:
        return finding
    rounding = np.abs(a) @ np.abs(vectors) + 2 * np.abs(vectors) * np.abs(values)
    bound = problem.iterated * problem.norm + problem.unit(1) * rounding + problem.tiny()
    wrong = farther(a @ vectors, vectors * values, bound)
    far = _farthest(a @ vectors - vectors * values, problem.norm)
    return MatrixFault(f"what should be an eigenvector is none, {far:.3g} away", 1, wrong) if wrong.any() else None


def check_eigvalsh(problem: Problem) -> MatrixFault | None:
    """Check the eigenvalues of a Hermitian matrix: sorted, each as near as the largest lets them be."""
    if np.any(np.diff(problem.actual[0]) < 0):
        return MatrixFault(f"eigenvalues should be sorted, got {problem.actual[0]}")
    return _check_values(problem, 0, "the eigenvalue")


def _check_values(problem: Problem, part: int, what: str) -> MatrixFault | None:
    target = to_longdouble(problem.expected[part])
    bound = 2 * problem.error * problem.norm + 2 * problem.unit(part) * np.abs(target) + problem.tiny(part)
    return compare(problem, part, target, bound, what)


def _check_orthonormal(q: np.ndarray, error: float, unit: float, part: int = 0) -> MatrixFault | None:
    bound = error + 2 * unit * np.abs(adjoint(q)) @ np.abs(q)
    gram = adjoint(q) @ q
    if farther(gram, np.eye(gram.shape[0]), bound).any():
        far = np.abs(gram - np.eye(gram.shape[0])).max()
        return MatrixFault(f"a factor that should have orthonormal columns has not, {far:.3g} away", part)
    return None


def _column_lengths(a: np.ndarray) -> np.ndarray:
    """Return an upper bound of the length of each column."""
    return column_sizes(a) * np.sqrt(np.longdouble(2 * a.shape[0]))


def _farthest(gap: np.ndarray, sizes: Any) -> float:
    with np.errstate(all="ignore"):
        return float(np.nanmax(np.abs(gap) / sizes))
