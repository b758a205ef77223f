"""Strategies for parameters by their name, given the arguments drawn before."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

from fuzz.generate import arrays, constraints
from fuzz.generate.arrays import ANY, REALS
from fuzz.generate.builder import OMITTED, Draft, Strategy
from fuzz.generate.call_classes import LAYOUTS, SHAPE
from fuzz.generate.constraints import array, array_sequence, axis_of, partner
from fuzz.generate.scalars import integer, literal, never, number, past, shape_like, sometimes, unless

DTYPE_WORDS = (
    np.float32, np.float64, np.int32, np.int64, bool, float, int, complex, "float32", "f8", "i4", "int8", "uint8",
    "complex64", np.complex128, np.uint64, np.float16, np.bool, np.dtype(np.int16), np.dtype(np.uint32), "bool",
    np.uint16, None, ml_dtypes.bfloat16, np.dtype(">f4"), "c16", "?", "e",
)  # fmt: skip
BAD_DTYPES = ("bogus", "float33")

flag = literal(False, True, False, True, False, True, np.True_, np.False_)
switch = literal(False, True, True)
order = literal("C", "F", "A", "K", None, bad=("Z", "", "CF"))
casting = literal("same_kind", "safe", "unsafe", "no", "equiv", bad=("bogus",))
dtype = literal(*DTYPE_WORDS, bad=BAD_DTYPES)


def first_array(draft: Draft) -> str:
    """Return the name of the first parameter, which is the main array in nearly all of NumPy."""
    return next(iter(draft.plan.slots))


def of_first(strategy: Callable[..., Strategy], **options: Any) -> Strategy:
    """Return a strategy that `strategy` makes for the first parameter."""
    return lambda draft: strategy(first_array(draft), **options)(draft)


def past_first(strategy: Strategy) -> Strategy:
    """Return the strategy with numbers around the length of the first argument along the axis, now and then."""
    return lambda draft: past(first_array(draft), strategy)(draft)


def out(draft: Draft) -> Any:
    """Draw an array of the result's shape and dtype; an invalid one has others."""
    is_invalid = draft.should_be_invalid(SHAPE)
    if not is_invalid and not draft.is_required() and draft.choices.flag(0.4):
        return OMITTED
    found = draft.answer()
    if not isinstance(found, np.ndarray | np.generic):
        return OMITTED if not is_invalid else arrays.array(draft.choices, np.dtype(np.float64), ())
    shape, kind = found.shape, found.dtype
    if is_invalid:
        shape = arrays.nearly(draft.choices, shape)
    elif kind in arrays.WEIGHTS and draft.choices.flag(0.15) and not EXACT_OUT.search(draft.plan.name):
        kind = draft.choices.pick([dtype for dtype in arrays.DTYPES if np.can_cast(kind, dtype, "same_kind")])
    first = draft[first_array(draft)]
    is_alike = isinstance(first, np.ndarray) and first.shape == shape and first.dtype == kind and first.flags.writeable
    is_plain = bool(CONTIGUOUS_OUT.search(draft.plan.name))
    is_fit = is_alike and 0 not in first.strides and (first.flags.c_contiguous or not is_plain)
    if is_fit and LAYOUTS in draft.choices.edges and draft.choices.flag(OVERWRITTEN_SHARE):
        return first
    return arrays.writable(draft.choices, kind, shape, plainly=is_plain)


CONTIGUOUS_OUT = re.compile("dot")
"""Functions whose `out` has to be in C order."""


EXACT_OUT = re.compile("dot|choose|compress|arg(max|min)|take|round|around")
"""Functions whose results have to have the dtype of `out`."""
OVERWRITTEN_SHARE = 0.4


def where(draft: Draft) -> Any:
    """Draw booleans that broadcast to the first array, or one for all."""
    if draft.choices.flag(0.15):
        return draft.choices.flag()
    if draft.choices.flag(NOTHING_SHARE):
        return np.zeros(draft.shape(first_array(draft)), np.bool)
    return constraints.mask_of(first_array(draft))(draft)


