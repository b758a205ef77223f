"""Powers of complex numbers, as in NumPy: repeated multiplication for integer exponents below 100, special cases for a
base of zero, else exp(y log(x)) with the multiplication of ISO C.

Large exponents amplify the rounding error of the logarithm: the relative error is about eps * abs(y log(x)).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import ops
from tfnp._core.xla import is_for_xla
from tfnp._kernels.complex.arithmetic import Parts, divide, join, multiply, parts, round_to
from tfnp._kernels.complex.exponentials import copy_sign, exp, log
from tfnp._kernels.gradients import differentiable, sum_to_shape
from tfnp._kernels.select_rare import replace_rare

Factors = tuple[tf.Tensor, tf.Tensor, tf.Tensor]
BITS: Final = 7  # of the greatest integer exponent for which factors are multiplied, 99


def _differentiate_power(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return y * x**(y - 1), 0 where both are 0, and x**y * log(x), 0 where x is 0.

    Both powers are computed at once, and for XLA by logarithms alone: it needs seconds to compile the products of
    integer exponents, by which a power has NumPy's digits.
    """
    zero, one = ops.scalar(0, x), ops.scalar(1, x)
    is_zero = ops.equal(x, zero)
    constant = ops.logical_and(ops.equal(y, zero), is_zero)
    exponents = [ops.subtract(ops.select(constant, one, y), one), ops.select(constant, y, y)]  # in the shape of both
    raise_to = _power_by_logarithm if is_for_xla() else power
    lower, same = tf.unstack(raise_to(x, tf.stack(exponents)), 2)
    logarithm = ops.select(is_zero, zero, log(ops.select(is_zero, one, x)))
    return (
        sum_to_shape(ops.multiply(upstream, ops.conj(multiply(y, lower))), x, y),
        sum_to_shape(ops.multiply(upstream, ops.conj(multiply(same, logarithm))), y, x),
    )


