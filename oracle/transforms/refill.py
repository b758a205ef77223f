"""Refilled arrays: whether an error, or the form of a result, depends on values."""

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
    """Yield the case with its arrays filled with simple values, of several sorts."""
    fills = (np.zeros_like, np.ones_like, _fill_with_twos, _count_up, _identity, _count_down)
    for fill in (*fills, partial(_choose, 1), partial(_choose, 2)):
        yield case.map_arrays(fill)


def _fill_with_twos(array: np.ndarray) -> np.ndarray:
    """Return twos, which as counts give another size than ones do."""
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
    """Zeros, and masks that choose so many elements: one, as an index, broadcasts with any other."""
    filled = np.zeros_like(array)
    if array.dtype == np.bool_:
        filled.flat[:count] = True
    return filled


def depends_on_values(case: Case) -> bool:
    """Return whether NumPy's error comes from the numbers in the arrays: with harmless ones of the same shapes it
    raises none.

    This is the whole rule. What NumPy rejects for every filling tried, it rejects for a shape, a dtype or a Python
    argument, all of which are known before anything runs.
    """
    return any(run_numpy(other).kind in ("ok", "unsupported") for other in vary_values(case))


def form_depends_on_values(case: Case, expected: Any, shapes: bool) -> bool:
    """Return whether the form of NumPy's result comes from the numbers in the arrays: with harmless ones it has
    another.

    The form is the structure and the ranks, and on request the shapes. A graph has to know the one when it is traced,
    XLA the other too when it compiles.
    """
    others = (run_numpy(other) for other in vary_values(case))
    return any(other.ok and form_of(other.value, shapes) != form_of(expected, shapes) for other in others)


def is_split_by_an_array(case: Case) -> bool:
    """Return whether an array says how many parts there are, even if a dim of 1 leaves it no other value."""
    sections = case.kwargs.get("indices_or_sections", (*case.args, None, None)[1])
    return case.name in SPLITTING and isinstance(sections, np.ndarray) and sections.ndim == 0


SPLITTING = FACTS["numpy"]["splitting"]


def form_of(value: Any, shapes: bool) -> Any:
    """Return a result without its numbers."""
    if isinstance(value, (list, tuple)):
        return [form_of(item, shapes) for item in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return value.shape if shapes else value.ndim
    return type(value)
