"""Changing an array in place, as far as that is a function: the first argument is the one that changes."""

from __future__ import annotations

import math
from typing import Any

from fuzz.generate import arrays, indices
from fuzz.generate.arrays import ANY, BOOLS
from fuzz.generate.builder import Draft, Word
from fuzz.generate.constraints import array, mask_of, partner, same_shape
from fuzz.generate.domains.indexing import along
from fuzz.generate.scalars import either, literal, number


def target(low: int = 0, high: int = 3, full: bool = False) -> Word:
    """An array to write to."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        shape = arrays.shape(choices, low, high)
        if full:
            shape = tuple([dim or 2 for dim in shape])
        return arrays.writable(choices, choices.pick(ANY), shape)

    return draw


def flat_indices(name: str) -> Word:
    def draw(draft: Draft) -> Any:
        choices, size = draft.choices, math.prod(draft.shape(name))
        beyond = draft.slips() or (draft["mode"] != "raise" and choices.flag())
        return indices.positions(choices, size, arrays.shape(choices, 0, 3) if size else (0,), beyond)

    return draw


def replacements(name: str) -> Word:
    """Numbers to write, mostly of the very dtype: repeated or cut as needed."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        dtype = draft.dtype(name) if choices.flag(0.8) else choices.pick(ANY)
        if choices.flag(0.7):
            return arrays.array(choices, dtype, (choices.integer(1 - draft.slips(), 5),))
        return arrays.array(choices, dtype, tuple([dim or 1 for dim in arrays.shape(choices, 0, 3)]))

    return draw


def written_along(draft: Draft) -> Any:
    """Values that broadcast to the places."""
    shape = draft.shape("indices")
    shape = arrays.nearly(draft.choices, shape) if draft.slips() else arrays.narrowed(draft.choices, shape)
    return arrays.array(draft.choices, draft.dtype("arr"), shape)


def diagonal_target(draft: Draft) -> Any:
    """A matrix, or a cube."""
    choices = draft.choices
    if choices.flag(0.7):
        return arrays.writable(choices, choices.pick(ANY), arrays.shape(choices, 2 - draft.slips(), 2))
    return arrays.writable(choices, choices.pick(ANY), (choices.integer(0, 3),) * 3)


def source(draft: Draft) -> Any:
    """Of the same dtype mostly, since the rules of casting are NumPy's strictest here."""
    dtype = (draft.dtype("dst"),) if draft.choices.flag(0.7) else ()
    return either(partner("dst", dtype), partner("dst", dtype), number())(draft)


LINES: dict[str, dict[str, Word]] = {
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
