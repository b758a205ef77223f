"""Python and NumPy scalars: part of a call's structure, since compiled code keeps them as they are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from fuzz.generate import arrays
from fuzz.generate.call_classes import NUMBERS
from fuzz.generate.choices import Choices

PYTHON_INTEGERS = (0, 1, 2, 3, -1, -2, 5, 7, 10, 100, 127, 128, 255, 256, -128, 2**31, 2**40, 2**63, 2**64, -(2**63))
PYTHON_FLOATS = (
    0.0,
    1.0,
    2.0,
    0.5,
    -1.0,
    -0.0,
    1.5,
    2.5,
    1e-3,
    3.7,
    1e10,
    math.nan,
    math.inf,
    -math.inf,
    1e300,
    -math.nan,
)
PYTHON_COMPLEX = (0j, 1j, 1 + 2j, -1.5 + 0.5j, complex(math.inf, math.nan), complex(-0.0, 0.0), 2 + 0j)
PYTHON_SCALARS: dict[str, arrays.Numbers] = {
    "b": (False, True),
    "i": arrays.weighted({value: 4 if abs(value) <= 10 else 1 for value in PYTHON_INTEGERS}),
    # libraries mishandle negative ones beside unsigned arrays
    "u": arrays.weighted({value: 8 if 0 <= value <= 10 else 24 if value == -1 else 1 for value in PYTHON_INTEGERS}),
    "f": arrays.weighted({value: 1 if value else 4 for value in PYTHON_FLOATS[:5]})
    + (-0.0,) * 4
    + (*PYTHON_FLOATS[6:], -math.nan),
    "c": PYTHON_COMPLEX,
    "U": arrays.STRINGS,
}


USUAL_SCALARS: dict[str, arrays.Numbers] = {
    "b": (False, True),
    "i": (0, 1, 2, 3, -1, -2, 5, 7, 10, 100),
    "u": (0, 1, 2, 3, 5, 7, 10, 100),
    "f": (0.0, 1.0, 2.0, 0.5, -1.0, 1.5, 2.5, 1e-3, 3.7, 100.0),
    "c": (0j, 1j, 1 + 2j, -1.5 + 0.5j, 2 + 0j),
    "U": arrays.STRINGS,
}


def python_scalar(choices: Choices, dtype: np.dtype) -> Any:
    """Draw a Python scalar of the dtype's kind; an unusual int may be out of the dtype's range."""
    return choices.pick((PYTHON_SCALARS if NUMBERS in choices.edges else USUAL_SCALARS)[arrays.kind(dtype)])


def python_integer_at_bounds(choices: Choices, dtype: np.dtype) -> int:
    """Draw a Python integer at a bound of an integer dtype, or just past it."""
    limits = np.iinfo(dtype)
    return choices.pick((limits.min - 1, limits.min, limits.max, limits.max + 1, 2 * limits.max + 1))


def numpy_scalar(choices: Choices, dtype: np.dtype) -> Any:
    """Draw a NumPy scalar of the dtype."""
    dtype = arrays.usual_dtype(choices, dtype)
    pools = arrays.POOLS[dtype]
    is_unusual = NUMBERS in choices.edges and choices.flag(0.7)
    return np.array(choices.pick(pools["awkward"] if is_unusual else pools["small"]), dtype)[()]


def mixed_pair(choices: Choices, left: np.dtype, right: np.dtype) -> tuple[Any, Any]:
    """Draw a NumPy scalar of any width beside a number of Python's, in either order."""
    if choices.flag():
        return numpy_scalar(choices, left), python_scalar(choices, right)
    return python_scalar(choices, left), numpy_scalar(choices, right)
