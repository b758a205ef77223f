"""Structural comparison: trees of tuples, lists and dicts, and each array's dtype, shape and values.

Every deviation is collected, and none hides another: an answer of another form, such as a Python number or a list, is
converted, and its shape and values are compared all the same; values of another dtype are compared in the coarser one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from oracle.equality import ulp
from oracle.equality.deviation import Deviation, Path
from oracle.equality.forms import common_dtype, is_numeric, to_native
from oracle.equality.numeric import NumericComparison
from oracle.reference.display import format_object, format_value, list_elements
from oracle.reference.dtypes import EPSILON, is_inexact

TEXT = "USTO"
ATTRIBUTES = {
    "finfo": "bits dtype eps epsneg machep max maxexp min minexp negep nexp nmant precision resolution smallest_normal "
    "smallest_subnormal tiny",
    "iinfo": "bits dtype kind max min",
}
"""What NumPy's manual documents of objects that are no arrays."""


def compare_trees(
    evidence: NumericComparison, path: Path, expected: Any, actual: Any, values: bool = True
) -> Iterator[Deviation]:
    """Yield the deviations of a part of a result, and of its items. Without `values`, only structure, dtype and shape
    are compared.
    """
    if isinstance(expected, (np.ndarray, np.generic)):
        if isinstance(actual, (np.ndarray, np.generic)):
            yield from compare_arrays(evidence, path, np.asarray(expected), actual, values)
        else:
            yield from _compare_converted(evidence, path, expected, actual, values)
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


def _compare_converted(
    evidence: NumericComparison, path: Path, expected: Any, actual: Any, values: bool
) -> Iterator[Deviation]:
    """Yield the deviation of structure, and those of the shape and values of an answer that is no array where NumPy
    gives an array or a Python number. An answer that cannot be converted has lost the value.
    """
    array = None if isinstance(expected, (tuple, list)) else _convert(actual)
    if array is not None and (array.dtype.kind in TEXT) != (np.asarray(expected).dtype.kind in TEXT):
        array = None
    yield replace(_differ_in_structure(path, expected, actual), is_lost=array is None)
    if array is not None:
        left = np.asarray(expected)
        yield from compare_shapes(path, left.shape, array.shape)
        if values and left.shape == array.shape:
            yield from compare_values(evidence, path, left, array)


FOREIGN = "Foreign"
"""The class that stands for an object of the subject's, of which the class and elements were fetched."""


def _convert(value: Any) -> np.ndarray | None:
    """Return a number, a text, or a nested list or tuple of them as an array, or the elements of an object of the
    subject's; None for any other value.
    """
    if type(value).__name__ == FOREIGN:
        return value.elements
    if not isinstance(value, (np.ndarray, np.generic, bool, int, float, complex, str, bytes, list, tuple)):
        return None
    try:
        array = np.asarray(value)
    except Exception:  # noqa: BLE001 - of a ragged list, or of elements whose conversion is code of the subject
        return None
    return None if array.dtype == object and array.ndim else array


def _compare_sequences(
    evidence: NumericComparison, path: Path, expected: Any, actual: Any, values: bool
) -> Iterator[Deviation]:
    """Yield the deviations of a tuple or list, item by item: a list, or an array by rows, may stand for a tuple."""
    kind = tuple if isinstance(expected, tuple) else list
    fields = getattr(expected, "_fields", None)
    if not _is_sequence(actual):
        yield from _compare_converted(evidence, path, expected, actual, values)
        return
    if not isinstance(actual, kind) or len(actual) != len(expected) or getattr(actual, "_fields", None) != fields:
        yield _differ_in_structure(path, expected, actual)
    if len(actual) != len(expected):
        yield Deviation("shape", f"{describe_path(path)}expected length {len(expected)}, got {len(actual)}", path)
        return
    for i, (left, right) in enumerate(zip(expected, actual, strict=True)):
        yield from compare_trees(evidence, (*path, i), left, right, values)


def _compare_python_values(
    evidence: NumericComparison, path: Path, expected: Any, actual: Any, values: bool
) -> Iterator[Deviation]:
    """Yield a deviation unless the result is of the Python class that NumPy returns; NumPy's scalar for that class is
    accepted.
    """
    if isinstance(actual, np.generic):
        actual = actual.item()
    if type(actual) is not type(expected):
        yield from _compare_converted(evidence, path, expected, actual, values)
    elif isinstance(expected, (float, complex)):
        yield from compare_arrays(evidence, path, np.asarray(expected), np.asarray(actual), values)
    elif values and actual != expected:
        yield Deviation("value", _contrast(path, expected, actual), path)


