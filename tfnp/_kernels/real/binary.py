"""Functions of two real numbers that TensorFlow lacks, or whose gradients it makes nan at points where they are not.

Within float64 each takes care itself that nothing overflows halfway; float32 and bfloat16 are computed in float64, and
float16 in float32, where nothing can, and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf
from tensorflow import raw_ops as _raw

from tfnp._core import ops
from tfnp._kernels.bits import copysign, signbit
from tfnp._kernels.gradients import differentiable, sum_to_shape
from tfnp._kernels.real.transcendental import LN2, LOG2_E, exp2, log1p
from tfnp._kernels.select_rare import replace_rare

Kernel = Callable[[tf.Tensor, tf.Tensor], tf.Tensor]
Gradients = tuple[tf.Tensor, tf.Tensor]

_arctan2 = _raw.Atan2.__wrapped__
_exp = _raw.Exp.__wrapped__
_log = _raw.Log.__wrapped__
_sigmoid = _raw.Sigmoid.__wrapped__
_sqrt = _raw.Sqrt.__wrapped__

HUGE: Final = 2.0**510  # beyond it a square overflows, or two of them together
TINY: Final = 2.0**-450  # below it the lesser square may vanish beside the greater, and still matter
DOWN: Final = 2.0**-600
UP: Final = 2.0**600


def _widened(kernel: Kernel, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    if x.dtype == tf.float64:
        return kernel(x, y)
    upcast = tf.float32 if x.dtype == tf.float16 else tf.float64
    return ops.cast(kernel(ops.cast(x, upcast), ops.cast(y, upcast)), x.dtype)


def _ratio(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The quotient, and 0 where y is 0."""
    nothing = ops.equal(y, ops.scalar(0, y))
    return ops.select(nothing, ops.scalar(0, y), ops.divide(x, ops.select(nothing, ops.scalar(1, y), y)))


def _hypot_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    """The unit vector, and 0 at the origin, where there is none."""
    length = hypot(x, y)
    return (
        sum_to_shape(ops.multiply(upstream, _ratio(x, length)), x, y),
        sum_to_shape(ops.multiply(upstream, _ratio(y, length)), y, x),
    )


