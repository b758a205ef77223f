"""Cholesky and QR decompositions of stacks of matrices in double precision, of static rank."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops, shapes
from tfnp._core.layout import adjoint
from tfnp._core.xla import is_for_xla
from tfnp._kernels.gradients import differentiable_parts
from tfnp._kernels.linalg.checks import assert_valid

LARGE: Final = 1e150  # squares of larger columns overflow
SCALE_EXPONENT: Final = np.float64(520)
INDEFINITE: Final = "Matrix is not positive definite"
Parts = tuple[tf.Tensor, ...]


# Upstream bug: tensorflow-cholesky-indefinite
def cholesky(a: tf.Tensor) -> tf.Tensor:
    """Return the lower Cholesky factor of Hermitian matrices.

    A matrix that is not positive definite raises; under XLA its factor is nan. TensorFlow's kernel does not raise: it
    fills the triangle with nan, for complex numbers with zeros.
    """
    if 0 in a.shape.as_list():
        return a
    factor = ops.cholesky(a)
    if is_for_xla():
        failed = tf.reduce_any(tf.math.is_nan(tf.math.real(tf.linalg.diag_part(factor))), -1)
        nan_factor = tf.linalg.band_part(tf.fill(tf.shape(factor), convert.cast(tf.constant(np.nan), a.dtype)), -1, 0)
        return tf.where(failed[..., None, None], nan_factor, factor)
    first, a_first = (tf.math.real(matrix[..., :1, :1]) for matrix in (factor, a))  # slices, since it may be empty
    failed = tf.equal(first, 0) | (tf.math.is_nan(first) & ~tf.math.is_nan(a_first))
    return assert_valid(factor, tf.logical_not(tf.reduce_any(failed)), INDEFINITE)


# Q and R


def qr(a: tf.Tensor) -> Parts:
    """Return the reduced Q and R."""
    *batch, rows, columns = shapes.shape(a)
    if 0 in a.shape.as_list():
        least = rows if rows == 0 else columns if columns == 0 else min(rows, columns)
        vectors = shapes.broadcast_to(tf.eye(rows, least, dtype=a.dtype), (*batch, rows, least))
        return vectors, tf.zeros(shapes.shape_tensor((*batch, least, columns)), a.dtype)
    return _decompose_scaled(lambda a: tuple(ops.qr(a, False)), a)


def _decompose_scaled(parts: Callable[[tf.Tensor], Parts], a: tf.Tensor) -> Parts:
    """Return Q and R. Columns are scaled, so that squares neither overflow nor underflow in TensorFlow's kernel, and R
    is scaled back.
    """
    size = tf.reduce_max(tf.stop_gradient(tf.abs(a)), -2, keepdims=True)
    is_small = (size < 1 / LARGE) & (size > 0)
    power = tf.where(size > LARGE, -SCALE_EXPONENT, tf.where(is_small, SCALE_EXPONENT, 0))
    q, r = parts(a * convert.cast(tf.pow(tf.constant(2.0, size.dtype), power), a.dtype))
    return q, r * convert.cast(tf.pow(tf.constant(2.0, size.dtype), -power), a.dtype)


def _differentiate_complete(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Return the gradient (D. A. O. Roberts and L. R. Roberts, QR and LQ decomposition matrix backpropagation
    algorithms for square, wide, and deep matrices, 2020). That of the additional columns of Q is expressed by the
    others, with which they rotate.
    """
    (q, r), (of_q, of_r) = results, upstreams
    *_, rows, columns = shapes.shape(a)
    count = min(rows, columns) if shapes.is_static((rows, columns)) else tf.minimum(rows, columns)
    within, beyond = q[..., :count], q[..., count:]
    triangle, of_triangle, of_others = r[..., :count, :count], of_r[..., :count, :count], of_r[..., :count, count:]
    slope = of_q[..., :count] - tf.matmul(beyond, tf.matmul(of_q[..., count:], within, adjoint_a=True))
    slope += tf.matmul(a[..., count:], of_others, adjoint_b=True)
    product = tf.matmul(triangle, of_triangle, adjoint_b=True) - tf.matmul(slope, within, adjoint_a=True)
    diagonal = tf.linalg.diag_part(product)
    if a.dtype.is_complex:
        diagonal = convert.cast(tf.math.real(diagonal), a.dtype)
    below = tf.linalg.set_diag(tf.linalg.band_part(product, -1, 0), tf.zeros_like(diagonal))
    slope += tf.matmul(within, below + adjoint(below) + tf.linalg.diag(diagonal))
    slope = adjoint(ops.matrix_triangular_solve(triangle, adjoint(slope), False, False))
    return (tf.concat([slope, tf.matmul(within, of_others)], -1),)


@differentiable_parts(2, _differentiate_complete)
def _decompose_complete(a: tf.Tensor) -> Parts:
    return tuple(ops.qr(a, True))


def qr_complete(a: tf.Tensor) -> Parts:
    """Return the complete Q, which is square, and R."""
    if 0 in a.shape.as_list():
        *batch, rows, _ = shapes.shape(a)
        return shapes.broadcast_to(tf.eye(rows, dtype=a.dtype), (*batch, rows, rows)), a
    return _decompose_scaled(_decompose_complete, a)


def reflections(a: tf.Tensor) -> Parts:
    """Return R with the Householder vectors below its diagonal, and their factors tau, as LAPACK's GEQRF."""
    *batch, rows, columns = shapes.shape(a)
    least = min(rows, columns) if shapes.is_static((rows, columns)) else tf.minimum(rows, columns)
    scales = tf.zeros(shapes.shape_tensor((*batch, least)), a.dtype)
    if 0 in a.shape.as_list():
        return a, scales
    indices, across, slots = tf.range(rows), tf.range(columns), tf.range(least)

    def step(k: tf.Tensor, a: tf.Tensor, scales: tf.Tensor) -> Parts:
        column = tf.gather(a, k, axis=-1)
        below = indices > k
        tail = tf.where(below, column, tf.zeros((), a.dtype))
        head = tf.gather(column, k, axis=-1)
        real, remaining = tf.math.real(head), tf.reduce_sum(tf.math.real(tf.math.conj(tail) * tail), -1)
        size = tf.sqrt(tf.math.real(tf.math.conj(head) * head) + remaining)
        reflects = (
            tf.not_equal(remaining, 0) | tf.not_equal(tf.math.imag(head), 0) if a.dtype.is_complex else remaining != 0
        )
        beta = convert.cast(tf.where(reflects, tf.where(real < 0, size, -size), tf.ones_like(size)), a.dtype)
        factor = tf.where(reflects, (beta - head) / beta, tf.zeros((), a.dtype))
        divisor = tf.where(reflects, head - beta, tf.ones((), a.dtype))
        vector = tf.where(tf.equal(indices, k), tf.ones((), a.dtype), tail / divisor[..., None])
        products = tf.reduce_sum(tf.math.conj(vector)[..., None] * a, -2)
        change = (tf.math.conj(factor)[..., None] * vector)[..., None] * products[..., None, :]
        a = tf.where(across > k, a - change, a)
        diagonal = tf.where(reflects, beta, head)[..., None]
        filled = tf.where(below, vector, tf.where(tf.equal(indices, k), diagonal, column))
        a = tf.where(tf.equal(across, k), filled[..., None], a)
        return k + 1, a, tf.where(tf.equal(slots, k), factor[..., None], scales)

    start = (tf.constant(0), a, scales)
    limit = least if isinstance(least, int) else None
    return tuple(tf.while_loop(lambda k, *_: k < least, step, start, maximum_iterations=limit)[1:])
