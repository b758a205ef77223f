"""Undefined casts: floats made integers that cannot represent them, and subnormal numbers made booleans.

C leaves the first open. NumPy answers with whatever the processor does, which differs between the elements that are
cast one at a time and those that are cast in a vector: nan as uint32 is 0 here and 2147483648 there. The second hang on
whether subnormal numbers are flushed, as does what `at` makes of one that it made before.
"""

from __future__ import annotations

import warnings
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np

from oracle.case.model import Case
from oracle.equality import table
from oracle.equality.numeric import Path, at
from oracle.inventory import FACTS
from oracle.reference.dtypes import EPSILON, is_inexact
from oracle.reference.outcome import destinations, run_numpy
from oracle.transforms import precision
from oracle.transforms.last_call import strip_to_last_call

NEXT = 16  # units in the last place, which no function of few roundings is off by
STAND_INS = (0, 77)  # every integer dtype holds both
TARGETS = FACTS["numpy"]["cast_to_first"]
"""Functions that write to no argument, and yet cast to the dtype of their first."""

OF_FLOATS = FACTS["numpy"]["integers_of_floats"]
"""Functions that work with floats and give integers: those that they round, to tens, or the sums of weights."""

EVENLY_SPACED = FACTS["numpy"]["evenly_spaced"]
"""Functions that add multiples of a step: exact where the first number and the step are whole."""

SPREADS = FACTS["numpy"]["adding_squares"]
"""Functions that add up the squares of distances, in the dtype that they are asked for."""

EXTREMES = {
    **dict.fromkeys(("max", "amax", "ndarray.max"), "maximum.reduce"),
    **dict.fromkeys(("min", "amin", "ndarray.min"), "minimum.reduce"),
}
"""Reductions that begin with a number of their own."""


def open_elements(case: Case, path: Path, expected: np.ndarray) -> np.ndarray | None:
    """Return which elements of an integer or boolean result come of such a cast; None where NumPy defines all."""
    if expected.dtype.kind not in "iub":
        return _open_in_between(case, path, expected)
    if expected.dtype.kind == "b":
        masks = [precision.are_subnormal(array) for array in _in_floats(case, path, expected)]
        return np.logical_or.reduce(masks) if masks else None
    if _begins_open(case, expected.dtype) or (case.name in SPREADS and not _squares_fit(case, expected.dtype)):
        return np.ones(expected.shape, bool)
    masks = [~fits(array, expected.dtype) for array in _in_floats(case, path, expected)]
    if case.name.endswith(".at"):
        masks.append(_cast_on_the_way(case, expected))
    if any(_requested_dtype(leaf) is not None for leaf in case.leaves()):
        masks += _find_cast_inputs(case, path, expected, expected.dtype)
    return np.logical_or.reduce(masks) if masks else None


def _open_in_between(case: Case, path: Path, expected: np.ndarray) -> np.ndarray | None:
    """Return which elements of a floating result come of such a cast to the integer dtype that a loop was asked for."""
    if not is_inexact(expected.dtype):
        return None
    dtypes = {dtype for leaf in case.leaves() if (dtype := _requested_dtype(leaf)) is not None}
    masks = [part for dtype in dtypes for part in _find_cast_inputs(case, path, expected, dtype)]
    return np.logical_or.reduce(masks) if masks else None


