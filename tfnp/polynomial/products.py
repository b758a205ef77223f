"""Sums, products, quotients and powers of series, conversions between bases, and series from roots."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import is_recorded
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp._core.shapes import Dim
from tfnp._core.traces import trace
from tfnp._core.xla import is_for_xla
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import minus, over, plus, times
from tfnp.polynomial.bases import CHEBYSHEV, CONVOLVED, LAGUERRE, POWERS, Basis
from tfnp.polynomial.coefficients import (
    MAX_BRANCHES,
    add_series,
    as_series_list,
    by_degree,
    extend,
    find_last_index,
    get_length,
    is_dynamic,
    resize,
    resolve_dtype,
    static_length,
    subtract_series,
    trim,
    unstack_rows,
)
from tfnp.routines.math import ufuncs
from tfnp.routines.poly1d.arithmetic import are_zero, multiply_repeatedly
from tfnp.routines.signal.convolution import convolve
from tfnp.routines.sorting.sorting import sort

Pair = tuple[tf.Tensor, tf.Tensor]
MAX_EXACT_PRODUCTS: Final = 8
MAX_UNROLLED: Final = 32
MAX_UNROLLED_COMPLEX: Final = 4  # a product of complex numbers is some ten ops
MAX_UNROLLED_ROOTS: Final = 3  # XLA takes a second to compile each complex product; more roots use a loop


def make_line(basis: Basis, off: ArrayLike, scl: ArrayLike) -> tf.Tensor:
    """Return off + scl x; without a second coefficient if scl is a static zero."""
    static = convert.static_value(scl)
    return to_tensor([off] if static is not None and static == 0 else list(basis.line(off, scl)))


@array_function(traces=("c1", "c2"))
def add(c1: ArrayLike, c2: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    return trim(add_series(*as_series_list(c1, c2, trim=False)), size)


@array_function(traces=("c1", "c2"))
def subtract(c1: ArrayLike, c2: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    return trim(subtract_series(*as_series_list(c1, c2, trim=False)), size)


def multiply_by_x(basis: Basis, c: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    (c,) = as_series_list(c)
    if size is not None:
        return resize(_multiply_by_x(basis, c), shapes.as_int(size))
    c = trim(c)
    static = convert.static_value(c)
    if static is not None:
        return c if len(static) == 1 and static[0] == 0 else _multiply_by_x(basis, c)
    length = tf.shape(c)[0] + tf.cast(convert.cast(c[-1], tf.bool), tf.int32)  # the zero series stays
    return dynamic_size.data_dependent(_multiply_by_x(basis, c)[:length])


def _multiply_by_x(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    return basis.multiply_by_x(extend(c, get_length(c) + 1))


@array_function()
def multiply(basis: Basis, c1: ArrayLike, c2: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    c1, c2 = as_series_list(c1, c2)
    if size is None and basis in CONVOLVED:
        c1, c2 = trim(c1), trim(c2)  # trailing zeros times inf or nan give nan
    result = multiply_coefficients(basis, c1, c2)
    static = all(convert.static_value(c) is not None for c in (c1, c2))
    if size is None and basis not in CONVOLVED and not static and result.shape[0] != 1:
        result = result[: find_last_index(c1) + find_last_index(c2) + 1]
    return trim(result, size)


@array_function(traces=("c1", "c2"))
def multiply_coefficients(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> tf.Tensor:
    """Multiply without trimming; series side by side are multiplied column by column."""
    if basis is POWERS:
        return _convolve(c1, c2)
    if basis is CHEBYSHEV:
        return _from_z_series(_convolve(_to_z_series(c1), _to_z_series(c2)))
    if is_dynamic(c1, c2):
        return dynamic_length.multiply(basis, c1, c2)
    short, long = (c2, c1) if static_length(c1) > static_length(c2) else (c1, c2)
    if static_length(short) == 1:
        dtype = dtypes.promote_with_int(long.dtype)  # NumPy adds a series of one zero, which promotes
        zero = convert.as_constant(np.zeros([1] * len(long.shape), dtypes.as_numpy(dtype)))  # Grappler drops others
        return add_series(convert.cast(times(short[0], long), dtype), zero)
    if static_length(short) > (MAX_UNROLLED_COMPLEX if long.dtype.is_complex else MAX_UNROLLED):
        shape = [static_length(c1) + static_length(c2) - 1, *long.shape[1:]]
        pair = (tf.reshape(c, (static_length(c), -1)) for c in (short, long))
        if is_recorded():
            return tf.reshape(_multiply_rows(basis, *pair), shape)
        specs = [tf.TensorSpec((None, None), long.dtype)] * 2  # of a loop: unrolled, it takes seconds to trace
        return tf.reshape(trace(_multiply_rows, basis, specs=specs)(*pair), shape)
    return _combine(basis, short, long)


def _multiply_rows(basis: Basis, short: tf.Tensor, long: tf.Tensor) -> tf.Tensor:
    size = tf.shape(short)[0] + tf.shape(long)[0] - 1
    return dynamic_length.combine(basis, short, long, size, basis.multiply_by_x)


def _convolve(c1: tf.Tensor, c2: tf.Tensor) -> tf.Tensor:
    """Convolve along the first axis. Columns are convolved by an outer product, padded so that a reshape shifts each
    row by one.
    """
    if shapes.rank(c1) == 1:
        return convolve(c1, c2)
    n, size = static_length(c1), static_length(c1) + static_length(c2)
    padded = layout.pad(times(c1[:, None], c2), [(0, 0), (0, n), (0, 0)])
    flat = tf.reshape(padded, (n * size, -1))[: n * (size - 1)]
    return tf.reduce_sum(tf.reshape(flat, (n, size - 1, -1)), 0)


def _combine(basis: Basis, c: tf.Tensor, unit: tf.Tensor, x: Basis | None = None) -> tf.Tensor:
    """Return (c0 P0 + c1 P1 + ...) unit by Clenshaw's recurrence, in the same basis, or in another one."""
    by_x = functools.partial(_multiply_by_x, basis if x is None else x)
    parts = [times(part, unit) for part in unstack_rows(c)]
    if len(parts) == 1:
        return parts[0]
    c0, c1 = parts[-2:]
    for n in range(len(parts) - 1, 1, -1):
        c0, c1 = basis.step_series(n, by_x, parts[n - 2], c0, c1)
    return add_series(c0, basis.first_series(by_x, c1))


