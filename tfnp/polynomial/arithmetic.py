"""Operators of arrays, of Python's numbers, which stay weak among themselves, and of what has operators of its own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from tfnp._core.convert import to_tensor
from tfnp.routines.math import ufuncs

_NUMBERS: Final = (bool, int, float, complex)


class Symbolic:
    """What is no array, and has operators: a series in place of a number."""


def is_python(x: Any) -> bool:
    """Whether it is a number of Python's."""
    return type(x) in _NUMBERS


def operand(x: Any) -> Any:
    """A tensor, a number of Python's, or a series."""
    return x if is_python(x) or isinstance(x, Symbolic) else to_tensor(x)


def number(x: Any) -> Any:
    """What it is, unless it is a sequence, with which Python itself does not calculate."""
    if isinstance(x, list | tuple):
        raise TypeError(f"unsupported operand type for arithmetic: '{type(x).__name__}'")
    return x


def plus(x: Any, y: Any) -> Any:
    return _applied(operator.add, "__radd__", ufuncs.add, x, y)


def minus(x: Any, y: Any) -> Any:
    return _applied(operator.sub, "__rsub__", ufuncs.subtract, x, y)


def times(x: Any, y: Any) -> Any:
    return _applied(operator.mul, "__rmul__", ufuncs.multiply, x, y)


def over(x: Any, y: Any) -> Any:
    return _applied(operator.truediv, "__rtruediv__", ufuncs.divide, x, y)


def _applied(of_python: Callable[[Any, Any], Any], reflected: str, ufunc: Any, x: Any, y: Any) -> Any:
    if isinstance(x, Symbolic) or (is_python(x) and is_python(y)):
        return of_python(x, y)
    if isinstance(y, Symbolic):
        return getattr(y, reflected)(x)
    return ufunc(x, y)
