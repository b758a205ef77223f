"""Polynomials through points: least squares by singular values, as in NumPy."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._kernels.linalg import contraction
from tfnp.routines.creation.matrices import vander
from tfnp.routines.math import ufuncs

__all__ = ["polyfit"]

DIVERGED: Final = "SVD did not converge in Linear Least Squares"
STEPS: Final = 3  # of refinement: XLA's singular vectors are right to 1e-6 only


@array_function(promotes=("x", "y", "w"), unknown_rank="each")
def polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> tf.Tensor | tuple[Any, ...]:
    """In double precision. That numbers are finite is checked where they are known. With `full`, how many residuals
    there are depends on data, which XLA does not bear.
    """
    order = int(deg) + 1
    static = None if w is not None else convert.static_value(to_tensor(x))
    x, y = as_inexact(x), as_inexact(y)
    if deg < 0:
        raise ValueError("expected deg >= 0")
    check_points(x, y)
    count = shapes.shape(x)[0]
    if rcond is None:
        epsilon = to_tensor(np.finfo(dtypes.as_numpy(x.dtype)).eps)
        rcond = ufuncs.multiply(convert.cast(to_tensor(count), epsilon.dtype), epsilon)
    elif to_tensor(rcond).dtype.is_complex:
        raise TypeError("rcond must be a real number")
    elif shapes.rank(to_tensor(rcond)) != 0:
        raise ValueError("rcond must be a single number")
    left, right = vander(x, order), y
    if w is not None:
        left, right = _weighted(left, right, as_inexact(w))
    scale = ufuncs.sqrt(tf.reduce_sum(ufuncs.square(left), 0))
    left = ufuncs.divide(left, scale)
    if static is not None and not _is_solvable(np.asarray(static) + 0.0, order):
        raise np.linalg.LinAlgError(DIVERGED)
    found, residuals, rank, values = least_squares(left, right, rcond)
    found = ufuncs.divide(found, scale if y.shape.rank == 1 else scale[:, None])
    if full:
        return found, residuals_if_determined(residuals, rank, order, count), rank, values, rcond
    if not cov:
        return found
    return found, _covariance(left, scale, residuals, cov, order, y.shape.rank == 2)


def as_inexact(values: Any) -> tf.Tensor:
    """Return points or weights as floats; bfloat16, which linear algebra does not know, as float32."""
    values = ufuncs.add(to_tensor(values), 0.0)
    return convert.cast(values, tf.float32) if values.dtype == tf.bfloat16 else values


def _is_solvable(x: np.ndarray, order: int) -> bool:
    """Whether a matrix of powers is one of numbers still when its columns are divided by their lengths."""
    with np.errstate(all="ignore"):
        powers = np.vander(x, order)
        return bool(np.isfinite(powers / np.sqrt((powers * powers).sum(axis=0))).all())


def check_points(x: tf.Tensor, y: tf.Tensor) -> None:
    """NumPy's errors about the points that a fit goes by."""
    if shapes.rank(x) != 1:
        raise TypeError("expected 1D vector for x")
    if x.shape[0] == 0:
        raise TypeError("expected non-empty vector for x")
    if shapes.rank(y) not in {1, 2}:
        raise TypeError("expected 1D or 2D array for y")
    if not x.shape.is_compatible_with(y.shape[:1]):
        raise TypeError("expected x and y to have same length")


