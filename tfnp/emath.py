"""Functions with a domain of their own choice: roots and logarithms of negative numbers are complex.

Which dtype NumPy gives depends on the numbers: complex if any lies outside the domain of the real function. Eagerly,
and for what is known while tracing, this is the same here. In a graph, where numbers come later, real numbers that may
lie outside are always taken for complex ones, and exponents that are signed integers for floats: the values are
NumPy's, but for the dtype. Truths and unsigned integers are never negative, so roots and logarithms of them are real
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.layout import select
from tfnp.routines.math import ufuncs

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]

NEVER_NEGATIVE: Final = (tf.bool, tf.uint8, tf.uint16, tf.uint32, tf.uint64)
TO_COMPLEX64: Final = (tf.float32, tf.int8, tf.int16, tf.uint8, tf.uint16)


@array_function(promotes=("x",))
def sqrt(x: Any) -> tf.Tensor:
    """Complex where any number is negative, and for numbers known only at run time, here and in all its kin."""
    return ufuncs.sqrt(_extended_below_zero(x))


@array_function(promotes=("x",))
def log(x: Any) -> tf.Tensor:
    return ufuncs.log(_extended_below_zero(x))


@array_function(promotes=("x",))
def log2(x: Any) -> tf.Tensor:
    return ufuncs.log2(_extended_below_zero(x))


@array_function(promotes=("x",))
def log10(x: Any) -> tf.Tensor:
    return ufuncs.log10(_extended_below_zero(x))


@array_function(promotes=("x",))
def logn(n: Any, x: Any) -> tf.Tensor:
    return ufuncs.divide(log(x), log(n))


@array_function(promotes=("x", "p"))
def power(x: Any, p: Any) -> tf.Tensor:
    """Exponents that are signed integers are floats where any is negative, or may be."""
    return ufuncs.power(_extended_below_zero(x), _floating(to_tensor(p)))


@array_function(promotes=("x",))
def arccos(x: Any) -> tf.Tensor:
    return ufuncs.arccos(_extended_beyond_one(x))


@array_function(promotes=("x",))
def arcsin(x: Any) -> tf.Tensor:
    return ufuncs.arcsin(_extended_beyond_one(x))


@array_function(promotes=("x",))
def arctanh(x: Any) -> tf.Tensor:
    return ufuncs.arctanh(_extended_beyond_one(x))


def _extended_below_zero(x: Any) -> tf.Tensor:
    x = to_tensor(x)
    return x if x.dtype in NEVER_NEGATIVE else _extended(x, lambda static: static < 0)


def _extended_beyond_one(x: Any) -> tf.Tensor:
    x = to_tensor(x)
    return x if x.dtype == tf.bool else _extended(x, lambda static: np.abs(static) > 1)


def _extended(x: tf.Tensor, lies_outside: Callable[[np.ndarray], Any]) -> tf.Tensor:
    """Complex numbers if any lies outside, or may. Looked at by NumPy, which sees subnormal numbers."""
    if x.dtype.is_complex:
        return x
    static = convert.static_value(x)
    if static is not None and not np.any(lies_outside(np.asarray(static))):
        return x
    narrow = x.dtype in TO_COMPLEX64 or (dtypes.promotion.prefer_float32 and x.dtype != tf.float64)
    return convert.cast(x, tf.complex64 if narrow else tf.complex128)


def _floating(p: tf.Tensor) -> tf.Tensor:
    """Exponents multiplied by 1.0 if any is a negative real number: it changes integers, and infinite complex ones."""
    if p.dtype in NEVER_NEGATIVE or p.dtype.is_floating:
        return p
    static = convert.static_value(p)
    if static is not None:
        negative = np.any((np.imag(static) == 0) & (np.real(static) < 0))
        return ufuncs.multiply(p, 1.0) if negative else p
    if p.dtype.is_complex:
        negative = tf.reduce_any(tf.equal(tf.math.imag(p), 0) & tf.less(tf.math.real(p), 0))
        return select(negative, ufuncs.multiply(p, 1.0), p)
    return ufuncs.multiply(p, 1.0)
