"""Trigonometric and hyperbolic functions of complex numbers, and their inverses.

In eager mode TensorFlow calls the same C library as NumPy, and is right. XLA's inverses are right in the first quadrant
for finite values, but wrong on branch cuts, at signed zeros, infinities and nans; its direct functions are inaccurate.
In graphs, which may be compiled later, the direct functions are therefore formulas of real functions, in complex128,
and the inverses are reflections of those in the first quadrant. Special values are those of ISO C, Annex G.6.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import ops
from tfnp._kernels.complex.arithmetic import Parts, join, multiply, parts, reciprocal, square
from tfnp._kernels.complex.exponentials import copy_sign, in_complex128, sqrt
from tfnp._kernels.gradients import derivative
from tfnp._kernels.real.transcendental import LN2
from tfnp._kernels.real.transcendental import cosh as _real_cosh
from tfnp._kernels.real.transcendental import sinh as _real_sinh

Kernel = Callable[[tf.Tensor], tf.Tensor]

LARGE: Final = 700.0  # cosh(700) is finite in float64; exp of the excess is a second factor
CLOSE: Final = 2.0**-60
FLAT: Final = 20.0  # above it, tanh is 1 in float64


# Upstream bugs: tensorflow-complex-sin-large-xla, tensorflow-complex-sin-small-xla
def sin(z: tf.Tensor) -> tf.Tensor:
    return ops.sin(z) if ops.executing_eagerly() else _sin_in_graph(z)


# Upstream bug: tensorflow-complex-sin-large-xla
def cos(z: tf.Tensor) -> tf.Tensor:
    return ops.cos(z) if ops.executing_eagerly() else _cos_in_graph(z)


def tan(z: tf.Tensor) -> tf.Tensor:
    return ops.tan(z) if ops.executing_eagerly() else _tan_in_graph(z)


def sinh(z: tf.Tensor) -> tf.Tensor:
    return ops.sinh(z) if ops.executing_eagerly() else _sinh_in_graph(z)


def cosh(z: tf.Tensor) -> tf.Tensor:
    return ops.cosh(z) if ops.executing_eagerly() else _cosh_in_graph(z)


def tanh(z: tf.Tensor) -> tf.Tensor:
    return ops.tanh(z) if ops.executing_eagerly() else _tanh_in_graph(z)


def _root_of_one_minus_square(z: tf.Tensor) -> tf.Tensor:
    """Return sqrt(1 - z) sqrt(1 + z), whose branch cuts are those of arcsin: a square has lost the sign of zero."""
    x, y = parts(z)
    one = ops.scalar(1, x)
    return multiply(sqrt(join(ops.subtract(one, x), ops.negative(y))), sqrt(join(ops.add(one, x), y)))


def _root_of_one_plus_square(z: tf.Tensor) -> tf.Tensor:
    x, y = parts(z)
    return _root_of_one_minus_square(join(ops.negative(y), x))


@derivative(lambda z: reciprocal(_root_of_one_minus_square(z)))
def arcsin(z: tf.Tensor) -> tf.Tensor:
    return ops.asin(z) if ops.executing_eagerly() else _arcsin_in_graph(z)


@derivative(lambda z: ops.negative(reciprocal(_root_of_one_minus_square(z))))
def arccos(z: tf.Tensor) -> tf.Tensor:
    return ops.acos(z) if ops.executing_eagerly() else _arccos_in_graph(z)


def arctan(z: tf.Tensor) -> tf.Tensor:
    return ops.atan(z) if ops.executing_eagerly() else _arctan_in_graph(z)


@derivative(lambda z: reciprocal(_root_of_one_plus_square(z)))
def arcsinh(z: tf.Tensor) -> tf.Tensor:
    return ops.asinh(z) if ops.executing_eagerly() else _arcsinh_in_graph(z)


def arccosh(z: tf.Tensor) -> tf.Tensor:
    return ops.acosh(z) if ops.executing_eagerly() else _arccosh_in_graph(z)


def arctanh(z: tf.Tensor) -> tf.Tensor:
    return ops.atanh(z) if ops.executing_eagerly() else _arctanh_in_graph(z)


def _apply_rotated(kernel: Callable[[tf.Tensor, tf.Tensor], Parts], z: tf.Tensor) -> tf.Tensor:
    """Return -i f(iz). For an odd f this is f(y + ix) with its parts exchanged: sin from sinh, tan from tanh, ..."""
    x, y = parts(z)
    real, imag = kernel(y, x)
    return join(imag, real)


def _apply_to_parts(kernel: Callable[[tf.Tensor, tf.Tensor], Parts], z: tf.Tensor) -> tf.Tensor:
    return join(*kernel(*parts(z)))


@derivative(cos)
def _sin_in_graph(z: tf.Tensor) -> tf.Tensor:
    return in_complex128(lambda upcast: _apply_rotated(_sinh_of_parts, upcast), z)


@derivative(lambda z: ops.negative(sin(z)))
def _cos_in_graph(z: tf.Tensor) -> tf.Tensor:
    def rotate(upcast: tf.Tensor) -> tf.Tensor:
        x, y = parts(upcast)
        return join(*_cosh_of_parts(ops.negative(y), x))

    return in_complex128(rotate, z)


@derivative(cosh)
def _sinh_in_graph(z: tf.Tensor) -> tf.Tensor:
    return in_complex128(lambda upcast: _apply_to_parts(_sinh_of_parts, upcast), z)


@derivative(sinh)
def _cosh_in_graph(z: tf.Tensor) -> tf.Tensor:
    return in_complex128(lambda upcast: _apply_to_parts(_cosh_of_parts, upcast), z)


@derivative(lambda z: ops.add(ops.scalar(1, z), square(tan(z))))
def _tan_in_graph(z: tf.Tensor) -> tf.Tensor:
    return in_complex128(lambda upcast: _apply_rotated(_tanh_of_parts, upcast), z)


@derivative(lambda z: ops.subtract(ops.scalar(1, z), square(tanh(z))))
def _tanh_in_graph(z: tf.Tensor) -> tf.Tensor:
    return in_complex128(lambda upcast: _apply_to_parts(_tanh_of_parts, upcast), z)


def _cosh_and_sinh(x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return both functions of x, limited to a finite range, and the factor for larger x."""
    limit, size = ops.scalar(LARGE, x), ops.absolute(x)
    large = ops.greater(size, limit)
    excess = ops.select(large, ops.subtract(size, limit), ops.scalar(0, x))
    within = ops.select(large, copy_sign(limit, x), x)
    return _real_cosh(within), _real_sinh(within), ops.exp(excess)


