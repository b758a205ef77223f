"""Companion matrices of series, and their roots."""

from __future__ import annotations

import functools
from typing import Final

import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike
from tfnp._kernels.linalg.eigenvalues import find_eigenvalues
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import minus
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import (
    MAX_BRANCHES,
    as_series_list,
    by_degree,
    find_last_index,
    is_dynamic,
    resize,
    static_length,
)
from tfnp.routines.sorting.sorting import sort

TOO_SHORT: Final = "Series must have maximum degree of at least 1."


def make_companion(basis: Basis, c: ArrayLike) -> tf.Tensor:
    """Return a matrix whose eigenvalues are the roots, symmetric where the basis is orthogonal and the series a basis
    polynomial. In a graph its shape depends on data.
    """
    (c,) = as_series_list(c)
    if is_dynamic(c):
        last = find_last_index(c)
        is_valid = tf.debugging.Assert(last > 0, [TOO_SHORT])
        with tf.control_dependencies([is_valid]):
            return dynamic_size.data_dependent(dynamic_length.make_companion(basis, c[: tf.maximum(last, 1) + 1]))
    if static_length(c) < 2:
        raise ValueError(TOO_SHORT)
    if static_length(c) == 2 and not tf.executing_eagerly():
        with tf.control_dependencies([tf.debugging.Assert(tf.not_equal(c[1], 0), [TOO_SHORT])]):
            return _make_matrix(basis, tf.identity(c))
    return by_degree(c, functools.partial(_make_matrix, basis))


@array_function(traces=("c",))
def _make_matrix(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    if static_length(c) < 2:
        return _fail(c)
    if static_length(c) == 2:
        return basis.root(c[0], c[1])[None, None]
    n = static_length(c) - 1
    frame = to_tensor(basis.frame(n), c.dtype)
    last = minus(frame[:, -1], basis.last_column(c, n))
    return tf.concat([frame[:, :-1], convert.cast(last, c.dtype)[:, None]], 1)


def _fail(c: tf.Tensor) -> tf.Tensor:
    """Fail when the graph runs."""
    with tf.control_dependencies([tf.debugging.Assert(tf.constant(False), [TOO_SHORT])]):
        return tf.identity(c[:0, None])


def find_roots(basis: Basis, c: ArrayLike) -> tf.Tensor:
    """Return the sorted roots: real if all are, but complex in a graph for degrees above 1. XLA cannot
    calculate them.
    """
    (c,) = as_series_list(c)
    if is_dynamic(c) or (convert.static_value(c) is None and static_length(c) > MAX_BRANCHES):
        return _find_roots_dynamic(basis, c)
    return by_degree(
        c, functools.partial(_find_roots, basis, is_dynamic_length=static_length(c) > 2 and not tf.executing_eagerly())
    )


def _find_roots_dynamic(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """Find the roots of a series whose length is unknown while tracing."""
    last = find_last_index(c)
    nonconstant = resize(c, tf.maximum(last, 1) + 1)  # keeps the matrix finite for a constant
    matrix = dynamic_length.make_companion(basis, tf.where(last > 0, nonconstant, tf.ones_like(nonconstant)))
    result = _compute_eigenvalues(matrix)
    return dynamic_size.data_dependent(convert.cast(result, dtypes.result_type(result, dtypes.COMPLEX64))[:last])


def _find_roots(basis: Basis, c: tf.Tensor, *, is_dynamic_length: bool) -> tf.Tensor:
    if static_length(c) < 2:
        result = c[:0]
    elif static_length(c) == 2:
        result = basis.root(c[0], c[1])[None]
    else:
        result = _compute_eigenvalues(_make_matrix(basis, c))
    return convert.cast(result, dtypes.result_type(result, dtypes.COMPLEX64)) if is_dynamic_length else result


def _compute_eigenvalues(matrix: tf.Tensor) -> tf.Tensor:
    """Return the sorted eigenvalues of the matrix rotated by 180 degrees, as in NumPy: errors are smaller, and roots at
    zero are exact, since no rotation fills in their columns.
    """
    return sort(find_eigenvalues(tf.reverse(matrix, [0, 1])))
