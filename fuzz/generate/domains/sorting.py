"""Sorting, searching, counting, and sets."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays, indices
from fuzz.generate.arrays import ANY, BOOLS, INTEGERS, REALS
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import COUNT, SHAPE
from fuzz.generate.constraints import (
    array,
    axis_of,
    beside,
    counterpart,
    dtypes_of,
    increasing,
    mask_of,
    nonempty,
    partner,
    same_shape,
    several,
)
from fuzz.generate.scalars import dim_of, either, keywords, literal, never, sometimes, together

LAST = either(axis_of("a"), axis_of("a"), literal(None))


def kth(draft: Draft) -> Any:
    """Draw indices within the axis."""
    choices, dim = draft.choices, dim_of(draft, "a")
    beyond = draft.should_be_invalid()
    if choices.flag(0.7):
        return indices.position(choices, dim, beyond)
    return tuple(indices.listed(choices, dim, choices.integer(1, 3), beyond))


def stable(draft: Draft) -> Any:
    """Draw `stable`, which is given only if `kind` is not."""
    return OMITTED if draft["kind"] is not None else draft.choices.pick((True, False, None))


def sorter(draft: Draft) -> Any:
    """Draw the indices that sort the first argument, if it is not sorted; now and then otherwise, too."""
    first = np.asarray(draft["a"])
    if SHUFFLED not in draft.notes and not draft.is_due() and not draft.is_required() and not draft.choices.flag(0.05):
        return OMITTED
    if len(first) and draft.should_violate():
        return arrays.filled(draft.choices, np.dtype(np.int64), first.shape, range(len(first)))
    order = np.argsort(first, kind="stable")
    order = order[1:] if draft.should_be_invalid(SHAPE) else order
    return arrays.laid(draft.choices, order, exactly=True)


SHUFFLED = "the first argument is not sorted"


def ordered_or_not(strategy: Strategy) -> Strategy:
    """Return a strategy for sorted arrays, or for shuffled ones that need a sorter."""

    def draw(draft: Draft) -> Any:
        found, choices = np.asarray(strategy(draft)), draft.choices
        if not choices.flag(SHUFFLED_SHARE):
            return found
        draft.notes.add(SHUFFLED)
        order = np.array(arrays.shuffled(choices, range(len(found))), int)
        return arrays.laid(choices, found[order].astype(found.dtype.newbyteorder("=")), exactly=True)

    return draw


SHUFFLED_SHARE = 0.2


def keys(draft: Draft) -> Any:
    """Draw sort keys of one shape, with ties."""
    choices = draft.choices
    count = arrays.how_many(choices, 1, 3)
    shape = arrays.cropped(arrays.shape(choices, 1, 3), count)
    shapes = [arrays.nearly(choices, shape) if draft.should_be_invalid(SHAPE) else shape for _ in range(count)]
    found = [arrays.array(choices, choices.pick(dtypes_of(draft)), one, "small") for one in shapes]
    return tuple(found) if choices.flag() else found


def rows(draft: Draft) -> Any:
    """Draw a table whose columns are the sort keys, with ties, as its transpose."""
    choices = draft.choices
    shape = (arrays.dim(choices, 6), choices.integer(1, 3))
    return np.array(arrays.numbers(choices.values, choices.pick(REALS), shape[0] * shape[1], "small")).reshape(shape).T


def members(low: int = 0, high: int = 3) -> Strategy:
    """Return a strategy for arrays with many equal elements."""
    return either(array(low, high, pool="small"), array(low, high, INTEGERS, "unit"), array(low, high, REALS))


def same_members(other: str) -> Strategy:
    """Return a strategy for an array with elements of another argument, and others."""

    def draw(draft: Draft) -> Any:
        choices, dtype = draft.choices, draft.dtype(other)
        if dtype != arrays.TEXT and choices.flag(
            0.3
        ):  # whether NumPy finds numbers among text depends on how many there are
            dtype = choices.pick(ANY)
        return arrays.array(choices, dtype, arrays.shape(choices, 0, 3), choices.pick(("small", "small", "")))

    return either(draw, draw, found_in(other))


def members_or_unique(word: Strategy) -> Strategy:
    """Members; where they are assumed to be unique, different ones in any order, now and then in a column."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if draft["assume_unique"] is not True or draft.should_violate():
            return word(draft)
        dtype = arrays.usual_dtype(choices, choices.pick(dtypes_of(draft, REALS)))
        pool = arrays.POOLS[dtype]["distinct"][:12]
        order = arrays.shuffled(choices.values, pool)[: choices.integer(0, len(pool))]
        column = (-1, 1) if choices.flag(COLUMN_SHARE) else (-1,)
        return arrays.laid(choices, np.array(order, dtype).reshape(column), exactly=True)

    return draw


