"""Least-squares fits of polynomials, by singular value decomposition as in NumPy."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike
from tfnp._kernels.linalg import contraction
from tfnp.routines.creation.matrices import vander
from tfnp.routines.math import ufuncs

__all__ = ["polyfit"]

_DIVERGED: Final = "SVD did not converge in Linear Least Squares"
# Upstream bug: tensorflow-eigenvectors-inaccurate-xla
_REFINEMENT_STEPS: Final = 3  # XLA's singular vectors have a relative error of 1e-6


@array_function(promotes=("x", "y", "w"), unknown_rank="each", traces=("x", "y", "w"))
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: ArrayLike,
    rcond: ArrayLike | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool | str = False,
) -> tf.Tensor | tuple[Any, ...]:
    """`deg` must be static. Points that are not finite raise LinAlgError where they are static, else the graph fails
    when it runs. There is no RankWarning.

    With `full`, the number of residuals depends on values, which XLA does not support.
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
    left, right = vander(x, order), y
    if w is not None:
        left, right = _apply_weights(left, right, as_inexact(w))
    scale = ufuncs.sqrt(_sum_rows(ufuncs.square(left)))
    left = ufuncs.divide(left, scale)
    if static is not None and not _is_solvable(np.asarray(static) + 0.0, order):
        raise np.linalg.LinAlgError(_DIVERGED)
    coefficients, residuals, rank, values = least_squares(left, right, rcond)
    coefficients = ufuncs.divide(coefficients, scale if y.shape.rank == 1 else _as_column(scale))
    if full:
        return coefficients, select_residuals(residuals, rank, order, count), rank, values, rcond
    if not cov:
        return coefficients
    return coefficients, _compute_covariance(left, scale, residuals, cov, order, y.shape.rank == 2)


def as_inexact(values: ArrayLike) -> tf.Tensor:
    """Return points or weights as floats: bfloat16 as float32, since linear algebra does not support it."""
    values = ufuncs.add(to_tensor(values), 0.0)
    return convert.cast(values, tf.float32) if values.dtype == tf.bfloat16 else values


def _is_solvable(x: np.ndarray, order: int) -> bool:
    """Return whether the scaled Vandermonde matrix is finite."""
    with np.errstate(all="ignore"):
        powers = np.vander(x, order)
        return bool(np.isfinite(powers / np.sqrt((powers * powers).sum(axis=0))).all())


def check_points(x: tf.Tensor, y: tf.Tensor) -> None:
    """Raise NumPy's TypeError for points of the wrong shape."""
    if shapes.rank(x) != 1:
        raise TypeError("expected 1D vector for x")
    if x.shape[0] == 0:
        raise TypeError("expected non-empty vector for x")
    if shapes.rank(y) not in {1, 2}:
        raise TypeError("expected 1D or 2D array for y")
    if not x.shape.is_compatible_with(y.shape[:1]):
        raise TypeError("expected x and y to have same length")


