"""Structural comparison: trees of tuples, lists and dicts, and each array's dtype, shape and values.

Every departure is collected. One that follows from another at the same path, such as values of another dtype, is listed
after it, and dropped later unless the first one is allowed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from oracle.checkers import ulp
from oracle.checkers.departure import Departure, Path
from oracle.checkers.forms import common_dtype, to_native
from oracle.checkers.numeric import Scrutiny
from oracle.reference.display import format_object, format_value, list_elements
from oracle.reference.dtypes import is_inexact

TEXT = "USTO"
ATTRIBUTES = {
    "finfo": "bits dtype eps epsneg machep max maxexp min minexp negep nexp nmant precision resolution smallest_normal "
    "smallest_subnormal tiny",
    "iinfo": "bits dtype kind max min",
}
"""What NumPy's manual documents of objects that are no arrays."""


def compare_trees(
    evidence: Scrutiny, path: Path, expected: Any, actual: Any, values: bool = True
) -> Iterator[Departure]:
    """Yield the departures of a part of a result, and of its items. Without `values`, only structure, dtype and shape
    are compared.
    """
    if isinstance(expected, (np.ndarray, np.generic)):
        if isinstance(actual, (np.ndarray, np.generic)):
            yield from compare_arrays(evidence, path, np.asarray(expected), np.asarray(actual), values)
        else:
            yield _differ_in_structure(path, expected, actual)
    elif isinstance(expected, (tuple, list)):
        yield from _compare_sequences(evidence, path, expected, actual, values)
    elif isinstance(expected, dict):
        if not isinstance(actual, dict) or set(actual) != set(expected):
            yield _differ_in_structure(path, expected, actual)
        else:
            for key, part in expected.items():
                yield from compare_trees(evidence, (*path, key), part, actual[key], values)
    elif isinstance(expected, (bool, int, float, complex, str, bytes)):
        yield from _compare_python_values(evidence, path, expected, actual, values)
    else:
        yield from _compare_objects(path, expected, actual)


def _compare_sequences(evidence: Scrutiny, path: Path, expected: Any, actual: Any, values: bool) -> Iterator[Departure]:
    kind = tuple if isinstance(expected, tuple) else list
    fields = getattr(expected, "_fields", None)
    if not isinstance(actual, kind) or len(actual) != len(expected) or getattr(actual, "_fields", None) != fields:
        yield _differ_in_structure(path, expected, actual)
        is_vector = isinstance(actual, np.ndarray) and actual.ndim == 1
        holds_arrays = any(isinstance(item, np.ndarray) for item in expected)
        if values and is_vector and (holds_arrays or not _are_equal(actual.tolist(), list(expected))):
            yield Departure("value", _contrast(path, expected, actual.tolist()), path)
        return
    for i, (left, right) in enumerate(zip(expected, actual, strict=True)):
        yield from compare_trees(evidence, (*path, i), left, right, values)


def _compare_python_values(
    evidence: Scrutiny, path: Path, expected: Any, actual: Any, values: bool
) -> Iterator[Departure]:
    """Yield a departure unless the result is of the Python class that NumPy returns; NumPy's scalar for that class is
    accepted.
    """
    if isinstance(actual, np.generic):
        actual = actual.item()
    if type(actual) is not type(expected):
        yield _differ_in_structure(path, expected, actual)
        if values and isinstance(actual, np.ndarray) and _is_of_python_type(expected, actual):
            scalar = np.asarray(expected).astype(actual.dtype)
            yield from compare_arrays(evidence, path, scalar, actual)
    elif isinstance(expected, (float, complex)):
        yield from compare_arrays(evidence, path, np.asarray(expected), np.asarray(actual), values)
    elif values and actual != expected:
        yield Departure("value", _contrast(path, expected, actual), path)


def _are_equal(one: Any, other: Any) -> bool:
    """Return whether two values are equal; they are not if comparing them raises, as elements of a subject's may."""
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - an object's equality is code of the subject
        return False


def _contrast(path: Path, expected: Any, actual: Any) -> str:
    return f"{describe_path(path)}expected {format_object(expected)}, got {format_object(actual)}"


def _is_of_python_type(expected: Any, actual: np.ndarray) -> bool:
    """Return whether a 0-d array has a dtype of a Python scalar's class, or both are text."""
    letters = {bool: "b", int: "iu", float: "f", complex: "c", str: TEXT, bytes: TEXT}.get(type(expected), "")
    if actual.ndim or not letters:
        return False
    return actual.dtype.kind in letters or (actual.dtype.kind != "O" and type(actual.item()) is type(expected))


