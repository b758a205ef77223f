"""Factorizations: the factors are not unique, what they multiply to is."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle import elements, tolerance
from oracle.case import Case
from oracle.scrutiny import Scrutiny
from oracle.variations import EPSILON

MULTISETS = frozenset({"linalg.eigvals", "roots"})
"""Functions whose results are in no particular order."""


def is_multiset(name: str) -> bool:
    """Whether results are in no order worth the name: where two differ by a rounding error in one part, it decides."""
    return name in MULTISETS or tolerance.finds_roots(name)


def applies(case: Case, value: Any) -> bool:
    """Whether the case's result is judged by what it multiplies to, or as a multiset."""
    if len(case.calls()) > 1:
        return False
    if is_multiset(case.name) or case.name == "linalg.qr":
        return True
    return tolerance.family_of(case.name).rule == "factors" and isinstance(value, tuple)


def departure(scrutiny: Scrutiny, expected: Any, actual: Any) -> tuple[str, str] | None:
    """Kind and detail of the first property that the result lacks."""
    if is_multiset(scrutiny.case.name):
        return _same_numbers(scrutiny, expected, actual)
    if _overflow(scrutiny.case, expected):
        return None
    first = np.asarray(actual if isinstance(actual, np.ndarray) else actual[0])
    bound = tolerance.FACTORS.ulps * max([1, *first.shape[-2:]]) * EPSILON.get(first.dtype, 2.0**-52)
    if scrutiny.case.name == "linalg.eig":
        return _eigenvectors(scrutiny, actual, bound) or _same_numbers(scrutiny, expected[0], actual[0], (0, 0))
    made, wanted = _product(scrutiny.case.name, actual), _product(scrutiny.case.name, expected)
    lost = _are_lost(wanted) & _are_lost(made)  # of what is not finite LAPACK says nothing
    gap = np.where(lost, 0, _gap(made, wanted))
    if np.any(elements.classes_differ(wanted, made) & ~lost) or np.any(gap > bound * _sizes(wanted)):
        return "value", f"the factors multiply to something else, {gap.max():.3g} away"
    for factor in _orthogonal(scrutiny.case.name, actual):
        if np.isfinite(factor).all() and np.any(_gap(_adjoint(factor) @ factor, np.eye(factor.shape[-1])) > bound):
            return "value", "a factor that should be orthogonal is not"
    if scrutiny.case.name == "linalg.qr" and _is_not_triangular(actual):
        return "value", "the triangular factor is not"
    for i, part in enumerate(_unique(scrutiny.case.name, actual)):
        if part is not None and scrutiny.wrong((0, i), np.asarray(expected[i]), part).any():
            return "value", f"result[{i}] expected {expected[i]}, got {part}"
    return None


def _overflow(case: Case, parts: Any) -> bool:
    """Whether NumPy's factors of a finite matrix are not finite, or their product: of numbers next to the greatest."""
    if not all(np.isfinite(array).all() for array in case.arrays() if array.dtype.kind in "fc"):
        return False
    factors = parts if isinstance(parts, tuple) else (parts,)
    with np.errstate(all="ignore"):
        product = _product(case.name, parts)
    return not all(np.isfinite(np.asarray(part)).all() for part in (*factors, product))


def _eigenvectors(scrutiny: Scrutiny, actual: Any, bound: float) -> tuple[str, str] | None:
    """Whether they are of length 1, and the matrix does no more to them than multiply each by its eigenvalue. Of some
    matrices whose numbers are of very different sizes NumPy's own are none: there all is open.
    """
    given = scrutiny.case.args[0] if scrutiny.case.args else scrutiny.case.kwargs["a"]
    (matrix,), (values, vectors) = _wide([given]), _wide(actual)
    best_values, best = _wide(scrutiny.expected.value)
    settled = (_residual(matrix, best_values, best) <= bound * _sizes(matrix)).all((-2, -1))
    kept = (settled & np.isfinite(matrix).all((-2, -1)) & np.isfinite(vectors).all((-2, -1)))[..., None, None]
    lengths = np.sqrt((np.abs(vectors) ** 2).sum(-2, keepdims=True))
    if np.any(kept & (np.abs(lengths - 1) > bound)):
        return "value", "an eigenvector is not of length 1"
    residual = np.where(kept, _residual(matrix, values, vectors), 0)
    if np.any(residual > bound * _sizes(matrix)):
        return "value", f"what should be an eigenvector is none, {residual.max():.3g} away"
    return None


