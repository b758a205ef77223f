"""Functions applied to what they gave: errors of a step grow as those after it make them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

Arguments = dict[str, Any]

UNITS = 4
"""Units in the last place that one step may be away, as functions are where numbers are not huge."""

MOST_STEPS = 64


def are_near(ufunc: np.ufunc, given: Arguments, expected: Any, actual: Any) -> bool:
    """Whether an answer is as near as moving each step by itself moves NumPy's."""
    array = np.asarray(given["a"])
    if array.dtype.kind != "f" or np.shape(expected) != np.shape(actual):
        return False
    places = np.arange(array.size).reshape(array.shape)[given["indices"]].ravel()
    move = UNITS * float(np.finfo(array.dtype).eps)

    def applied(moved: int) -> np.ndarray:
        current = np.array(array).ravel()
        for step, place in enumerate(places):
            found = np.asarray(ufunc(current[place]))
            current[place] = (found * (1 + move) if step == moved else found).astype(array.dtype)
        return current.reshape(array.shape)

    with np.errstate(all="ignore"):
        result = applied(-1)
        spread = np.sum([np.abs(applied(step) - result) for step in range(min(places.size, MOST_STEPS))], axis=0)
        near = np.abs(actual - result) <= spread
    return bool(np.all(near | (result == actual) | (np.isnan(result) & np.isnan(actual))))


def are_parts(given: Arguments, expected: Any, actual: Any) -> bool:
    """Whether real numbers are as near as quotients by complex ones are, whose real parts they are."""
    if np.asarray(given["b"]).dtype.kind != "c" or np.asarray(given["a"]).dtype.kind != "f":
        return False
    rounding = UNITS * np.size(given["b"]) * float(np.finfo(np.asarray(expected).dtype).eps)
    return bool(np.allclose(actual, expected, rtol=rounding, atol=0, equal_nan=True))


ROUNDED = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan"),
    *("sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "sqrt", "cbrt"),
)

RULES: dict[str, Callable[[Arguments, Any, Any], bool]] = {
    **{f"{name}.at": partial(are_near, getattr(np, name)) for name in ROUNDED},
    **dict.fromkeys(("divide.at", "true_divide.at"), are_parts),
}
