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


def take_first(array: np.ndarray, count: int) -> np.ndarray:
    """Return the first elements, in C order, as a masked or a plain array: other subclasses change what indexing means
    (the rows of a matrix are matrices). `ravel` would copy an array that repeats its elements, however large; a slice
    of `flat` reads text of variable width outside its memory.
    """
    array = array if type(array) is np.ma.MaskedArray else np.asarray(array)
    while array.ndim > 1 and array.size and array[0].size >= count:
        array = array[0]
    return array[:count].ravel()[:count] if array.ndim else array.ravel()


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


UNPRINTABLE = "whose text raises"
"""What is said of an object that has no text."""


def format_object(value: Any, show: Callable[[Any], str] = repr) -> str:
    """Return an object's text, or its class if that raises. Python writes out no very long integers."""
    try:
        if isinstance(value, int) and value.bit_length() >= MOST_BITS:
            return f"an integer of {value.bit_length()} bits"
        return make_printable(show(value))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an object's text is made by code of the subject
        return f"<{type(value).__name__} {UNPRINTABLE} {type(error).__name__}>"


LONGEST_LINE = 2000
"""The number of characters of a line of a subject's text, or of a stranger's, at most."""

MOST_LINES = 200
"""The number of lines of a traceback, or of what a worker wrote."""


def make_printable(text: str) -> str:
    """Return a text with escapes, as in Python source, for all that does not print as itself: control characters, marks
    of direction, halves of surrogates, code points that are no character. Line breaks remain.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else repr(char)[1:-1] for char in text)


def make_line(text: str, most: int = LONGEST_LINE) -> str:
    """Return a printable text on one line of at most `most` characters."""
    if len(text) <= most and text.isprintable():
        return text
    line = " ".join(make_printable(text[: 4 * most]).split("\n"))
    return line if len(line) <= most and len(text) <= 4 * most else f"{line[: most - 3]}..."


def make_lines(text: str) -> str:
    """Return the last lines of a text such as a traceback, printable, each of at most LONGEST_LINE characters."""
    lines = text[-MOST_LINES * LONGEST_LINE :].splitlines()
    return "\n".join(make_line(line) for line in lines[-MOST_LINES:])


def _format(value: Any) -> str:
    """Format a value recursively. NumPy's `repr` of an array would take longer than judging a case."""
    if isinstance(value, np.ndarray):
        first = take_first(value, MANY)
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
