"""Short expressions that are true if two results, `{a}` of the subject and `{e}` of NumPy, are the same.

A verdict uses the tolerance of each function. A script shows one difference beyond that, and accepts half of that
difference: a fix gets far below it, and rounding errors do not matter.
"""

from __future__ import annotations

import cmath
import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

ARRAYS = "(np.ndarray, np.generic, tf.Tensor, tf.Variable)"
COARSE = 1e-3
"""The largest relative distance that a script accepts where the words of a difference name no two numbers."""

_GOT = re.compile(r"expected (\S+), got (\S+?)(?: \(|;|$)")


_POSITIONS = re.compile(r"result((?:\[\d+\])+) expected ")


def compare_structure(expected: Any, detail: str = "") -> str:
    """Return the expression for equal structure, also of the item of a tuple or list in which they differ, as `detail`
    names it.
    """
    tests, path = [_compare_form(expected, "")], ""
    found = _POSITIONS.match(detail)
    for index in re.findall(r"\d+", found[1]) if found else ():
        if not isinstance(expected, tuple | list) or int(index) >= len(expected):
            break
        expected, path = expected[int(index)], f"{path}[{index}]"
        tests.append(_compare_form(expected, path))
    return " and ".join(tests)


def _compare_form(expected: Any, path: str) -> str:
    if isinstance(expected, tuple | list):
        kind = "tuple" if isinstance(expected, tuple) else "list"
        fields = f' and hasattr(actual{path}, "_fields")' if hasattr(expected, "_fields") else ""
        return f"isinstance(actual{path}, {kind}) and len(actual{path}) == {len(expected)}{fields}"
    if isinstance(expected, np.ndarray | np.generic):
        return f"isinstance(actual{path}, {ARRAYS})"
    if isinstance(expected, bool | int | float | complex | str | bytes):
        return f"isinstance(actual{path}, (type(expected{path}), np.generic))"
    return f"isinstance(actual{path}, type(expected{path})) and actual{path} == expected{path}"


def compare_dtypes(leaves: Sequence[Any], _: str = "") -> str:
    """Return the expression for equal dtypes, whatever their byte order."""
    native = all(np.asarray(leaf).dtype.isnative for leaf in leaves)
    return "np.asarray({a}).dtype == np.asarray({e}).dtype" + ("" if native else '.newbyteorder("=")')


def compare_shapes(_: Sequence[Any], __: str = "") -> str:
    """Return the expression for equal shapes."""
    return "np.shape({a}) == np.shape({e})"


def find_tolerance(outputs: str) -> float:
    """Return half the largest relative distance between two numbers of a finding's `outputs`; `COARSE` at most."""
    described = json.loads(outputs) if outputs else {"expected": {}, "actual": {}}
    distances = list(_measure_distances(described["expected"], described["actual"]))
    return min([COARSE, *([max(distances) / 2] if distances else [])])


def _measure_distances(expected: Any, actual: Any) -> Iterator[float]:
    """Yield the relative distances between the numbers of two forms, which may have been read from a file."""
    for pair in _pair(expected, actual, "items"):
        yield from _measure_distances(*pair)
    for one, other in _pair(expected, actual, "elements"):
        reference, got = _number(str(one)), _number(str(other))
        if reference and got is not None and reference != got and cmath.isfinite(reference) and cmath.isfinite(got):
            yield _find_largest_part(got - reference) / _find_largest_part(reference)


def _find_largest_part(number: complex) -> float:
    """Return the larger part: the absolute value of a finite complex number may overflow."""
    return max(abs(number.real), abs(number.imag))


def _pair(expected: Any, actual: Any, key: str) -> Iterator[tuple[Any, Any]]:
    lists = [form.get(key) if isinstance(form, dict) else None for form in (expected, actual)]
    return zip(*(entries if isinstance(entries, list) else () for entries in lists), strict=False)


def compare_values(leaves: Sequence[Any], detail: str = "", tolerance: float = COARSE) -> str:
    """Return the expression for equal values; for floats, for a distance that the difference in `detail` exceeds, or
    for a relative one of `tolerance` if its words name no two numbers. nan equals nan.
    """
    if not all(isinstance(leaf, np.ndarray | np.generic | bool | int | float | complex) for leaf in leaves):
        return "{a} == {e}"
    dtypes = [np.asarray(leaf).dtype for leaf in leaves]
    if any(dtype.kind in "USTO" for dtype in dtypes):
        return "np.array_equal(np.asarray({a}).astype(bytes).astype(str), np.asarray({e}).astype(str))"
    if all(dtype.kind in "biu" for dtype in dtypes):
        return "np.array_equal({a}, {e})"
    wide = [dtype for dtype in dtypes if dtype.kind in "fcV" and dtype.itemsize < 4]
    left, right = ("np.float64({a})", "np.float64({e})") if wide else ("{a}", "{e}")
    found = _GOT.search(detail)
    expected, actual = (_number(found[1]), _number(found[2])) if found else (None, None)
    if expected is None or actual is None:
        return f"np.allclose({left}, {right}, rtol={tolerance:.0e}, atol=0, equal_nan=True)"
    if _have_same_parts(expected, actual):  # they differ in the sign of a zero; the sign of nan means nothing
        both = f"[np.real({left}), np.imag({left})], [np.real({right}), np.imag({right})]"
        return f"np.array_equal(*(np.copysign(~np.isnan(x), x) for x in ({both})))"
    if not (cmath.isfinite(expected) and cmath.isfinite(actual)):
        if any(dtype.kind == "c" for dtype in dtypes):
            parts = (f"[np.real({operand}), np.imag({operand})]" for operand in (left, right))
            return f"np.allclose({', '.join(parts)}, rtol={COARSE:.0e}, equal_nan=True)"
        return f"np.allclose({left}, {right}, rtol={COARSE:.0e}, equal_nan=True)"
    gap = abs(actual - expected)
    if expected == 0:
        return f"np.allclose({left}, {right}, rtol=0, atol={gap / 2:.0e}, equal_nan=True)"
    return f"np.allclose({left}, {right}, rtol={gap / abs(expected) / 2:.0e}, atol=0, equal_nan=True)"


def _have_same_parts(expected: complex, actual: complex) -> bool:
    """Return whether the real and the imaginary parts are equal; nan equals nan."""
    pairs = ((expected.real, actual.real), (expected.imag, actual.imag))
    return all(one == other or (math.isnan(one) and math.isnan(other)) for one, other in pairs)


def _number(text: str) -> complex | None:
    try:
        return complex(text)
    except ValueError:
        return None
