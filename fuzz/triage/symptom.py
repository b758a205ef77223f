"""Symptoms: in which way the subject's answer differs from NumPy's. Findings of different symptoms are different bugs.

A symptom is one of few words that every case of a bug shares, whatever its numbers, so it depends on classes of
elements, dtypes, shapes and messages only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fuzz.differences import DEATHS, find_parameter
from fuzz.triage.root_cause import STRONG, find_form, split_detail, split_error, strip_noise
from oracle import Case, Outcome, run_numpy
from oracle.harness import list_elements

LONGEST = 80
"""How many characters of a message are part of a symptom."""

ROUNDING = {"float64": 1e-6, "float32": 1e-3, "float16": 1e-2}
"""The largest relative error that is called rounding: about half of the digits of the dtype, single for double."""


def find_symptom(
    kind: str, detail: str, expected: Outcome, actual: Outcome, name: str = "", case: Case | None = None
) -> str:
    """Return the symptom of a difference of this kind: "nan lost" for a median that overlooks nan; "" if kind and
    function say everything. With the case, a number that is not weak is one, too.
    """
    if kind in ("dtype", "value") and case is not None and has_strong_number(case, expected, actual):
        return STRONG
    find = _FINDERS.get(kind)
    if find is None or (kind != "missing error" and find_parameter(detail)):
        return ""
    return find(detail, expected, actual, name)


def has_strong_number(case: Case, expected: Outcome, actual: Outcome) -> bool:
    """Return whether the subject answers as NumPy does when the Python numbers among the operands are arrays. In NumPy
    they are weak: `np.uint8(1) + 2` is a uint8.
    """
    if not (expected.ok and actual.ok) or case.is_nested() or not any(map(_is_number, case.args)):
        return False
    args = tuple(np.array(value) if _is_number(value) else value for value in case.args)
    strong = run_numpy(replace(case, args=args))
    if not strong.ok or _dtypes_of(strong) != _dtypes_of(actual) or _dtypes_of(strong) == _dtypes_of(expected):
        return False
    return compare_values(strong.value, actual.value) in ("", "rounding", "sign of zero")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float, complex)


def _dtypes_of(outcome: Outcome) -> list[np.dtype]:
    return [one.dtype for one, _ in _pair_leaves(outcome.value, outcome.value)]


def compare_values(expected: Any, actual: Any) -> str:
    """Return how values differ: "infinity made" for [inf, 2.0] where NumPy gives [1.0, 2.0]; the most specific way that
    an element shows.
    """
    found = {symptom for pair in _pair_leaves(expected, actual) for symptom in _compare_arrays(*pair)}
    return next((symptom for symptom in ORDER if symptom in found), "")


ORDER = (
    *(
        "nan lost",
        "nan made",
        "infinity limited",
        "infinity lost",
        "infinity made",
        "sign of infinity",
        "other text",
        "other value",
    ),
    *("sign of zero", "rounding"),
)
"""The symptoms of elements, the one that counts before others in the same array first."""


def _pair_leaves(expected: Any, actual: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the arrays at the same place in both values."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        expected, actual = list(expected.values()), list(actual.values())
    if isinstance(expected, list | tuple) and isinstance(actual, list | tuple):
        for one, other in zip(expected, actual, strict=False):
            yield from _pair_leaves(one, other)
    elif isinstance(expected, np.ndarray | np.generic | int | float | complex | str | bytes):
        try:
            one, other = np.asarray(expected), np.asarray(actual)
        except Exception:  # noqa: BLE001 - of a ragged list, or of elements whose conversion is code of the subject
            return
        if one.shape == other.shape:
            yield one.ravel(), other.ravel()


def _compare_arrays(expected: np.ndarray, actual: np.ndarray) -> Iterator[str]:
    """Yield the symptoms of the elements: "nan lost" and "other value" for [1.0, 2.0] where NumPy gives [nan, 1.0]."""
    if expected.dtype.kind in "USTO" or actual.dtype.kind in "USTO":
        if any(map(_is_other, list_elements(expected), list_elements(actual))):
            yield "other text" if expected.dtype.kind in "UST" else "other value"
        return
    if not (_is_numeric(expected.dtype) and _is_numeric(actual.dtype)):
        yield "other value"
        return
    left, right = _real_parts(expected), _real_parts(actual)
    if left.shape != right.shape:  # one is complex, and the other real
        left, right = (np.ravel(array.real).astype(np.float64) for array in (expected, actual))
    if "V" in left.dtype.kind + right.dtype.kind:
        left, right = left.astype(np.float32), right.astype(np.float32)
    if "f" not in (left.dtype.kind, right.dtype.kind):
        if (left != right).any():
            yield "other value"
        return
    yield from _compare_floats(left, right, _find_rounding(expected.dtype, actual.dtype))


def _is_other(one: Any, other: Any) -> bool:
    """Return whether two elements are not equal, or cannot be compared: equality of objects is code of the subject."""
    try:
        return bool(one != other)
    except Exception:  # noqa: BLE001 - whatever it raises
        return True


def _is_numeric(dtype: np.dtype) -> bool:
    return dtype.kind in "biufc" or dtype.name == "bfloat16"


def _real_parts(array: np.ndarray) -> np.ndarray:
    return np.stack((array.real, array.imag)).ravel() if array.dtype.kind == "c" else array


def _find_rounding(*dtypes: np.dtype) -> float:
    """Return the largest relative error that is called rounding: 1e-3 for float32."""
    parts = [np.zeros((), dtype).real.dtype.name for dtype in dtypes]
    return max(ROUNDING.get(part, 0.0) for part in parts) if all(part in ROUNDING for part in parts) else 1e-2


def _compare_floats(expected: np.ndarray, actual: np.ndarray, rounding: float) -> Iterator[str]:
    largest = float(np.finfo(actual.dtype).max) if actual.dtype.kind == "f" else np.inf
    expected, actual = expected.astype(np.float64), actual.astype(np.float64)
    if is_permuted(expected, actual):
        yield "other value"
        return
    tests: Mapping[str, np.ndarray] = {
        "nan lost": np.isnan(expected) & ~np.isnan(actual),
        "nan made": np.isnan(actual) & ~np.isnan(expected),
        "infinity limited": np.isinf(expected) & (np.abs(actual) == largest) & np.isfinite(actual),
        "infinity lost": np.isinf(expected) & np.isfinite(actual),
        "infinity made": np.isinf(actual) & np.isfinite(expected),
        "sign of infinity": np.isinf(actual) & np.isinf(expected) & (expected != actual),
        "sign of zero": (expected == 0) & (actual == 0) & (np.signbit(expected) != np.signbit(actual)),
    }
    yield from (symptom for symptom, where in tests.items() if where.any())
    finite = np.isfinite(expected) & np.isfinite(actual) & (expected != actual)
    if finite.any():
        with np.errstate(all="ignore"):
            errors = np.abs(actual[finite] - expected[finite]) > rounding * np.abs(expected[finite])
        yield "other value" if errors.any() else "rounding"


def is_permuted(expected: np.ndarray, actual: np.ndarray) -> bool:
    """Return whether the elements are the same in another order, as in [nan, 0.0] and [0.0, nan]."""
    same = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    return not same.all() and np.array_equal(np.sort(expected), np.sort(actual), equal_nan=True)


def _of_value(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    if not (expected.ok and actual.ok):
        return ""
    return compare_values((expected.value, *expected.after), (actual.value, *actual.after))


def compare_dtypes(expected: np.dtype, actual: np.dtype) -> str:
    """Return how dtypes differ: "narrower float" for float32 where NumPy gives float64, "int for bool"."""
    if expected.kind != actual.kind:
        kinds = [_DTYPE_KINDS.get(dtype.kind, dtype.name) for dtype in (actual, expected)]
        return " for ".join(kinds)
    change = "narrower" if actual.itemsize < expected.itemsize else "wider"
    return f"{change} {_DTYPE_KINDS.get(expected.kind, expected.name)}"


_DTYPE_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "V": "bfloat16", "c": "complex"}


def _of_dtype(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    names = [re.split(r"[;, ]", text.strip())[0] for text in split_detail(detail)[1:]]
    try:
        return compare_dtypes(*(np.dtype(one) for one in names))
    except TypeError:
        return " for ".join(reversed(names))[:LONGEST]


def compare_shapes(expected: Sequence[int], actual: Sequence[int]) -> str:
    """Return by which rule shapes differ: "flattened" for (6,) where NumPy gives (2, 3)."""
    expected, actual = tuple(expected), tuple(actual)
    if len(expected) == len(actual):
        if sorted(expected) == sorted(actual):
            return "dims permuted"
        larger = {one < other for one, other in zip(expected, actual, strict=True) if one != other}
        return "other dims" if len(larger) > 1 else "longer" if larger.pop() else "shorter"
    if [dim for dim in expected if dim != 1] == [dim for dim in actual if dim != 1]:
        return "dims of 1 lost" if len(actual) < len(expected) else "dims of 1 added"
    if len(actual) == 1 and actual[0] == np.prod(expected, dtype=np.int64):
        return "flattened"
    return "dims lost" if len(actual) < len(expected) else "dims added"


_SHAPE = re.compile(r"\((\d+(?:, \d+)*)?,?\)")


def _of_shape(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    found = [_SHAPE.match(text.strip()) for text in split_detail(detail)[1:]]
    if not all(found):
        return ""
    return compare_shapes(*([int(dim) for dim in (one[1] or "").split(", ") if dim] for one in found if one))


def _of_structure(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    """Return the pair of forms: "a list where a tuple is"."""
    _, left, right = split_detail(detail)
    return f"{find_form(right)} for {find_form(left)}"


def describe_error(text: str, name: str = "") -> str:
    """Return the class and the origin of an error: its message without what varies from call to call."""
    error, message = split_error(text)
    return f"{error}: {strip_noise(message, name)}"[:LONGEST]


def _of_spurious_error(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    return describe_error(split_detail(detail)[2], name)


def _of_different_error(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    """Return both: "TypeError: no axis ... for AxisError"."""
    _, left, right = split_detail(detail)
    return f"{describe_error(right, name)} for {split_error(left)[0]}"


def _of_missing_error(detail: str, expected: Outcome, actual: Outcome, name: str) -> str:
    """Return what NumPy refuses."""
    return describe_error(split_detail(detail)[1], name)


_Finder = Callable[[str, Outcome, Outcome, str], str]
_FINDERS: dict[str, _Finder] = {
    "value": _of_value,
    "dtype": _of_dtype,
    "shape": _of_shape,
    "structure": _of_structure,
    "spurious error": _of_spurious_error,
    "different error": _of_different_error,
    "missing error": _of_missing_error,
}
assert not _FINDERS.keys() & DEATHS  # a worker that died has answered nothing
