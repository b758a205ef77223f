"""Matrices of a pattern: the identity, diagonals, triangles, powers."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, reduce_algorithms, shapes
from tfnp._core.arguments import check_like, on_device
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math.differences import decrement
from tfnp.routines.math.ufuncs import multiply

__all__ = ["diag", "diagflat", "eye", "identity", "tri", "tril", "triu", "vander"]


@array_function(unknown_rank="each")
def eye(
    N: Any, M: Any = None, k: Any = 0, dtype: Any = float, order: Any = "C", *, device: Any = None, like: Any = None
) -> tf.Tensor:
    check_like(like)
    kind = dtypes.as_numpy(dtype)
    with on_device(device):
        return convert.from_numpy(np.eye(_side(N), None if M is None else _side(M), _side(k), kind, order))


@array_function(unknown_rank="each")
def identity(n: Any, dtype: Any = None, *, like: Any = None) -> tf.Tensor:
    return eye(n, dtype=dtype, like=like)


@array_function(unknown_rank="each")
def tri(N: Any, M: Any = None, k: Any = 0, dtype: Any = float, *, like: Any = None) -> tf.Tensor:
    check_like(like)
    kind = dtypes.as_numpy(dtype)
    return convert.from_numpy(np.tri(_side(N), None if M is None else _side(M), convert.static_value(k), kind))


def _side(value: Any) -> Any:
    static = convert.static_value(value)
    if static is None:
        raise TypeError("the sides of the matrix, and its diagonal, must be known while tracing")
    return static


def _offset(k: Any) -> int:
    """Which diagonal, where NumPy takes integers only."""
    return shapes.as_int(k)


@array_function(promotes=("v",), unknown_rank="each")
def diag(v: Any, k: Any = 0) -> tf.Tensor:
    """The diagonal of a matrix is a copy, never a view."""
    v = to_tensor(v)
    rank = shapes.rank(v)
    if rank == 1:
        return _on_diagonal(v, _offset(k))
    if rank == 2:
        return _diagonal(v, _offset(k))
    raise ValueError("Input must be 1- or 2-d.")


def _on_diagonal(v: tf.Tensor, k: int) -> tf.Tensor:
    """One row after another, each the element and as many zeros as lie between it and the next."""
    count, shift = shapes.size(v), abs(k)
    dim = count + shift
    if isinstance(dim, int) and (count == 0 or dim == 0):
        return tf.zeros((dim, dim), v.dtype)
    return layout.pad(tf.linalg.diag(v), [(0, shift), (shift, 0)] if k >= 0 else [(shift, 0), (0, shift)])


def _diagonal(v: tf.Tensor, k: int) -> tf.Tensor:
    rows, columns = shapes.shape(v)
    first = k if k >= 0 else -k * columns
    if isinstance(rows, int) and isinstance(columns, int):
        count = max(min(rows, columns - k) if k >= 0 else min(rows + k, columns), 0)
        return layout.take(ravel(v), np.arange(count) * (columns + 1) + first, 0)
    least = tf.minimum(rows, columns - k) if k >= 0 else tf.minimum(rows + k, columns)
    index = layout.positions(tf.maximum(least, 0))
    return layout.take(ravel(v), index * tf.cast(columns + 1, tf.int64) + tf.cast(first, tf.int64), 0)


@array_function(promotes=("v",), unknown_rank="each")
def diagflat(v: Any, k: Any = 0) -> tf.Tensor:
    return _on_diagonal(ravel(v), _offset(k))


@array_function(promotes=("m",), unknown_rank="each")
def tril(m: Any, k: Any = 0) -> tf.Tensor:
    return _triangle(to_tensor(m), k, lower=True)


@array_function(promotes=("m",), unknown_rank="each")
def triu(m: Any, k: Any = 0) -> tf.Tensor:
    return _triangle(to_tensor(m), k, lower=False)


def _triangle(m: tf.Tensor, k: Any, *, lower: bool) -> tf.Tensor:
    """What is cut off is zero, whatever was there; a vector stands for every row of a square matrix."""
    rank = shapes.rank(m)
    if rank == 0:
        raise TypeError("tri() missing 1 required positional argument: 'N'")
    shape = shapes.shape(m)[-2:] if rank > 1 else shapes.shape(m) * 2
    k = convert.static_value(k)
    if shapes.is_static(shape):
        below = to_tensor(np.tri(shape[0], shape[1], k if lower else k - 1, bool))
    else:
        below = _is_below(shape, k if lower else k - 1)
    zero = tf.zeros((), m.dtype)
    return layout.select(below, m, zero) if lower else layout.select(below, zero, m)


def _is_below(shape: tuple[shapes.Dim, ...], k: Any) -> tf.Tensor:
    rows, columns = (tf.cast(layout.positions(dim), tf.float64) for dim in shape)
    return columns[None, :] + -k <= rows[:, None]  # of a sequence Python knows no negative


@array_function(promotes=("x",), unknown_rank="each")
def vander(x: Any, N: Any = None, increasing: Any = False) -> tf.Tensor:
    """Powers by repeated multiplication in the common dtype of `x` and int, as in NumPy."""
    x = to_tensor(x)
    if shapes.rank(x) != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    x = convert.cast(x, dtypes.promote_with_int(x.dtype))
    count = shapes.shape(x)[0] if N is None else shapes.as_int(N)
    if N is not None:
        shapes.as_shape((N,))  # a side is no truth value, and not negative
    factors = shapes.tile(x[:, None], [1, decrement(count)])
    factors = tf.concat([tf.ones_like(x)[:, None], factors], 1)
    powers = reduce_algorithms.scan(multiply, factors[:, :, None], associative=False)[:, :count, 0]  # errors as NumPy's
    return powers if increasing else layout.reverse(powers, (1,))
