"""Elementary functions of real numbers, where TensorFlow's kernels are missing, wrong, or inaccurate in some mode.

Errors are the largest against an 80-bit reference, in units in the last place (ulp). These functions are not here,
since they are right in eager mode, graph and XLA, within 5 ulp, with NumPy's zeros, infinities and nans: exp, log,
sqrt, square, sin, cos, tan, arccos of float32 and float64, arctan; and tanh, within 8 ulp.

Eager mode and graphs have the same kernels, XLA has others; but a graph may be compiled after it was traced. Therefore
errors of XLA are corrected in every graph, not in eager mode.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from tfnp._core import ops
from tfnp._kernels.gradients import derivative
from tfnp._kernels.select_rare import is_long, lies_within, replace_few, replace_rare

Kernel = Callable[[tf.Tensor], tf.Tensor]

LN2: Final = 0.6931471805599453
LOG2_E: Final = 1.4426950408889634
LOG10_E: Final = 0.4342944819032518
LOG10_2_HIGH: Final = 0.3010299955494702  # 27 bits, so that its product with an exponent is exact
LOG10_2_LOW: Final = 1.1451100898021838e-10
HALF_E: Final = 1.3591409142295225
INTEGER_ROUNDER: Final = 1.5 * 2**52  # a sum with it has no room for fractions
SMALLEST_NORMAL: Final = 2.0**-1022
TINY_ANGLE: Final = 2.0**-27  # below it, an odd function with derivative 1 at 0 equals its argument in float64


def via_float64(kernel: Kernel, x: tf.Tensor, to: tf.DType = tf.float32) -> tf.Tensor:
    """Return `kernel(x)`, computed in a wider dtype and rounded once, as NumPy computes float16 in float32."""
    return kernel(x) if x.dtype is to or x.dtype.size >= to.size else ops.cast(kernel(ops.cast(x, to)), x.dtype)


# Upstream bugs: tensorflow-division-as-reciprocal, tensorflow-reciprocal-approximate
def reciprocal(x: tf.Tensor) -> tf.Tensor:
    """Return 1 / x. TensorFlow's Reciprocal of float32, by which Grappler replaces `1 / x`, is an approximation.

    1/1 is 0.99999994, 1/4e37 is off by 3,800 ulp (https://github.com/tensorflow/tensorflow/issues/102771).
    """
    one = ops.scalar(1, x) if ops.executing_eagerly() else ops.cast(ops.equal(x, x), x.dtype)
    return ops.divide(one, x)


def sign(x: tf.Tensor) -> tf.Tensor:
    """Return the sign: 0 for both zeros, but the zero itself for bfloat16, as ml_dtypes does."""
    if ops.executing_eagerly() and x.dtype is not tf.bfloat16:
        return ops.add(ops.sign(x), ops.scalar(0, x))  # -0.0 + 0 is 0; Grappler would omit the sum
    zero = ops.equal(x, ops.scalar(0, x))
    return ops.select(zero, x if x.dtype == tf.bfloat16 else ops.scalar(0, x), ops.sign(x))


# Upstream bug: tensorflow-asin-small-xla
def arcsin(x: tf.Tensor) -> tf.Tensor:
    """Return the arcsine. XLA flushes small arguments to 0, since it halves them, and computes float16 in float16."""
    return ops.asin(x) if ops.executing_eagerly() else via_float64(_arcsin_in_graph, x)


def _arcsin_in_graph(x: tf.Tensor) -> tf.Tensor:
    return ops.select(ops.less(ops.absolute(x), ops.scalar(TINY_ANGLE, x)), x, ops.asin(x))


def arccos(x: tf.Tensor) -> tf.Tensor:
    return ops.acos(x) if ops.executing_eagerly() else via_float64(ops.acos, x)


def arcsinh(x: tf.Tensor) -> tf.Tensor:
    return ops.asinh(x) if ops.executing_eagerly() else via_float64(ops.asinh, x)


def arccosh(x: tf.Tensor) -> tf.Tensor:
    return ops.acosh(x) if ops.executing_eagerly() else via_float64(ops.acosh, x)


def expm1(x: tf.Tensor) -> tf.Tensor:
    return ops.expm1(x) if ops.executing_eagerly() else via_float64(ops.expm1, x)


# Upstream bug: tensorflow-log1p-float64-xla
def log1p(x: tf.Tensor) -> tf.Tensor:
    """Return log1p. XLA's float64 is off by 128 ulp near -0.41, its float16 by 2."""
    if ops.executing_eagerly():
        return ops.log1p(x)
    return _log1p_in_graph(x) if x.dtype == tf.float64 else via_float64(ops.log1p, x)


@derivative(lambda x: ops.divide(ops.scalar(1, x), ops.add(ops.scalar(1, x), x)))
def _log1p_in_graph(x: tf.Tensor) -> tf.Tensor:
    """Return log(u) plus a first-order term for the rounding error of u = 1 + x (W. Kahan, for the HP-15C)."""
    one = ops.scalar(1, x)
    u = ops.add(x, ops.cast(ops.equal(x, x), x.dtype))  # Grappler rewrites log(1 + x) as log1p(x)
    lost = ops.divide(ops.subtract(x, ops.subtract(u, one)), u)
    usual = ops.logical_and(ops.greater(u, ops.scalar(0, x)), ops.not_equal(u, one))
    result = ops.add(ops.log(u), ops.select(usual, lost, ops.scalar(0, x)))
    return ops.select(ops.logical_or(ops.equal(u, one), ops.is_inf(u)), _log1p_at_limits(x, u), result)


def _log1p_at_limits(x: tf.Tensor, u: tf.Tensor) -> tf.Tensor:
    """Return log1p where u = 1 + x is 1 or infinite: x itself, or nan for -inf."""
    return ops.select(ops.less(u, ops.scalar(0, x)), ops.scalar(float("nan"), x), x)


# Upstream bug: tensorflow-log1p-float64-xla
def arctanh(x: tf.Tensor) -> tf.Tensor:
    """Return the inverse hyperbolic tangent. XLA's float64 is off by 128 ulp near -0.41, because of its log1p."""
    if ops.executing_eagerly():
        return ops.atanh(x)
    return _arctanh_in_graph(x) if x.dtype == tf.float64 else via_float64(ops.atanh, x)


@derivative(lambda x: ops.divide(ops.scalar(1, x), ops.subtract(ops.scalar(1, x), ops.square(x))))
def _arctanh_in_graph(x: tf.Tensor) -> tf.Tensor:
    """Return log1p(2a / (1 - a)) / 2 with a = abs(x): Abramowitz and Stegun, 4.6.22."""
    a = ops.absolute(x)
    half = ops.scalar(0.5, x)
    size = ops.multiply(half, log1p(ops.divide(ops.add(a, a), ops.subtract(ops.scalar(1, x), a))))
    odd = ops.select(ops.less(x, ops.scalar(0, x)), ops.negative(size), size)
    return ops.select(ops.less(a, ops.scalar(TINY_ANGLE, x)), x, odd)


# Upstream bug: tensorflow-sinh-large-xla
def sinh(x: tf.Tensor) -> tf.Tensor:
    """Return the hyperbolic sine. XLA subtracts log(2) from large arguments: 24 ulp in float32, 496 in float64."""
    if ops.executing_eagerly():
        return ops.sinh(x)
    return _sinh_in_graph(x) if x.dtype == tf.float64 else via_float64(ops.sinh, x, _find_wider_dtype(x))


def _differentiate_sinh(x: tf.Tensor) -> tf.Tensor:
    return cosh(x)


@derivative(_differentiate_sinh)
def _sinh_in_graph(x: tf.Tensor) -> tf.Tensor:
    """Return the hyperbolic sine: by exp above 1, and below by expm1, which avoids cancellation (Abramowitz and Stegun,
    4.5.1).
    """
    a, one, half = ops.absolute(x), ops.scalar(1, x), ops.scalar(0.5, x)
    rising = half_exp(a)
    large = ops.subtract(rising, ops.divide(ops.scalar(0.25, x), rising))
    t = ops.expm1(ops.select(ops.less(a, one), a, one))
    small = ops.multiply(half, ops.add(t, ops.divide(t, ops.add(t, one))))
    size = ops.select(ops.less(a, one), small, large)
    odd = ops.select(ops.less(x, ops.scalar(0, x)), ops.negative(size), size)
    return ops.select(ops.less(a, ops.scalar(TINY_ANGLE, x)), x, odd)


# Upstream bug: tensorflow-sinh-large-xla
def cosh(x: tf.Tensor) -> tf.Tensor:
    """Return the hyperbolic cosine. XLA's has the errors of `sinh`."""
    if ops.executing_eagerly():
        return ops.cosh(x)
    return _cosh_in_graph(x) if x.dtype == tf.float64 else via_float64(ops.cosh, x, _find_wider_dtype(x))


@derivative(sinh)
def _cosh_in_graph(x: tf.Tensor) -> tf.Tensor:
    rising = half_exp(ops.absolute(x))
    return ops.add(rising, ops.divide(ops.scalar(0.25, x), rising))


def half_exp(x: tf.Tensor) -> tf.Tensor:
    """Return exp(x) / 2 for x >= 0, without overflow: 1 is subtracted from x, which is exact where x is large."""
    return ops.multiply(ops.exp(ops.subtract(x, ops.scalar(1, x))), ops.scalar(HALF_E, x))


def _find_wider_dtype(x: tf.Tensor) -> tf.DType:
    return tf.float64 if x.dtype == tf.float32 else tf.float32


def exp2(x: tf.Tensor) -> tf.Tensor:
    """Return 2**x, exact for integers. XLA's kernel for float16 is not, for some vectors, if 2 is a constant."""
    return via_float64(_exp2_of_long if is_long(x) else _raise_two, x)


def _raise_two(x: tf.Tensor) -> tf.Tensor:
    return ops.power(ops.scalar(2, x), x)


@derivative(lambda x: ops.multiply(exp2(x), ops.scalar(LN2, x)))
def _exp2_of_long(x: tf.Tensor) -> tf.Tensor:
    """Return 2**x in a tenth of the time of TensorFlow's power. What may be subnormal, infinite or nan is a power."""
    upcast = ops.cast(x, tf.float64)
    if x.dtype == tf.float32:  # rounding to which undoes the error of the product
        result = ops.cast(ops.exp(ops.multiply(upcast, ops.scalar(LN2, upcast))), x.dtype)
    else:
        result = _exp2_by_bits(upcast)
    lowest, highest = (-125, 127) if x.dtype == tf.float32 else (-1021, 1023)
    if lies_within(x, lowest, highest):
        return result
    inside = ops.logical_and(ops.greater_equal(x, ops.scalar(lowest, x)), ops.less_equal(x, ops.scalar(highest, x)))
    return replace_few(result, ops.logical_not(inside), _raise_two, x)


def _exp2_by_bits(x: tf.Tensor) -> tf.Tensor:
    """Return exp(f log(2)) * 2**n with the nearest integer n to x, and f = x - n.

    Added to x, a number whose last bit is 1 rounds it to n, which the last bits of the sum hold. They are shifted to
    the exponent.
    """
    rounder = ops.scalar(INTEGER_ROUNDER, x)
    rounded = ops.add(x, rounder)
    fraction = ops.subtract(x, ops.subtract(rounded, rounder))
    bits = ops.bitcast(ops.exp(ops.multiply(fraction, ops.scalar(LN2, x))), tf.int64)
    exponent = ops.left_shift(ops.bitcast(rounded, tf.int64), ops.scalar(52, bits))
    return ops.bitcast(ops.add(bits, exponent), tf.float64)


def log2(x: tf.Tensor) -> tf.Tensor:
    """Return the logarithm to base 2, exact at powers of 2."""
    if x.dtype == tf.float64:
        return _log2_in_float64(x)
    return via_float64(
        lambda upcast: ops.multiply(ops.log(upcast), ops.scalar(LOG2_E, upcast)), x, _find_wider_dtype(x)
    )


@derivative(lambda x: ops.divide(ops.scalar(LOG2_E, x), x))
def _log2_in_float64(x: tf.Tensor) -> tf.Tensor:
    exponent, mantissa = _split(x)
    usual = ops.add(exponent, ops.multiply(ops.log(mantissa), ops.scalar(LOG2_E, x)))
    if is_long(x) and lies_within(x, SMALLEST_NORMAL, tf.float64.max):
        return usual
    return replace_rare(usual, _is_not_splittable(x), lambda: _log_of_special(x))


def log10(x: tf.Tensor) -> tf.Tensor:
    """Return the logarithm to base 10, exact at powers of 10."""
    if x.dtype == tf.float64:
        return _log10_in_float64(x)
    return via_float64(
        lambda upcast: ops.multiply(ops.log(upcast), ops.scalar(LOG10_E, upcast)), x, _find_wider_dtype(x)
    )


@derivative(lambda x: ops.divide(ops.scalar(LOG10_E, x), x))
def _log10_in_float64(x: tf.Tensor) -> tf.Tensor:
    """Return the logarithm to base 10: exponent * log10(2), with log10(2) in two parts, so that only the last addition
    rounds.

    This is the idea of K. C. Ng's e_log10, https://netlib.org/fdlibm/e_log10.c.
    """
    exponent, mantissa = _split(x)
    high = ops.multiply(exponent, ops.scalar(LOG10_2_HIGH, x))
    low = ops.multiply(exponent, ops.scalar(LOG10_2_LOW, x))
    usual = ops.add(high, ops.add(low, ops.multiply(ops.log(mantissa), ops.scalar(LOG10_E, x))))
    if is_long(x) and lies_within(x, SMALLEST_NORMAL, tf.float64.max):
        return usual
    return replace_rare(usual, _is_not_splittable(x), lambda: _log_of_special(x))


def _split(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return n, m with x = m * 2**n and sqrt(1/2) <= m < sqrt(2), for a positive normal float64."""
    bits = ops.bitcast(x, tf.int64)
    width = ops.scalar(52, bits)
    exponent = ops.right_shift(ops.subtract(bits, ops.scalar(0x3FE6A09E667F3BCD, bits)), width)
    mantissa = ops.bitcast(ops.subtract(bits, ops.left_shift(exponent, width)), tf.float64)
    return ops.cast(exponent, tf.float64), mantissa


def _log_of_special(x: tf.Tensor) -> tf.Tensor:
    """Return the logarithm of what is not splittable, without that of all elements, which a graph would compute."""
    infinity, nan = ops.scalar(float("inf"), x), ops.scalar(float("nan"), x)
    of_large = ops.select(ops.greater(x, ops.scalar(0, x)), infinity, nan)
    return ops.select(ops.less(ops.absolute(x), ops.scalar(SMALLEST_NORMAL, x)), ops.negative(infinity), of_large)


def _is_not_splittable(x: tf.Tensor) -> tf.Tensor:
    normal = ops.logical_and(ops.greater(x, ops.scalar(0, x)), ops.is_finite(x))
    return ops.logical_not(normal)


def cbrt(x: tf.Tensor) -> tf.Tensor:
    """Return the cube root: abs(x)**(1/3) in a wider dtype, or corrected by one step of Newton's method, with the sign
    of x.
    """
    if is_long(x):
        return _cbrt_of_long(x)
    return via_float64(_cbrt_in_float64, x, tf.float64)


def _differentiate_cbrt(x: tf.Tensor) -> tf.Tensor:
    return ops.divide(ops.scalar(1 / 3, x), ops.square(cbrt(x)))


@derivative(_differentiate_cbrt)
def _cbrt_in_float64(x: tf.Tensor) -> tf.Tensor:
    a = ops.absolute(x)
    root = ops.power(a, ops.scalar(1 / 3, x))
    excess = ops.subtract(root, ops.divide(a, ops.square(root)))
    size = ops.subtract(root, ops.multiply(excess, ops.scalar(1 / 3, x)))
    odd = ops.select(ops.less(x, ops.scalar(0, x)), ops.negative(size), size)
    itself = ops.logical_or(ops.equal(root, ops.scalar(0, x)), ops.is_inf(x))
    return ops.select(itself, x, odd)


@derivative(_differentiate_cbrt)
def _cbrt_of_long(x: tf.Tensor) -> tf.Tensor:
    """Return the cube root of long arrays: x / abs(x)**(2/3), which has the sign of x, in float64 corrected by one step
    of Newton's method.

    The power is calculated by exp and log, in a tenth of the time of TensorFlow's. Its error of 1e-13 becomes 1e-26.
    """
    upcast = ops.cast(x, tf.float64)
    squared = ops.exp(ops.multiply(ops.log(ops.absolute(upcast)), ops.scalar(2 / 3, upcast)))
    root = ops.divide(upcast, squared)
    if x.dtype == tf.float64:
        excess = ops.subtract(root, ops.divide(x, ops.square(root)))
        root = ops.subtract(root, ops.multiply(excess, ops.scalar(1 / 3, x)))
    result = ops.cast(root, x.dtype)
    return replace_rare(result, ops.is_nan(result), lambda: x)  # zeros, subnormal numbers, infinities and nan
