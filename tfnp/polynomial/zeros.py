"""Companion matrices of series, and their roots."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes
from tfnp._core.convert import to_tensor
from tfnp.polynomial.arithmetic import minus
from tfnp.polynomial.bases import Basis
from tfnp.polynomial.coefficients import by_degree, length, series
from tfnp.routines.kernels.eigenvalues import spectrum
from tfnp.routines.sorting import sort


def companion(basis: Basis, c: Any) -> tf.Tensor:
    """A matrix whose eigenvalues are the roots, symmetric where the basis is orthogonal and the series a polynomial of
    it. In a graph its sides follow from values when that runs.
    """
    (c,) = series(c)
    if length(c) < 2:
        raise ValueError("Series must have maximum degree of at least 1.")
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
    message = "Series must have maximum degree of at least 1."
    with tf.control_dependencies([tf.debugging.Assert(tf.constant(False), [message])]):
        return tf.identity(c[:0, None])


def roots(basis: Basis, c: Any) -> tf.Tensor:
    """In order. Real if all are; in a graph, which cannot know, they are complex, from a degree of two on. XLA has no
    eigenvalues.
    """
    (c,) = series(c)
    return by_degree(c, functools.partial(_roots, basis, is_open=length(c) > 2 and not tf.executing_eagerly()))


def _roots(basis: Basis, c: tf.Tensor, *, is_open: bool) -> tf.Tensor:
    if length(c) < 2:
        found = c[:0]
    elif length(c) == 2:
        found = basis.root(c[0], c[1])[None]
    else:
        matrix = _matrix(basis, c)
        found = sort(spectrum(tf.reverse(matrix, [0, 1]) if basis.is_reversed else matrix))
    return convert.cast(found, dtypes.result_type(found, dtypes.COMPLEX64)) if is_open else found
