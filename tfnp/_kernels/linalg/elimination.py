"""Gaussian elimination: solutions, inverses and determinants of stacks of square matrices in double precision.

TensorFlow's kernels are used where there are any and all elements are finite. They raise for pivots that are nan, and
XLA has none for determinants and complex numbers: there, elimination is done here, by column, with LAPACK's pivots.
The gradient of a solution is a solution; that of a determinant is the adjugate, which singular matrices have, too. No
gradient here is that of a tape: forward mode finds no derivative through a tape inside of a gradient.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.layout import adjoint
from tfnp._core.xla import is_for_xla
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.gradients import differentiable, differentiable_parts
from tfnp._kernels.linalg.checks import assert_valid, is_finite_each
from tfnp._kernels.linalg.singular_values import reduced_parts

SMALL_PIVOT: Final = 2.0**-100  # in place of zero: less than a rounding error, with an inverse that does not overflow
SINGULAR: Final = "Singular matrix"
Parts = tuple[tf.Tensor, ...]


def identity_like(a: tf.Tensor) -> tf.Tensor:
    """Return an identity matrix for each matrix of a stack."""
    shape = shapes.shape(a)
    return shapes.broadcast_to(tf.eye(shape[-1], dtype=a.dtype), shape)


# Equations


def _differentiate_solution(upstream: tf.Tensor, a: tf.Tensor, b: tf.Tensor) -> Parts:
    slope = solve(adjoint(a), upstream)
    return tf.negative(tf.matmul(slope, solve(a, b), adjoint_b=True)), slope


@differentiable(_differentiate_solution)
def solve(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """Return the solution of `a @ x == b`, for equal batch shapes. A singular matrix raises LinAlgError; under XLA the
    solution is nan.
    """
    if _is_empty(b):
        return tf.zeros_like(b)
    if is_for_xla():
        return _eliminate(a, b)[0]
    if not tf.executing_eagerly():
        is_valid = tf.reduce_all(is_finite_each(a))
        return tf.cond(
            is_valid, lambda: ops.matrix_solve(a, b, False), lambda: assert_valid(*_eliminate(a, b), SINGULAR)
        )
    try:
        return ops.matrix_solve(a, b, False)
    except tf.errors.InvalidArgumentError:
        return assert_valid(*_eliminate(a, b), SINGULAR)


def _differentiate_inverse(upstream: tf.Tensor, a: tf.Tensor) -> Parts:
    inverse = invert(a)
    return (tf.negative(tf.matmul(inverse, tf.matmul(upstream, inverse, adjoint_b=True), adjoint_a=True)),)


@differentiable(_differentiate_inverse)
def invert(a: tf.Tensor) -> tf.Tensor:
    """Return the inverse, nan for singular matrices."""
    identity = identity_like(a)
    return identity if _is_empty(a) else _eliminate(a, identity)[0]


def _is_empty(a: tf.Tensor) -> bool:
    return a.shape.num_elements() == 0


def _eliminate(a: tf.Tensor, b: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the solution, nan for singular matrices, and whether no matrix is singular."""
    rows, columns = shapes.shape(b)[-2:]
    factors, order, _ = decompose_lu(_to_3d(a, rows, rows))
    pivots = tf.linalg.diag_part(factors)
    x = _substitute(factors, pivots, tf.gather(_to_3d(b, rows, columns), order, batch_dims=1))
    is_valid = tf.reduce_all(tf.not_equal(pivots, tf.zeros((), a.dtype)), -1)
    x = tf.where(is_valid[:, None, None], x, convert.cast(tf.constant(np.nan, tf.float64), a.dtype))
    return tf.reshape(x, shapes.shape_tensor(shapes.shape(b))), tf.reduce_all(is_valid)


