"""Singular values, and pseudo-inverses, of stacks of matrices in double precision, of static rank.

A nan raises, but under XLA; with infinities, values and vectors are nan, as in NumPy. Gradients are right for functions
that do not depend on the choice of the vectors; where two singular values are equal, those of the vectors are zero.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.layout import adjoint
from tfnp._core.xla import is_for_xla
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.gradients import differentiable_parts
from tfnp._kernels.linalg import rotations
from tfnp._kernels.linalg.checks import assert_valid, has_nan, is_finite_each

DIVERGED: Final = "SVD did not converge"
EXPONENT_BITS: Final = 0x7FF0_0000_0000_0000  # of float64
Parts = tuple[tf.Tensor, ...]


def _decompose(a: tf.Tensor, full: bool, vectors: bool = True) -> Parts:
    if 0 in a.shape.as_list():
        return _decompose_empty(a, full)
    is_valid = is_finite_each(a)
    if tf.executing_eagerly() and tf.reduce_all(is_valid):
        values, left, right = ops.svd(a, vectors, full)
        return tf.math.real(values), left, right
    a = assert_valid(a, tf.logical_not(has_nan(a)), DIVERGED)
    a = tf.where(is_valid[..., None, None], a, tf.zeros((), a.dtype))
    if is_for_xla():
        values, left, right = _decompose_for_xla(a, full)
    else:
        values, left, right = ops.svd(a, vectors, full)
        values = tf.math.real(values)
    values = tf.where(is_valid[..., None], values, tf.constant(np.nan, values.dtype))
    if not vectors:
        return values, left, right
    unknown = convert.cast(tf.constant(np.nan, values.dtype), a.dtype)
    return values, *(tf.where(is_valid[..., None, None], part, unknown) for part in (left, right))


def _decompose_for_xla(a: tf.Tensor, full: bool) -> Parts:
    batch, core = shapes.shape(a)[:-2], shapes.shape(a)[-2:]
    parts = rotations.singular_parts(tf.reshape(a, shapes.shape_tensor((layout.product(batch), *core))), full)
    return tuple(tf.reshape(part, shapes.shape_tensor((*batch, *shapes.shape(part)[1:]))) for part in parts)


def _decompose_empty(a: tf.Tensor, full: bool) -> Parts:
    *batch, rows, columns = shapes.shape(a)
    least = rows if rows == 0 else columns if columns == 0 else min(rows, columns)
    values = tf.zeros(shapes.shape_tensor((*batch, least)), a.dtype.real_dtype)
    vectors = [tf.eye(dim, dim if full else least, dtype=a.dtype) for dim in (rows, columns)]
    return values, *[shapes.broadcast_to(part, (*batch, *shapes.shape(part))) for part in vectors]


# Gradients


def _invert_nonzero(x: tf.Tensor) -> tf.Tensor:
    """Return the reciprocals, and zero for zero."""
    nonzero = tf.not_equal(x, 0)
    return tf.where(nonzero, 1 / tf.where(nonzero, x, 1), tf.zeros((), x.dtype))


def _differentiate(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Return the gradient of the singular value decomposition (J. Townsend, Differentiating the singular value
    decomposition, 2016).

    The phase of complex vectors is assigned to U.
    """
    values, left, right = results
    dtype = a.dtype
    scale = convert.cast(values, dtype)[..., None, :]
    gaps = convert.cast(_invert_nonzero(values[..., None, :] ** 2 - values[..., :, None] ** 2), dtype)
    inverse = convert.cast(_invert_nonzero(values), dtype)[..., None, :]
    rotation = tf.matmul(left, upstreams[1], adjoint_a=True)
    first, second = gaps * rotation, gaps * tf.matmul(right, upstreams[2], adjoint_a=True)
    core = (first + adjoint(first)) * scale + tf.linalg.matrix_transpose(scale) * (second + adjoint(second))
    diagonal = convert.cast(upstreams[0], dtype)
    if dtype.is_complex:
        phase = tf.math.imag(tf.linalg.diag_part(rotation)) * _invert_nonzero(values)
        diagonal += arithmetic.join(tf.zeros_like(phase), phase)
    core += tf.linalg.diag(diagonal)
    beside = upstreams[1] * inverse
    beside -= tf.matmul(left, tf.matmul(left, beside, adjoint_a=True))
    under = upstreams[2] * inverse
    under -= tf.matmul(right, tf.matmul(right, under, adjoint_a=True))
    inner = tf.matmul(left, core) + beside
    return (tf.matmul(inner, right, adjoint_b=True) + tf.matmul(left, under, adjoint_b=True),)


