"""Convolution, interpolation, phase unwrapping, and the special functions sinc and i0."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.gradients import derivative
from tfnp._kernels.select_rare import is_long, replace_few, replace_rare
from tfnp.routines.math import ufuncs
from tfnp.routines.math.cumulative import cumsum
from tfnp.routines.math.differences import decrement, diff
from tfnp.routines.signal import sliding_products
from tfnp.routines.sorting.searching import search_sorted_position
from tfnp.routines.sorting.sorting import argsort

__all__ = ["convolve", "correlate", "i0", "interp", "sinc", "unwrap"]

_LENGTH_MESSAGE: Final = "fp and xp are not of the same length"


@array_function(promotes=("a", "v"), unknown_rank="each", traces=("a", "v"))
def convolve(a: ArrayLike, v: ArrayLike, mode: str = "full") -> tf.Tensor:
    """float16 and bfloat16 are summed in float32. The lengths may be unknown while tracing; `mode` must be static.

    Time grows with the product of both lengths, memory with their sum. Long vectors are multiplied by blocks, as
    matrices, so the order in which floats are summed is not NumPy's.
    """
    a, v = shapes.pad_rank(to_tensor(a), 1), shapes.pad_rank(to_tensor(v), 1)
    if 0 in (a.shape[0], v.shape[0]):
        raise ValueError(f"{'a' if a.shape[0] == 0 else 'v'} cannot be empty")
    _check_mode(mode)
    shapes.check_vector(a)
    shapes.check_vector(v)
    if None not in (a.shape[0], v.shape[0]) and v.shape[0] > a.shape[0]:
        a, v = v, a
    elif None in (a.shape[0], v.shape[0]):
        a, v, _ = _swap_dynamic(a, v)
    return _sum_products(a, tf.reverse(v, [0]), mode)


@array_function(promotes=("a", "v"), unknown_rank="each", traces=("a", "v"))
def correlate(a: ArrayLike, v: ArrayLike, mode: str = "valid") -> tf.Tensor:
    """float16 and bfloat16 are summed in float32. The lengths may be unknown while tracing; `mode` must be static.

    Time grows with the product of both lengths, memory with their sum. Long vectors are multiplied by blocks, as
    matrices, so the order in which floats are summed is not NumPy's.
    """
    _check_mode(mode)
    a, v = to_tensor(a), to_tensor(v)
    shapes.check_vector(a)
    shapes.check_vector(v)
    if 0 in (a.shape[0], v.shape[0]):
        raise ValueError(f"{'first' if a.shape[0] == 0 else 'second'} array argument cannot be empty")
    v = tf.math.conj(v) if v.dtype.is_complex else v
    if v.shape[0] is not None and a.shape[0] is not None and v.shape[0] > a.shape[0]:
        return tf.reverse(_sum_products(v, a, mode), [0])
    if None not in (a.shape[0], v.shape[0]):
        return _sum_products(a, v, mode)
    a, v, is_swapped = _swap_dynamic(a, v)
    result = _sum_products(a, v, mode)
    return layout.choose_by_shape(is_swapped, lambda: tf.reverse(result, [0]), lambda: result)


def _swap_dynamic(a: tf.Tensor, v: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return two vectors of dynamic length, the longer one first, and whether they were swapped."""
    dtype = dtypes.result_type(a, v)
    a, v = convert.cast(a, dtype), convert.cast(v, dtype)
    a = check(tf.minimum(tf.size(a), tf.size(v)) > 0, ValueError("neither array can be empty"), a)
    return layout.put_longer_first(a, v)


def _check_mode(mode: Any) -> None:
    np.correlate(np.zeros(1), np.zeros(1), mode=mode)


