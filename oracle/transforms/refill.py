"""Refilled arrays: whether an error, or the structure of a result, depends on values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.inventory import FACTS
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.outcome import run_numpy


def vary_values(case: Case) -> Iterator[Case]:
    """Yield the case with its arrays filled with simple values, of several kinds."""
    fills = (np.zeros_like, np.ones_like, _fill_with_twos, _count_up, _identity, _count_down)
    for fill in (*fills, partial(_choose, 1), partial(_choose, 2)):
        yield case.map_arrays(fill)


def _fill_with_twos(array: np.ndarray) -> np.ndarray:
    """Return an array of twos, which as counts give another size than ones."""
    return np.full_like(array, 2) if array.dtype.kind in "iufc" else np.ones_like(array)


def _count_up(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind in "biufcMm" or array.dtype == BFLOAT16:
        return np.arange(array.size).astype(array.dtype).reshape(array.shape)
    return array


def _count_down(array: np.ndarray) -> np.ndarray:
    return _count_up(array).reshape(-1)[::-1].reshape(array.shape)


def _identity(array: np.ndarray) -> np.ndarray:
    if array.ndim < 2 or array.dtype.kind not in "biufc":
        return np.ones_like(array)
    return np.broadcast_to(np.eye(*array.shape[-2:]).astype(array.dtype), array.shape).copy()


def _choose(count: int, array: np.ndarray) -> np.ndarray:
    """Return zeros, and masks with `count` true elements: a single one, as an index, broadcasts with any other."""
    filled = np.zeros_like(array)
    if array.dtype == np.bool_:
        filled.flat[:count] = True
    return filled


def depends_on_values(case: Case) -> bool:
    """Return whether NumPy's error is due to the values in arrays: it does not occur for simple values of the same
    shapes.

    If NumPy rejects the call for every filling, the reason is a shape, a dtype or a Python argument, which are all
    known at trace time.
    """
    return any(run_numpy(other).kind in ("ok", "unsupported") for other in vary_values(case))


def form_depends_on_values(case: Case, expected: Any, shapes: bool) -> bool:
    """Return whether the structure of NumPy's result depends on the values in arrays.

    It includes the ranks, and with `shapes` the shapes. A graph must know structure and ranks at trace time, XLA must
    know shapes at compile time.
    """
    others = (run_numpy(other) for other in vary_values(case))
    return any(other.ok and describe_form(other.value, shapes) != describe_form(expected, shapes) for other in others)


def is_split_by_an_array(case: Case) -> bool:
    """Return whether an array gives the number of parts, even if a dimension of 1 leaves no other value."""
    sections = case.kwargs.get("indices_or_sections", (*case.args, None, None)[1])
    return case.name in SPLITTING and isinstance(sections, np.ndarray) and sections.ndim == 0


SPLITTING = FACTS["numpy"]["splitting"]


def describe_form(value: Any, shapes: bool) -> Any:
    """Return the structure and ranks of a result, and with `shapes` its shapes."""
    if isinstance(value, (list, tuple)):
        return [describe_form(item, shapes) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.shape if shapes else value.ndim
    return type(value)
