"""Integer arithmetic: division by zero gives 0, everything wraps, and nothing raises but a negative exponent in eager.

TensorFlow raises on a zero divisor in eager and graph and answers -1 under XLA; its powers raise on a negative exponent
and under XLA take the exponent modulo 64.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops

Kernel = Callable[[tf.Tensor, tf.Tensor], tf.Tensor]

UNSIGNED: Final = {tf.int8: tf.uint8, tf.int16: tf.uint16, tf.int32: tf.uint32, tf.int64: tf.uint64}

SUBTRACTED: Final = (tf.int32, tf.int64)
"""The integers of which TensorFlow can square a difference in one step, as it does wherever a graph has both ops."""

NEGATIVE: Final = "Integers to negative integer powers are not allowed."


def _unless_zero(quick: Kernel) -> Callable[[Kernel], Kernel]:
    """Around a kernel safe from zero divisors: the op alone where it would tell of one, in eager on CPU."""

    def around(safe: Kernel) -> Kernel:
        def kernel(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
            if ops.executing_eagerly() and _only_cpu():
                try:
                    return quick(x, y)
                except tf.errors.InvalidArgumentError:
                    pass  # a zero, or shapes that clash, which the safe kernel will say again
            return safe(x, y)

        return kernel

    return around


@functools.cache
def _only_cpu() -> bool:
    return all(device.device_type == "CPU" for device in tf.config.list_physical_devices())


def square(x: tf.Tensor) -> tf.Tensor:
    if ops.executing_eagerly() or x.dtype in SUBTRACTED:
        return ops.square(x)
    return ops.multiply(x, ops.bitwise_or(x, x))  # a product of two tensors that are one is made a square, too


def _in_one_graph(kernel: Kernel) -> Kernel:
    """Around a kernel with a loop: in eager, a graph made once for each dtype runs it in a sixth of the time."""

    @functools.lru_cache
    def graph(dtype: tf.DType) -> Kernel:
        return tf.function(kernel, input_signature=[tf.TensorSpec(None, dtype)] * 2, autograph=False)

    @functools.wraps(kernel)
    def run(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return (graph(x.dtype) if ops.executing_eagerly() else kernel)(x, y)

    return run


@_unless_zero(ops.floor_div)
def floor_divide(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    zero = ops.equal(y, ops.scalar(0, y))
    quotient = ops.floor_div(x, ops.select(zero, ops.scalar(1, y), y))
    return ops.select(zero, ops.scalar(0, y), quotient)


@_unless_zero(ops.floor_mod)
def remainder(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    zero = ops.equal(y, ops.scalar(0, y))
    remaining = ops.floor_mod(x, ops.select(zero, ops.scalar(1, y), y))
    return ops.select(zero, ops.scalar(0, y), remaining)


def divmod(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return floor_divide(x, y), remainder(x, y)


def fmod(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The remainder with the sign of the dividend, for signed integers."""
    remaining, zero = remainder(x, y), ops.scalar(0, y)
    differs = ops.not_equal(ops.less(x, zero), ops.less(y, zero))
    return ops.select(ops.logical_and(differs, ops.not_equal(remaining, zero)), ops.subtract(remaining, y), remaining)


