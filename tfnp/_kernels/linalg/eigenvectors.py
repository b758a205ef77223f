"""Eigenvalues and eigenvectors. For stacks of square matrices in double precision, of known rank."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.xla import is_for_xla
from tfnp._kernels.gradients import differentiable_parts
from tfnp._kernels.linalg import balancing, rotations
from tfnp._kernels.linalg.checks import is_finite_each
from tfnp._kernels.linalg.singular_values import adjoint

Parts = tuple[tf.Tensor, ...]

_eigh = tf.raw_ops.SelfAdjointEigV2.__wrapped__


def hermitian(a: tf.Tensor, lower: bool = True) -> tf.Tensor:
    """The Hermitian matrix of which only one triangle is read, and of the diagonal the real part."""
    half = tf.linalg.band_part(a, -1, 0) if lower else adjoint(tf.linalg.band_part(a, 0, -1))
    diagonal = tf.linalg.diag_part(half)
    remaining = tf.linalg.set_diag(half, tf.zeros_like(diagonal))
    return tf.linalg.set_diag(remaining + adjoint(remaining), convert.cast(tf.math.real(diagonal), a.dtype))


def _parts(a: tf.Tensor, vectors: bool) -> Parts:
    """What is infinite or nan has eigenvalues of nan: LAPACK makes of it what it will."""
    shape = a.shape.as_list()
    if 0 in shape or shape[-1] == 1:
        return tf.math.real(tf.linalg.diag_part(a)), tf.ones_like(a)
    is_valid = is_finite_each(a)
    if tf.executing_eagerly() and tf.reduce_all(is_valid):
        return tuple(_eigh(a, vectors))
    a = tf.where(is_valid[..., None, None], a, tf.zeros((), a.dtype))
    values, found = _compiled(a) if is_for_xla() else _eigh(a, vectors)
    return tf.where(is_valid[..., None], values, tf.cast(np.nan, values.dtype)), found


def _compiled(a: tf.Tensor) -> Parts:
    batch, core = shapes.shape(a)[:-2], shapes.shape(a)[-2:]
    parts = rotations.eigen_parts(tf.reshape(a, shapes.shape_tensor((layout.product(batch), *core))))
    return tuple(tf.reshape(part, shapes.shape_tensor((*batch, *shapes.shape(part)[1:]))) for part in parts)


def _gradient(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    """Where two eigenvalues are equal, their vectors have no gradient, and zero is given."""
    values, vectors = tf.math.real(results[0]), results[1]
    gaps = values[..., None, :] - values[..., :, None]
    static = tf.not_equal(gaps, 0)
    share = tf.where(static, 1 / tf.where(static, gaps, tf.ones_like(gaps)), tf.zeros_like(gaps))
    core = convert.cast(share, a.dtype) * tf.matmul(vectors, upstreams[1], adjoint_a=True)
    core += tf.linalg.diag(convert.cast(tf.math.real(upstreams[0]), a.dtype))
    return (tf.matmul(vectors, tf.matmul(core, vectors, adjoint_b=True)),)


def _gradient_of_values(upstreams: Parts, results: Parts, a: tf.Tensor) -> Parts:
    _, vectors = hermitian_parts(a)
    weights = convert.cast(tf.math.real(upstreams[0]), a.dtype)
    return (tf.matmul(vectors * weights[..., None, :], vectors, adjoint_b=True),)


@differentiable_parts(2, _gradient)
def _both(a: tf.Tensor) -> Parts:
    values, vectors = _parts(a, True)
    return tf.math.real(values), vectors


@differentiable_parts(1, _gradient_of_values)
def _values(a: tf.Tensor) -> Parts:
    return (tf.math.real(_parts(a, False)[0]),)


def hermitian_parts(a: tf.Tensor) -> Parts:
    """Real eigenvalues in rising order, and vectors as columns."""
    return _both(a)


def hermitian_values(a: tf.Tensor) -> tf.Tensor:
    return _values(a)[0]


def general_parts(a: tf.Tensor, vectors: bool = True) -> Parts:
    """Complex eigenvalues in no order, and vectors as columns. All numbers must be finite; XLA has no such thing."""
    if is_for_xla():
        raise NotImplementedError(
            "XLA cannot calculate eigenvalues of matrices that are not Hermitian: use eigh or eigvalsh, or a "
            "tf.function without jit_compile=True"
        )
    if 0 in a.shape.as_list():
        return tf.zeros_like(tf.linalg.diag_part(a), tf.complex128), tf.zeros_like(a, tf.complex128)
    balanced = balancing.balance(a)
    values, found = tf.raw_ops.Eig(input=balanced.matrix, Tout=tf.complex128, compute_v=vectors)
    values *= tf.cast(balanced.unit, values.dtype)
    return values, _unbalanced(found, balanced) if vectors else found


def _unbalanced(vectors: tf.Tensor, balanced: balancing.Balanced) -> tf.Tensor:
    """The vectors of a matrix, given those of the balanced one: again of length 1."""
    index = tf.argsort(balanced.order, axis=-1)
    found = tf.gather(vectors, index, axis=-2, batch_dims=vectors.shape.rank - 2)
    found *= convert.cast(balanced.powers, vectors.dtype)[..., None]
    size = tf.reduce_max(tf.abs(found), -2, keepdims=True)  # so that no square underflows
    found /= convert.cast(size, found.dtype)
    return found / convert.cast(tf.norm(tf.abs(found), axis=-2, keepdims=True), found.dtype)
