"""Arrays and numbers as text, formatted by NumPy: its print options apply.

In a graph the values must be static. To print when the graph runs, use `tf.print`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from numpy import get_printoptions, printoptions, set_printoptions

from tfnp._core import convert
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.tensor_conversion import apply_conversion, is_tensor

__all__ = [
    "array2string",
    "array_repr",
    "array_str",
    "base_repr",
    "binary_repr",
    "format_float_positional",
    "format_float_scientific",
    "get_printoptions",
    "printoptions",
    "set_printoptions",
]


def _as_static_value(value: Any) -> Any:
    """Return the value of a tensor as a NumPy object; any other value as it is."""
    value = apply_conversion(value)
    if not isinstance(value, tf.Tensor | tf.Variable):
        return value
    static = convert.as_static(value, "the value to format")
    return _decode(static) if value.dtype == tf.string else static


def _decode(strings: Any) -> Any:
    """Decode strings: TensorFlow's are bytes."""
    if isinstance(strings, bytes):
        return strings.decode()
    return np.array([string.decode() for string in strings.ravel().tolist()], np.str_).reshape(strings.shape)


def _as_static_array(value: Any) -> Any:
    static = _as_static_value(value)
    return np.asarray(static) if is_tensor(value) else static


def array2string(
    a: ArrayLike,
    max_line_width: IntLike | None = None,
    precision: IntLike | None = None,
    suppress_small: bool | None = None,
    separator: str = " ",
    prefix: str = "",
    *,
    formatter: Any = None,
    threshold: IntLike | None = None,
    edgeitems: IntLike | None = None,
    sign: str | None = None,
    floatmode: str | None = None,
    suffix: str = "",
    legacy: Any = None,
) -> str:
    """In a graph the array must be static; use `tf.print` there."""
    layout = (max_line_width, precision, suppress_small, separator, prefix)
    digits = {"formatter": formatter, "threshold": threshold, "edgeitems": edgeitems, "sign": sign}
    options = {**digits, "floatmode": floatmode, "suffix": suffix, "legacy": legacy}
    return np.array2string(
        _as_static_array(a),
        *map(_as_static_value, layout),
        **{name: _as_static_value(option) for name, option in options.items()},
    )


def array_repr(
    arr: ArrayLike,
    max_line_width: IntLike | None = None,
    precision: IntLike | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the text of the NumPy array with the same elements, `array([1, 2])`.

    In a graph the array must be static.
    """
    return np.array_repr(_as_static_array(arr), *map(_as_static_value, (max_line_width, precision, suppress_small)))


def array_str(
    a: ArrayLike,
    max_line_width: IntLike | None = None,
    precision: IntLike | None = None,
    suppress_small: bool | None = None,
) -> str:
    """Return the text of the NumPy array with the same elements. In a graph the array must be static."""
    return np.array_str(_as_static_array(a), *map(_as_static_value, (max_line_width, precision, suppress_small)))


def base_repr(number: IntLike, base: IntLike = 2, padding: IntLike = 0) -> str:
    """The arguments must be static."""
    return np.base_repr(*map(_as_static_value, (number, base, padding)))


def binary_repr(num: IntLike, width: IntLike | None = None) -> str:
    """The arguments must be static."""
    return np.binary_repr(_as_static_value(num), _as_static_value(width))


def format_float_positional(
    x: ArrayLike,
    precision: IntLike | None = None,
    unique: bool = True,
    fractional: bool = True,
    trim: str = "k",
    sign: bool = False,
    pad_left: IntLike | None = None,
    pad_right: IntLike | None = None,
    min_digits: IntLike | None = None,
) -> str:
    """The number must be static."""
    options = (precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits)
    return np.format_float_positional(_as_static_value(x), *map(_as_static_value, options))


def format_float_scientific(
    x: ArrayLike,
    precision: IntLike | None = None,
    unique: bool = True,
    trim: str = "k",
    sign: bool = False,
    pad_left: IntLike | None = None,
    exp_digits: IntLike | None = None,
    min_digits: IntLike | None = None,
) -> str:
    """The number must be static."""
    options = (precision, unique, trim, sign, pad_left, exp_digits, min_digits)
    return np.format_float_scientific(_as_static_value(x), *map(_as_static_value, options))