def _contrast(path: Path, expected: Any, actual: Any) -> str:
    return f"{describe_path(path)}expected {format_object(expected)}, got {format_object(actual)}"


def _compare_objects(path: Path, expected: Any, actual: Any) -> Iterator[Deviation]:
    """Yield the deviations of None, dtypes, classes, functions and other objects, by what NumPy documents of them."""
    if expected is None or isinstance(expected, (np.dtype, type)):
        same = type(actual) is type(expected) and actual in (expected, _in_native_order(expected))
        if not same:
            yield replace(_differ_in_structure(path, expected, actual), is_lost=_is_other_dtype(expected, actual))
        return
    documented = ATTRIBUTES.get(type(expected).__name__)
    if type(actual).__name__ == FOREIGN:  # what was fetched of it is its class
        if actual.kind != type(expected).__name__:
            yield _differ_in_structure(path, expected, actual)
    elif documented is not None:
        yield from _compare_attributes(path, expected, actual, documented.split())
    elif type(actual).__name__ != type(expected).__name__ and callable(actual) != callable(expected):
        yield _differ_in_structure(path, expected, actual)


def _is_other_dtype(expected: Any, actual: Any) -> bool:
    """Return whether both are dtypes, in whatever form, and not the same one: float32 for float64."""
    if not all(isinstance(one, (np.dtype, type)) for one in (expected, actual)):
        return False
    try:
        return bool(np.dtype(expected).newbyteorder("=") != np.dtype(actual).newbyteorder("="))
    except TypeError:
        return True


def _compare_attributes(path: Path, expected: Any, actual: Any, names: list[str]) -> Iterator[Deviation]:
    for name in names:
        if getattr(expected, name, None) is None:
            continue
        left, right = (format_object(value, partial(_show_attribute, name)) for value in (expected, actual))
        if left != right:
            detail = f"{describe_path(path)}expected {name} {left}, got {right}"
            yield Deviation("value", detail, (*path, name))


def _show_attribute(name: str, value: Any) -> str:
    return repr(getattr(value, name, None))


def _in_native_order(value: Any) -> Any:
    """Return a dtype in native byte order, which all tensors have."""
    return value.newbyteorder("=") if isinstance(value, np.dtype) and not value.isnative else value


def compare_arrays(
    evidence: NumericComparison, path: Path, expected: np.ndarray, actual: Any, values: bool = True
) -> Iterator[Deviation]:
    """Yield the deviations of one array from another: dtype, shape, values."""
    left, right = _make_comparable(expected, actual)
    if left.dtype != right.dtype and not evidence.is_masked(path):
        yield Deviation("dtype", f"{describe_path(path)}expected {left.dtype}, got {right.dtype}", path)
    yield from compare_shapes(path, left.shape, right.shape)
    if values and (left.shape == right.shape or _drop_ones(left.shape) == _drop_ones(right.shape)):
        yield from compare_values(evidence, path, left, right.reshape(left.shape))


