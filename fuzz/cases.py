"""From a dotted name to a case: one call, its arguments chosen so that NumPy mostly accepts them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from fuzz.choices import Choices
from fuzz.domains import ufuncs
from oracle import Case


def draw_case(choices: Choices, name: str) -> Case:
    """Draw a case of one name. About three in four are valid calls, one in five barely misses, a few are wild."""
    return _drawing(name)(choices)


@cache
def generated_names() -> tuple[str, ...]:
    """Every dotted name that has cases."""
    return tuple(name for name in dir(np) if isinstance(getattr(np, name), np.ufunc) and name != "isnat")


@cache
def _drawing(name: str) -> Callable[[Choices], Case]:
    return ufuncs.drawing(name)
