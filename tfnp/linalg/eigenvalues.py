"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike
from tfnp._kernels.linalg import balancing, eigenvectors
from tfnp._kernels.linalg.checks import assert_valid, is_finite_each
from tfnp.linalg.operands import as_squares, common_dtype, upcast
from tfnp.linalg.results import EighResult, EigResult

__all__ = ["eig", "eigh", "eigvals", "eigvalsh"]

NOT_FINITE: Final = "Array must not contain infs or NaNs"
ROUNDINGS: Final = 32  # an imaginary part up to this many rounding errors of the matrix counts as zero


@array_function(promotes=("a",), unknown_rank="each")
def eig(a: ArrayLike) -> Any:
    """In eager mode the result is real if all eigenvalues of a real matrix are, as in NumPy; in a graph, where values
    are unknown, it is always complex. The largest element of each eigenvector is positive in either; in NumPy it is so
    for complex matrices only. XLA has no kernel, and raises NotImplementedError: use `eigh`. A matrix with inf or nan
    raises LinAlgError in eager mode and InvalidArgumentError when a graph runs.
    """
    a = as_squares(a)
    dtype = common_dtype(a)
    values, vectors = _compute_eigen(a, True)
    vectors = _fix_phases(vectors)
    if _is_real(a, values):
        return EigResult(_cast_precision(tf.math.real(values), dtype), _cast_precision(_to_real(vectors), dtype))
    return EigResult(_cast_precision(values, dtype), _cast_precision(vectors, dtype))


@array_function(promotes=("a",), unknown_rank="each")
def eigvals(a: ArrayLike) -> tf.Tensor:
    """In eager mode the result is real if all eigenvalues of a real matrix are, as in NumPy; in a graph, where values
    are unknown, it is always complex. XLA has no kernel, and raises NotImplementedError: use `eigvalsh`. A matrix with
    inf or nan raises LinAlgError in eager mode and InvalidArgumentError when a graph runs.
    """
    a = as_squares(a)
    dtype = common_dtype(a)
    values, _ = _compute_eigen(a, False)
    return _cast_precision(tf.math.real(values) if _is_real(a, values) else values, dtype)


def _compute_eigen(a: tf.Tensor, with_vectors: bool) -> tuple[tf.Tensor, ...]:
    """Return the eigenvalues and eigenvectors, complex. Fail for matrices that are not finite."""
    a = upcast(a)
    is_valid = tf.reduce_all(is_finite_each(a))
    if tf.executing_eagerly():
        assert_valid(a, is_valid, NOT_FINITE)
        return eigenvectors.general_parts(a, with_vectors)
    finite = tf.where(is_valid, a, tf.zeros_like(a))
    values, vectors = eigenvectors.general_parts(finite, with_vectors)
    return assert_valid(values, is_valid, NOT_FINITE), vectors


def _is_real(a: tf.Tensor, values: tf.Tensor) -> bool:
    """Return whether a real matrix has real eigenvalues only; in a graph, where values are unknown, False.

    TensorFlow's algorithm is the one for complex matrices, so imaginary parts no larger than its rounding errors,
    relative to the balanced matrix, count as zero.
    """
    if a.dtype.is_complex or not tf.executing_eagerly():
        return False
    eigenvalues = values.numpy()
    if not eigenvalues.imag.any():
        return True
    balanced = balancing.balance(upcast(a))
    limits = ROUNDINGS * eigenvalues.shape[-1] * np.finfo(np.float64).eps * _compute_block_norms(balanced)
    return bool(np.all(np.abs(eigenvalues.imag / balanced.unit.numpy()) <= limits))


def _compute_block_norms(balanced: balancing.Balanced) -> np.ndarray:
    """Return, for each eigenvalue, the largest absolute row sum of the diagonal block that it belongs to."""
    blocks = balanced.blocks.numpy()
    in_block = blocks[..., :, None] == blocks[..., None, :]
    sums = np.where(in_block, np.abs(balanced.matrix.numpy()), 0).sum(-1)
    return np.where(in_block, sums[..., None, :], 0).max(-1)


def _fix_phases(vectors: tf.Tensor) -> tf.Tensor:
    """Rotate each eigenvector so that its largest element is positive, as LAPACK's zgeev does."""
    if 0 in vectors.shape.as_list():
        return vectors
    padding = [[0, 0]] * (shapes.rank(vectors) - 2) + [[0, 1], [0, 0]]
    rows = vectors if vectors.shape[-2] is not None else tf.pad(vectors, padding)  # argmax takes no empty matrix
    index = tf.argmax(tf.abs(rows), axis=-2)
    largest = tf.gather(tf.linalg.matrix_transpose(rows), index, axis=-1, batch_dims=shapes.rank(vectors) - 1)
    magnitude = tf.abs(largest)
    phase = largest / convert.cast(tf.where(magnitude > 0, magnitude, tf.ones_like(magnitude)), vectors.dtype)
    return vectors * tf.math.conj(phase)[..., None, :]


def _to_real(vectors: tf.Tensor) -> tf.Tensor:
    """Return the real parts of eigenvectors, normalized."""
    real = tf.math.real(vectors)
    norm = tf.sqrt(tf.reduce_sum(real * real, -2, keepdims=True))
    return real / tf.where(norm > 0, norm, tf.ones_like(norm))


def _cast_precision(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast to the precision of a dtype, single or double; complex tensors stay complex."""
    single = dtype in (tf.float32, tf.complex64)
    if tensor.dtype.is_complex:
        return convert.cast(tensor, tf.complex64 if single else tf.complex128)
    return convert.cast(tensor, tf.float32 if single else tf.float64)


def _is_lower(UPLO: Any) -> bool:
    """Return whether `UPLO` names the lower triangle. Raise NumPy's ValueError for an invalid value."""
    triangle = UPLO.upper()
    if triangle not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return triangle == "L"


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def eigh(a: ArrayLike, UPLO: str = "L") -> Any:
    """A matrix with inf or nan raises no error: its eigenvalues and eigenvectors are nan. Eigenvectors may have another
    phase than in NumPy.
    """
    lower = _is_lower(UPLO)
    a = as_squares(a)
    dtype = common_dtype(a)
    values, vectors = eigenvectors.hermitian_parts(eigenvectors.hermitian(upcast(a), lower))
    return EighResult(convert.cast(values, dtype.real_dtype), convert.cast(vectors, dtype))


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def eigvalsh(a: ArrayLike, UPLO: str = "L") -> tf.Tensor:
    """A matrix with inf or nan raises no error: its eigenvalues are nan."""
    lower = _is_lower(UPLO)
    a = as_squares(a)
    dtype = common_dtype(a)
    values = eigenvectors.hermitian_values(eigenvectors.hermitian(upcast(a), lower))
    return convert.cast(values, dtype.real_dtype)