@array_function()
def compose(basis: Basis, c: tf.Tensor, other: Basis, line: tf.Tensor) -> tf.Tensor:
    """Substitute a series of one or two coefficients, in another basis, for x; eager mode runs a traced graph."""
    if is_recorded():
        return trim(dynamic_length.compose(basis, c, other, line))
    if tf.executing_eagerly():
        specs = tf.TensorSpec([None], c.dtype), tf.TensorSpec(line.shape, line.dtype)
        return trim(trace(_compose_series, basis, other, specs=specs)(c, line))
    result = dynamic_length.compose(basis, c, other, line)
    return trim(result) if is_dynamic(c) else result


def _compose_series(basis: Basis, other: Basis, c: tf.Tensor, line: tf.Tensor) -> tf.Tensor:
    return dynamic_length.compose(basis, c, other, line)


def _to_z_series(c: tf.Tensor) -> tf.Tensor:
    """Return a Chebyshev series as a Laurent series in z, with x = (z + 1 / z) / 2."""
    half = over(c, 2)
    return tf.concat([tf.reverse(half[1:], [0]), plus(half[:1], half[:1]), half[1:]], 0)


def _from_z_series(z: tf.Tensor) -> tf.Tensor:
    middle = get_length(z) // 2
    return tf.concat([z[middle : middle + 1], times(z[middle + 1 :], 2)], 0)


def divide(basis: Basis, c1: ArrayLike, c2: ArrayLike, size: ShapeLike | None = None) -> Pair:
    c1, c2 = as_series_list(c1, c2)
    static = convert.static_value(c2)
    if static is not None and are_zero(static[-1:])[0]:
        raise ZeroDivisionError
    if is_dynamic(c1, c2) or (static is None and size is None and static_length(c2) > MAX_BRANCHES):
        last = find_last_index(c2)
        quotient, remainder = dynamic_length.divide(basis, c1, _check_not_zero(c2, last), last)
        remainder = remainder if is_dynamic(c1, c2) else convert.cast(remainder, _find_remainder_dtype(basis, c1, c2))
        return trim(quotient, size), trim(remainder, size)
    result_size = 1 if size is None and static_length(c1) == 1 else None if size is None else shapes.as_int(size)
    dtype = _find_remainder_dtype(basis, c1, c2) if static is None else None
    quotient, remainder = by_degree(c2, functools.partial(_divide_cast, basis, c1, dtype=dtype), result_size)
    is_static = size is None and convert.static_value(c1) is not None
    return quotient if is_static else trim(quotient, size), trim(remainder, size)