def _sum_products(a: tf.Tensor, v: tf.Tensor, mode: Any) -> tf.Tensor:
    """Return the sums of products of the shorter vector with each part of the longer one that it overlaps."""
    dtype = dtypes.result_type(a, v)
    a, v = convert.cast(a, dtype), convert.cast(v, dtype)
    short = shapes.shape(v)[0]
    name = str(mode)[0].lower() if isinstance(mode, str) else "vsf"[int(mode)]
    left, right = {"v": (0, 0), "s": (short // 2, short - 1 - short // 2), "f": (short - 1, short - 1)}[name]
    return sliding_products.slide(a, v, (left, right))


@array_function(promotes=("x", "xp", "fp", "period"), traces=("x", "xp", "fp"))
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | None = None,
    right: ArrayLike | None = None,
    period: ArrayLike | None = None,
) -> tf.Tensor:
    """The result is float64 or complex128. `xp` must increase, which is not checked, as in NumPy. `period` must be
    static. Gradients flow to `x`, `xp` and `fp`.
    """
    if to_tensor(xp).shape.rank == 0:
        raise ValueError("object of too small depth for desired array: `xp` must be 1-D, got a scalar")
    fp = to_tensor(fp)
    dtype = tf.complex128 if fp.dtype.is_complex else tf.float64
    x, xp, fp = *(_as_float64(value, period) for value in (x, xp)), convert.cast(fp, dtype)
    xp, fp = shapes.set_unknown_rank(xp, 1), shapes.set_unknown_rank(fp, 1)
    if x.shape.rank is None:
        return tf.reshape(_interpolate(tf.reshape(x, [-1]), xp, fp, left, right, period), tf.shape(x))
    return _interpolate(x, xp, fp, left, right, period)


def _interpolate(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, left: Any, right: Any, period: Any) -> tf.Tensor:
    """Interpolate, after NumPy's checks of the points."""
    if period is not None:
        x, xp, fp = _wrap_period(x, xp, fp, period)
        left = right = None
    shapes.check_vector(xp)
    shapes.check_vector(fp)
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    if not xp.shape.is_compatible_with(fp.shape):
        raise ValueError(_LENGTH_MESSAGE)
    fp = shapes.check_same_shape(xp, fp, _LENGTH_MESSAGE)
    return _evaluate_lines(x, xp, fp, left, right)


def _as_float64(value: Any, period: Any) -> tf.Tensor:
    """Cast to float64. With a period, complex arrays are cast to their real part, as in NumPy."""
    tensor = to_tensor(value)
    if period is None or not hasattr(value, "dtype"):
        dtypes.check_cast(dtypes.as_numpy(tensor.dtype), dtypes.FLOAT64, "safe", "array data")
    return convert.cast(tensor, tf.float64)


def _wrap_period(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, period: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Move everything into one period. Repeat the last point before the first one, and the first after the last one."""
    static_period = convert.static_value(period)
    if static_period == 0:
        raise ValueError("period must be a non-zero value")
    period_length = float(abs(static_period))
    if shapes.rank(xp) != 1 or shapes.rank(fp) != 1:
        raise ValueError("Data points must be 1-D sequences")
    if not xp.shape.is_compatible_with(fp.shape):
        raise ValueError(_LENGTH_MESSAGE)
    if xp.shape[0] == 0:
        raise ValueError("array of sample points is empty")
    fp = shapes.check_same_shape(xp, fp, _LENGTH_MESSAGE)
    x, xp = ufuncs.remainder(x, period_length), ufuncs.remainder(xp, period_length)
    order = argsort(xp)
    xp, fp = layout.take(xp, order, 0), layout.take(fp, order, 0)
    last = layout.take(xp, tf.cast(shapes.shape(xp)[:1], tf.int64) - 1, 0)
    last_value = layout.take(fp, tf.cast(shapes.shape(xp)[:1], tf.int64) - 1, 0)
    return x, tf.concat([last - period_length, xp, xp[:1] + period_length], 0), tf.concat([last_value, fp, fp[:1]], 0)


def _evaluate_lines(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, left: Any, right: Any) -> tf.Tensor:
    """Evaluate the lines between neighbors, with NumPy's values beyond the ends."""
    length = shapes.shape(xp)[0]
    before = _limit(ops.subtract(search_sorted_position(xp, x, True), ops.scalar(1, tf.int64)), length, 2)
    if fp.dtype.is_complex:
        components = [
            _evaluate_line(x, xp, component(fp), before, length) for component in (tf.math.real, tf.math.imag)
        ]
        result = tf.complex(*components)
    else:
        result = _evaluate_line(x, xp, fp, before, length)
    del before
    first, (last, last_value) = layout.element(xp, 0), (_last_element(points, length) for points in (xp, fp))
    left_value = _as_scalar(left, fp.dtype) if left is not None else layout.element(fp, 0)
    right_value = _as_scalar(right, fp.dtype) if right is not None else last_value
    result = layout.select(ops.equal(x, last), last_value, result)
    result = layout.select(ops.greater(x, last), right_value, layout.select(ops.less(x, first), left_value, result))
    if xp.shape[0] == 1:
        return result
    is_nan = ops.is_nan(x) if isinstance(length, int) else tf.logical_and(ops.is_nan(x), length > 1)
    return replace_rare(result, is_nan, lambda: convert.cast(x, fp.dtype))


def _limit(indices: tf.Tensor, length: shapes.Dim, distance: int) -> tf.Tensor:
    """Limit indices to those from 0 up to the distance before the length."""
    if isinstance(length, int):
        highest = ops.scalar(max(length - distance, 0), tf.int64)
    else:
        highest = tf.maximum(tf.cast(length, tf.int64) - distance, 0)
    return ops.maximum(ops.minimum(indices, highest), ops.scalar(0, tf.int64))


def _last_element(points: tf.Tensor, length: shapes.Dim) -> tf.Tensor:
    return layout.element(points, length - 1) if isinstance(length, int) else tf.gather(points, length - 1)


def _as_scalar(value: Any, dtype: tf.DType) -> tf.Tensor:
    """Return `left` or `right` as a scalar tensor."""
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank not in (0, None):
            raise TypeError(f"left and right must be scalars, got an array of shape {value.shape}")
        return shapes.set_unknown_rank(to_tensor(value, dtype), 0)
    if isinstance(value, str | bytes):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    return to_tensor(complex(value) if dtype.is_complex else float(value), dtype)


def _evaluate_line(x: tf.Tensor, xp: tf.Tensor, fp: tf.Tensor, before: tf.Tensor, length: shapes.Dim) -> tf.Tensor:
    """Evaluate the line from the point `before`; from its other end where that is nan, as with infinite neighbors.

    Arrays of the result's size are deleted as soon as they have been used, to save memory.
    """

    def take_next(values: tf.Tensor) -> tf.Tensor:
        return layout.take(values, _limit(ops.add(before, ops.scalar(1, tf.int64)), length, 1), 0)

    def make_nonzero(width: tf.Tensor) -> tf.Tensor:
        return layout.select(ops.equal(width, ops.scalar(0, width)), ops.scalar(1, width), width)

    def evaluate_from_right() -> tf.Tensor:
        x1, y0, y1 = take_next(xp), layout.take(fp, before, 0), take_next(fp)
        slope = ops.divide(ops.subtract(y1, y0), make_nonzero(ops.subtract(x1, layout.take(xp, before, 0))))
        from_right = ops.add(ops.multiply(slope, ops.subtract(x, x1)), y1)
        return layout.select(ops.logical_and(ops.is_nan(from_right), ops.equal(y0, y1)), y0, from_right)

    x0 = layout.take(xp, before, 0)
    width, offset, is_start = ops.subtract(take_next(xp), x0), ops.subtract(x, x0), ops.equal(x, x0)
    del x0
    width = make_nonzero(width)
    y0 = layout.take(fp, before, 0)
    slope = ops.divide(ops.subtract(take_next(fp), y0), width)
    del width
    result = ops.add(ops.multiply(slope, offset), y0)
    del slope, offset
    result = replace_rare(result, ops.is_nan(result), evaluate_from_right)
    return layout.select(is_start, y0, result)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def sinc(x: ArrayLike) -> tf.Tensor:
    """The gradient at 0 is 0. Integers and booleans are converted to the default float."""
    x = to_tensor(x)
    if x.dtype.is_integer or x.dtype == tf.bool:
        x = convert.cast(x, dtypes.default_float())
    if x.dtype == tf.bfloat16:
        return tf.cast(_divide_sine(math.pi * tf.cast(x, tf.float32)), tf.bfloat16)
    return _divide_sine(ufuncs.multiply(math.pi, x))


def _differentiate_sinc(y: tf.Tensor) -> tf.Tensor:
    """Return (cos(y) - sin(y) / y) / y, near 0 by its power series, since the difference cancels there."""
    is_near = ufuncs.less(ufuncs.absolute(y), 0.5)
    small, large = (layout.select(mask, y, tf.ones_like(y)) for mask in (is_near, ~is_near))
    square, series = ufuncs.square(small), tf.zeros_like(y)
    for k in range(9, 0, -1):
        series = ufuncs.add(ufuncs.multiply(series, square), (-1) ** k * 2 * k / math.factorial(2 * k + 1))
    quotient = ufuncs.divide(ufuncs.subtract(ufuncs.cos(large), ufuncs.divide(ufuncs.sin(large), large)), large)
    return layout.select(is_near, ufuncs.multiply(small, series), quotient)


@derivative(_differentiate_sinc)
def _divide_sine(y: tf.Tensor) -> tf.Tensor:
    """Return sin(y) / y, and 1 at 0."""
    is_zero, one = ufuncs.equal(y, 0), tf.ones_like(y)
    divisor, sine = layout.select(is_zero, one, y), ufuncs.sin(y)
    ratio = ufuncs.divide(sine, _raise_small_components(divisor, ufuncs.isinf(sine)) if y.dtype.is_complex else divisor)
    return layout.select(is_zero, one, ratio)


def _raise_small_components(z: tf.Tensor, where: tf.Tensor) -> tf.Tensor:
    """Raise a component that is much smaller than the other one, so that their quotient is not subnormal.

    TensorFlow flushes a subnormal quotient to zero, and zero times infinity would be nan.
    """
    real, imaginary = tf.math.real(z), tf.math.imag(z)
    limit = ufuncs.multiply(ufuncs.maximum(ufuncs.absolute(real), ufuncs.absolute(imaginary)), 1e-30)

    def raise_to_limit(component: tf.Tensor) -> tf.Tensor:
        is_small = where & ufuncs.less(ufuncs.absolute(component), limit) & ufuncs.not_equal(component, 0)
        return layout.select(is_small, ufuncs.copysign(limit, component), component)

    return tf.complex(raise_to_limit(real), raise_to_limit(imaginary))


_I0_NEAR: Final = tuple(16.0**k / math.factorial(k) ** 2 for k in range(24))
"""Coefficients of the power series of I0(x) in (x / 8)**2, of which 23 suffice up to 8, and 16 of float32."""

_I0_FAR: Final = (
    -7.23318048787475395456e-18, -4.83050448594418207126e-18, 4.46562142029675999901e-17, 3.46122286769746109310e-17,
    -2.82762398051658348494e-16, -3.42548561967721913462e-16, 1.77256013305652638360e-15, 3.81168066935262242075e-15,
    -9.55484669882830764870e-15, -4.15056934728722208663e-14, 1.54008621752140982691e-14, 3.85277838274214270114e-13,
    7.18012445138366623367e-13, -1.79417853150680611778e-12, -1.32158118404477131188e-11, -3.14991652796324136454e-11,
    1.18891471078464383424e-11, 4.94060238822496958910e-10, 3.39623202570838634515e-9, 2.26666899049817806459e-8,
    2.04891858946906374183e-7, 2.89137052083475648297e-6, 6.88975834691682398426e-5, 3.36911647825569408990e-3,
    8.04490411014108831608e-1,
)  # fmt: skip
"""Chebyshev coefficients of exp(-x) sqrt(x) I0(x) on [8, infinity], the highest first (Cephes)."""


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def i0(x: ArrayLike) -> tf.Tensor:
    """Floats keep their dtype; other dtypes are calculated in float64. Complex numbers raise TypeError."""
    x = to_tensor(x)
    if x.dtype.is_complex:
        raise TypeError("i0 not supported for complex values")
    if x.dtype == tf.bfloat16:
        return tf.cast(_compute_i0(tf.cast(x, tf.float32)), tf.bfloat16)
    return _compute_i0(x if x.dtype.is_floating else convert.cast(x, tf.float64))


def _compute_i1(x: tf.Tensor) -> tf.Tensor:
    upcast = tf.cast(x, tf.float32) if x.dtype.size < 4 else x
    return tf.cast(tf.exp(tf.abs(upcast)) * tf.math.bessel_i1e(upcast), x.dtype)  # XLA has no kernel for BesselI1


@derivative(_compute_i1)
def _compute_i0(x: tf.Tensor) -> tf.Tensor:
    magnitude = ufuncs.absolute(x)
    series = _I0_NEAR if x.dtype == tf.float64 else _I0_NEAR[:16]
    near_value, is_far = _sum_powers(ufuncs.square(ufuncs.divide(x, 8.0)), series), ufuncs.greater(magnitude, 8.0)
    if is_long(x):
        return replace_few(near_value, is_far, _compute_far_i0, magnitude)
    return replace_rare(near_value, is_far, lambda: _compute_far_i0(magnitude))


def _sum_powers(x: tf.Tensor, coefficients: tuple[float, ...]) -> tf.Tensor:
    """Evaluate a polynomial by Horner's rule, given its coefficients from the lowest degree on."""
    result = ufuncs.multiply(x, coefficients[-1])
    for coefficient in coefficients[-2:0:-1]:
        result = ufuncs.multiply(ufuncs.add(result, coefficient), x)
    return ufuncs.add(result, coefficients[0])


def _compute_far_i0(magnitude: tf.Tensor) -> tf.Tensor:
    positive = ufuncs.maximum(magnitude, 1.0)
    series = _evaluate_chebyshev(ufuncs.subtract(ufuncs.divide(32.0, positive), 2.0), _I0_FAR)
    return ufuncs.multiply(ufuncs.exp(positive), ufuncs.divide(series, ufuncs.sqrt(positive)))


def _evaluate_chebyshev(x: tf.Tensor, coefficients: tuple[float, ...]) -> tf.Tensor:
    """Evaluate a Chebyshev series by Clenshaw's recurrence."""
    current, before, earlier = (
        tf.fill(tf.shape(x), tf.cast(coefficients[0], x.dtype)),
        tf.zeros_like(x),
        tf.zeros_like(x),
    )
    for coefficient in coefficients[1:]:
        earlier, before = before, current
        current = ufuncs.add(ufuncs.subtract(ufuncs.multiply(x, before), earlier), coefficient)
    return ufuncs.multiply(0.5, ufuncs.subtract(current, earlier))


@array_function(promotes=("p", "period"), unknown_rank="each", traces=("p",))
def unwrap(
    p: ArrayLike, discont: float | None = None, axis: IntLike = -1, *, period: ArrayLike = 2 * math.pi
) -> tf.Tensor:
    """`period` must be static. Integers stay integers, as in NumPy."""
    p = to_tensor(p)
    rank = shapes.rank(p)
    steps = diff(p, axis=axis)
    axis = shapes.normalize_axis(shapes.as_int_not_bool(axis), rank)
    limit = period / 2 if discont is None else discont
    dtype = dtypes.result_type(steps, period)
    if dtype.is_integer:
        half_period, corrected = divmod(period, 2)
        is_ambiguous = corrected == 0
    else:
        half_period, is_ambiguous = period / 2, True
    low = -half_period
    wrapped = ufuncs.add(ufuncs.remainder(ufuncs.subtract(steps, low), period), low)
    if is_ambiguous:
        # tf.cast would round the number to float32 first.
        upper = convert.as_constant(np.array(half_period, wrapped.dtype.as_numpy_dtype))
        wrapped = tf.where(tf.logical_and(ufuncs.equal(wrapped, low), ufuncs.greater(steps, 0)), upper, wrapped)
    correction = ufuncs.subtract(wrapped, steps)
    is_small = shapes.broadcast_to(ufuncs.less(ufuncs.absolute(steps), limit), shapes.shape(correction))
    correction = tf.where(is_small, tf.zeros_like(correction), correction)
    if p.shape[axis] == 0:
        return convert.cast(p, dtype)
    dim = shapes.shape(p)[axis]
    new_dim = decrement(dim)
    first = convert.cast(layout.slice_along(p, axis, 0, dim - new_dim), dtype)
    corrected = convert.cast(
        ufuncs.add(layout.slice_along(p, axis, dim - new_dim, new_dim), cumsum(correction, axis)), dtype
    )
    return tf.concat([first, corrected], axis)
