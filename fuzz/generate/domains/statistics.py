"""Sums, extremes, averages, spreads, quantiles, histograms, differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import arrays
from fuzz.generate.arguments import PARAMETERS
from fuzz.generate.arrays import BOOLS, FLOATS, INEXACT, INTEGERS, REALS
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import COUNT, SHAPE, SHAPES
from fuzz.generate.choices import Choices
from fuzz.generate.constraints import (
    COUNTS,
    array,
    array_of_shape,
    axis_of,
    beside,
    increasing,
    nonempty,
    partner,
    same_shape,
)
from fuzz.generate.scalars import dim_of, either, integer, literal, number, past, with_options_of

REDUCED = axis_of("a", none=True, many=True)
SINGLE = axis_of("a", none=True)
NUMBERS = REALS + arrays.COMPLEX
COUNTS_OF_POINTS = (3, 1, 2, 4, 5, 6, 3, 4, 5, 12, 40)
DENSITY = literal(None, False, True)


PARTS = (0.5, 0.0, 1.0, 0.25, 0.1, 0.9, 0.333)
MOST_POSITIONS = 9
METHOD = PARAMETERS["method"]


def quantile(high: float) -> Strategy:
    """Return a strategy for fractions of `high`: a scalar, a list or an array; often the exact positions of
    elements.
    """

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        if draft.should_be_invalid():
            return choices.pick((-0.5 * high, 1.5 * high, [0.5, 2 * high]))
        last = dim_of(draft, "a") - 1
        exact = [step / last * high for step in range(min(last, MOST_POSITIONS))] if last > 0 else []
        between = [(step + 0.5) / last * high for step in range(min(last, MOST_POSITIONS))]
        if last > 0 and choices.flag():  # where methods step from one element to the next
            between = [step / (2 * last + 2) * high for step in range(min(2 * last + 2, MOST_POSITIONS))]
        if not draft.omits("weights") and choices.flag(0.15):
            return choices.pick((0.0, 0, high))  # where weights of 0 matter
        if not draft.omits("method") and between and choices.flag(0.3):  # where methods differ
            return choices.pick((*between, *exact))
        options = [*(part * high for part in PARTS), *exact, *between, -0.0, 5e-324]
        form = choices.integer(0, 5)
        if form < 2:
            return choices.pick(options)
        if form == 5:
            return choices.pick((np.float64(0.5 * high), np.float32(0.25 * high), -0.0, np.array(0.75 * high)))
        if form == 2:
            return choices.integer(0, last) / last * high if last > 0 else high
        if form == 3:
            return choices.picks(options, choices.integer(0, 3))
        return arrays.filled(choices, np.dtype(np.float64), arrays.shape(choices, 1, 2)[:2], options)

    return draw


def along_axis(dtypes: Any, *, signed: bool = False) -> Strategy:
    """Return a strategy for weights: of the array's shape, or a vector along the axis; one in five contains zeros or
    subnormal numbers.
    """

    def draw(draft: Draft) -> Any:
        choices, shape, axis = draft.choices, draft.shape("a"), draft["axis"]
        if type(axis) is int and -len(shape) <= axis < len(shape) and choices.flag():
            shape = (shape[axis],)
        if draft.should_be_invalid(SHAPE):
            shape = arrays.nearly(choices, shape)
        dtype = choices.pick(dtypes)
        pools = arrays.POOLS[dtype]
        if signed and choices.flag(0.15):
            return arrays.array(choices, dtype, shape, choices.pick(("special", "")))
        small = (0.0, -0.0, ml_dtypes.finfo(dtype).smallest_subnormal) if arrays.kind(dtype) == "f" else (0,)
        return arrays.filled(choices, dtype, shape, (*pools["positive"], *small * choices.flag(0.35)))

    return draw


def method(draft: Draft) -> Any:
    """Draw the method of a quantile, mostly the one that takes weights if there are any."""
    if draft.asked_option() is None and not draft.omits("weights") and draft.choices.flag(0.9):
        return "inverted_cdf"
    return METHOD(draft) if draft.is_due() or draft.is_required() or draft.choices.flag(0.35) else OMITTED


def edges(draft: Draft, counts: Sequence[int] = COUNTS) -> Any:
    """Bins: a count or edges."""
    choices = draft.choices
    if draft.should_be_invalid():
        falling = np.array([3, 1, 2], arrays.usual_dtype(choices, choices.pick(REALS)))
        return choices.pick((0, -1, [3, 1, 2], falling, falling))
    form = choices.integer(0, 5)
    if form < 3:
        return choices.pick((3, 1, 5, 10, 3, 1, 5, 10, np.int64(4), np.array(3)))
    return increasing(counts=counts)(draft) if form < 5 else sorted(choices.picks((0.0, 1.0, 2.5, 4.0, 7.0), 3))


def edges_or_rule(draft: Draft) -> Any:
    """Bins, or the name of a rule, which takes no weights."""
    if draft.omits("weights") and not draft.is_due() and draft.choices.flag(0.15):
        return draft.choices.pick(("auto", "fd", "doane", "scott", "rice", "sturges", "sqrt"))
    return edges(draft)


def edges_of_each(count: Strategy) -> Strategy:
    """Bins of all dimensions, or of each."""

    def draw(draft: Draft) -> Any:
        if draft.is_due() or draft.choices.flag():
            return edges(draft, COUNTS_OF_POINTS)
        return [edges(draft, COUNTS_OF_POINTS) for _ in range(count(draft))]

    return draw


def dimensions(draft: Draft) -> int:
    shape = draft.shape("sample")
    return shape[1] if len(shape) > 1 else 1


def ranges(draft: Draft) -> Any:
    """None, or a range for each dimension."""
    if draft.choices.flag(0.3):
        return None
    return draft.choices.picks(((0, 5), (-1.0, 3.5), (-3, 3)), dimensions(draft))


def counts(draft: Draft) -> Any:
    """Draw non-negative integers, mostly small ones; invalid ones are negative."""
    if draft.should_be_invalid():
        return arrays.filled(draft.choices, draft.choices.pick(arrays.SIGNED), _vector(draft), (-1, 2, 3))
    dtype = draft.choices.pick(INTEGERS)
    largest = min(draft.choices.pick((4, 9, 70, 8, 6, 100, 1025, 5000)), np.iinfo(dtype).max)
    return arrays.filled(draft.choices, dtype, _vector(draft), (0, 1, 2, 3, 5, 7, largest))


def _vector(draft: Draft) -> arrays.Shape:
    return arrays.shape(draft.choices, 1, 1)


def varargs(draft: Draft) -> Any:
    """Draw spacings for `gradient`: none, one for all axes, one for each axis, or coordinates."""
    choices, shape, axis = draft.choices, draft.shape("f"), draft["axis"]
    axes = range(len(shape)) if axis is None else axis if type(axis) is tuple else (axis,)
    form = choices.integer(0, 3) if not draft.should_be_invalid(COUNT) else 4
    if form == 0 or not isinstance(axis, int | tuple | None):
        return []
    if form == 1:
        return [choices.pick(SPACINGS)]
    if form == 4:
        return [1.0] * (len(shape) + 2)
    known = [one for one in axes if type(one) is int and -len(shape) <= one < len(shape)]
    if form == 2:
        return [choices.pick(SPACINGS) for _ in known]
    return [coordinates(choices, shape[one]) for one in known]


SPACINGS = (2.0, 1, 0.5, 2.0, 1, 0.5, -1, 0.0, -0.0, np.float64(0.25), np.array(3.0))


def coordinates(choices: Choices, count: int) -> np.ndarray:
    """Draw increasing numbers, or arbitrary ones."""
    if choices.flag(0.3):
        return arrays.array(choices, np.dtype(np.float64), (count,))
    return arrays.laid(choices, np.cumsum(choices.picks((1.0, 0.5, 2.0), count)), exactly=True)


def draw_long_array(draft: Draft) -> Any:
    """Draw an array with at least 3 elements along each axis, which gradients of second order need."""
    shape = tuple([dim if dim > 2 else 3 for dim in arrays.shape(draft.choices, 1, 3)])
    return arrays.array(draft.choices, draft.choices.pick(NUMBERS), (2,) if draft.should_be_invalid(SHAPE) else shape)


def steps(draft: Draft) -> Any:
    """Coordinates along the axis."""
    shape, axis = draft.shape("y"), draft["axis"]
    dim = shape[axis] if type(axis) is int and -len(shape) <= axis < len(shape) else 1
    return arrays.array(
        draft.choices, draft.choices.pick(REALS), (dim + 1 + (dim == 0) if draft.should_be_invalid(SHAPE) else dim,)
    )


def binned(low: int, high: int) -> Strategy:
    """Return a strategy for an array to be binned; finite if no range is given, now and then integers far apart."""
    anything = array(low, high, REALS, "small")
    finite = either(
        *[array(low, high, REALS, "finite")] * 4, array(low, high, INTEGERS, "spread"), equal_numbers(low, high)
    )
    return lambda draft: (finite if draft["range"] is None else anything)(draft)


def equal_numbers(low: int, high: int) -> Strategy:
    """Return a strategy for arrays with one number everywhere, which has no range of its own."""

    def draw(draft: Draft) -> Any:
        choices = draft.choices
        dtype = arrays.usual_dtype(choices, choices.pick(REALS))
        number = choices.values.pick(arrays.POOLS[dtype]["small"])
        return arrays.filled(choices, dtype, arrays.shape(choices, low, high), (number,))

    return draw


def within(draft: Draft) -> Any:
    if draft.should_be_invalid():
        return draft.choices.pick(((3, 1), (0, np.inf), (-np.inf, np.inf), (-np.inf, 0.0), (0.0, np.nan)))
    return draft.choices.pick(((0, 5), (0.0, 1.0), (-3, 3), (2, 2), None))


def ends(other: str) -> Strategy:
    """Return a strategy for `prepend` or `append` of a difference: one slice across the axis, or a scalar."""

    def across(draft: Draft) -> arrays.Shape:
        shape, axis = draft.shape(other), draft["axis"]
        if type(axis) is not int or not shape or not -len(shape) <= axis < len(shape):
            return ()
        at = axis % len(shape)
        return (*shape[:at], arrays.dim(draft.choices, 2), *shape[at + 1 :])

    return either(number(NUMBERS), array_of_shape(across, like=other))


OBSERVED = arrays.weighted({2: 4, 3: 5, 4: 4, 5: 4, 1: 4, 0: 1, 30: 1, 600: 1})


OBSERVED_USUALLY = tuple(count for count in OBSERVED if count > 1)


def columns(draft: Draft) -> Any:
    """Draw a matrix of variables by observations."""
    choices = draft.choices
    counts = OBSERVED if SHAPES in choices.edges else OBSERVED_USUALLY
    shape = (choices.integer(1, 3), choices.pick(counts))
    return arrays.array(choices, choices.pick(NUMBERS), shape if draft["rowvar"] else shape[::-1])


def points(draft: Draft) -> Any:
    """Draw points in one or two dimensions, as the default is ten bins along each; in one also as a vector."""
    shape: arrays.Shape = (draft.choices.pick((*range(10), 100, 700)), draft.choices.integer(1, 2))
    if draft.choices.flag(0.15):
        shape = shape[: draft.choices.pick((1, 1, 1, 1, 0))]
    return arrays.array(draft.choices, draft.choices.pick(REALS), shape, "finite")


def observations(length: str, dtypes: Any = INTEGERS) -> Strategy:
    """Return a strategy for an array with as many counts, or weights, as there are observations."""

    def draw(draft: Draft) -> Any:
        shape = draft.shape(length)
        dim = shape[-1] if shape else 1
        if "rowvar" in draft and not draft["rowvar"] and len(shape) == 2:
            dim = shape[0]
        if draft.should_be_invalid():
            return arrays.filled(draft.choices, draft.choices.pick(arrays.SIGNED), (dim,), (-1, -2))
        dtype = draft.choices.pick(dtypes)
        parts = (0.5, 0.25, 1.5) if arrays.kind(dtype) == "f" else ()
        return arrays.filled(draft.choices, dtype, (dim,), (1, 2, 3, 0, 5, *parts))

    return draw


def with_gaps(low: int, high: int, strategy: Strategy, dtypes: Any = INEXACT) -> Strategy:
    """Return the strategy for arrays, or small numbers with some nan between them instead, which are to be ignored."""
    return either(strategy, array(low, high, dtypes, "gaps"))


def reduction(dtypes: Any = arrays.ANY, name: str = "a", **more: Strategy) -> dict[str, Strategy]:
    return {name: array(0, 6, dtypes), "axis": axis_of(name, none=True, many=True), **more}


def extreme(dtypes: Any = arrays.ANY) -> dict[str, Strategy]:
    return {"a": nonempty(0, 6, dtypes), "axis": REDUCED, "where": where_begun}


def where_begun(draft: Draft) -> Any:
    """Draw a mask, if there is an initial value: extremes of nothing need one."""
    if not draft.omits("initial"):
        return PARAMETERS["where"](draft)
    return True if draft.is_required() else OMITTED


def located(dtypes: Any = arrays.ANY, *pools: str) -> dict[str, Strategy]:
    return {"a": either(*(nonempty(1, 5, dtypes, pool) for pool in pools or ("",))), "axis": SINGLE}


def running(name: str = "a") -> dict[str, Strategy]:
    return {name: array(1, 4), "axis": always(axis_of(name)) if name == "x" else axis_of(name, none=True)}


def ranked(high: float) -> dict[str, Strategy]:
    return {
        "a": nonempty(1, 4, REALS),
        "q": quantile(high),
        "axis": REDUCED,
        "method": always(with_options_of(METHOD, method)),
        "weights": along_axis(REALS),
    }


INEXACT_RESULT: dict[str, Strategy] = {
    "dtype": literal(np.float32, np.float64, "f8", np.float16, np.complex64, np.complex128, None, bad=("bogus",))
}
PERIODS = literal(None, 3, 5.0, np.float64(2.5), -4, bad=(0,), varied=False)


def _draw_period(draft: Draft) -> Any:
    """Draw a period within which all points differ: of equal ones, the sorting of NumPy's version chooses one."""
    drawn, points = PERIODS(draft), np.asarray(draft["xp"])
    longer = 2.0 * float(np.ptp(points)) + 1.0 if points.size else 1.0
    return next((period for period in (drawn, longer) if not period or _differ_within(points, period)), None)


