"""Classes of arguments on which libraries fail: classifying an argument, and changing one so that it is in a class."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzz.generate.arrays import BFLOAT16, kind

SIZES = ("empty", "one element", "2 to 8 elements", "9 to 64 elements", "65 to 1,000 elements", "past 1,000 elements")
SIZE_LIMITS = (0, 1, 8, 64, 1000, math.inf)
RANKS = ("rank 0", "rank 1", "rank 2", "rank 3 or more")
LARGE_ROOT = 0.5  # larger magnitudes overflow when squared
ILL_CONDITIONED = 1e6
MOST_OF_A_MATRIX = 400  # largest number of elements of a matrix whose condition number is computed


def array_classes(array: np.ndarray, *, is_matrix: bool = False) -> Iterator[str]:
    """Yield the classes of an array; for a parameter that takes a matrix, those of matrices too."""
    yield next(name for name, limit in zip(SIZES, SIZE_LIMITS, strict=True) if array.size <= limit)
    yield RANKS[min(array.ndim, 3)]
    yield from _layout_classes(array)
    if not array.size:
        return
    yield f"dtype kind {kind(array.dtype.newbyteorder('='))}"
    if array.dtype.kind in "USOMmV" and array.dtype != BFLOAT16:
        return
    parts = _real_parts(array)
    if parts.dtype.kind == "f":
        yield from _float_classes(parts)
    yield from _number_classes(parts, array)
    if is_matrix and array.ndim > 1:
        yield from _matrix_classes(array)


def _layout_classes(array: np.ndarray) -> Iterator[str]:
    if not array.flags.c_contiguous:
        yield "not contiguous"
    if min(array.strides, default=0) < 0 and array.size > 1:
        yield "negative strides"
    if not array.flags.writeable:
        yield "read-only"
    if not array.dtype.isnative:
        yield "byte-swapped"


def _real_parts(array: np.ndarray) -> np.ndarray:
    """Return the elements as a vector of real numbers: of complex ones, real parts and imaginary parts."""
    if array.dtype == BFLOAT16:
        return array.astype(np.float32).ravel()
    if array.dtype.kind == "c":
        return np.concatenate((array.real.ravel(), array.imag.ravel()))
    return array.ravel()


def _float_classes(parts: np.ndarray) -> Iterator[str]:
    finite = np.isfinite(parts)
    if not finite.all():
        missing = np.isnan(parts)
        if missing.any():
            yield "nan"
            if missing[: max(1, parts.size)].all():
                yield "all nan"
        odd = parts[~(finite | missing)]
        if odd.size:
            if odd.max() > 0:
                yield "infinity"
            if odd.min() < 0:
                yield "-infinity"
    zero = parts == 0
    if zero.any():
        negative = np.signbit(parts[zero])
        if negative.any():
            yield "negative zero"
        if not negative.all():
            yield "positive zero"
    small = np.abs(parts) < np.finfo(parts.dtype).tiny
    if (small & ~zero).any():
        yield "subnormal"
    if (finite & (parts != np.trunc(parts))).any():
        yield "fractional"


def _number_classes(parts: np.ndarray, array: np.ndarray) -> Iterator[str]:
    sort = parts.dtype.kind
    if sort == "b":
        return
    if (parts < 0).any():
        yield "negative"
    if sort in "iu" and not parts.all():
        yield "zero"
    limit = _large(parts.dtype)
    finite = parts[np.isfinite(parts)]
    if finite.size and max(abs(float(finite.max())), abs(float(finite.min()))) >= limit:
        yield "large"
    if array.size < 3 or array.dtype.kind == "c":
        return
    steps = parts[1:] >= parts[:-1]
    ordered = np.sort(parts)
    if (ordered[1:] == ordered[:-1]).any():
        yield "ties"
    if steps.all() and parts[0] != parts[-1]:
        yield "sorted"


def _large(dtype: np.dtype) -> float:
    return float(np.finfo(dtype).max) ** LARGE_ROOT if dtype.kind == "f" else np.iinfo(dtype).max // 2


def _matrix_classes(array: np.ndarray) -> Iterator[str]:
    if array.ndim > 2:
        yield "stacked"
    rows, columns = array.shape[-2:]
    first = array.reshape(-1, rows, columns)[0].astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    if not np.isfinite(first).all():
        yield "not finite"
    elif rows != columns:
        yield "rectangular"
    elif rows > 1 and first.size <= MOST_OF_A_MATRIX:
        with np.errstate(all="ignore"):
            largest, *_, least = np.linalg.svd(first, compute_uv=False)
        if least <= largest * rows * np.finfo(float).eps:
            yield "singular"
        elif least * ILL_CONDITIONED < largest:
            yield "ill-conditioned"
        if (first == first.T.conj()).all():
            yield "symmetric"


def scalar_classes(value: Any) -> Iterator[str]:
    """Yield the classes of a number that is not an array."""
    if isinstance(value, bool | np.bool):
        return
    if isinstance(value, np.generic):
        yield "NumPy scalar"
    elif isinstance(value, int | float | complex):
        yield f"Python {type(value).__name__}"
    else:
        return
    if isinstance(value, complex | np.complexfloating) or not isinstance(value, int | float | np.integer | np.floating):
        return
    if value < 0:
        yield "negative scalar"
    if type(value) is float:
        if value == 0:
            yield "Python 0.0" if math.copysign(1, value) > 0 else "Python -0.0"
        elif math.isnan(value):
            yield "Python nan"
        elif math.isinf(value):
            yield "Python infinity"
