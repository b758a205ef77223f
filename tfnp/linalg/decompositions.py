"""Matrix decompositions: Cholesky, QR, SVD."""

from __future__ import annotations

import warnings
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.eager_tensors import is_on_host, needs_gradient
from tfnp._core.edge import array_function
from tfnp._core.layout import adjoint
from tfnp._core.parameters import ArrayLike
from tfnp._kernels.linalg import singular_values, triangular
from tfnp._kernels.linalg.eigenvectors import hermitian
from tfnp.linalg.eigenvalues import eigh, eigvalsh
from tfnp.linalg.operands import as_matrices, as_squares, common_dtype, upcast
from tfnp.linalg.results import QRResult, SVDResult

__all__ = ["cholesky", "qr", "svd", "svdvals"]

MODES: Final = ("reduced", "complete", "r", "raw")
_DEPRECATED_MODES: Final = {"f": "reduced", "full": "reduced", "e": "economic", "economic": "economic"}


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def cholesky(a: ArrayLike, /, *, upper: bool = False) -> tf.Tensor:
    """The factor is calculated in float64 or complex128, from one triangle only. A matrix that is not positive definite
    raises LinAlgError in eager mode and InvalidArgumentError when a graph runs; under XLA the factor is nan. Integers,
    booleans and bfloat16 give float64; float16 raises TypeError.
    """
    a = as_squares(a)
    dtype, is_upper = common_dtype(a), as_bool(upper, "upper")
    a = upcast(a)
    is_read_in_part = not is_upper and not a.dtype.is_complex and is_on_host(a) and not needs_gradient()
    factor = convert.cast(triangular.cholesky(a if is_read_in_part else hermitian(a, not is_upper)), dtype)
    return adjoint(factor) if is_upper else factor


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def qr(a: ArrayLike, mode: str = "reduced") -> Any:
    """The factors are calculated in float64 or complex128. Integers, booleans and bfloat16 give float64; float16 raises
    TypeError.
    """
    mode = _as_mode(mode)
    a = as_matrices(a)
    dtype = common_dtype(a)
    a = upcast(a)
    if mode in ("raw", "economic"):
        h, tau = (convert.cast(part, dtype) for part in triangular.reflections(a))
        return h if mode == "economic" else (tf.linalg.matrix_transpose(h), tau)
    rows, columns = a.shape[-2:]
    may_be_tall = rows is None or columns is None or rows > columns
    factorize = triangular.qr_complete if mode == "complete" and may_be_tall else triangular.qr
    q, r = (convert.cast(part, dtype) for part in factorize(a))
    return r if mode == "r" else QRResult(q, r)


def _as_mode(mode: Any) -> str:
    """Return the mode. Translate deprecated names, with a DeprecationWarning as in NumPy."""
    if mode in MODES:
        return str(mode)
    if not isinstance(mode, str) or mode not in _DEPRECATED_MODES:
        raise ValueError(f"Unrecognized mode '{mode}'")
    warnings.warn(f"The {mode!r} option is deprecated.", DeprecationWarning, stacklevel=4)
    return _DEPRECATED_MODES[mode]


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def svd(a: ArrayLike, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """The factors are calculated in float64 or complex128. A matrix that contains nan raises LinAlgError in eager mode
    and InvalidArgumentError when a graph runs; under XLA its singular values are nan. Integers, booleans and bfloat16
    give float64; float16 raises TypeError.
    """
    with_vectors = as_bool(compute_uv, "compute_uv")
    if as_bool(hermitian, "hermitian"):
        return _decompose_hermitian(a, with_vectors)
    a = as_matrices(a)
    dtype = common_dtype(a)
    if not with_vectors:
        return convert.cast(singular_values.find_singular_values(upcast(a)), dtype.real_dtype)
    is_full = as_bool(full_matrices, "full_matrices")
    factorize = singular_values.complete_parts if is_full else singular_values.reduced_parts
    s, u, v = factorize(upcast(a))
    return SVDResult(convert.cast(u, dtype), convert.cast(s, dtype.real_dtype), convert.cast(adjoint(v), dtype))


def _decompose_hermitian(a: Any, with_vectors: bool) -> Any:
    """Return the SVD of Hermitian matrices, or the singular values alone.

    Singular values are the magnitudes of eigenvalues, whose signs go to the right vectors.
    """
    if not with_vectors:
        return tf.sort(tf.abs(eigvalsh(a)), direction="DESCENDING")
    values, vectors = eigh(a)
    if 0 in values.shape.as_list():
        return SVDResult(vectors, values, adjoint(vectors))
    batch_dims = shapes.rank(values) - 1
    order = tf.argsort(tf.abs(values), direction="DESCENDING")
    values = tf.gather(values, order, batch_dims=batch_dims)
    vectors = tf.gather(vectors, order, axis=-1, batch_dims=batch_dims)
    one = tf.ones_like(values)
    signs = convert.cast(tf.where(values < 0, -one, one), vectors.dtype)
    return SVDResult(vectors, tf.abs(values), adjoint(vectors * signs[..., None, :]))


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def svdvals(x: ArrayLike, /) -> tf.Tensor:
    """The dtypes and errors are those of `svd`."""
    return svd(x, compute_uv=False, hermitian=False)
