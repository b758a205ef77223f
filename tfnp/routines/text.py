"""Arrays and numbers as text, written by NumPy's own hand: its print options hold here too.

Text is made of values: in a graph a tensor must have one while tracing. To print when the graph runs, there is
`tf.print`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from numpy import get_printoptions, printoptions, set_printoptions

from tfnp._core import convert
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


def _known(value: Any) -> Any:
    """An array or a number for a tensor, and whatever else it is as it is."""
    value = apply_conversion(value)
    if not isinstance(value, tf.Tensor | tf.Variable):
        return value
    static = convert.static_value(value)
    if static is None:
        raise TypeError("what is to be written as text must be known while tracing: tf.print writes when a graph runs")
    return _decoded(static) if value.dtype == tf.string else static


def _decoded(texts: Any) -> Any:
    """TensorFlow's texts are bytes."""
    if isinstance(texts, bytes):
        return texts.decode()
    return np.array([text.decode() for text in texts.ravel().tolist()], np.str_).reshape(texts.shape)


def _known_array(value: Any) -> Any:
    static = _known(value)
    return np.asarray(static) if is_tensor(value) else static


def array2string(
    a: Any,
    max_line_width: Any = None,
    precision: Any = None,
    suppress_small: Any = None,
    separator: Any = " ",
    prefix: Any = "",
    *,
    formatter: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    suffix: Any = "",
    legacy: Any = None,
) -> str:
    layout = (max_line_width, precision, suppress_small, separator, prefix)
    digits = {"formatter": formatter, "threshold": threshold, "edgeitems": edgeitems, "sign": sign}
    options = {**digits, "floatmode": floatmode, "suffix": suffix, "legacy": legacy}
    return np.array2string(
        _known_array(a), *map(_known, layout), **{name: _known(option) for name, option in options.items()}
    )


def array_repr(arr: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    """As NumPy writes an array of the same elements: `array([1, 2])`."""
    return np.array_repr(_known_array(arr), *map(_known, (max_line_width, precision, suppress_small)))


def array_str(a: Any, max_line_width: Any = None, precision: Any = None, suppress_small: Any = None) -> str:
    return np.array_str(_known_array(a), *map(_known, (max_line_width, precision, suppress_small)))


def base_repr(number: Any, base: Any = 2, padding: Any = 0) -> str:
    return np.base_repr(*map(_known, (number, base, padding)))


def binary_repr(num: Any, width: Any = None) -> str:
    return np.binary_repr(_known(num), _known(width))


def format_float_positional(
    x: Any,
    precision: Any = None,
    unique: Any = True,
    fractional: Any = True,
    trim: Any = "k",
    sign: Any = False,
    pad_left: Any = None,
    pad_right: Any = None,
    min_digits: Any = None,
) -> str:
    options = (precision, unique, fractional, trim, sign, pad_left, pad_right, min_digits)
    return np.format_float_positional(_known(x), *map(_known, options))


def format_float_scientific(
    x: Any,
    precision: Any = None,
    unique: Any = True,
    trim: Any = "k",
    sign: Any = False,
    pad_left: Any = None,
    exp_digits: Any = None,
    min_digits: Any = None,
) -> str:
    options = (precision, unique, trim, sign, pad_left, exp_digits, min_digits)
    return np.format_float_scientific(_known(x), *map(_known, options))
