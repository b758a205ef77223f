"""Polynomials as arrays of coefficients, the highest power first: NumPy's older functions."""

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
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.math import ufuncs
from tfnp.routines.signal.convolution import convolve

__all__ = ["polyadd", "polyder", "polydiv", "polyint", "polymul", "polysub", "polyval"]

_MAX_UNROLLED: Final = 16  # longer loops are not unrolled in a graph: XLA would take long to compile them

_TINY32, _TINY64 = float(np.finfo(np.float32).tiny), float(np.finfo(np.float64).tiny)
_SMALLEST_NORMAL: Final = {np.dtype(np.float32): _TINY32, dtypes.BFLOAT16: _TINY32, np.dtype(np.float64): _TINY64}

P = ParamSpec("P")


class PowerSeries:
    """The base class of `poly1d`. Functions of coefficients that are given an instance return one."""

    _coeffs: tf.Tensor

    def __init__(self, c_or_r: ArrayLike) -> None:
        self._coeffs = c_or_r


def _keep_series_type(function: Callable[P, Any]) -> Callable[P, Any]:
    """Return the function of coefficients with results that are series if an argument is one, of the same class."""

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> Any:
        series = next((type(value) for value in (*args, *kwargs.values()) if isinstance(value, PowerSeries)), None)
        if series is None:
            return function(*args, **kwargs)
        result = function(*map(_unwrap_series, args), **{name: _unwrap_series(kwargs[name]) for name in kwargs})
        return tuple(map(series, result)) if isinstance(result, tuple) else series(result)

    return wrapper


def _unwrap_series(value: Any) -> Any:
    return value._coeffs if isinstance(value, PowerSeries) else value


def as_coefficients(a: Any) -> tf.Tensor:
    """Return coefficients as a tensor of at least one dimension."""
    a = to_tensor(a)
    shapes.rank(a)  # raises where the rank is unknown
    return shapes.pad_rank(a, 1)


@array_function(promotes=("p", "x"), unknown_rank="each", traces=("p", "x"))
def polyval(p: ArrayLike, x: ArrayLike) -> Any:
    """The value is calculated by Horner's rule. A graph unrolls it for up to 16 coefficients, and else has a loop,
    which XLA compiles faster. The length of `p` may be unknown while tracing.
    """
    p = to_tensor(_unwrap_series(p))
    if shapes.rank(p) == 0:
        raise TypeError("polyval: p must have at least one axis, got a scalar")
    if isinstance(x, PowerSeries):
        return functools.reduce(lambda y, coefficient: y * x + coefficient, tf.unstack(p), 0)
    x = to_tensor(x)
    y = tf.zeros_like(x)
    if p.shape[0] is None or (p.shape[0] > _MAX_UNROLLED and not tf.executing_eagerly()):
        y = convert.cast(y, dtypes.result_type(p, x))
        return tf.foldl(lambda y, coefficient: _multiply_add(y, x, coefficient), p, y)
    for coefficient in tf.unstack(p):
        y = _multiply_add(y, x, coefficient)
    return y


def _multiply_add(y: tf.Tensor, x: tf.Tensor, coefficient: tf.Tensor) -> tf.Tensor:
    return ufuncs.add(ufuncs.multiply(y, x), coefficient)


@array_function(promotes=("a1", "a2"), traces=("a1", "a2"))
@_keep_series_type
@array_function(unknown_rank="each")
def polyadd(a1: ArrayLike, a2: ArrayLike) -> tf.Tensor:
    """Return a tensor, or a `poly1d` if an argument is one. The lengths may be unknown while tracing."""
    return _align_and_apply(a1, a2, ufuncs.add)


@array_function(promotes=("a1", "a2"), traces=("a1", "a2"))
@_keep_series_type
@array_function(unknown_rank="each")
def polysub(a1: ArrayLike, a2: ArrayLike) -> tf.Tensor:
    """Return a tensor, or a `poly1d` if an argument is one. The lengths may be unknown while tracing."""
    return _align_and_apply(a1, a2, ufuncs.subtract)


