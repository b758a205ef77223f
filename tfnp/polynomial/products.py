"""Sums, products, quotients and powers of series, and series from what makes them up."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.shapes import Dim
from tfnp._core.xla import is_for_xla
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import minus, over, plus, times
from tfnp.polynomial.bases import CHEBYSHEV, POWERS, Basis
from tfnp.polynomial.coefficients import (
    by_degree,
    common_dtype,
    concatenate,
    dim,
    is_open,
    last_index,
    length,
    resize,
    rows,
    series,
    trimmed,
)
from tfnp.routines.math import ufuncs
from tfnp.routines.signal.convolution import convolve
from tfnp.routines.sorting.sorting import sort

Pair = tuple[tf.Tensor, tf.Tensor]
FEW: Final = 8
LONG: Final = 32
FEW_ROOTS: Final = 3  # of complex ones XLA takes a second for each product that it compiles, so that it gets a loop
MOST_BRANCHES: Final = 4  # of a graph for divisors of each length: of a longer one it takes a loop


def line(basis: Basis, off: Any, scl: Any) -> tf.Tensor:
    """Without a second coefficient where that is known to be zero."""
    static = convert.static_value(scl)
    return to_tensor([off] if static is not None and static == 0 else list(basis.line(off, scl)))


def add(c1: Any, c2: Any, size: Any = None) -> tf.Tensor:
    return trimmed(concatenate(ufuncs.add, *series(c1, c2, trim=False)), size)


def subtract(c1: Any, c2: Any, size: Any = None) -> tf.Tensor:
    return trimmed(concatenate(ufuncs.subtract, *series(c1, c2, trim=False)), size)


def multiply_by_x(basis: Basis, c: Any, size: Any = None) -> tf.Tensor:
    (c,) = series(c)
    return trimmed(_by_x(basis, c), size)


def _by_x(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    return basis.by_x(resize(c, dim(c) + 1))


def multiply(basis: Basis, c1: Any, c2: Any, size: Any = None) -> tf.Tensor:
    c1, c2 = series(c1, c2)
    found = product(basis, c1, c2)
    static = all(convert.static_value(c) is not None for c in (c1, c2))
    if size is None and not static and found.shape[0] != 1:
        found = found[: last_index(c1) + last_index(c2) + 1]  # zeros at the ends make nan of what is not finite
    return trimmed(found, size)


def product(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> tf.Tensor:
    """As many coefficients as there can be; of several series of one length, side by side, each with its own."""
    if basis is POWERS:
        return _convolved(c1, c2)
    if basis is CHEBYSHEV:
        return _one_sided(_convolved(_two_sided(c1), _two_sided(c2)))
    if is_open(c1, c2):
        return dynamic_length.product(basis, c1, c2)
    short, long = (c2, c1) if length(c1) > length(c2) else (c1, c2)
    if length(short) == 1:
        return convert.cast(times(short[0], long), dtypes.promote_with_int(long.dtype))  # as in NumPy, which adds zero
    if length(short) > LONG:
        shape = [length(c1) + length(c2) - 1, *long.shape[1:]]
        pair = (tf.reshape(c, (length(c), -1)) for c in (short, long))
        return tf.reshape(_long_product(basis, long.dtype)(*pair), shape)
    return _combined(basis, short, long, length(c1) + length(c2) - 1, basis.by_x)


@functools.cache
def _long_product(basis: Basis, dtype: tf.DType) -> Callable[[tf.Tensor, tf.Tensor], tf.Tensor]:
    """In a loop, traced once, where an operation for each coefficient would take seconds."""

    def product(short: tf.Tensor, long: tf.Tensor) -> tf.Tensor:
        size = tf.shape(short)[0] + tf.shape(long)[0] - 1
        return dynamic_length.combine(basis, short, long, size, basis.by_x)

    return tf.function(product, [tf.TensorSpec((None, None), dtype)] * 2, autograph=False)


def _convolved(c1: tf.Tensor, c2: tf.Tensor) -> tf.Tensor:
    """Along the first axis. Rows of products that end with a row of zeros are shifted by one when they are cut where
    they are one shorter.
    """
    if shapes.rank(c1) == 1:
        return convolve(c1, c2)
    n, size = length(c1), length(c1) + length(c2)
    upcast = layout.pad(times(c1[:, None], c2), [(0, 0), (0, n), (0, 0)])
    flat = tf.reshape(upcast, (n * size, -1))[: n * (size - 1)]
    return tf.reduce_sum(tf.reshape(flat, (n, size - 1, -1)), 0)


def _combined(
    basis: Basis, c: tf.Tensor, unit: tf.Tensor, size: Dim, by_x: Callable[[tf.Tensor], tf.Tensor]
) -> tf.Tensor:
    """c0 P0 + c1 P1 + ... of what `by_x` multiplies by x, with room for that: by Clenshaw's recurrence."""
    if is_open(c):
        return dynamic_length.combine(basis, c, unit, size, by_x)
    parts = [resize(times(part, unit), size) for part in rows(c)]
    if len(parts) == 1:
        return parts[0]
    c0, c1 = parts[-2:]
    for n in range(len(parts) - 1, 1, -1):
        c0, c1 = basis.fold_series(n, by_x, parts[n - 2], c0, c1)
    return plus(c0, basis.first_series(by_x, c1))


