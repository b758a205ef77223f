"""Memory layouts: reading an array's layout, and building arrays with a given layout."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import as_strided


def copy_array(array: np.ndarray) -> np.ndarray:
    """Return a copy with the same strides, alignment, byte order and writability."""
    copy = array.copy() if has_default_layout(array) else laid_out(array, array.strides, shift(array))
    copy.flags.writeable = array.flags.writeable
    return copy


def has_default_layout(array: np.ndarray) -> bool:
    """Return whether the array has the layout that `np.array` gives: C order, aligned."""
    return array.flags.c_contiguous and array.flags.aligned


def shift(array: np.ndarray) -> int:
    """Return how many bytes the array's lowest address is off alignment."""
    lowest = array.__array_interface__["data"][0] + _lowest(array.shape, array.strides)
    return lowest % array.dtype.alignment


def laid_out(values: np.ndarray, strides: tuple[int, ...], shift: int = 0) -> np.ndarray:
    """Return a new array with these values and strides, `shift` bytes off alignment; of references, in C order."""
    if values.size == 0 or values.dtype.kind in "OT":
        return values.copy()
    first = -_lowest(values.shape, strides)
    last = sum(max(0, stride * (dim - 1)) for dim, stride in zip(values.shape, strides, strict=True))
    raw = np.zeros(first + last + values.dtype.itemsize + 64 + shift, np.uint8)
    start = -raw.ctypes.data % 64 + shift
    origin = raw[start + first : start + first + values.dtype.itemsize].view(values.dtype)
    view = as_strided(origin, (*values.shape, 1), (*strides, 0))[..., 0]
    view[...] = values
    return view


def overlaps_itself(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> bool:
    """Return whether elements may share some, but not all, of their bytes; those of broadcast arrays and of sliding
    windows share all.

    May be True for a few arrays without overlap that no slicing, transposing or broadcasting makes.
    """
    if all(stride % itemsize == 0 for stride, dim in zip(strides, shape, strict=True) if dim > 1):
        return False
    extent = itemsize
    for stride, dim in sorted((abs(stride), dim) for stride, dim in zip(strides, shape, strict=True)):
        if dim > 1 and stride:
            if stride < extent:
                return True
            extent += stride * (dim - 1)
    return False


def has_windows(array: np.ndarray) -> bool:
    """Return whether elements at different positions of a dimension are the same memory, as in sliding windows."""
    extent = array.itemsize
    steps = [(abs(stride), dim) for stride, dim in zip(array.strides, array.shape, strict=True) if dim > 1 and stride]
    for stride, dim in sorted(steps):
        if stride < extent:
            return True
        extent = stride * dim
    return False


def _lowest(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    return sum(min(0, stride * (dim - 1)) for dim, stride in zip(shape, strides, strict=True) if dim)
