"""Formatting values in one line, for messages and reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

LONGEST = 160
MANY = 8  # elements that are written out
MOST_BITS = 1000


def format_value(value: Any) -> str:
    """Return the value as at most one line of text."""
    text = _format(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def flatten(value: Any) -> list[Any]:
    """Return the leaves of a result."""
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in flatten(item)]
    return [value]


def list_elements(array: np.ndarray) -> list[Any]:
    """Return the elements as a list of Python's objects: of those of a StringDType that are no UTF-8, their errors.

    NumPy makes text of bytes without a check, and raises the error when such an element is read.
    """
    flat = array.ravel()
    return [_read(flat, index) for index in range(flat.size)] if array.dtype.kind == "T" else flat.tolist()


def _read(text: np.ndarray, index: int) -> Any:
    try:
        return text[index]
    except UnicodeDecodeError as error:
        return str(error)


def format_object(value: Any, show: Callable[[Any], str] = repr) -> str:
    """Return an object's text, or its class if that raises. Python writes out no very long integers."""
    try:
        if isinstance(value, int) and value.bit_length() >= MOST_BITS:
            return f"an integer of {value.bit_length()} bits"
        return make_printable(show(value))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an object's text is made by code of the subject
        return f"<{type(value).__name__} whose text raises {type(error).__name__}>"


def make_printable(text: str) -> str:
    """Return a text with escapes for what no file can hold: halves of characters, of which Python's text may be."""
    return text.encode("utf-8", "backslashreplace").decode()


def _format(value: Any) -> str:
    """Format a value recursively. NumPy's `repr` of an array would take longer than judging a case."""
    if isinstance(value, np.ndarray):
        first = value.flat[:MANY]  # `ravel` would copy an array that repeats its elements, however large
        elements = list_elements(first) if value.dtype.kind in "biuUSOT" else first
        items = [format_object(element, str) for element in elements]
        more = ", ..." if value.size > MANY else ""
        shown = f"[{', '.join(items)}{more}]"
        return f"{value.dtype}{list(value.shape)} {shown}" if value.ndim else f"{value.dtype} {items[0]}"
    if isinstance(value, (list, tuple)):
        if fields := getattr(value, "_fields", ()):
            named = ", ".join(f"{name}={_format(item)}" for name, item in zip(fields, value, strict=False))
            return f"{type(value).__name__}({named})"
        parts = ", ".join([_format(item) for item in value[:MANY]])
        if isinstance(value, list):
            return f"[{parts}]"
        return f"({parts},)" if len(value) == 1 else f"({parts})"
    return " ".join(format_object(value).split())
