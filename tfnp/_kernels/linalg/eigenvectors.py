"""Eigenvalues and eigenvectors of stacks of square matrices in double precision, of static rank."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.edge import array_function
from tfnp._core.layout import adjoint
from tfnp._core.xla import is_for_xla
from tfnp._kernels.gradients import differentiable_parts
from tfnp._kernels.linalg import balancing, rotations
from tfnp._kernels.linalg.checks import is_finite_each

Parts = tuple[tf.Tensor, ...]


def hermitian(a: tf.Tensor, lower: bool = True) -> tf.Tensor:
    """Return the Hermitian matrices that are given by one triangle and the real part of the diagonal."""
    half = tf.linalg.band_part(a, -1, 0) if lower else adjoint(tf.linalg.band_part(a, 0, -1))
    diagonal = tf.linalg.diag_part(half)
    remaining = tf.linalg.set_diag(half, tf.zeros_like(diagonal))
    return tf.linalg.set_diag(remaining + adjoint(remaining), convert.cast(tf.math.real(diagonal), a.dtype))


def _decompose(a: tf.Tensor, vectors: bool) -> Parts:
    """Return eigenvalues and eigenvectors. They are nan where elements of the matrix are infinite or nan."""
    shape = a.shape.as_list()
    if 0 in shape or shape[-1] == 1:
        return tf.math.real(tf.linalg.diag_part(a)), tf.ones_like(a)
    is_valid = is_finite_each(a)
    if tf.executing_eagerly() and tf.reduce_all(is_valid):
        return tuple(ops.eigh(a, vectors))
    a = tf.where(is_valid[..., None, None], a, tf.zeros((), a.dtype))
    values, eigenvectors = _decompose_for_xla(a) if is_for_xla() else ops.eigh(a, vectors)
    values = tf.where(is_valid[..., None], values, tf.cast(np.nan, values.dtype))
    if vectors:
        eigenvectors = tf.where(is_valid[..., None, None], eigenvectors, tf.cast(np.nan, eigenvectors.dtype))
    return values, eigenvectors


def _decompose_for_xla(a: tf.Tensor) -> Parts:
    batch, core = shapes.shape(a)[:-2], shapes.shape(a)[-2:]
    parts = rotations.eigen_parts(tf.reshape(a, shapes.shape_tensor((layout.product(batch), *core))))
    return tuple(tf.reshape(part, shapes.shape_tensor((*batch, *shapes.shape(part)[1:]))) for part in parts)


def _differentiate_vectors(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Return the gradient; where two eigenvalues are equal, that of their vectors is undefined, and zero here."""
    values, vectors = tf.math.real(results[0]), results[1]
    gaps = values[..., None, :] - values[..., :, None]
    differ = tf.not_equal(gaps, 0)
    inverse = tf.where(differ, 1 / tf.where(differ, gaps, tf.ones_like(gaps)), tf.zeros_like(gaps))
    core = convert.cast(inverse, a.dtype) * tf.matmul(vectors, upstreams[1], adjoint_a=True)
    core += tf.linalg.diag(convert.cast(tf.math.real(upstreams[0]), a.dtype))
    return (tf.matmul(vectors, tf.matmul(core, vectors, adjoint_b=True)),)


def _differentiate_values(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    _, vectors = hermitian_parts(a)
    weights = convert.cast(tf.math.real(upstreams[0]), a.dtype)
    return (tf.matmul(vectors * weights[..., None, :], vectors, adjoint_b=True),)


@differentiable_parts(2, _differentiate_vectors)
def _decompose_differentiably(a: tf.Tensor) -> Parts:
    values, vectors = _decompose(a, True)
    return tf.math.real(values), vectors


@differentiable_parts(1, _differentiate_values)
def _find_values(a: tf.Tensor) -> Parts:
    return (tf.math.real(_decompose(a, False)[0]),)


def hermitian_parts(a: tf.Tensor) -> Parts:
    """Return the eigenvalues of Hermitian matrices in ascending order, and the eigenvectors as columns."""
    return _decompose_differentiably(a)


def hermitian_values(a: tf.Tensor) -> tf.Tensor:
    """Return the eigenvalues of Hermitian matrices in ascending order."""
    return _find_values(a)[0]


@array_function(traces=("a",))
def general_parts(a: tf.Tensor, vectors: bool = True) -> Parts:
    """Return complex eigenvalues in no order, and eigenvectors as columns. Elements must be finite. Not for XLA."""
    if is_for_xla():
        raise NotImplementedError(
            "XLA has no eigenvalues of matrices that are not Hermitian: use eigh or eigvalsh, or a "
            "tf.function without jit_compile=True"
        )
    if 0 in a.shape.as_list():
        return tf.zeros_like(tf.linalg.diag_part(a), tf.complex128), tf.zeros_like(a, tf.complex128)
    balanced = balancing.balance(a)
    matrix, units = (balanced.matrix, balanced.unit) if vectors else balancing.scale_blocks(balanced)
    values, eigenvectors = ops.eig(input=matrix, Tout=tf.complex128, compute_v=vectors)
    values *= tf.cast(units, values.dtype)
    return values, _undo_balancing(eigenvectors, balanced) if vectors else eigenvectors


def _undo_balancing(vectors: tf.Tensor, balanced: balancing.Balanced) -> tf.Tensor:
    """Return the normalized eigenvectors of the original matrix, given those of the balanced one."""
    index = tf.argsort(balanced.order, axis=-1)
    x = tf.gather(vectors, index, axis=-2, batch_dims=vectors.shape.rank - 2)
    x *= convert.cast(balanced.powers, vectors.dtype)[..., None]
    size = tf.reduce_max(tf.abs(x), -2, keepdims=True)  # so that no square underflows
    x /= convert.cast(size, x.dtype)
    return x / convert.cast(tf.norm(tf.abs(x), axis=-2, keepdims=True), x.dtype)
