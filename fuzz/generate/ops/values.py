"""The elements of arrays and constants in programs: by dtype and value class, from ordinary numbers to special ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import ml_dtypes
import numpy as np

from fuzz.generate.choices import Choices

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES: dict[str, np.dtype] = {
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "float16": np.dtype(np.float16),
    "bfloat16": BFLOAT16,
    "complex64": np.dtype(np.complex64),
    "complex128": np.dtype(np.complex128),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    "bool": np.dtype(bool),
}

GROUPS: dict[str, tuple[str, ...]] = {
    "f": ("float32", "float64", "float32", "float64", "float16", "bfloat16"),
    "d": ("float32", "float64"),
    "c": ("complex64", "complex128"),
    "i": ("int32", "int64", "int64", "int8", "int16"),
    "u": ("uint8", "uint16", "uint32", "uint64"),
    "b": ("bool",),
}
"""Dtypes by the letters of the table of ops, those that kernels differ in most more often."""

VALUE_CLASSES = (
    *("mixed", "mixed", "mixed", "small", "small", "unit", "exponents", "special", "extremes", "equal", "zeros"),
    *("ordinary", "ordinary", "sorted", "huge", "hundreds", "near one"),
)
"""How the elements of an array are drawn; all of one array in the same value class."""

_ORDINARY = (0.0, 1.0, -1.0, 2.0, 0.5, -0.5, 3.0, -2.0, 10.0, 0.1, 49.0, 7.0, -3.5, 1.5, 100.0, 2.7, -0.75)
_SPECIAL = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0)
_INTEGERS = (0, 1, -1, 2, 3, 5, 7, -2, 10, 31, 63, 64, 65, 100, 127, -128, 255, 256, 1000)


@cache
def find_limits(dtype: np.dtype) -> tuple[float, float, float, int]:
    """Return the largest finite number, the smallest normal one, one near its square root, and the bits of
    precision.
    """
    info = ml_dtypes.finfo(dtype)
    largest = float(info.max)
    return largest, float(info.smallest_normal), 2.0 ** (math.frexp(largest)[1] // 2), int(info.nmant) + 1


def draw_floats(choices: Choices, dtype: np.dtype, count: int, value_class: str) -> list[float]:
    """Draw numbers of a floating dtype."""
    return [_float(choices, dtype, value_class) for _ in range(count)]


MIXED = ("small", "ordinary", "unit", "special", "exponents", "extremes", "ordinary", "hundreds")


def _float(choices: Choices, dtype: np.dtype, value_class: str) -> float:
    if value_class == "mixed":
        value_class = choices.pick(
            ("small", "ordinary", "unit", "special", "exponents", "extremes", "ordinary", "hundreds")
        )
    largest, tiny, root, bits = find_limits(dtype)
    match value_class:
        case "small":
            return float(choices.integer(-4, 4))
        case "unit":
            return choices.integer(-(10**6), 10**6) / 10**6
        case "special":
            return choices.pick(_SPECIAL)
        case "extremes":
            return choices.pick((largest, -largest, math.inf, -math.inf, 1.7 * tiny, -tiny, 0.0, -0.0, math.nan))
        case "huge":
            return choices.pick((1.0, -1.0)) * largest * choices.pick((1.0, 0.75, 0.5, 0.25, 0.1))
        case "hundreds":
            return choices.integer(-80_000, 80_000) / 100
        case "near one":
            step = 2.0 ** -choices.pick((bits, bits, bits // 2))
            return choices.pick((1.0, -1.0, 1.0)) * (1 + choices.integer(-4, 4) * step)
        case "exponents":
            exponent = choices.integer(-int(math.log2(root) * 2) + bits, int(math.log2(root) * 2) - 2)
            return choices.pick((1.0, -1.0)) * math.ldexp(1 + choices.integer(0, 999) / 1000, exponent)
    return choices.pick(_ORDINARY)


def draw_integers(choices: Choices, dtype: np.dtype, count: int, value_class: str) -> list[int]:
    """Draw numbers of an integer dtype."""
    info = np.iinfo(dtype)
    if value_class in ("special", "extremes", "huge"):
        pool: Sequence[int] = (int(info.min), int(info.max), 0, 1, -1)
    elif value_class == "exponents":
        pool = [1 << choices.integer(0, info.bits - 1) for _ in range(3)] + [3, 5]
    elif value_class in ("small", "unit", "sorted"):
        pool = (0, 1, 2, 3, 4, -1, -2)
    else:
        pool = _INTEGERS
    return [min(max(choices.pick(pool), int(info.min)), int(info.max)) for _ in range(count)]


def draw_array(choices: Choices, dtype: np.dtype, shape: Sequence[int], value_class: str | None = None) -> np.ndarray:
    """Draw an array, in the given value class or any."""
    count = math.prod(shape)
    value_class = value_class or choices.pick(VALUE_CLASSES)
    drawn = count
    if value_class == "equal" or count > MOST_DRAWN:
        drawn = min(count, 1 if value_class == "equal" else 7)
    values: np.ndarray
    with np.errstate(all="ignore"):
        if dtype.kind == "b":
            values = np.array([choices.flag() for _ in range(drawn)], bool)
        elif dtype.kind in "iu":
            values = np.array(draw_integers(choices, dtype, drawn, value_class), dtype)
        elif dtype.kind == "c":
            values = np.empty(drawn, dtype)
            part = np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
            values.real = draw_floats(choices, part, drawn, value_class)
            values.imag = draw_floats(choices, part, drawn, choices.pick((value_class, "zeros", "ordinary")))
        elif value_class == "zeros":
            values = np.array([choices.pick((0.0, -0.0)) for _ in range(drawn)], np.float64).astype(dtype)
        else:
            values = np.array(draw_floats(choices, dtype, drawn, value_class), np.float64).astype(dtype)
    if drawn < count:
        values = np.tile(values, count // max(drawn, 1) + 1)[:count] if drawn else np.empty(count, dtype)
    if value_class == "sorted" and dtype.kind in "iuf":
        values = np.sort(values)
    return values.reshape(tuple(shape))


MOST_DRAWN = 64  # elements; larger arrays repeat a few


def draw_constant(choices: Choices, dtype: np.dtype) -> np.ndarray:
    """Draw a number that programs contain as a literal: zero, one, halves, near overflow, powers of two."""
    if dtype.kind == "b":
        return np.array(choices.flag())
    if dtype.kind in "iu":
        return np.array(draw_integers(choices, dtype, 1, choices.pick(("small", "ordinary", "extremes")))[0], dtype)
    part = np.dtype(np.float32 if dtype == np.complex64 else np.float64) if dtype.kind == "c" else dtype
    largest, tiny, root, bits = find_limits(part)
    pools = (
        (0.0, 1.0, -1.0, 2.0, 0.5, -0.5, -2.0, 3.0),
        (0.0, 1.0, -1.0, 2.0, 0.5, -0.5, -2.0, 3.0),
        (0.1, 49.0, 7.0, 10.0, 1e-3, 255.0, 3.14159),
        (largest / 2 * 1.2, largest * 0.75, largest, 1 / root, root, tiny, -largest / 2),
        (2.0 ** (bits - 1), 2.0**bits, 1.5 * 2.0 ** (bits - 1), 10.0 ** int(bits * 0.301 + 0.5)),
        (math.inf, -math.inf, math.nan, -0.0, 0.0),
    )
    with np.errstate(over="ignore"):
        return np.array(choices.pick(choices.pick(pools)), np.float64).astype(dtype)
