"""Polynomials fitted and divided: how near a result must be, which no perturbation of the input tells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Arguments = dict[str, Any]


def fit(given: Arguments, expected: Any, actual: Any) -> bool:
    """Coefficients as near as the conditioning of the powers lets them be: what cancels has no digits left."""
    left = np.vander(np.asarray(given["x"], np.float64), int(given["deg"]) + 1)
    return _near(given, left, expected, actual)


def series_fit(basis: Callable[[Any, int], np.ndarray], given: Arguments, expected: Any, actual: Any) -> bool:
    """The same of a series in another basis, some degrees of which may be left out."""
    deg = np.asarray(given["deg"])
    degrees = np.sort(deg) if deg.ndim else np.arange(deg + 1)
    left = basis(np.asarray(given["x"], np.float64), int(degrees[-1]))[:, degrees]
    found = []
    for result in (expected, actual):
        coefficients, rest = result if isinstance(result, tuple) else (result, None)
        kept = np.asarray(coefficients)[degrees]
        found.append(kept if rest is None else (kept, *rest))
    return _near(given, left, *found)


def _near(given: Arguments, left: np.ndarray, expected: Any, actual: Any) -> bool:
    y, w = (np.asarray(given[name], np.float64) for name in ("y", "w"))
    share = w if given["w"] is not None else np.ones(len(left))
    left = left * share[:, None]
    scale = np.sqrt((left * left).sum(axis=0))
    sizes = np.linalg.svd(left / np.where(scale == 0, 1, scale), compute_uv=False)
    floor = sizes[0] * (len(left) * np.finfo(np.float64).eps if given["rcond"] is None else given["rcond"])
    unit, length = 64 * np.finfo(np.float64).eps, np.linalg.norm(y.T * share)
    condition = sizes[0] / sizes[sizes > floor].min()
    rest = np.linalg.norm(((left @ (expected[0] if isinstance(expected, tuple) else expected)) - (y.T * share).T).T)
    error = unit * condition * (length + condition * rest)  # Wedin's bound
    if not isinstance(expected, tuple):
        return bool(np.all(np.abs(np.subtract(expected, actual)).T * scale <= error))
    bounds: list[Any] = [error, unit * length**2, 0, unit * sizes[0], 0]
    factors: list[Any] = [scale, 1, 1, 1, 1]
    if len(expected) == 2:
        bounds, factors = [error, unit * condition**2 * max(length**2, 1)], [scale, np.outer(scale, scale)]
    pairs = zip(expected, actual, bounds, factors, strict=True)
    return all(bool(np.all(np.abs(np.subtract(one, two)).T * by <= bound)) for one, two, bound, by in pairs)


def division(given: Arguments, expected: Any, actual: Any) -> bool:
    """A remainder as near as what cancels in it lets it be: of Python's integers no perturbation tells how near."""
    unit = 64 * np.finfo(np.result_type(*expected, np.float32)).eps
    (quotient, rest), (found, other) = expected, actual
    size = np.max(np.abs(quotient))
    if np.shape(quotient) != np.shape(found) or not np.all(np.abs(np.subtract(quotient, found)) <= unit * size):
        return False
    bound = unit * (np.max(np.abs(given["u"])) + size * np.max(np.abs(given["v"])))
    count = min(len(rest), len(other))
    gaps = [rest[: len(rest) - count], other[: len(other) - count]]  # what is small at the beginning is left out
    gaps.append(np.subtract(rest[len(rest) - count :], other[len(other) - count :]))
    return all(bool(np.all(np.abs(gap) <= bound)) for gap in gaps)