@differentiable(_differentiate_power)
def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return x**y. 0**y is 0 if y has a positive real part, 1 if y is 0, else nan."""
    c, d = parts(y)
    zero = ops.scalar(0, c)
    real = ops.equal(d, zero)
    small = ops.less(ops.absolute(c), ops.scalar(100, c))
    is_integer = ops.logical_and(real, ops.logical_and(small, ops.equal(c, ops.rint(c))))
    usual = ops.power(x, y) if ops.executing_eagerly() else exp(_multiply_as_c(y, log(x)))
    usual = replace_rare(usual, is_integer, lambda: _raise_to_integer(x, ops.select(is_integer, c, zero)))
    return _replace_powers_of_zero(usual, x, y)


@differentiable(_differentiate_power)
def _power_by_logarithm(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _replace_powers_of_zero(exp(_multiply_as_c(y, log(x))), x, y)


# Upstream bug: tensorflow-complex-pow-zero
def _replace_powers_of_zero(usual: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    (a, b), (c, _) = parts(x), parts(y)
    zero = ops.scalar(0, c)

    def power_of_zero() -> tf.Tensor:
        otherwise = ops.select(ops.equal(y, ops.scalar(0, y)), ops.scalar(1, y), ops.scalar(complex(np.nan, np.nan), y))
        return ops.select(ops.greater(c, zero), ops.scalar(0, y), otherwise)

    return replace_rare(usual, ops.logical_and(ops.equal(a, zero), ops.equal(b, zero)), power_of_zero)


def _raise_to_integer(x: tf.Tensor, n: tf.Tensor) -> tf.Tensor:
    """Return an integer power by repeated squaring. For the exponents 1, 2 and 3, no factor is 1, which would turn
    infinities into nan.
    """
    product, first, root = _multiply_factors(x, n)
    usual = _replace_small_exponents(x, n, _invert_if_negative(product, n))
    if x.dtype == tf.complex128:
        underflows = ops.logical_and(_may_underflow(product, 2.0**-1000), ops.less(n, ops.scalar(-1, n)))
        return replace_rare(usual, underflows, lambda: _invert_subnormal(first, root, usual))
    return replace_rare(usual, _may_underflow(product, 2.0**-100), lambda: _raise_to_integer_in_complex128(x, n, usual))


# Upstream bug: tensorflow-subnormals-flushed
def _raise_to_integer_in_complex128(x: tf.Tensor, n: tf.Tensor, usual: tf.Tensor) -> tf.Tensor:
    """Return an integer power of complex128. TensorFlow flushes subnormal numbers, which are corrected unless NumPy's
    result underflows, too.
    """
    x, n = ops.cast(x, tf.complex128), ops.cast(n, tf.float64)
    product = _multiply_factors(x, n)[0]
    result = ops.cast(_replace_small_exponents(x, n, _invert_if_negative(product, n)), usual.dtype)
    real, imag = parts(product)
    left = ops.greater_equal(ops.maximum(ops.absolute(real), ops.absolute(imag)), ops.scalar(2.0**-149, real))
    return ops.select(left, result, usual)


def _may_underflow(z: tf.Tensor, least: float) -> tf.Tensor:
    """Return whether a part is so small that it may have been flushed."""
    real, imag = parts(z)
    return ops.less(ops.minimum(ops.absolute(real), ops.absolute(imag)), ops.scalar(least, real))


def _invert_subnormal(first: tf.Tensor, root: tf.Tensor, usual: tf.Tensor) -> tf.Tensor:
    """Return 1 / (first * root * root) where that product is subnormal.

    It is scaled by 2**600, rounded to the precision of subnormals, and inverted as NumPy does.
    """
    product = _multiply_textbook(ops.multiply(first, ops.scalar(2.0**600, first)), root)
    a, b = parts(_multiply_textbook(product, root))
    units, unit = ops.scalar(2.0**474, a), ops.scalar(2.0**-474, a)
    c, d = (ops.multiply(ops.rint(ops.multiply(part, units)), unit) for part in (a, b))
    is_real_greater = ops.greater_equal(ops.absolute(c), ops.absolute(d))
    greater, lesser = ops.select(is_real_greater, c, d), ops.select(is_real_greater, d, c)
    ratio, one = ops.divide(lesser, greater), ops.scalar(1, greater)
    inverse = ops.divide(one, ops.multiply(greater, ops.add(one, ops.square(ratio))))
    scale = ops.multiply(inverse, ops.scalar(2.0**600, inverse))
    real, imag = ops.select(is_real_greater, one, ratio), ops.negative(ops.select(is_real_greater, ratio, one))
    result = join(ops.multiply(real, scale), ops.multiply(imag, scale))
    size, zero = ops.absolute(greater), ops.scalar(0, greater)
    below = ops.logical_and(ops.greater(size, zero), ops.less(size, ops.scalar(2.0**-400, size)))
    return ops.select(below, result, usual)


def _multiply_factors(x: tf.Tensor, n: tf.Tensor) -> Factors:
    """Return x**abs(n), and its factors `first` and `root`: the last step is first * root * root."""
    size = ops.cast(ops.absolute(n), tf.int32)
    x = ops.select(ops.greater_equal(size, ops.scalar(0, size)), x, x)  # in the shape of both
    one = tf.ones_like(x)

    def step(bit: tf.Tensor, state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
        product, first, root, before, power_of_two = state
        digit = ops.bitwise_and(ops.right_shift(size, bit), ops.scalar(1, size))
        is_set = ops.not_equal(digit, ops.scalar(0, size))
        return (
            ops.select(is_set, _multiply_textbook(product, power_of_two), product),
            ops.select(is_set, product, first),
            ops.select(is_set, before, root),
            power_of_two,
            _multiply_textbook(power_of_two, power_of_two),
        )

    state = (one, one, x, one, x)
    if ops.executing_eagerly():
        bit_length = int(size.numpy().max(initial=0)).bit_length()
        for bit in range(bit_length):
            state = step(ops.scalar(bit, size), state)
    else:
        state = _loop_over_bits(step, state)
    return state[0], state[1], state[2]


def _loop_over_bits(step: Callable[..., tuple[tf.Tensor, ...]], state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
    """Return the state after a step for each bit of the exponents: a loop in a graph, where tracing a single step is
    faster than unrolling.
    """

    def body(bit: tf.Tensor, *state: tf.Tensor) -> tuple[tf.Tensor, ...]:
        new_state = step(bit, state)
        for after, before in zip(new_state, state, strict=True):
            after.set_shape(before.shape)
        return bit + 1, *new_state

    return tuple(tf.while_loop(lambda bit, *_: bit < BITS, body, (tf.constant(0), *state))[1:])


def _invert_if_negative(product: tf.Tensor, n: tf.Tensor) -> tf.Tensor:
    return replace_rare(product, ops.less(n, ops.scalar(0, n)), lambda: divide(ops.scalar(1, product), product))


def _replace_small_exponents(x: tf.Tensor, n: tf.Tensor, product: tf.Tensor) -> tf.Tensor:
    product = replace_rare(product, ops.equal(n, ops.scalar(1, n)), lambda: x)
    product = replace_rare(product, ops.equal(n, ops.scalar(2, n)), lambda: _multiply_textbook(x, x))
    three = ops.equal(n, ops.scalar(3, n))
    return replace_rare(product, three, lambda: _multiply_textbook(x, _multiply_textbook(x, x)))


def _multiply_textbook(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the product by the textbook formula, with rounded products."""
    (a, b), (c, d) = parts(x), parts(y)
    return join(*_multiply_parts(a, b, c, d))