def _make_comparable(expected: np.ndarray, actual: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return both arrays in native byte order, and text of variable width where both are of text or bytes."""
    actual = np.asarray(actual)
    if expected.dtype.kind in TEXT and actual.dtype.kind in TEXT:
        return as_text(expected), as_text(actual)
    return to_native(expected), to_native(actual)


def compare_shapes(path: Path, expected: tuple[int, ...], actual: tuple[int, ...]) -> Iterator[Deviation]:
    """Yield the deviation of a shape."""
    if expected != actual:
        yield Deviation("shape", f"{describe_path(path)}expected {expected}, got {actual}", path)


def _drop_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(dim for dim in shape if dim != 1)


def compare_values(
    evidence: NumericComparison, path: Path, expected: np.ndarray, actual: np.ndarray
) -> Iterator[Deviation]:
    """Yield the deviation of the elements of an array of the same shape, in the coarser dtype of both."""
    is_same_dtype = expected.dtype == actual.dtype
    if is_same_dtype and expected.tobytes() == actual.tobytes():
        return
    pair = (expected, actual) if is_same_dtype else _find_common(expected, actual)
    if pair is None:
        return
    left, right = pair
    if left.dtype.char in "gG":  # no units in the last place are defined for it: NumPy's own, bit for bit
        wrong = ~((left == right) | (np.isnan(left) & np.isnan(right)))
    else:
        wrong = evidence.in_precision(find_loss(expected.dtype, actual.dtype)).wrong(path, left, right)
    if not is_same_dtype:
        wrong &= ~_are_rounded(expected, actual)
    wrong &= ~evidence.find_masked(path, wrong)
    if wrong.any():
        yield Deviation("value", describe_elements(path, left, right, wrong), path, wrong, left, right)


def _find_common(expected: np.ndarray, actual: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return arrays of different dtypes in one in which their elements can be compared; None where there is none.

    An answer in a finer dtype of the same kind is rounded to NumPy's: its further digits are neither right nor wrong.
    Signs of zeros do not count where the answer's dtype has none. NumPy's booleans stay such, which no rounding error
    changes: as numbers, a matrix of them might have a square with a 2.
    """
    if actual.dtype == object:
        try:
            return expected, actual.astype(expected.dtype)
        except Exception:  # noqa: BLE001 - of elements whose conversion is code of the subject
            return None
    common = common_dtype(expected.dtype, actual.dtype)
    if common is None:
        return None
    if expected.dtype.kind == "b":
        return expected, actual
    with np.errstate(all="ignore"):
        if _find_kind(expected.dtype) == _find_kind(actual.dtype) in "fc" and common == actual.dtype:
            return expected, actual.astype(expected.dtype)
        left = expected.astype(common)
        has_signs = is_inexact(actual.dtype) and (actual.dtype.kind == "c" or expected.dtype.kind != "c")
        return left if has_signs else left + common.type(0), actual.astype(common)


def _find_kind(dtype: np.dtype) -> str:
    """Return the kind of a dtype, with bfloat16, which NumPy calls void, among the floats."""
    return "f" if is_inexact(dtype) and dtype.kind == "V" else dtype.kind


def _are_rounded(expected: np.ndarray, actual: np.ndarray) -> np.ndarray:
    """Return which elements are NumPy's numbers, rounded once to the answer's coarser dtype."""
    kinds = _find_kind(expected.dtype) + _find_kind(actual.dtype)
    if kinds[1] not in "fc" or not (kinds[0] in "biu" or kinds in ("ff", "cc")):
        return np.zeros(expected.shape, bool)
    with np.errstate(all="ignore"):
        rounded = expected.astype(actual.dtype)
    return (rounded == actual) & ~ulp.zero_signs_differ(rounded, actual)


def find_loss(expected: np.dtype, actual: np.dtype) -> float:
    """Return the rounding unit of an answer's dtype if it is coarser than NumPy's; else 0."""
    unit = EPSILON.get(actual, 0.0)
    return unit if unit > EPSILON.get(expected, 0.0) else 0.0


def conform(expected: Any, actual: Any) -> Any:
    """Return an answer in the form of NumPy's where it can be converted: arrays for numbers and lists, tuples for
    lists, dtypes of NumPy's for finer ones.
    """
    if isinstance(expected, (np.ndarray, np.generic)):
        array = _convert(actual)
        if array is None or array.shape != expected.shape or not is_numeric(array.dtype):
            return actual
        is_finer = not find_loss(expected.dtype, array.dtype) and _find_kind(expected.dtype) == _find_kind(array.dtype)
        with np.errstate(all="ignore"):
            return array.astype(expected.dtype) if is_finer else array
    if isinstance(expected, (tuple, list)) and _is_sequence(actual) and len(actual) == len(expected):
        items = map(conform, expected, actual)
        return type(expected)(*items) if hasattr(expected, "_fields") else type(expected)(items)
    return actual


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (tuple, list)) or (isinstance(value, np.ndarray) and value.ndim > 0)


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
    index = tuple(map(int, np.unravel_index(wrong.argmax(), wrong.shape)))
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


def _differ_in_structure(path: Path, expected: Any, actual: Any) -> Deviation:
    detail = f"{describe_path(path)}expected {format_value(expected)}, got {format_value(actual)}"
    return Deviation("structure", detail, path)
