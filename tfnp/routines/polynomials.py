"""Polynomials by their coefficients, the highest power first: NumPy's older kind."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, ParamSpec

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, moves, shapes, sizes
from tfnp._core.convert import to_tensor
from tfnp._core.unranked import by_rank
from tfnp._core.weak_results import weakly
from tfnp.routines import ufuncs
from tfnp.routines.joining import concatenate
from tfnp.routines.signals import convolve

__all__ = ["polyadd", "polyder", "polydiv", "polyint", "polymul", "polysub", "polyval"]

LONG: Final = 16  # steps that XLA takes long to compile one by one

P = ParamSpec("P")


class PowerSeries:
    """What `poly1d` is to these functions, which give back such objects if they are given one."""

    _coeffs: tf.Tensor

    def __init__(self, c_or_r: Any) -> None:
        self._coeffs = c_or_r


def _in_kind(function: Callable[P, Any]) -> Callable[P, Any]:
    """Around a function of coefficients: of objects that have some, the result is such an object."""

    @functools.wraps(function)
    def of_either(*args: P.args, **kwargs: P.kwargs) -> Any:
        kind = next((type(value) for value in (*args, *kwargs.values()) if isinstance(value, PowerSeries)), None)
        if kind is None:
            return function(*args, **kwargs)
        plain = {name: _plain(value) for name, value in kwargs.items()}
        result = function(*map(_plain, args), **plain)
        return tuple(map(kind, result)) if isinstance(result, tuple) else kind(result)

    return of_either


def _plain(value: Any) -> Any:
    return value._coeffs if isinstance(value, PowerSeries) else value


def coefficients(a: Any) -> tf.Tensor:
    """At least one axis."""
    a = to_tensor(a)
    return shapes.reshape(a, (1,)) if shapes.rank(a) == 0 else a


@weakly
@by_rank
def polyval(p: Any, x: Any) -> Any:
    """By Horner's rule."""
    p = to_tensor(_plain(p))
    if shapes.rank(p) == 0:
        raise TypeError("iteration over a 0-d array")
    if isinstance(x, PowerSeries):
        return functools.reduce(lambda y, coefficient: y * x + coefficient, tf.unstack(p), 0)
    x = to_tensor(x)
    y = tf.zeros_like(x)
    if p.shape[0] is None or (p.shape[0] > LONG and not tf.executing_eagerly()):
        y = convert.cast(y, dtypes.result_type(p, x))
        return tf.foldl(lambda y, coefficient: _step(y, x, coefficient), p, y)
    for coefficient in tf.unstack(p):
        y = _step(y, x, coefficient)
    return y


def _step(y: tf.Tensor, x: tf.Tensor, coefficient: tf.Tensor) -> tf.Tensor:
    return ufuncs.add(ufuncs.multiply(y, x), coefficient)


@weakly
@_in_kind
@by_rank
def polyadd(a1: Any, a2: Any) -> tf.Tensor:
    return _joined(a1, a2, ufuncs.add)


@weakly
@_in_kind
@by_rank
def polysub(a1: Any, a2: Any) -> tf.Tensor:
    return _joined(a1, a2, ufuncs.subtract)


def _joined(a1: Any, a2: Any, function: Any) -> tf.Tensor:
    """Coefficients of the same power meet: the shorter begins with zeros."""
    first, second = coefficients(a1), coefficients(a2)
    lengths = [shapes.shape(a)[0] for a in (first, second)]
    if shapes.is_static(lengths):
        longest = max(lengths)
        if any(shapes.rank(a) > 1 and length < longest for a, length in zip((first, second), lengths, strict=True)):
            raise ValueError("all the input arrays must have same number of dimensions")
    else:
        longest = tf.maximum(*lengths)
    return function(*(_longer(a, longest) for a in (first, second)))


def _longer(a: tf.Tensor, length: shapes.Side) -> tf.Tensor:
    missing = length - shapes.shape(a)[0]
    if isinstance(missing, int) and missing == 0:
        return a
    return moves.pad(a, [(missing if axis == 0 else 0, 0) for axis in range(shapes.rank(a))])


@weakly
@_in_kind
@by_rank
def polymul(a1: Any, a2: Any, *, size: Any = None) -> tf.Tensor:
    """Without the zeros before the first coefficient of either; with `size`, which XLA needs, the last so many."""
    first, second = _polynomial(a1), _polynomial(a2)
    if size is None:
        return convolve(_trimmed(first), _trimmed(second))
    return _last(convolve(first, second), shapes.as_int(size))


