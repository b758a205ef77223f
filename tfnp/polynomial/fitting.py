"""Least-squares fits by singular values, and interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp.polynomial.bases import CHEBYSHEV, Basis
from tfnp.polynomial.evaluation import make_vandermonde
from tfnp.routines.linear_algebra.products import dot
from tfnp.routines.math import ufuncs
from tfnp.routines.poly1d.fitting import as_inexact, check_points, least_squares, select_residuals


@array_function(unknown_rank="each", traces=("x", "y", "w"))
def fit(
    basis: Basis,
    x: ArrayLike,
    y: ArrayLike,
    deg: ArrayLike,
    rcond: ArrayLike | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
) -> Any:
    """Fit in double precision. With `full`, the number of residuals depends on data, which XLA rejects."""
    x, y = as_inexact(x), as_inexact(y)
    degrees = _as_degrees(deg)
    check_points(x, y)
    max_degree, order = int(np.max(degrees)), degrees.size
    matrix, targets = make_vandermonde(basis, x, max_degree), y
    if degrees.ndim:
        matrix = layout.take(matrix, np.sort(degrees), 1)
    else:
        order = max_degree + 1
    if w is not None:
        weights = _as_weights(w, x)
        matrix = ufuncs.multiply(matrix, weights[:, None])
        targets = ufuncs.multiply(targets, weights if shapes.rank(y) == 1 else weights[:, None])
    count = shapes.shape(x)[0]
    if rcond is None:
        epsilon = to_tensor(np.finfo(dtypes.as_numpy(x.dtype)).eps)
        rcond = ufuncs.multiply(convert.cast(to_tensor(count), epsilon.dtype), epsilon)
    scale = _compute_column_norms(matrix)
    scale = convert.cast(scale, matrix.dtype) if dtypes.promotion.mode == "off" else scale
    coefficients, residuals, rank, values = least_squares(ufuncs.divide(matrix, scale), targets, rcond)
    coefficients = ufuncs.divide(coefficients, scale if shapes.rank(y) == 1 else scale[:, None])
    if degrees.ndim:
        coefficients = _scatter_coefficients(coefficients, np.sort(degrees), max_degree)
    if not full:
        return coefficients
    return coefficients, [select_residuals(residuals, rank, order, count), rank, values, rcond]


def _as_degrees(deg: Any) -> np.ndarray:
    static = convert.static_value(deg)
    if static is None and isinstance(deg, tf.Tensor):
        raise requires_static("deg", "fit")
    degrees = np.asarray(static)
    if degrees.ndim > 1 or degrees.dtype.kind not in "iu" or degrees.size == 0:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if degrees.min() < 0:
        raise ValueError("expected deg >= 0")
    return degrees


def _as_weights(w: Any, x: tf.Tensor) -> tf.Tensor:
    w = as_inexact(w)
    if shapes.rank(w) != 1:
        raise TypeError("expected 1D vector for w")
    if not x.shape.is_compatible_with(w.shape):
        raise TypeError("expected x and w to have same length")
    return w


def _compute_column_norms(matrix: tf.Tensor) -> tf.Tensor:
    """Return the norm of each column, or 1 for a column of zeros."""
    squares = ufuncs.square(matrix)
    if matrix.dtype.is_complex:
        squares = ufuncs.add(ufuncs.square(tf.math.real(matrix)), ufuncs.square(tf.math.imag(matrix)))
    scale = ufuncs.sqrt(tf.reduce_sum(squares, 0))
    return layout.select(tf.equal(scale, 0), tf.ones_like(scale), scale)


def _scatter_coefficients(coefficients: tf.Tensor, degrees: np.ndarray, max_degree: int) -> tf.Tensor:
    """Put coefficients at their degrees, with zeros elsewhere; of a repeated degree, the last."""
    indices = np.full(max_degree + 1, len(degrees))
    indices[degrees] = np.arange(len(degrees))
    return layout.take(tf.concat([coefficients, tf.zeros_like(coefficients[:1])], 0), indices, 0)


def make_chebyshev_points(npts: IntLike) -> np.ndarray:
    """Return the Chebyshev points of the first kind, as a NumPy array."""
    return np.polynomial.chebyshev.chebpts1(npts)


def interpolate(func: Callable[..., Any], deg: IntLike, args: Any = ()) -> tf.Tensor:
    """Interpolate a function at the Chebyshev points."""
    static = np.asarray(convert.static_value(deg))
    if static.ndim > 0 or static.dtype.kind not in "iu":
        raise TypeError("deg must be an int")
    if static < 0:
        raise ValueError("expected deg >= 0")
    order = int(static) + 1
    points = to_tensor(make_chebyshev_points(order), dtypes.default_float())
    sums = dot(tf.transpose(make_vandermonde(CHEBYSHEV, points, order - 1)), to_tensor(func(points, *args)))
    first, higher_sums = ufuncs.divide(sums[:1], order), ufuncs.divide(sums[1:], 0.5 * order)
    return tf.concat([convert.cast(part, sums.dtype) for part in (first, higher_sums)], 0)
