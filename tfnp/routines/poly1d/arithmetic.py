"""Polynomials by their coefficients, the highest power first: NumPy's older kind."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, ParamSpec

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.math import ufuncs
from tfnp.routines.signal.convolution import convolve

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


@array_function(promotes=("p", "x"), unknown_rank="each")
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


@array_function(promotes=("a1", "a2"))
@_in_kind
@array_function(unknown_rank="each")
def polyadd(a1: Any, a2: Any) -> tf.Tensor:
    return _joined(a1, a2, ufuncs.add)


@array_function(promotes=("a1", "a2"))
@_in_kind
@array_function(unknown_rank="each")
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


def _longer(a: tf.Tensor, length: shapes.Dim) -> tf.Tensor:
    missing = length - shapes.shape(a)[0]
    if isinstance(missing, int) and missing == 0:
        return a
    return layout.pad(a, [(missing if axis == 0 else 0, 0) for axis in range(shapes.rank(a))])


@array_function(promotes=("a1", "a2"))
@_in_kind
@array_function(unknown_rank="each")
def polymul(a1: Any, a2: Any, *, size: Any = None) -> tf.Tensor:
    """Without the zeros before the first coefficient of either; with `size`, which XLA needs, the last so many."""
    first, second = _polynomial(a1), _polynomial(a2)
    if size is None:
        return convolve(_trimmed(first), _trimmed(second))
    return _last(convolve(first, second), shapes.as_int(size))


def _last(a: tf.Tensor, size: int) -> tf.Tensor:
    longer = layout.pad(a, [(size, 0)])
    return layout.slice_along(longer, 0, shapes.shape(longer)[0] - size, size)


def _polynomial(a: Any) -> tf.Tensor:
    a = coefficients(a)
    if shapes.rank(a) != 1:
        raise ValueError("Polynomial must be 1d only.")
    return tf.zeros((1,), a.dtype) if a.shape[0] == 0 else a


def _trimmed(a: tf.Tensor) -> tf.Tensor:
    """Without zeros before the first coefficient; how many those are depends on values."""
    static = convert.static_value(a)
    if (static is not None and static[0] != 0) or a.shape[0] == 1:
        return a
    holds = convert.cast(a, tf.bool)
    last = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    first = tf.where(tf.reduce_any(holds), tf.argmax(tf.cast(holds, tf.int8)), last)
    return dynamic_size.data_dependent(a[first:])


@array_function(promotes=("u", "v"))
@_in_kind
def polydiv(u: Any, v: Any, *, size: Any = None) -> tuple[tf.Tensor, tf.Tensor]:
    """The remainder without what is nearly zero before its first coefficient; with `size`, which XLA needs, its last so
    many. As in NumPy, what has more axes may be a remainder, but not be divided; what is of unknown rank has no more;
    and bfloat16 is divided as float32.
    """
    u, v = (ufuncs.add(coefficients(_of_one_axis(to_tensor(a))), 0.0) for a in (u, v))
    if 0 in (u.shape[0], v.shape[0]):
        raise IndexError("index 0 is out of bounds for axis 0 with size 0")
    dtype = dtypes.result_type(u, v)
    shapes.broadcast_shapes(shapes.shape(u)[1:], shapes.shape(v)[1:])
    u, v = (convert.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a for a in (convert.cast(u, dtype), v))
    whole, remaining = _divided(u, v)
    remaining = _remainder(remaining) if size is None else _last(remaining, shapes.as_int(size))
    return convert.cast(whole, dtype), convert.cast(remaining, dtype)


def _of_one_axis(a: tf.Tensor) -> tf.Tensor:
    """What is of a known rank, or of one that is at most 1 when the graph runs."""
    if a.shape.rank is not None:
        return a
    with tf.control_dependencies([tf.debugging.Assert(tf.rank(a) < 2, ["setting an array element with a sequence."])]):
        return tf.reshape(a, (-1,))


def _divided(u: tf.Tensor, v: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The quotient, and what is left of `u`."""
    long, short = (shapes.shape(a)[0] for a in (u, v))
    if {shapes.rank(u), shapes.rank(v)} != {1}:
        return tf.zeros((1,), u.dtype), _shorter(u, long < short)
    scale, is_known = ufuncs.divide(1.0, v[0]), isinstance(long, int) and isinstance(short, int)
    if not is_known or (long - short >= LONG and not tf.executing_eagerly()):
        return _divided_in_loop(u, v, scale)
    if long < short:
        return tf.zeros((1,), u.dtype), u
    remaining, quotient = u, []
    for index in range(long - short + 1):
        share = ufuncs.multiply(scale, remaining[index])
        quotient.append(share)
        part = ufuncs.subtract(remaining[index : index + short], convert.cast(ufuncs.multiply(share, v), u.dtype))
        remaining = tf.concat([remaining[:index], part, remaining[index + short :]], 0)
    return tf.stack(quotient), remaining


