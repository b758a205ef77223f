"""Floating dtypes, bfloat16 included: precision, range, and the next wider one."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.reference.bfloat16 import BFLOAT16

WIDER: dict[np.dtype, np.dtype] = {
    np.dtype(np.float16): np.dtype(np.float64),
    BFLOAT16: np.dtype(np.float64),
    np.dtype(np.float32): np.dtype(np.float64),
    np.dtype(np.float64): np.dtype(np.longdouble),
    np.dtype(np.complex64): np.dtype(np.complex128),
    np.dtype(np.complex128): np.dtype(np.clongdouble),
}
EPSILON: dict[np.dtype, float] = {
    np.dtype(np.float16): 2.0**-10,
    BFLOAT16: 2.0**-7,
    np.dtype(np.float32): 2.0**-23,
    np.dtype(np.float64): 2.0**-52,
    np.dtype(np.complex64): 2.0**-23,
    np.dtype(np.complex128): 2.0**-52,
}
SMALLEST_NORMAL: dict[np.dtype, float] = {
    np.dtype(np.float16): 2.0**-14,
    BFLOAT16: 2.0**-126,
    np.dtype(np.float32): 2.0**-126,
    np.dtype(np.float64): 2.0**-1022,
    np.dtype(np.complex64): 2.0**-126,
    np.dtype(np.complex128): 2.0**-1022,
}


def is_inexact(dtype: np.dtype) -> bool:
    """Return whether the dtype is a floating or complex one, bfloat16 included."""
    return dtype.kind in "fc" or dtype == BFLOAT16


def to_longdouble(values: Any) -> np.ndarray:
    """Return numbers in longdouble, in which their differences are exact enough and nothing overflows."""
    array = np.asarray(values)
    return array.astype(np.clongdouble if array.dtype.kind == "c" else np.longdouble)


def to_double(array: np.ndarray) -> np.ndarray:
    """Return numbers in float64 or complex128."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
