"""Series of polynomials as objects, NumPy's and a subject's alike: what they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

SERIES = ("coef", "domain", "window")


def parts_of(value: Any) -> dict[str, Any] | None:
    """What an object is made of that is no array, if it is a series: None for all else."""
    if isinstance(value, (np.ndarray, np.generic, type)) or not hasattr(type(value), "has_samecoef"):
        return None
    return {"class": type(value).__name__, **{name: getattr(value, name) for name in SERIES}}


def spelt(value: Any) -> Any:
    """A result with the parts of each object in its place."""
    if type(value) in (tuple, list):
        return type(value)(spelt(item) for item in value)
    parts = parts_of(value)
    return value if parts is None else parts


def with_coefficients(series: Any, coefficients: np.ndarray) -> Any:
    """The series with others of its coefficients."""
    other = series.copy()
    other.coef = coefficients
    return other
