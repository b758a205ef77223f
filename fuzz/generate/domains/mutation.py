"""Functions that change an array in place: their first argument."""

from __future__ import annotations

import math
from typing import Any

from fuzz.generate import arrays, indices
from fuzz.generate.arrays import ANY, BOOLS
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.call_classes import SHAPE
from fuzz.generate.constraints import array, mask_of, partner, same_shape
from fuzz.generate.domains.indexing import along
from fuzz.generate.scalars import either, literal, number


def target(low: int = 0, high: int = 3, full: bool = False) -> Strategy:
    """Return a strategy for an array to write to."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        shape = arrays.shape(choices, low, high)
        if full:
            shape = tuple([dim or 2 for dim in shape])
        return arrays.writable(choices, choices.pick(ANY), shape)

    return draw


def flat_indices(name: str) -> Strategy:
    def draw(draft: Draft) -> Any:
        choices, size = draft.choices, math.prod(draft.shape(name))
        beyond = draft.should_be_invalid() or (draft["mode"] != "raise" and choices.flag())
        return indices.positions(choices, size, arrays.shape(choices, 0, 3) if size else (0,), beyond)

    return draw


def replacements(name: str) -> Strategy:
    """Return a strategy for values to write, mostly of the same dtype; they are repeated or cut as needed."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        dtype = draft.dtype(name) if choices.flag(0.8) else choices.pick(ANY)
        if choices.flag(0.7):
            return arrays.array(choices, dtype, (choices.integer(1, 5),))
        return arrays.array(choices, dtype, tuple([dim or 1 for dim in arrays.shape(choices, 0, 3)]))

    return draw


def written_along(draft: Draft) -> Any:
    """Draw values that broadcast to the indices."""
    shape = draft.shape("indices")
    shape = (
        arrays.nearly(draft.choices, shape) if draft.should_be_invalid(SHAPE) else arrays.narrowed(draft.choices, shape)
    )
    return arrays.array(draft.choices, draft.dtype("arr"), shape)


def diagonal_target(draft: Draft) -> Any:
    """Draw a matrix, or a cube, to write to."""
    choices = draft.choices
    if choices.flag(0.7):
        return arrays.writable(choices, choices.pick(ANY), arrays.shape(choices, 2 - draft.should_be_invalid(SHAPE), 2))
    return arrays.writable(choices, choices.pick(ANY), (choices.integer(0, 3),) * 3)


def source(draft: Draft) -> Any:
    """Draw values to write, mostly of the same dtype, since NumPy's casting rules are strict here."""
    dtype = (draft.dtype("dst"),) if draft.choices.flag(0.7) else ()
    return either(partner("dst", dtype), partner("dst", dtype), number())(draft)


LINES: dict[str, dict[str, Strategy]] = {
    "copyto": {"dst": target(), "src": source, "where": mask_of("dst")},
    "fill_diagonal": {"a": diagonal_target, "val": either(number(arrays.REALS), array(0, 3, arrays.REALS, "small"))},
    "place": {"arr": target(), "mask": same_shape("arr", BOOLS), "vals": replacements("arr")},
    "put": {
        "a": target(full=True),
        "ind": flat_indices("a"),
        "v": replacements("a"),
        "mode": literal("raise", "wrap", "clip"),
    },
    "put_along_axis": {
        "arr": either(*[target(1, 3, full=True)] * 3, target(1, 3)),
        "indices": along,
        "values": written_along,
        "axis": either(literal(0, -1), literal(0, -1), literal(None)),
    },
    "putmask": {"a": target(), "mask": same_shape("a", BOOLS), "values": replacements("a")},
}
