"""Weight functions of the bases, and nodes and weights of Gauss quadrature, calculated by NumPy on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.arguments import is_array
from tfnp._core.convert import to_tensor
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.polynomial.arithmetic import as_operand, is_python_scalar, times


def make_rule(function: Callable[..., Any], count: IntLike) -> Any:
    """Call NumPy's function with a static number of points, and convert its results."""
    static = convert.static_value(count)
    if static is None and isinstance(count, tf.Tensor):
        raise requires_static("the number of points", function.__name__)
    result = function(static)
    if isinstance(result, tuple):
        return tuple(to_tensor(part, dtypes.default_float()) for part in result)
    return to_tensor(result, dtypes.default_float())


def as_abscissae(x: ArrayLike) -> Any:
    """Convert the argument of a weight function; NumPy rejects lists."""
    if not (is_python_scalar(x) or is_array(x)):
        raise TypeError(f"bad operand type: {type(x).__name__!r}")
    return as_operand(x)


def square(x: ArrayLike) -> Any:
    """Square; booleans become int8, as in NumPy's power."""
    x = convert.cast(x, tf.int8) if isinstance(x, tf.Tensor) and x.dtype == tf.bool else x
    return times(x, x)
