"""Classes of arguments on which libraries fail: classifying an argument, and changing one so that it is in a class."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
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


# For each class, the function that puts an array into it, and the dtype kinds that allow it.

Plant = Callable[[np.ndarray], np.ndarray]


def _setting(value: Any) -> Plant:
    """Return a function that sets the last element: most code looks at an array's first elements before that."""

    def plant(array: np.ndarray) -> np.ndarray:
        found = array.copy()
        found.flat[-1] = value(array.dtype) if callable(value) else value
        return found

    return plant


def _resizing(count: int) -> Plant:
    """Return a function that lengthens the first dimension until the array has `count` elements."""

    def plant(array: np.ndarray) -> np.ndarray:
        row = math.prod(array.shape[1:]) or 1
        return np.resize(array, (-(-count // row), *[dim or 1 for dim in array.shape[1:]]))

    return plant


def _ranked(rank: int) -> Plant:
    def plant(array: np.ndarray) -> np.ndarray:
        return array.reshape((1,) * (rank - array.ndim) + array.shape) if rank >= array.ndim else np.ravel(array)

    return plant


def _read_only(array: np.ndarray) -> np.ndarray:
    found = array.copy()
    found.flags.writeable = False
    return found


def _spread(array: np.ndarray) -> np.ndarray:
    return np.repeat(array, 2, axis=-1)[..., ::2]


def _scale_row(array: np.ndarray) -> np.ndarray:
    """Return the matrix with a last row far smaller than the others."""
    found = array.copy()
    found[..., -1, :] = found[..., -1, :] * 2.0**-30
    return found


def _subnormal(dtype: np.dtype) -> float:
    return float(np.finfo(np.zeros((), dtype).real.dtype).smallest_subnormal) if dtype != BFLOAT16 else 1e-39


def _huge(dtype: np.dtype) -> Any:
    if dtype == BFLOAT16:
        return 1e38
    return float(np.finfo(np.zeros((), dtype).real.dtype).max) / 2


ANY = "biufcUS"
PLANTS: dict[str, tuple[str, Plant]] = {
    "empty": (ANY, lambda array: array[:0]),
    "one element": (ANY, lambda array: array.ravel()[:1].reshape((1,) * array.ndim)),
    "9 to 64 elements": (ANY, _resizing(9)),
    "65 to 1,000 elements": (ANY, _resizing(65)),
    "past 1,000 elements": (ANY, _resizing(1001)),
    "rank 0": (ANY, lambda array: array.ravel()[:1].reshape(())),
    "rank 1": (ANY, _ranked(1)),
    "rank 2": (ANY, _ranked(2)),
    "rank 3 or more": (ANY, _ranked(3)),
    "not contiguous": (ANY, _spread),
    "negative strides": (ANY, lambda array: array[..., ::-1].copy()[..., ::-1]),
    "read-only": (ANY, _read_only),
    "byte-swapped": ("iufc", lambda array: array.astype(array.dtype.newbyteorder())),
    "nan": ("fc", _setting(math.nan)),
    "all nan": (
        "fc",
        lambda array: np.full_like(array, complex(math.nan, math.nan) if array.dtype.kind == "c" else math.nan),
    ),
    "infinity": ("fc", _setting(math.inf)),
    "-infinity": ("fc", _setting(-math.inf)),
    "negative zero": ("fc", _setting(-0.0)),
    "positive zero": ("fc", _setting(0.0)),
    "zero": ("iu", _setting(0)),
    "subnormal": ("fc", _setting(_subnormal)),
    "fractional": ("fc", _setting(0.5)),
    "negative": ("ifc", _setting(-1)),
    "large": ("fc", _setting(_huge)),  # not integers: they may be indices, and wrapping huge ones takes long
    "ties": ("iuf", lambda array: np.full_like(array, array.flat[0])),
    "sorted": ("iuf", lambda array: np.sort(array.ravel()).reshape(array.shape)),
}
MATRIX_PLANTS: dict[str, tuple[str, Plant]] = {
    "stacked": ("iufc", lambda array: np.stack([array, array])),
    "not finite": ("fc", _setting(math.nan)),
    "rectangular": ("iufc", lambda array: array[..., :-1, :]),
    "singular": ("iufc", np.ones_like),
    "ill-conditioned": ("fc", _scale_row),
    "symmetric": ("iufc", np.ones_like),
}
