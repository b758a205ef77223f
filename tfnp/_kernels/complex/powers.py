"""Powers of complex numbers as NumPy has them: whole exponents below 100 by repeated multiplication, zero bases apart,
else exp(y log(x)) with the multiplication of C.

Large exponents magnify the rounding of the logarithm: a result is as good as eps times abs(y log(x)).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf
from tensorflow import raw_ops as _raw

from tfnp._core import ops
from tfnp._kernels.complex.arithmetic import Parts, divide, join, multiply, parts, round_to
from tfnp._kernels.complex.exponentials import copy_sign, exp, log
from tfnp._kernels.gradients import differentiable, sum_to_shape
from tfnp._kernels.select_rare import replace_rare

_conjugate = _raw.Conj.__wrapped__

Factors = tuple[tf.Tensor, tf.Tensor, tf.Tensor]
BITS: Final = 7  # of the greatest whole exponent that is multiplied out, 99


def _power_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Of x, y * x**(y - 1), and 0 where both are 0; of y, x**y * log(x), and 0 where x is 0. Both powers in one go:
    XLA compiles them for seconds.
    """
    zero, one = ops.scalar(0, x), ops.scalar(1, x)
    nothing = ops.equal(x, zero)
    constant = ops.logical_and(ops.equal(y, zero), nothing)
    exponents = [ops.subtract(ops.select(constant, one, y), one), ops.select(constant, y, y)]  # in the shape of both
    lower, same = tf.unstack(power(x, tf.stack(exponents)), 2)
    logarithm = ops.select(nothing, zero, log(ops.select(nothing, one, x)))
    return (
        sum_to_shape(ops.multiply(upstream, _conjugate(multiply(y, lower))), x, y),
        sum_to_shape(ops.multiply(upstream, _conjugate(multiply(same, logarithm))), y, x),
    )