def _align_and_apply(a1: Any, a2: Any, function: Any) -> tf.Tensor:
    """Apply a function to coefficients of the same powers, after padding the shorter array with leading zeros."""
    first, second = as_coefficients(a1), as_coefficients(a2)
    lengths = [shapes.shape(a)[0] for a in (first, second)]
    if shapes.is_static(lengths):
        max_length = max(lengths)
        if any(shapes.rank(a) > 1 and length < max_length for a, length in zip((first, second), lengths, strict=True)):
            raise ValueError("all the input arrays must have same number of dimensions")
    else:
        max_length = tf.maximum(*lengths)
    return function(*(_pad_front(a, max_length) for a in (first, second)))


def _pad_front(a: tf.Tensor, length: shapes.Dim) -> tf.Tensor:
    """Pad the first axis with leading zeros, up to a length."""
    added = length - shapes.shape(a)[0]
    if isinstance(added, int) and added == 0:
        return a
    return layout.pad(a, [(added if axis == 0 else 0, 0) for axis in range(shapes.rank(a))])


@array_function(promotes=("a1", "a2"), traces=("a1", "a2"))
@_keep_series_type
@array_function(unknown_rank="each")
def polymul(a1: ArrayLike, a2: ArrayLike, *, size: ShapeLike | None = None) -> tf.Tensor:
    """Leading zeros of both polynomials are dropped, so the length of the result depends on values, which XLA does not
    support. With `size`, a keyword of tfnp's own, the last `size` coefficients are returned.
    """
    first, second = _as_polynomial(a1), _as_polynomial(a2)
    if size is None:
        return convolve(_trim_leading_zeros(first), _trim_leading_zeros(second))
    return _take_last(convolve(first, second), shapes.as_int(size))


def _take_last(a: tf.Tensor, size: int) -> tf.Tensor:
    """Return the last elements of a vector, with leading zeros if there are fewer."""
    padded = layout.pad(a, [(size, 0)])
    return layout.slice_along(padded, 0, shapes.shape(padded)[0] - size, size)


def _as_polynomial(a: Any) -> tf.Tensor:
    """Return coefficients as a vector that is not empty. Raise ValueError for arrays with more axes."""
    a = as_coefficients(a)
    if shapes.rank(a) != 1:
        raise ValueError("Polynomial must be 1d only.")
    return tf.zeros((1,), a.dtype) if a.shape[0] == 0 else a


def are_zero(c: np.ndarray) -> np.ndarray:
    """Return which coefficients are zeros. Subnormal ones are: TensorFlow's kernels calculate with zeros instead, so
    that a graph trims them, and a division by one is a division by zero.
    """
    if c.dtype.kind == "c":
        return are_zero(c.real) & are_zero(c.imag)
    smallest_normal = _SMALLEST_NORMAL.get(c.dtype)
    return c == 0 if smallest_normal is None else np.abs(c) < smallest_normal


def _trim_leading_zeros(a: tf.Tensor) -> tf.Tensor:
    """Return the vector without leading zeros, whose number depends on values; its last element stays."""
    static = convert.static_value(a)
    if (static is not None and not are_zero(static[:1])[0]) or a.shape[0] == 1:
        return a
    is_nonzero = convert.cast(a, tf.bool)
    last = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    first = tf.where(tf.reduce_any(is_nonzero), tf.argmax(tf.cast(is_nonzero, tf.int8)), last)
    return dynamic_size.data_dependent(a[first:])


