"""Running error bound (Higham 3.3) of a ufunc applied to its own results."""

from __future__ import annotations

from typing import Any

import numpy as np

from oracle.equality import table, ulp
from oracle.reference.bfloat16 import BFLOAT16
from oracle.reference.dtypes import EPSILON, WIDER, is_inexact


def apply_once(
    ufunc: np.ufunc, value: np.ndarray, error: np.ndarray, operands: tuple[Any, ...], compiled: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ufunc of a value, and a bound of the error of that, given one of the value's. It is infinite where the
    class of the result hangs on the error.
    """
    with np.errstate(all="ignore"):
        result = np.asarray(ufunc(value, *operands))
        return result, _propagate(ufunc, value, error, operands, result) + _round(ufunc.__name__, result, compiled)


def _round(name: str, result: np.ndarray, compiled: bool) -> np.ndarray:
    """Return what one application may be away by itself, as its relation has it."""
    if not is_inexact(result.dtype):
        return np.zeros(result.shape)
    dtype = result.dtype
    units = table.allowed_ulps(name, dtype, compiled)
    growth = table.growth(name, dtype, compiled) if dtype.kind in "fc" else 0.0
    more = growth * ulp.logarithm(result) if growth else 0.0
    size = np.abs(ulp.widest(np.where(np.isfinite(result), result, 0)))
    return np.asarray((units + more) * (EPSILON[dtype] * size))


def _propagate(
    ufunc: np.ufunc, value: np.ndarray, error: np.ndarray, operands: tuple[Any, ...], result: np.ndarray
) -> np.ndarray:
    """Return how far the result moves when the value moves by its error, in more precision."""
    if not is_inexact(value.dtype) or not np.any(error):
        return np.zeros(result.shape)
    dtype = float if value.dtype == BFLOAT16 else WIDER[value.dtype]
    others = tuple(np.asarray(operand).astype(dtype) for operand in operands)
    here = ufunc(value.astype(dtype), *others)
    spread = np.zeros(result.shape, np.longdouble)
    for direction in (1, -1, 1j, -1j) if value.dtype.kind == "c" else (1, -1):
        there = ufunc((value + direction * error).astype(dtype), *others)
        step = np.where(ulp.classes_differ(here, there), np.inf, np.abs(there - here))
        spread = np.maximum(spread, np.where(np.isnan(step), 0, step))  # of the same class, and no number
    return spread


def divide_real_parts(array: np.ndarray, indices: Any, divisors: Any, compiled: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return what `divide.at` makes of real numbers and complex divisors, whose quotients lose their imaginary parts,
    and a bound of the error, which is one of the whole quotient.
    """
    values, errors = array.copy().ravel(), np.zeros(array.size, np.longdouble)
    positions = np.arange(array.size).reshape(array.shape)[indices]
    dtype = np.result_type(array, divisors)
    units = table.allowed_ulps("divide", dtype, compiled) * EPSILON[dtype]
    with np.errstate(all="ignore"):
        for i, divisor in zip(positions.ravel(), np.broadcast_to(divisors, positions.shape).ravel(), strict=True):
            quotient = np.divide(values[i].astype(dtype), divisor)
            errors[i] = errors[i] / np.abs(divisor) + units * np.abs(quotient)
            values[i] = quotient.real
    return values.reshape(array.shape), errors.reshape(array.shape)