@differentiable(_hypot_gradient)
def hypot(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Infinite where one side is, even where the other is nan."""
    usual = _widened(_scaled_hypot, x, y)
    infinite = ops.logical_or(ops.is_inf(x), ops.is_inf(y))
    return replace_rare(usual, infinite, lambda: ops.scalar(float("inf"), x))


def _scaled_hypot(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The root of a sum of squares; in float64 of operands scaled, exactly, by a power of 2."""
    if x.dtype != tf.float64:
        return _sqrt(ops.add(ops.square(x), ops.square(y)))
    greater = ops.maximum(ops.absolute(x), ops.absolute(y))
    one = ops.scalar(1, x)
    scale = replace_rare(one, ops.greater(greater, ops.scalar(HUGE, x)), lambda: ops.scalar(DOWN, x))
    scale = replace_rare(scale, ops.less(greater, ops.scalar(TINY, x)), lambda: ops.scalar(UP, x))
    scaled = ops.add(ops.square(ops.multiply(x, scale)), ops.square(ops.multiply(y, scale)))
    return ops.divide(_sqrt(scaled), scale)


def _arctan2_gradient(upstream: tf.Tensor, y: tf.Tensor, x: tf.Tensor) -> Gradients:
    """(x, -y) over the squared distance, and 0 at the origin, where there is none."""
    length = hypot(x, y)
    per_length = _ratio(upstream, length)
    return (
        sum_to_shape(ops.multiply(per_length, _ratio(x, length)), y, x),
        sum_to_shape(ops.negative(ops.multiply(per_length, _ratio(y, length))), x, y),
    )


@differentiable(_arctan2_gradient)
def arctan2(y: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """With a finite gradient everywhere."""
    return direction(y, x)


def direction(y: tf.Tensor, x: tf.Tensor) -> tf.Tensor:
    """TensorFlow's; but where y is subnormal, or zero beside a subnormal x, what it is of zeros of their signs, since
    TensorFlow's is nan, of the other sign, or a multiple of a quarter of pi.
    """
    usual = _arctan2(y, x)
    if x.dtype == tf.float16 or (ops.executing_eagerly() and not _may_be_odd(y.numpy(), x)):
        return usual
    zero = ops.scalar(0, x)
    flat = ops.logical_and(ops.equal(y, zero), ops.equal(x, x))
    return ops.select(flat, copysign(ops.select(signbit(x), ops.scalar(math.pi, x), zero), y), usual)


def _may_be_odd(y: np.ndarray, x: tf.Tensor) -> bool:
    """Whether some y is subnormal, or zero where some x is subnormal."""
    tiny = np.finfo(np.float64 if y.dtype == np.float64 else np.float32).tiny
    small = np.abs(y) < tiny
    if not small.any():
        return False
    sizes = np.abs(x.numpy())
    return bool((small & (y != 0)).any() or ((sizes < tiny) & (sizes > 0)).any())


def _power_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    """Of x, y * x**(y - 1), and 0 where both are 0; of y, x**y * log(x), and 0 where x is not positive."""
    zero, one = ops.scalar(0, x), ops.scalar(1, x)
    constant = ops.logical_and(ops.equal(x, zero), ops.equal(y, zero))
    slope = ops.multiply(y, power(x, ops.subtract(ops.select(constant, one, y), one)))
    positive = ops.greater(x, zero)
    logarithm = ops.select(positive, _log(ops.select(positive, x, one)), zero)
    return (
        sum_to_shape(ops.multiply(upstream, slope), x, y),
        sum_to_shape(ops.multiply(upstream, ops.multiply(power(x, y), logarithm)), y, x),
    )


@differentiable(_power_gradient)
def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """TensorFlow's, with a finite gradient at 0**0; but of float32 in float64, since for bases near 1 and exponents
    beyond a hundred million its float32 is infinite or 0. Its float64 has an error, in ulp, of abs(y log(x)), save in
    XLA.
    """
    return _widened(ops.power, x, y) if x.dtype == tf.float32 else ops.power(x, y)


def _logaddexp_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    """How much each contributes to the sum; a half each where both are the same infinity."""
    excess = _difference(x, y)
    return (
        sum_to_shape(ops.multiply(upstream, _sigmoid(excess)), x, y),
        sum_to_shape(ops.multiply(upstream, _sigmoid(ops.negative(excess))), y, x),
    )


def _difference(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The excess of x over y, and 0 where both are the same infinity."""
    alike = ops.logical_and(ops.equal(x, y), ops.logical_not(ops.is_finite(x)))
    return ops.select(alike, ops.scalar(0, x), ops.subtract(x, ops.select(alike, ops.scalar(0, x), y)))


@differentiable(_logaddexp_gradient)
def logaddexp(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Greater plus log1p of the exponential of what the other lacks, as NumPy has it."""
    return _widened(_logaddexp, x, y)


def _logaddexp(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    more = log1p(_exp(_lack(x, y)))
    return ops.add(ops.maximum(x, y), ops.select(ops.equal(x, y), ops.scalar(LN2, x), more))


def _lack(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.negative(ops.absolute(ops.subtract(x, y)))


def _logaddexp2_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> Gradients:
    ln2 = ops.scalar(LN2, x)
    return _logaddexp_gradient(upstream, ops.multiply(x, ln2), ops.multiply(y, ln2))


@differentiable(_logaddexp2_gradient)
def logaddexp2(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """As `logaddexp`, with powers of 2."""
    return _widened(_logaddexp2, x, y)


def _logaddexp2(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    more = ops.multiply(log1p(exp2(_lack(x, y))), ops.scalar(LOG2_E, x))
    return ops.add(ops.maximum(x, y), ops.select(ops.equal(x, y), ops.scalar(1, x), more))
