"""Sums, extremes, averages, spreads, quantiles, histograms, differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz import values
from fuzz.drafts import OMITTED, Draft, Word, always
from fuzz.quantities import either, integer, literal, number
from fuzz.relations import array, axis_of, increasing, nonempty, partner, same_shape, sides, vector
from fuzz.values import BOOLS, FLOATS, INEXACT, INTEGERS, REALS

REDUCED = axis_of("a", none=True, many=True)
SINGLE = axis_of("a", none=True)
NUMBERS = REALS + values.COMPLEX
DENSITY = literal(None, False, True)


def quantile(high: float) -> Word:
    """Fractions of `high`: a number, a list or an array."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if draft.slips():
            return choices.pick((-0.5 * high, 1.5 * high, "a", np.nan, [0.5, 2 * high]))
        options = [part * high for part in (0.5, 0.0, 1.0, 0.25, 0.1, 0.9, 0.333)]
        form = choices.integer(0, 3)
        if form < 2:
            return choices.pick(options)
        if form == 2:
            return choices.picks(options, choices.integer(0, 3))
        return values.filled(choices, np.dtype(np.float64), values.shape(choices, 1, 2)[:2], options)

    return draw


def along_axis(dtypes: Any) -> Word:
    """Weights: of the array's shape, or a vector along the axis."""

    def draw(draft: Draft) -> Any:
        choices, shape, axis = draft.choices, draft.shape("a"), draft["axis"]
        if type(axis) is int and -len(shape) <= axis < len(shape) and choices.flag():
            shape = (shape[axis],)
        if draft.slips():
            shape = values.nearly(choices, shape)
        return values.array(choices, choices.pick(dtypes), shape, "positive")

    return draw


def weights(draft: Draft) -> Any:
    """For quantiles: only one of the methods takes them."""
    if draft["method"] != "inverted_cdf" and draft.choices.flag(0.9):
        return OMITTED
    return along_axis(REALS)(draft)


def edges(draft: Draft) -> Any:
    """Bins: a count, edges, or a rule's name."""
    choices = draft.choices
    if draft.slips():
        return choices.pick((0, -1, 1.5, [3, 1, 2], "bogus"))
    form = choices.integer(0, 5)
    if form < 3:
        return choices.pick((3, 1, 5, 10))
    return increasing()(draft) if form < 5 else sorted(choices.picks((0.0, 1.0, 2.5, 4.0, 7.0), 3))


def counts(draft: Draft) -> Any:
    """Small natural numbers; negative when they slip."""
    options = (0, 1, 2, 3, 5, 7) if not draft.slips() else (-1, 2, 3)
    dtype = draft.choices.pick(INTEGERS if options[0] == 0 else values.SIGNED)
    return values.filled(draft.choices, dtype, values.shape(draft.choices, 1, 1), options)


def varargs(draft: Draft) -> Any:
    """Spacings of a gradient: none, one for all, one for each axis, coordinates."""
    choices, shape, axis = draft.choices, draft.shape("f"), draft["axis"]
    axes = range(len(shape)) if axis is None else axis if type(axis) is tuple else (axis,)
    form = choices.integer(0, 3) if not draft.slips() else 4
    if form == 0 or not isinstance(axis, int | tuple | None):
        return []
    if form == 1:
        return [choices.pick((2.0, 1, 0.5))]
    if form == 4:
        return [1.0] * (len(shape) + 2)
    kept = [one for one in axes if type(one) is int and -len(shape) <= one < len(shape)]
    if form == 2:
        return [choices.pick((2.0, 1, 0.5)) for _ in kept]
    return [np.cumsum(choices.picks((1.0, 0.5, 2.0), shape[one])) for one in kept]


def long_sides(draft: Draft) -> Any:
    """At least 3 elements along each axis: what a gradient of second order needs."""
    shape = tuple([side if side > 2 else 3 for side in values.shape(draft.choices, 1, 3)])
    return values.array(draft.choices, draft.choices.pick(NUMBERS), shape[: 3 - draft.slips()])


def within(draft: Draft) -> Any:
    return draft.choices.pick(((0, 5), (0.0, 1.0), (-3, 3), None) if not draft.slips() else ((3, 1), 3, (0, np.nan)))


def ends(other: str) -> Word:
    """What a difference puts at an end: one slice across the axis, or a number."""

    def across(draft: Draft) -> values.Shape:
        shape, axis = draft.shape(other), draft["axis"]
        if type(axis) is not int or not shape or not -len(shape) <= axis < len(shape):
            return ()
        place = axis % len(shape)
        return (*shape[:place], draft.choices.integer(0, 2), *shape[place + 1 :])

    return either(number(NUMBERS), sides(across, like=other))


def columns(draft: Draft) -> Any:
    """Variables by observations."""
    return values.array(
        draft.choices, draft.choices.pick(NUMBERS), (draft.choices.integer(1, 3), draft.choices.integer(2, 5))
    )


def points(draft: Draft) -> Any:
    """Points of one or two dimensions: ten bins along each are the default."""
    shape = (draft.choices.integer(0, 9), draft.choices.integer(1, 2))
    return values.array(draft.choices, draft.choices.pick(REALS), shape[: 2 - draft.slips()], "small")


