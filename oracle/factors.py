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
        actual = np.asarray(actual)
        return _same_numbers(scrutiny, np.asarray(expected).astype(actual.dtype), actual)
    made, wanted = _product(scrutiny.case.name, actual), _product(scrutiny.case.name, expected)
    if made is None or wanted is None:
        return None
    scale = float(np.where(np.isfinite(wanted), np.abs(wanted), 0).max()) if wanted.size else 0.0
    first = np.asarray(actual if isinstance(actual, np.ndarray) else actual[0])
    bound = tolerance.FACTORS.ulps * max([1, *first.shape[-2:]]) * EPSILON.get(first.dtype, 2.0**-52)
    if elements.classes_differ(wanted, made).any() or _gap(made, wanted) > bound * scale:
        return "value", f"the factors multiply to something else, {_gap(made, wanted):.3g} away"
    if scrutiny.case.name == "linalg.eig":
        values = np.asarray(actual[0])
        return _same_numbers(scrutiny, np.asarray(expected[0]).astype(values.dtype), values, (0, 0))
    for factor in _orthogonal(scrutiny.case.name, actual):
        if np.isfinite(factor).all() and _gap(_adjoint(factor) @ factor, np.eye(factor.shape[-1])) > bound:
            return "value", "a factor that should be orthogonal is not"
    for i, part in enumerate(_unique(scrutiny.case.name, actual)):
        if part is not None and scrutiny.wrong((0, i), np.asarray(expected[i]), part).any():
            return "value", f"result[{i}] expected {expected[i]}, got {part}"
    return None


def _product(name: str, parts: Any) -> np.ndarray | None:
    """What the factors multiply to; None where that cannot be told, as of LAPACK's raw form of a QR decomposition."""
    if isinstance(parts, np.ndarray):
        return _adjoint(elements.widest(parts)) @ elements.widest(parts)
    wide = [elements.widest(np.asarray(part)) for part in parts]
    wide = [part.astype(np.complex128 if part.dtype.kind == "c" else np.float64) for part in wide]
    if name == "linalg.qr":
        return wide[0] @ wide[1] if hasattr(parts, "_fields") else None
    if name == "linalg.svd":
        k = wide[1].shape[-1]
        return (wide[0][..., :k] * wide[1][..., None, :]) @ wide[2][..., :k, :]
    if name == "linalg.eigh":
        return (wide[1] * wide[0][..., None, :]) @ _adjoint(wide[1])
    return None if np.isnan(wide[1]).any() else _recomposed(wide[0], wide[1])


def _recomposed(values: np.ndarray, vectors: np.ndarray) -> np.ndarray | None:
    """The matrix of these eigenvectors, if there are enough of them to tell."""
    if vectors.size and np.linalg.cond(vectors).max() > 1e4:
        return None
    return (vectors * values[..., None, :]) @ np.linalg.inv(vectors)


def _orthogonal(name: str, parts: Any) -> list[np.ndarray]:
    if isinstance(parts, np.ndarray):
        return []
    wide = [elements.widest(np.asarray(part)) for part in parts]
    if name == "linalg.svd":
        return [wide[0], _adjoint(wide[2])]
    return [wide[0]] if name == "linalg.qr" else [wide[1]]


def _unique(name: str, parts: Any) -> list[np.ndarray | None]:
    """The parts that are unique after all, each in its place."""
    if name == "linalg.svd":
        return [None, np.asarray(parts[1])]
    return [np.asarray(parts[0])] if name == "linalg.eigh" else []


def _adjoint(matrix: np.ndarray) -> np.ndarray:
    return matrix.conj().swapaxes(-1, -2)


def _gap(left: np.ndarray, right: np.ndarray) -> float:
    gap = np.abs(left - right)
    return float(np.where(np.isnan(gap), 0, gap).max()) if gap.size else 0.0


def _same_numbers(
    scrutiny: Scrutiny, expected: np.ndarray, actual: np.ndarray, path: tuple[Any, ...] = (0,)
) -> tuple[str, str] | None:
    """Whether each of NumPy's numbers has a partner, nearest first."""
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