def _sinh_of_parts(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return sinh(x) cos(y) and cosh(x) sin(y): Abramowitz and Stegun, 4.5.49."""
    even, odd, more = _cosh_and_sinh(x)
    real = ops.multiply(ops.multiply(odd, ops.cos(y)), more)
    imag = ops.multiply(ops.multiply(even, ops.sin(y)), more)
    zero = ops.scalar(0, x)
    is_not_finite = ops.logical_not(ops.is_finite(y))
    fixed = ops.logical_and(is_not_finite, ops.logical_or(ops.is_inf(x), ops.equal(x, zero)))
    at_edge = ops.select(ops.is_inf(x), ops.absolute(x), x)
    return ops.select(fixed, at_edge, real), ops.select(ops.equal(y, zero), y, imag)


def _cosh_of_parts(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return cosh(x) cos(y) and sinh(x) sin(y): Abramowitz and Stegun, 4.5.50."""
    even, odd, more = _cosh_and_sinh(x)
    real = ops.multiply(ops.multiply(even, ops.cos(y)), more)
    imag = ops.multiply(ops.multiply(odd, ops.sin(y)), more)
    zero = ops.scalar(0, x)
    is_not_finite = ops.logical_not(ops.is_finite(y))
    real = ops.select(ops.logical_and(is_not_finite, ops.is_inf(x)), ops.absolute(x), real)
    upright = ops.equal(x, zero)
    on_axis = ops.logical_or(upright, ops.equal(y, zero))
    at_edge = ops.select(upright, zero, ops.select(ops.is_nan(x), y, _make_signed_zero(x, y)))
    return real, ops.select(ops.logical_and(on_axis, ops.is_nan(imag)), at_edge, imag)


def _make_signed_zero(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return a zero with the sign of x * y."""
    return ops.multiply(copy_sign(ops.scalar(1, x), x), copy_sign(ops.scalar(0, y), y))


def _tanh_of_parts(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return the parts of (sinh(x) cosh(x) + i sin(y) cos(y)) / (sinh(x)**2 + cos(y)**2).

    From Abramowitz and Stegun, 4.5.51. Where the real part is 1, the imaginary part is 4 sin(y) cos(y) exp(-2 abs(x)):
    W. Kahan ("Branch cuts", 1987).
    """
    zero, one, size = ops.scalar(0, x), ops.scalar(1, x), ops.absolute(x)
    flat = ops.greater(size, ops.scalar(FLAT, x))
    within = ops.select(flat, zero, x)
    sine, cosine, odd = ops.sin(y), ops.cos(y), _real_sinh(within)
    rise = ops.multiply(sine, cosine)
    below = ops.add(ops.square(odd), ops.square(cosine))
    real = ops.select(flat, copy_sign(one, x), ops.divide(ops.multiply(odd, _real_cosh(within)), below))
    fall = ops.exp(ops.multiply(ops.scalar(-2, x), ops.select(flat, size, one)))
    far = ops.multiply(ops.multiply(ops.scalar(4, x), rise), fall)
    imag = ops.select(flat, far, ops.divide(rise, below))
    is_not_finite = ops.logical_not(ops.is_finite(y))
    at_edge = ops.select(ops.equal(x, zero), x, ops.select(ops.is_inf(x), real, ops.scalar(np.nan, x)))
    real = ops.select(is_not_finite, at_edge, real)
    imag = ops.select(ops.logical_and(is_not_finite, ops.is_inf(x)), copy_sign(zero, y), imag)
    return real, ops.select(ops.equal(y, zero), y, imag)


def _subtract_square_from_1(z: tf.Tensor) -> tf.Tensor:
    one = ops.scalar(1, z)
    return multiply(ops.subtract(one, z), ops.add(one, z))


def _add_square_to_1(z: tf.Tensor) -> tf.Tensor:
    return ops.add(ops.scalar(1, z), square(z))


def _arcsin_in_graph(z: tf.Tensor) -> tf.Tensor:
    return _apply_rotated(_arcsinh_of_parts, z)


def _arccos_in_graph(z: tf.Tensor) -> tf.Tensor:
    return join(*_arccos_of_parts(*parts(z)))


@derivative(lambda z: reciprocal(_add_square_to_1(z)))
def _arctan_in_graph(z: tf.Tensor) -> tf.Tensor:
    return _apply_rotated(_arctanh_of_parts, z)


def _arcsinh_in_graph(z: tf.Tensor) -> tf.Tensor:
    return _apply_to_parts(_arcsinh_of_parts, z)


def _differentiate_arccosh(z: tf.Tensor) -> tf.Tensor:
    one = ops.scalar(1, z)
    return reciprocal(multiply(sqrt(ops.subtract(z, one)), sqrt(ops.add(z, one))))


@derivative(_differentiate_arccosh)
def _arccosh_in_graph(z: tf.Tensor) -> tf.Tensor:
    """Return arccos times i or -i, in the right half-plane."""
    x, y = parts(z)
    real, imag = _arccos_of_parts(x, y)
    unknown = ops.logical_and(ops.is_nan(y), ops.equal(x, ops.scalar(0, x)))
    return join(ops.absolute(imag), ops.select(unknown, real, copy_sign(real, y)))


@derivative(lambda z: reciprocal(_subtract_square_from_1(z)))
def _arctanh_in_graph(z: tf.Tensor) -> tf.Tensor:
    return _apply_to_parts(_arctanh_of_parts, z)


def _apply_in_first_quadrant(kernel: Kernel, x: tf.Tensor, y: tf.Tensor) -> tuple[Parts, tf.Tensor]:
    """Return the kernel's result for the absolute values of the parts, and a mask of elements with a part that is not
    finite.
    """
    is_not_finite = ops.logical_not(ops.logical_and(ops.is_finite(x), ops.is_finite(y)))
    one = ops.scalar(1, x)
    a, b = ops.select(is_not_finite, one, ops.absolute(x)), ops.select(is_not_finite, one, ops.absolute(y))
    return parts(kernel(join(a, b))), is_not_finite


def _is_near_branch_point(along: tf.Tensor, across: tf.Tensor) -> tf.Tensor:
    """Return a mask of the elements for which XLA squares a distance that underflows, although its root or logarithm
    does not.
    """
    is_at_one = ops.equal(ops.absolute(along), ops.scalar(1, along))
    return ops.logical_and(is_at_one, ops.less(ops.absolute(across), ops.scalar(CLOSE, across)))


def _arcsinh_of_parts(x: tf.Tensor, y: tf.Tensor) -> Parts:
    (real, imag), is_not_finite = _apply_in_first_quadrant(ops.asinh, x, y)
    real = ops.select(_is_near_branch_point(y, x), ops.sqrt(ops.absolute(x)), real)
    real_at_infinity, imag_at_infinity = _arcsinh_at_infinity(x, y)
    real = ops.select(is_not_finite, real_at_infinity, real)
    return copy_sign(real, x), copy_sign(ops.select(is_not_finite, imag_at_infinity, imag), y)


def _arcsinh_at_infinity(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return the absolute values of ISO C, Annex G.6.2.2."""
    nan, zero, infinity = ops.scalar(np.nan, x), ops.scalar(0, x), ops.scalar(np.inf, x)
    is_real_inf, is_imag_inf = ops.is_inf(x), ops.is_inf(y)
    real = ops.select(ops.logical_or(is_real_inf, is_imag_inf), infinity, nan)
    steep = ops.select(is_real_inf, ops.scalar(np.pi / 4, x), ops.scalar(np.pi / 2, x))
    steep = ops.select(ops.is_nan(x), nan, steep)
    level = ops.select(ops.logical_and(is_real_inf, ops.is_finite(y)), zero, nan)
    level = ops.select(ops.logical_and(ops.is_nan(x), ops.equal(y, zero)), zero, level)
    return real, ops.select(is_imag_inf, steep, level)


def _arccos_of_parts(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return the value in the first quadrant, or pi minus its real part in the second."""
    (real, imag), is_not_finite = _apply_in_first_quadrant(ops.acos, x, y)
    left = ops.less(x, ops.scalar(0, x))
    real = ops.select(left, ops.subtract(ops.scalar(np.pi, x), real), real)
    imag = ops.select(_is_near_branch_point(x, y), ops.sqrt(ops.absolute(y)), imag)
    real_at_infinity, size_at_infinity = _arccos_at_infinity(x, y)
    size = ops.select(is_not_finite, size_at_infinity, ops.absolute(imag))
    return ops.select(is_not_finite, real_at_infinity, real), ops.negative(copy_sign(size, y))


def _arccos_at_infinity(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return the values of ISO C, Annex G.6.1.1, without the signs of imaginary parts."""
    nan, zero, infinity = ops.scalar(np.nan, x), ops.scalar(0, x), ops.scalar(np.inf, x)
    is_real_inf, is_imag_inf = ops.is_inf(x), ops.is_inf(y)
    left = ops.less(x, zero)
    diagonal = ops.select(left, ops.scalar(3 * np.pi / 4, x), ops.scalar(np.pi / 4, x))
    steep = ops.select(ops.is_nan(x), nan, ops.select(is_real_inf, diagonal, ops.scalar(np.pi / 2, x)))
    along = ops.select(left, ops.scalar(np.pi, x), zero)
    level = ops.select(ops.logical_and(is_real_inf, ops.is_finite(y)), along, nan)
    level = ops.select(ops.equal(x, zero), ops.scalar(np.pi / 2, x), level)
    return ops.select(is_imag_inf, steep, level), ops.select(ops.logical_or(is_real_inf, is_imag_inf), infinity, nan)


def _arctanh_of_parts(x: tf.Tensor, y: tf.Tensor) -> Parts:
    (real, imag), is_not_finite = _apply_in_first_quadrant(ops.atanh, x, y)
    half = ops.scalar(0.5, x)
    pole = ops.multiply(half, ops.subtract(ops.scalar(LN2, x), ops.log(ops.absolute(y))))
    real = ops.select(_is_near_branch_point(x, y), pole, real)
    real_at_infinity, imag_at_infinity = _arctanh_at_infinity(x, y)
    real = ops.select(is_not_finite, real_at_infinity, real)
    return copy_sign(real, x), copy_sign(ops.select(is_not_finite, imag_at_infinity, imag), y)


def _arctanh_at_infinity(x: tf.Tensor, y: tf.Tensor) -> Parts:
    """Return the absolute values of ISO C, Annex G.6.2.3."""
    nan, zero, quarter = ops.scalar(np.nan, x), ops.scalar(0, x), ops.scalar(np.pi / 2, x)
    is_real_inf, is_imag_inf = ops.is_inf(x), ops.is_inf(y)
    vanishing = ops.logical_or(ops.logical_or(is_real_inf, is_imag_inf), ops.equal(x, zero))
    real = ops.select(vanishing, zero, nan)
    is_quarter = ops.logical_or(is_imag_inf, ops.logical_and(is_real_inf, ops.is_finite(y)))
    return real, ops.select(is_quarter, quarter, nan)