def _compare_objects(path: Path, expected: Any, actual: Any) -> Iterator[Departure]:
    """Yield the departures of None, dtypes, classes, functions and other objects, by what NumPy documents of them."""
    if expected is None or isinstance(expected, (np.dtype, type)):
        same = type(actual) is type(expected) and actual in (expected, _in_native_order(expected))
        if not same:
            yield _differ_in_structure(path, expected, actual)
        return
    documented = ATTRIBUTES.get(type(expected).__name__)
    if type(actual).__name__ == "Foreign":  # what was fetched of it is its class
        if actual.kind != type(expected).__name__:
            yield _differ_in_structure(path, expected, actual)
    elif documented is not None:
        yield from _compare_attributes(path, expected, actual, documented.split())
    elif type(actual).__name__ != type(expected).__name__ and callable(actual) != callable(expected):
        yield _differ_in_structure(path, expected, actual)


def _compare_attributes(path: Path, expected: Any, actual: Any, names: list[str]) -> Iterator[Departure]:
    for name in names:
        if getattr(expected, name, None) is None:
            continue
        left, right = (format_object(value, partial(_show_attribute, name)) for value in (expected, actual))
        if left != right:
            detail = f"{describe_path(path)}expected {name} {left}, got {right}"
            yield Departure("value", detail, (*path, name))


def _show_attribute(name: str, value: Any) -> str:
    return repr(getattr(value, name, None))


def _in_native_order(value: Any) -> Any:
    """Return a dtype in native byte order, which all tensors have."""
    return value.newbyteorder("=") if isinstance(value, np.dtype) and not value.isnative else value


def compare_arrays(
    evidence: Scrutiny, path: Path, expected: np.ndarray, actual: np.ndarray, values: bool = True
) -> Iterator[Departure]:
    """Yield the departures of one array from another: dtype, shape, values."""
    if expected.dtype.kind in TEXT and actual.dtype.kind in TEXT:
        expected, actual = as_text(expected), as_text(actual)
    else:
        expected, actual = to_native(expected), to_native(actual)
    if expected.dtype != actual.dtype:
        detail = f"{describe_path(path)}expected {expected.dtype}, got {actual.dtype}"
        yield Departure("dtype", detail, path)
    if expected.shape != actual.shape:
        detail = f"{describe_path(path)}expected {expected.shape}, got {actual.shape}"
        yield Departure("shape", detail, path)
        return
    if not values:
        return
    if expected.dtype != actual.dtype:
        common = common_dtype(expected.dtype, actual.dtype)
        if common is None:
            return
        expected, actual = expected.astype(common), actual.astype(common)
    elif expected.tobytes() == actual.tobytes():
        return
    if expected.dtype.char in "gG":  # no units in the last place are defined for it: NumPy's own, bit for bit
        wrong = ~((expected == actual) | (np.isnan(expected) & np.isnan(actual)))
    else:
        wrong = evidence.wrong(path, expected, actual)
    if wrong.any():
        yield Departure("value", describe_elements(path, expected, actual, wrong), path, wrong, expected, actual)


def as_text(array: np.ndarray) -> np.ndarray:
    """Return an array of text or bytes as text of variable width: a tensor has bytes."""
    return np.array([_describe_item(item) for item in list_elements(array)], dtype=object).reshape(array.shape)


def _describe_item(item: Any) -> str:
    """Return text as such, and anything else as text; integers too long for decimal digits as hexadecimal ones."""
    if isinstance(item, bytes):
        return item.decode("utf-8", "replace")
    is_long = isinstance(item, int) and item.bit_length() > MOST_BITS
    return item if isinstance(item, str) else hex(item) if is_long else format_object(item, str)


MOST_BITS = 10_000
"""The length of integers that Python writes as decimal digits: it refuses some 14,000 bits and more."""


def describe_elements(path: Path, expected: np.ndarray, actual: np.ndarray, wrong: np.ndarray) -> str:
    """Return a text with the first wrong element, its distance, and how many are wrong."""
    index = tuple(int(i) for i in np.argwhere(wrong)[0])
    left, right = expected[index], actual[index]
    position = f"at {list(index)} " if index else ""
    text = f"{describe_path(path)}{position}expected {left!s}, got {right!s}"
    if is_inexact(expected.dtype) and expected.dtype.char not in "gG" and np.isfinite(left) and np.isfinite(right):
        apart = float(ulp.distance(np.asarray([left]), np.asarray([right]))[0])
        text += f" ({apart:.3g} ulp)" if apart < 1e4 else f" ({_relative(left, right):.2g} relative)"
    count = int(wrong.sum())
    return text if count == 1 else f"{text}; {count} of {wrong.size} elements"


def _relative(expected: Any, actual: Any) -> float:
    """Return the distance relative to the larger size, in a dtype in which the sizes of complex numbers fit."""
    one, other = np.clongdouble(expected), np.clongdouble(actual)
    size = max(np.abs(one), np.abs(other))
    return float(np.abs(one - other) / size) if size else 0.0


def describe_path(path: Path) -> str:
    """Return a position in a result as an index expression."""
    name = "out" if path[0] == 1 else "result"
    return "" if path == (0,) else name + "".join(f"[{step!r}]" for step in path[1:]) + " "


def _differ_in_structure(path: Path, expected: Any, actual: Any) -> Departure:
    detail = f"{describe_path(path)}expected {format_value(expected)}, got {format_value(actual)}"
    return Departure("structure", detail, path)