COLUMN_SHARE = 0.15


def found_in(other: str) -> Strategy:
    """Elements of another argument, in any order, some more than once."""

    def draw(draft: Draft) -> Any:
        choices, dtype, full = draft.choices, draft.dtype(other), np.ravel(draft[other])
        shape = arrays.shape(choices, 0, 3)
        if not full.size or full.dtype.newbyteorder("=") != dtype:
            return arrays.array(choices, dtype, shape)
        positions = arrays.picked(choices.values, range(full.size), np.dtype(np.int64), shape)
        return arrays.laid(choices, np.asarray(full[positions], dtype), exactly=True)

    return draw


def lookup(draft: Draft) -> Any:
    """Draw how members are looked up: by a table only among integers."""
    kinds = {draft.dtype("element").kind, draft.dtype("test_elements").kind}
    return draft.choices.pick((None, "sort", "table") if kinds <= set("biu") else (None, "sort"))


def values_for_conditions(draft: Draft) -> Any:
    """Draw a scalar or function for each condition, sometimes with one more as the default."""
    choices = draft.choices
    count = len(draft["condlist"]) + choices.integer(0, 1) + 2 * draft.should_be_invalid(COUNT)
    functions = (np.add, np.maximum) if not draft.omits("args") else (np.negative, np.square)
    return [choices.pick((1, 0.5, -1, 3) if choices.flag(0.7) else functions) for _ in range(count)]


def sought(draft: Draft) -> Any:
    """Numbers to look for among numbers, and text among text; some of those that are there."""
    if draft.choices.flag(0.3):
        return found_in("a")(draft)
    return array(0, 3, (arrays.TEXT,) if draft.dtype("a") == arrays.TEXT else REALS)(draft)


ORDERED = ordered_or_not(
    either(
        *[increasing()] * 6,
        *[increasing(dtypes=arrays.FLOATS, missing=True)] * 3,
        increasing(dtypes=(arrays.TEXT,)),
    )
)
SET = {
    "ar1": members_or_unique(members()),
    "ar2": members_or_unique(same_members("ar1")),
    "assume_unique": literal(False, True),
}
UNIQUE = {"x": members()}

LINES: dict[str, dict[str, Strategy]] = {
    "argpartition": {
        "a": nonempty(1, 3),
        "kth": kth,
        "axis": LAST,
        "kind": literal("introselect"),
        "order": literal(None),
    },
    "argsort": {"a": array(1, 4), "axis": LAST, "order": literal(None), "stable": stable},
    "extract": {"condition": mask_of("arr"), "arr": array(0, 3)},
    "intersect1d": SET,
    "isin": {
        "element": members_or_unique(members()),
        "test_elements": members_or_unique(same_members("element")),
        "assume_unique": literal(False, False, True),
        "kind": lookup,
    },
    "lexsort": {"keys": either(*[keys] * 7, array(2, 3), array(2, 3), rows), "axis": literal(-1, 0)},
    "nonzero": {"a": array(1)},
    "partition": {
        "a": nonempty(1, 3),
        "kth": kth,
        "axis": LAST,
        "kind": literal("introselect"),
        "order": literal(None),
    },
    "searchsorted": {
        "a": ORDERED,
        "v": beside("a", sought),
        "sorter": always(sorter),
    },
    "setdiff1d": SET,
    "setxor1d": SET,
    "sort": {"a": array(1, 4), "axis": LAST, "order": literal(None), "stable": stable},
    "sort_complex": {"a": array(1, 3)},
    "union1d": {"ar1": members(), "ar2": same_members("ar1")},
    "unique": {"ar": members(), "axis": axis_of("ar", none=True)},
    "unique_all": UNIQUE,
    "unique_counts": UNIQUE,
    "unique_inverse": UNIQUE,
    "unique_values": UNIQUE,
    "where": {
        "condition": either(array(1, 4, BOOLS), array(1, 4)),
        "x": always(either(counterpart("condition", ANY), counterpart("condition", ANY), never())),
        "y": together("x", partner("condition", ANY)),
    },
    "flatnonzero": {"a": array()},
    "argwhere": {"a": array(0, 3)},
    "iterable": {"y": array(0, 2)},
    "piecewise": {
        "x": array(1, 3, REALS),
        "condlist": several(same_shape("x", BOOLS), 1, 2),
        "funclist": values_for_conditions,
        "args": sometimes(literal([2], [0.5]), 0.2),
        "kw": keywords({"order": "C"}, {"casting": "unsafe"}),
    },
}