def _differentiate_complete(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Return the gradient of the complete decomposition: that of the additional vectors is expressed by the others,
    with which they rotate.
    """
    values, left, right = results
    count = shapes.shape(values)[-1]
    pairs = [_reduce_upstream(upstreams[1], left, count), _reduce_upstream(upstreams[2], right, count)]
    reduced = (values, left[..., :count], right[..., :count])
    return _differentiate((upstreams[0], *pairs), reduced, a)


def _reduce_upstream(upstream: tf.Tensor, vectors: tf.Tensor, count: shapes.Dim) -> tf.Tensor:
    within, beyond = vectors[..., :count], vectors[..., count:]
    rotation = tf.matmul(upstream[..., count:], within, adjoint_a=True)
    return upstream[..., :count] - tf.matmul(beyond, rotation)


def _differentiate_values(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    _, left, right = reduced_parts(a)
    return (tf.matmul(left * convert.cast(upstreams[0], a.dtype)[..., None, :], right, adjoint_b=True),)


@differentiable_parts(3, _differentiate)
def reduced_parts(a: tf.Tensor) -> Parts:
    """Return the singular values in descending order, and left and right singular vectors as columns: as many as
    values.
    """
    return _decompose(a, False)


@differentiable_parts(3, _differentiate_complete)
def complete_parts(a: tf.Tensor) -> Parts:
    """Return the singular values in descending order, and all left and right singular vectors as columns."""
    return _decompose(a, True)


@differentiable_parts(1, _differentiate_values)
def _find_values(a: tf.Tensor) -> Parts:
    return _decompose(a, False, vectors=False)[:1]


def find_singular_values(a: tf.Tensor) -> tf.Tensor:
    """Return the singular values."""
    return _find_values(a)[0]


def _differentiate_inverse(upstreams: Parts, results: Parts, a: tf.Tensor, ratio: tf.Tensor) -> Parts:
    """Return the gradient of the pseudo-inverse (G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses,
    1973).
    """
    inverse, slope = results[0], adjoint(upstreams[0])
    usual = -tf.matmul(inverse, tf.matmul(upstreams[0], inverse, adjoint_b=True), adjoint_a=True)
    over = tf.matmul(tf.matmul(slope, inverse), inverse, adjoint_b=True)
    over -= tf.matmul(a, tf.matmul(inverse, over))
    under = tf.matmul(inverse, tf.matmul(inverse, slope), adjoint_a=True)
    under -= tf.matmul(tf.matmul(under, inverse), a)
    (of_values,) = _differentiate_values(upstreams[1:], results[1:], a)
    return usual + over + under + of_values, tf.zeros_like(ratio)


@differentiable_parts(2, _differentiate_inverse)
def pseudo_inverse(a: tf.Tensor, ratio: tf.Tensor) -> Parts:
    """Return the pseudo-inverse, made of the singular values greater than `ratio` times the largest, and all singular
    values.

    `ratio` broadcasts to the batch shape.
    """
    values, left, right = _decompose(a, False)
    is_significant = are_significant(values, ratio)
    unit = _find_unit(values)  # by which to divide last: the inverse of 1e307 times less than 0.2 is subnormal
    inverse = tf.where(
        is_significant, unit / tf.where(is_significant, values, tf.ones_like(values)), tf.zeros_like(values)
    )
    inverse = tf.where(is_significant & tf.equal(values, 0), tf.constant(np.inf, values.dtype), inverse)
    scaled = tf.matmul(right * convert.cast(inverse, a.dtype)[..., None, :], left, adjoint_b=True)
    return scaled / convert.cast(unit, a.dtype)[..., None], values


def _find_unit(values: tf.Tensor) -> tf.Tensor:
    """Return the power of two next below the largest singular value, with a last axis of length 1; 1 without any."""
    largest = tf.reduce_max(values, -1, keepdims=True)
    exponent = tf.bitwise.bitwise_and(ops.bitcast(largest, tf.int64), tf.constant(EXPONENT_BITS, tf.int64))
    unit = ops.bitcast(exponent, tf.float64)
    return tf.where((unit > 0) & tf.math.is_finite(unit), unit, tf.ones_like(unit))


def are_significant(values: tf.Tensor, ratio: Any) -> tf.Tensor:
    """Return a mask of the singular values greater than `ratio` times the largest."""
    if values.shape[-1] == 0:
        return tf.ones_like(values, tf.bool)
    return values > ratio[..., None] * values[..., :1]
