"""AutoGraph rewrites what a `tf.function` calls, to find control flow in it; there is none of the user's in here."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any


def leave_unconverted(objects: Iterable[Any]) -> None:
    """Mark the functions of this package as AutoGraph marks its own output, which it calls as it is."""
    for value in objects:
        if isinstance(value, FunctionType) and value.__module__.startswith("tfnp."):
            value.autograph_info__ = {}  # type: ignore[attr-defined]
