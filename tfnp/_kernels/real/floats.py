"""Arithmetic of real floats where TensorFlow's differs from NumPy's, or has no kernel for some dtype."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.eager_tensors import is_on_host
from tfnp._core.tensorflow_internals import record
from tfnp._kernels.bits import (
    as_integer,
    calculate_by_numpy,
    copysign,
    is_calculated_by_numpy,
    is_nonzero,
    signbit,
    with_sign_of,
)
from tfnp._kernels.gradients import derivative, differentiable, piecewise_constant, sum_to_shape
from tfnp._kernels.select_rare import is_known_false, is_long, lies_within, replace_few, replace_rare

Kernel = Callable[..., tf.Tensor]
_TINY = {dtype: float(np.finfo(dtype.as_numpy_dtype).tiny) for dtype in (tf.float32, tf.float64)}
"""The smallest normal numbers."""
_LOWEST = {tf.float32: -100, tf.float64: -900}
"""Powers of 2: a divisor of at least that has no subnormal remainder, unless the dividend is."""


def via_float32(kernel: Kernel) -> Kernel:
    """Return the kernel for float16 and bfloat16, computed in float32, with one result or several."""

    def compute(*operands: tf.Tensor) -> tf.Tensor:
        dtype = operands[0].dtype
        result = kernel(*[ops.cast(operand, tf.float32) for operand in operands])
        if isinstance(result, tuple):
            return tuple(ops.cast(part, dtype) for part in result)
        return ops.cast(result, dtype)

    return compute


def return_unchanged(x: tf.Tensor) -> tf.Tensor:
    """Return the tensor itself."""
    return x


# Upstream bug: tensorflow-floordiv-as-floor-of-quotient
@piecewise_constant
def floor_divide(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the quotient rounded down, by way of fmod as in NumPy and Python: the quotient of 1.0 and 0.1 is 9, since
    the float 0.1 is more than a tenth.
    """
    x, y = ops.stop_gradient(x), ops.stop_gradient(y)
    if is_long(x) or is_long(y):
        return _floor_divide_long(x, y)
    return _floor_divide_by_remainder(x, y)


