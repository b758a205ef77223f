"""The types of public parameters: unions to a reader of `help`, `Any` to a type checker.

A function converts what it is given, so that its body would pass no check against these unions. Callers are checked
against `tfnp.typing`, by the stubs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

__all__ = ["ArrayLike", "AxisLike", "DTypeLike", "IntLike", "Out", "ShapeLike"]

if TYPE_CHECKING:
    ArrayLike: TypeAlias = Any
    AxisLike: TypeAlias = Any
    DTypeLike: TypeAlias = Any
    IntLike: TypeAlias = Any
    Out: TypeAlias = Any
    ShapeLike: TypeAlias = Any
else:
    from tfnp.typing import ArrayLike, AxisLike, DTypeLike, IntLike, Out, ShapeLike
