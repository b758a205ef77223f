"""Creating arrays from sizes, bounds and other arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.builder import OMITTED, Draft, Strategy, always
from fuzz.generate.call_classes import AXIS, NUMBERS
from fuzz.generate.constraints import array, array_of_shape, broadcasting, counterpart, several, square, vector
from fuzz.generate.scalars import as_tuple, either, integer, integers, itself, literal, number, shape_like, sometimes

short = array_of_shape(lambda draft: (draft.choices.integer(1, 2),), arrays.REALS)
offset = literal(0, 8, bad=(-1, 99))
bound = literal(0, 1, 2, -1, 5, 0.5, 2.5, -3.0, 10, np.float32(1.5), np.int64(3), 1 + 2j)


def no_number(draft: Draft) -> Any:
    """Draw an infinity or nan as an end, where numbers may be unusual."""
    return draft.choices.pick((np.inf, -np.inf, np.nan)) if NUMBERS in draft.choices.edges else bound(draft)


ends = either(bound, bound, array(0, 2, arrays.REALS, "small"), no_number)
exponent = literal(0, 1, 2, -1, 0.5, 3.0, np.float32(1.5), 1j)
positive_end = either(
    *[literal(1, 2, 10, 0.5, 1000, 1e-3, -1.0, 1j, np.float32(2.5), bad=(0,), varied=False)] * 4,
    array(1, 2, arrays.REALS, "positive", long=False),
)


def other_positive_end(draft: Draft) -> Any:
    """Draw a number, or an array that is broadcast with the other end."""
    if np.ndim(draft["start"]) and draft.choices.flag():
        return counterpart("start", arrays.REALS, "positive")(draft)
    return literal(1, 2, 10, 0.5, 1000, 1e-3, np.float32(2.5), bad=(0,), varied=False)(draft)


def ends_axis(draft: Draft) -> Any:
    """Draw an axis of the result, which has one more than the ends."""
    rank = max(np.ndim(draft[name]) for name in ("start", "stop"))
    return rank + 1 if draft.should_be_invalid(AXIS) else draft.choices.integer(-rank - 1, rank)


count = either(*[integer(0, 12, (-1,))] * 9, literal(65, 200, bad=(-1,)))


def filling(draft: Draft) -> Any:
    """Draw an array that broadcasts to the array to be filled."""
    asked = draft["shape"]
    full = draft.shape("a") if asked is None else np.empty(asked, bool).shape
    return arrays.array(draft.choices, draft.choices.pick(arrays.ANY), arrays.narrowed(draft.choices, full))


def step(draft: Draft) -> Any:
    """Draw a step that gives at most a few dozen elements."""
    return draft.choices.pick(
        (1, 2, -1, 0.5, 3, 0.3, -2.0, np.float32(0.25), 100) if not draft.should_be_invalid() else (0,)
    )


def limit(draft: Draft) -> Any:
    return draft.choices.pick((5, 3, 0, 1, -4, 2.5, 7.0, np.int32(4), np.float32(3.5), 2**31))


def bases(draft: Draft) -> Any:
    """A base for each end, or several."""
    shape = np.broadcast_shapes(draft.shape("start"), draft.shape("stop")) or (2,)
    return arrays.array(draft.choices, draft.choices.pick(arrays.FLOATS), shape, "positive")


LARGE_STARTS = (2**53 - 1, 2**53 + 1, -(2**62) - 1, 2**63 - 9, 2**31 - 2)
"""Integers that floats of 64 bits, or integers of 32, do not hold, or the numbers after them."""

usual_start = literal(3, 0, 1, 5, -2, 2.5, 6.0, np.int64(4))
usual_stop = sometimes(literal(5, 3, 0, -4, 2.5, 7.0, np.int32(4), 11, 20), 0.65)


def start(draft: Draft) -> Any:
    """Draw the start of a range, a large integer where numbers may be unusual."""
    choices = draft.choices
    return choices.pick(LARGE_STARTS) if NUMBERS in choices.edges and choices.flag(0.3) else usual_start(draft)


def stop(draft: Draft) -> Any:
    """Draw the stop of a range or none, near a start that is large."""
    begin = draft["start_or_stop"]
    return begin + draft.choices.pick((3, 1, 6)) if begin in LARGE_STARTS else usual_stop(draft)


template: Strategy = array(0, 4)
like_shape = sometimes(shape_like(3), 0.5)

row_or_column = literal("C", "F", bad=("K", "Z"))

LINES: dict[str, dict[str, Strategy]] = {
    "arange": {
        "start_or_stop": start,
        "stop": always(stop),
        "step": always(sometimes(step, 0.4)),
    },
    "array": {"object": template, "ndmin": integer(0, 4), "ndmax": sometimes(integer(0, 5), 0.3)},
    "asarray_chkfinite": {"a": either(*[array(pool="finite")] * 7, array(dtypes=(arrays.BFLOAT16,)))},
    "diag": {"v": array(1, 2)},
    "diag_indices": {"n": integer(0, 5), "ndim": integer(0, 3)},
    "diag_indices_from": {"arr": square(2, 2)},
    "diagflat": {"v": array(0, 2)},
    "empty_like": {"prototype": template, "shape": like_shape},
    "eye": {"N": integer(0, 5), "M": either(integer(0, 5), literal(None)), "order": row_or_column},
    "empty": {"order": row_or_column},
    "full": {"fill_value": either(number(), number(), number(), filling), "order": row_or_column},
    "frombuffer": {
        "buffer": literal(bytes(range(16)), b"12345678"),
        "dtype": literal(np.uint8, np.int32, np.float32, np.float64, "u2"),
        "count": literal(-1, 1),
        "offset": always(lambda draft: offset(draft) if len(draft["buffer"]) > 8 else OMITTED),
    },
    "fromstring": {
        "string": literal("1 2 3", "1.5 2", "7 8"),
        "dtype": literal(float, np.float32, "f8"),
        "count": literal(-1, 1, 2),
        "sep": literal(" ", "  "),
    },
    "full_like": {"a": template, "shape": like_shape, "fill_value": either(number(), number(), number(), filling)},
    "geomspace": {"start": positive_end, "stop": other_positive_end, "num": count, "axis": ends_axis},
    "identity": {"n": integer(0, 5)},
    "indices": {"dimensions": as_tuple(shape_like(3))},
    "linspace": {"start": ends, "stop": ends, "num": count, "axis": literal(0, -1, 1)},
    "logspace": {
        "start": exponent,
        "stop": exponent,
        "num": count,
        "base": either(literal(10.0, 2, 0.5, np.e), literal(10.0, 2, 0.5, np.e), bases),
        "axis": literal(0, -1),
    },
    "meshgrid": {
        "xi": either(*[several(array(0, 1), 1, 3)] * 9, several(short, 4, 8)),
        "indexing": literal("xy", "ij"),
    },
    "ones": {"order": row_or_column},
    "ones_like": {"a": template, "shape": like_shape},
    "tri": {"N": integer(0, 5), "M": either(integer(0, 5), literal(None))},
    "tril": {"m": array(2, 4)},
    "tril_indices": {"n": integer(0, 5), "m": either(integer(0, 5), literal(None))},
    "tril_indices_from": {"arr": itself(array(2, 2))},
    "triu": {"m": array(2, 4)},
    "triu_indices": {"n": integer(0, 5), "m": either(integer(0, 5), literal(None))},
    "triu_indices_from": {"arr": itself(array(2, 2))},
    "vander": {"x": vector(), "N": integer(0, 5)},
    "zeros": {"order": row_or_column},
    "zeros_like": {"a": template, "shape": like_shape},
    "ix_": {"args": either(*[several(either(*[vector()] * 5, integers(0, 5)), 1, 3)] * 9, several(short, 4, 8))},
    "broadcast_arrays": {"args": broadcasting()},
}
