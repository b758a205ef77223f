"""Linear equations and inverses.

A system without a solution raises LinAlgError in eager mode and InvalidArgumentError when a graph runs; under XLA,
where nothing can raise, the result is nan.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike
from tfnp._core.xla import is_for_xla
from tfnp._kernels.linalg import eigenvectors, elimination, singular_values
from tfnp._kernels.linalg.checks import assert_valid, is_finite_each
from tfnp.linalg.operands import LinAlgError, as_matrices, as_squares, check_2d, common_dtype, upcast
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs

__all__ = ["inv", "lstsq", "pinv", "solve", "tensorinv", "tensorsolve"]

DIVERGED = "SVD did not converge in Linear Least Squares"


@array_function(promotes=("a", "b"), unknown_rank="each")
def solve(a: ArrayLike, b: ArrayLike) -> tf.Tensor:
    """A singular matrix raises LinAlgError in eager mode and InvalidArgumentError when a graph runs; under XLA the
    solution is nan. It is calculated in float64 or complex128.
    """
    a = as_squares(a)
    b = to_tensor(b)
    dtype = common_dtype(a, b)
    is_vector = shapes.rank(b) == 1
    if shapes.rank(b) < 1:
        raise ValueError("solve: Input operand 1 does not have enough dimensions (has 0, needs 1 or 2)")
    a, b = upcast(a, dtype), upcast(b, dtype)
    b = b[:, None] if is_vector else b
    columns, rows = a.shape[-1], b.shape[-2]
    if None not in (columns, rows) and columns != rows:
        raise ValueError(f"solve: Input operand 1 has a mismatch in its core dimension 0 (size {rows}, not {columns})")
    batch = shapes.broadcast_shapes(shapes.shape(a)[:-2], shapes.shape(b)[:-2])
    a = shapes.broadcast_to(a, (*batch, *shapes.shape(a)[-2:]))
    b = shapes.broadcast_to(b, (*batch, *shapes.shape(b)[-2:]))
    x = convert.cast(elimination.solve(a, b), dtype)
    return x[..., 0] if is_vector else x


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def inv(a: ArrayLike) -> tf.Tensor:
    """A singular matrix raises LinAlgError in eager mode and InvalidArgumentError when a graph runs; under XLA the
    inverse is nan. It is calculated in float64 or complex128.
    """
    a = as_squares(a)
    dtype = common_dtype(a)
    a = upcast(a)
    return convert.cast(elimination.solve(a, elimination.identity_like(a)), dtype)


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: AxisLike = None) -> tf.Tensor:
    """A singular system raises the errors of `solve`."""
    a, b = to_tensor(a), to_tensor(b)
    rank = shapes.rank(a)
    if axes is not None:
        order = list(range(rank))
        for axis in axes:
            order.remove(axis)
            order.insert(rank, axis)
        a = layout.transpose(a, tuple(order))
    shape = shapes.shape(a)[-(rank - shapes.rank(b)) :]
    dim = layout.product(shape)
    count = shapes.size(a)
    if shapes.is_static((dim, count)) and count != dim**2:
        raise LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    x = solve(shapes.reshape(a, (dim, dim)), ravel(b))
    return shapes.reshape(x, shape)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def tensorinv(a: ArrayLike, ind: ArrayLike = 2) -> tf.Tensor:
    """`ind` must be static. A singular matrix raises the errors of `inv`."""
    a = to_tensor(a)
    count = convert.static_value(ind)
    if not count > 0:
        raise ValueError(f"ind must be positive, got {count}")
    shape = shapes.shape(a)
    columns = layout.product(shape[count:])
    inverse = inv(shapes.reshape(a, (columns, -1)))
    if not shape:
        raise TypeError("tensorinv: a must have at least one axis, got a 0-d array")
    return shapes.reshape(inverse, (*shape[count:], *shape[:count]))


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def pinv(
    a: ArrayLike, rcond: ArrayLike | None = None, hermitian: bool = False, *, rtol: ArrayLike = np._NoValue
) -> tf.Tensor:
    """The result is calculated in float64 or complex128. `rcond` and `rtol` may be tensors."""
    a = to_tensor(a)
    cutoff = to_tensor(_as_cutoff(a, rcond, rtol))
    if a.shape.num_elements() == 0 and math.prod(shapes.shape(a)[-2:]) == 0:
        return tf.linalg.matrix_transpose(a)
    is_hermitian = as_bool(hermitian, "hermitian")
    a = as_squares(a) if is_hermitian else as_matrices(a)
    dtype = common_dtype(a)
    a = eigenvectors.hermitian(upcast(a)) if is_hermitian else upcast(a)
    inverse, _ = singular_values.pseudo_inverse(a, convert.cast(cutoff, tf.float64))
    return convert.cast(inverse, dtype)


def _as_cutoff(a: tf.Tensor, rcond: Any, rtol: Any) -> Any:
    """Return `rcond` or `rtol`, whichever is set, or NumPy's default. Raise ValueError if both are set."""
    if rcond is not None:
        if rtol is not np._NoValue:
            raise ValueError("`rtol` and `rcond` can't be both set.")
        return rcond
    if rtol is np._NoValue:
        return 1e-15
    if rtol is not None:
        return rtol
    return ufuncs.multiply(shapes.max_dim(*shapes.shape(a)[-2:]), float(np.finfo(dtypes.as_numpy(a.dtype)).eps))


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def lstsq(a: ArrayLike, b: ArrayLike, rcond: ArrayLike | None = None) -> tuple[tf.Tensor, ...]:
    """The rank is an int32 tensor. Under XLA, whose shapes are static, the residuals of a matrix without full rank are
    nan, where they are otherwise empty. inf and nan raise LinAlgError in eager mode and InvalidArgumentError when a
    graph runs.
    """
    a, b = to_tensor(a), to_tensor(b)
    is_vector = shapes.rank(b) == 1
    b = b[:, None] if is_vector else b
    check_2d(a, b)
    rows, columns = shapes.shape(a)
    if not a.shape[:1].is_compatible_with(b.shape[:1]):
        raise LinAlgError("Incompatible dimensions")
    dtype = common_dtype(a, b)
    a, b = upcast(a, dtype), upcast(b, dtype)
    cutoff = _as_lapack_cutoff(rcond, rows, columns)
    is_valid = tf.reduce_all(is_finite_each(a)) & tf.reduce_all(is_finite_each(b))
    a = assert_valid(a, is_valid, DIVERGED)
    inverse, s = singular_values.pseudo_inverse(a, cutoff)
    rank = tf.reduce_sum(tf.cast(singular_values.are_significant(s, cutoff), tf.int32))
    x = tf.matmul(inverse, b)
    errors = ufuncs.absolute(b - tf.matmul(a, x))
    residuals = _trim_residuals(tf.reduce_sum(errors * errors, 0), rank, rows, columns)
    real = dtype.real_dtype
    x = convert.cast(x[:, 0] if is_vector else x, dtype)
    return x, convert.cast(residuals, real), rank, convert.cast(s, real)


