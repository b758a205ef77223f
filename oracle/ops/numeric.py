"""Deviation of two arrays: position, kind and size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from oracle.reference.dtypes import EPSILON, SMALLEST_NORMAL, is_inexact

ROUNDING = 4.0
"""Up to so many units in the last place a difference is one of rounding alone."""


@dataclass(frozen=True)
class OpDeviation:
    """A difference between two answers. `kind` is that of a finding, `symptom` is more specific; `index` is the flat
    index in the output at `position`; `ulps` is the distance, if both are finite.
    """

    kind: str
    symptom: str
    detail: str
    output: int = 0
    index: int = -1
    ulps: float = 0.0


def find_deviation(
    expected: np.ndarray,
    actual: np.ndarray,
    ulps: float = 0.0,
    slack: float = 0.0,
    *,
    flushes: bool = True,
    signs: bool = True,
) -> OpDeviation | None:
    """Return the largest deviation of the actual array from the expected one, or None.

    Numbers agree within `ulps` units in the last place or `slack`. With `flushes`, subnormal numbers equal zeros of
    either sign; without `signs`, zeros have no sign.
    """
    if expected.dtype != actual.dtype:
        return OpDeviation("dtype", "dtype", f"expected {expected.dtype}, got {actual.dtype}")
    if expected.shape != actual.shape:
        return OpDeviation("shape", "shape", f"expected {expected.shape}, got {actual.shape}")
    if not expected.size:
        return None
    if not is_inexact(expected.dtype):
        return _deviation_of_exact(np.ravel(expected), np.ravel(actual))
    parts = [(np.ravel(expected), np.ravel(actual))]
    if expected.dtype.kind == "c":
        size = np.abs(parts[0][0].astype(np.clongdouble))
        unit = EPSILON[expected.dtype] * np.where(np.isfinite(size), size, 0).astype(np.float64)
        parts = [(part(parts[0][0]), part(parts[0][1])) for part in (np.real, np.imag)]
    else:
        unit = None
    deviations = [_deviation_of_real(left, right, ulps, slack, unit, flushes, signs) for left, right in parts]
    worst = min((one for one in deviations if one is not None), key=lambda one: _ORDER.index(one.kind), default=None)
    if worst is None:
        return None
    detail = f"expected {_show(expected, worst.index)}, got {_show(actual, worst.index)}"
    detail += f" ({worst.ulps:.3g} ulp)" if worst.ulps else ""
    return OpDeviation("value", worst.symptom, detail, index=worst.index, ulps=worst.ulps)


_ORDER = ("class", "number", "sign")


def _deviation_of_exact(expected: np.ndarray, actual: np.ndarray) -> OpDeviation | None:
    differing = np.flatnonzero(expected != actual)
    if not differing.size:
        return None
    index = int(differing[0])
    what = "bool" if expected.dtype == bool else "integer"
    return OpDeviation("value", f"another {what}", f"expected {expected[index]}, got {actual[index]}", index=index)


def _deviation_of_real(
    expected: np.ndarray,
    actual: np.ndarray,
    ulps: float,
    slack: float,
    unit: np.ndarray | None,
    flushes: bool,
    signs: bool,
) -> OpDeviation | None:
    dtype = expected.dtype
    upcast = np.longdouble if dtype.itemsize >= 8 else np.float64
    left, right = expected.astype(upcast), actual.astype(upcast)
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    zeros = (left == 0) & (right == 0)
    if signs:
        same &= ~(zeros & (np.signbit(left) != np.signbit(right)))
    tiny = SMALLEST_NORMAL[dtype]
    if flushes:
        same |= (np.abs(left) <= tiny) & (np.abs(right) <= tiny) & ~zeros
    finite = np.isfinite(left) & np.isfinite(right)
    gap = np.abs(np.where(finite, right, 0) - np.where(finite, left, 0)).astype(np.float64)
    size = np.abs(np.where(finite, left, 0)).astype(np.float64)
    step = EPSILON[dtype] * np.maximum(size, tiny)
    if unit is not None:
        step = np.maximum(step, unit)
    same |= finite & ~zeros & ((gap <= ulps * step) | (gap <= slack))
    bad = ~same
    if not bad.any():
        return None
    with np.errstate(over="ignore"):  # any number is more than this many units from the smallest one
        distance = gap / step
    index = (
        int(np.flatnonzero(bad & ~finite)[0]) if (bad & ~finite).any() else int(np.argmax(np.where(bad, distance, -1)))
    )
    one, other = left[index], right[index]
    if zeros[index]:
        return OpDeviation("sign", "sign of zero", "", index=index)
    if finite[index]:
        apart = float(distance[index])
        return OpDeviation("number", _distance(float(one), float(other), apart), "", index=index, ulps=apart)
    return OpDeviation("class", f"{_class(float(other))} for {_class(float(one))}", "", index=index)


def _class(value: float) -> str:
    if np.isnan(value):
        return "nan"
    return "an infinity" if np.isinf(value) else "a number"


def _distance(expected: float, actual: float, ulps: float) -> str:
    if expected != 0 and actual == 0:
        return "zero for a number"
    if expected == 0:
        return "a number for zero"
    return "rounding" if ulps <= ROUNDING else "inaccurate" if ulps <= 1e5 else "another number"


def _show(array: np.ndarray, index: int) -> str:
    value = np.ravel(array)[index]
    return str(complex(value)) if array.dtype.kind == "c" else repr(float(value))
