"""Eigenvalues and eigenvectors."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.edge import array_function
from tfnp._kernels.linalg import balancing, eigenvectors
from tfnp._kernels.linalg.checks import assert_valid, is_finite_each
from tfnp.linalg.operands import as_squares, common_dtype, upcast
from tfnp.linalg.results import EighResult, EigResult

__all__ = ["eig", "eigh", "eigvals", "eigvalsh"]

INFINITE: Final = "Array must not contain infs or NaNs"
ROUNDINGS: Final = 32  # how many times the unit of the matrix an imaginary part may be that is none


@array_function(promotes=("a",), unknown_rank="each")
def eig(a: Any) -> Any:
    """A named pair: eigenvalues, and vectors as columns. As in NumPy they are real where all eigenvalues of a real
    matrix are; in a graph, which cannot know, complex. XLA has none: use `eigh`.
    """
    a = as_squares(a)
    dtype = common_dtype(a)
    values, vectors = _general(a, True)
    if _is_real(a, values):
        return EigResult(_rounded(tf.math.real(values), dtype), _rounded(_real_vectors(vectors), dtype))
    return EigResult(_rounded(values, dtype), _rounded(vectors, dtype))


@array_function(promotes=("a",), unknown_rank="each")
def eigvals(a: Any) -> tf.Tensor:
    """Real or complex as those of `eig`. XLA has none: use `eigvalsh`."""
    a = as_squares(a)
    dtype = common_dtype(a)
    values, _ = _general(a, False)
    return _rounded(tf.math.real(values) if _is_real(a, values) else values, dtype)


def _general(a: tf.Tensor, vectors: bool) -> tuple[tf.Tensor, ...]:
    wide = upcast(a)
    is_valid = tf.reduce_all(is_finite_each(wide))
    if tf.executing_eagerly():
        assert_valid(wide, is_valid, INFINITE)
        return eigenvectors.general_parts(wide, vectors)
    clean = tf.where(is_valid, wide, tf.zeros_like(wide))
    values, found = eigenvectors.general_parts(clean, vectors)
    return assert_valid(values, is_valid, INFINITE), found


def _is_real(a: tf.Tensor, values: tf.Tensor) -> bool:
    """Whether a real matrix is known to have real eigenvalues only. TensorFlow's algorithm is that of complex matrices,
    so that imaginary parts as small as its rounding errors are none: those of the balanced matrix.
    """
    if a.dtype.is_complex or not tf.executing_eagerly():
        return False
    static = values.numpy()
    if not static.imag.any():
        return True
    balanced = balancing.balance(upcast(a))
    limits = ROUNDINGS * static.shape[-1] * np.finfo(np.float64).eps * _block_sizes(balanced)
    return bool(np.all(np.abs(static.imag / balanced.unit.numpy()) <= limits))


def _block_sizes(balanced: balancing.Balanced) -> np.ndarray:
    """Return the greatest sum of a row of the block that each eigenvalue is in: they come block after block."""
    blocks = balanced.blocks.numpy()
    is_own = blocks[..., :, None] == blocks[..., None, :]
    sums = np.where(is_own, np.abs(balanced.matrix.numpy()), 0).sum(-1)
    return np.where(is_own, sums[..., None, :], 0).max(-1)


def _real_vectors(vectors: tf.Tensor) -> tf.Tensor:
    """Each turned by the phase of its greatest element, and again of length 1."""
    if 0 in vectors.shape.as_list():
        return tf.math.real(vectors)
    index = tf.argmax(tf.abs(vectors), axis=-2)
    greatest = tf.gather(tf.linalg.matrix_transpose(vectors), index, axis=-1, batch_dims=shapes.rank(vectors) - 1)
    size = tf.abs(greatest)
    phase = greatest / convert.cast(tf.where(size > 0, size, tf.ones_like(size)), vectors.dtype)
    turned = tf.math.real(vectors * tf.math.conj(phase)[..., None, :])
    length = tf.sqrt(tf.reduce_sum(turned * turned, -2, keepdims=True))
    return turned / tf.where(length > 0, length, tf.ones_like(length))


def _rounded(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """In the precision of a dtype, complex or not."""
    single = dtype in (tf.float32, tf.complex64)
    if tensor.dtype.is_complex:
        return convert.cast(tensor, tf.complex64 if single else tf.complex128)
    return convert.cast(tensor, tf.float32 if single else tf.float64)


def _is_lower(UPLO: Any) -> bool:
    triangle = UPLO.upper()
    if triangle not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return triangle == "L"


@array_function(promotes=("a",), unknown_rank="each")
def eigh(a: Any, UPLO: Any = "L") -> Any:
    """A named pair: real eigenvalues in rising order, and vectors as columns. Only one triangle is read. A matrix with
    infinities or nan has eigenvalues of nan.
    """
    lower = _is_lower(UPLO)
    a = as_squares(a)
    dtype = common_dtype(a)
    values, vectors = eigenvectors.hermitian_parts(eigenvectors.hermitian(upcast(a), lower))
    return EighResult(convert.cast(values, dtype.real_dtype), convert.cast(vectors, dtype))


@array_function(promotes=("a",), unknown_rank="each")
def eigvalsh(a: Any, UPLO: Any = "L") -> tf.Tensor:
    lower = _is_lower(UPLO)
    a = as_squares(a)
    dtype = common_dtype(a)
    values = eigenvectors.hermitian_values(eigenvectors.hermitian(upcast(a), lower))
    return convert.cast(values, dtype.real_dtype)