def _apply_weights(left: tf.Tensor, right: tf.Tensor, w: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Multiply the rows of both sides of the equations by weights."""
    if shapes.rank(w) != 1:
        raise TypeError("expected a 1-d array for weights")
    message = "expected w and y to have the same length"
    if not w.shape.is_compatible_with(right.shape[:1]):
        raise TypeError(message)
    w = shapes.check_length(w, shapes.shape(right)[0], message)
    for operand in (left, right):
        target = dtypes.as_numpy(operand.dtype)
        dtypes.check_cast(dtypes.as_numpy(w.dtype), target, "same_kind", "ufunc 'multiply' output")
    left = convert.cast(ufuncs.multiply(left, w[:, None]), left.dtype)
    product = ufuncs.multiply(right, w if shapes.rank(right) == 1 else w[:, None])
    return left, convert.cast(product, right.dtype)


def least_squares(left: tf.Tensor, right: tf.Tensor, rcond: ArrayLike) -> tuple[tf.Tensor, ...]:
    """Return the solution of least norm, the sums of squared residuals, the rank, and the singular values."""
    cutoff = to_tensor(rcond)
    if cutoff.dtype.is_complex:
        raise TypeError("rcond must be a real number")
    if shapes.rank(cutoff) != 0:
        raise ValueError("rcond must be a scalar")
    if right.dtype == tf.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    dtype = dtypes.result_type(left, right)
    columns = convert.cast(right if shapes.rank(right) == 2 else _as_column(right), dtype)
    values, u, v = tf.linalg.svd(_check_finite(left))
    cutoff = convert.cast(cutoff, values.dtype)
    epsilon = tf.constant(np.finfo(values.dtype.as_numpy_dtype).eps / 2, values.dtype)
    zero, one = ops.scalar(0, values), ops.scalar(1, values)
    is_between = ops.logical_and(ops.greater(cutoff, zero), ops.less(cutoff, one))
    cutoff = layout.select(is_between, cutoff, epsilon)  # LAPACK replaces others, too
    is_significant = ops.greater(values, ops.multiply(cutoff, layout.element(values, 0)))
    inverse = layout.select(is_significant, ops.divide(one, layout.select(is_significant, values, one)), zero)
    u, v = convert.cast(u, dtype), convert.cast(v, dtype)
    inverse, matrix = _as_column(convert.cast(inverse, dtype)), convert.cast(left, dtype)
    u_adjoint = _adjoint(u)
    solution, residual = tf.zeros((), dtype), columns
    for _ in range(_REFINEMENT_STEPS):
        step = contraction.matmul(v, ufuncs.multiply(contraction.matmul(u_adjoint, residual), inverse))
        solution = ufuncs.add(solution, step)
        residual = ufuncs.subtract(columns, contraction.matmul(matrix, solution))
    residual = ufuncs.absolute(residual)
    residuals = _sum_rows(ufuncs.square(residual))
    solution = solution if shapes.rank(right) == 2 else ops.squeeze(solution, [1])
    return solution, residuals, tf.reduce_sum(tf.cast(is_significant, tf.int32)), values


def _check_finite(a: tf.Tensor) -> tf.Tensor:
    """Return a matrix. Raise LinAlgError if it is not finite."""
    is_valid = tf.reduce_all(ufuncs.isfinite(a))
    static = convert.static_value(is_valid)
    error = np.linalg.LinAlgError(_DIVERGED)
    if static is None:
        return check(is_valid, error, a)
    if not static:
        raise error
    return a


def _adjoint(a: tf.Tensor) -> tf.Tensor:
    return tf.linalg.matrix_transpose(a, conjugate=True) if a.dtype.is_complex else layout.move_axis(a, 1, 0)


def _as_column(vector: tf.Tensor) -> tf.Tensor:
    return ops.expand_dims(vector, shapes.const_int(1))


def _sum_rows(matrix: tf.Tensor) -> tf.Tensor:
    return ops.reduce_sum(matrix, shapes.const_int(0))


def select_residuals(residuals: tf.Tensor, rank: tf.Tensor, order: int, count: shapes.Dim) -> tf.Tensor:
    """Return no residuals where the points do not determine the polynomial, or are not more than its coefficients."""
    if isinstance(count, int) and count <= order:
        return residuals[:0]
    is_determined = tf.logical_and(tf.equal(rank, order), tf.greater(count, order))
    return dynamic_size.data_dependent(residuals[: tf.where(is_determined, tf.shape(residuals)[0], 0)])


def _compute_covariance(
    left: tf.Tensor, scale: tf.Tensor, residuals: tf.Tensor, cov: Any, order: int, has_columns: bool
) -> Any:
    """Return the covariance matrix of the coefficients, or one for each column of `y`."""
    inverse = _invert(contraction.matmul(tf.transpose(left), left))
    inverse = ufuncs.divide(inverse, ufuncs.multiply(scale[:, None], scale[None, :]))
    factor: Any = 1
    if not (isinstance(cov, str) and cov == "unscaled"):
        count = shapes.shape(left)[0]
        if isinstance(count, int) and count <= order:
            raise ValueError("the number of data points must exceed order to scale the covariance matrix")
        factor = ufuncs.divide(residuals, count - order)
    return ufuncs.multiply(inverse[:, :, None] if has_columns else inverse, factor)


def _invert(a: tf.Tensor) -> tf.Tensor:
    """Return the inverse. Raise LinAlgError for a singular matrix in eager mode."""
    try:
        return tf.linalg.inv(a)
    except tf.errors.InvalidArgumentError as error:
        raise np.linalg.LinAlgError("Singular matrix") from error
