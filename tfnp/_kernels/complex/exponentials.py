"""Exponentials, logarithms and roots of complex numbers.

Special values are those of ISO C, Annex G.6.3, as in glibc and therefore NumPy; those of expm1, exp2, log2, log10 and
log1p are NumPy's own. complex64 is computed in complex128 and rounded once, unless NumPy's results show overflow of
intermediate results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from tfnp._core import ops
from tfnp._kernels.complex.arithmetic import Parts, join, parts, reciprocal
from tfnp._kernels.gradients import derivative
from tfnp._kernels.real.binary import DOWN, HUGE, TINY, UP, direction
from tfnp._kernels.real.transcendental import LN2, LOG2_E, LOG10_E
from tfnp._kernels.real.transcendental import expm1 as _real_expm1
from tfnp._kernels.real.transcendental import log1p as _real_log1p
from tfnp._kernels.select_rare import is_long, lies_within, replace_few, replace_rare

Kernel = Callable[[tf.Tensor], tf.Tensor]

LARGE: Final = 700.0  # exp(700) is finite in float64; exp of the excess is a second factor
LOG_OF_GREATEST: Final = {tf.complex64: 88.72283905206836, tf.complex128: 709.7827128933841}


def in_complex128(kernel: Kernel, z: tf.Tensor) -> tf.Tensor:
    return kernel(z) if z.dtype == tf.complex128 else ops.cast(kernel(ops.cast(z, tf.complex128)), z.dtype)


def exp(z: tf.Tensor) -> tf.Tensor:
    """Return the exponential. In eager mode TensorFlow's kernel is right for complex128; for complex64 it overflows a
    few ulp too early.
    """
    return in_complex128(ops.exp if ops.executing_eagerly() else _exp_in_graph, z)


@derivative(exp)
def _exp_in_graph(z: tf.Tensor) -> tf.Tensor:
    x, y = parts(z)
    zero = ops.scalar(0, x)
    size, excess = exp_in_two_steps(x)
    real = ops.multiply(ops.multiply(size, ops.cos(y)), excess)
    imag = ops.multiply(ops.multiply(size, ops.sin(y)), excess)
    imag = ops.select(ops.equal(y, zero), y, imag)
    lost = ops.logical_and(ops.is_inf(x), ops.logical_not(ops.is_finite(y)))
    vanishing = ops.logical_and(lost, ops.less(x, zero))
    return join(
        ops.select(lost, ops.select(vanishing, zero, x), real),
        ops.select(vanishing, copy_sign(zero, y), imag),
    )


def exp_in_two_steps(x: tf.Tensor) -> Parts:
    """Return two factors whose product is exp(x); the second is 1 unless x is large."""
    limit = ops.scalar(LARGE, x)
    large = ops.greater(x, limit)
    excess = ops.select(large, ops.subtract(x, limit), ops.scalar(0, x))
    return ops.exp(ops.select(large, limit, x)), ops.exp(excess)


@derivative(exp)
def expm1(z: tf.Tensor) -> tf.Tensor:
    """Return expm1(x) cos(y) - 2 sin(y/2)**2 + i exp(x) sin(y), NumPy's formula, without special cases."""
    x, y = parts(z)
    half = ops.sin(ops.multiply(y, ops.scalar(0.5, y)))
    less = ops.multiply(ops.scalar(2, y), ops.square(half))
    return join(ops.subtract(ops.multiply(_real_expm1(x), ops.cos(y)), less), ops.multiply(ops.exp(x), ops.sin(y)))


def exp2(z: tf.Tensor) -> tf.Tensor:
    """Return 2**z as exp(z * log(2)), with rounded products, as NumPy does."""
    x, y = parts(z)
    ln2 = ops.scalar(LN2, x)
    return exp(join(ops.multiply(x, ln2), ops.multiply(y, ln2)))


# Upstream bug: tensorflow-complex-log-overflow
@derivative(reciprocal)
def log(z: tf.Tensor) -> tf.Tensor:
    """Return the logarithm, with W. Kahan's modulus ("Branch cuts for complex elementary functions", 1987).

    Near 1 it is log1p of its square minus 1, which is computed in twice the precision, else it is computed from the
    greater part and the ratio of the parts.
    """
    if z.dtype == tf.complex64:
        x, y = parts(ops.cast(z, tf.complex128))
        return ops.cast(join(_compute_log_modulus(x, y, _compute_excess_of_singles), direction(y, x)), z.dtype)
    x, y = parts(z)
    return join(_compute_log_modulus(x, y, _compute_excess_of_doubles), direction(y, x))


