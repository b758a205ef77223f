"""Functions that take a function: one of NumPy's, in whose place the subject gets its own."""

from __future__ import annotations

import numpy as np

from fuzz.generate.builder import Strategy
from fuzz.generate.constraints import axes_of, axis_of, nonempty
from fuzz.generate.scalars import either, integer, keywords, literal, sometimes

KEYWORDS = {
    np.sum: ({"keepdims": True}, {"initial": 1}),
    np.cumsum: ({"dtype": np.float64},),
    np.mean: ({"keepdims": True}, {"dtype": "f8"}),
    np.sort: ({"kind": "stable"},),
    np.max: ({"initial": 0}, {"keepdims": True}),
}
"""What functions that are called for each row take by keyword."""

LINES: dict[str, dict[str, Strategy]] = {
    "apply_along_axis": {
        "func1d": literal(np.sum, np.cumsum, np.mean, np.sort, np.max),
        "axis": axis_of("arr"),
        "arr": nonempty(1, 3),
        "args": sometimes(literal([0]), 0.2),
        "kwargs": lambda draft: draft.choices.pick(KEYWORDS.get(draft["func1d"], ({"bogus": 1},))),
    },
    "apply_over_axes": {
        "func": literal(np.sum, np.max, np.all),
        "a": nonempty(1, 4),
        "axes": either(axis_of("a"), axes_of("a")),
    },
    "fromfunction": {
        "function": literal(np.add, np.multiply, np.equal, np.maximum),
        "shape": literal((2, 3), (4, 1), (1, 1), (3, 3), (17, 2), (0, 2)),
        "dtype": literal(float, int, np.float32, np.int8),
        "kwargs": keywords({"casting": "unsafe"}, {"order": "F"}, {"subok": False}),
    },
    "mask_indices": {"n": integer(0, 4), "mask_func": literal(np.triu, np.tril), "k": integer(-2, 2)},
}