def _last(a: tf.Tensor, size: int) -> tf.Tensor:
    longer = moves.pad(a, [(size, 0)])
    return moves.part(longer, 0, shapes.shape(longer)[0] - size, size)


def _polynomial(a: Any) -> tf.Tensor:
    a = coefficients(a)
    if shapes.rank(a) != 1:
        raise ValueError("Polynomial must be 1d only.")
    return tf.zeros((1,), a.dtype) if a.shape[0] == 0 else a


def _trimmed(a: tf.Tensor) -> tf.Tensor:
    """Without zeros before the first coefficient; how many those are depends on values."""
    known = convert.static_value(a)
    if (known is not None and known[0] != 0) or a.shape[0] == 1:
        return a
    holds = convert.cast(a, tf.bool)
    last = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    first = tf.where(tf.reduce_any(holds), tf.argmax(tf.cast(holds, tf.int8)), last)
    return sizes.open_ended(a[first:])


@weakly
@_in_kind
@by_rank
def polydiv(u: Any, v: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    """The remainder without what is nearly zero before its first coefficient; with `size`, which XLA needs, its last so
    many. Lengths must be known.
    """
    u, v = (ufuncs.add(coefficients(a), 0.0) for a in (u, v))
    ranks = {shapes.rank(u), shapes.rank(v)}
    if ranks != {1}:
        raise ValueError("polynomials must be 1-D")
    if 0 in (u.shape[0], v.shape[0]):
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    dtype = dtypes.result_type(u, v)
    if None in (u.shape[0], v.shape[0]):
        raise ValueError("polydiv: the shape of both polynomials must be known while tracing: set it")
    long, short = shapes.as_int(u.shape[0]), shapes.as_int(v.shape[0])
    scale, rest, quotient = ufuncs.divide(1.0, v[0]), convert.cast(u, dtype), []
    for place in range(long - short + 1):
        share = ufuncs.multiply(scale, rest[place])
        quotient.append(share)
        part = ufuncs.subtract(rest[place : place + short], convert.cast(ufuncs.multiply(share, v), dtype))
        rest = tf.concat([rest[:place], part, rest[place + short :]], 0)
    whole = tf.stack(quotient) if quotient else tf.zeros((1,), dtype)
    return whole, _remainder(rest) if size is None else _last(rest, shapes.as_int(size))


def _remainder(rest: tf.Tensor) -> tf.Tensor:
    if rest.shape[0] == 1:
        return rest
    matters = tf.logical_not(ufuncs.less_equal(ufuncs.absolute(rest[:-1]), 1e-8))
    first = tf.argmax(tf.cast(tf.concat([matters, [True]], 0), tf.int8))
    return sizes.open_ended(rest[first:])


@weakly
@_in_kind
@by_rank
def polyder(p: Any, m: Any = 1) -> tf.Tensor:
    order = int(m)
    if order < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = to_tensor(p)
    if shapes.rank(p) == 0:
        raise TypeError("len() of unsized object")
    length = shapes.shape(p)[0]
    degree = max(length - 1, 0) if isinstance(length, int) else tf.maximum(length - 1, 0)
    derivative = ufuncs.multiply(p[:degree], _downwards(degree))
    return p if order == 0 else polyder(derivative, order - 1)


def _downwards(number: shapes.Side) -> tf.Tensor:
    """The numbers from this one down to 1."""
    return tf.reverse(moves.positions(number), [0]) + 1


@weakly
@_in_kind
@by_rank
def polyint(p: Any, m: Any = 1, k: Any = None) -> tf.Tensor:
    order = int(m)
    if order < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = _constants(k, order)
    p = to_tensor(p)
    if shapes.rank(p) == 0 and order:
        raise TypeError("len() of unsized object")
    for constant in constants[:order]:
        divided = ufuncs.divide(p, _downwards(shapes.shape(p)[0]))
        kind = dtypes.result_type(divided, constant)
        p = concatenate([convert.cast(divided, kind), convert.cast(constant, kind)[None]])
    return p


def _constants(k: Any, order: int) -> list[tf.Tensor]:
    if k is None:
        return [tf.constant(0.0, tf.float64)] * order
    values = coefficients(k)
    count = shapes.as_int(values.shape[0])
    if count == 1 and order > 1:
        return [ufuncs.multiply(values[0], convert.from_numpy(np.ones(())))] * order
    if count < order:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    return tf.unstack(values)
