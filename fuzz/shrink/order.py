"""The order of shrinking: how simple a value or a dtype is, and which simpler ones to try."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

PLAIN_DTYPES = tuple(np.dtype(name) for name in ("float64", "int64", "float32", "int32", "bool", "complex128"))
SCALAR_DTYPES = frozenset(np.dtype(name) for name in ("float64", "int64", "bool", "complex128"))
RANKED = "float64 int64 float32 int32 bool complex128 complex64 float16 bfloat16 uint8 int8 int16 uint16 uint32 uint64"
DTYPE_RANKS = {name: rank for rank, name in enumerate(RANKED.split())}


def rank_dtype(dtype: np.dtype) -> int:
    return DTYPE_RANKS.get(dtype.name, len(DTYPE_RANKS))


def weigh_value(value: Any) -> float:
    """Return how complex a number is to read: 0, 1, -1, 2, small integers, special values, then decimals by their
    length.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return float(value is True)
    if isinstance(value, int):
        size = abs(value)
        return (2 * size if size < 1000 else 2000 + size.bit_length()) + (value < 0) - (value != 0)
    if isinstance(value, complex):
        return weigh_value(value.real) + weigh_value(value.imag) + 0.5
    if isinstance(value, float):
        if not math.isfinite(value):
            return 20 + (value == math.inf) + 2 * (value == -math.inf)
        if value == 0:
            return 4 * (math.copysign(1, value) < 0)
        if value.is_integer() and abs(value) < 1000:
            return weigh_value(int(value))
        return 2000 + len(repr(value))
    return len(value) if isinstance(value, str | bytes) else 1


# Equal findings should shrink to equal cases: so True, 1 and 1.0 all become floats, like arrays.
KIND_RANKS = {int: 0.1, bool: 0.2}


def rank_kind(value: Any) -> float:
    """Return how far the type of a number is from the simplest one, Python's float."""
    return 0.3 if isinstance(value, np.generic) else KIND_RANKS.get(type(value), 0.0)


def to_scalar(value: Any) -> Any:
    """Return the Python scalar equal to a 0-d array or a NumPy scalar; anything else unchanged.

    A negative zero is unchanged, too: eager TensorFlow may take Python's -0.0 for 0.0.
    """
    if not isinstance(value, np.ndarray | np.generic) or value.ndim or value.dtype not in SCALAR_DTYPES:
        return value
    number = value.item()
    parts = (number.real, number.imag)
    return value if any(part == 0 and math.copysign(1, part) < 0 for part in parts) else number


def to_float(value: Any) -> Any:
    """Return an integer or bool as a float; anything else unchanged."""
    return float(value) if type(value) in KIND_RANKS and abs(value) < 2**53 else value


def list_simpler_numbers(value: Any) -> Iterator[Any]:
    """Yield simpler numbers of the same Python type, the simplest first."""
    kind = type(value)
    if kind is bool:
        yield False
    elif kind is int:
        yield from (0, 1, -1, 2, int(value / 2) if abs(value) < 2**53 else value // 2, value - (1 if value > 0 else -1))
    elif kind is float:
        yield from (0.0, 1.0, -1.0, 2.0, -0.0)
        if math.isfinite(value):
            yield from (
                float(whole) for whole in (math.trunc(value), round(value / 2), math.floor(value), math.ceil(value))
            )
            yield from (round(value, digits) for digits in (1, 2, 3))
            yield from (float(f"{value:.{digits}g}") for digits in (1, 2, 3, 5, 8))
        else:
            yield from (0.5, math.inf)
    elif kind is complex:
        if not (value.imag and value.real):
            yield from (value.real, value.imag)
        yield from (0j, 1 + 0j, 1j, -1 + 0j, complex(value.real), complex(0, value.imag))
        yield from (complex(real, value.imag) for real in list_simpler_numbers(value.real))
        yield from (complex(value.real, imag) for imag in list_simpler_numbers(value.imag))


def to_numbers(array: np.ndarray) -> list[Any]:
    """Return the elements as Python scalars; of narrow floats, the shortest decimals that round to them."""
    if array.dtype.kind == "c" and array.dtype.itemsize == 8:
        return [complex(float(str(value.real)), float(str(value.imag))) for value in array.ravel()]
    if array.dtype.kind in "fV" and array.dtype.itemsize != 8:
        return [float(str(value)) for value in array.ravel()]
    return array.ravel().tolist()


def find_dtype(value: Any) -> np.dtype | None:
    """Return the dtype of an array, NumPy scalar, dtype or scalar type; None for anything else, as an abstract type."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype
    if isinstance(value, type) and issubclass(value, np.generic):
        with suppress(TypeError):  # of an abstract class, such as np.floating
            return np.dtype(value)
        return None
    return value if isinstance(value, np.dtype) else None


def list_simpler_dtypes(dtype: np.dtype | None) -> list[np.dtype]:
    if dtype is None or dtype.kind in "USMmO":
        return []
    return [plain for plain in PLAIN_DTYPES if rank_dtype(plain) < rank_dtype(dtype)]


def list_simpler_scalars(value: Any) -> Iterator[Any]:
    """Yield simpler values for an argument that is not an array."""
    if isinstance(value, np.generic) and value.dtype.kind in "biufcV":
        for number in list_simpler_numbers(to_numbers(np.asarray(value))[0]):
            try:
                yield value.dtype.type(number)
            except (OverflowError, TypeError, ValueError):
                continue
    elif type(value) is slice:
        start, stop, step = value.start, value.stop, value.step
        yield from (slice(new, stop, step) for new in (None, *list_simpler_scalars(start)))
        yield from (slice(start, new, step) for new in (None, *list_simpler_scalars(stop)))
        yield from (slice(start, stop, new) for new in (None, *list_simpler_scalars(step)) if new != 0)
    else:
        yield from list_simpler_numbers(value)