def _compute_log_modulus(x: tf.Tensor, y: tf.Tensor, excess: Callable[[tf.Tensor, tf.Tensor], tf.Tensor]) -> tf.Tensor:
    half, two = ops.scalar(0.5, x), ops.scalar(2, x)
    a, b = ops.absolute(x), ops.absolute(y)
    more = ops.greater(a, b)
    greater, lesser = ops.select(more, a, b), ops.select(more, b, a)
    ratio = ops.divide(lesser, greater)
    usual = ops.add(ops.log(greater), ops.multiply(half, _real_log1p(ops.square(ratio))))
    square = ops.add(ops.square(greater), ops.square(lesser))
    near = ops.logical_and(ops.greater(square, half), ops.less(square, two))
    usual = replace_rare(usual, near, lambda: ops.multiply(half, _real_log1p(excess(greater, lesser))))
    usual = replace_rare(usual, ops.logical_or(ops.is_inf(a), ops.is_inf(b)), lambda: ops.scalar(float("inf"), x))
    return replace_rare(usual, ops.equal(ops.add(a, b), ops.scalar(0, x)), lambda: ops.scalar(float("-inf"), x))


# Upstream bug: tensorflow-constants-reassociated
def _compute_excess_of_singles(greater: tf.Tensor, lesser: tf.Tensor) -> tf.Tensor:
    """Return the sum of the squares minus 1, of float32 values in float64, where all steps are exact near 1.

    The difference of squares is a product, because Grappler reorders sums with constants
    (https://github.com/tensorflow/tensorflow/issues/52045).
    """
    one = ops.scalar(1, greater)
    product = ops.multiply(ops.subtract(greater, one), ops.add(greater, one))
    return ops.add(product, ops.square(lesser))


def _compute_excess_of_doubles(greater: tf.Tensor, lesser: tf.Tensor) -> tf.Tensor:
    """Return the sum of the squares minus 1, of float64 values that are split in two, so that products are exact.

    T. J. Dekker ("A floating-point technique for extending the available precision", 1971).
    """
    head, middle, tail = _split_square(greater)
    other_head, other_middle, other_tail = _split_square(lesser)
    first = _compute_excess_of_singles(head, other_head)
    second, remaining = _add_exactly(middle, other_middle)
    total, total_error = _add_exactly(first, second)
    return ops.add(total, ops.add(ops.add(remaining, total_error), ops.add(tail, other_tail)))


