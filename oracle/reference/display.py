"""Formatting values in one line, for messages and reports."""

from __future__ import annotations

from typing import Any

import numpy as np

LONGEST = 160
MANY = 8  # elements that are written out


def format_value(value: Any) -> str:
    """Return the value as at most one line of text."""
    text = _format(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def flatten(value: Any) -> list[Any]:
    """Return the leaves of a result."""
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in flatten(item)]
    return [value]


def _format_item(item: Any) -> str:
    """Format one element. Python refuses to print integers of thousands of digits."""
    return str(item) if type(item) is not int or item.bit_length() < 1000 else f"an integer of {item.bit_length()} bits"


def _format(value: Any) -> str:
    """Format a value recursively. NumPy's `repr` of an array would take longer than judging a case."""
    if isinstance(value, np.ndarray):
        items = [_format_item(item) for item in value.ravel()[:MANY].tolist()] if value.dtype.kind in "biuUSO" else []
        items = items or [str(item) for item in value.ravel()[:MANY]]
        more = ", ..." if value.size > MANY else ""
        elements = f"[{', '.join(items)}{more}]"
        return f"{value.dtype}{list(value.shape)} {elements}" if value.ndim else f"{value.dtype} {items[0]}"
    if isinstance(value, (list, tuple)):
        parts = ", ".join([_format(item) for item in value[:MANY]])
        if isinstance(value, list):
            return f"[{parts}]"
        return f"({parts},)" if len(value) == 1 else f"({parts})"
    return " ".join(repr(value).split())
