"""Splitting an array into several."""

from __future__ import annotations

from typing import Any

from fuzz.generate import arrays
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import SHAPE
from fuzz.generate.constraints import array, axis_of


def sections_of(other: str, axis: str | int = "axis", uneven: bool = False) -> Strategy:
    """Return a strategy for a number of equal parts, or positions to split at."""

    def draw(draft: Draft) -> Any:
        choices, shape = draft.choices, draft.shape(other)
        at = draft[axis] if type(axis) is str else axis
        dim = shape[at] if type(at) is int and -len(shape) <= at < len(shape) else 2
        if draft.should_be_invalid():
            return choices.pick((dim + 1, 0, -1) if not uneven else (0, -1))
        if choices.flag(0.4):
            cuts = sorted(choices.integer(0, dim + 1) for _ in range(choices.integer(0, 3)))
            if choices.flag(0.2):
                cuts = [choices.integer(-dim, dim) for _ in cuts]
            return choices.pick((list, tuple))(cuts)
        return choices.integer(1, 5) if uneven else choices.pick([n for n in range(1, 9) if dim % n == 0])

    return draw


def even(low: int, axis: int) -> Strategy:
    """Return a strategy for an array with a dimension that is a multiple of 2 or 3."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        shape = list(arrays.shape(choices, low - draft.should_be_invalid(SHAPE), 4))
        if axis < len(shape):
            shape[axis] = choices.pick((2, 4, 6, 3, 0, 8, 2, 4, 6, 3, 8, 1, 1, 512))
        return arrays.array(choices, choices.pick(arrays.ANY), tuple(shape))

    return draw


def horizontally(draft: Draft) -> Any:
    """Draw the argument of a split along the second axis, or the first for vectors."""
    return sections_of("ary", 1 if len(draft.shape("ary")) > 1 else 0)(draft)


LINES: dict[str, dict[str, Strategy]] = {
    "array_split": {"ary": array(1, 4), "indices_or_sections": sections_of("ary", uneven=True), "axis": axis_of("ary")},
    "dsplit": {"ary": even(3, 2), "indices_or_sections": sections_of("ary", 2)},
    "hsplit": {"ary": even(1, 1), "indices_or_sections": horizontally},
    "split": {"ary": array(1, 4), "indices_or_sections": sections_of("ary"), "axis": axis_of("ary")},
    "vsplit": {"ary": even(2, 0), "indices_or_sections": sections_of("ary", 0)},
}
