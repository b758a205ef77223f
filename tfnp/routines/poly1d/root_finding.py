"""Polynomials from their roots, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._kernels.linalg.eigenvalues import find_eigenvalues
from tfnp.routines.math import ufuncs

__all__ = ["poly", "roots"]


@array_function(promotes=("seq_of_zeros",), unknown_rank="each")
def poly(seq_of_zeros: Any) -> Any:
    """Whether complex roots give real coefficients depends on values: in a graph, which cannot know them, they give
    complex ones. Of a square matrix it is the characteristic polynomial, by eigenvalues, which XLA does not know. Of no
    roots it is the Python number 1.0, as in NumPy.
    """
    zeros = to_tensor(seq_of_zeros)
    if shapes.rank(zeros) == 0:
        raise TypeError("roots are a sequence, or a square matrix")
    shape = tuple(zeros.shape)
    if len(shape) == 2 and shape[0] == shape[1] != 0:
        return _of_matrix(zeros)
    if len(shape) != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if shape[0] == 0:
        return 1.0
    code = dtypes.as_numpy(zeros.dtype).char
    return _real_if_paired(convert.cast(zeros, tf.as_dtype(np.dtype(code if code in "fFdD" else "d"))))


def _of_matrix(a: tf.Tensor) -> tf.Tensor:
    """In double precision, as NumPy finds eigenvalues. Those of a real matrix come in pairs."""
    if a.dtype == tf.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    single = a.dtype in (tf.float32, tf.complex64)
    found = find_eigenvalues(convert.cast(a, tf.complex128 if a.dtype.is_complex else tf.float64))
    if a.dtype.is_complex:
        return _real_if_paired(convert.cast(found, a.dtype))
    result = _product(found)
    result = tf.math.real(result) if result.dtype.is_complex else result
    return convert.cast(result, tf.float32) if single else result


def _real_if_paired(zeros: tf.Tensor) -> tf.Tensor:
    """Of complex roots that all come with their conjugates, the coefficients are real."""
    result = _product(zeros)
    static = convert.static_value(zeros) if zeros.dtype.is_complex else None
    if static is None:
        return result
    return tf.math.real(result) if np.array_equal(np.sort(static), np.sort(np.conj(static))) else result


def _product(zeros: tf.Tensor) -> tf.Tensor:
    """One factor after the other."""
    none = tf.zeros((1,), zeros.dtype)
    numbers = layout.positions(shapes.shape(zeros)[0])

    def times(product: tf.Tensor, factor: tuple[tf.Tensor, tf.Tensor]) -> tf.Tensor:
        zero, number = factor
        changed = ufuncs.subtract(product[1:], ufuncs.multiply(zero, product[:-1]))
        there = tf.less_equal(numbers, number)
        return tf.concat([product[:1], layout.select(there, changed, tf.zeros_like(zeros))], 0)

    return tf.foldl(times, (zeros, numbers), tf.concat([none + 1, tf.zeros_like(zeros)], 0))


@array_function(promotes=("p",), unknown_rank="each")
def roots(p: Any) -> tf.Tensor:
    """The eigenvalues of the companion matrix, which XLA does not know, in no order. In a graph they are complex, even
    if all are real.
    """
    p = to_tensor(p)
    if shapes.rank(p) == 0:
        raise TypeError("coefficients are a sequence")
    if shapes.rank(p) != 1:
        raise ValueError("Input must be a rank-1 array.")
    if p.shape[0] in {0, 1}:
        return tf.zeros((0,), dtypes.default_float())
    static = convert.static_value(p)
    return _among_unknown(p) if static is None else _among_known(p, np.flatnonzero(static))


def _among_known(p: tf.Tensor, indices: np.ndarray) -> tf.Tensor:
    """Given where coefficients are that are not zero."""
    if len(indices) == 0:
        return tf.zeros((0,), dtypes.default_float())
    first, last = int(indices[0]), int(indices[-1])
    after = shapes.as_int(p.shape[0]) - last - 1
    if first == last:
        return tf.zeros((after,), dtypes.default_float())
    found = find_eigenvalues(_companion(p[first : last + 1]))
    return tf.concat([found, tf.zeros((after,), found.dtype)], 0)


def _among_unknown(p: tf.Tensor) -> tf.Tensor:
    """A graph finds the first and the last coefficient that is not zero, and so the sides of the matrix."""
    counts = tf.cast(convert.cast(p, tf.bool), tf.int32)
    length, some = tf.size(p, tf.int64), tf.reduce_any(tf.cast(counts, tf.bool))
    first, after = tf.argmax(counts), tf.argmax(tf.reverse(counts, [0]))
    inner = dynamic_size.data_dependent(p[first : tf.where(some, length - after, first)])
    found = find_eigenvalues(_companion(inner))
    return tf.concat([found, tf.zeros((tf.where(some, after, 0),), found.dtype)], 0)


def _companion(p: tf.Tensor) -> tf.Tensor:
    """Of a polynomial whose first coefficient is not zero; of one without roots it has no sides."""
    if not (p.dtype.is_floating or p.dtype.is_complex):
        p = convert.cast(p, dtypes.default_float())
    dim = tf.maximum(tf.size(p) - 1, 0)
    top = ufuncs.negative(ufuncs.divide(p[1:], p[:1]))
    return tf.concat([top[None], tf.eye(tf.maximum(dim - 1, 0), dim, dtype=top.dtype)], 0)[:dim]
