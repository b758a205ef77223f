"""Selecting elements by index, by mask and by condition."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz.generate import arrays, indices
from fuzz.generate.arguments import out
from fuzz.generate.arrays import ANY, BOOLS, INTEGERS, Shape
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import AXIS, COUNT, DTYPE, SHAPE
from fuzz.generate.constraints import array, axis_of, nonempty
from fuzz.generate.scalars import dim_of, either, index_into, integer, literal


def along(draft: Draft) -> Any:
    """Draw indices along the axis, as an array of the same rank with the other dimensions equal or 1."""
    choices, shape, axis = draft.choices, draft.shape("arr"), draft["axis"]
    if axis is None:
        size = math.prod(shape)
        return indices.positions(choices, size, (arrays.dim(choices, 4) if size else 0,), draft.should_be_invalid())
    if type(axis) is not int or not -len(shape) <= axis < len(shape):
        return indices.positions(choices, 1, shape)
    at = axis % len(shape)
    dims_of_indices = [1 if choices.flag(0.1) else dim for dim in shape]
    dims_of_indices[at] = (arrays.dim(choices, 4) if not choices.flag(0.03) else 300) if shape[at] else 0
    if len(shape) > 1 and draft.should_be_invalid(SHAPE):
        dims_of_indices[at - 1] += 1 + (dims_of_indices[at - 1] == 0)
    return indices.positions(choices, shape[at], tuple(dims_of_indices))


def or_booleans(strategy: Strategy) -> Strategy:
    """Return the strategy for indices; now and then booleans, which are the indices 0 and 1."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if draft.is_due() or dim_of(draft, "a") < 2 or not choices.flag(BOOLEAN_SHARE):
            return strategy(draft)
        return arrays.array(choices, np.dtype(np.bool), arrays.shape(choices, 0, 2))

    return draw


BOOLEAN_SHARE = 0.05


def chosen(draft: Draft) -> Any:
    """Draw the index of a choice for each element, in a shape that broadcasts with the choices."""
    count, shape = len(draft["choices"]), arrays.shape(draft.choices, 0, 3)
    if any(np.size(one) > 1 for one in draft["choices"]):
        shape = draft.choices.pick(((), (3,), (4, 3), (4, 1), (1,)))
    beyond = draft.should_be_invalid() or (draft["mode"] in {"wrap", "clip"} and draft.choices.flag())
    options = tuple(range(-2 if beyond else 0, count + 2 * beyond))
    return indices.among(draft.choices, options, shape)


def alternatives(draft: Draft) -> Any:
    """Draw a few arrays that broadcast with anything: scalars and vectors of length one."""
    choices = draft.choices
    shapes = choices.pick((((), (1,)), ((), (1,)), ((3,), (4, 3), (1, 1), (3, 4, 3))))
    count = arrays.how_many(choices, 1, 4, (8, 17, 40))
    return [arrays.array(choices, choices.pick(ANY), choices.pick(shapes)) for _ in range(count)]


def draw_condition(draft: Draft) -> Any:
    """Draw a condition no longer than the axis, mostly as a list, which makes the result's length static."""
    choices, dim = draft.choices, dim_of(draft, "a")
    length = dim + 2 if draft.should_be_invalid() else arrays.dim(choices, min(dim, 12)) if dim else 0
    if choices.flag():
        found = choices.picks((True, False), length)
        return [*found, True] if len(found) > dim else found
    return arrays.array(choices, choices.pick(BOOLS + INTEGERS), (length,))


def conditions(draft: Draft) -> Any:
    choices = draft.choices
    count = arrays.how_many(choices, 1, 3)
    shape = arrays.cropped(arrays.shape(choices, 0, 3), count)
    wrong = np.dtype(np.int32) if draft.should_be_invalid(DTYPE) else np.dtype(np.bool)
    return [arrays.array(choices, wrong, shape) for _ in range(count)]


def selected(draft: Draft) -> Any:
    """Draw one array for each condition."""
    choices, conditions = draft.choices, draft["condlist"]
    shape: Shape = np.shape(conditions[0]) if conditions else ()
    count = len(conditions) + draft.should_be_invalid(COUNT)
    return [arrays.array(choices, choices.pick(ANY), arrays.narrowed(choices, shape)) for _ in range(count)]


