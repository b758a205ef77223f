"""Arithmetic of complex numbers as in NumPy, special values included.

TensorFlow's depends on the mode and, in eager mode, on the size: one element follows Annex G of ISO C, which restores
infinities where the textbook formula gives nan, many elements follow the textbook formula, and XLA fuses multiply-adds,
which then neither overflow nor round. NumPy uses the textbook formula.

Where the two products of a multiplication cancel, the result is a rounding error, and NumPy's depends on the processor.
Compare such results relative to their modulus.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.eager_tensors import is_on_host, needs_gradient
from tfnp._core.xla import is_for_xla
from tfnp._kernels.bits import calculate_by_numpy
from tfnp._kernels.gradients import differentiable, differentiable_parts, sum_to_shape
from tfnp._kernels.real.binary import arctan2, hypot
from tfnp._kernels.select_rare import is_known_false, is_long, replace_rare

Parts = tuple[tf.Tensor, tf.Tensor]


def parts(z: tf.Tensor) -> Parts:
    dtype = z.dtype.real_dtype
    return ops.real(z, dtype), ops.imag(z, dtype)


def join(real: tf.Tensor, imag: tf.Tensor) -> tf.Tensor:
    return ops.make_complex(real, imag, tf.complex64 if real.dtype == tf.float32 else tf.complex128)


def round_to(product: tf.Tensor) -> tf.Tensor:
    """Return the product, by way of a selection that keeps XLA from fusing it with an addition.

    The other branch equals the product where that is infinite or nan, and so does its gradient.
    """
    if not is_for_xla():
        return product
    return ops.select(ops.is_finite(product), product, ops.add(product, ops.stop_gradient(product)))


# Upstream bug: tensorflow-complex-double
def add(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return x + y. Grappler rewrites z + z as (2+0j) * z, which loses infinities and signs of zeros."""
    if x is y and not ops.executing_eagerly():
        real, imag = parts(x)
        return join(ops.add(real, real), ops.add(imag, imag))
    return ops.add(x, y)


def isnan(z: tf.Tensor) -> tf.Tensor:
    real, imag = parts(z)
    return ops.logical_or(ops.is_nan(real), ops.is_nan(imag))


def isinf(z: tf.Tensor) -> tf.Tensor:
    real, imag = parts(z)
    return ops.logical_or(ops.is_inf(real), ops.is_inf(imag))


def isfinite(z: tf.Tensor) -> tf.Tensor:
    real, imag = parts(z)
    return ops.logical_and(ops.is_finite(real), ops.is_finite(imag))


# Upstream bug: tensorflow-complex-abs-infinite-xla
def absolute(z: tf.Tensor) -> tf.Tensor:
    """Return the modulus: inf where a part is infinite, even if the other is nan, for which XLA returns nan.

    The gradient of TensorFlow's op is nan where a part is infinite.
    """
    return hypot(*parts(z)) if needs_gradient() else ops.complex_abs(z, z.dtype.real_dtype)


def angle(z: tf.Tensor) -> tf.Tensor:
    real, imag = parts(z)
    return arctan2(imag, real)


def sign(z: tf.Tensor) -> tf.Tensor:
    """Return z / abs(z) as NumPy does: the sign of a single infinite part, nan for two of them, zero for zero.

    Where only the modulus overflows, it is the sign of the imaginary part.
    """
    real, imag = parts(z)
    length = absolute(z)
    is_zero = ops.equal(length, ops.scalar(0, length))
    divisor = ops.select(is_zero, ops.scalar(1, length), length)
    usual = join(ops.divide(real, divisor), ops.divide(imag, divisor))
    usual = replace_rare(usual, is_zero, lambda: ops.scalar(0, z))
    return replace_rare(
        usual, ops.logical_not(ops.is_finite(length)), lambda: _find_sign_at_infinity(real, imag, length)
    )