def _differ_within(points: np.ndarray, period: float) -> bool:
    positions = np.asarray(points, float)
    is_finite = bool(np.isfinite(period) and np.isfinite(positions).all())
    return is_finite and np.unique(positions % abs(period)).size == points.size


PERIOD = with_options_of(PERIODS, _draw_period)

LINES: dict[str, dict[str, Strategy]] = {
    "all": reduction(),
    "amax": extreme(),
    "amin": extreme(),
    "any": reduction(),
    "argmax": located(),
    "argmin": located(),
    "average": {"a": nonempty(1, 4, NUMBERS), "axis": REDUCED, "weights": along_axis(REALS, signed=True)},
    "bincount": {"x": counts, "weights": same_shape("x", REALS), "minlength": integer(0, 10, (-1,), (100, 1000))},
    "convolve": {"a": nonempty(1, 1), "v": nonempty(1, 1), "mode": literal("full", "same", "valid")},
    "corrcoef": {"x": columns, "y": same_shape("x", NUMBERS), "dtype": literal(np.float64, np.float32, None)},
    "correlate": {"a": nonempty(1, 1), "v": nonempty(1, 1), "mode": literal("valid", "same", "full")},
    "count_nonzero": reduction(),
    "cov": {
        "m": columns,
        "y": same_shape("m", NUMBERS),
        "fweights": observations("m"),
        "aweights": observations("m", REALS),
        "ddof": literal(0, 1, None, bad=()),
        "dtype": literal(np.float64, np.float32, None),
    },
    "cumprod": running(),
    "cumsum": running(),
    "cumulative_prod": running("x"),
    "cumulative_sum": running("x"),
    "diff": {
        "a": array(1, 4),
        "n": past("a", integer(0, 3)),
        "axis": axis_of("a"),
        "prepend": ends("a"),
        "append": ends("a"),
    },
    "digitize": {"x": beside("bins", array(0, 3, REALS)), "bins": increasing()},
    "ediff1d": {"ary": array(0, 3, NUMBERS), "to_end": partner("ary"), "to_begin": partner("ary")},
    "gradient": {
        "f": draw_long_array,
        "varargs": varargs,
        "axis": axis_of("f", none=True, many=True),
        "edge_order": literal(1, 2),
    },
    "histogram": {
        "a": binned(0, 2),
        "bins": edges_or_rule,
        "range": within,
        "density": DENSITY,
        "weights": same_shape("a", REALS),
    },
    "histogram_bin_edges": {
        "a": binned(0, 2),
        "bins": edges_or_rule,
        "range": within,
        "weights": same_shape("a", REALS),
    },
    "histogram2d": {
        "x": binned(1, 1),
        "y": same_shape("x", REALS, "finite"),
        "bins": edges_of_each(lambda draft: 2),
        "range": literal(None, [[0, 5], [-1, 3]]),
        "density": DENSITY,
        "weights": same_shape("x", REALS),
    },
    "histogramdd": {
        "sample": points,
        "bins": either(literal(2, 3, [2, 2], bad=(0, -1)), edges_of_each(dimensions)),
        "range": ranges,
        "density": DENSITY,
        "weights": array_of_shape(lambda draft: draft.shape("sample")[:1], REALS),
    },
    "interp": {
        "x": beside("xp", array(0, 3, REALS)),
        "xp": increasing(counts=COUNTS_OF_POINTS, missing=True),
        "fp": same_shape("xp", NUMBERS),
        "left": number(REALS),
        "right": number(REALS),
        "period": PERIOD,
    },
    "max": extreme(),
    "mean": reduction(),
    "median": {"a": nonempty(0, 4, REALS), "axis": REDUCED},
    "min": extreme(),
    "nanargmax": located(BOOLS + INTEGERS + FLOATS, "awkward", "gaps", "gaps", "finite", "halves", "special"),
    "nanargmin": located(BOOLS + INTEGERS + FLOATS, "awkward", "gaps", "gaps", "finite", "halves", "special"),
    "nancumprod": running() | {"a": with_gaps(1, 4, array(1, 4))},
    "nancumsum": running() | {"a": with_gaps(1, 4, array(1, 4))},
    "nanmax": extreme() | {"a": with_gaps(0, 5, nonempty(0, 5))},
    "nanmean": reduction() | INEXACT_RESULT | {"a": with_gaps(0, 5, array(0, 5))},
    "nanmedian": {"a": with_gaps(0, 4, nonempty(0, 4, REALS), FLOATS), "axis": REDUCED},
    "nanmin": extreme() | {"a": with_gaps(0, 5, nonempty(0, 5))},
    "nanpercentile": ranked(100) | {"a": with_gaps(1, 4, nonempty(1, 4, REALS), FLOATS)},
    "nanprod": reduction() | {"a": with_gaps(0, 5, array(0, 5))},
    "nanquantile": ranked(1) | {"a": with_gaps(1, 4, nonempty(1, 4, REALS), FLOATS)},
    "nanstd": reduction() | INEXACT_RESULT | {"a": with_gaps(0, 5, array(0, 5))},
    "nansum": reduction() | {"a": with_gaps(0, 5, array(0, 5))},
    "nanvar": reduction() | INEXACT_RESULT | {"a": with_gaps(0, 5, array(0, 5))},
    "percentile": ranked(100),
    "prod": reduction(),
    "ptp": {"a": nonempty(0, 5, NUMBERS), "axis": REDUCED},
    "quantile": ranked(1),
    "std": reduction(),
    "sum": reduction(),
    "trapezoid": {"y": array(1, 3, INEXACT + REALS), "x": either(same_shape("y", REALS), steps), "axis": axis_of("y")},
    "var": reduction(),
}
