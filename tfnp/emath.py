"""Functions with an automatic domain: roots and logarithms of negative numbers are complex.

In NumPy the dtype of the result depends on values: it is complex if any element lies outside the domain of the real
function. Eager mode and static values follow this. In a graph, where values are unknown, real input that may lie
outside is always converted to complex, and a signed integer exponent to float: the values are NumPy's, the dtype is
not. Booleans and unsigned integers are never negative, so their roots and logarithms are always real.
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
from tfnp._core.parameters import ArrayLike
from tfnp.routines.math import ufuncs

__all__ = ["arccos", "arcsin", "arctanh", "log", "log2", "log10", "logn", "power", "sqrt"]

NEVER_NEGATIVE: Final = (tf.bool, tf.uint8, tf.uint16, tf.uint32, tf.uint64)
TO_COMPLEX64: Final = (tf.float32, tf.int8, tf.int16, tf.uint8, tf.uint16)


@array_function(promotes=("x",))
def sqrt(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, signed integer and float input gives a complex result unless its value is
    static. Booleans and unsigned integers give a real result.
    """
    return ufuncs.sqrt(_as_complex_below_zero(x))


@array_function(promotes=("x",))
def log(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, signed integer and float input gives a complex result unless its value is
    static.
    """
    return ufuncs.log(_as_complex_below_zero(x))


@array_function(promotes=("x",))
def log2(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, signed integer and float input gives a complex result unless its value is
    static.
    """
    return ufuncs.log2(_as_complex_below_zero(x))


@array_function(promotes=("x",))
def log10(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, signed integer and float input gives a complex result unless its value is
    static.
    """
    return ufuncs.log10(_as_complex_below_zero(x))


@array_function(promotes=("x",))
def logn(n: ArrayLike, x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, signed integer and float input gives a complex result unless its value is
    static.
    """
    return ufuncs.divide(log(x), log(n))


@array_function(promotes=("x", "p"))
def power(x: ArrayLike, p: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, signed integer and float bases give a complex result, and signed integer
    exponents become floats, unless their values are static.
    """
    return ufuncs.power(_as_complex_below_zero(x), _as_float_exponent(to_tensor(p)))


@array_function(promotes=("x",))
def arccos(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, any real input gives a complex result unless its value is static."""
    return ufuncs.arccos(_as_complex_beyond_one(x))


@array_function(promotes=("x",))
def arcsin(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, any real input gives a complex result unless its value is static."""
    return ufuncs.arcsin(_as_complex_beyond_one(x))


@array_function(promotes=("x",))
def arctanh(x: ArrayLike) -> tf.Tensor:
    """In a graph, where values are unknown, any real input gives a complex result unless its value is static."""
    return ufuncs.arctanh(_as_complex_beyond_one(x))


def _as_complex_below_zero(x: Any) -> tf.Tensor:
    """Return the operand of a function whose domain is [0, inf)."""
    x = to_tensor(x)
    return x if x.dtype in NEVER_NEGATIVE else _as_complex_if(x, lambda static: static < 0)


def _as_complex_beyond_one(x: Any) -> tf.Tensor:
    """Return the operand of a function whose domain is [-1, 1]."""
    x = to_tensor(x)
    return x if x.dtype == tf.bool else _as_complex_if(x, lambda static: np.abs(static) > 1)


def _as_complex_if(x: tf.Tensor, is_outside: Callable[[np.ndarray], Any]) -> tf.Tensor:
    """Cast to complex if an element is, or may be, outside the domain. Static values are tested by NumPy, since
    TensorFlow flushes subnormal numbers to zero.
    """
    if x.dtype.is_complex:
        return x
    static = convert.static_value(x)
    if static is not None and not np.any(is_outside(np.asarray(static))):
        return x
    is_single = x.dtype in TO_COMPLEX64 or (dtypes.promotion.prefer_float32 and x.dtype != tf.float64)
    return convert.cast(x, tf.complex64 if is_single else tf.complex128)


def _as_float_exponent(p: tf.Tensor) -> tf.Tensor:
    """Return the exponents, multiplied by 1.0 if any is a negative real number, as in NumPy.

    That converts integers to floats, and changes infinite complex exponents.
    """
    if p.dtype in NEVER_NEGATIVE or p.dtype.is_floating:
        return p
    static = convert.static_value(p)
    if static is not None:
        has_negative = np.any((np.imag(static) == 0) & (np.real(static) < 0))
        return ufuncs.multiply(p, 1.0) if has_negative else p
    if p.dtype.is_complex:
        has_negative = tf.reduce_any(tf.equal(tf.math.imag(p), 0) & tf.less(tf.math.real(p), 0))
        return select(has_negative, ufuncs.multiply(p, 1.0), p)
    return ufuncs.multiply(p, 1.0)
