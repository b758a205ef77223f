"""ULP distance and class of elements, of two arrays of one shape and dtype."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL

UNSIGNED = {2: np.uint16, 4: np.uint32, 8: np.uint64}


def widest(array: np.ndarray) -> np.ndarray:
    """Return the numbers in a precision in which their differences are exact enough."""
    if array.dtype.kind == "c":
        return array.astype(np.complex128 if array.dtype.itemsize == 8 else np.clongdouble)
    return array.astype(np.longdouble if array.dtype.itemsize >= 8 else np.float64)


def zero_signs_differ(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return where one is +0 and the other -0; either part of a complex number."""
    if expected.dtype.kind == "c":
        return zero_signs_differ(expected.real, actual.real) | zero_signs_differ(expected.imag, actual.imag)
    return (expected == 0) & (actual == 0) & (np.signbit(expected) != np.signbit(actual))


def classes_differ(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return where one is NaN or an infinity and the other is not the same; either part of a complex number."""
    if expected.dtype.kind == "c":
        return classes_differ(expected.real, actual.real) | classes_differ(expected.imag, actual.imag)
    nan = np.isnan(expected)
    infinite = np.isinf(expected) | np.isinf(actual)
    return (nan != np.isnan(actual)) | (infinite & ~nan & (expected != actual))


def ulps_apart(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return how many representable numbers lie between two real ones, infinities counted as the next after the
    largest.

    Two NaNs are 0 apart, a NaN and a number are infinitely far.
    """
    kind = UNSIGNED[expected.dtype.itemsize]
    left, right = _rank(expected, kind), _rank(actual, kind)
    apart = (np.maximum(left, right) - np.minimum(left, right)).astype(np.float64)
    nan, other = np.isnan(expected), np.isnan(actual)
    apart[nan & other] = 0
    apart[nan != other] = np.inf
    return apart


def _rank(array: np.ndarray, kind: type) -> np.ndarray:
    """Return the position of each number among all of its dtype, both zeros sharing one."""
    bits: np.ndarray = np.ascontiguousarray(array).reshape(array.shape).view(kind)
    sign = kind(1) << kind(array.dtype.itemsize * 8 - 1)
    return np.where(bits & sign, sign - (bits & ~sign), sign + bits)


def complex_ulps_apart(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return the distance of two complex numbers in units of the last place of the larger's modulus.

    Where a part is not finite, parts are compared each by itself.
    """
    finite = np.isfinite(expected) & np.isfinite(actual)
    left, right = widest(np.where(finite, expected, 0)), widest(np.where(finite, actual, 0))
    unit = np.abs(left) * EPSILON[expected.dtype]
    unit = np.maximum(unit, SMALLEST_NORMAL[expected.dtype] * EPSILON[expected.dtype])
    apart = np.asarray(np.abs(left - right) / unit, np.float64)
    by_part = np.maximum(ulps_apart(expected.real, actual.real), ulps_apart(expected.imag, actual.imag))
    return np.where(finite, apart, by_part)


def distance(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return units in the last place between two arrays of floating or complex numbers."""
    if expected.dtype.kind == "c":
        return complex_ulps_apart(expected, actual)
    return ulps_apart(expected, actual)


def logarithm(array: np.ndarray) -> np.ndarray:
    """Return the size of the logarithm of each number; 0 where there is none."""
    size = np.abs(array.astype(np.float64)) if array.dtype.kind != "c" else np.abs(array)
    usual = np.isfinite(size) & (size > 0)
    return np.abs(np.log(np.where(usual, size, 1)))


def exactly_differ(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return where integers, booleans, texts or dates are not the same."""
    if expected.dtype.kind in "Mm":
        return expected.view(np.int64) != actual.view(np.int64)
    return np.asarray(expected != actual)


def with_flushed_parts(expected: np.ndarray, actual: np.ndarray, tiny: float) -> np.ndarray:
    """Return the actual numbers, but the expected ones where one smaller than `tiny` became a zero, or one that only
    rounding made so large; complex ones by parts.
    """
    return _by_parts(lambda left, right: _unless_flushed(left, right, tiny), expected, actual)


def with_parts_between(expected: np.ndarray, flushed: np.ndarray, raised: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return the actual numbers, but the expected ones where an actual one lies between what it would be had the
    inputs' subnormal numbers been zeros, or the smallest normal ones: some kernels round those, or flush them after
    some steps.
    """
    return _by_parts(_unless_between, expected, flushed, raised, actual)


def _by_parts(choose: Callable[..., np.ndarray], *arrays: np.ndarray) -> np.ndarray:
    if arrays[0].dtype.kind != "c":
        return choose(*arrays)
    result = np.empty_like(arrays[0])
    result.real = choose(*[array.real for array in arrays])
    result.imag = choose(*[array.imag for array in arrays])
    return result


def _unless_flushed(expected: np.ndarray, actual: np.ndarray, tiny: float) -> np.ndarray:
    if expected.dtype == np.float16 or (expected.dtype.kind != "f" and expected.dtype != BFLOAT16):
        return actual
    size = np.abs(expected.astype(np.float64))
    return np.where((actual == 0) & (size > 0) & (size <= tiny), expected, actual)


def _unless_between(expected: np.ndarray, flushed: np.ndarray, raised: np.ndarray, actual: np.ndarray) -> np.ndarray:
    if expected.dtype.kind != "f" and expected.dtype != BFLOAT16:
        return actual
    ends, value = np.stack([widest(expected), widest(flushed), widest(raised)]), widest(actual)
    slack = 8 * EPSILON[expected.dtype] * np.abs(np.where(np.isfinite(value), value, 0))
    inside = (ends.min(0) <= value + slack) & (value - slack <= ends.max(0))
    inside &= (ends != ends[0]).any(0)  # else no subnormal number has to do with it
    return np.where(inside | (np.isnan(value) & np.isnan(ends[1])), expected, actual)


def beyond_spread(expected: np.ndarray, actual: np.ndarray, others: list[np.ndarray]) -> np.ndarray:
    """Return which integers are farther away than a few times what they change when the numbers that they are made of,
    by a function that rounds, move a little.
    """
    left, right, *moved = (array.astype(np.longdouble) for array in (expected, actual, *others))
    return np.abs(right - left) > 8 * np.max([np.abs(other - left) for other in moved], axis=0)


def is_true_zero(reference: np.ndarray, expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return where a zero is what more precision finds, and NumPy's is the other."""
    return (reference == 0) & (actual == 0) & (expected == 0) & (np.signbit(reference) == np.signbit(actual))


def complex_as(value: Any, expected: np.ndarray) -> Any:
    """Return real numbers as complex ones if those are expected: the dtype may depend on a sign that zero lacks. nan
    becomes nan in both parts.
    """
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or expected.dtype.kind != "c":
        return value
    return np.where(np.isnan(value), complex(np.nan, np.nan), value).astype(expected.dtype)


def bound_cancellation(expected: np.ndarray) -> np.ndarray:
    """Return what the sum of two products may be away from, where one of them underflows."""
    return np.full(expected.shape, 2 * underflow(expected.dtype))


def gap_between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return how far finite elements are apart; 0 where one is not finite."""
    finite = np.isfinite(one) & np.isfinite(other)
    return np.abs(widest(np.where(finite, other, 0)) - widest(np.where(finite, one, 0)))


def farther(expected: np.ndarray, actual: np.ndarray, bound: np.ndarray) -> np.ndarray:
    """Return which elements are farther apart than the bound, or of different classes."""
    return classes_differ(expected, actual) | (gap_between(expected, actual) > bound)


def bits_differ(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return where elements are not the same, signs of zeros included; all that are not a number are alike."""
    if expected.dtype.kind not in "fcV":
        return exactly_differ(expected, actual)
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    return ~same | zero_signs_differ(expected, actual)


def unit_of(reference: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return the unit in the last place, in this dtype, of each number; of complex ones that of the modulus."""
    size = np.maximum(np.abs(np.where(np.isfinite(reference), reference, 0)), SMALLEST_NORMAL[dtype])
    _, exponents = np.frexp(size)
    return np.ldexp(size.dtype.type(EPSILON[dtype]), exponents - 1)


def largest(dtype: np.dtype) -> np.longdouble:
    """Return the largest finite number of the dtype."""
    return np.longdouble(3.3895313892515355e38 if dtype == BFLOAT16 else np.finfo(dtype).max)


def smallest_subnormal(dtype: np.dtype) -> float:
    """Return the least positive number of the dtype, or of the parts of a complex one."""
    return float(np.longdouble(SMALLEST_NORMAL.get(dtype, 0.0)) * EPSILON.get(dtype, 0.0))


def underflow(dtype: np.dtype) -> float:
    """Return the magnitude below which numbers may be flushed to zero."""
    return SMALLEST_NORMAL.get(dtype, 0.0) if dtype != np.float16 else 2.0**-24
