"""Functions of two real numbers that TensorFlow lacks, or whose gradients are nan at some points.

float64 kernels avoid overflow in intermediate results; float32 and bfloat16 are computed in float64, and float16 in
float32, where there is none, and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import ops
from tfnp._core.eager_tensors import is_on_host
from tfnp._kernels.bits import copysign, is_nonzero, signbit
from tfnp._kernels.gradients import differentiable, sum_to_shape
from tfnp._kernels.real.transcendental import LN2, LOG2_E, exp2, log1p
from tfnp._kernels.select_rare import is_known_false, is_long, lies_within, replace_few, replace_rare

Kernel = Callable[[tf.Tensor, tf.Tensor], tf.Tensor]
Gradients = tuple[tf.Tensor, tf.Tensor]

HUGE: Final = 2.0**510  # above it, the sum of two squares overflows
TINY: Final = 2.0**-450  # below it, squares may underflow
DOWN: Final = 2.0**-600
UP: Final = 2.0**600
_TINY32, _TINY64 = float(np.finfo(np.float32).tiny), float(np.finfo(np.float64).tiny)


def _compute_upcast(kernel: Kernel, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    if x.dtype is tf.float64:
        return kernel(x, y)
    upcast = tf.float32 if x.dtype is tf.float16 else tf.float64
    return ops.cast(kernel(ops.cast(x, upcast), ops.cast(y, upcast)), x.dtype)


def _divide_or_zero(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return x / y, and 0 where y is 0."""
    is_zero = ops.equal(y, ops.scalar(0, y))
    return ops.select(is_zero, ops.scalar(0, y), ops.divide(x, ops.select(is_zero, ops.scalar(1, y), y)))


def _find_direction(x: tf.Tensor, y: tf.Tensor, length: tf.Tensor) -> Gradients:
    """Return the unit vector: 0 at the origin, where it is undefined; that of infinite operands if there are any."""
    is_infinite = ops.is_inf(length)
    first = replace_rare(_divide_or_zero(x, length), is_infinite, lambda: _normalize_infinite(x, y))
    second = replace_rare(_divide_or_zero(y, length), is_infinite, lambda: _normalize_infinite(y, x))
    return first, second


