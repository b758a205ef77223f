"""Gaussian elimination: equations, inverses, determinants. For stacks of square matrices in double precision.

TensorFlow's own kernels are taken where there are some and the numbers are finite. They refuse pivots that are nan, and
XLA has none for determinants and for complex numbers: there it is done here, one column after another, with the pivots
of LAPACK. A gradient is a solution again; that of a determinant the gradient of the pivots' product, which exists where
the matrix has no inverse.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.xla import is_for_xla
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.gradients import differentiable, differentiable_parts
from tfnp._kernels.linalg.checks import assert_valid, is_finite_each
from tfnp._kernels.linalg.singular_values import adjoint

SINGULAR: Final = "Singular matrix"
Parts = tuple[tf.Tensor, ...]

_solve = tf.raw_ops.MatrixSolve.__wrapped__
_solve_triangle = tf.raw_ops.MatrixTriangularSolve.__wrapped__


def identity_like(a: tf.Tensor) -> tf.Tensor:
    """The identity for each matrix of a stack of square ones."""
    shape = shapes.shape(a)
    return shapes.broadcast_to(tf.eye(shape[-1], dtype=a.dtype), shape)


# Equations


def _gradient_of_solution(upstream: tf.Tensor, a: tf.Tensor, b: tf.Tensor) -> Parts:
    slope = solve(adjoint(a), upstream)
    return tf.negative(tf.matmul(slope, solve(a, b), adjoint_b=True)), slope


@differentiable(_gradient_of_solution)
def solve(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """X of `a @ x == b`, both of one batch shape. A singular matrix is an error, where there can be one; under XLA its
    solution is nan.
    """
    if _is_empty(b):
        return tf.zeros_like(b)
    if is_for_xla():
        return _eliminated(a, b)[0]
    if not tf.executing_eagerly():
        is_valid = tf.reduce_all(is_finite_each(a))
        return tf.cond(is_valid, lambda: _solve(a, b, False), lambda: assert_valid(*_eliminated(a, b), SINGULAR))
    try:
        return _solve(a, b, False)
    except tf.errors.InvalidArgumentError:
        return assert_valid(*_eliminated(a, b), SINGULAR)


def _gradient_of_attempt(upstream: tf.Tensor, a: tf.Tensor) -> Parts:
    found = invert(a)
    return (tf.negative(tf.matmul(found, tf.matmul(upstream, found, adjoint_b=True), adjoint_a=True)),)


@differentiable(_gradient_of_attempt)
def invert(a: tf.Tensor) -> tf.Tensor:
    """The inverse, or nan where there is none."""
    identity = identity_like(a)
    return identity if _is_empty(a) else _eliminated(a, identity)[0]


def _is_empty(a: tf.Tensor) -> bool:
    return a.shape.num_elements() == 0


def _eliminated(a: tf.Tensor, b: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The solution, nan where there is none; and whether there is one for every matrix."""
    rows, columns = shapes.shape(b)[-2:]
    factors, order, _ = decompose_lu(_flat(a, rows, rows))
    pivots = tf.linalg.diag_part(factors)
    static = tf.gather(_flat(b, rows, columns), order, batch_dims=1)
    unit = tf.ones_like(pivots)
    lower = tf.linalg.set_diag(tf.linalg.band_part(factors, -1, 0), unit)
    upper = tf.linalg.set_diag(tf.linalg.band_part(factors / pivots[..., None], 0, -1), unit)
    found = _solve_triangle(lower, static, True, False)
    found = _solve_triangle(upper, found / pivots[..., None], False, False)
    is_valid = tf.reduce_all(tf.not_equal(pivots, tf.zeros((), a.dtype)), -1)
    found = tf.where(is_valid[:, None, None], found, convert.cast(tf.constant(np.nan, tf.float64), a.dtype))
    return tf.reshape(found, shapes.shape_tensor(shapes.shape(b))), tf.reduce_all(is_valid)


