"""AutoGraph: functions of this package are not converted, since they contain no control flow of the user."""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import Any


def leave_unconverted(objects: Iterable[Any]) -> None:
    """Mark functions of this package as AutoGraph marks its own output, which it does not convert again."""
    for value in objects:
        if isinstance(value, FunctionType) and value.__module__.startswith("tfnp."):
            value.autograph_info__ = {}  # type: ignore[attr-defined]
