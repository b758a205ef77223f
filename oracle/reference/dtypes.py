"""Floating dtypes, bfloat16 included: precision, range, and the next wider one."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.reference.bfloat16 import BFLOAT16

_TABLE = (
    (np.float16, np.float64, 2.0**-10, 2.0**-14),
    (BFLOAT16, np.float64, 2.0**-7, 2.0**-126),
    (np.float32, np.float64, 2.0**-23, 2.0**-126),
    (np.float64, np.longdouble, 2.0**-52, 2.0**-1022),
    (np.complex64, np.complex128, 2.0**-23, 2.0**-126),
    (np.complex128, np.clongdouble, 2.0**-52, 2.0**-1022),
)
WIDER: dict[np.dtype, np.dtype] = {np.dtype(dtype): np.dtype(wider) for dtype, wider, *_ in _TABLE}
EPSILON: dict[np.dtype, float] = {np.dtype(dtype): epsilon for dtype, _, epsilon, _ in _TABLE}
SMALLEST_NORMAL: dict[np.dtype, float] = {np.dtype(dtype): smallest for dtype, *_, smallest in _TABLE}


def is_inexact(dtype: np.dtype) -> bool:
    """Return whether the dtype is a floating or complex one, bfloat16 included."""
    return dtype.kind in "fc" or dtype == BFLOAT16


def to_longdouble(values: Any) -> np.ndarray:
    """Return numbers as longdouble, in which differences are exact enough and nothing overflows."""
    array = np.asarray(values)
    return array.astype(np.clongdouble if array.dtype.kind == "c" else np.longdouble)


def to_double(array: np.ndarray) -> np.ndarray:
    """Return numbers in float64 or complex128."""
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
