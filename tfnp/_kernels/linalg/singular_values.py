"""Singular values, and what is made of them. For stacks of matrices in double precision, of known rank.

What is not a number has no singular values, which is an error where there can be one; what is infinite has values and
vectors of nan, as in NumPy. Gradients are those of what does not depend on how the vectors were chosen; where two
singular values are equal, the vectors have none, and zero is given.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.xla import is_for_xla
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.gradients import differentiable_parts
from tfnp._kernels.linalg import rotations
from tfnp._kernels.linalg.checks import assert_valid, has_nan, is_finite_each

DIVERGED: Final = "SVD did not converge"
Parts = tuple[tf.Tensor, ...]

_svd = tf.raw_ops.Svd.__wrapped__


def adjoint(a: tf.Tensor) -> tf.Tensor:
    return tf.linalg.matrix_transpose(a, conjugate=a.dtype.is_complex)


def _parts(a: tf.Tensor, full: bool, vectors: bool = True) -> Parts:
    if 0 in a.shape.as_list():
        return _parts_of_nothing(a, full)
    is_valid = is_finite_each(a)
    if tf.executing_eagerly() and tf.reduce_all(is_valid):
        values, left, right = _svd(a, vectors, full)
        return tf.math.real(values), left, right
    a = assert_valid(a, tf.logical_not(has_nan(a)), DIVERGED)
    a = tf.where(is_valid[..., None, None], a, tf.zeros((), a.dtype))
    if is_for_xla():
        values, left, right = _compiled(a, full)
    else:
        values, left, right = _svd(a, vectors, full)
        values = tf.math.real(values)
    values = tf.where(is_valid[..., None], values, tf.constant(np.nan, values.dtype))
    if not vectors:
        return values, left, right
    unknown = convert.cast(tf.constant(np.nan, values.dtype), a.dtype)
    return values, *(tf.where(is_valid[..., None, None], part, unknown) for part in (left, right))


def _compiled(a: tf.Tensor, full: bool) -> Parts:
    batch, core = shapes.shape(a)[:-2], shapes.shape(a)[-2:]
    parts = rotations.singular_parts(tf.reshape(a, shapes.shape_tensor((layout.product(batch), *core))), full)
    return tuple(tf.reshape(part, shapes.shape_tensor((*batch, *shapes.shape(part)[1:]))) for part in parts)


def _parts_of_nothing(a: tf.Tensor, full: bool) -> Parts:
    *batch, rows, columns = shapes.shape(a)
    least = rows if rows == 0 else columns if columns == 0 else min(rows, columns)
    values = tf.zeros(shapes.shape_tensor((*batch, least)), a.dtype.real_dtype)
    vectors = [tf.eye(dim, dim if full else least, dtype=a.dtype) for dim in (rows, columns)]
    return values, *[shapes.broadcast_to(part, (*batch, *shapes.shape(part))) for part in vectors]


# Gradients


def _inverted(x: tf.Tensor) -> tf.Tensor:
    """Reciprocals, of zero zero."""
    static = tf.not_equal(x, 0)
    return tf.where(static, 1 / tf.where(static, x, 1), tf.zeros((), x.dtype))


def _gradient(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """J. Townsend, Differentiating the singular value decomposition, 2016; with the phase of complex vectors in U."""
    values, left, right = results
    dtype = a.dtype
    scale = convert.cast(values, dtype)[..., None, :]
    gaps = convert.cast(_inverted(values[..., None, :] ** 2 - values[..., :, None] ** 2), dtype)
    inverse = convert.cast(_inverted(values), dtype)[..., None, :]
    turned = tf.matmul(left, upstreams[1], adjoint_a=True)
    first, second = gaps * turned, gaps * tf.matmul(right, upstreams[2], adjoint_a=True)
    core = (first + adjoint(first)) * scale + tf.linalg.matrix_transpose(scale) * (second + adjoint(second))
    diagonal = convert.cast(upstreams[0], dtype)
    if dtype.is_complex:
        phase = tf.math.imag(tf.linalg.diag_part(turned)) * _inverted(values)
        diagonal += arithmetic.join(tf.zeros_like(phase), phase)
    core += tf.linalg.diag(diagonal)
    beside = upstreams[1] * inverse
    beside -= tf.matmul(left, tf.matmul(left, beside, adjoint_a=True))
    under = upstreams[2] * inverse
    under -= tf.matmul(right, tf.matmul(right, under, adjoint_a=True))
    inner = tf.matmul(left, core) + beside
    return (tf.matmul(inner, right, adjoint_b=True) + tf.matmul(left, under, adjoint_b=True),)


def _gradient_of_complete(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Vectors beyond the singular values turn only as those within do."""
    values, left, right = results
    count = shapes.shape(values)[-1]
    pairs = [_folded(upstreams[1], left, count), _folded(upstreams[2], right, count)]
    reduced = (values, left[..., :count], right[..., :count])
    return _gradient((upstreams[0], *pairs), reduced, a)


