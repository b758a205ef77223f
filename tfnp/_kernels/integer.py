"""Integer arithmetic as in NumPy: it wraps, division by zero is 0, and only negative exponents raise.

TensorFlow raises for a zero divisor, and returns -1 under XLA; its Pow raises for a negative exponent, and under XLA
uses the exponent modulo 64.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.checks import check
from tfnp._core.traces import trace_recurring

Kernel = Callable[[tf.Tensor, tf.Tensor], tf.Tensor]

UNSIGNED: Final = {tf.int8: tf.uint8, tf.int16: tf.uint16, tf.int32: tf.uint32, tf.int64: tf.uint64}

# Upstream bug: tensorflow-squared-difference-int8
HAVE_SQUARED_DIFFERENCE: Final = (tf.int32, tf.int64)
"""The dtypes for which SquaredDifference has a kernel: Grappler replaces the square of a difference by it."""

NEGATIVE: Final = "Integers to negative integer powers are not allowed."


def _try_first(quick: Kernel) -> Callable[[Kernel], Kernel]:
    """Decorate a kernel that handles zero divisors: try the op first in eager mode on CPU, where it raises for them."""

    def decorate(safe: Kernel) -> Kernel:
        def kernel(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
            if ops.executing_eagerly() and _has_only_cpu():
                try:
                    return quick(x, y)
                except tf.errors.InvalidArgumentError:
                    pass  # a zero divisor, or shapes that do not match, for which the safe kernel raises
            return safe(x, y)

        return kernel

    return decorate


@functools.cache
def _has_only_cpu() -> bool:
    return all(device.device_type == "CPU" for device in tf.config.list_physical_devices())


def square(x: tf.Tensor) -> tf.Tensor:
    """Return the square."""
    if ops.executing_eagerly() or x.dtype in HAVE_SQUARED_DIFFERENCE:
        return ops.square(x)
    return ops.multiply(x, ops.bitwise_or(x, x))  # Grappler replaces `x * x` by Square, too


def _trace_often_called(kernel: Kernel) -> Kernel:
    """Decorate a kernel with a loop: eager calls run as a graph for their dtype, which takes a sixth of the time."""
    recurring = trace_recurring()(kernel)

    @functools.wraps(kernel)
    def run(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return (recurring if ops.executing_eagerly() else kernel)(x, y)

    return run


# Upstream bug: tensorflow-integer-division-by-zero-xla
@_try_first(ops.floor_div)
def floor_divide(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the quotient rounded down; 0 for a divisor of 0, as in NumPy."""
    zero = ops.equal(y, ops.scalar(0, y))
    quotient = ops.floor_div(x, ops.select(zero, ops.scalar(1, y), y))
    return ops.select(zero, ops.scalar(0, y), quotient)