def _multiply_parts(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, d: tf.Tensor) -> Parts:
    real = ops.subtract(round_to(ops.multiply(a, c)), round_to(ops.multiply(b, d)))
    return real, ops.add(round_to(ops.multiply(a, d)), round_to(ops.multiply(b, c)))


def _multiply_as_c(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the product as defined by ISO C, Annex G.5.1, for infinite operands.

    Where the textbook formula makes both parts nan, the result is infinite if an operand is or the products overflow.
    """
    (a, b), (c, d) = parts(x), parts(y)
    real, imag = _multiply_parts(a, b, c, d)
    lost = ops.logical_and(ops.is_nan(real), ops.is_nan(imag))
    infinite = ops.logical_or(ops.is_inf(a), ops.is_inf(b))
    other_infinite = ops.logical_or(ops.is_inf(c), ops.is_inf(d))
    products = ops.multiply(a, c), ops.multiply(b, d), ops.multiply(a, d), ops.multiply(b, c)
    overflown = ops.logical_or(_has_inf(*products[:2]), _has_inf(*products[2:]))
    a, b = _box_infinity(a, infinite), _box_infinity(b, infinite)
    c, d = _box_infinity(c, other_infinite), _box_infinity(d, other_infinite)
    recovered = ops.logical_and(lost, ops.logical_or(overflown, ops.logical_or(infinite, other_infinite)))
    real_direction, imag_direction = _multiply_parts(a, b, c, d)
    infinity = ops.scalar(np.inf, real)
    return join(
        ops.select(recovered, ops.multiply(infinity, real_direction), real),
        ops.select(recovered, ops.multiply(infinity, imag_direction), imag),
    )


def _has_inf(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.logical_or(ops.is_inf(x), ops.is_inf(y))


def _box_infinity(part: tf.Tensor, infinite: tf.Tensor) -> tf.Tensor:
    """Return a part with its sign as ISO C boxes infinities: 1 if it is infinite, 0 if only the other one is; else the
    part, 0 for nan.
    """
    zero, one = ops.scalar(0, part), ops.scalar(1, part)
    boxed = ops.select(ops.is_inf(part), one, zero)
    size = ops.select(infinite, boxed, ops.select(ops.is_nan(part), zero, ops.absolute(part)))
    return copy_sign(size, part)
