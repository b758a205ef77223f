"""Weights under which bases are orthogonal, and nodes and weights of Gauss's quadrature, made on the host by NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.arguments import is_array
from tfnp._core.convert import to_tensor
from tfnp.polynomial.arithmetic import is_python, operand, times


def make_rule(function: Callable[..., Any], number: Any) -> Any:
    """Tensors of what NumPy's function makes of a number that must be known while tracing."""
    static = convert.static_value(number)
    if static is None and isinstance(number, tf.Tensor):
        raise TypeError("the number of points must be known while tracing")
    found = function(static)
    if isinstance(found, tuple):
        return tuple(to_tensor(part, dtypes.default_float()) for part in found)
    return to_tensor(found, dtypes.default_float())


def abscissae(x: Any) -> Any:
    """Where to find a weight: an array, or a number; NumPy takes no list."""
    if not (is_python(x) or is_array(x)):
        raise TypeError(f"bad operand type: {type(x).__name__!r}")
    return operand(x)


def squared(x: Any) -> Any:
    """Of truths in int8, as NumPy raises them to a power."""
    x = convert.cast(x, tf.int8) if isinstance(x, tf.Tensor) and x.dtype == tf.bool else x
    return times(x, x)