def observations(length: str) -> Word:
    def draw(draft: Draft) -> Any:
        shape = draft.shape(length)
        side = shape[-1] if shape else 1
        if "rowvar" in draft and not draft["rowvar"] and len(shape) == 2:
            side = shape[0]
        options = (1, 2, 3, 0, 5) if draft.plan.slots and not draft.slips() else (-1, -2)
        return values.filled(
            draft.choices, draft.choices.pick(INTEGERS if options[0] > 0 else values.SIGNED), (side,), options
        )

    return draw


def reduction(dtypes: Any = values.ANY, name: str = "a", **more: Word) -> dict[str, Word]:
    return {name: array(0, 5, dtypes), "axis": axis_of(name, none=True, many=True), **more}


def extreme(dtypes: Any = values.ANY) -> dict[str, Word]:
    return {"a": nonempty(0, 5, dtypes), "axis": REDUCED}


def located(dtypes: Any = values.ANY) -> dict[str, Word]:
    return {"a": nonempty(1, 5, dtypes), "axis": SINGLE}


def running(name: str = "a") -> dict[str, Word]:
    return {name: array(1, 4), "axis": always(axis_of(name)) if name == "x" else axis_of(name, none=True)}


def ranked(high: float) -> dict[str, Word]:
    return {"a": nonempty(1, 4, REALS), "q": quantile(high), "axis": REDUCED, "weights": weights}


LINES: dict[str, dict[str, Word]] = {
    "all": reduction(),
    "amax": extreme(),
    "amin": extreme(),
    "any": reduction(),
    "argmax": located(),
    "argmin": located(),
    "average": {"a": nonempty(1, 4, NUMBERS), "axis": REDUCED, "weights": along_axis(REALS)},
    "bincount": {"x": counts, "weights": same_shape("x", REALS), "minlength": integer(0, 10)},
    "convolve": {"a": nonempty(1, 1), "v": nonempty(1, 1), "mode": literal("full", "same", "valid")},
    "corrcoef": {"x": columns, "y": same_shape("x", NUMBERS), "dtype": literal(np.float64, np.float32, None)},
    "correlate": {"a": nonempty(1, 1), "v": nonempty(1, 1), "mode": literal("valid", "same", "full")},
    "count_nonzero": reduction(),
    "cov": {
        "m": columns,
        "y": same_shape("m", NUMBERS),
        "fweights": observations("m"),
        "aweights": observations("m"),
        "ddof": literal(0, 1, None, bad=(1.5, "a")),
        "dtype": literal(np.float64, np.float32, None),
    },
    "cumprod": running(),
    "cumsum": running(),
    "cumulative_prod": running("x"),
    "cumulative_sum": running("x"),
    "diff": {"a": array(1, 4), "n": integer(0, 3), "axis": axis_of("a"), "prepend": ends("a"), "append": ends("a")},
    "digitize": {"x": array(0, 3, REALS), "bins": increasing()},
    "ediff1d": {"ary": array(0, 3, NUMBERS), "to_end": partner("ary"), "to_begin": partner("ary")},
    "gradient": {
        "f": long_sides,
        "varargs": varargs,
        "axis": axis_of("f", none=True, many=True),
        "edge_order": literal(1, 2),
    },
    "histogram": {
        "a": array(0, 2, REALS, "small"),
        "bins": edges,
        "range": within,
        "density": DENSITY,
        "weights": same_shape("a", REALS),
    },
    "histogram_bin_edges": {
        "a": array(0, 2, REALS, "small"),
        "bins": edges,
        "range": within,
        "weights": same_shape("a", REALS),
    },
    "histogram2d": {
        "x": vector(REALS, "small"),
        "y": same_shape("x", REALS, "small"),
        "bins": edges,
        "range": literal(None, [[0, 5], [-1, 3]]),
        "density": DENSITY,
        "weights": same_shape("x", REALS),
    },
    "histogramdd": {
        "sample": points,
        "bins": literal(2, 3, [2, 2], bad=(0, -1)),
        "range": literal(None),
        "density": DENSITY,
        "weights": sides(lambda draft: draft.shape("sample")[:1], REALS),
    },
    "interp": {
        "x": array(0, 3, REALS),
        "xp": increasing(),
        "fp": same_shape("xp", NUMBERS),
        "left": number(REALS),
        "right": number(REALS),
        "period": literal(None, 3, 5.0, bad=(0,)),
    },
    "max": extreme(),
    "mean": reduction(),
    "median": {"a": nonempty(0, 4, REALS), "axis": REDUCED},
    "min": extreme(),
    "nanargmax": located(BOOLS + INTEGERS + FLOATS),
    "nanargmin": located(BOOLS + INTEGERS + FLOATS),
    "nancumprod": running(),
    "nancumsum": running(),
    "nanmax": extreme(),
    "nanmean": reduction(),
    "nanmedian": {"a": nonempty(0, 4, REALS), "axis": REDUCED},
    "nanmin": extreme(),
    "nanpercentile": ranked(100),
    "nanprod": reduction(),
    "nanquantile": ranked(1),
    "nanstd": reduction(),
    "nansum": reduction(),
    "nanvar": reduction(),
    "percentile": ranked(100),
    "prod": reduction(),
    "ptp": {"a": nonempty(0, 5, NUMBERS), "axis": REDUCED},
    "quantile": ranked(1),
    "std": reduction(),
    "sum": reduction(),
    "trapezoid": {"y": array(1, 3, INEXACT + REALS), "x": same_shape("y", REALS), "axis": axis_of("y")},
    "var": reduction(),
}
