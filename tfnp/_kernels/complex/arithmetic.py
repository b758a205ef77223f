"""Arithmetic of complex numbers as NumPy does it, special values included.

TensorFlow's own depends on the mode and, in eager, on the size: for one element C's rules hold (Annex G, which restores
infinities that the textbook formula makes nan), for many the textbook formula, and XLA fuses a product with the sum it
goes into, which then neither overflows nor rounds. NumPy uses the textbook formula.

What cannot be reproduced: where the two products of a multiplication cancel, what is left is rounding, and NumPy's
differs with the processor. Compare such results against their modulus.
"""

from __future__ import annotations

import numpy as np
import tensorflow as tf
from tensorflow import raw_ops as _raw

from tfnp._core import ops
from tfnp._core.xla import is_for_xla
from tfnp._kernels.gradients import differentiable, sum_to_shape
from tfnp._kernels.real.binary import arctan2, hypot
from tfnp._kernels.select_rare import replace_rare

Parts = tuple[tf.Tensor, tf.Tensor]

_absolute = _raw.ComplexAbs.__wrapped__
_complex = _raw.Complex.__wrapped__
_conjugate = _raw.Conj.__wrapped__
_imag = _raw.Imag.__wrapped__
_real = _raw.Real.__wrapped__


def parts(z: tf.Tensor) -> Parts:
    dtype = z.dtype.real_dtype
    return _real(z, dtype), _imag(z, dtype)


def join(real: tf.Tensor, imag: tf.Tensor) -> tf.Tensor:
    return _complex(real, imag, tf.complex64 if real.dtype == tf.float32 else tf.complex128)


def are_finite(*tensors: tf.Tensor) -> bool:
    """Whether all elements are known to be finite, which in a graph they never are."""
    return ops.executing_eagerly() and all(_is_finite(tensor) for tensor in tensors)


def _is_finite(tensor: tf.Tensor) -> bool:
    return bool(np.isfinite(tensor.numpy()).all())


def round_to(product: tf.Tensor) -> tf.Tensor:
    """A product that XLA cannot fuse with the sum it goes into, since a selection comes between."""
    if not is_for_xla():
        return product
    return ops.select(ops.is_finite(product), product, ops.add(product, product))