def _residual(matrix: np.ndarray, values: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    return _gap(matrix @ vectors, vectors * values[..., None, :])


def _wide(parts: Any) -> list[np.ndarray]:
    wide = [elements.widest(np.asarray(part)) for part in parts]
    return [part.astype(np.complex128 if part.dtype.kind == "c" else np.float64) for part in wide]


def _product(name: str, parts: Any) -> np.ndarray:
    """What the factors multiply to."""
    if isinstance(parts, np.ndarray):
        return _adjoint(elements.widest(parts)) @ elements.widest(parts)
    wide = _wide(parts)
    if name == "linalg.qr":
        q, r = wide if hasattr(parts, "_fields") else _reflected(*wide)
        return q @ r
    if name == "linalg.svd":
        k = wide[1].shape[-1]
        return (wide[0][..., :k] * wide[1][..., None, :]) @ wide[2][..., :k, :]
    return (wide[1] * wide[0][..., None, :]) @ _adjoint(wide[1])


def _reflected(h: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The factors that LAPACK's raw form stands for: reflections, of which the vectors lie below the triangle."""
    whole = h.swapaxes(-1, -2)
    rows = whole.shape[-2]
    q = np.broadcast_to(np.eye(rows, dtype=h.dtype), (*h.shape[:-2], rows, rows))
    for i in range(tau.shape[-1]):
        vector = np.where(np.arange(rows) > i, whole[..., :, i], np.arange(rows) == i)[..., None]
        q = q - tau[..., i, None, None] * (q @ vector) @ _adjoint(vector)
    return q, np.triu(whole)


def _orthogonal(name: str, parts: Any) -> list[np.ndarray]:
    if isinstance(parts, np.ndarray):
        return []
    wide = _wide(parts)
    if name == "linalg.svd":
        return [wide[0], _adjoint(wide[2])]
    if name == "linalg.qr":
        return [wide[0] if hasattr(parts, "_fields") else _reflected(*wide)[0]]
    return [wide[1]]


def _is_not_triangular(parts: Any) -> bool:
    r = parts if isinstance(parts, np.ndarray) else parts[-1] if hasattr(parts, "_fields") else np.zeros((1, 1))
    return bool(np.any(np.tril(r, -1)))


def _unique(name: str, parts: Any) -> list[np.ndarray | None]:
    """The parts that are unique after all, each in its place."""
    if name == "linalg.svd":
        return [None, np.asarray(parts[1])]
    return [np.asarray(parts[0])] if name == "linalg.eigh" else []


def _adjoint(matrix: np.ndarray) -> np.ndarray:
    return matrix.conj().swapaxes(-1, -2)


def _gap(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    gap = np.abs(left - right)
    return np.where(np.isnan(gap), 0, gap)


def _are_lost(stack: np.ndarray) -> np.ndarray:
    """Which matrices of a stack are not finite."""
    return ~np.isfinite(stack).all((-2, -1), keepdims=True)


def _sizes(stack: np.ndarray) -> np.ndarray:
    """The size of the largest number of each matrix."""
    return np.where(np.isfinite(stack), np.abs(stack), 0).max((-2, -1), initial=0, keepdims=True)


def _same_numbers(
    scrutiny: Scrutiny, expected: Any, actual: Any, path: tuple[Any, ...] = (0,)
) -> tuple[str, str] | None:
    """Whether each of NumPy's numbers has a partner, nearest first."""
    common = np.result_type(actual, expected)
    actual, expected = np.asarray(actual).astype(common), np.asarray(expected).astype(common)
    paired = actual.copy()
    for index in np.ndindex(expected.shape[:-1]):
        left = list(actual[index])
        for i, number in enumerate(expected[index]):
            nearest = min(range(len(left)), key=lambda k: _apart(left[k], number))
            paired[(*index, i)] = left.pop(nearest)
    if scrutiny.wrong(path, expected, paired).any():
        return "value", f"expected the numbers {expected}, got {actual}"
    return None


def _apart(left: Any, right: Any) -> float:
    gap = float(abs(complex(left) - complex(right)))
    return np.inf if np.isnan(gap) else gap
