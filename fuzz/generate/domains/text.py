"""Formatting numbers as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.arrays import FLOATS
from fuzz.generate.builder import Draft, Strategy
from fuzz.generate.constraints import array
from fuzz.generate.scalars import either, integer, literal, number

WHOLE = literal(0, 1, 5, -3, 255, 1000)
FLOAT = literal(0.0, 1.5, -2.25, 1e10, 1e-7, 3.14159)
DIGITS = literal(None, 3, 8)
LAYOUT: dict[str, Strategy] = {
    "max_line_width": literal(None, 20, 100, -1),
    "precision": DIGITS,
    "suppress_small": literal(None, True, False),
}


def array_itself(draft: Draft) -> Any:
    """Draw an array, no list or scalar, as its shape is needed."""
    return arrays.as_array(array(0, 3)(draft))


def unique(draft: Draft) -> bool:
    """Draw whether to print the shortest text; False needs a precision."""
    has_precision = not draft.omits("precision") and draft["precision"] is not None
    return not has_precision or draft.choices.flag()


LINES: dict[str, dict[str, Strategy]] = {
    "array2string": {
        "a": array_itself,
        "threshold": literal(None, 2, 100),
        "edgeitems": literal(None, 1, 2),
        **LAYOUT,
        "floatmode": literal("fixed", "unique", "maxprec"),
        "sign": literal("-", "+", " "),
        "separator": literal(" ", ", ", ",", ";\n"),
        **dict.fromkeys(("prefix", "suffix"), literal("", "x = ")),
        "formatter": literal(None, {"float_kind": np.format_float_positional}, {"int_kind": np.base_repr}),
        "legacy": literal(None, False),
    },
    "array_repr": {"arr": array_itself, **LAYOUT},
    "array_str": {"a": array_itself, **LAYOUT},
    "base_repr": {"number": WHOLE, "base": integer(2, 36), "padding": integer(0, 3)},
    "binary_repr": {"num": WHOLE, "width": literal(None, 12)},
    "format_float_positional": {
        "x": either(FLOAT, number(FLOATS), WHOLE),
        "precision": DIGITS,
        "unique": unique,
        "trim": literal("k", ".", "0", "-"),
        "pad_left": DIGITS,
        "pad_right": DIGITS,
        "min_digits": literal(None, 2, 3),
    },
    "format_float_scientific": {
        "x": either(FLOAT, number(FLOATS), WHOLE),
        "precision": DIGITS,
        "unique": unique,
        "trim": literal("k", ".", "0", "-"),
        "pad_left": DIGITS,
        "exp_digits": DIGITS,
        "min_digits": literal(None, 2, 3),
    },
}