def add(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """A graph makes 2 z of z + z, and loses signs of zeros, and infinities, to the zero beside the 2."""
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


def absolute(z: tf.Tensor) -> tf.Tensor:
    """Infinite where a part is, even where the other is nan, which XLA makes nan."""
    return _absolute(z, z.dtype.real_dtype) if ops.executing_eagerly() else hypot(*parts(z))


def angle(z: tf.Tensor) -> tf.Tensor:
    real, imag = parts(z)
    return arctan2(imag, real)


def sign(z: tf.Tensor) -> tf.Tensor:
    """NumPy's: z / abs(z), of an infinite part its sign, of two infinite parts nan, of zero zero. Where the modulus
    overflows though the parts do not, as NumPy has it, the sign of the imaginary part alone.
    """
    real, imag = parts(z)
    length = absolute(z)
    empty = ops.equal(length, ops.scalar(0, length))
    divisor = ops.select(empty, ops.scalar(1, length), length)
    usual = join(ops.divide(real, divisor), ops.divide(imag, divisor))
    usual = replace_rare(usual, empty, lambda: ops.scalar(0, z))
    return replace_rare(usual, ops.logical_not(ops.is_finite(length)), lambda: _sign_at_infinity(real, imag, length))


def _sign_at_infinity(real: tf.Tensor, imag: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    zero, nan = ops.scalar(0, real), ops.scalar(float("nan"), real)
    upcast, high = ops.is_inf(real), ops.is_inf(imag)
    unknown = ops.logical_or(ops.logical_and(upcast, high), ops.is_nan(length))
    return join(
        ops.select(unknown, nan, ops.select(upcast, ops.sign(real), zero)),
        ops.select(unknown, nan, ops.select(upcast, zero, ops.sign(imag))),
    )


def multiply(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """The textbook formula, the first product of each sum exact, as NumPy has it on processors that fuse."""
    if ops.executing_eagerly():
        usual = ops.multiply(x, y)
        if are_finite(usual):
            return usual
    (a, b), (c, d) = parts(x), parts(y)
    real = _fuse(a, c, ops.negative(round_to(ops.multiply(b, d))))
    return join(real, _fuse(a, d, round_to(ops.multiply(b, c))))


def _fuse(x: tf.Tensor, y: tf.Tensor, z: tf.Tensor) -> tf.Tensor:
    """A product and a sum, infinite or not as if only the sum were rounded."""
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


def _divide_gradient(upstream: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    share = divide(upstream, _conjugate(y))
    return sum_to_shape(share, x, y), sum_to_shape(ops.negative(multiply(share, _conjugate(divide(x, y)))), y, x)


@differentiable(_divide_gradient)
def divide(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """R. L. Smith's algorithm (Algorithm 116: Complex division, CACM 5, 1962), as NumPy has it: a quotient by zero is
    that of each part by zero, one by a number whose parts are both near the greatest float is zero. Only the divisor is
    written as a product, since the lesser part times the ratio may be subnormal, which TensorFlow makes zero.
    """
    a, b, c, d = _enlarged(*parts(x), *parts(y))
    upcast = ops.greater_equal(ops.absolute(c), ops.absolute(d))
    greater, lesser = ops.select(upcast, c, d), ops.select(upcast, d, c)
    first, second = ops.select(upcast, a, b), ops.select(upcast, b, a)
    ratio = _ratio_beside_infinity(x, lesser, greater)
    divisor = ops.multiply(greater, ops.add(ops.scalar(1, ratio), ops.square(ratio)))
    real = ops.divide(ops.add(first, round_to(ops.multiply(second, ratio))), divisor)
    turned = round_to(ops.multiply(first, ratio))
    imag = ops.divide(ops.select(upcast, ops.subtract(second, turned), ops.subtract(turned, second)), divisor)
    zero = ops.scalar(0, greater)
    by_zero = ops.logical_and(upcast, ops.equal(greater, zero))
    return replace_rare(join(real, imag), by_zero, lambda: join(ops.divide(a, zero), ops.divide(b, zero)))


def _enlarged(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, d: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The parts of dividend and divisor times a power of 2 where both are so small that products might vanish."""
    width, lowest = (60, -100) if a.dtype == tf.float32 else (600, -900)
    small = ops.less(ops.maximum(ops.absolute(c), ops.absolute(d)), ops.scalar(2.0**lowest, c))
    if ops.executing_eagerly() and not small.numpy().any():
        return a, b, c, d
    size = ops.maximum(ops.absolute(a), ops.absolute(b))
    small = ops.logical_and(small, ops.less(size, ops.scalar(2.0 ** (width // 2), size)))
    scale = ops.select(small, ops.scalar(2.0**width, size), ops.scalar(1.0, size))
    return tuple(ops.multiply(part, scale) for part in (a, b, c, d))


def _ratio_beside_infinity(x: tf.Tensor, lesser: tf.Tensor, greater: tf.Tensor) -> tf.Tensor:
    """The ratio of the divisor's parts; where it is subnormal, so vanishes, and is to be multiplied by infinity, a
    number just as small that does not, since its product with infinity is not nan.
    """
    ratio, zero = ops.divide(lesser, greater), ops.scalar(0, lesser)
    digits, below = (23, -126) if ratio.dtype == tf.float32 else (52, -1022)
    lifted = ops.divide(lesser, ops.multiply(greater, ops.scalar(2.0 ** -(digits + 1), greater)))
    subnormal = ops.greater(ops.absolute(lifted), ops.scalar(2.0**below, ratio))
    vanished = ops.logical_and(ops.logical_and(ops.equal(ratio, zero), ops.not_equal(lesser, zero)), subnormal)

    def kept() -> tf.Tensor:
        tiny = ops.scalar(2.0**-126 if ratio.dtype == tf.float32 else 2.0**-1022, ratio)
        least = ops.multiply(ops.multiply(ops.sign(lesser), ops.sign(greater)), tiny)
        return ops.select(isinf(x), least, ratio)

    return replace_rare(ratio, vanished, kept)


def reciprocal(z: tf.Tensor) -> tf.Tensor:
    """Smith's algorithm for 1 / z, as NumPy has it: of zero nan, where a quotient by zero would be infinite."""
    c, d = parts(z)
    upcast = ops.less_equal(ops.absolute(d), ops.absolute(c))
    greater, lesser = ops.select(upcast, c, d), ops.select(upcast, d, c)
    ratio = ops.divide(lesser, greater)
    divisor = ops.multiply(greater, ops.add(ops.scalar(1, ratio), ops.square(ratio)))
    one = ops.scalar(1, c)
    real = ops.divide(ops.select(upcast, one, ratio), divisor)
    return join(real, ops.divide(ops.negative(ops.select(upcast, ratio, one)), divisor))