def _normalize_infinite(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the first component of the unit vector, where the length is infinite or overflows."""

    def scale(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        finite = ops.select(ops.is_inf(y), ops.scalar(0, x), ops.multiply(x, ops.scalar(0.25, x)))
        return ops.select(ops.is_inf(x), ops.sign(x), finite)

    return _divide_or_zero(scale(x, y), hypot(scale(x, y), scale(y, x)))


def _differentiate_hypot(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    """Return the unit vector, 0 at the origin, where the gradient is undefined."""
    first, second = _find_direction(x, y, hypot(x, y))
    return sum_to_shape(ops.multiply(upstream, first), x, y), sum_to_shape(ops.multiply(upstream, second), y, x)


@differentiable(_differentiate_hypot)
def hypot(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the hypotenuse: inf where an operand is infinite, even if the other is nan."""
    if x.dtype == tf.float64 and is_long(x) and is_long(y):
        return _hypot_of_long(x, y)
    return _hypot_of_any(x, y)


def _hypot_of_any(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    usual = _compute_upcast(_scaled_hypot if x.dtype == tf.float64 else _root_of_squares, x, y)
    if is_long(usual) and lies_within(usual, 0.0, x.dtype.max):
        return usual
    infinite = ops.logical_or(ops.is_inf(x), ops.is_inf(y))
    return replace_rare(usual, infinite, lambda: ops.scalar(float("inf"), x))


def _hypot_of_long(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the hypotenuse of long arrays. Only operands are scaled whose squares have a sum that is too large, or may
    underflow.
    """
    total = ops.add(ops.square(x), ops.square(y))
    usual, lowest, highest = ops.sqrt(total), TINY**2, HUGE**2
    if lies_within(total, lowest, highest):
        return usual
    small = ops.logical_and(ops.less(total, ops.scalar(lowest, x)), ops.logical_or(is_nonzero(x), is_nonzero(y)))
    other = ops.logical_not(ops.less_equal(total, ops.scalar(highest, x)))
    return replace_few(usual, ops.logical_or(small, other), _hypot_of_any, x, y)


def _root_of_squares(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.sqrt(ops.add(ops.square(x), ops.square(y)))


def _scaled_hypot(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the root of a sum of squares of operands that are scaled by a power of 2, which is exact."""
    greater = ops.maximum(ops.absolute(x), ops.absolute(y))
    one = ops.scalar(1, x)
    scale = replace_rare(one, ops.greater(greater, ops.scalar(HUGE, x)), lambda: ops.scalar(DOWN, x))
    scale = replace_rare(scale, ops.less(greater, ops.scalar(TINY, x)), lambda: ops.scalar(UP, x))
    return ops.divide(_root_of_squares(ops.multiply(x, scale), ops.multiply(y, scale)), scale)


# Upstream bug: tensorflow-atan2-gradient-zero
def _differentiate_arctan2(upstream: tf.Tensor, y: tf.Tensor, x: tf.Tensor) -> Gradients:
    """Return (x, -y) divided by the squared distance, 0 at the origin, where the gradient is undefined."""
    length = hypot(x, y)
    per_length, (cosine, sine) = _divide_or_zero(upstream, length), _find_direction(x, y, length)
    of_y, of_x = ops.multiply(per_length, cosine), ops.negative(ops.multiply(per_length, sine))
    return sum_to_shape(of_y, y, x), sum_to_shape(of_x, x, y)


@differentiable(_differentiate_arctan2)
def arctan2(y: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """Return the angle, with a gradient that is finite everywhere."""
    return direction(y, x)


# Upstream bug: tensorflow-atan2-subnormal
def direction(y: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """Return the angle of TensorFlow's kernel, corrected where y is subnormal, or zero beside a subnormal x.

    TensorFlow's is nan there, of the other sign, or a multiple of pi / 4.
    """
    usual = ops.atan2(y, x)
    if x.dtype is tf.float16 or (is_on_host(usual) and not _has_wrong_angle(y, x)):
        return usual
    zero = ops.scalar(0, x)
    flat = ops.logical_and(ops.equal(y, zero), ops.equal(x, x))
    return ops.select(flat, copysign(ops.select(signbit(x), ops.scalar(math.pi, x), zero), y), usual)


def _has_wrong_angle(y: tf.Tensor, x: tf.Tensor) -> bool:
    """Return whether a y is subnormal, or a y is zero and an x subnormal. NumPy does it faster for short arrays."""
    tiny = _TINY64 if y.dtype is tf.float64 else _TINY32
    if is_long(y):
        bound = ops.scalar(tiny, y)
        small = ops.less(ops.absolute(y), bound)
        if is_known_false(small):
            return False
        subnormals = (ops.logical_and(small, is_nonzero(y)), ops.less(ops.absolute(x), bound))
        return not (is_known_false(subnormals[0]) and is_known_false(ops.logical_and(subnormals[1], is_nonzero(x))))
    values = y._numpy()
    sizes = np.abs(values)
    if not values.size or sizes.min() >= tiny:  # False for nan
        return False
    small = sizes < tiny
    sizes = np.abs(x._numpy())
    return bool((small & (values != 0)).any() or ((sizes < tiny) & (sizes > 0)).any())


# Upstream bug: tensorflow-pow-gradient-zero
def _differentiate_power(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    """Return y * x**(y - 1), 0 where both are 0, and x**y * log(x), 0 where x is not positive.

    A power of 0 has the slope 0 for an infinite base or exponent, too: 0 * inf would be nan. The first is nan for a
    negative base and a fractional exponent, but the gradient 0 where the result is not selected.
    """
    zero, one = ops.scalar(0, x), ops.scalar(1, x)
    constant = ops.logical_and(ops.equal(x, zero), ops.equal(y, zero))
    slope = ops.multiply_no_nan(y, power(x, ops.subtract(ops.select(constant, one, y), one)))
    positive = ops.greater(x, zero)
    rise = ops.multiply_no_nan(ops.log(ops.select(positive, x, one)), power(x, y))
    return (
        sum_to_shape(ops.multiply_no_nan(slope, upstream), x, y),
        sum_to_shape(ops.multiply(upstream, ops.select(positive, rise, zero)), y, x),
    )


# Upstream bug: tensorflow-pow-float32-integers
@differentiable(_differentiate_power)
def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the power of TensorFlow's kernel, with a finite gradient at 0**0; float32 is computed in float64.

    TensorFlow's float32 says that 10**8 is 99999992, has errors of up to 4 ulp, and is 0 for the greatest base below 1
    and exponents above 7e8. Its float64 has an error of abs(y log(x)) ulp, but under XLA.
    """
    if x.dtype is not tf.float32:
        return ops.power(x, y)
    if is_long(x) and is_long(y) and lies_within(x, _TINY32, x.dtype.max) and lies_within(y, x.dtype.min, x.dtype.max):
        return _power_of_long(x, y)
    return _compute_upcast(ops.power, x, y)


def _power_of_long(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return exp(y log(x)) in float64, in a third of the time of TensorFlow's power, rounded once. It is less than 1024
    ulp off: where so little decides how it is rounded, the power decides.
    """
    logarithm = ops.log(ops.cast(x, tf.float64))
    result = ops.exp(ops.multiply(ops.cast(y, tf.float64), logarithm))
    bits = ops.bitcast(result, tf.int64)
    lower_bits = ops.bitwise_and(ops.add(bits, ops.scalar((1 << 28) + 1024, bits)), ops.scalar((1 << 29) - 1, bits))
    is_tie = ops.less(lower_bits, ops.scalar(2048, bits))
    return replace_few(ops.cast(result, x.dtype), is_tie, lambda *few: _compute_upcast(ops.power, *few), x, y)


def _differentiate_logaddexp(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    """Return the weights of the operands in the sum, a half each where both are the same infinity."""
    excess = _subtract_or_zero(x, y)
    return (
        sum_to_shape(ops.multiply(upstream, ops.sigmoid(excess)), x, y),
        sum_to_shape(ops.multiply(upstream, ops.sigmoid(ops.negative(excess))), y, x),
    )


def _subtract_or_zero(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return x - y, and 0 where both are the same infinity."""
    same = ops.logical_and(ops.equal(x, y), ops.logical_not(ops.is_finite(x)))
    return ops.select(same, ops.scalar(0, x), ops.subtract(x, ops.select(same, ops.scalar(0, x), y)))


@differentiable(_differentiate_logaddexp)
def logaddexp(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return max(x, y) + log1p(exp(-abs(x - y))), NumPy's formula."""
    return _compute_upcast(_logaddexp, x, y)


def _logaddexp(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    more = log1p(ops.exp(_compute_minus_distance(x, y)))
    return ops.add(ops.maximum(x, y), ops.select(ops.equal(x, y), ops.scalar(LN2, x), more))


def _compute_minus_distance(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.negative(ops.absolute(ops.subtract(x, y)))


def _differentiate_logaddexp2(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    ln2 = ops.scalar(LN2, x)
    return _differentiate_logaddexp(upstream, ops.multiply(x, ln2), ops.multiply(y, ln2))


@differentiable(_differentiate_logaddexp2)
def logaddexp2(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return log2(2**x + 2**y), like `logaddexp`."""
    return _compute_upcast(_logaddexp2, x, y)


def _logaddexp2(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    more = ops.multiply(log1p(exp2(_compute_minus_distance(x, y))), ops.scalar(LOG2_E, x))
    return ops.add(ops.maximum(x, y), ops.select(ops.equal(x, y), ops.scalar(1, x), more))
