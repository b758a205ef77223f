"""Elementary functions with bit-identical results in eager mode, in graphs and under XLA.

TensorFlow's are not: its eager kernels treat the remainder of a vector differently, XLA uses other series, and XLA
contracts a product and a sum into one rounding. These functions use only sums, products, quotients and roots, and pass
each product through an operation on its bits (`seal`), which changes nothing but which no compiler looks through. They
are within two units in the last place, except powers, whose error grows with the logarithm of the result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp.random import arrays, elementary_arrays
from tfnp.random.shared_graphs import trace_once

_FLOAT: Final = tf.float64
_MANTISSA: Final = (1 << 52) - 1
_ONE: Final = 1023 << 52
_SQRT2: Final = int(np.float64(math.sqrt(2)).view(np.int64))
_MOST_TURNS: Final = 2.0**40
_LARGEST: Final = float(np.finfo(np.float64).max)
_TINY: Final = float(np.finfo(np.float64).tiny)
with localcontext() as _context:
    _context.prec = 40
    _LN2: Final = Decimal(2).ln()
    LN2_HIGH: Final = math.floor(_LN2 * 2**40) / 2**40  # exact when multiplied by any exponent
    LN2_LOW: Final = float(_LN2 - Decimal(LN2_HIGH))
HALF_PI: Final = math.pi / 2
_LOG_SERIES: Final = [2 / (2 * k + 1) for k in range(1, 12)]
_EXP_SERIES: Final = [1 / math.factorial(n) for n in range(2, 14)]
_SIN_SERIES: Final = [(-1) ** k / math.factorial(2 * k + 1) for k in range(9)]
_COS_SERIES: Final = [(-1) ** k / math.factorial(2 * k) for k in range(10)]
_LARGEST_IN_TABLE: Final = 4095.0
_STIRLING: Final = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156]


@lru_cache(maxsize=1)
def make_hidden_zero() -> tf.Tensor:
    with tf.init_scope():
        return convert.from_numpy(np.zeros((), np.int64))


constant = np.float64
"""A constant of formulas, of tensors and of arrays."""


def seal(x: tf.Tensor) -> tf.Tensor:
    """Return the same float64 values, as tensors through a bit operation, so that compilers do not fuse the operations
    before and after it.
    """
    if not arrays.has_tensor(x):
        return x
    return tf.bitcast(tf.bitcast(x, tf.int64) ^ make_hidden_zero(), _FLOAT)


def seal_with_gradient(x: tf.Tensor) -> tf.Tensor:
    """Return the same values as `seal`, with a gradient."""
    return _seal_with_gradient(x) if arrays.has_tensor(x) else x


@tf.custom_gradient
def _seal_with_gradient(x: tf.Tensor) -> tuple[tf.Tensor, object]:
    return seal(x), lambda upstream: upstream


def mul(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return seal(x * y)


def div(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Divide sealed operands: compilers replace a constant divisor by its reciprocal, a root by a reciprocal root, and
    1 / x by an estimate.
    """
    if not arrays.has_tensor(x, y):
        return x / y
    return seal(seal(tf.convert_to_tensor(x, _FLOAT)) / seal(tf.convert_to_tensor(y, _FLOAT)))


def sqrt(x: tf.Tensor) -> tf.Tensor:
    return seal(arrays.sqrt(x))


def evaluate_polynomial(x: tf.Tensor, coefficients: Sequence[float]) -> tf.Tensor:
    """Return the value of a polynomial, given its coefficients from the lowest degree on."""
    if not arrays.has_tensor(x):
        return elementary_arrays.evaluate_polynomial(x, coefficients)
    result = arrays.zeros_like(x) + constant(coefficients[-1])
    for coefficient in coefficients[-2::-1]:
        result = mul(result, x) + constant(coefficient)
    return result


@trace_once(_FLOAT)
def log(x: tf.Tensor) -> tf.Tensor:
    """Return the logarithm by the series of atanh((m - 1) / (m + 1)), where m is the mantissa."""
    if arrays.lie_between(x, _TINY, _LARGEST):
        return elementary_arrays.log(x, _LOG_SERIES, LN2_HIGH, LN2_LOW)
    bits = arrays.bitcast(x, tf.int64)
    exponent = arrays.shift_right(bits, np.int64(52)) - 1023
    mantissa = (bits & _MANTISSA) | _ONE
    is_large = arrays.cast(mantissa > _SQRT2, tf.int64)
    m = arrays.bitcast(mantissa - arrays.shift_left(is_large, np.int64(52)), _FLOAT)
    f = m - 1.0
    e = arrays.cast(exponent + is_large, _FLOAT)
    s = div(f, f + 2.0)
    z = mul(s, s)
    tail = mul(s, f - mul(z, evaluate_polynomial(z, _LOG_SERIES)))
    result = e * LN2_HIGH - ((tail - mul(e, constant(LN2_LOW))) - f)
    result = arrays.where(x > 0.0, result, arrays.where(x == 0.0, constant(-np.inf), constant(np.nan)))
    return arrays.where(x < np.inf, result, x)


