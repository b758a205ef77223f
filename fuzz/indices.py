"""Index expressions: every form in which NumPy lets one name elements."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz import values
from fuzz.choices import Choices
from fuzz.values import Shape

INDEX_DTYPES = values.weighted(
    {np.dtype("int64"): 6, np.dtype("int32"): 4, **{np.dtype(f"{kind}{size}"): 1 for kind in "iu" for size in (1, 2)}}
)
FORMS = values.weighted({"integer": 5, "slice": 5, "array": 3, "mask": 2, "newaxis": 2, "ellipsis": 2, "list": 1})


def position(choices: Choices, side: int, beyond: bool = False) -> int:
    """A place along a side, counted from either end; beyond it where asked, or where there is none."""
    if beyond or not side:
        return choices.pick((side, -side - 1, side + 3))
    return choices.integer(0, side - 1) - (side if choices.flag(0.3) else 0)


def positions(choices: Choices, side: int, shape: Shape, beyond: bool = False) -> np.ndarray:
    """An integer array of any integer dtype that holds places along a side."""
    dtype = choices.pick(INDEX_DTYPES)
    limits = np.iinfo(dtype)
    low = max(-side, limits.min) if choices.flag(0.4) else 0
    options = range(low, min(side + 3 * beyond, limits.max + 1)) or (0,)
    return values.filled(choices, dtype, shape, options)


def listed(choices: Choices, side: int, count: int, beyond: bool = False) -> list[int]:
    return [position(choices, side, beyond) for _ in range(count)]


def cut(choices: Choices, side: int) -> slice:
    """A slice with any bounds and any step but 0."""

    def bound() -> int | None:
        return None if choices.flag(0.4) else choices.integer(-side - 2, side + 2)

    return slice(bound(), bound(), choices.pick((None, None, None, 1, 2, -1, -2, 3, -5)))


def expression(choices: Choices, shape: Shape) -> Any:
    """What may stand between the brackets of an array of this shape: one index, or a tuple of them."""
    if choices.flag(0.1):
        return whole(choices, shape)
    parts: list[Any] = []
    axis, dotted = 0, False
    common = values.shape(choices, 0, 2)
    for _ in range(choices.integer(0, len(shape) + 1)):
        form = choices.pick(FORMS)
        if form == "newaxis":
            parts.append(None)
        elif form == "ellipsis" and not dotted:
            dotted = True
            parts.append(Ellipsis)
        elif axis < len(shape):
            part, axis = _part(choices, form, shape, axis, common)
            parts.append(part)
    return parts[0] if len(parts) == 1 and choices.flag(0.8) else tuple(parts)


def _part(choices: Choices, form: str, shape: Shape, axis: int, common: Shape) -> tuple[Any, int]:
    """One index, and the axis after those it takes."""
    side, beyond = shape[axis], choices.flag(0.03)
    if form == "integer" and (side or beyond):
        return position(choices, side, beyond), axis + 1
    if form == "array" and (side or beyond):
        return positions(choices, side, values.narrowed(choices, common), beyond), axis + 1
    if form == "list" and side:
        return listed(choices, side, choices.integer(0, 3)), axis + 1
    if form == "mask":
        rank = choices.integer(1, min(2, len(shape) - axis))
        return values.array(choices, np.dtype(np.bool), shape[axis : axis + rank]), axis + rank
    return cut(choices, side), axis + 1


def whole(choices: Choices, shape: Shape) -> Any:
    """An index that stands alone: a mask of the whole, a boolean scalar, nothing, out of range."""
    form = choices.integer(0, 6)
    if form == 0:
        return values.array(choices, np.dtype(np.bool), shape)
    if form == 1:
        return choices.flag()
    if form == 2:
        return ()
    if form == 3:
        return []
    if form == 4:
        return Ellipsis
    if form == 5:
        return positions(choices, shape[0] if shape else 0, (0,))
    return position(choices, math.prod(shape), beyond=True)