def _folded(upstream: tf.Tensor, vectors: tf.Tensor, count: shapes.Dim) -> tf.Tensor:
    within, beyond = vectors[..., :count], vectors[..., count:]
    turned = tf.matmul(upstream[..., count:], within, adjoint_a=True)
    return upstream[..., :count] - tf.matmul(beyond, turned)


def _gradient_of_values(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    _, left, right = reduced_parts(a)
    return (tf.matmul(left * convert.cast(upstreams[0], a.dtype)[..., None, :], right, adjoint_b=True),)


@differentiable_parts(3, _gradient)
def reduced_parts(a: tf.Tensor) -> Parts:
    """Singular values in falling order, and as many left and right vectors, as columns."""
    return _parts(a, False)


@differentiable_parts(3, _gradient_of_complete)
def complete_parts(a: tf.Tensor) -> Parts:
    """The same with all left and right vectors."""
    return _parts(a, True)


@differentiable_parts(1, _gradient_of_values)
def _values(a: tf.Tensor) -> Parts:
    return _parts(a, False, vectors=False)[:1]


def singular_values(a: tf.Tensor) -> tf.Tensor:
    """The singular values alone."""
    return _values(a)[0]


def _gradient_of_inverse(upstreams: Parts, results: Parts, a: tf.Tensor, ratio: tf.Tensor) -> Parts:
    """G. H. Golub and V. Pereyra, The differentiation of pseudo-inverses, 1973."""
    found, slope = results[0], adjoint(upstreams[0])
    usual = -tf.matmul(found, tf.matmul(upstreams[0], found, adjoint_b=True), adjoint_a=True)
    over = tf.matmul(tf.matmul(slope, found), found, adjoint_b=True)
    over -= tf.matmul(a, tf.matmul(found, over))
    under = tf.matmul(found, tf.matmul(found, slope), adjoint_a=True)
    under -= tf.matmul(tf.matmul(under, found), a)
    (of_values,) = _gradient_of_values(upstreams[1:], results[1:], a)
    return usual + over + under + of_values, tf.zeros_like(ratio)


@differentiable_parts(2, _gradient_of_inverse)
def pseudo_inverse(a: tf.Tensor, ratio: tf.Tensor) -> Parts:
    """The inverse without the singular values that are not greater than the ratio times the greatest; and all of them.
    The ratio has the batch's shape, or one that broadcasts to it.
    """
    values, left, right = _parts(a, False)
    counts = are_significant(values, ratio)
    share = tf.where(counts, 1 / tf.where(counts, values, tf.ones_like(values)), tf.zeros_like(values))
    share = tf.where(counts & tf.equal(values, 0), tf.constant(np.inf, values.dtype), share)
    return tf.matmul(right * convert.cast(share, a.dtype)[..., None, :], left, adjoint_b=True), values


def are_significant(values: tf.Tensor, ratio: Any) -> tf.Tensor:
    """Which singular values are greater than the ratio times the greatest."""
    if values.shape[-1] == 0:
        return tf.ones_like(values, tf.bool)
    return values > ratio[..., None] * values[..., :1]