@differentiable(_power_gradient)
def power(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """0**y is 0 if y has a positive real part, 1 if y is 0, else nan."""
    (a, b), (c, d) = parts(x), parts(y)
    zero = ops.scalar(0, c)
    real = ops.equal(d, zero)
    small = ops.less(ops.absolute(c), ops.scalar(100, c))
    whole = ops.logical_and(real, ops.logical_and(small, ops.equal(c, ops.rint(c))))
    usual = ops.power(x, y) if ops.executing_eagerly() else exp(_multiply_as_c(y, log(x)))
    usual = replace_rare(usual, whole, lambda: _whole_power(x, ops.select(whole, c, zero)))
    nothing = ops.logical_and(ops.equal(a, zero), ops.equal(b, zero))

    def of_zero() -> tf.Tensor:
        otherwise = ops.select(ops.equal(y, ops.scalar(0, y)), ops.scalar(1, y), ops.scalar(complex(np.nan, np.nan), y))
        return ops.select(ops.greater(c, zero), ops.scalar(0, y), otherwise)

    return replace_rare(usual, nothing, of_zero)


def _whole_power(x: tf.Tensor, n: tf.Tensor) -> tf.Tensor:
    """Square and multiply, from 1; but exponents 1, 2 and 3 without the 1, which would make nan of infinities."""
    product, first, root = _multiplied_out(x, n)
    usual = _few_times(x, n, _inverted(product, n))
    if x.dtype == tf.complex128:
        faint = ops.logical_and(_is_faint(product, 2.0**-1000), ops.less(n, ops.scalar(-1, n)))
        return replace_rare(usual, faint, lambda: _inverse_of_subnormal(first, root, usual))
    return replace_rare(usual, _is_faint(product, 2.0**-100), lambda: _whole_power_of_faint(x, n, usual))


def _whole_power_of_faint(x: tf.Tensor, n: tf.Tensor, usual: tf.Tensor) -> tf.Tensor:
    """In complex128, since TensorFlow makes zeros of subnormal numbers; but not where NumPy too is left with zero."""
    x, n = ops.cast(x, tf.complex128), ops.cast(n, tf.float64)
    product = _multiplied_out(x, n)[0]
    found = ops.cast(_few_times(x, n, _inverted(product, n)), usual.dtype)
    real, imag = parts(product)
    left = ops.greater_equal(ops.maximum(ops.absolute(real), ops.absolute(imag)), ops.scalar(2.0**-149, real))
    return ops.select(left, found, usual)


def _is_faint(z: tf.Tensor, least: float) -> tf.Tensor:
    """Whether a part may be what is left of more, or nothing is."""
    real, imag = parts(z)
    return ops.less(ops.minimum(ops.absolute(real), ops.absolute(imag)), ops.scalar(least, real))


def _inverse_of_subnormal(first: tf.Tensor, root: tf.Tensor, usual: tf.Tensor) -> tf.Tensor:
    """1 / (first * root * root) where that product is subnormal: made 2**600 times as large, rounded to the unit of
    subnormal numbers, and divided by as NumPy divides.
    """
    product = _multiply_plainly(ops.multiply(first, ops.scalar(2.0**600, first)), root)
    a, b = parts(_multiply_plainly(product, root))
    units, unit = ops.scalar(2.0**474, a), ops.scalar(2.0**-474, a)
    c, d = (ops.multiply(ops.rint(ops.multiply(part, units)), unit) for part in (a, b))
    upcast = ops.greater_equal(ops.absolute(c), ops.absolute(d))
    greater, lesser = ops.select(upcast, c, d), ops.select(upcast, d, c)
    ratio, one = ops.divide(lesser, greater), ops.scalar(1, greater)
    inverse = ops.divide(one, ops.multiply(greater, ops.add(one, ops.square(ratio))))
    scale = ops.multiply(inverse, ops.scalar(2.0**600, inverse))
    real, imag = ops.select(upcast, one, ratio), ops.negative(ops.select(upcast, ratio, one))
    found = join(ops.multiply(real, scale), ops.multiply(imag, scale))
    size, zero = ops.absolute(greater), ops.scalar(0, greater)
    below = ops.logical_and(ops.greater(size, zero), ops.less(size, ops.scalar(2.0**-400, size)))
    return ops.select(below, found, usual)


def _multiplied_out(x: tf.Tensor, n: tf.Tensor) -> Factors:
    """The power of x that the size of n says, its last factor but two, and the root of what that is multiplied by."""
    size = ops.cast(ops.absolute(n), tf.int32)
    x = ops.select(ops.greater_equal(size, ops.scalar(0, size)), x, x)  # in the shape of both
    one = tf.ones_like(x)

    def step(bit: tf.Tensor, state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
        product, first, root, before, power_of_two = state
        digit = ops.bitwise_and(ops.right_shift(size, bit), ops.scalar(1, size))
        taken = ops.not_equal(digit, ops.scalar(0, size))
        return (
            ops.select(taken, _multiply_plainly(product, power_of_two), product),
            ops.select(taken, product, first),
            ops.select(taken, before, root),
            power_of_two,
            _multiply_plainly(power_of_two, power_of_two),
        )

    state = (one, one, x, one, x)
    if ops.executing_eagerly():
        longest = int(size.numpy().max(initial=0)).bit_length()
        for bit in range(longest):
            state = step(ops.scalar(bit, size), state)
    else:
        state = _looped(step, state)
    return state[0], state[1], state[2]


def _looped(step: Callable[..., tuple[tf.Tensor, ...]], state: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, ...]:
    """In a graph one step is traced, since many would take it long."""

    def body(bit: tf.Tensor, *state: tf.Tensor) -> tuple[tf.Tensor, ...]:
        found = step(bit, state)
        for after, before in zip(found, state, strict=True):
            after.set_shape(before.shape)
        return bit + 1, *found

    return tuple(tf.while_loop(lambda bit, *_: bit < BITS, body, (tf.constant(0), *state))[1:])


def _inverted(product: tf.Tensor, n: tf.Tensor) -> tf.Tensor:
    return replace_rare(product, ops.less(n, ops.scalar(0, n)), lambda: divide(ops.scalar(1, product), product))


def _few_times(x: tf.Tensor, n: tf.Tensor, product: tf.Tensor) -> tf.Tensor:
    product = replace_rare(product, ops.equal(n, ops.scalar(1, n)), lambda: x)
    product = replace_rare(product, ops.equal(n, ops.scalar(2, n)), lambda: _multiply_plainly(x, x))
    three = ops.equal(n, ops.scalar(3, n))
    return replace_rare(product, three, lambda: _multiply_plainly(x, _multiply_plainly(x, x)))


def _multiply_plainly(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The textbook formula, every product rounded."""
    (a, b), (c, d) = parts(x), parts(y)
    return join(*_products(a, b, c, d))


def _products(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, d: tf.Tensor) -> Parts:
    real = ops.subtract(round_to(ops.multiply(a, c)), round_to(ops.multiply(b, d)))
    return real, ops.add(round_to(ops.multiply(a, d)), round_to(ops.multiply(b, c)))


def _multiply_as_c(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Multiplication by Annex G.5.1 of ISO C: a result with an infinite part where an operand has one, or where the
    products overflow, though the textbook formula makes both parts nan.
    """
    (a, b), (c, d) = parts(x), parts(y)
    real, imag = _products(a, b, c, d)
    lost = ops.logical_and(ops.is_nan(real), ops.is_nan(imag))
    infinite = ops.logical_or(ops.is_inf(a), ops.is_inf(b))
    other_infinite = ops.logical_or(ops.is_inf(c), ops.is_inf(d))
    products = ops.multiply(a, c), ops.multiply(b, d), ops.multiply(a, d), ops.multiply(b, c)
    overflown = ops.logical_or(_any_is_inf(*products[:2]), _any_is_inf(*products[2:]))
    a, b = _direction(a, infinite), _direction(b, infinite)
    c, d = _direction(c, other_infinite), _direction(d, other_infinite)
    recovered = ops.logical_and(lost, ops.logical_or(overflown, ops.logical_or(infinite, other_infinite)))
    real_direction, imag_direction = _products(a, b, c, d)
    infinity = ops.scalar(np.inf, real)
    return join(
        ops.select(recovered, ops.multiply(infinity, real_direction), real),
        ops.select(recovered, ops.multiply(infinity, imag_direction), imag),
    )


def _any_is_inf(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.logical_or(ops.is_inf(x), ops.is_inf(y))


def _direction(part: tf.Tensor, infinite: tf.Tensor) -> tf.Tensor:
    """1 of an infinite part, 0 of the other; where neither is infinite the part, but 0 of nan; with the part's sign."""
    zero, one = ops.scalar(0, part), ops.scalar(1, part)
    boxed = ops.select(ops.is_inf(part), one, zero)
    size = ops.select(infinite, boxed, ops.select(ops.is_nan(part), zero, ops.absolute(part)))
    return copy_sign(size, part)