@trace_once(_FLOAT)
def exp(x: tf.Tensor) -> tf.Tensor:
    """Return the exponential by its Taylor series, after subtracting a multiple of log(2)."""
    if arrays.lie_between(x, -708.0, 709.0):
        return elementary_arrays.exp(x, _EXP_SERIES, LN2_HIGH, LN2_LOW)
    clipped = arrays.clip(x, constant(-746.0), constant(710.0))
    k = arrays.rint(mul(clipped, constant(1 / math.log(2))))
    r = (clipped - k * LN2_HIGH) - mul(k, constant(LN2_LOW))
    result = seal(mul(mul(r, r), evaluate_polynomial(r, _EXP_SERIES)) + r) + 1.0
    first = arrays.floor(k * 0.5)
    result = mul(mul(result, power_of_two(first)), power_of_two(k - first))
    if not arrays.has_tensor(x):
        result = arrays.where(k < -1021.0, np.where(result < _TINY, 0.0, result), result)  # as TensorFlow's kernels
    return arrays.where(arrays.isnan(x), x, arrays.where(x > 709.79, constant(np.inf), result))


def power_of_two(exponent: tf.Tensor) -> tf.Tensor:
    """Return 2 to an integral exponent in the range of normal numbers."""
    exponent_bits = arrays.cast(arrays.clip(exponent, constant(-1022.0), constant(1023.0)), tf.int64)
    return arrays.bitcast(arrays.shift_left(exponent_bits + 1023, np.int64(52)), _FLOAT)


@trace_once(_FLOAT)
def expm1(x: tf.Tensor) -> tf.Tensor:
    """Return exp(x) - 1, by the Taylor series for small arguments."""
    small = mul(x, mul(x, evaluate_polynomial(x, _EXP_SERIES)) + 1.0)
    return arrays.where(arrays.absolute(x) < 0.35, small, exp(x) - 1.0)


@trace_once(_FLOAT)
def log1p(x: tf.Tensor) -> tf.Tensor:
    """Return the logarithm of the rounded sum, corrected by its rounding error."""
    rounded = x + 1.0
    error = arrays.where(arrays.absolute(x) < 1.0, x - (rounded - 1.0), constant(0.0))
    return arrays.where(rounded == 1.0, x, log(rounded) + div(error, rounded))


@trace_once(_FLOAT, _FLOAT)
def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return a power of non-negative numbers."""
    result = exp(mul(y, log(x)))
    return arrays.where((y == 0.0) | (x == 1.0), constant(1.0), result)


@trace_once(_FLOAT)
def cos_turns(x: tf.Tensor) -> tf.Tensor:
    """Return the cosine of an angle in full turns."""
    if arrays.lie_between(x, -_MOST_TURNS, _MOST_TURNS):
        return elementary_arrays.cos_turns(x, _SIN_SERIES, _COS_SERIES)
    quarters = x * 4.0
    k = arrays.rint(quarters)
    a = mul(quarters - k, constant(HALF_PI))
    squared = mul(a, a)
    sine, cosine = mul(a, evaluate_polynomial(squared, _SIN_SERIES)), evaluate_polynomial(squared, _COS_SERIES)
    index = arrays.cast(k, tf.int64) & 3
    cos = arrays.where((index & 1) == 1, sine, cosine)
    return arrays.where((index == 1) | (index == 2), -cos, cos)


@trace_once(_FLOAT)
def arccos(x: tf.Tensor) -> tf.Tensor:
    """Return twice the arctangent of sqrt((1 - x) / (1 + x))."""
    ratio = sqrt(div(1.0 - x, 1.0 + x))
    return 2.0 * arctan(ratio)


@trace_once(_FLOAT)
def arctan(x: tf.Tensor) -> tf.Tensor:
    """Return the arctangent of non-negative numbers, by its series after halving the angle three times."""
    is_steep = x > 1.0
    t = arrays.where(is_steep, div(constant(1.0), arrays.maximum(x, constant(1.0))), x)
    for _ in range(3):
        t = div(t, sqrt(mul(t, t) + 1.0) + 1.0)
    squared = mul(t, t)
    angle = 8.0 * mul(t, evaluate_polynomial(squared, [(-1) ** k / (2 * k + 1) for k in range(10)]))
    return arrays.where(is_steep, constant(HALF_PI) - angle, angle)


@trace_once(_FLOAT)
def log_gamma(x: tf.Tensor) -> tf.Tensor:
    """Return log(gamma(x)) of positive numbers by Stirling's series, for which smaller ones are shifted above 8."""
    is_small = x < 8.0
    steps = arrays.where(is_small, x, constant(1.0))
    product = steps
    for step in range(1, 8):
        product = mul(product, steps + float(step))
    y = arrays.where(is_small, x + 8.0, x)
    inverse = div(constant(1.0), y)
    tail = mul(inverse, evaluate_polynomial(mul(inverse, inverse), _STIRLING))
    result = seal(mul(y - 0.5, log(y)) - y) + seal(constant(0.5 * math.log(2 * math.pi)) + tail)
    return arrays.where(is_small, result - log(product), result)


def log_factorial(k: tf.Tensor) -> tf.Tensor:
    """Return log(k!) of natural numbers. Those of arrays are read from a table, which has the same digits."""
    if isinstance(k, float) and 0.0 <= k <= _LARGEST_IN_TABLE and k.is_integer():
        return _tabulate_log_factorials()[int(k)]
    if not arrays.lie_between(k, 0.0, _LARGEST_IN_TABLE):
        return log_gamma(k + 1.0)
    index = k.astype(np.int64)
    return _tabulate_log_factorials()[index] if np.array_equal(index, k) else log_gamma(k + 1.0)


@lru_cache(maxsize=1)
def _tabulate_log_factorials() -> np.ndarray:
    return log_gamma(np.arange(1.0, _LARGEST_IN_TABLE + 2.0))
