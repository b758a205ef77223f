"""Polynomial objects, NumPy's and a subject's, as dicts of their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.case.model import Case

SERIES = ("coef", "domain", "window")
OLDER = ("coeffs", "variable")


def list_parts(value: Any) -> dict[str, Any] | None:
    """Return the parts of a polynomial object; None for anything else."""
    kind = type(value)
    if kind.__name__ != "poly1d" and (isinstance(value, (np.ndarray, type)) or not hasattr(kind, "has_samecoef")):
        return None
    names = OLDER if kind.__name__ == "poly1d" else SERIES
    return {"class": kind.__name__, **{name: getattr(value, name) for name in names}}


def spell(value: Any) -> Any:
    """Return a result with each polynomial object replaced by its parts."""
    if type(value) in (tuple, list):
        return type(value)(spell(item) for item in value)
    parts = list_parts(value)
    return value if parts is None else parts


def replace_coefficients(series: Any, coefficients: np.ndarray) -> Any:
    """Return the series with other coefficients."""
    if not hasattr(series, "copy"):
        return type(series)(coefficients)
    other = series.copy()
    other.coef = coefficients
    return other


def is_of_roots(case: Case) -> bool:
    """Return whether a poly1d is created from roots, so that `poly` computes its coefficients."""
    return case.name == "poly1d" and bool(case.kwargs.get("r", (*case.args, False, False)[1]))


def mixes_with_ones(name: str) -> bool:
    """Return whether roots are computed from a companion matrix that adds scaled coefficients to entries near 1.

    Its rounding errors are as large as if no coefficient were smaller than the last. The power basis's matrix has no
    such sums.
    """
    kind = name.removeprefix("polynomial.")
    return kind != name and name.endswith("roots") and not kind.lower().startswith("polynomial.") and "from" not in kind


FOLDS_OF_FLOATS = ("divide.", "true_divide.", "float_power.")
"""Ufuncs of which even integers are joined as floats."""


def to_floating(case: Case) -> Case:
    """Return the case with floats for integers if polynomials or ufuncs convert them, so that they can be perturbed."""
    if case.name.startswith(FOLDS_OF_FLOATS) and case.args and isinstance(case.args[0], np.ndarray):
        first = case.args[0]
        return case.map_arrays(lambda array: _as_float(array) if array is first else array)
    if case.name.startswith("polynomial.") or case.name in {"poly", "roots"}:
        return case.map_arrays(_as_float)
    return case


def _as_float(array: np.ndarray) -> np.ndarray:
    return array.astype(float) if array.dtype.kind in "iu" else array
