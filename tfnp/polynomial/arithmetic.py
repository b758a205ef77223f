"""Arithmetic of tensors, of Python scalars, which stay weak among themselves, and of objects with operators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from tfnp._core.convert import to_tensor
from tfnp._core.parameters import ArrayLike
from tfnp.routines.math import ufuncs

_PYTHON_SCALARS: Final = (bool, int, float, complex)


class Symbolic:
    """Base class of operands that define operators but are no arrays, such as a series in place of x."""


def is_python_scalar(x: ArrayLike) -> bool:
    """Return whether the value is a Python scalar."""
    return type(x) in _PYTHON_SCALARS


def as_operand(x: ArrayLike) -> Any:
    """Convert to a tensor, unless it is a Python scalar or a series."""
    return x if is_python_scalar(x) or isinstance(x, Symbolic) else to_tensor(x)


def reject_sequence(x: ArrayLike) -> Any:
    """Return the value; raise TypeError for a list or tuple, with which Python cannot calculate."""
    if isinstance(x, list | tuple):
        raise TypeError(f"unsupported operand type for arithmetic: '{type(x).__name__}'")
    return x


def plus(x: ArrayLike, y: ArrayLike) -> Any:
    return _apply(operator.add, "__radd__", ufuncs.add, x, y)


def minus(x: ArrayLike, y: ArrayLike) -> Any:
    return _apply(operator.sub, "__rsub__", ufuncs.subtract, x, y)


def times(x: ArrayLike, y: ArrayLike) -> Any:
    return _apply(operator.mul, "__rmul__", ufuncs.multiply, x, y)


def over(x: ArrayLike, y: ArrayLike) -> Any:
    return _apply(operator.truediv, "__rtruediv__", ufuncs.divide, x, y)


def _apply(of_python: Callable[[Any, Any], Any], reflected: str, ufunc: Any, x: Any, y: Any) -> Any:
    if isinstance(x, Symbolic) or (is_python_scalar(x) and is_python_scalar(y)):
        return of_python(x, y)
    if isinstance(y, Symbolic):
        return getattr(y, reflected)(x)
    return ufunc(x, y)
