"""Matrices of a pattern: the identity, diagonals, triangles, Vandermonde matrices."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, reduce_algorithms, shapes
from tfnp._core.arguments import check_like, on_device
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math.differences import decrement
from tfnp.routines.math.ufuncs import multiply

__all__ = ["diag", "diagflat", "eye", "identity", "tri", "tril", "triu", "vander"]

_FEW_COLUMNS: Final = 16


@array_function(unknown_rank="each")
def eye(
    N: IntLike,
    M: IntLike | None = None,
    k: IntLike = 0,
    dtype: DTypeLike | None = float,
    order: str = "C",
    *,
    device: str | None = None,
    like: None = None,
) -> tf.Tensor:
    """`N` and `M` may be tensors whose values are unknown while tracing, but not for XLA. `k` must be static."""
    check_like(like)
    dtype = dtypes.as_numpy(dtype)
    if _is_dynamic(N) or _is_dynamic(M):
        return _compare_indices(ops.equal, N, M, convert.as_static(k, "k", "eye"), dtype)
    rows, offset = convert.as_static(N, "N", "eye"), convert.as_static(k, "k", "eye")
    columns = None if M is None else convert.as_static(M, "M", "eye")
    with on_device(device):
        return convert.from_numpy(np.eye(rows, columns, offset, dtype, order))


@array_function(unknown_rank="each")
def identity(n: IntLike, dtype: DTypeLike | None = None, *, like: None = None) -> tf.Tensor:
    """`n` may be a tensor, as `N` of `eye`."""
    return eye(n, dtype=dtype, like=like)


@array_function(unknown_rank="each")
def tri(
    N: IntLike, M: IntLike | None = None, k: IntLike = 0, dtype: DTypeLike | None = float, *, like: None = None
) -> tf.Tensor:
    """`N` and `M` may be tensors whose values are unknown while tracing, but not for XLA. `k` must be static."""
    check_like(like)
    dtype = dtypes.as_numpy(dtype)
    if _is_dynamic(N) or _is_dynamic(M):
        return _compare_indices(ops.greater_equal, N, M, convert.as_static(k, "k", "tri"), dtype)
    rows, columns = convert.as_static(N, "N", "tri"), None if M is None else convert.as_static(M, "M", "tri")
    return convert.from_numpy(np.tri(rows, columns, convert.static_value(k), dtype))


def _is_dynamic(length: Any) -> bool:
    return isinstance(length, tf.Tensor) and convert.static_value(length) is None


def _compare_indices(compare: Any, rows: Any, columns: Any, offset: Any, dtype: np.dtype) -> tf.Tensor:
    """Return ones where a comparison holds of the index of a row, plus an offset, and that of a column; else zeros."""
    row, column = (tf.range(tf.cast(dim, tf.int64)) for dim in (rows, rows if columns is None else columns))
    return convert.cast(compare(row[:, None] + int(offset), column), dtypes.as_dtype(dtype))


@array_function(promotes=("v",), unknown_rank="each", traces=("v",))
def diag(v: ArrayLike, k: IntLike = 0) -> tf.Tensor:
    """Return a copy, never a view. `k` must be static."""
    v = to_tensor(v)
    rank = shapes.rank(v)
    if rank == 1:
        return _make_diagonal(v, shapes.as_int(k))
    if rank == 2:
        return _take_diagonal(v, shapes.as_int(k))
    raise ValueError("Input must be 1- or 2-d.")


def _make_diagonal(v: tf.Tensor, k: int) -> tf.Tensor:
    """Return a matrix with the vector on its k-th diagonal."""
    count, offset = shapes.size(v), abs(k)
    dim = count + offset
    if isinstance(dim, int) and (count == 0 or dim == 0):
        return tf.zeros((dim, dim), v.dtype)
    matrix = tf.where(tf.eye(shapes.size(v), dtype=tf.bool), v, "") if v.dtype == tf.string else tf.linalg.diag(v)
    return layout.pad(matrix, [(0, offset), (offset, 0)] if k >= 0 else [(offset, 0), (0, offset)])


def _take_diagonal(v: tf.Tensor, k: int) -> tf.Tensor:
    """Return the k-th diagonal of a matrix."""
    rows, columns = shapes.shape(v)
    first = k if k >= 0 else -k * columns
    if isinstance(rows, int) and isinstance(columns, int):
        count = max(min(rows, columns - k) if k >= 0 else min(rows + k, columns), 0)
        return layout.take(ravel(v), np.arange(count) * (columns + 1) + first, 0)
    length = tf.minimum(rows, columns - k) if k >= 0 else tf.minimum(rows + k, columns)
    index = layout.positions(tf.maximum(length, 0))
    return layout.take(ravel(v), index * tf.cast(columns + 1, tf.int64) + tf.cast(first, tf.int64), 0)


@array_function(promotes=("v",), unknown_rank="each", traces=("v",))
def diagflat(v: ArrayLike, k: IntLike = 0) -> tf.Tensor:
    """`k` must be static."""
    return _make_diagonal(ravel(v), shapes.as_int(k))


@array_function(promotes=("m",), unknown_rank="each", traces=("m",))
def tril(m: ArrayLike, k: IntLike = 0) -> tf.Tensor:
    """`k` must be static. The gradient outside of the triangle is zero."""
    return _mask_triangle(to_tensor(m), k, lower=True)


@array_function(promotes=("m",), unknown_rank="each", traces=("m",))
def triu(m: ArrayLike, k: IntLike = 0) -> tf.Tensor:
    """`k` must be static. The gradient outside of the triangle is zero."""
    return _mask_triangle(to_tensor(m), k, lower=False)


def _mask_triangle(m: tf.Tensor, k: Any, *, lower: bool) -> tf.Tensor:
    """Replace the other triangle by zeros, whatever was there. A vector is broadcast to the rows of a square matrix."""
    rank = shapes.rank(m)
    if rank == 0:
        raise TypeError(f"{'tril' if lower else 'triu'}: m must have at least one axis, got a 0-d array")
    shape = shapes.shape(m)[-2:] if rank > 1 else shapes.shape(m) * 2
    k = convert.static_value(k)
    if (
        rank > 1
        and m.dtype != tf.string
        and type(k) is int
        and (k >= 0 if lower else k <= 0)
        and shapes.is_static(shape)
    ):
        lower_count, upper_count = (-1, min(k, shape[1])) if lower else (min(-k, shape[0]), -1)
        return tf.linalg.band_part(m, lower_count, upper_count)
    if shapes.is_static(shape):
        is_lower = to_tensor(np.tri(shape[0], shape[1], k if lower else k - 1, bool))
    else:
        is_lower = _make_lower_mask(shape, k if lower else k - 1)
    zero = tf.zeros((), m.dtype)
    return layout.select(is_lower, m, zero) if lower else layout.select(is_lower, zero, m)


def _make_lower_mask(shape: tuple[shapes.Dim, ...], k: Any) -> tf.Tensor:
    """Return a bool matrix that is True on and below the k-th diagonal."""
    rows, columns = (tf.cast(layout.positions(dim), tf.float64) for dim in shape)
    return columns[None, :] + -k <= rows[:, None]  # `-k` raises for a sequence, as in NumPy


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def vander(x: ArrayLike, N: IntLike | None = None, increasing: bool = False) -> tf.Tensor:
    """`N` must be static. The powers are repeated products in the common dtype of `x` and int64, as in NumPy."""
    x = to_tensor(x)
    if shapes.rank(x) != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    dtypes.check_arithmetic(x.dtype, "vander")
    x = convert.cast(x, dtypes.promote_with_int(x.dtype))
    count = shapes.shape(x)[0] if N is None else shapes.as_int(N)
    if N is not None:
        shapes.as_shape((N,))  # raises for bools and negative integers
    if isinstance(count, int) and 0 < count <= _FEW_COLUMNS and not x.dtype.is_complex:
        columns = [ops.ones_like(x), x]
        while len(columns) < count:
            columns.append(multiply(columns[-1], x))
        columns = columns[:count]
        return ops.stack(columns if increasing else columns[::-1], 1)
    factors = shapes.tile(x[:, None], [1, decrement(count)])
    factors = tf.concat([tf.ones_like(x)[:, None], factors], 1)
    powers = reduce_algorithms.scan(multiply, factors[:, :, None], associative=False)[:, :count, 0]
    return powers if increasing else layout.reverse(powers, (1,))