def _floor_divide_long(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the floor of the rounded quotient, which is that of the exact one unless the rounded one is an integer:
    rounding is monotonic. NumPy's quotient is exact up to a quarter of the integers that the dtype holds.
    """
    quotient = ops.divide(x, y)
    integral = ops.floor(quotient)
    is_unsure, most = ops.equal(quotient, integral), 2.0**50 if x.dtype == tf.float64 else 2.0**21
    if not lies_within(quotient, -most, most):  # 0 / 0 is nan, also of subnormal numbers
        is_within = ops.less_equal(ops.absolute(quotient), ops.scalar(most, quotient))
        is_unsure = ops.logical_or(is_unsure, ops.logical_not(is_within))
    return replace_few(integral, is_unsure, _floor_divide_by_remainder, x, y)


def _floor_divide_by_remainder(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    x_scaled, y_scaled, small = _scale_up(x, y)
    quotient = _round_quotient_down(x_scaled, y_scaled, ops.truncate_mod(x_scaled, y_scaled))
    if not _may_be_subnormal(x, quotient):
        return quotient
    rounded = ops.select(ops.equal(signbit(x), signbit(y)), ops.scalar(0.0, x), ops.scalar(-1.0, x))
    return ops.select(_is_subnormal_dividend(x, y, small), rounded, quotient)


def _round_quotient_down(x: tf.Tensor, y: tf.Tensor, remaining: tf.Tensor) -> tf.Tensor:
    zero, one = ops.scalar(0.0, x), ops.scalar(1.0, x)
    quotient = ops.divide(ops.subtract(x, remaining), y)
    if is_long(quotient):
        return _round_long_quotient_down(x, y, remaining, quotient)
    quotient = ops.select(_has_other_sign(remaining, y), ops.subtract(quotient, one), quotient)
    ratio, integral = ops.divide(x, y), ops.floor(quotient)
    integral = ops.select(
        ops.greater(ops.subtract(quotient, integral), ops.scalar(0.5, x)), ops.add(integral, one), integral
    )
    integral = ops.select(ops.equal(quotient, zero), copysign(zero, ratio), integral)
    return ops.select(ops.equal(y, zero), ratio, integral)


def _round_long_quotient_down(x: tf.Tensor, y: tf.Tensor, remaining: tf.Tensor, quotient: tf.Tensor) -> tf.Tensor:
    """Return the quotient of long arrays by adding masks and setting all signs, in fewer passes over memory than by
    selections.
    """
    quotient = ops.subtract(quotient, ops.cast(_has_other_sign(remaining, y), x.dtype))
    ratio, integral = ops.divide(x, y), ops.floor(quotient)
    excess = ops.greater(ops.subtract(quotient, integral), ops.scalar(0.5, x))
    integral = with_sign_of(ops.add(integral, ops.cast(excess, x.dtype)), ratio)
    return replace_rare(integral, ops.equal(y, ops.scalar(0.0, y)), lambda: ratio)


def _has_other_sign(remaining: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return whether a remainder that is not zero has another sign than the divisor."""
    zero = ops.scalar(0.0, y)
    differs = ops.not_equal(ops.less(y, zero), ops.less(remaining, zero))
    return ops.logical_and(ops.not_equal(remaining, zero), differs)


def _differentiate_remainder(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    slope = ops.negative(ops.multiply(upstream, floor_divide(x, y)))
    return sum_to_shape(upstream, x, y), sum_to_shape(slope, y, x)


# Upstream bug: tensorflow-floormod-zero-sign
@differentiable(_differentiate_remainder)
def remainder(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the remainder with the sign of the divisor, also if the remainder is zero."""
    x_scaled, y_scaled, small = _scale_up(x, y, reduced=True)
    remaining = _scale_down(_take_sign(ops.truncate_mod(x_scaled, y_scaled), y_scaled), small)
    if not _may_be_subnormal(x, remaining):
        return remaining
    rounded = ops.select(ops.equal(signbit(x), signbit(y)), x, y)  # x + y rounds to y
    return ops.select(_is_subnormal_dividend(x, y, small), rounded, remaining)


def _take_sign(remaining: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the remainder with the sign of the divisor, given that with the sign of the dividend."""
    if is_long(remaining):
        has_other_sign = ops.cast(_has_other_sign(remaining, y), y.dtype)
        return with_sign_of(ops.add(remaining, ops.multiply_no_nan(y, has_other_sign)), y)
    zero = ops.scalar(0.0, y)
    is_zero = ops.equal(remaining, zero)
    has_other_sign = ops.not_equal(ops.less(y, zero), ops.less(remaining, zero))
    return ops.select(is_zero, copysign(zero, y), ops.select(has_other_sign, ops.add(remaining, y), remaining))


# Upstream bug: tensorflow-subnormals-flushed
def _scale_up(x: tf.Tensor, y: tf.Tensor, *, reduced: bool = False) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor | None]:
    """Return dividend and divisor, scaled by a power of 2 where they or the remainder may be subnormal, which
    TensorFlow flushes.

    Return them and the mask of what is scaled, None if nothing is. The quotient of a large dividend overflows anyway;
    for the remainder alone, it is `reduced` first by the scaled divisor.
    """
    if is_on_host(y) and _is_far_from_subnormal(y):
        return x, y, None
    width = 60 if x.dtype == tf.float32 else 600
    small = ops.less(ops.absolute(y), ops.scalar(2.0 ** _LOWEST[y.dtype], y))
    if is_known_false(small):
        return x, y, None
    if not reduced:
        size = ops.absolute(x)
        fits = ops.less(size, ops.scalar(2.0 ** (width // 2), x))
        small = ops.logical_and(small, ops.logical_or(fits, ops.equal(size, ops.scalar(math.inf, x))))
    large = _lift(y, width)
    if reduced:
        tiny = ops.less(ops.absolute(x), ops.scalar(_TINY[x.dtype], x))
        lifted = _lift(ops.select(ops.logical_or(tiny, ops.logical_not(small)), x, ops.truncate_mod(x, large)), width)
    else:
        lifted = _lift(x, width)
    return ops.select(small, lifted, x), ops.select(small, large, y), small


def _lift(x: tf.Tensor, width: int) -> tf.Tensor:
    """Return x * 2**width, also of subnormal numbers: their bits are integers."""
    bits, (mantissa, lowest) = as_integer(x), (23, 149) if x.dtype == tf.float32 else (52, 1074)
    fraction = ops.cast(ops.bitwise_and(bits, ops.scalar((1 << mantissa) - 1, bits)), x.dtype)
    exact = with_sign_of(ops.multiply(fraction, ops.scalar(2.0 ** (width - lowest), x)), x)
    is_normal = ops.greater_equal(ops.absolute(x), ops.scalar(_TINY[x.dtype], x))
    is_normal = ops.logical_or(is_normal, ops.not_equal(x, x))
    return ops.select(is_normal, ops.multiply(x, ops.scalar(2.0**width, x)), exact)


def _scale_down(x: tf.Tensor, small: tf.Tensor | None) -> tf.Tensor:
    """Return what has been calculated of scaled operands, divided by the scale: subnormal numbers, too."""
    if small is None:
        return x
    width, lowest = (60, 149) if x.dtype == tf.float32 else (600, 1074)
    integer = as_integer(x).dtype
    count = ops.cast(ops.multiply(ops.absolute(x), ops.scalar(2.0 ** (lowest - width), x)), integer)
    subnormal = with_sign_of(ops.bitcast(count, x.dtype), x)
    divided = ops.multiply(x, ops.scalar(2.0**-width, x))
    is_subnormal = ops.less(ops.absolute(x), ops.scalar(_TINY[x.dtype] * 2.0**width, x))
    return ops.select(small, ops.select(is_subnormal, subnormal, divided), x)


def _is_far_from_subnormal(y: tf.Tensor) -> bool:
    """Return whether no divisor in the host's memory is so small that the remainder may be subnormal."""
    sizes = np.abs(y._numpy())
    return bool(not sizes.size or sizes.min() >= 2.0 ** _LOWEST[y.dtype])  # False for nan


def _may_be_subnormal(x: tf.Tensor, result: tf.Tensor) -> bool:
    """Return whether a dividend may be subnormal, of which TensorFlow's result is zero. NumPy sees it fastest."""
    if not is_on_host(result):
        return True
    if result._numpy().all():
        return False
    sizes = np.abs(x._numpy())
    return bool((sizes[sizes < _TINY[x.dtype]] > 0).any())


def _is_subnormal_dividend(x: tf.Tensor, y: tf.Tensor, small: tf.Tensor | None) -> tf.Tensor:
    """Return whether x is subnormal, and y is a number of which it is less than a rounding error."""
    subnormal = ops.logical_and(ops.less(ops.absolute(x), ops.scalar(_TINY[x.dtype], x)), is_nonzero(x))
    subnormal = ops.logical_and(subnormal, ops.equal(y, y))
    return subnormal if small is None else ops.logical_and(subnormal, ops.logical_not(small))


def divmod(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the quotient and the remainder. In eager mode both come from one fmod if no gradient is recorded and
    neither operand may be subnormal.
    """
    if ops.executing_eagerly() and not record.could_possibly_record() and _scale_up(x, y)[2] is None:
        remaining = ops.truncate_mod(x, y)
        if not _may_be_subnormal(x, remaining):
            quotient = floor_divide(x, y) if is_long(remaining) else _round_quotient_down(x, y, remaining)
            return quotient, _take_sign(remaining, y)
    return floor_divide(x, y), remainder(x, y)


def _differentiate_fmod(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    slope = ops.negative(ops.multiply(upstream, trunc(ops.divide(x, y))))
    return sum_to_shape(upstream, x, y), sum_to_shape(slope, y, x)


@differentiable(_differentiate_fmod)
def fmod(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the remainder with the sign of the dividend."""
    usual = ops.truncate_mod(x, y)
    if is_on_host(usual) and usual._numpy().all() and _is_far_from_subnormal(y):
        return usual
    x_scaled, y_scaled, small = _scale_up(x, y, reduced=True)
    remaining = usual if small is None else _scale_down(ops.truncate_mod(x_scaled, y_scaled), small)
    if not _may_be_subnormal(x, remaining):
        return remaining
    return ops.select(_is_subnormal_dividend(x, y, small), ops.broadcast_to(x, ops.shape(remaining)), remaining)


@piecewise_constant
def rint(x: tf.Tensor) -> tf.Tensor:
    return ops.rint(x)


@piecewise_constant
def floor(x: tf.Tensor) -> tf.Tensor:
    return ops.floor(x)


@piecewise_constant
def ceil(x: tf.Tensor) -> tf.Tensor:
    return ops.ceil(x)


@piecewise_constant
def trunc(x: tf.Tensor) -> tf.Tensor:
    if is_calculated_by_numpy(x):
        return calculate_by_numpy(np.trunc, x)[0]
    return ops.select(ops.less(x, ops.scalar(0.0, x)), ops.ceil(x), ops.floor(x))


def rint_complex(x: tf.Tensor) -> tf.Tensor:
    return tf.complex(rint(tf.math.real(x)), rint(tf.math.imag(x)))


def modf(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the fractional and integral parts, with the sign of x; the fraction of infinity is zero."""
    return _take_fraction(x), trunc(x)


@derivative(lambda x: ops.scalar(1.0, x))
def _take_fraction(x: tf.Tensor) -> tf.Tensor:
    fraction = ops.select(ops.is_inf(x), ops.scalar(0.0, x), ops.subtract(x, trunc(x)))
    return ops.select(ops.is_nan(x), x, copysign(fraction, x))


def heaviside(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    zero, one = ops.scalar(0.0, x), ops.scalar(1.0, x)
    step = ops.select(ops.less(x, zero), zero, one)
    return ops.select(ops.is_nan(x), x, ops.select(ops.equal(x, zero), y, step))


def reciprocal(x: tf.Tensor) -> tf.Tensor:
    if ops.executing_eagerly():
        return ops.divide(ops.scalar(1, x), x)
    return ops.divide(convert.scalar_tensor(1.0, x.dtype.as_numpy_dtype), x)


def degrees(x: tf.Tensor) -> tf.Tensor:
    return ops.multiply(x, ops.scalar(180.0 / math.pi, x))


def radians(x: tf.Tensor) -> tf.Tensor:
    return ops.multiply(x, ops.scalar(math.pi / 180.0, x))


# Upstream bug: tensorflow-reduce-max-nan-xla
def maximum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the maximum, and nan where an operand is nan, which XLA's own maximum drops."""
    larger = ops.maximum(x, y)
    return larger if ops.executing_eagerly() else _restore_nan(x, y, larger)


# Upstream bug: tensorflow-reduce-max-nan-xla
def minimum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the minimum, and nan where an operand is nan, which XLA's own minimum drops."""
    smaller = ops.minimum(x, y)
    return smaller if ops.executing_eagerly() else _restore_nan(x, y, smaller)


def _restore_nan(x: tf.Tensor, y: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
    return ops.select(ops.is_nan(x), x, ops.select(ops.is_nan(y), y, result))


def fmax(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the maximum, or the other operand where one is nan."""
    return ops.select(ops.is_nan(x), y, ops.select(ops.is_nan(y), x, ops.maximum(x, y)))


def fmin(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the minimum, or the other operand where one is nan."""
    return ops.select(ops.is_nan(x), y, ops.select(ops.is_nan(y), x, ops.minimum(x, y)))