def _flat(a: tf.Tensor, rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    batch = layout.product(shapes.shape(a)[:-2])
    return tf.reshape(a, shapes.shape_tensor((batch, rows, columns)))


def decompose_lu(a: tf.Tensor) -> Parts:
    """Of a vector of matrices: both triangular factors in one matrix, L without its diagonal of ones; the order of the
    rows; and its sign. By Crout's scheme with partial pivoting, in which complex numbers weigh |re| + |im|.
    """
    count, dim = shapes.shape(a)[:2]
    indices = tf.range(dim)
    order = shapes.broadcast_to(indices[None], (count, dim))
    parity = tf.ones(shapes.shape_tensor((count,)), tf.float64)

    def step(k: tf.Tensor, a: tf.Tensor, order: tf.Tensor, parity: tf.Tensor) -> Parts:
        below = indices > k
        weight = tf.where(below | tf.equal(indices, k), _weight(tf.gather(a, k, axis=2)), -1.0)
        pivot = tf.argmax(weight, 1, output_type=tf.int32)[:, None]
        swapped = tf.where(tf.equal(indices, k), pivot, tf.where(tf.equal(indices, pivot), k, indices))
        a, order = tf.gather(a, swapped, batch_dims=1), tf.gather(order, swapped, batch_dims=1)
        parity = tf.where(tf.equal(pivot[:, 0], k), parity, -parity)
        row, column = tf.gather(a, k, axis=1), tf.gather(a, k, axis=2)
        head = tf.gather(row, k, axis=1)[:, None]
        head = tf.where(tf.equal(head, tf.zeros((), a.dtype)), tf.ones((), a.dtype), head)
        share = tf.where(below, column / head, tf.zeros((), a.dtype))
        remaining = a - share[:, :, None] * tf.where(below, row, tf.zeros((), a.dtype))[:, None, :]
        a = tf.where(below[:, None] & tf.equal(indices, k), share[:, :, None], remaining)
        return k + 1, a, order, parity

    start = (tf.constant(0), a, order, parity)
    limit = dim if isinstance(dim, int) else None
    return tuple(tf.while_loop(lambda k, *_: k < dim, step, start, maximum_iterations=limit)[1:])


def _weight(z: tf.Tensor) -> tf.Tensor:
    """LAPACK's measure of how large a pivot is."""
    if not z.dtype.is_complex:
        return tf.abs(z)
    real, imag = arithmetic.parts(z)
    return tf.abs(real) + tf.abs(imag)


# Determinants


def _pivots_logarithm(a: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Sign and logarithm of the size of the determinant."""
    pivots, parity = _pivots(a)
    size = tf.abs(pivots)
    sign = convert.cast(parity, a.dtype) * _product(pivots / convert.cast(size, a.dtype))
    return sign, tf.reduce_sum(tf.math.log(size), -1)


def _pivots(a: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    shape = shapes.shape(a)
    factors, _, parity = decompose_lu(_flat(a, shape[-1], shape[-1]))
    batch = shapes.shape_tensor(shape[:-2])
    return tf.reshape(tf.linalg.diag_part(factors), shapes.shape_tensor(shape[:-1])), tf.reshape(parity, batch)


def _product(a: tf.Tensor) -> tf.Tensor:
    """Along the last axis, one factor after another: XLA knows no gradient of complex products."""
    dim = shapes.shape(a)[-1]

    def step(k: tf.Tensor, product: tf.Tensor) -> Parts:
        return k + 1, product * tf.gather(a, k, axis=-1)

    start = (tf.constant(0), tf.ones(shapes.shape_tensor(shapes.shape(a)[:-1]), a.dtype))
    return tf.while_loop(lambda k, _: k < dim, step, start, maximum_iterations=dim if isinstance(dim, int) else None)[1]


def _gradient_of_logarithm(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    with tf.GradientTape() as tape:
        tape.watch(a)
        parts = _pivots_logarithm(a)
    return (tape.gradient(parts, a, list(upstreams)),)


@differentiable_parts(2, _gradient_of_logarithm)
def determinant_parts(a: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The determinant's sign, or direction if complex, and the logarithm of its size: 0 and -inf where it is zero."""
    if a.shape[-1] == 0:
        shape = shapes.shape_tensor(shapes.shape(a)[:-2])
        return tf.ones(shape, a.dtype), tf.zeros(shape, a.dtype.real_dtype)
    sign, size = _pivots_logarithm(a) if is_for_xla() else tf.raw_ops.LogMatrixDeterminant(input=a)
    size = tf.math.real(size)
    sign = tf.where(tf.equal(size, -np.inf), tf.zeros((), a.dtype), sign)
    if not a.dtype.is_complex:
        sign = tf.where(tf.math.is_nan(sign), tf.ones((), a.dtype), sign)
    return sign, size


def _gradient_of_determinant(upstream: tf.Tensor, a: tf.Tensor) -> Parts:
    with tf.GradientTape() as tape:
        tape.watch(a)
        pivots, parity = _pivots(a)
        product = convert.cast(parity, a.dtype) * _product(pivots)
    return (tape.gradient(product, a, upstream),)


@differentiable(_gradient_of_determinant)
def determinant(a: tf.Tensor) -> tf.Tensor:
    """By its logarithm, as in NumPy."""
    sign, size = determinant_parts(a)
    size = tf.exp(size)
    return arithmetic.multiply(sign, arithmetic.join(size, tf.zeros_like(size))) if a.dtype.is_complex else sign * size