def _find_remainder_dtype(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> tf.DType:
    """Return the dtype of the remainder: NumPy uses double precision if it has to divide."""
    if basis in (POWERS, CHEBYSHEV) or not 1 < static_length(c2) <= static_length(c1):
        return c1.dtype
    return dtypes.promote_with_int(c1.dtype)


def _divide_cast(basis: Basis, c1: tf.Tensor, c2: tf.Tensor, dtype: tf.DType | None) -> Pair:
    """Return quotient and remainder by a divisor of this degree, the remainder cast to a dtype."""
    quotient, remainder = _divide(basis, c1, c2)
    quotient = trim_if_static(quotient) if basis is CHEBYSHEV else quotient
    remainder = remainder if dtype is None else convert.cast(remainder, dtype)
    if convert.static_value(c1) is not None:
        return quotient, remainder
    return dynamic_length.keep_short_dividend(c1, static_length(c2) - 1, quotient, remainder)


@array_function(traces=("c1", "c2"))
def _divide(basis: Basis, c1: tf.Tensor, c2: tf.Tensor) -> Pair:
    if static_length(c2) == 1:
        return over(c1, _check_not_zero(c2)[0]), times(c1[:1], 0)
    if static_length(c1) < static_length(c2):
        return times(c1[:1], 0), c1
    if basis is POWERS:
        return _divide_powers(c1, c2)
    if basis is CHEBYSHEV:
        return _divide_z_series(c1, c2)
    remainder, result = c1, []
    for part in reversed(_multiply_by_basis(basis, c2, static_length(c1) - static_length(c2))):
        factor = over(remainder[-1], part[-1])
        remainder = minus(remainder[:-1], times(factor, part[:-1]))
        result.append(convert.cast(factor, c1.dtype))
    return tf.stack(result[::-1]), remainder


def _multiply_by_basis(basis: Basis, c: tf.Tensor, degree: int) -> list[tf.Tensor]:
    """Multiply a series by each polynomial of the basis up to a degree, in double precision. For low degrees the
    products are NumPy's to the last digit, in cubic time; for high ones the recurrence is used.
    """
    c = convert.cast(c, dtypes.promote_with_int(c.dtype))
    if degree + static_length(c) <= MAX_EXACT_PRODUCTS:
        dtype = dtypes.as_numpy(c.dtype)
        units = [convert.from_numpy(np.array([0] * n + [1], dtype)) for n in range(degree + 1)]
        return [multiply_coefficients(basis, *as_series_list(unit, c, trim=False)) for unit in units]
    padded = resize(c, static_length(c) + degree)
    result, zero = [padded, basis.first_series(basis.multiply_by_x, padded)], tf.zeros_like(padded)
    for n in range(2, degree + 1):
        lower, _ = basis.step_series(n, basis.multiply_by_x, zero, zero, result[-2])
        _, upper = basis.step_series(n, basis.multiply_by_x, zero, zero, result[-1])
        result.append(plus(upper, lower))
    return [part[: n + static_length(c)] for n, part in enumerate(result[: degree + 1])]


def _check_not_zero(c: tf.Tensor, index: Dim = 0) -> tf.Tensor:
    if tf.executing_eagerly():
        return c
    with tf.control_dependencies([tf.debugging.Assert(tf.not_equal(c[index], 0), ["division by zero"])]):
        return tf.identity(c)


def _divide_powers(c1: tf.Tensor, c2: tf.Tensor) -> Pair:
    count, scale = static_length(c2) - 1, c2[-1]
    remainder, lower, result = c1, over(c2[:-1], scale), []
    for degree in range(static_length(c1) - static_length(c2), -1, -1):
        result.append(remainder[-1])
        updated = minus(remainder[degree : degree + count], times(lower, remainder[-1]))
        remainder = tf.concat([remainder[:degree], updated], 0)
    return over(tf.stack(result[::-1]), scale), remainder


def _divide_z_series(c1: tf.Tensor, c2: tf.Tensor) -> Pair:
    """Divide Laurent series, eliminating from both ends at once."""
    z1, z2 = _to_z_series(c1), _to_z_series(c2)
    scale, last = z2[0], static_length(z1) - static_length(z2)
    unit, result = over(z2, scale), []
    for first in range(last // 2 + 1):
        result.append(z1[first])
        part = times(z1[first], unit)
        z1 = minus(z1, layout.pad(part, [(first, last - first)]))
        z1 = minus(z1, layout.pad(part, [(last - first, first)])) if first < last - first else z1
    quotient = over(tf.stack([*result, *result[-2::-1]]), scale)
    index = last // 2
    return _from_z_series(quotient), _from_z_series(z1[index + 1 : index + static_length(z2) - 1])


def trim_if_static(c: tf.Tensor) -> tf.Tensor:
    return c if convert.static_value(c) is None else trim(c)


@array_function()
def power(basis: Basis, c: ArrayLike, pow: IntLike, maxpower: IntLike, size: ShapeLike | None = None) -> tf.Tensor:
    (c,) = as_series_list(c)
    exponent = static_int(pow, "Power must be a non-negative integer.")
    if exponent < 0:
        raise ValueError("Power must be a non-negative integer.")
    if maxpower is not None and exponent > maxpower:
        raise ValueError("Power is too large")
    if exponent == 0:
        return resize(tf.ones((1,), c.dtype), 1 if size is None else shapes.as_int(size))
    keeps_zeros = size is None and basis in CONVOLVED  # NumPy trims the series, and not its power, which may underflow
    c = trim(c) if keeps_zeros else c
    result = _multiply_repeatedly(basis, c, exponent)
    return result if keeps_zeros else trim(result, size)


@array_function(traces=("c",))
def _multiply_repeatedly(basis: Basis, c: tf.Tensor, count: int) -> tf.Tensor:
    return multiply_repeatedly(functools.partial(multiply_coefficients, basis), c, count)


def static_int(value: Any, message: str) -> int:
    """Convert to an int; a float must be integral. The value must be static."""
    static = convert.static_value(value)
    if static is None and isinstance(value, tf.Tensor):
        raise requires_static("the integer argument", "polynomial")
    integer = int(static)
    if integer != static:
        raise ValueError(message)
    return integer


@array_function(traces=("roots",))
def from_roots(basis: Basis, roots: ArrayLike) -> tf.Tensor:
    """Multiply lines in pairs, then pairs of pairs, in the order of the sorted roots."""
    roots = shapes.set_unknown_rank(to_tensor(roots), 1)
    resolve_dtype(roots)
    if shapes.rank(roots) == 0:
        raise TypeError("len() of unsized object")
    if roots.shape[0] == 0:
        return tf.ones((1,), dtypes.default_float())
    if shapes.rank(roots) == 1 and is_dynamic(roots):
        roots = convert.cast(roots, dtypes.promote_with_int(resolve_dtype(roots)))
        return dynamic_length.multiply_roots(basis, sort(roots))
    (roots,) = as_series_list(roots, trim=False)
    if (
        is_for_xla()
        and roots.dtype.is_complex
        and shapes.rank(roots) == 1
        and static_length(roots) > MAX_UNROLLED_ROOTS
    ):
        return dynamic_length.multiply_roots(basis, convert.cast(sort(roots), dtypes.promote_with_int(roots.dtype)))
    factors = _make_factors(basis, sort(roots))
    first, later_factors = factors[:, 0], factors[:, 1:]  # the first may be longer than the others
    while later_factors.shape[1]:
        half, is_odd = divmod(later_factors.shape[1] + 1, 2)
        first = multiply_coefficients(basis, first, later_factors[:, half - 1])
        first = multiply_coefficients(basis, first, later_factors[:, -1]) if is_odd else first
        later_factors = (
            multiply_coefficients(basis, later_factors[:, : half - 1], later_factors[:, half : 2 * half - 1])
            if half > 1
            else later_factors[:, :0]
        )
    return first


def _make_factors(basis: Basis, roots: tf.Tensor) -> tf.Tensor:
    """Return x - root for each root, side by side, in double precision."""
    dtype = dtypes.promote_with_int(roots.dtype)
    parts: Sequence[Any] = basis.line(convert.cast(ufuncs.negative(roots), dtype), 1)
    return tf.stack([tf.broadcast_to(to_tensor(part, dtype), roots.shape) for part in parts])


def from_powers(basis: Basis, pol: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """Convert from the power basis by Horner's rule, in double precision."""
    (pol,) = as_series_list(pol)
    pol = convert.cast(pol, dtypes.promote_with_int(pol.dtype))
    if is_dynamic(pol):
        return trim(dynamic_length.from_powers(basis, pol), size)
    result, *remaining_rows = unstack_rows(pol)[::-1]
    result = plus(result[None], 0)
    for other in remaining_rows:
        result = add_series(_multiply_by_x(basis, result), other[None])
    return trim(result, size)


def to_powers(basis: Basis, c: ArrayLike, size: ShapeLike | None = None) -> tf.Tensor:
    """Convert to the power basis."""
    (c,) = as_series_list(c)
    unit = tf.ones((1,), c.dtype)
    if is_dynamic(c):
        return trim(dynamic_length.combine(basis, c, unit, get_length(c), POWERS.multiply_by_x), size)
    if static_length(c) == 1:
        return trim(c, size)  # P0 is 1: a product with it makes nan of a complex infinity
    if static_length(c) == 2 and basis is not LAGUERRE:  # P1 is x times a number: no zero times an infinity
        return trim(tf.stack([c[0], times(c[1], basis.first(1))]), size)
    return trim(_combine(basis, c, unit, POWERS), size)