def subtract_unsigned(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """In a graph by complement, too: it may come to know that `x` is 0."""
    return ops.subtract(x, y) if ops.executing_eagerly() else ops.add(x, negative_unsigned(y))


def negative_unsigned(x: tf.Tensor) -> tf.Tensor:
    """By complement: 0 - x is rewritten to a negation, which unsigned integers lack."""
    return ops.add(ops.invert(x), ops.scalar(1, x))


def sign_unsigned(x: tf.Tensor) -> tf.Tensor:
    return ops.cast(ops.not_equal(x, ops.scalar(0, x)), x.dtype)


def reciprocal(x: tf.Tensor) -> tf.Tensor:
    """1 of 1, -1 of -1, and 0 of all else; of 0 what an x86 makes of infinity, as NumPy has it."""
    one, zero = ops.scalar(1, x), ops.scalar(0, x)
    unit = ops.equal(x, one) if x.dtype.is_unsigned else ops.equal(ops.absolute(x), one)
    of_zero = ops.scalar(x.dtype.min if x.dtype in (tf.int32, tf.int64) else 0, x)
    return ops.select(ops.equal(x, zero), of_zero, ops.select(unit, x, zero))


def bitwise_count(x: tf.Tensor) -> tf.Tensor:
    """The ones of the absolute value: of -1 there is one."""
    return ops.population_count(x if x.dtype.is_unsigned else ops.absolute(x))


def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """x**y, wrapping. A negative y raises: ValueError in eager or if it is known while tracing, else
    InvalidArgumentError when a graph runs.

    Under XLA nothing can raise, and the result is 1/x**-y rounded toward zero, 0 for x = 0.
    """
    if y.dtype.is_unsigned:
        return _power(x, y)
    if ops.executing_eagerly():
        try:
            return ops.power(x, y)
        except tf.errors.InvalidArgumentError:
            _refuse_negative(x, y)
            raise
    static = convert.static_value(y)
    if static is not None and np.any(static < 0) and x.shape.num_elements() not in (0, None):
        _refuse_negative(x, y)
    nonnegative = ops.greater_equal(y, ops.scalar(0, y))
    allowed = tf.reduce_all(ops.logical_or(nonnegative, ops.not_equal(x, x)))  # also where nothing is raised to it
    with tf.control_dependencies([tf.debugging.Assert(allowed, [NEGATIVE])]):
        units = ops.logical_or(nonnegative, ops.equal(ops.absolute(x), ops.scalar(1, x)))
        return ops.select(units, _power(x, ops.absolute(y)), ops.scalar(0, x))


def _refuse_negative(x: tf.Tensor, y: tf.Tensor) -> None:
    """What the op objects to: a negative exponent, unless nothing is raised to it; or shapes, which is not ours."""
    if np.any(convert.static_value(y) < 0) and 0 not in tf.broadcast_static_shape(x.shape, y.shape):
        raise ValueError(NEGATIVE) from None


@_in_one_graph
def _power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Square and multiply, as many rounds as the largest exponent has bits that make a difference."""
    y = tf.bitcast(y, UNSIGNED.get(y.dtype, y.dtype))
    one, nothing, single, zero = ops.scalar(1, x), ops.scalar(0, x), ops.scalar(1, y), ops.scalar(0, y)
    ones = ops.select(ops.equal(ops.add(tf.bitcast(ops.multiply(x, ops.scalar(0, x)), y.dtype), y), y), one, one)

    def more(result: tf.Tensor, base: tf.Tensor, remaining: tf.Tensor) -> tf.Tensor:
        matters = ops.logical_and(ops.not_equal(base, one), ops.not_equal(result, nothing))
        return tf.reduce_any(ops.logical_and(ops.not_equal(remaining, zero), matters))

    def step(result: tf.Tensor, base: tf.Tensor, remaining: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        odd = ops.equal(ops.bitwise_and(remaining, single), single)
        result = ops.multiply(result, ops.select(odd, base, one))
        return result, ops.multiply(base, base), ops.right_shift(remaining, single)

    return tf.while_loop(more, step, (ones, x, y))[0]


@_in_one_graph
def gcd(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Euclid's, on magnitudes held unsigned: that of the smallest integer fits there only, and comes back negative."""
    return tf.bitcast(_gcd(_magnitude(x), _magnitude(y)), x.dtype)


@_in_one_graph
def lcm(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """|x / gcd * y|, wrapping; 0 where either is 0."""
    left, right = _magnitude(x), _magnitude(y)
    return tf.bitcast(ops.multiply(floor_divide(left, _gcd(left, right)), right), x.dtype)


def _magnitude(x: tf.Tensor) -> tf.Tensor:
    return x if x.dtype.is_unsigned else tf.bitcast(ops.absolute(x), UNSIGNED[x.dtype])


def _gcd(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    zero = ops.scalar(0, x)
    x, y = ops.add(x, ops.multiply(y, zero)), ops.add(y, ops.multiply(x, zero))

    def more(_x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return tf.reduce_any(ops.not_equal(y, zero))

    def step(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        done = ops.equal(y, zero)
        remaining = ops.floor_mod(x, ops.select(done, ops.scalar(1, y), y))
        return ops.select(done, x, y), ops.select(done, zero, remaining)

    return tf.while_loop(more, step, (x, y))[0]
