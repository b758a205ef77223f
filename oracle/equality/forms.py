"""Forms of results: whether the values of two can be compared at all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from oracle.reference.dtypes import is_inexact
from oracle.reference.outcome import Outcome

NARROWER = {"g": np.dtype(np.float64), "G": np.dtype(np.complex128)}


def common_dtype(expected: np.dtype, actual: np.dtype) -> np.dtype | None:
    """Return a dtype in which elements of both dtypes can be compared, or None. No units in the last place are defined
    for longdouble: unless NumPy's result has it, float64 is as good.
    """
    try:
        dtype = np.result_type(expected, actual)
    except TypeError:
        return None
    if dtype.char in NARROWER and expected.char not in NARROWER:
        dtype = NARROWER[dtype.char]
    return dtype if is_numeric(dtype) else None


def is_numeric(dtype: np.dtype) -> bool:
    """Return whether a dtype is one of booleans or numbers, bfloat16 included."""
    return dtype.kind in "biufc" or is_inexact(dtype)


def is_numeric_array(value: Any) -> bool:
    """Return whether a result is an array, or a scalar of NumPy's, of numbers."""
    return isinstance(value, (np.ndarray, np.generic)) and is_numeric(value.dtype)


def is_comparable(expected: Any, actual: Any) -> bool:
    """Return whether a result has the structure and shapes of NumPy's, and numbers where NumPy's has them."""
    if isinstance(expected, (np.ndarray, np.generic)):
        is_array = isinstance(actual, (np.ndarray, np.generic)) and expected.shape == actual.shape
        return is_array and (not is_numeric(expected.dtype) or common_dtype(expected.dtype, actual.dtype) is not None)
    if isinstance(expected, dict):
        is_dict = isinstance(actual, dict) and expected.keys() == actual.keys()
        return is_dict and all(is_comparable(part, actual[key]) for key, part in expected.items())
    if isinstance(expected, (list, tuple)):
        is_alike = isinstance(actual, list if isinstance(expected, list) else tuple) and len(actual) == len(expected)
        return is_alike and all(map(is_comparable, expected, actual))
    return not isinstance(expected, (bool, int, float, complex)) or isinstance(actual, (bool, int, float, complex))


def are_all(mask: Any) -> bool:
    """Return whether all elements are true, and there are some: of an array without elements everything is true."""
    return bool(np.size(mask) and np.all(mask))


def to_native(value: Any) -> Any:
    """Return a result with its arrays in native byte order, which all tensors have, and of NumPy's own class."""
    if isinstance(value, np.ndarray):
        array = np.asarray(value)
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if type(value) in (list, tuple):
        return type(value)(map(to_native, value))
    return {key: to_native(part) for key, part in value.items()} if type(value) is dict else value


def find_masks(value: Any, path: tuple[Any, ...]) -> dict[tuple[Any, ...], np.ndarray]:
    """Return the masks of the masked arrays in a result that mask anything, by path."""
    if isinstance(value, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(value)
        return {path: mask} if mask.any() else {}
    items = enumerate(value) if isinstance(value, (list, tuple)) else value.items() if type(value) is dict else ()
    return {key: mask for step, part in items for key, mask in find_masks(part, (*path, step)).items()}


def list_masks(outcome: Outcome) -> dict[tuple[Any, ...], np.ndarray]:
    """Return the masks of an outcome's arrays by path. One that a masked result of its shape was written to has that
    result's mask: `np.ma.log(-1.0, out=array)` leaves in a plain array what it would have masked.
    """
    if type(outcome.value) is np.ndarray and not outcome.after:
        return {}
    masks = find_masks((outcome.value, outcome.after), ())
    for i, written in enumerate(outcome.after):
        result = masks.get((0, i) if isinstance(outcome.value, tuple) else (0,))
        if result is not None and result.shape == np.shape(written):
            masks.setdefault((1, i), result)
    return masks


def make_native(outcome: Outcome) -> Outcome:
    """Return an outcome with its arrays in native byte order."""
    value, after = to_native(outcome.value), to_native(outcome.after) if outcome.after else ()
    return outcome if value is outcome.value and not after else replace(outcome, value=value, after=after)
