"""Order statistics that are elements of the input, which no rounding error excuses.

A quantile by an exact method is one of the elements, and which one is settled unless its position is a matter of
rounding: then it is one of those to both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.reference.dtypes import EPSILON, is_inexact
from oracle.reference.outcome import Outcome, bind_arguments, run_numpy

Path = tuple[Any, ...]

EXACT_METHODS = frozenset({"inverted_cdf", "closest_observation", "lower", "higher", "nearest"})
"""The methods of quantiles that select; "averaged_inverted_cdf" and "midpoint" may take the mean of two elements."""


def selects(case: Case) -> bool:
    """Return whether the case asks for quantiles by a method that gives elements as they are."""
    method = bind_arguments(case, programs=True).get("method")
    return isinstance(method, str) and method in EXACT_METHODS


def candidates(case: Case, path: Path) -> list[np.ndarray]:
    """Return NumPy's quantiles for `q` a rounding error smaller and larger; none where its position is exact."""
    arguments = bind_arguments(case, programs=True)
    if arguments.get("weights") is None and _is_representable(case, arguments):
        return []
    quantiles = [_part(run_numpy(other), path) for other in _nudge(case, arguments)]
    return [np.atleast_1d(part) for part in quantiles if isinstance(part, (np.ndarray, np.generic))]


def _part(outcome: Outcome, path: Path) -> Any:
    value: Any = (outcome.value, outcome.after) if outcome.ok else ()
    for step in path:
        if not isinstance(value, (list, tuple)) or step >= len(value):
            return None
        value = value[step]
    return value


def _is_representable(case: Case, arguments: dict[str, Any]) -> bool:
    """Return whether no rounding is needed from `q` to the position: n q and (n - 1) q are numbers of the dtype."""
    array = np.asarray(arguments["a"])
    if not array.size:
        return True
    axis = arguments["axis"]
    dims = array.shape if axis is None else [array.shape[i] for i in np.atleast_1d(axis)]
    size = int(np.prod(dims))
    if case.name.startswith("nan") and is_inexact(array.dtype) and np.isnan(array).any():
        return False  # of every row another number of elements counts
    dtype = _dtype_of_position(array, arguments["q"])
    scale = 100 if case.name.endswith("percentile") else 1
    for q in np.asarray(arguments["q"], dtype).ravel():
        part = Fraction(float(q)) / scale
        if any(float(dtype.type(float(value))) != value for value in (part, part * size, part * (size - 1))):
            return False
    return True


def _dtype_of_position(array: np.ndarray, q: Any) -> np.dtype:
    """Return the dtype in which NumPy calculates with `q`: a Python number takes that of the array."""
    weak = isinstance(q, (int, float)) and not isinstance(q, np.generic)
    if weak and is_inexact(array.dtype):
        return array.dtype
    dtype = np.asarray(q).dtype
    return dtype if dtype.kind == "f" else np.dtype(np.float64)


def _nudge(case: Case, arguments: dict[str, Any]) -> Iterator[Case]:
    """Yield the case with `q` a rounding error smaller and larger, within its range."""
    q, top = arguments["q"], 100.0 if case.name.endswith("percentile") else 1.0
    dtype = _dtype_of_position(np.asarray(arguments["a"]), q)
    unit = 2 * EPSILON.get(dtype, 2.0**-52)
    for factor in (1 - unit, 1 + unit):
        moved = np.clip(np.asarray(q, np.float64) * factor + (factor - 1) * 1e-30, 0.0, top)
        moved = moved.astype(np.asarray(q).dtype) if np.asarray(q).dtype.kind == "f" else moved
        value = float(moved) if isinstance(q, (int, float)) and not isinstance(q, np.generic) else moved
        options = {key: entry for key, entry in case.kwargs.items() if key != "q"}
        yield Case(
            case.name, (case.args[0], value, *case.args[2:]) if case.args else (), options | _as_keyword(case, value)
        )


def _as_keyword(case: Case, q: Any) -> dict[str, Any]:
    """Return `q` as a keyword argument if it was given so, else nothing."""
    return {"q": q} if len(case.args) < 2 else {}


def odd_counts(case: Case, expected: np.ndarray) -> np.ndarray:
    """Return which medians are of an odd number of elements, and so are one of them."""
    arguments = bind_arguments(case, programs=True)
    array, axis = np.asarray(arguments.get("a", 0)), arguments.get("axis")
    every = tuple(range(array.ndim)) if axis is None else tuple(np.atleast_1d(axis).tolist())
    counted = np.ones(array.shape, np.int64)
    if case.name == "nanmedian" and is_inexact(array.dtype):
        counted = (~np.isnan(array)).astype(np.int64)
    odd = np.sum(counted, every, keepdims=True) % 2 == 1
    return np.broadcast_to(odd.reshape(expected.shape) if odd.size == expected.size else np.False_, expected.shape)


def is_outside(case: Case, actual: np.ndarray) -> np.ndarray:
    """Return which quantiles are smaller than every element, or larger, by more than rounding explains. Of complex
    numbers the real parts are compared, by which they are ordered.
    """
    array = np.asarray(bind_arguments(case, programs=True).get("a", 0))
    if not is_inexact(array.dtype) and array.dtype.kind not in "iub":
        return np.zeros(actual.shape, bool)
    elements = array.real.astype(np.float64).ravel()
    elements = elements[np.isfinite(elements)]
    if not elements.size:
        return np.zeros(actual.shape, bool)
    slack = 4 * EPSILON.get(actual.dtype, 2.0**-52) * np.max(np.abs(elements))
    value = actual.real.astype(np.float64)
    return np.isfinite(value) & ((value < elements.min() - slack) | (value > elements.max() + slack))