def are_decided_by_rounding(case: Case, path: Path, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return which integers are those between which a rounding error decides: the numbers that were cast to them lie
    next to a whole one, and are cut, or rounded down.
    """
    mask, rule = np.zeros(expected.shape, bool), table.relation_of(case.name).rule
    if rule == "exact":
        return mask
    present = [array.dtype for array in case.arrays()] + [precision.dtype_named(leaf) for leaf in case.leaves()]
    coarsest = max((EPSILON.get(dtype, 0.0) for dtype in present if dtype is not None), default=0.0)
    coarsest = coarsest or EPSILON[_of_integers(case)]
    one, other = expected.astype(np.float64), actual.astype(np.float64)
    for array in _in_floats(case, path, expected):
        if case.name in EVENLY_SPACED and bool(np.all((np.rint(array) == array) & (np.abs(array) * coarsest < 1))):
            continue
        rounded, largest = np.rint(array), np.max(np.abs(array), where=np.isfinite(array), initial=0.0)
        size = largest if rule in ("scaled", "series") else np.abs(rounded)
        is_next = np.abs(array - rounded) <= NEXT * coarsest * size
        is_one_of_two = np.maximum(np.abs(one), np.abs(other)) == np.abs(rounded)
        if rule in ("scaled", "series"):  # what cancels is true, or not; and a step is rounded down
            is_one_of_two |= (np.maximum(one, other) == rounded) | ((expected.dtype.kind == "b") & (rounded == 0))
        mask |= is_next & (np.abs(one - other) == 1) & is_one_of_two
        unit = coarsest * np.abs(array)
        mask |= (unit >= 1) & (np.abs(one - other) <= NEXT * unit)  # larger than floats can tell one from the next
    return mask


def _of_integers(case: Case) -> np.dtype:
    """Return the floating dtype in which a ufunc calculates with the integers of the case."""
    widest = max([array.dtype.itemsize for array in case.arrays() if array.dtype.kind in "iub"], default=8)
    return np.dtype({1: np.float16, 2: np.float32}.get(widest if "." in case.name else 8, np.float64))


def fits(array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return which floating numbers, without their fractions, the integer dtype holds."""
    limits, truncated = np.iinfo(dtype), np.trunc(array.astype(np.float64))
    return np.isfinite(truncated) & (truncated >= float(limits.min)) & (truncated < float(limits.max) + 1)


def _begins_open(case: Case, dtype: np.dtype) -> bool:
    """Return whether a reduction begins with an array's number that the dtype does not hold, or first writes one to its
    `out=`: where none is given nor known, one of the numbers that are reduced.
    """
    name = EXTREMES.get(case.name, case.name)
    if not name.endswith(".reduce"):
        return False
    initial = case.kwargs.get("initial")
    if isinstance(initial, np.ndarray) and initial.dtype.kind == "f" and not fits(initial, dtype).all():
        return True
    if not any(array.dtype == dtype for array in destinations(case)):
        return False
    first = case.kwargs.get("initial", attrgetter(name.removesuffix(".reduce"))(np).identity)
    if first is None:
        return any(array.dtype.kind == "f" and not fits(array, dtype).all() for array in case.arrays())
    return isinstance(first, (float, np.floating)) and not fits(np.asarray(first), dtype).all()


def _squares_fit(case: Case, dtype: np.dtype) -> bool:
    """Return whether the integer dtype holds the square of every distance from the mean, if those are floats."""
    values = np.asarray(case.args[0] if case.args else case.kwargs.get("a"))
    if values.dtype.kind not in "iuf":
        return True
    with np.errstate(all="ignore"):
        square = np.square(values - case.kwargs.get("mean", np.mean(values)))
    return square.dtype.kind != "f" or bool(fits(square, dtype).all())


def _cast_on_the_way(case: Case, expected: np.ndarray) -> np.ndarray:
    """Return which elements a call of `at`, one index after another, gave what the integer dtype does not hold."""
    case = strip_to_last_call(case) or case  # arguments may be results of other calls
    ufunc, (array, index, *others) = attrgetter(case.name.removesuffix(".at"))(np), case.args
    current = np.array(array)
    mask = np.zeros(current.shape, bool)
    positions = np.arange(current.size).reshape(current.shape)[index]
    operands = [np.broadcast_to(other, positions.shape).ravel() for other in others]
    with np.errstate(all="ignore"):
        for position, *operand_row in zip(positions.ravel(), *operands, strict=True):
            value = np.asarray(ufunc(current.flat[position], *operand_row))
            mask.flat[position] |= value.dtype.kind == "f" and not fits(value, expected.dtype)
            current.flat[position] = value.astype(current.dtype)
    return mask


def _in_floats(case: Case, path: Path, expected: np.ndarray) -> list[np.ndarray]:
    """Return what NumPy would have cast: its results where floats are asked for, or written to floats."""
    targets = [id(array) for array in destinations(case)]
    if case.name in TARGETS and case.args:
        targets.append(id(case.args[0]))
    others = [case.map_leaves(lambda array: array, partial(_as_float, expected.dtype.kind))]
    for dtype in {np.dtype(np.float64), *(array.dtype for array in case.arrays() if array.dtype.kind == "f")}:
        others += [case.map_arrays(partial(_as_target, targets, dtype))] if targets else []
    if case.name in OF_FLOATS:
        others.append(case.map_arrays(lambda array: array.astype(np.float64)))
    results = [at(run_numpy(other), path) for other in others]
    return [array for array in results if isinstance(array, np.ndarray) and _is_float(array, expected)]


def _is_float(array: np.ndarray, expected: np.ndarray) -> bool:
    return array.shape == expected.shape and array.dtype.kind == "f"


def _requested_dtype(leaf: Any, kinds: str = "iu") -> np.dtype | None:
    """Return the dtype of one of these kinds that an argument names."""
    if not isinstance(leaf, (np.dtype, type, str)) or leaf == "":
        return None
    try:
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # of "a", which may be an order
            dtype = np.dtype(leaf)
    except (TypeError, ValueError, SyntaxError):  # of a text with a comma
        return None
    return dtype if dtype.kind in kinds else None


def _as_float(kind: str, leaf: Any) -> Any:
    return leaf if _requested_dtype(leaf, "iub" if kind == "b" else "iu") is None else np.float64


def _as_target(targets: list[int], dtype: np.dtype, array: np.ndarray) -> np.ndarray:
    return array.astype(dtype) if id(array) in targets else array


def _find_cast_inputs(case: Case, path: Path, expected: np.ndarray, dtype: np.dtype) -> list[np.ndarray]:
    """Return what changes with the integers that stand for such numbers, where the arguments are what is cast."""

    def outcome_with(substitute: int) -> Any:
        def change(array: np.ndarray) -> np.ndarray:
            if not is_inexact(array.dtype):
                return array
            is_representable = fits(array.real if array.dtype.kind == "c" else array, dtype)
            return np.where(is_representable, array, substitute).astype(array.dtype)

        return at(run_numpy(case.map_leaves(change, precision.of_scalars(change))), path)

    first, second = map(outcome_with, STAND_INS)
    if getattr(first, "shape", None) != expected.shape or getattr(second, "shape", None) != expected.shape:
        return []
    return [(first != second) & ~(np.isnan(first) & np.isnan(second))]