def _weighted(left: tf.Tensor, right: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    if shapes.rank(w) != 1:
        raise TypeError("expected a 1-d array for weights")
    message = "expected w and y to have the same length"
    if not w.shape.is_compatible_with(right.shape[:1]):
        raise TypeError(message)
    w = shapes.check_length(w, shapes.shape(right)[0], message)
    for dim in (left, right):
        dtypes.check_cast(dtypes.as_numpy(w.dtype), dtypes.as_numpy(dim.dtype), "same_kind", "ufunc 'multiply' output")
    left = convert.cast(ufuncs.multiply(left, w[:, None]), left.dtype)
    product = ufuncs.multiply(right, w if shapes.rank(right) == 1 else w[:, None])
    return left, convert.cast(product, right.dtype)


def least_squares(left: tf.Tensor, right: tf.Tensor, rcond: Any) -> tuple[tf.Tensor, ...]:
    """The solution of least norm, the sums of squares that are left, the rank, the singular values."""
    if right.dtype == tf.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    dtype = dtypes.result_type(left, right)
    columns = convert.cast(right if shapes.rank(right) == 2 else right[:, None], dtype)
    values, u, v = tf.linalg.svd(_finite(left))
    ratio = convert.cast(to_tensor(rcond), values.dtype)
    epsilon = tf.constant(np.finfo(values.dtype.as_numpy_dtype).eps / 2, values.dtype)
    ratio = tf.where(tf.logical_and(ratio > 0, ratio < 1), ratio, epsilon)  # LAPACK takes no other
    counts = tf.greater(values, ratio * values[0])
    safe = tf.where(counts, values, tf.ones_like(values))
    inverse = tf.where(counts, 1 / safe, tf.zeros_like(values))
    u, v = convert.cast(u, dtype), convert.cast(v, dtype)
    inverse, whole = convert.cast(inverse, dtype)[:, None], convert.cast(left, dtype)
    solution, remaining = tf.zeros((), dtype), columns
    for _ in range(STEPS):
        step = contraction.matmul(v, ufuncs.multiply(contraction.matmul(_adjoint(u), remaining), inverse))
        solution = ufuncs.add(solution, step)
        remaining = ufuncs.subtract(columns, contraction.matmul(whole, solution))
    remaining = ufuncs.absolute(remaining)
    residuals = tf.reduce_sum(ufuncs.square(remaining), 0)
    solution = solution if shapes.rank(right) == 2 else solution[:, 0]
    return solution, residuals, tf.reduce_sum(tf.cast(counts, tf.int32)), values


def _finite(a: tf.Tensor) -> tf.Tensor:
    is_valid = tf.reduce_all(ufuncs.isfinite(a))
    static = convert.static_value(is_valid)
    if static is None:
        with tf.control_dependencies([tf.debugging.Assert(is_valid, [DIVERGED])]):
            return tf.identity(a)
    if not static:
        raise np.linalg.LinAlgError(DIVERGED)
    return a


def _adjoint(a: tf.Tensor) -> tf.Tensor:
    return tf.linalg.matrix_transpose(a, conjugate=a.dtype.is_complex)


def residuals_if_determined(residuals: tf.Tensor, rank: tf.Tensor, order: int, count: shapes.Dim) -> tf.Tensor:
    """None where the points do not determine the polynomial, or are no more than it has coefficients."""
    if isinstance(count, int) and count <= order:
        return residuals[:0]
    determined = tf.logical_and(tf.equal(rank, order), tf.greater(count, order))
    return dynamic_size.data_dependent(residuals[: tf.where(determined, tf.shape(residuals)[0], 0)])


def _covariance(left: tf.Tensor, scale: tf.Tensor, residuals: tf.Tensor, cov: Any, order: int, several: bool) -> Any:
    inverse = _inverse(contraction.matmul(tf.transpose(left), left))
    inverse = ufuncs.divide(inverse, ufuncs.multiply(scale[:, None], scale[None, :]))
    factor: Any = 1
    if not (isinstance(cov, str) and cov == "unscaled"):
        count = shapes.shape(left)[0]
        if isinstance(count, int) and count <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = ufuncs.divide(residuals, count - order)
    return ufuncs.multiply(inverse[:, :, None] if several else inverse, factor)


def _inverse(a: tf.Tensor) -> tf.Tensor:
    try:
        return tf.linalg.inv(a)
    except tf.errors.InvalidArgumentError as error:
        raise np.linalg.LinAlgError("Singular matrix") from error
