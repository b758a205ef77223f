"""Arguments that hardly anybody passes, for hostile calls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.choices import Choices


def draw_nonsense(choices: Choices, data: bool = True) -> Any:
    """Draw a value that hardly anybody passes. Numbers are small, since NumPy may take them for sizes.

    Arrays are drawn only with `data`: anywhere else, a compiled program would need their values.
    """
    kind = choices.integer(0, len(NONSENSE) + (3 if data else 0))
    if kind < len(NONSENSE):
        return NONSENSE[kind]
    if kind == len(NONSENSE):
        return [[1, 2], [3]]
    if kind == len(NONSENSE) + 1:
        return np.array(choices.picks(("a", "bc", ""), 3))
    if kind == len(NONSENSE) + 2:
        return np.array(choices.picks((1, 2, 3), 2), choices.pick(("M8[D]", "m8[s]", "g", "G")))
    return arrays.array(choices, choices.pick(arrays.ANY), arrays.shape(choices, 0, 3))


NONSENSE: tuple[Any, ...] = (
    None, "a", -1, 0, 2, 1.5, 1j, True, slice(None), slice(1, None, 2), Ellipsis, (), [], (0, 0), (1, -1), [None], "",
    b"x", math.nan, -5, (2,), {"a": 1}, float, "float32", np.float64(2.5), np.int8(3), np.dtype("M8[s]"), np.str_("b"),
)  # fmt: skip