NOTHING_SHARE = 0.08  # of masks, that let nothing through


def initial(draft: Draft) -> Any:
    """Draw a value to begin with: a complex one only for complex arrays."""
    is_complex = draft.dtype(first_array(draft)).kind == "c"
    return number(ANY if is_complex else REALS)(draft)


def mean(draft: Draft) -> Any:
    """Draw a mean for a variance, with the shape of `keepdims`."""
    axis = draft["axis"]
    shape = list(draft.shape(first_array(draft)))
    try:
        for index in range(len(shape)) if axis is None else np.atleast_1d(axis).tolist():
            shape[index] = 1
    except (IndexError, TypeError):
        return OMITTED
    return arrays.array(draft.choices, np.dtype(np.float64), tuple(shape))


# Names of array parameters, of those that go with the first, and of everything else.
FIRST = (
    "a", "x", "m", "ary", "arr", "array", "a1", "ar", "ar1", "object", "prototype", "z", "val", "v", "filt", "A", "p",
    "element", "f", "x1",
)  # fmt: skip
SECOND = ("b", "y", "x2", "a2", "ar2", "values", "test_elements")

PARAMETERS: dict[str, Strategy] = {
    **dict.fromkeys(FIRST, array()),
    **dict.fromkeys(SECOND, of_first(partner)),
    "arrays": array_sequence(),
    "tup": array_sequence(),
    "arys": constraints.several(array(), 1, 3, (4, 8, 17)),
    "args": constraints.broadcasting(),
    "axis": of_first(axis_of),
    "axis1": of_first(axis_of),
    "axis2": of_first(axis_of),
    "keepdims": switch,
    "dtype": dtype,
    "out": out,
    "where": where,
    "mean": mean,
    "initial": initial,
    "order": order,
    "casting": casting,
    "copy": literal(True, None, False),
    "shape": shape_like(),
    "subok": sometimes(flag, 0.2),
    "like": sometimes(literal(None), 0.2),
    "device": sometimes(literal("cpu", None), 0.3),
    "k": integer(-3, 3, extreme=(-7, 8, 130, -130, 2**31, -(2**31))),
    "n": integer(0, 4),
    "N": integer(0, 5),
    "M": integer(0, 8),
    "decimals": integer(-2, 3, extreme=(-5, 8, 15, 20, 40, 300, 309, 400, -20, -309, -400)),
    "offset": integer(-3, 3, extreme=(-7, 8, 130, -130)),
    "ddof": past_first(literal(0, 1, 1, 1, 2, 0.5, -1)),
    "correction": unless("ddof", past_first(literal(0, 1, 0.5, 2))),
    "fill_value": number(),
    "side": literal("left", "right"),
    "overwrite_input": sometimes(literal(False), 0.2),
    "kind": literal("quicksort", "mergesort", "heapsort", "stable", None),
    "stable": literal(None, True, False),
    "mode": literal("raise", "wrap", "clip"),
    "method": literal(
        "linear", "lower", "higher", "nearest", "midpoint", "inverted_cdf", "averaged_inverted_cdf",
        "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
    ),
    "rtol": literal(1e-5, 0.0, 1e-3, 0.5, 1, np.float32(0.1)),
    "atol": literal(1e-8, 0.0, 1e-3, 0.5, 1, np.float32(0.1)),
}  # fmt: skip


def strategy_for(parameter: inspect.Parameter) -> Strategy:
    """Return the strategy for a parameter by its name, or else by its default."""
    if parameter.name in PARAMETERS:
        return PARAMETERS[parameter.name]
    default = parameter.default
    if type(default) is bool:
        return literal(default, not default, not default)
    if type(default) is int:
        return integer(min(default, 0), default + 2)
    if type(default) is float:
        return literal(default, 0.0, 1.0, 2.5)
    if type(default) is str:
        return literal(default)
    return never() if default is not inspect.Parameter.empty else array()