def _two_sided(c: tf.Tensor) -> tf.Tensor:
    """The series of z that a Chebyshev series is, where x is (z + 1 / z) / 2."""
    half = over(c, 2)
    return tf.concat([tf.reverse(half[1:], [0]), plus(half[:1], half[:1]), half[1:]], 0)


def _one_sided(z: tf.Tensor) -> tf.Tensor:
    middle = dim(z) // 2
    return tf.concat([z[middle : middle + 1], times(z[middle + 1 :], 2)], 0)


def divide(basis: Basis, c1: Any, c2: Any, size: Any = None) -> Pair:
    c1, c2 = series(c1, c2)
    static = convert.static_value(c2)
    if static is not None and static[-1] == 0:
        raise ZeroDivisionError
    if is_open(c1, c2) or (static is None and size is None and length(c2) > MOST_BRANCHES):
        last = last_index(c2)
        quotient, remaining = dynamic_length.quotient(basis, c1, _not_zero(c2, last), last)
        remaining = remaining if is_open(c1, c2) else convert.cast(remaining, _dtype_of_rest(basis, c1, c2))
        return trimmed(quotient, size), trimmed(remaining, size)
    expected = 1 if size is None and length(c1) == 1 else None if size is None else shapes.as_int(size)
    kind = _dtype_of_rest(basis, c1, c2) if static is None else None
    quotient, remaining = by_degree(c2, functools.partial(_quotient, basis, c1, dtype=kind), expected)
    is_settled = size is None and convert.static_value(c1) is not None
    return quotient if is_settled else trimmed(quotient, size), trimmed(remaining, size)


