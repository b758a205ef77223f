"""Shrinking passes for dtypes: float arrays for others, Python scalars for small arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from fuzz.differences import DEATHS
from fuzz.shrink.order import find_dtype, list_simpler_dtypes, to_float, to_scalar
from fuzz.shrink.paths import Path, change_arrays, get_at, replace, walk
from oracle import Case, Outcome
from oracle.harness import laid_out


class Reducing(Protocol):
    """Protocol: what a pass needs of a reduction."""

    best: Case

    def attempt(self, candidate: Case) -> bool: ...

    def answer(self, case: Case) -> Outcome: ...


def simplify_dtypes(reduction: Reducing) -> None:
    """Replace each dtype by a simpler one everywhere, then for each array and argument by itself."""
    present = dict.fromkeys(dtype for _, value in walk(reduction.best) if (dtype := find_dtype(value)) is not None)
    for old, cast in itertools.product(present, (_cast, _recast)):
        for new in list_simpler_dtypes(old):
            if reduction.attempt(_with_dtype(reduction.best, old, new, cast)):
                break
    for path, value in list(walk(reduction.best)):
        for new in list_simpler_dtypes(find_dtype(value)):
            if reduction.attempt(replace(reduction.best, path, _cast(value, new))):
                break


def _with_dtype(case: Case, old: np.dtype, new: np.dtype, cast: Callable[[Any, np.dtype], Any]) -> Case:
    case = change_arrays(case, lambda array: cast(array, new) if array.dtype == old else array)
    for path, value in walk(case):
        if type(value) is not np.ndarray and find_dtype(value) == old:
            case = replace(case, path, _cast(value, new))
    return case


def _cast(value: Any, dtype: np.dtype) -> Any:
    if isinstance(value, np.dtype):
        return dtype
    if isinstance(value, type):
        return dtype.type
    parts = np.asarray(value)
    with np.errstate(all="ignore"):
        parts = parts.real if parts.dtype.kind == "c" and dtype.kind != "c" else parts
        if dtype.kind in "iu" and parts.dtype.kind not in "biu":
            parts = np.nan_to_num(parts.astype(np.float64), nan=0, posinf=1, neginf=-1)
        cast = parts.astype(dtype, order="C")
    return cast[()] if isinstance(value, np.generic) else cast


def _recast(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the array cast to another dtype, with the same strides in elements and the same byte order. It is writable
    only if the array was, and no element occurs twice in memory.
    """
    strides = tuple(stride // array.itemsize * dtype.itemsize for stride in array.strides)
    ordered = dtype if array.dtype.isnative else dtype.newbyteorder()
    recast = laid_out(_cast(array, dtype).astype(ordered), strides)
    recast.flags.writeable = array.flags.writeable
    return recast


def simplify_numbers(reduction: Reducing) -> None:
    """Replace 0-d arrays and NumPy scalars by Python scalars, then operands by floats."""
    _replace_all(reduction, [path for path, _ in walk(reduction.best)], to_scalar)
    _replace_all(reduction, _find_operands(reduction.best), to_float)


def _find_operands(case: Case) -> list[Path]:
    """Return the paths of the operands: all arguments of a ufunc, the first argument of another function."""
    count = len(case.args) if isinstance(getattr(np, case.name, None), np.ufunc) else 1
    return [path for path, _ in walk(case) if path and all(type(at) is int for at in path) and path[0] < count]


def _replace_all(reduction: Reducing, paths: Sequence[Path], plain: Callable[[Any], Any]) -> None:
    everything = reduction.best
    for path in paths:
        everything = replace(everything, path, plain(get_at(everything, path)))
    _attempt_answered(reduction, everything)
    for path in paths:
        value = get_at(reduction.best, path)
        if plain(value) is not value:
            _attempt_answered(reduction, replace(reduction.best, path, plain(value)))


def _attempt_answered(reduction: Reducing, candidate: Case) -> None:
    """Try a candidate that NumPy accepts or rejects as it did the original. A rejected Python scalar would hide the
    difference.
    """
    before, after = reduction.answer(reduction.best).error, reduction.answer(candidate)
    if after.kind in DEATHS:
        return
    if after.error is None or (before is not None and before.bases == after.error.bases):
        reduction.attempt(candidate)