def _divided_in_loop(u: tf.Tensor, v: tf.Tensor, scale: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The same of lengths that may be known when the graph runs: a quotient of none is zero."""
    long, short = tf.shape(u)[0], tf.shape(v)[0]
    steps, indices = long - short + 1, tf.range(long)
    upcast = tf.pad(v, [[0, tf.maximum(long - short, 0)]])[:long]

    def step(index: tf.Tensor, remaining: tf.Tensor, quotient: tf.Tensor) -> tuple[tf.Tensor, ...]:
        share = ufuncs.multiply(scale, remaining[index])
        less = tf.roll(convert.cast(ufuncs.multiply(share, upcast), u.dtype), index, 0)
        there = tf.logical_and(indices >= index, indices < index + short)
        quotient = tf.where(tf.equal(indices, index), share, quotient)
        remaining = tf.where(there, ufuncs.subtract(remaining, less), remaining)
        return index + 1, tf.ensure_shape(remaining, u.shape), tf.ensure_shape(quotient, u.shape)

    start = (tf.constant(0), u, tf.zeros_like(u))
    _, remaining, quotient = tf.while_loop(lambda index, *_: index < steps, step, start, maximum_iterations=long)
    return quotient[: tf.maximum(steps, 1)], remaining


def _shorter(u: tf.Tensor, is_shorter: Any) -> tf.Tensor:
    """What has more axes than one, which cannot be divided."""
    message = "setting an array element with a sequence."
    if isinstance(is_shorter, tf.Tensor):
        with tf.control_dependencies([tf.debugging.Assert(is_shorter, [message])]):
            return tf.identity(u)
    if not is_shorter:
        raise ValueError(message)
    return u


def _remainder(remaining: tf.Tensor) -> tf.Tensor:
    """Of what has more axes than one, rows; there must be one that matters, if they have more than one element."""
    rank = shapes.rank(remaining)
    if remaining.shape[-1] == 1:
        return remaining
    near = ufuncs.less_equal(ufuncs.absolute(remaining), 1e-8)
    if rank == 1:
        near = tf.concat([near[:-1], [False]], 0)
    else:
        columns = shapes.shape(remaining)[-1]
        near = _some_false(tf.logical_and(tf.reduce_all(near, list(range(1, rank))), columns > 1))
    return dynamic_size.data_dependent(remaining[tf.argmin(tf.cast(near, tf.int8)) :])


def _some_false(near: tf.Tensor) -> tf.Tensor:
    is_valid = tf.logical_not(tf.reduce_all(near))
    return check(is_valid, IndexError("index 0 is out of bounds for axis 0 with size 0"), near)


@array_function(promotes=("p", "m"))
@_in_kind
@array_function(unknown_rank="each")
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


def _downwards(number: shapes.Dim) -> tf.Tensor:
    """The numbers from this one down to 1."""
    return tf.reverse(layout.positions(number), [0]) + 1


@array_function(promotes=("p", "m"))
@_in_kind
@array_function(unknown_rank="each")
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
