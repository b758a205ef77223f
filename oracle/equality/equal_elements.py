"""Equality of numbers up to the sign of zeros, also in parts of complex numbers."""

from __future__ import annotations

import numpy as np

from oracle.reference.dtypes import is_inexact


def parts_of(array: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the real and the imaginary part of complex numbers, or the array."""
    return (array.real, array.imag) if array.dtype.kind == "c" else (array,)


def are_equal(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return where elements are equal, part by part: a zero is any zero, and nan is nan."""
    if not (is_inexact(one.dtype) and is_inexact(other.dtype)):
        return np.asarray(one == other)
    pairs = zip(parts_of(one), parts_of(other), strict=True)
    return np.logical_and.reduce([(x == y) | (np.isnan(x) & np.isnan(y)) for x, y in pairs])


def is_zero(array: np.ndarray, negative: bool) -> np.ndarray:
    """Return which elements are zeros of this sign: integers have the positive one."""
    return (array == 0) & (np.signbit(array) == negative if is_inexact(array.dtype) else np.asarray(not negative))


def has_zeros_of_both_signs(*arrays: np.ndarray) -> bool:
    """Return whether zeros of both signs are among the numbers, or among their real or their imaginary parts."""
    signs_by_part: dict[int, set[bool]] = {}
    for array in arrays:
        for i, part in enumerate(parts_of(array)):
            signs = {negative for negative in (False, True) if is_zero(part, negative).any()}
            signs_by_part.setdefault(i, set()).update(signs)
    return any(len(signs) == 2 for signs in signs_by_part.values())


def have_same_elements(one: np.ndarray, other: np.ndarray, axis: int) -> np.ndarray:
    """Return along which rows two arrays have the same elements in any order, signs of zeros included."""
    left, right = (np.sort(_as_bytes(array), axis) for array in (one, other))
    return np.asarray((left == right).all(axis, keepdims=True))


def _as_bytes(array: np.ndarray) -> np.ndarray:
    """Return texts as they are, and of numbers the bytes: all nan have the same."""
    if array.dtype.kind in "USTO":
        return array
    array = np.array(array, array.dtype.newbyteorder("="), order="C")
    for part in parts_of(array) if is_inexact(array.dtype) else ():
        part[np.isnan(part)] = np.nan
    return array.view(f"S{array.dtype.itemsize}")