@array_function(promotes=("u", "v"), traces=("u", "v"))
@_keep_series_type
def polydiv(u: ArrayLike, v: ArrayLike, *, size: ShapeLike | None = None) -> tuple[tf.Tensor, tf.Tensor]:
    """Leading coefficients of the remainder that are nearly zero are dropped, so its length depends on values, which
    XLA does not support. With `size`, a keyword of tfnp's own, the last `size` coefficients of it are returned.

    bfloat16 is calculated in float32. A tensor of unknown rank must be a vector or a scalar.
    """
    u, v = (ufuncs.add(as_coefficients(_check_one_axis(to_tensor(a))), 0.0) for a in (u, v))
    if 0 in (u.shape[0], v.shape[0]):
        raise IndexError("polydiv: u and v must not be empty")
    dtype = dtypes.result_type(u, v)
    shapes.broadcast_shapes(shapes.shape(u)[1:], shapes.shape(v)[1:])
    u, v = (convert.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a for a in (convert.cast(u, dtype), v))
    quotient, remainder = _divide(u, v)
    remainder = _trim_remainder(remainder) if size is None else _take_last(remainder, shapes.as_int(size))
    return convert.cast(quotient, dtype), convert.cast(remainder, dtype)


_MOST_FACTORS: Final = 100
_NOT_VECTORS: Final = "polydiv: u and v must be 1-D"


def _check_one_axis(a: tf.Tensor) -> tf.Tensor:
    """Flatten a tensor of unknown rank, which must be at most 1 when the graph runs."""
    if a.shape.rank is not None:
        return a
    return tf.reshape(check(tf.rank(a) < 2, ValueError(_NOT_VECTORS), a), (-1,))


