"""Companion matrices of series, and their roots."""

from __future__ import annotations

import functools
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size
from tfnp._core.convert import to_tensor
from tfnp._kernels.linalg.eigenvalues import find_eigenvalues
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import minus
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import by_degree, is_open, last_index, length, resize, series
from tfnp.routines.sorting.sorting import sort

TOO_SHORT: Final = "Series must have maximum degree of at least 1."


def companion(basis: Basis, c: Any) -> tf.Tensor:
    """A matrix whose eigenvalues are the roots, symmetric where the basis is orthogonal and the series a polynomial of
    it. In a graph its sides follow from values when that runs.
    """
    (c,) = series(c)
    if is_open(c):
        last = last_index(c)
        is_valid = tf.debugging.Assert(last > 0, [TOO_SHORT])
        with tf.control_dependencies([is_valid]):
            return dynamic_size.data_dependent(dynamic_length.companion(basis, c[: tf.maximum(last, 1) + 1]))
    if length(c) < 2:
        raise ValueError(TOO_SHORT)
    return by_degree(c, functools.partial(_matrix, basis))


def _matrix(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    if length(c) < 2:
        return _refused(c)
    if length(c) == 2:
        return basis.root(c[0], c[1])[None, None]
    n = length(c) - 1
    frame = to_tensor(basis.frame(n), c.dtype)
    last = minus(frame[:, -1], basis.column(c, n))
    return tf.concat([frame[:, :-1], convert.cast(last, c.dtype)[:, None]], 1)


def _refused(c: tf.Tensor) -> tf.Tensor:
    """When a graph runs."""
    with tf.control_dependencies([tf.debugging.Assert(tf.constant(False), [TOO_SHORT])]):
        return tf.identity(c[:0, None])


def roots(basis: Basis, c: Any) -> tf.Tensor:
    """In order. Real if all are; in a graph, which cannot know, they are complex, from a degree of two on. XLA has no
    eigenvalues.
    """
    (c,) = series(c)
    if is_open(c):
        return _roots_of_open(basis, c)
    return by_degree(c, functools.partial(_roots, basis, is_open=length(c) > 2 and not tf.executing_eagerly()))


def _roots_of_open(basis: Basis, c: tf.Tensor) -> tf.Tensor:
    """Where the length is known when the graph runs."""
    last = last_index(c)
    kept = resize(c, tf.maximum(last, 1) + 1)  # of a constant there is no root, nor may eigenvalues be nan
    matrix = dynamic_length.companion(basis, tf.where(last > 0, kept, tf.ones_like(kept)))
    found = _eigenvalues(matrix)
    return dynamic_size.data_dependent(convert.cast(found, dtypes.result_type(found, dtypes.COMPLEX64))[:last])


def _roots(basis: Basis, c: tf.Tensor, *, is_open: bool) -> tf.Tensor:
    if length(c) < 2:
        found = c[:0]
    elif length(c) == 2:
        found = basis.root(c[0], c[1])[None]
    else:
        found = _eigenvalues(_matrix(basis, c))
    return convert.cast(found, dtypes.result_type(found, dtypes.COMPLEX64)) if is_open else found


def _eigenvalues(matrix: tf.Tensor) -> tf.Tensor:
    """In order, of the matrix turned about: errors are smaller, and roots at the origin, however many, are exact, since
    no rotation brings anything below the diagonal in their columns.
    """
    return sort(find_eigenvalues(tf.reverse(matrix, [0, 1])))