def dims(draft: Draft) -> Any:
    found = tuple([draft.choices.integer(1, 6) for _ in range(draft.choices.integer(1, 3))])
    return draft.choices.pick(((-1, 2), (10**10, 10**10))) if draft.should_be_invalid() else found


def flat_indices(draft: Draft) -> Any:
    size = math.prod(draft["shape"]) if type(draft["shape"]) is tuple else 1
    shape = arrays.shape(draft.choices, 0, 3)
    return indices.among(draft.choices, range(-draft.should_be_invalid(), max(size, 1)), shape)


def multi_index(draft: Draft) -> Any:
    """Draw a tuple of index arrays, one for each dimension."""
    choices, dims = draft.choices, draft["dims"]
    shape = arrays.shape(choices, 0, 2)
    beyond = draft.should_be_invalid() or (draft["mode"] != "raise" and choices.flag())
    dims = [dim if type(dim) is int and dim > 0 else 1 for dim in (dims if type(dims) is tuple else (1,))]
    options = [range(-3 * beyond, min(dim, 9) + 3 * beyond) for dim in dims]
    return tuple([indices.among(choices, one, shape) for one in options])


def modes(draft: Draft) -> Any:
    """One mode, or one for each dimension."""
    mode = literal("raise", "wrap", "clip")
    dims = draft["dims"]
    if type(dims) is not tuple or draft.choices.flag(0.6):
        return mode(draft)
    return tuple([mode(draft) for _ in dims])


def other_axis(draft: Draft) -> Any:
    """Any axis but the first of the two."""
    rank, taken = len(draft.shape("a")), draft["axis1"]
    if draft.omits("axis1") and draft.choices.flag(0.7):
        return OMITTED
    if type(taken) is not int or not rank > 1 or draft.should_be_invalid(AXIS):
        return taken
    found = draft.choices.pick([axis for axis in range(rank) if axis != taken % rank])
    return found - rank * draft.choices.flag(0.3)


TWO_AXES: dict[str, Strategy] = {"axis1": axis_of("a"), "axis2": always(other_axis)}


def compressed_out(draft: Draft) -> Any:
    """Draw an output array, if the condition is a list: only then do all siblings share the result's length."""
    return out(draft) if type(draft["condition"]) is list else OMITTED


# Never without elements: NumPy 2.4 then unpacks whatever lay in memory.
BYTES = (np.dtype(np.uint8),)

LINES: dict[str, dict[str, Strategy]] = {
    "choose": {"a": chosen, "choices": alternatives},
    "compress": {
        "condition": draw_condition,
        "a": nonempty(1, 3),
        "axis": either(axis_of("a"), literal(None)),
        "out": compressed_out,
    },
    "diagonal": {"a": array(2, 4), **TWO_AXES},
    "packbits": {
        "a": array(0, 3, BOOLS + INTEGERS),
        "axis": axis_of("a", none=True),
        "bitorder": literal("big", "little"),
    },
    "ravel_multi_index": {"multi_index": multi_index, "dims": dims, "mode": modes, "order": literal("C", "F")},
    "select": {"condlist": conditions, "choicelist": selected, "default": literal(0, 1, 2.5, -1, 1j)},
    "take": {
        "a": array(0, 4),
        "indices": or_booleans(index_into("a", clipped="mode")),
        "axis": either(axis_of("a"), literal(None)),
    },
    "take_along_axis": {
        "arr": nonempty(1, 4),
        "indices": along,
        "axis": either(axis_of("arr"), axis_of("arr"), literal(None)),
    },
    "unpackbits": {
        "a": nonempty(1, 3, BYTES, always=True),
        "axis": axis_of("a", none=True),
        "count": either(integer(0, 12), literal(-1, -3, -8, None, 30)),
        "bitorder": literal("big", "little"),
    },
    "unravel_index": {"indices": flat_indices, "shape": dims, "order": literal("C", "F")},
}