@_try_first(ops.floor_mod)
def remainder(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the remainder with the sign of the divisor; 0 for a divisor of 0, as in NumPy."""
    zero = ops.equal(y, ops.scalar(0, y))
    remaining = ops.floor_mod(x, ops.select(zero, ops.scalar(1, y), y))
    return ops.select(zero, ops.scalar(0, y), remaining)


def divmod(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return floor_divide(x, y), remainder(x, y)


def fmod(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the remainder with the sign of the dividend, for signed integers."""
    remaining, zero = remainder(x, y), ops.scalar(0, y)
    differs = ops.not_equal(ops.less(x, zero), ops.less(y, zero))
    return ops.select(ops.logical_and(differs, ops.not_equal(remaining, zero)), ops.subtract(remaining, y), remaining)


# Upstream bug: tensorflow-negation-of-unsigned
def subtract_unsigned(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return x - y of unsigned integers. In graphs it is computed by complement, since Grappler rewrites `0 - x` as a
    negation.
    """
    return ops.subtract(x, y) if ops.executing_eagerly() else ops.add(x, negative_unsigned(y))


# Upstream bug: tensorflow-negation-of-unsigned
def negative_unsigned(x: tf.Tensor) -> tf.Tensor:
    """Return -x by complement, since Grappler rewrites `0 - x` as Neg, which has no kernel for unsigned integers."""
    return ops.add(ops.invert(x), ops.scalar(1, x))


def sign_unsigned(x: tf.Tensor) -> tf.Tensor:
    return ops.cast(ops.not_equal(x, ops.scalar(0, x)), x.dtype)


def reciprocal(x: tf.Tensor) -> tf.Tensor:
    """Return 1 for 1, -1 for -1, 0 for others; for 0 infinity cast to the dtype on x86, as NumPy does."""
    one, zero = ops.scalar(1, x), ops.scalar(0, x)
    unit = ops.equal(x, one) if x.dtype.is_unsigned else ops.equal(ops.absolute(x), one)
    of_zero = ops.scalar(x.dtype.min if x.dtype in (tf.int32, tf.int64) else 0, x)
    return ops.select(ops.equal(x, zero), of_zero, ops.select(unit, x, zero))


def bitwise_count(x: tf.Tensor) -> tf.Tensor:
    """Return the number of ones in the binary digits of the absolute value."""
    return ops.population_count(x if x.dtype.is_unsigned else ops.absolute(x))


def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `x**y`, which wraps. A negative y raises ValueError, or InvalidArgumentError when a graph runs.

    Under XLA the result for a negative y is `1 / x**-y`, rounded toward zero, and 0 for x = 0.
    """
    if y.dtype.is_unsigned:
        return _power(x, y)
    if ops.executing_eagerly():
        try:
            return ops.power(x, y)
        except tf.errors.InvalidArgumentError:
            _check_exponents(x, y)
            raise
    static = convert.static_value(y)
    if static is not None and np.any(static < 0) and x.shape.num_elements() not in (0, None):
        _check_exponents(x, y)
    nonnegative = ops.greater_equal(y, ops.scalar(0, y))
    is_valid = tf.reduce_all(ops.logical_or(nonnegative, ops.not_equal(x, x)))  # in the common shape: x may be empty
    y = check(is_valid, ValueError(NEGATIVE), y)
    has_integer_result = ops.logical_or(nonnegative, ops.equal(ops.absolute(x), ops.scalar(1, x)))
    return ops.select(has_integer_result, _power(x, ops.absolute(y)), ops.scalar(0, x))


def _check_exponents(x: tf.Tensor, y: tf.Tensor) -> None:
    """Raise NumPy's error for a negative exponent, unless the result is empty."""
    if np.any(convert.static_value(y) < 0) and 0 not in tf.broadcast_static_shape(x.shape, y.shape):
        raise ValueError(NEGATIVE) from None


# Upstream bug: tensorflow-integer-power-xla
@_trace_often_called
def _power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the power by repeated squaring, for the bits of the largest exponent that can change a result."""
    y = ops.bitcast(y, UNSIGNED.get(y.dtype, y.dtype))
    one, zero_x, single, zero = ops.scalar(1, x), ops.scalar(0, x), ops.scalar(1, y), ops.scalar(0, y)
    ones = ops.select(ops.equal(ops.add(ops.bitcast(ops.multiply(x, ops.scalar(0, x)), y.dtype), y), y), one, one)

    def has_work(result: tf.Tensor, base: tf.Tensor, remaining: tf.Tensor) -> tf.Tensor:
        matters = ops.logical_and(ops.not_equal(base, one), ops.not_equal(result, zero_x))
        return tf.reduce_any(ops.logical_and(ops.not_equal(remaining, zero), matters))

    def step(result: tf.Tensor, base: tf.Tensor, remaining: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        odd = ops.equal(ops.bitwise_and(remaining, single), single)
        result = ops.multiply(result, ops.select(odd, base, one))
        return result, ops.multiply(base, base), ops.right_shift(remaining, single)

    return tf.while_loop(has_work, step, (ones, x, y))[0]


@_trace_often_called
def gcd(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the greatest common divisor by Euclid's algorithm, for unsigned magnitudes.

    The magnitude of the lowest integer fits only there; as a result it is negative.
    """
    return ops.bitcast(_find_gcd(_take_magnitude(x), _take_magnitude(y)), x.dtype)


@_trace_often_called
def lcm(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `abs(x / gcd * y)`, which wraps; 0 where an operand is 0."""
    left, right = _take_magnitude(x), _take_magnitude(y)
    return ops.bitcast(ops.multiply(floor_divide(left, _find_gcd(left, right)), right), x.dtype)


def _take_magnitude(x: tf.Tensor) -> tf.Tensor:
    return x if x.dtype.is_unsigned else ops.bitcast(ops.absolute(x), UNSIGNED[x.dtype])


def _find_gcd(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    zero = ops.scalar(0, x)
    x, y = ops.add(x, ops.multiply(y, zero)), ops.add(y, ops.multiply(x, zero))

    def has_work(_x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return tf.reduce_any(ops.not_equal(y, zero))

    def step(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        done = ops.equal(y, zero)
        remaining = ops.floor_mod(x, ops.select(done, ops.scalar(1, y), y))
        return ops.select(done, x, y), ops.select(done, zero, remaining)

    return tf.while_loop(has_work, step, (x, y))[0]