def _split_square(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return h, m, t with x**2 = h**2 + m + t."""
    head = ops.cast(ops.cast(x, tf.float32), tf.float64)
    tail = ops.subtract(x, head)
    return head, ops.multiply(ops.multiply(ops.scalar(2, x), head), tail), ops.square(tail)


def _add_exactly(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return a sum and its rounding error: D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B."""
    total = ops.add(x, y)
    part = ops.subtract(total, x)
    return total, ops.add(ops.subtract(x, ops.subtract(total, part)), ops.subtract(y, part))


def log2(z: tf.Tensor) -> tf.Tensor:
    return _scale(log(z), LOG2_E)


def log10(z: tf.Tensor) -> tf.Tensor:
    return _scale(log(z), LOG10_E)


def _scale(z: tf.Tensor, factor: float) -> tf.Tensor:
    real, imag = parts(z)
    scalar = ops.scalar(factor, real)
    return join(ops.multiply(real, scalar), ops.multiply(imag, scalar))


@derivative(lambda z: reciprocal(ops.add(z, ops.scalar(1, z))))
def log1p(z: tf.Tensor) -> tf.Tensor:
    """Return the logarithm of 1 + z, whose real part near 0 is log1p(x (2 + x) + y**2) / 2.

    NumPy's real part has an absolute error of about eps there. As NumPy's, it is infinite where the modulus of 1 + z
    overflows.
    """
    limit = LOG_OF_GREATEST[z.dtype]
    return in_complex128(lambda upcast: _log1p_in_complex128(upcast, limit), z)


def _log1p_in_complex128(z: tf.Tensor, limit: float) -> tf.Tensor:
    x, y = parts(z)
    u = ops.add(x, ops.scalar(1, x))
    usual = log(join(u, y))
    excess = ops.add(ops.multiply(x, ops.add(x, ops.scalar(2, x))), ops.square(y))
    small = ops.less(ops.add(ops.absolute(x), ops.absolute(y)), ops.scalar(0.25, x))
    near = ops.multiply(ops.scalar(0.5, x), _real_log1p(ops.select(small, excess, ops.scalar(0, x))))
    real, imag = parts(usual)
    overflown = ops.greater(real, ops.scalar(limit, real))
    real = replace_rare(real, overflown, lambda: ops.scalar(float("inf"), real))
    return join(ops.select(small, near, real), imag)


# Upstream bugs: tensorflow-complex-sqrt-infinite, tensorflow-complex-sqrt-polar-xla
@derivative(lambda z: reciprocal(ops.multiply(ops.scalar(2, z), sqrt(z))))
def sqrt(z: tf.Tensor) -> tf.Tensor:
    """Return W. Kahan's square root (1987): t = sqrt((abs(x) + abs(z)) / 2) is one part, y / 2t the other."""
    return _sqrt_of_long(z) if is_long(z) else in_complex128(_sqrt_in_complex128, z)


def _sqrt_of_long(z: tf.Tensor) -> tf.Tensor:
    """Return the square root of long arrays. In eager mode TensorFlow's kernel is right, but for zeros and
    where squares overflow or underflow.
    """
    greater, usual = ops.maximum(*map(ops.absolute, parts(z))), in_complex128(ops.sqrt, z)
    lowest, highest = (TINY, HUGE) if z.dtype == tf.complex128 else (2.0**-126, 2.0**127)
    if lies_within(greater, lowest, highest):
        return usual
    lowest, highest = ops.scalar(lowest, greater), ops.scalar(highest, greater)
    inside = ops.logical_and(ops.greater_equal(greater, lowest), ops.less_equal(greater, highest))
    return replace_few(usual, ops.logical_not(inside), lambda few: in_complex128(_sqrt_in_complex128, few), z)


def _sqrt_in_complex128(z: tf.Tensor) -> tf.Tensor:
    x, y = parts(z)
    zero, half, one = ops.scalar(0, x), ops.scalar(0.5, x), ops.scalar(1, x)
    size = ops.absolute(y)
    a, b, root_of_scale = _scale_down_or_up(ops.absolute(x), size)
    length = ops.sqrt(ops.add(ops.square(a), ops.square(b)))
    t = ops.divide(ops.sqrt(ops.multiply(half, ops.add(a, length))), root_of_scale)
    u = ops.divide(size, ops.select(ops.equal(t, zero), one, ops.add(t, t)))
    right = ops.greater_equal(x, zero)
    real, imag = ops.select(right, t, u), copy_sign(ops.select(right, u, t), y)
    return replace_rare(join(real, imag), _is_not_finite(x, y), lambda: _find_sqrt_at_infinity(x, y))


def _scale_down_or_up(a: tf.Tensor, b: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return two magnitudes scaled by a power of 4, so that no square overflows or underflows, and the root of that
    power.
    """
    scale = root = ops.scalar(1, a)
    greater = ops.maximum(a, b)
    huge, tiny = ops.greater(greater, ops.scalar(HUGE, a)), ops.less(greater, ops.scalar(TINY, a))
    scale = replace_rare(scale, huge, lambda: ops.scalar(DOWN, a))
    root = replace_rare(root, huge, lambda: ops.scalar(DOWN**0.5, a))
    scale = replace_rare(scale, tiny, lambda: ops.scalar(UP, a))
    root = replace_rare(root, tiny, lambda: ops.scalar(UP**0.5, a))
    return ops.multiply(a, scale), ops.multiply(b, scale), root


def copy_sign(size: tf.Tensor, sign: tf.Tensor) -> tf.Tensor:
    """Return a non-negative number with the sign bit of `sign`."""
    bits = tf.int64 if size.dtype == tf.float64 else tf.int32
    flag = ops.bitwise_and(ops.bitcast(sign, bits), ops.scalar(bits.min, bits))
    return ops.bitcast(ops.bitwise_or(ops.bitcast(size, bits), flag), size.dtype)


def _is_not_finite(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return ops.logical_not(ops.logical_and(ops.is_finite(x), ops.is_finite(y)))


def _find_sqrt_at_infinity(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the square root where a part is infinite or nan."""
    zero, nan = ops.scalar(0, x), ops.scalar(float("nan"), x)
    infinity = ops.absolute(x)
    unknown = ops.is_nan(y)
    right = ops.greater(x, zero)
    real = ops.select(right, infinity, ops.select(unknown, nan, zero))
    imag = ops.select(right, ops.select(unknown, nan, copy_sign(zero, y)), copy_sign(infinity, y))
    along = ops.is_inf(x)
    high = ops.is_inf(y)
    return join(
        ops.select(high, ops.absolute(y), ops.select(along, real, nan)),
        ops.select(high, y, ops.select(along, imag, nan)),
    )