def _find_sign_at_infinity(real: tf.Tensor, imag: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    zero, nan = ops.scalar(0, real), ops.scalar(float("nan"), real)
    is_real_inf, is_imag_inf = ops.is_inf(real), ops.is_inf(imag)
    unknown = ops.logical_or(ops.logical_and(is_real_inf, is_imag_inf), ops.is_nan(length))
    return join(
        ops.select(unknown, nan, ops.select(is_real_inf, ops.sign(real), zero)),
        ops.select(unknown, nan, ops.select(is_real_inf, zero, ops.sign(imag))),
    )


def _differentiate_multiply(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the gradient by TensorFlow's products: that of the textbook's parts takes a hundred ops in a graph."""
    slopes = ops.multiply(upstream, ops.conj(y)), ops.multiply(upstream, ops.conj(x))
    return sum_to_shape(slopes[0], x, y), sum_to_shape(slopes[1], y, x)


@differentiable(_differentiate_multiply)
def multiply(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the textbook product, with an exact first product in each sum, as NumPy's on CPUs with FMA."""
    if is_on_host(x):
        usual = ops.multiply(x, y)
        if np.isfinite(usual.numpy()).all():
            return usual
    (a, b), (c, d) = parts(x), parts(y)
    if _has_part_of_zero(x) or _has_part_of_zero(y):  # one of two products is exact, and does not overflow
        return join(
            ops.subtract(ops.multiply(a, c), ops.multiply(b, d)), ops.add(ops.multiply(a, d), ops.multiply(b, c))
        )
    real = _fuse(a, c, ops.negative(round_to(ops.multiply(b, d))))
    return join(real, _fuse(a, d, round_to(ops.multiply(b, c))))


def _has_part_of_zero(z: tf.Tensor) -> bool:
    """Return whether it is known, without waiting for it, that the real or the imaginary part is zero, as in a real
    scalar as an operand.
    """
    static = None if ops.executing_eagerly() and not is_on_host(z) else convert.static_value(z)
    return static is not None and not (np.any(np.real(static)) and np.any(np.imag(static)))


def _fuse(x: tf.Tensor, y: tf.Tensor, z: tf.Tensor) -> tf.Tensor:
    """Return x * y + z, which overflows only if the sum does."""
    usual = ops.add(ops.multiply(x, y), z)
    overflown = ops.logical_and(
        ops.is_finite(x), ops.logical_and(ops.is_finite(y), ops.logical_not(ops.is_finite(usual)))
    )

    def halved() -> tf.Tensor:
        half, two = ops.scalar(0.5, x), ops.scalar(2, x)
        sum_of_halves = ops.add(ops.multiply(ops.multiply(x, half), y), ops.multiply(z, half))
        return ops.select(ops.is_finite(z), ops.multiply(sum_of_halves, two), z)

    return replace_rare(usual, overflown, halved)


def square(z: tf.Tensor) -> tf.Tensor:
    return multiply(z, z)


def _differentiate_quotient(
    upstreams: tuple[tf.Tensor, ...], results: tuple[tf.Tensor, ...], x: tf.Tensor, y: tf.Tensor
) -> tuple[tf.Tensor, tf.Tensor]:
    slope = divide(upstreams[0], _conjugate(y))
    return sum_to_shape(slope, x, y), sum_to_shape(ops.negative(ops.multiply(slope, ops.conj(results[0]))), y, x)


def _conjugate(z: tf.Tensor) -> tf.Tensor:
    """Return the conjugate; that of a static operand is static."""
    static = None if ops.executing_eagerly() else convert.static_value(z)
    return ops.conj(z) if static is None else convert.as_constant(np.conj(static))


def divide(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the quotient by R. L. Smith's algorithm (Algorithm 116: Complex division, CACM 5, 1962), as NumPy does.

    Division by zero divides each part by zero; a divisor with two parts near the largest float makes zero. Only the
    divisor is written as a product: the lesser part times the ratio may be subnormal, which TensorFlow flushes. NumPy
    itself divides long eager arrays, in a tenth of the time of these passes.
    """
    (quotient,) = _compute_quotient(x, y)
    return quotient


@differentiable_parts(1, _differentiate_quotient)
def _compute_quotient(x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor]:
    if _is_usual_real(y):
        return (_divide_by_real(x, y),)
    if is_long(x) and is_on_host(y):
        return calculate_by_numpy(np.divide, x, y)
    a, b, c, d = _scale_up(*parts(x), *parts(y))
    is_real_greater = ops.greater_equal(ops.absolute(c), ops.absolute(d))
    greater, lesser = ops.select(is_real_greater, c, d), ops.select(is_real_greater, d, c)
    first, second = ops.select(is_real_greater, a, b), ops.select(is_real_greater, b, a)
    ratio = _find_ratio_beside_infinity(x, lesser, greater)
    divisor = ops.multiply(greater, ops.add(ops.scalar(1, ratio), ops.square(ratio)))
    real = ops.divide(ops.add(first, round_to(ops.multiply(second, ratio))), divisor)
    cross = round_to(ops.multiply(first, ratio))
    imag = ops.divide(ops.select(is_real_greater, ops.subtract(second, cross), ops.subtract(cross, second)), divisor)
    zero = ops.scalar(0, greater)
    by_zero = ops.logical_and(is_real_greater, ops.equal(greater, zero))
    return (replace_rare(join(real, imag), by_zero, lambda: join(ops.divide(a, zero), ops.divide(b, zero))),)


def _is_usual_real(y: tf.Tensor) -> bool:
    """Return whether a graph knows that the divisor is real and neither zero nor nearly so."""
    static = None if ops.executing_eagerly() else convert.static_value(y)
    return static is not None and not np.any(np.imag(static)) and bool(np.all(np.abs(static) >= _USUAL))


_USUAL: Final = 2.0**-100


def _divide_by_real(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return what is left of Smith's algorithm, in which the ratio is a zero."""
    (a, b), (c, d) = parts(x), parts(y)
    ratio = ops.divide(d, c)
    real, imag = ops.add(a, ops.multiply(b, ratio)), ops.subtract(b, ops.multiply(a, ratio))
    return join(ops.divide(real, c), ops.divide(imag, c))


def _scale_up(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, d: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return dividend and divisor, scaled by a power of 2 where both are so small that products may underflow."""
    width, lowest = (60, -100) if a.dtype == tf.float32 else (600, -900)
    small = ops.less(ops.maximum(ops.absolute(c), ops.absolute(d)), ops.scalar(2.0**lowest, c))
    if is_known_false(small):
        return a, b, c, d
    size = ops.maximum(ops.absolute(a), ops.absolute(b))
    small = ops.logical_and(small, ops.less(size, ops.scalar(2.0 ** (width // 2), size)))
    scale = ops.select(small, ops.scalar(2.0**width, size), ops.scalar(1.0, size))
    return tuple(ops.multiply(part, scale) for part in (a, b, c, d))


def _find_ratio_beside_infinity(x: tf.Tensor, lesser: tf.Tensor, greater: tf.Tensor) -> tf.Tensor:
    """Return the ratio of the divisor's parts.

    Where it is subnormal, and would be flushed to zero, it is the smallest normal float if the dividend is infinite:
    otherwise their product would be nan.
    """
    ratio, zero = ops.divide(lesser, greater), ops.scalar(0, lesser)
    digits, below = (23, -126) if ratio.dtype == tf.float32 else (52, -1022)
    lifted = ops.divide(lesser, ops.multiply(greater, ops.scalar(2.0 ** -(digits + 1), greater)))
    subnormal = ops.greater(ops.absolute(lifted), ops.scalar(2.0**below, ratio))
    vanished = ops.logical_and(ops.logical_and(ops.equal(ratio, zero), ops.not_equal(lesser, zero)), subnormal)

    def use_smallest() -> tf.Tensor:
        tiny = ops.scalar(2.0**-126 if ratio.dtype == tf.float32 else 2.0**-1022, ratio)
        least = ops.multiply(ops.multiply(ops.sign(lesser), ops.sign(greater)), tiny)
        return ops.select(isinf(x), least, ratio)

    return replace_rare(ratio, vanished, use_smallest)


def reciprocal(z: tf.Tensor) -> tf.Tensor:
    """Return 1 / z by Smith's algorithm, as NumPy does: nan for zero."""
    c, d = parts(z)
    is_real_greater = ops.less_equal(ops.absolute(d), ops.absolute(c))
    greater, lesser = ops.select(is_real_greater, c, d), ops.select(is_real_greater, d, c)
    ratio = ops.divide(lesser, greater)
    divisor = ops.multiply(greater, ops.add(ops.scalar(1, ratio), ops.square(ratio)))
    one = ops.scalar(1, c)
    real = ops.divide(ops.select(is_real_greater, one, ratio), divisor)
    return join(real, ops.divide(ops.negative(ops.select(is_real_greater, ratio, one)), divisor))