def _as_lapack_cutoff(rcond: Any, rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    """Return `rcond` as LAPACK uses it: a value that is not between 0 and 1 becomes the machine epsilon
    (https://www.netlib.org/lapack/explore-html/d4/d36/dlalsd_8f_source.html).
    """
    eps = np.finfo(np.float64).eps
    if rcond is None:
        return convert.cast(to_tensor(shapes.max_dim(rows, columns)), tf.float64) * eps
    cutoff = convert.cast(to_tensor(rcond), tf.float64)
    if shapes.rank(cutoff) > 0:
        raise ValueError(f"rcond must be a scalar, got shape {cutoff.shape}")
    return tf.where((cutoff > 0) & (cutoff < 1), cutoff, tf.constant(eps / 2, tf.float64))


def _trim_residuals(residuals: tf.Tensor, rank: tf.Tensor, rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    """Return the residuals of an overdetermined system of full rank, else an empty tensor, or nan under XLA."""
    if shapes.is_static((rows, columns)) and rows <= columns:
        return residuals[:0]
    has_residuals = tf.equal(rank, columns) & (rows > columns)
    if is_for_xla():
        return tf.where(has_residuals, residuals, tf.constant(np.nan, residuals.dtype))
    return dynamic_size.data_dependent(residuals[: tf.where(has_residuals, tf.shape(residuals)[0], 0)])
