"""What is open in Fourier transforms: whether sums that do not fit single precision are made in single or in double."""

from __future__ import annotations

from typing import Any

import numpy as np

_ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
TRANSFORMS = (*(f"fft.{name}" for name in _ONE), *(f"fft.{name}{axes}" for name in _ONE[:4] for axes in "2n"))
"""The transforms of the manual."""


def may_overflow(given: dict[str, Any], expected: Any, actual: Any) -> bool:
    """Whether what is not finite comes of sums beyond single precision, and all else is as near as sums are. NumPy adds
    numbers of single precision in double, but for those that it scales by the factor of a norm.
    """
    array = np.asarray(given["a"])
    if array.dtype not in (np.float32, np.complex64) or not np.isfinite(array).all():
        return False
    total = 2 * np.abs(array.astype(np.clongdouble)).sum()
    if total < np.finfo(np.float32).max:
        return False
    both = np.isfinite(expected) & np.isfinite(actual)
    gap = np.abs(np.where(both, expected, 0).astype(np.clongdouble) - np.where(both, actual, 0))
    return bool((gap <= 64 * np.finfo(np.float32).eps * total).all())