def _dtype_of_rest(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> tf.DType:
    """NumPy divides in double precision where it has to divide: a graph, if the degrees are what they seem to be."""
    if basis in (POWERS, CHEBYSHEV) or not 1 < length(c2) <= length(c1):
        return c1.dtype
    return dtypes.promote_with_int(c1.dtype)


def _quotient(basis: Basis, c1: tf.Tensor, c2: tf.Tensor, dtype: tf.DType | None) -> Pair:
    """Quotient and remainder, given the degree of the divisor."""
    quotient, remaining = _divided(basis, c1, c2)
    return quotient, remaining if dtype is None else convert.cast(remaining, dtype)


def _divided(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> Pair:
    if length(c2) == 1:
        return over(c1, _not_zero(c2)[0]), times(c1[:1], 0)
    if length(c1) < length(c2):
        return times(c1[:1], 0), c1
    if basis is POWERS:
        return _quotient_of_powers(c1, c2)
    if basis is CHEBYSHEV:
        return _quotient_of_two_sided(c1, c2)
    remaining, found = c1, []
    for part in reversed(_raised(basis, c2, length(c1) - length(c2))):
        share = over(remaining[-1], part[-1])
        remaining = minus(remaining[:-1], times(share, part[:-1]))
        found.append(convert.cast(share, c1.dtype))
    return tf.stack(found[::-1]), remaining


def _raised(basis: Basis, c: tf.Tensor, degree: int) -> list[tf.Tensor]:
    """A series times each polynomial of the basis up to a degree, in double precision: of few by their products, as in
    NumPy to the last digit, which takes time by the cube of their number; of many each by the two before it.
    """
    c = convert.cast(c, dtypes.promote_with_int(c.dtype))
    if degree + length(c) <= FEW:
        kind = dtypes.as_numpy(c.dtype)
        units = [convert.from_numpy(np.array([0] * n + [1], kind)) for n in range(degree + 1)]
        return [product(basis, *series(unit, c, trim=False)) for unit in units]
    upcast = resize(c, length(c) + degree)
    found, zero = [upcast, basis.first_series(basis.by_x, upcast)], tf.zeros_like(upcast)
    for n in range(2, degree + 1):
        lower, _ = basis.fold_series(n, basis.by_x, zero, zero, found[-2])
        _, upper = basis.fold_series(n, basis.by_x, zero, zero, found[-1])
        found.append(plus(upper, lower))
    return [one[: n + length(c)] for n, one in enumerate(found[: degree + 1])]


def _not_zero(c: tf.Tensor, index: Dim = 0) -> tf.Tensor:
    if tf.executing_eagerly():
        return c
    with tf.control_dependencies([tf.debugging.Assert(tf.not_equal(c[index], 0), ["division by zero"])]):
        return tf.identity(c)


def _quotient_of_powers(c1: tf.Tensor, c2: tf.Tensor) -> Pair:
    count, scale = length(c2) - 1, c2[-1]
    remaining, lower, found = c1, over(c2[:-1], scale), []
    for degree in range(length(c1) - length(c2), -1, -1):
        found.append(remaining[-1])
        changed = minus(remaining[degree : degree + count], times(lower, remaining[-1]))
        remaining = tf.concat([remaining[:degree], changed], 0)
    return over(tf.stack(found[::-1]), scale), remaining


def _quotient_of_two_sided(c1: tf.Tensor, c2: tf.Tensor) -> Pair:
    """What divides a series of z is taken from both of its ends at once."""
    z1, z2 = _two_sided(c1), _two_sided(c2)
    scale, last = z2[0], length(z1) - length(z2)
    unit, found = over(z2, scale), []
    for first in range(last // 2 + 1):
        found.append(z1[first])
        part = times(z1[first], unit)
        z1 = minus(z1, layout.pad(part, [(first, last - first)]))
        z1 = minus(z1, layout.pad(part, [(last - first, first)])) if first < last - first else z1
    quotient = over(tf.stack([*found, *found[-2::-1]]), scale)
    index = last // 2
    return trim_if_static(_one_sided(quotient)), _one_sided(z1[index + 1 : index + length(z2) - 1])


def trim_if_static(c: tf.Tensor) -> tf.Tensor:
    return c if convert.static_value(c) is None else trimmed(c)


def power(basis: Basis, c: Any, pow: Any, maxpower: Any, size: Any = None) -> tf.Tensor:
    (c,) = series(c)
    exponent = static_int(pow, "Power must be a non-negative integer.")
    if exponent < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and exponent > maxpower:
        raise ValueError("Power is too large")
    if exponent == 0:
        return resize(tf.ones((1,), c.dtype), 1 if size is None else shapes.as_int(size))
    return trimmed(functools.reduce(functools.partial(product, basis), [c] * exponent), size)


def static_int(value: Any, message: str) -> int:
    """An integer, also as a number that is one."""
    static = convert.static_value(value)
    if static is None and isinstance(value, tf.Tensor):
        raise TypeError("this argument decides shapes, so it must be known while tracing")
    number = int(static)
    if number != static:
        raise ValueError(message)
    return number


def from_roots(basis: Basis, roots: Any) -> tf.Tensor:
    """Products of lines, in pairs, then in pairs of pairs, in order of the roots."""
    roots = shapes.with_rank(to_tensor(roots), 1)
    if shapes.rank(roots) == 0:
        raise TypeError("len() of unsized object")
    if roots.shape[0] == 0:
        return tf.ones((1,), dtypes.default_float())
    if shapes.rank(roots) == 1 and is_open(roots):
        roots = convert.cast(roots, dtypes.promote_with_int(common_dtype(roots)))
        return dynamic_length.product_of_roots(basis, sort(roots))
    (roots,) = series(roots, trim=False)
    if is_for_xla() and roots.dtype.is_complex and shapes.rank(roots) == 1 and length(roots) > FEW_ROOTS:
        return dynamic_length.product_of_roots(basis, convert.cast(sort(roots), dtypes.promote_with_int(roots.dtype)))
    factors = _factors(basis, sort(roots))
    first, others = factors[:, 0], factors[:, 1:]  # of which one alone may be longer than the others
    while others.shape[1]:
        half, odd = divmod(others.shape[1] + 1, 2)
        first = product(basis, first, others[:, half - 1])
        first = product(basis, first, others[:, -1]) if odd else first
        others = product(basis, others[:, : half - 1], others[:, half : 2 * half - 1]) if half > 1 else others[:, :0]
    return first


def _factors(basis: Basis, roots: tf.Tensor) -> tf.Tensor:
    """Of x - root for each root, side by side, in double precision."""
    dtype = dtypes.promote_with_int(roots.dtype)
    parts: Sequence[Any] = basis.line(convert.cast(ufuncs.negative(roots), dtype), 1)
    return tf.stack([tf.broadcast_to(to_tensor(part, dtype), roots.shape) for part in parts])


def from_powers(basis: Basis, pol: Any, size: Any = None) -> tf.Tensor:
    """A polynomial in another basis, by Horner's rule, in double precision."""
    (pol,) = series(pol)
    upcast = convert.cast(pol, dtypes.promote_with_int(pol.dtype))
    if is_open(upcast):
        return trimmed(dynamic_length.from_powers(basis, upcast), size)
    found, *others = rows(upcast)[::-1]
    result = found[None]
    for other in others:
        result = concatenate(ufuncs.add, _by_x(basis, result), other[None])
    return trimmed(result, size)


def to_powers(basis: Basis, c: Any, size: Any = None) -> tf.Tensor:
    """A series as a polynomial."""
    (c,) = series(c)
    return trimmed(_combined(basis, c, tf.ones((1,), c.dtype), dim(c), POWERS.by_x), size)
