"""Polynomials from their roots, and roots of polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike
from tfnp._kernels.linalg.eigenvalues import find_eigenvalues
from tfnp.routines.math import ufuncs

__all__ = ["poly", "roots"]


@array_function(promotes=("seq_of_zeros",), unknown_rank="each", traces=("seq_of_zeros",))
def poly(seq_of_zeros: ArrayLike) -> Any:
    """The coefficients for complex roots in conjugate pairs are real where the roots are static, as in eager mode; in a
    graph they are complex.

    For a square matrix, XLA has no kernel of the eigenvalues. For an empty sequence, return the Python float 1.0, as
    NumPy does.
    """
    zeros = to_tensor(seq_of_zeros)
    if shapes.rank(zeros) == 0:
        raise TypeError("poly: expected a sequence of roots or a square matrix, got a scalar")
    shape = tuple(zeros.shape)
    if len(shape) == 2 and shape[0] == shape[1] != 0:
        return _expand_eigenvalues(zeros)
    if len(shape) != 1:
        raise ValueError("input must be 1d or non-empty square 2d array.")
    if shape[0] == 0:
        return 1.0
    code = dtypes.as_numpy(zeros.dtype).char
    return _expand_real_if_paired(convert.cast(zeros, tf.as_dtype(np.dtype(code if code in "fFdD" else "d"))))


def _expand_eigenvalues(a: tf.Tensor) -> tf.Tensor:
    """Return the characteristic polynomial of a square matrix. That of a real matrix is real."""
    if a.dtype == tf.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    is_single = a.dtype in (tf.float32, tf.complex64)
    eigenvalues_ = find_eigenvalues(convert.cast(a, tf.complex128 if a.dtype.is_complex else tf.float64))
    if a.dtype.is_complex:
        return _expand_real_if_paired(convert.cast(eigenvalues_, a.dtype))
    result = _expand_roots(eigenvalues_)
    result = tf.math.real(result) if result.dtype.is_complex else result
    return convert.cast(result, tf.float32) if is_single else result


def _expand_real_if_paired(zeros: tf.Tensor) -> tf.Tensor:
    """Return the coefficients: real ones if the roots are static and all come with their conjugates."""
    result = _expand_roots(zeros)
    static = convert.static_value(zeros) if zeros.dtype.is_complex else None
    if static is None:
        return result
    return tf.math.real(result) if np.array_equal(np.sort(static), np.sort(np.conj(static))) else result


def _expand_roots(zeros: tf.Tensor) -> tf.Tensor:
    """Return the coefficients of the product of all factors (x - root)."""
    zero_vector = tf.zeros((1,), zeros.dtype)
    positions = layout.positions(shapes.shape(zeros)[0])

    def multiply_factor(product: tf.Tensor, factor: tuple[tf.Tensor, tf.Tensor]) -> tf.Tensor:
        root, position = factor
        updated = ufuncs.subtract(product[1:], ufuncs.multiply(root, product[:-1]))
        is_inside = tf.less_equal(positions, position)
        return tf.concat([product[:1], layout.select(is_inside, updated, tf.zeros_like(zeros))], 0)

    return tf.foldl(multiply_factor, (zeros, positions), tf.concat([zero_vector + 1, tf.zeros_like(zeros)], 0))


@array_function(promotes=("p",), unknown_rank="each")
def roots(p: ArrayLike) -> tf.Tensor:
    """The order of the roots is arbitrary. In a graph they are complex, even if all are real.

    They are eigenvalues of the companion matrix, for which XLA has no kernel.
    """
    p = to_tensor(p)
    if shapes.rank(p) == 0:
        raise TypeError("roots: expected a sequence of coefficients, got a scalar")
    if shapes.rank(p) != 1:
        raise ValueError("Input must be a rank-1 array.")
    if p.shape[0] in {0, 1}:
        return tf.zeros((0,), dtypes.default_float())
    static = convert.static_value(p)
    return _find_roots_dynamic(p) if static is None else _find_roots(p, np.flatnonzero(static))


def _find_roots(p: tf.Tensor, indices: np.ndarray) -> tf.Tensor:
    """Return the roots, given the indices of the nonzero coefficients."""
    if len(indices) == 0:
        return tf.zeros((0,), dtypes.default_float())
    first, last = int(indices[0]), int(indices[-1])
    trailing_zeros = shapes.as_int(p.shape[0]) - last - 1
    if first == last:
        return tf.zeros((trailing_zeros,), dtypes.default_float())
    nonzero_roots = find_eigenvalues(_make_companion(p[first : last + 1]))
    return tf.concat([nonzero_roots, tf.zeros((trailing_zeros,), nonzero_roots.dtype)], 0)


def _find_roots_dynamic(p: tf.Tensor) -> tf.Tensor:
    """Return the roots of a polynomial whose first and last nonzero coefficients are known when the graph runs."""
    is_nonzero = tf.cast(convert.cast(p, tf.bool), tf.int32)
    length, has_nonzero = tf.size(p, tf.int64), tf.reduce_any(tf.cast(is_nonzero, tf.bool))
    first, trailing_zeros = tf.argmax(is_nonzero), tf.argmax(tf.reverse(is_nonzero, [0]))
    inner = dynamic_size.data_dependent(p[first : tf.where(has_nonzero, length - trailing_zeros, first)])
    nonzero_roots = find_eigenvalues(_make_companion(inner))
    return tf.concat([nonzero_roots, tf.zeros((tf.where(has_nonzero, trailing_zeros, 0),), nonzero_roots.dtype)], 0)


@array_function(traces=("p",))
def _make_companion(p: tf.Tensor) -> tf.Tensor:
    """Return the companion matrix of a polynomial with a nonzero first coefficient; empty for a constant."""
    if not (p.dtype.is_floating or p.dtype.is_complex):
        p = convert.cast(p, dtypes.default_float())
    dim = tf.maximum(tf.size(p) - 1, 0)
    top = ufuncs.negative(ufuncs.divide(p[1:], p[:1]))
    return tf.concat([top[None], tf.eye(tf.maximum(dim - 1, 0), dim, dtype=top.dtype)], 0)[:dim]