def _divide(u: tf.Tensor, v: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the quotient and the remainder, which has as many coefficients as the dividend."""
    long, short = (shapes.shape(a)[0] for a in (u, v))
    if {shapes.rank(u), shapes.rank(v)} != {1}:
        return tf.zeros((1,), u.dtype), _check_shorter(u, long < short)
    scale, is_static = ufuncs.divide(1.0, v[0]), isinstance(long, int) and isinstance(short, int)
    if not is_static or (long - short >= _MAX_UNROLLED and not tf.executing_eagerly()):
        return _divide_in_loop(u, v, scale)
    if long < short:
        return tf.zeros((1,), u.dtype), u
    remainder, quotient = u, []
    for index in range(long - short + 1):
        factor = ufuncs.multiply(scale, remainder[index])
        quotient.append(factor)
        difference = ufuncs.subtract(
            remainder[index : index + short], convert.cast(ufuncs.multiply(factor, v), u.dtype)
        )
        remainder = tf.concat([remainder[:index], difference, remainder[index + short :]], 0)
    return tf.stack(quotient), remainder


def _divide_in_loop(u: tf.Tensor, v: tf.Tensor, scale: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Divide in a loop of the graph. The lengths may be unknown while tracing; an empty quotient becomes a zero."""
    long, short = tf.shape(u)[0], tf.shape(v)[0]
    steps, indices = long - short + 1, tf.range(long)
    padded_v = tf.pad(v, [[0, tf.maximum(long - short, 0)]])[:long]

    def step(index: tf.Tensor, remainder: tf.Tensor, quotient: tf.Tensor) -> tuple[tf.Tensor, ...]:
        factor = ufuncs.multiply(scale, remainder[index])
        subtrahend = tf.roll(convert.cast(ufuncs.multiply(factor, padded_v), u.dtype), index, 0)
        is_inside = tf.logical_and(indices >= index, indices < index + short)
        quotient = tf.where(tf.equal(indices, index), factor, quotient)
        remainder = tf.where(is_inside, ufuncs.subtract(remainder, subtrahend), remainder)
        return index + 1, tf.ensure_shape(remainder, u.shape), tf.ensure_shape(quotient, u.shape)

    start = (tf.constant(0), u, tf.zeros_like(u))
    _, remainder, quotient = tf.while_loop(lambda index, *_: index < steps, step, start, maximum_iterations=long)
    return quotient[: tf.maximum(steps, 1)], remainder


def _check_shorter(u: tf.Tensor, is_shorter: Any) -> tf.Tensor:
    """Return a dividend with several axes. Raise ValueError, as NumPy does, unless it is shorter than the divisor."""
    error = ValueError(_NOT_VECTORS)
    if isinstance(is_shorter, tf.Tensor):
        return check(is_shorter, error, u)
    if not is_shorter:
        raise error
    return u


def _trim_remainder(remainder: tf.Tensor) -> tf.Tensor:
    """Drop leading coefficients that are nearly zero; of a remainder with several axes, such rows."""
    rank = shapes.rank(remainder)
    if remainder.shape[-1] == 1:
        return remainder
    is_near_zero = ufuncs.less_equal(ufuncs.absolute(remainder), 1e-8)
    if rank == 1:
        is_near_zero = tf.concat([is_near_zero[:-1], [False]], 0)
    else:
        columns = shapes.shape(remainder)[-1]
        is_near_zero = _check_any_false(tf.logical_and(tf.reduce_all(is_near_zero, list(range(1, rank))), columns > 1))
    return dynamic_size.data_dependent(remainder[tf.argmin(tf.cast(is_near_zero, tf.int8)) :])


def _check_any_false(is_near_zero: tf.Tensor) -> tf.Tensor:
    """Raise IndexError, as NumPy does, where all rows of a remainder are nearly zero; return the mask."""
    is_valid = tf.logical_not(tf.reduce_all(is_near_zero))
    return check(is_valid, IndexError("polydiv: the remainder is zero, and has several axes"), is_near_zero)


@array_function(promotes=("p", "m"), traces=("p",))
@_keep_series_type
@array_function(unknown_rank="each")
def polyder(p: ArrayLike, m: IntLike = 1) -> tf.Tensor:
    """`m` must be static."""
    order = int(m)
    if order < 0:
        raise ValueError("Order of derivative must be positive (see polyint)")
    p = to_tensor(p)
    if shapes.rank(p) == 0:
        raise TypeError("polyder: p must have at least one axis, got a scalar")
    return layout.shorten(_differentiate(p), 0, order - 1, _differentiate) if order else p


def _differentiate(p: tf.Tensor) -> tf.Tensor:
    length = shapes.shape(p)[0]
    degree = max(length - 1, 0) if isinstance(length, int) else tf.maximum(length - 1, 0)
    return ufuncs.multiply(p[:degree], _count_down(degree))


def _count_down(length: shapes.Dim) -> tf.Tensor:
    """Return the integers from `length` down to 1."""
    return tf.reverse(layout.positions(length), [0]) + 1


def multiply_repeatedly(
    multiply: Callable[[tf.Tensor, tf.Tensor], tf.Tensor], factor: tf.Tensor, count: int
) -> tf.Tensor:
    """Return a positive power: of up to a hundred factors in NumPy's order, of more by squares."""
    if count <= _MOST_FACTORS:
        return functools.reduce(multiply, [factor] * count)
    result = factor
    for bit in f"{count:b}"[1:]:
        result = multiply(result, result)
        result = multiply(result, factor) if bit == "1" else result
    return result


@array_function(promotes=("p", "m"), traces=("p",))
@_keep_series_type
@array_function(unknown_rank="each")
def polyint(p: ArrayLike, m: IntLike = 1, k: ArrayLike | None = None) -> tf.Tensor:
    """`m` must be static. The dtype of `k` takes part in promotion."""
    order = int(m)
    if order < 0:
        raise ValueError("Order of integral must be positive (see polyder)")
    constants = _as_constants(k, order)
    p = to_tensor(p)
    if shapes.rank(p) == 0 and order:
        raise TypeError("polyint: p must have at least one axis, got a scalar")
    for constant in constants[:order]:
        divided = ufuncs.divide(p, _count_down(shapes.shape(p)[0]))
        dtype = dtypes.result_type(divided, constant)
        p = concatenate([convert.cast(divided, dtype), convert.cast(constant, dtype)[None]])
    return p


def _as_constants(k: Any, order: int) -> list[tf.Tensor]:
    """Return the constants of integration, one for each order."""
    if k is None:
        return [tf.constant(0.0, tf.float64)] * order
    values = as_coefficients(k)
    count = shapes.as_int(values.shape[0])
    if count == 1 and order > 1:
        return [ufuncs.multiply(values[0], convert.from_numpy(np.ones(())))] * order
    if count < order:
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or >m.")
    return tf.unstack(values)
