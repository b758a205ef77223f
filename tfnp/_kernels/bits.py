"""Bitwise operations, shifts, and functions of the bits of floats, which subnormal flushing does not affect."""

from __future__ import annotations

from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.eager_tensors import eager_tensor
from tfnp._kernels.gradients import differentiable, differentiable_parts, piecewise_constant, sum_to_shape
from tfnp._kernels.integer import UNSIGNED, Kernel
from tfnp._kernels.select_rare import is_long, lies_within

Parts = tuple[tf.Tensor, ...]
INTEGER: Final = {tf.float16: tf.int16, tf.bfloat16: tf.int16, tf.float32: tf.int32, tf.float64: tf.int64}
MANTISSA: Final = {tf.float16: 10, tf.bfloat16: 7, tf.float32: 23, tf.float64: 52}
BIAS: Final = {tf.float16: 15, tf.bfloat16: 127, tf.float32: 127, tf.float64: 1023}


def is_calculated_by_numpy(x: tf.Tensor) -> bool:
    """Return whether this is a long eager array, for which NumPy takes one pass and has the bits of several ops."""
    return x.dtype in (tf.float32, tf.float64) and is_long(x)


def calculate_by_numpy(ufunc: np.ufunc, *operands: tf.Tensor) -> Parts:
    """Return the results of NumPy's ufunc."""
    with np.errstate(all="ignore"):
        results = ufunc(*map(convert.to_numpy, operands))
    return tuple(map(eager_tensor, results if ufunc.nout > 1 else (results,)))


