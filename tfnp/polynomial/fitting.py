"""Series through points: least squares by singular values, and interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.polynomial.bases import CHEBYSHEV, Basis
from tfnp.polynomial.evaluation import vandermonde
from tfnp.routines.linear_algebra.products import dot
from tfnp.routines.math import ufuncs
from tfnp.routines.poly1d.fitting import as_inexact, check_points, least_squares, residuals_if_determined


@array_function(unknown_rank="each")
def fit(basis: Basis, x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
    """In double precision. With `full`, how many residuals there are depends on data, which XLA does not bear."""
    x, y = as_inexact(x), as_inexact(y)
    degrees = _degrees(deg)
    check_points(x, y)
    highest, order = int(np.max(degrees)), degrees.size
    left, right = vandermonde(basis, x, highest), y
    if degrees.ndim:
        left = layout.take(left, np.sort(degrees), 1)
    else:
        order = highest + 1
    if w is not None:
        weights = _weights(w, x)
        left = ufuncs.multiply(left, weights[:, None])
        right = ufuncs.multiply(right, weights if shapes.rank(y) == 1 else weights[:, None])
    count = shapes.shape(x)[0]
    if rcond is None:
        epsilon = to_tensor(np.finfo(dtypes.as_numpy(x.dtype)).eps)
        rcond = ufuncs.multiply(convert.cast(to_tensor(count), epsilon.dtype), epsilon)
    scale = _lengths(left)
    scale = convert.cast(scale, left.dtype) if dtypes.promotion.mode == "off" else scale
    found, residuals, rank, values = least_squares(ufuncs.divide(left, scale), right, rcond)
    found = ufuncs.divide(found, scale if shapes.rank(y) == 1 else scale[:, None])
    if degrees.ndim:
        found = _spread(found, np.sort(degrees), highest)
    if not full:
        return found
    return found, [residuals_if_determined(residuals, rank, order, count), rank, values, rcond]


def _degrees(deg: Any) -> np.ndarray:
    static = convert.static_value(deg)
    if static is None and isinstance(deg, tf.Tensor):
        raise TypeError("degrees must be known while tracing")
    degrees = np.asarray(static)
    if degrees.ndim > 1 or degrees.dtype.kind not in "iu" or degrees.size == 0:
        raise TypeError("deg must be an int or non-empty 1-D array of int")
    if degrees.min() < 0:
        raise ValueError("expected deg >= 0")
    return degrees


def _weights(w: Any, x: tf.Tensor) -> tf.Tensor:
    w = as_inexact(w)
    if shapes.rank(w) != 1:
        raise TypeError("expected 1D vector for w")
    if not x.shape.is_compatible_with(w.shape):
        raise TypeError("expected x and w to have same length")
    return w


def _lengths(left: tf.Tensor) -> tf.Tensor:
    """Of the columns; 1 for those of zeros."""
    squares = ufuncs.square(left)
    if left.dtype.is_complex:
        squares = ufuncs.add(ufuncs.square(tf.math.real(left)), ufuncs.square(tf.math.imag(left)))
    scale = ufuncs.sqrt(tf.reduce_sum(squares, 0))
    return layout.select(tf.equal(scale, 0), tf.ones_like(scale), scale)


def _spread(found: tf.Tensor, degrees: np.ndarray, highest: int) -> tf.Tensor:
    """Coefficients at their degrees, among zeros; of a degree that is named twice, the last."""
    indices = np.full(highest + 1, len(degrees))
    indices[degrees] = np.arange(len(degrees))
    return layout.take(tf.concat([found, tf.zeros_like(found[:1])], 0), indices, 0)


def chebyshev_points(npts: Any) -> np.ndarray:
    """Of the first kind: the zeros of a Chebyshev polynomial, made on the host."""
    return np.polynomial.chebyshev.chebpts1(npts)


def interpolate(func: Callable[..., Any], deg: Any, args: Any = ()) -> tf.Tensor:
    """The Chebyshev series through a function's values at Chebyshev points."""
    static = np.asarray(convert.static_value(deg))
    if static.ndim > 0 or static.dtype.kind not in "iu":
        raise TypeError("deg must be an int")
    if static < 0:
        raise ValueError("expected deg >= 0")
    order = int(static) + 1
    points = to_tensor(chebyshev_points(order), dtypes.default_float())
    sums = dot(tf.transpose(vandermonde(CHEBYSHEV, points, order - 1)), to_tensor(func(points, *args)))
    first, others = ufuncs.divide(sums[:1], order), ufuncs.divide(sums[1:], 0.5 * order)
    return tf.concat([convert.cast(part, sums.dtype) for part in (first, others)], 0)
