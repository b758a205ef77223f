"""Arithmetic of real floats where TensorFlow's differs from NumPy's, or has no kernel for some dtype."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.tensorflow_internals import record
from tfnp._kernels.bits import calculate_by_numpy, copysign, is_calculated_by_numpy, with_sign_of
from tfnp._kernels.gradients import derivative, differentiable, piecewise_constant, sum_to_shape
from tfnp._kernels.select_rare import is_known_false, is_long, lies_within, replace_few, replace_rare

Kernel = Callable[..., tf.Tensor]


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
    if not lies_within(quotient, -most, most):
        is_unsure = ops.logical_or(is_unsure, ops.greater(ops.absolute(quotient), ops.scalar(most, quotient)))
    return replace_few(integral, is_unsure, _floor_divide_by_remainder, x, y)


def _floor_divide_by_remainder(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    x, y, _ = _scale_up(x, y)
    return _round_quotient_down(x, y, ops.truncate_mod(x, y))


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
    x, y, scale = _scale_up(x, y, reduced=True)
    remaining = _take_sign(ops.truncate_mod(x, y), y)
    return remaining if scale is None else ops.divide(remaining, scale)


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
    """Return dividend and divisor, scaled by a power of 2 where the remainder may be subnormal, which TensorFlow
    flushes.

    Return them and the scale, None if nothing is scaled. The quotient of a large dividend overflows anyway; for the
    remainder alone, it is `reduced` first by the scaled divisor.
    """
    width, lowest = (60, -100) if x.dtype == tf.float32 else (600, -900)
    small = ops.less(ops.absolute(y), ops.scalar(2.0**lowest, y))
    if is_known_false(small):
        return x, y, None
    if not reduced:
        small = ops.logical_and(small, ops.less(ops.absolute(x), ops.scalar(2.0 ** (width // 2), x)))
    scale = ops.select(small, ops.scalar(2.0**width, x), ops.scalar(1.0, x))
    large = ops.multiply(y, scale)
    if reduced:
        x = ops.select(small, ops.truncate_mod(x, large), x)
    return ops.multiply(x, scale), large, scale


def divmod(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the quotient and the remainder. In eager mode both come from one fmod if no gradient is recorded and
    nothing is scaled.
    """
    if ops.executing_eagerly() and not record.could_possibly_record() and _scale_up(x, y)[2] is None:
        remaining = ops.truncate_mod(x, y)
        quotient = floor_divide(x, y) if is_long(remaining) else _round_quotient_down(x, y, remaining)
        return quotient, _take_sign(remaining, y)
    return floor_divide(x, y), remainder(x, y)


def _differentiate_fmod(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    slope = ops.negative(ops.multiply(upstream, trunc(ops.divide(x, y))))
    return sum_to_shape(upstream, x, y), sum_to_shape(slope, y, x)


@differentiable(_differentiate_fmod)
def fmod(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the remainder with the sign of the dividend."""
    return ops.truncate_mod(x, y)


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