def and_signed(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `x & y` of signed integers."""
    return _combine_signed(ops.bitwise_and, x, y)


def or_signed(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `x | y` of signed integers."""
    return _combine_signed(ops.bitwise_or, x, y)


# Upstream bug: tensorflow-bitwise-of-narrowed-xla
def _combine_signed(op: Kernel, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Combine signed integers; in graphs, as unsigned ones.

    XLA's CPU compiler crashes for signed integers that are the result of a narrowing cast.
    """
    if ops.executing_eagerly() or x.dtype == tf.int64:
        return op(x, y)
    bits = UNSIGNED[x.dtype]
    return ops.bitcast(op(ops.bitcast(x, bits), ops.bitcast(y, bits)), x.dtype)


def left_shift(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `x << y`, 0 where y is negative or not below the width. TensorFlow's eager kernels clamp y."""
    if _has_usual_counts(x, y):
        return ops.left_shift(x, y)
    inside, count = _shift_count(y, 0)
    return ops.select(inside, ops.left_shift(x, count), ops.scalar(0, x))


def right_shift(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `x >> y`; where y is negative or not below the width, 0, or -1 for negative x."""
    if _has_usual_counts(x, y):
        return ops.right_shift(x, y)
    if not x.dtype.is_unsigned:
        return ops.right_shift(x, _shift_count(y, y.dtype.size * 8 - 1)[1])
    inside, count = _shift_count(y, 0)
    return ops.select(inside, ops.right_shift(x, count), ops.scalar(0, x))


def _has_usual_counts(x: tf.Tensor, y: tf.Tensor) -> bool:
    """Return whether it is known that long arrays are shifted by less than their width, which takes one operation."""
    return (is_long(x) or is_long(y)) and lies_within(y, 0, y.dtype.size * 8 - 1)


def _shift_count(y: tf.Tensor, other: int) -> tuple[tf.Tensor, tf.Tensor]:
    """Return where counts are neither negative nor as large as the width, and counts with another one elsewhere."""
    magnitude = ops.bitcast(y, UNSIGNED.get(y.dtype, y.dtype))
    inside = ops.less(magnitude, ops.scalar(y.dtype.size * 8, magnitude))
    return inside, ops.select(inside, y, ops.scalar(other, y))


def as_integer(x: tf.Tensor) -> tf.Tensor:
    """Return the bits of floats as signed integers of their width."""
    return ops.bitcast(x, INTEGER[x.dtype])


def signbit(x: tf.Tensor) -> tf.Tensor:
    """Return whether the sign bit is set."""
    bits = as_integer(x)
    return ops.less(bits, ops.scalar(0, bits))


def is_nonzero(x: tf.Tensor) -> tf.Tensor:
    """Return whether any bit but that of the sign is set, also of subnormal numbers."""
    bits = as_integer(x)
    return ops.not_equal(ops.left_shift(bits, ops.scalar(1, bits)), ops.scalar(0, bits))


def with_sign_of(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return `copysign(x, y)`, without a gradient but in fewer passes over memory."""
    bits = as_integer(y)
    sign = ops.bitwise_and(bits, ops.scalar(bits.dtype.min, bits))
    return ops.bitcast(ops.bitwise_or(sign, as_integer(ops.absolute(x))), x.dtype)


def copysign(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return x with the sign of y, by negation, so that the gradient of x is 1 or -1.

    The signs differ where the exclusive or of the bits is negative. Two sign bits are not compared: in a loop, XLA
    takes the sign of a bfloat16 that is cast to float64 for positive.
    """
    bits = ops.bitwise_xor(as_integer(x), as_integer(y))
    return ops.select(ops.less(bits, ops.scalar(0, bits)), ops.negative(x), x)


def _differentiate_first(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    return sum_to_shape(upstream, x, y), tf.zeros_like(y)


@differentiable(_differentiate_first)
def nextafter(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the next float after x toward y, in the order of their bits."""
    if is_calculated_by_numpy(x) and is_calculated_by_numpy(y):
        return calculate_by_numpy(np.nextafter, x, y)[0]
    return _nextafter_of_any(x, y)


def _nextafter_of_any(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    bits = as_integer(x)
    zero, one = ops.scalar(0, bits), ops.scalar(1, bits)
    index, goal = _order(bits), _order(as_integer(y))
    upward = ops.less(index, goal)
    outward = ops.equal(upward, ops.greater_equal(bits, zero))
    result = ops.bitcast(ops.add(bits, ops.select(outward, one, ops.negative(one))), x.dtype)
    first = ops.bitcast(ops.select(upward, one, ops.add(ops.scalar(bits.dtype.min, bits), one)), x.dtype)
    result = ops.select(ops.equal(index, zero), first, result)
    result = ops.select(ops.equal(index, goal), y, result)
    return ops.select(ops.is_nan(x), x, ops.select(ops.is_nan(y), y, result))


def nextafter_half(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the next float16. For equal operands return the first, as NumPy does, though the second may be a zero of
    another sign.
    """
    bits = as_integer(x)
    same = ops.logical_and(ops.equal(_order(bits), _order(as_integer(y))), ops.logical_not(ops.is_nan(y)))
    return ops.select(same, x, nextafter(x, y))


def _order(bits: tf.Tensor) -> tf.Tensor:
    """Return the bits of floats as integers of the same order, 0 for both zeros."""
    lowest = ops.scalar(bits.dtype.min, bits)
    return ops.select(ops.less(bits, ops.scalar(0, bits)), ops.subtract(lowest, bits), bits)


@piecewise_constant
def spacing(x: tf.Tensor) -> tf.Tensor:
    """Return the distance to the next float away from zero, with the sign of x; nan for infinity and nan."""
    if is_calculated_by_numpy(x):
        return calculate_by_numpy(np.spacing, x)[0]
    bits, width = as_integer(x), MANTISSA[x.dtype]
    exponent = _extract_exponent(bits, x.dtype)
    normal = ops.subtract(exponent, ops.scalar(width, bits))
    zero, one = ops.scalar(0, bits), ops.scalar(1, bits)
    tiny = ops.left_shift(one, ops.maximum(ops.subtract(exponent, one), zero))
    large = ops.left_shift(ops.maximum(normal, zero), ops.scalar(width, bits))
    size = ops.bitcast(ops.select(ops.greater(normal, zero), large, tiny), x.dtype)
    size = ops.select(ops.equal(ops.absolute(x), ops.scalar(x.dtype.max, x)), ops.scalar(float("inf"), x), size)
    size = ops.select(ops.is_finite(x), size, ops.scalar(float("nan"), x))
    sign = bits if x.dtype == tf.bfloat16 else _order(bits)  # NumPy: positive for -0.0, but for bfloat16
    return ops.select(ops.less(sign, zero), ops.negative(size), size)


@piecewise_constant
def spacing_half(x: tf.Tensor) -> tf.Tensor:
    """Return the distance to the next greater float, always positive, as NumPy does for float16."""
    step = ops.subtract(nextafter(x, ops.scalar(float("inf"), x)), x)
    return ops.select(ops.is_finite(x), step, ops.scalar(float("nan"), x))


def _extract_exponent(bits: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return the biased exponent: 0 for zeros and subnormals."""
    width = MANTISSA[dtype]
    mask = ops.scalar((1 << (bits.dtype.size * 8 - 1 - width)) - 1, bits)
    return ops.bitwise_and(ops.right_shift(bits, ops.scalar(width, bits)), mask)


def _scale_by_exponent(upstreams: Parts, results: Parts, x: tf.Tensor) -> Parts:
    """Return the gradient of `frexp`: its mantissa is `x * 2**-exponent`, its exponent piecewise constant."""
    scale = ldexp_half if x.dtype.size == 2 else ldexp
    return (scale(upstreams[0], ops.negative(results[1])),)


# Upstream bug: tensorflow-subnormals-flushed
@differentiable_parts(2, _scale_by_exponent)
def frexp(x: tf.Tensor) -> Parts:
    """Return the mantissa in [0.5, 1) and the int32 exponent. Subnormal numbers are scaled as integers, since floats
    may be flushed to zero.
    """
    if is_calculated_by_numpy(x):
        return calculate_by_numpy(np.frexp, x)
    bits, width, bias = as_integer(x), MANTISSA[x.dtype], BIAS[x.dtype]
    exponent = _extract_exponent(bits, x.dtype)
    zero = ops.scalar(0, bits)
    fraction = ops.bitwise_and(bits, ops.scalar((1 << width) - 1, bits))
    subnormal = ops.logical_and(ops.equal(exponent, zero), ops.not_equal(fraction, zero))
    scaled = as_integer(ops.cast(fraction, x.dtype))
    fraction = ops.select(subnormal, ops.bitwise_and(scaled, ops.scalar((1 << width) - 1, bits)), fraction)
    lift = ops.subtract(_extract_exponent(scaled, x.dtype), ops.scalar(bias + width - 1, bits))
    exponent = ops.select(subnormal, lift, exponent)
    sign = ops.bitwise_and(bits, ops.scalar(bits.dtype.min, bits))
    half = ops.scalar((bias - 1) << width, bits)
    mantissa = ops.bitcast(ops.bitwise_or(ops.bitwise_or(sign, half), fraction), x.dtype)
    is_usual = ops.logical_and(ops.is_finite(x), ops.not_equal(_order(bits), zero))
    power = ops.select(is_usual, ops.subtract(exponent, ops.scalar(bias - 1, bits)), zero)
    return ops.select(is_usual, mantissa, x), ops.cast(power, tf.int32)


# Upstream bug: tensorflow-constants-reassociated
def ldexp(x: tf.Tensor, exponent: tf.Tensor) -> tf.Tensor:
    """Return `x * 2**exponent`, by four multiplications, so that no factor overflows.

    The exponent is hidden from Grappler, which would fold constant factors to one.
    """
    integer, exponent = INTEGER[x.dtype], convert.hide_from_folding(exponent)
    bound = 2 * (BIAS[x.dtype] + MANTISSA[x.dtype])
    edge = ops.scalar(bound, exponent)
    remaining = ops.cast(ops.maximum(ops.minimum(exponent, edge), ops.negative(edge)), integer)
    quarter = ops.right_shift(remaining, ops.scalar(2, remaining))
    steps = [quarter, quarter, quarter, ops.subtract(remaining, ops.multiply(quarter, ops.scalar(3, remaining)))]
    for step in steps:
        x = ops.select(ops.equal(step, ops.scalar(0, step)), x, ops.multiply(x, _power_of_two(step, x.dtype)))
    return x


def ldexp_half(x: tf.Tensor, exponent: tf.Tensor) -> tf.Tensor:
    """Return `x * 2**exponent`, computed in float32."""
    return ops.cast(ldexp(ops.cast(x, tf.float32), exponent), x.dtype)


def _power_of_two(exponent: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    biased = ops.add(exponent, ops.scalar(BIAS[dtype], exponent))
    return ops.bitcast(ops.left_shift(biased, ops.scalar(MANTISSA[dtype], exponent)), dtype)
