"""Arithmetic of real floats where TensorFlow's own departs from NumPy's, or has no kernel for some dtype."""

from __future__ import annotations

import math
from collections.abc import Callable

import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._kernels.bits import copysign
from tfnp._kernels.gradients import differentiable, piecewise_constant, sum_to_shape

Kernel = Callable[..., tf.Tensor]

_constant = tf.raw_ops.StopGradient.__wrapped__


def via_float32(kernel: Kernel) -> Kernel:
    """The kernel for float16 and bfloat16 by way of float32, for one result or several."""

    def widened(*operands: tf.Tensor) -> tf.Tensor:
        dtype = operands[0].dtype
        result = kernel(*[ops.cast(operand, tf.float32) for operand in operands])
        if isinstance(result, tuple):
            return tuple(ops.cast(part, dtype) for part in result)
        return ops.cast(result, dtype)

    return widened


def are_identical(x: tf.Tensor) -> tf.Tensor:
    """The tensor itself, which nobody can change."""
    return x


@piecewise_constant
def floor_divide(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Derived from fmod, as NumPy and Python do: 1.0 // 0.1 is 9, since 10 * 0.1 is more than 1.0."""
    x, y, _ = _enlarged(_constant(x), _constant(y))
    zero, one = ops.scalar(0.0, x), ops.scalar(1.0, x)
    remaining = ops.truncate_mod(x, y)
    quotient = ops.divide(ops.subtract(x, remaining), y)
    turned = ops.logical_and(
        ops.not_equal(remaining, zero), ops.not_equal(ops.less(y, zero), ops.less(remaining, zero))
    )
    quotient = ops.select(turned, ops.subtract(quotient, one), quotient)
    ratio, whole = ops.divide(x, y), ops.floor(quotient)
    whole = ops.select(ops.greater(ops.subtract(quotient, whole), ops.scalar(0.5, x)), ops.add(whole, one), whole)
    whole = ops.select(ops.equal(quotient, zero), copysign(zero, ratio), whole)
    return ops.select(ops.equal(y, zero), ratio, whole)


def _remainder_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    slope = ops.negative(ops.multiply(upstream, floor_divide(x, y)))
    return sum_to_shape(upstream, x, y), sum_to_shape(slope, y, x)


@differentiable(_remainder_gradient)
def remainder(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Of the divisor's sign, also where it is zero."""
    zero = ops.scalar(0.0, x)
    x, y, scale = _enlarged(x, y, reduced=True)
    remaining = ops.truncate_mod(x, y)
    exact = ops.equal(remaining, zero)
    turned = ops.not_equal(ops.less(y, zero), ops.less(remaining, zero))
    remaining = ops.select(exact, copysign(zero, y), ops.select(turned, ops.add(remaining, y), remaining))
    return remaining if scale is None else ops.divide(remaining, scale)


def _enlarged(x: tf.Tensor, y: tf.Tensor, *, reduced: bool = False) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor | None]:
    """Dividend and divisor times a power of 2 where the divisor is so small that what is left of the dividend might be
    subnormal, and vanish; and that power, unless it is 1 everywhere. Of a large dividend the quotient overflows anyway;
    where the rest alone is asked for, it is `reduced` first, to its rest by the enlarged divisor.
    """
    width, lowest = (60, -100) if x.dtype == tf.float32 else (600, -900)
    small = ops.less(ops.absolute(y), ops.scalar(2.0**lowest, y))
    if ops.executing_eagerly() and not small.numpy().any():
        return x, y, None
    if not reduced:
        small = ops.logical_and(small, ops.less(ops.absolute(x), ops.scalar(2.0 ** (width // 2), x)))
    scale = ops.select(small, ops.scalar(2.0**width, x), ops.scalar(1.0, x))
    large = ops.multiply(y, scale)
    if reduced:
        x = ops.select(small, ops.truncate_mod(x, large), x)
    return ops.multiply(x, scale), large, scale


def divmod(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return floor_divide(x, y), remainder(x, y)


def _fmod_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    slope = ops.negative(ops.multiply(upstream, trunc(ops.divide(x, y))))
    return sum_to_shape(upstream, x, y), sum_to_shape(slope, y, x)


@differentiable(_fmod_gradient)
def fmod(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Of the dividend's sign."""
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
    return ops.select(ops.less(x, ops.scalar(0.0, x)), ops.ceil(x), ops.floor(x))


def rint_complex(x: tf.Tensor) -> tf.Tensor:
    return tf.complex(rint(tf.math.real(x)), rint(tf.math.imag(x)))


def modf(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Fractional part, then whole part, each with the sign of x; of infinity the fraction is zero."""
    whole = trunc(x)
    fraction = ops.select(ops.is_inf(x), ops.scalar(0.0, x), ops.subtract(x, whole))
    return ops.select(ops.is_nan(x), x, copysign(fraction, x)), whole


def heaviside(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    zero, one = ops.scalar(0.0, x), ops.scalar(1.0, x)
    dim = ops.select(ops.less(x, zero), zero, one)
    return ops.select(ops.is_nan(x), x, ops.select(ops.equal(x, zero), y, dim))


def reciprocal(x: tf.Tensor) -> tf.Tensor:
    return ops.divide(convert.scalar_tensor(1.0, x.dtype.as_numpy_dtype), x)


def degrees(x: tf.Tensor) -> tf.Tensor:
    return ops.multiply(x, ops.scalar(180.0 / math.pi, x))


def radians(x: tf.Tensor) -> tf.Tensor:
    return ops.multiply(x, ops.scalar(math.pi / 180.0, x))


def maximum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Nan where either is; XLA's own maximum drops it."""
    larger = ops.maximum(x, y)
    return larger if ops.executing_eagerly() else _keeping_nan(x, y, larger)


def minimum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Nan where either is; XLA's own minimum drops it."""
    smaller = ops.minimum(x, y)
    return smaller if ops.executing_eagerly() else _keeping_nan(x, y, smaller)


def _keeping_nan(x: tf.Tensor, y: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
    return ops.select(ops.is_nan(x), x, ops.select(ops.is_nan(y), y, result))


def fmax(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The larger; where one is nan, the other."""
    return ops.select(ops.is_nan(x), y, ops.select(ops.is_nan(y), x, ops.maximum(x, y)))


def fmin(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The smaller; where one is nan, the other."""
    return ops.select(ops.is_nan(x), y, ops.select(ops.is_nan(y), x, ops.minimum(x, y)))