def _substitute(factors: tf.Tensor, pivots: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """Return the solution, given L and U in one matrix, the diagonal of U, and the permuted right-hand sides."""
    unit = tf.ones_like(pivots)
    lower = tf.linalg.set_diag(tf.linalg.band_part(factors, -1, 0), unit)
    upper = tf.linalg.set_diag(tf.linalg.band_part(factors / pivots[..., None], 0, -1), unit)
    x = ops.matrix_triangular_solve(lower, b, True, False)
    return ops.matrix_triangular_solve(upper, x / pivots[..., None], False, False)


def _to_3d(a: tf.Tensor, rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    batch = layout.product(shapes.shape(a)[:-2])
    return tf.reshape(a, shapes.shape_tensor((batch, rows, columns)))


def decompose_lu(a: tf.Tensor) -> Parts:
    """Return L (without its diagonal of ones) and U in one matrix, the row permutation, and its sign.

    For a 3-D stack of matrices, by partial pivoting. The size of a complex number is |re| + |im|, as in LAPACK.
    """
    count, dim = shapes.shape(a)[:2]
    indices = tf.range(dim)
    order = shapes.broadcast_to(indices[None], (count, dim))
    parity = tf.ones(shapes.shape_tensor((count,)), tf.float64)

    def step(k: tf.Tensor, a: tf.Tensor, order: tf.Tensor, parity: tf.Tensor) -> Parts:
        below = indices > k
        weight = _measure(tf.gather(a, k, axis=2))
        # As in LAPACK nothing is larger than nan on the diagonal, and nan is not larger than anything.
        infinity, skipped = tf.constant(np.inf, tf.float64), tf.constant(-1.0, tf.float64)
        weight = tf.where(tf.math.is_nan(weight), tf.where(tf.equal(indices, k), infinity, skipped), weight)
        weight = tf.where(below | tf.equal(indices, k), weight, -1.0)
        pivot = tf.argmax(weight, 1, output_type=tf.int32)[:, None]
        swapped = tf.where(tf.equal(indices, k), pivot, tf.where(tf.equal(indices, pivot), k, indices))
        a, order = tf.gather(a, swapped, batch_dims=1), tf.gather(order, swapped, batch_dims=1)
        parity = tf.where(tf.equal(pivot[:, 0], k), parity, -parity)
        row, column = tf.gather(a, k, axis=1), tf.gather(a, k, axis=2)
        head = tf.gather(row, k, axis=1)[:, None]
        head = tf.where(tf.equal(head, tf.zeros((), a.dtype)), tf.ones((), a.dtype), head)
        factor = tf.where(below, column / head, tf.zeros((), a.dtype))
        remaining = a - factor[:, :, None] * tf.where(below, row, tf.zeros((), a.dtype))[:, None, :]
        a = tf.where(below[:, None] & tf.equal(indices, k), factor[:, :, None], remaining)
        return k + 1, a, order, parity

    start = (tf.constant(0), a, order, parity)
    limit = dim if isinstance(dim, int) else None
    return tuple(tf.while_loop(lambda k, *_: k < dim, step, start, maximum_iterations=limit)[1:])


def _measure(z: tf.Tensor) -> tf.Tensor:
    """Return the magnitude by which LAPACK compares pivots: for complex numbers, the sum of those of both parts."""
    if not z.dtype.is_complex:
        return tf.abs(z)
    real, imag = arithmetic.parts(z)
    return tf.abs(real) + tf.abs(imag)


# Determinants


def _compute_log_determinant(a: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the sign, and the logarithm of the absolute value, of the determinant."""
    shape = shapes.shape(a)
    factors, _, parity = decompose_lu(_to_3d(a, shape[-1], shape[-1]))
    batch = shapes.shape_tensor(shape[:-2])
    return tuple(tf.reshape(part, batch) for part in _multiply_pivots(tf.linalg.diag_part(factors), parity))


def _multiply_pivots(pivots: tf.Tensor, parity: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the sign of the product, and the logarithm of its absolute value."""
    size = tf.abs(pivots)
    if pivots.dtype.is_complex:
        phases = pivots / convert.cast(size, pivots.dtype)
    else:
        phases = tf.where(pivots < 0, tf.constant(-1.0, pivots.dtype), tf.ones((), pivots.dtype))  # of infinity, too
    sign = convert.cast(parity, pivots.dtype) * tf.reduce_prod(phases, -1)
    return sign, tf.reduce_sum(tf.math.log(size), -1)


def _differentiate_logarithm(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Return the gradient of the sign and the logarithm; nan for singular matrices."""
    return (_scale_inverse(upstreams, results, _invert_regular(a, tf.math.is_finite(results[1]))),)


def _scale_inverse(upstreams: Parts, results: Parts, inverse: tf.Tensor) -> tf.Tensor:
    """Return the gradient of the sign and the logarithm, given the inverse."""
    (sign, size), (of_sign, slope) = results, upstreams
    if inverse.dtype.is_complex:
        slope = arithmetic.join(slope, -tf.math.imag(tf.math.conj(of_sign) * sign))
    is_defined = tf.math.is_finite(size) | tf.equal(slope, tf.zeros((), slope.dtype))
    slope = tf.where(is_defined, slope, convert.cast(tf.constant(np.nan, tf.float64), slope.dtype))
    return slope[..., None, None] * adjoint(inverse)


def _invert_regular(a: tf.Tensor, is_regular: tf.Tensor) -> tf.Tensor:
    """Return the inverse, and the identity for other matrices."""
    identity = identity_like(a)
    return identity if _is_empty(a) else solve(tf.where(is_regular[..., None, None], a, identity), identity)


@differentiable_parts(2, _differentiate_logarithm)
def determinant_parts(a: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the sign, or complex phase, of the determinant, and the logarithm of its magnitude."""
    if a.shape[-1] == 0:
        shape = shapes.shape_tensor(shapes.shape(a)[:-2])
        return tf.ones(shape, a.dtype), tf.zeros(shape, a.dtype.real_dtype)
    sign, size = _compute_log_determinant(a) if is_for_xla() else ops.log_matrix_determinant(a)
    size = tf.math.real(size)
    sign = tf.where(tf.equal(size, -np.inf), tf.zeros((), a.dtype), sign)
    if not a.dtype.is_complex:
        sign = tf.where(tf.math.is_nan(sign), tf.ones((), a.dtype), sign)
    return sign, size


def _differentiate_determinant(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    inverse = _invert_regular(a, tf.math.is_finite(results[2]))
    adjugate = _find_adjugate(a, inverse, *results[1:])
    of_logarithm = _scale_inverse(upstreams[1:], results[1:], inverse)
    return (upstreams[0][..., None, None] * adjoint(adjugate) + of_logarithm,)


@differentiable_parts(3, _differentiate_determinant)
def _find_determinant(a: tf.Tensor) -> Parts:
    """Return the determinant, by way of its logarithm, as NumPy does; and its parts."""
    sign, size = determinant_parts(a)
    return _multiply_by_exponential(sign, size), sign, size


def _multiply_by_exponential(sign: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    length = tf.exp(size)
    if not sign.dtype.is_complex:
        return sign * length
    return arithmetic.multiply(sign, arithmetic.join(length, tf.zeros_like(length)))


def _differentiate_for_xla(upstream: tf.Tensor, a: tf.Tensor) -> Parts:
    return (a if _is_empty(a) else upstream[..., None, None] * adjoint(_find_adjugate_of_singular(a)),)


@differentiable(_differentiate_for_xla)
def _find_determinant_for_xla(a: tf.Tensor) -> tf.Tensor:
    """Return the determinant. Its gradient takes one elimination for regular and singular matrices: XLA compiles each
    for half a second.
    """
    return _multiply_by_exponential(*determinant_parts(a))


def determinant(a: tf.Tensor) -> tf.Tensor:
    """Return the determinant."""
    return _find_determinant_for_xla(a) if is_for_xla() else _find_determinant(a)[0]


# Adjugates


def _find_adjugate(a: tf.Tensor, inverse: tf.Tensor, sign: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    """Return the transposed matrix of cofactors, which exists for singular matrices, too."""
    if _is_empty(a):
        return a
    is_regular = tf.math.is_finite(size)
    root = tf.exp(tf.where(is_regular, size, 0.0) / 2)  # twice, since the determinant may overflow or underflow
    root = convert.cast(root, a.dtype)[..., None, None]
    sign = tf.where(is_regular, sign, tf.ones((), a.dtype))[..., None, None]
    is_singular = (tf.logical_not(is_regular) & is_finite_each(a))[..., None, None]
    singular = tf.where(is_singular, a, tf.zeros((), a.dtype))
    unknown = convert.cast(tf.constant(np.nan, tf.float64), a.dtype)
    adjugate = tf.cond(
        tf.reduce_all(is_regular),
        lambda: tf.zeros_like(a),
        lambda: tf.where(is_singular, _find_adjugate_of_singular(singular), unknown),
    )
    return tf.where(is_regular[..., None, None], root * inverse * (sign * root), adjugate)


def _differentiate_adjugate(upstream: tf.Tensor, a: tf.Tensor) -> Parts:
    """Return the gradient: in the basis of the singular vectors, an element of the adjugate depends on one element of
    the matrix, and on the diagonal.
    """
    values, left, right = reduced_parts(a)
    slope = tf.matmul(right, tf.matmul(upstream, left), adjoint_a=True)
    pairs = convert.cast(_multiply_all_but_two(values), a.dtype)
    diagonal = tf.linalg.matvec(pairs, tf.linalg.diag_part(slope))
    inner = tf.linalg.diag(diagonal) - pairs * slope
    phase = tf.math.conj(_find_phase(left, right))[..., None, None]
    return (phase * tf.matmul(left, tf.matmul(inner, right, adjoint_b=True)),)


@differentiable(_differentiate_adjugate)
def _find_adjugate_of_singular(a: tf.Tensor) -> tf.Tensor:
    """Return the adjugate, for matrices of any rank, by way of the singular values. XLA compiles elimination faster."""
    if is_for_xla():
        return _find_adjugate_by_elimination(a)
    values, left, right = reduced_parts(a)
    products = convert.cast(_multiply_all_but_one(values), a.dtype)
    scaled = tf.matmul(right * products[..., None, :], left, adjoint_b=True)
    return _find_phase(left, right)[..., None, None] * scaled


def _find_adjugate_by_elimination(a: tf.Tensor) -> tf.Tensor:
    """Return the adjugate, by way of that of a regular matrix: pivots that are zero are replaced by small numbers."""
    rows = shapes.shape(a)[-1]
    factors, order, parity = decompose_lu(_to_3d(a, rows, rows))
    largest = tf.reduce_max(tf.abs(factors), (-2, -1))[:, None]
    small = convert.cast(SMALL_PIVOT * tf.where(largest > 0, largest, 1.0), a.dtype)
    pivots = tf.linalg.diag_part(factors)
    pivots = tf.where(tf.equal(pivots, tf.zeros((), a.dtype)), small, pivots)
    sign, size = _multiply_pivots(pivots, parity)
    inverse = _substitute(
        tf.linalg.set_diag(factors, pivots),
        pivots,
        tf.gather(_to_3d(identity_like(a), rows, rows), order, batch_dims=1),
    )
    root = convert.cast(tf.exp(size / 2), a.dtype)[:, None, None]
    return tf.reshape(root * inverse * (sign[:, None, None] * root), tf.shape(a))


def _find_phase(left: tf.Tensor, right: tf.Tensor) -> tf.Tensor:
    """Return the ratio of the determinants of unitary matrices."""
    phases = determinant_parts(tf.stack([left, right]))[0]
    return phases[0] * tf.math.conj(phases[1])


def _multiply_all_but_one(values: tf.Tensor) -> tf.Tensor:
    """Return for each of several numbers, none of them negative, the product of the others."""
    logarithms, zeros = _find_logarithms(values)
    others, zeros = (tf.reduce_sum(part, -1, keepdims=True) - part for part in (logarithms, zeros))
    return tf.where(tf.equal(zeros, 0), tf.exp(others), tf.zeros((), values.dtype))


def _multiply_all_but_two(values: tf.Tensor) -> tf.Tensor:
    """Return for each pair of several numbers, none of them negative, the product of the others; 0 on the diagonal."""
    others, zeros = (
        tf.reduce_sum(part, -1)[..., None, None] - part[..., None, :] - part[..., None]
        for part in _find_logarithms(values)
    )
    products = tf.where(tf.equal(zeros, 0), tf.exp(others), tf.zeros((), values.dtype))
    return tf.linalg.set_diag(products, tf.zeros_like(values))


def _find_logarithms(values: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the logarithms, 0 for 0, and how many zeros each element is."""
    is_zero = tf.equal(values, 0)
    return tf.math.log(tf.where(is_zero, tf.ones_like(values), values)), tf.cast(is_zero, tf.int32)
