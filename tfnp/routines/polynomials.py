"""Polynomials by their coefficients, the highest power first: NumPy's older kind."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes, sizes
from tfnp._core.convert import to_tensor
from tfnp.routines import ufuncs
from tfnp.routines.joining import concatenate
from tfnp.routines.shaping import atleast_1d
from tfnp.routines.signals import convolve

__all__ = ["polyadd", "polyder", "polyint", "polymul", "polysub", "polyval"]


def polyval(p: Any, x: Any) -> tf.Tensor:
    """By Horner's rule."""
    p, x = to_tensor(p), to_tensor(x)
    if shapes.rank(p) == 0:
        raise TypeError("iteration over a 0-d array")
    y = tf.zeros_like(x)
    for coefficient in tf.unstack(p):
        y = ufuncs.add(ufuncs.multiply(y, x), coefficient)
    return y


def polyadd(a1: Any, a2: Any) -> tf.Tensor:
    return _joined(a1, a2, ufuncs.add)


def polysub(a1: Any, a2: Any) -> tf.Tensor:
    return _joined(a1, a2, ufuncs.subtract)


def _joined(a1: Any, a2: Any, function: Any) -> tf.Tensor:
    """Coefficients of the same power meet: the shorter begins with zeros."""
    first, second = atleast_1d(a1), atleast_1d(a2)
    lengths = shapes.as_int(first.shape[0]), shapes.as_int(second.shape[0])
    longest = max(lengths)
    if any(shapes.rank(a) > 1 and length < longest for a, length in zip((first, second), lengths, strict=True)):
        raise ValueError("all the input arrays must have same number of dimensions")
    first, second = (
        tf.concat([tf.zeros((longest - length, *a.shape[1:]), a.dtype), a], 0) if length < longest else a
        for a, length in zip((first, second), lengths, strict=True)
    )
    return function(first, second)


def polymul(a1: Any, a2: Any) -> tf.Tensor:
    return convolve(_trimmed(a1), _trimmed(a2))


def _trimmed(a: Any) -> tf.Tensor:
    """Without zeros before the first coefficient; how many those are depends on values."""
    a = atleast_1d(a)
    if shapes.rank(a) != 1:
        raise ValueError("Polynomial must be 1d only.")
    if a.shape[0] == 0:
        return tf.zeros((1,), a.dtype)
    known = convert.static_value(a)
    if (known is not None and known[0] != 0) or a.shape[0] == 1:
        return a
    holds = convert.cast(a, tf.bool)
    last = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    first = tf.where(tf.reduce_any(holds), tf.argmax(tf.cast(holds, tf.int8)), last)
    return sizes.open_ended(a[first:])


def polyder(p: Any, m: Any = 1) -> tf.Tensor:
    order = int(m)
    if order < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = to_tensor(p)
    if shapes.rank(p) == 0:
        raise TypeError("len() of unsized object")
    degree = max(shapes.as_int(p.shape[0]) - 1, 0)
    derivative = ufuncs.multiply(p[:degree], to_tensor(np.arange(degree, 0, -1)))
    return p if order == 0 else polyder(derivative, order - 1)


def polyint(p: Any, m: Any = 1, k: Any = None) -> tf.Tensor:
    order = int(m)
    if order < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = _constants(k, order)
    p = to_tensor(p)
    if shapes.rank(p) == 0 and order:
        raise TypeError("len() of unsized object")
    for number in range(order):
        powers = np.arange(shapes.as_int(p.shape[0]), 0, -1)
        divided = ufuncs.divide(p, to_tensor(powers))
        constant = constants[number]
        kind = dtypes.result_type(divided, constant)
        p = concatenate([convert.cast(divided, kind), convert.cast(constant, kind)[None]])
    return p


def _constants(k: Any, order: int) -> list[tf.Tensor]:
    if k is None:
        return [tf.constant(0.0, tf.float64)] * order
    values = atleast_1d(k)
    if shapes.as_int(values.shape[0]) == 1 and order > 1:
        return [values[0]] * order
    if values.shape[0] < order:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    return tf.unstack(values)
