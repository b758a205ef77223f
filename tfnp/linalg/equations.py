"""Equations and inverses. What has no solution is LinAlgError, in a graph InvalidArgumentError when it runs, under XLA,
where nothing can raise, nan.
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
from tfnp._core.xla import is_for_xla
from tfnp._kernels.linalg import eigenvectors, elimination, singular_values
from tfnp._kernels.linalg.checks import assert_valid, is_finite_each
from tfnp.linalg.operands import LinAlgError, as_matrices, as_squares, check_plane, common_dtype, upcast
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs

__all__ = ["inv", "lstsq", "pinv", "solve", "tensorinv", "tensorsolve"]

DIVERGED = "SVD did not converge in Linear Least Squares"


@array_function(promotes=("a", "b"), unknown_rank="each")
def solve(a: Any, b: Any) -> tf.Tensor:
    """`b` is a vector if it has one axis, else a stack of matrices."""
    a = as_squares(a)
    b = to_tensor(b)
    dtype = common_dtype(a, b)
    vector = shapes.rank(b) == 1
    if shapes.rank(b) < 1:
        raise ValueError("solve: Input operand 1 does not have enough dimensions (has 0, needs 1 or 2)")
    left, right = upcast(a, dtype), upcast(b, dtype)
    right = right[:, None] if vector else right
    dim, other = left.shape[-1], right.shape[-2]
    if None not in (dim, other) and dim != other:
        raise ValueError(f"solve: Input operand 1 has a mismatch in its core dimension 0 (size {other}, not {dim})")
    batch = shapes.broadcast_shapes(shapes.shape(left)[:-2], shapes.shape(right)[:-2])
    left = shapes.broadcast_to(left, (*batch, *shapes.shape(left)[-2:]))
    right = shapes.broadcast_to(right, (*batch, *shapes.shape(right)[-2:]))
    found = convert.cast(elimination.solve(left, right), dtype)
    return found[..., 0] if vector else found


@array_function(promotes=("a",), unknown_rank="each")
def inv(a: Any) -> tf.Tensor:
    a = as_squares(a)
    dtype = common_dtype(a)
    wide = upcast(a)
    return convert.cast(elimination.solve(wide, elimination.identity_like(wide)), dtype)


@array_function(promotes=("a", "b"), unknown_rank="each")
def tensorsolve(a: Any, b: Any, axes: Any = None) -> tf.Tensor:
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
    found = solve(shapes.reshape(a, (dim, dim)), ravel(b))
    return shapes.reshape(found, shape)


@array_function(promotes=("a",), unknown_rank="each")
def tensorinv(a: Any, ind: Any = 2) -> tf.Tensor:
    a = to_tensor(a)
    count = convert.static_value(ind)
    if not count > 0:
        raise ValueError("Invalid ind argument.")
    shape = shapes.shape(a)
    columns = layout.product(shape[count:])
    found = inv(shapes.reshape(a, (columns, -1)))
    if not shape:
        raise TypeError("an array without axes has no inverse")
    return shapes.reshape(found, (*shape[count:], *shape[:count]))


@array_function(promotes=("a",), unknown_rank="each")
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = np._NoValue) -> tf.Tensor:
    """Singular values not greater than `rcond` times the greatest count as zero."""
    a = to_tensor(a)
    ratio = to_tensor(_ratio(a, rcond, rtol))
    if a.shape.num_elements() == 0 and math.prod(shapes.shape(a)[-2:]) == 0:
        return tf.linalg.matrix_transpose(a)
    is_hermitian = as_bool(hermitian, "hermitian")
    a = as_squares(a) if is_hermitian else as_matrices(a)
    dtype = common_dtype(a)
    wide = eigenvectors.hermitian(upcast(a)) if is_hermitian else upcast(a)
    found, _ = singular_values.pseudo_inverse(wide, convert.cast(ratio, tf.float64))
    return convert.cast(found, dtype)


def _ratio(a: tf.Tensor, rcond: Any, rtol: Any) -> Any:
    if rcond is not None:
        if rtol is not np._NoValue:
            raise ValueError("`rtol` and `rcond` can't be both set.")
        return rcond
    if rtol is np._NoValue:
        return 1e-15
    if rtol is not None:
        return rtol
    rows, columns = shapes.shape(a)[-2:]
    longest = max(rows, columns) if shapes.is_static((rows, columns)) else tf.maximum(rows, columns)
    return ufuncs.multiply(longest, float(np.finfo(dtypes.as_numpy(a.dtype)).eps))


@array_function(promotes=("a", "b"), unknown_rank="each")
def lstsq(a: Any, b: Any, rcond: Any = None) -> tuple[tf.Tensor, ...]:
    """Solution, sums of squares that are left, rank (int32), singular values. There are no sums where the equations do
    not determine the solution; under XLA, which has to know how many there are, they are nan then.
    """
    a, b = to_tensor(a), to_tensor(b)
    vector = shapes.rank(b) == 1
    right = b[:, None] if vector else b
    check_plane(a, right)
    rows, columns = shapes.shape(a)
    if not a.shape[:1].is_compatible_with(right.shape[:1]):
        raise LinAlgError("Incompatible dimensions")
    dtype = common_dtype(a, right)
    left, right = upcast(a, dtype), upcast(right, dtype)
    ratio = _known_ratio(rcond, rows, columns)
    is_valid = tf.reduce_all(is_finite_each(left)) & tf.reduce_all(is_finite_each(right))
    left = assert_valid(left, is_valid, DIVERGED)
    found, values = singular_values.pseudo_inverse(left, ratio)
    rank = tf.reduce_sum(tf.cast(singular_values.are_significant(values, ratio), tf.int32))
    solution = tf.matmul(found, right)
    remaining = ufuncs.absolute(right - tf.matmul(left, solution))
    sums = _sums(tf.reduce_sum(remaining * remaining, 0), rank, rows, columns)
    real = dtype.real_dtype
    solution = convert.cast(solution[:, 0] if vector else solution, dtype)
    return solution, convert.cast(sums, real), rank, convert.cast(values, real)


def _known_ratio(rcond: Any, rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    """LAPACK takes what is negative for its own unit, and so does it 1 and more."""
    unit = np.finfo(np.float64).eps
    if rcond is None:
        longest = max(rows, columns) if shapes.is_static((rows, columns)) else tf.maximum(rows, columns)
        return convert.cast(to_tensor(longest), tf.float64) * unit
    ratio = convert.cast(to_tensor(rcond), tf.float64)
    return tf.where((ratio >= 0) & (ratio < 1), ratio, tf.constant(unit / 2, tf.float64))


def _sums(sums: tf.Tensor, rank: tf.Tensor, rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    if shapes.is_static((rows, columns)) and rows <= columns:
        return sums[:0]
    determined = tf.equal(rank, columns) & (rows > columns)
    if is_for_xla():
        return tf.where(determined, sums, tf.constant(np.nan, sums.dtype))
    return dynamic_size.data_dependent(sums[: tf.where(determined, tf.shape(sums)[0], 0)])
