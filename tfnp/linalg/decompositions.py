"""Decompositions: Cholesky's, Q and R, singular values."""

from __future__ import annotations

import warnings
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.edge import array_function
from tfnp._kernels.linalg import singular_values, triangular
from tfnp._kernels.linalg.eigenvectors import hermitian
from tfnp._kernels.linalg.singular_values import adjoint
from tfnp.linalg.eigenvalues import eigh, eigvalsh
from tfnp.linalg.operands import as_matrices, as_squares, common_dtype, upcast
from tfnp.linalg.results import QRResult, SVDResult

__all__ = ["cholesky", "qr", "svd", "svdvals"]

MODES: Final = ("reduced", "complete", "r", "raw")
_OLD_MODES: Final = {"f": "reduced", "full": "reduced", "e": "economic", "economic": "economic"}


@array_function(promotes=("a",), unknown_rank="each")
def cholesky(a: Any, /, *, upper: Any = False) -> tf.Tensor:
    """Only one triangle is read. Of a matrix that is not positive definite, LinAlgError, in a graph
    InvalidArgumentError when it runs; under XLA, where nothing can raise, the triangle is nan.
    """
    a = as_squares(a)
    dtype, is_upper = common_dtype(a), as_bool(upper, "upper")
    factor = convert.cast(triangular.cholesky(hermitian(upcast(a), not is_upper)), dtype)
    return adjoint(factor) if is_upper else factor


@array_function(promotes=("a",), unknown_rank="each")
def qr(a: Any, mode: Any = "reduced") -> Any:
    """A named pair Q, R; in mode "r" R alone; in mode "raw" LAPACK's reflections, transposed, and their factors."""
    mode = _mode(mode)
    a = as_matrices(a)
    dtype = common_dtype(a)
    wide = upcast(a)
    if mode in ("raw", "economic"):
        whole, scales = (convert.cast(part, dtype) for part in triangular.reflections(wide))
        return whole if mode == "economic" else (tf.linalg.matrix_transpose(whole), scales)
    rows, columns = a.shape[-2:]
    tall = rows is None or columns is None or rows > columns
    function = triangular.qr
    if mode == "complete" and tall:
        function = triangular.qr_complete
    q, r = (convert.cast(part, dtype) for part in function(wide))
    return r if mode == "r" else QRResult(q, r)


def _mode(mode: Any) -> str:
    if mode in MODES:
        return str(mode)
    if mode not in _OLD_MODES:
        raise ValueError(f"Unrecognized mode '{mode}'")
    warnings.warn(f"The {mode!r} option is deprecated.", DeprecationWarning, stacklevel=4)
    return _OLD_MODES[mode]


@array_function(promotes=("a",), unknown_rank="each")
def svd(a: Any, full_matrices: Any = True, compute_uv: Any = True, hermitian: Any = False) -> Any:
    """A named triple U, S, Vh, or the singular values alone. Nan is LinAlgError, in a graph InvalidArgumentError when
    it runs; under XLA its singular values are nan.
    """
    wants_vectors = as_bool(compute_uv, "compute_uv")
    if as_bool(hermitian, "hermitian"):
        return _of_hermitian(a, wants_vectors)
    a = as_matrices(a)
    dtype = common_dtype(a)
    if not wants_vectors:
        return convert.cast(singular_values.find_singular_values(upcast(a)), dtype.real_dtype)
    is_full = as_bool(full_matrices, "full_matrices")
    function = singular_values.complete_parts if is_full else singular_values.reduced_parts
    values, left, right = function(upcast(a))
    return SVDResult(
        convert.cast(left, dtype), convert.cast(values, dtype.real_dtype), convert.cast(adjoint(right), dtype)
    )


def _of_hermitian(a: Any, wants_vectors: bool) -> Any:
    """Sizes of eigenvalues, greatest first; what is negative turns the right vectors."""
    if not wants_vectors:
        return tf.sort(tf.abs(eigvalsh(a)), direction="DESCENDING")
    values, vectors = eigh(a)
    if 0 in values.shape.as_list():
        return SVDResult(vectors, values, adjoint(vectors))
    batch = shapes.rank(values) - 1
    order = tf.argsort(tf.abs(values), direction="DESCENDING")
    values = tf.gather(values, order, batch_dims=batch)
    vectors = tf.gather(vectors, order, axis=-1, batch_dims=batch)
    one = tf.ones_like(values)
    signs = convert.cast(tf.where(values < 0, -one, one), vectors.dtype)
    return SVDResult(vectors, tf.abs(values), adjoint(vectors * signs[..., None, :]))


@array_function(promotes=("x",), unknown_rank="each")
def svdvals(x: Any, /) -> tf.Tensor:
    return svd(x, compute_uv=False, hermitian=False)
