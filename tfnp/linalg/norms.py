"""Norms, and scalars of a matrix: condition number, determinant, rank, trace."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, DTypeLike, IntLike
from tfnp._kernels.linalg import elimination
from tfnp.linalg.decompositions import svd
from tfnp.linalg.operands import LinAlgError, as_squares, common_dtype, upcast
from tfnp.linalg.results import SlogdetResult
from tfnp.routines.linear_algebra import products
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import MAX, MIN, SUM
from tfnp.routines.math.reductions import all as all_true

__all__ = ["cond", "det", "matrix_norm", "matrix_rank", "norm", "slogdet", "trace", "vector_norm"]

SPECTRAL: Final = (None, 2, -2)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def norm(x: ArrayLike, ord: float | str | None = None, axis: AxisLike = None, keepdims: bool = False) -> tf.Tensor:
    """The gradient is zero where the norm is zero, for the orders None, 'fro' and all above 1. bfloat16 is calculated
    in float32; the norms 2, -2 and 'nuc' of matrices in float64.
    """
    x = to_tensor(x)
    ndim = shapes.rank(x)
    if x.dtype == tf.bfloat16 and not _has_singular_values(ord, axis, ndim):
        ord = float(dtypes.BFLOAT16.type(ord)) if type(ord) is float else ord  # a weak scalar is bfloat16
        return convert.cast(norm(convert.cast(x, tf.float32), ord, axis, keepdims), tf.bfloat16)
    x = _as_inexact(x)
    if axis is None and (
        ord is None
        or (ndim == 2 and _is_named(ord, "f", "fro"))
        or (ndim == 1 and not isinstance(ord, str) and ord == 2)
    ):
        result = _compute_flat_norm(ravel(x))
        return shapes.reshape(result, (1,) * ndim) if as_bool(keepdims, "keepdims") else result
    axes = tuple(range(ndim)) if axis is None else _as_axes(axis)
    if len(axes) == 1:
        return _compute_vector_norm(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    row, column = (shapes.normalize_axis(axis, ndim) for axis in axes)
    if row == column:
        raise ValueError("Duplicate axes given.")
    result = _compute_matrix_norm(x, ord, row, column)
    if not as_bool(keepdims, "keepdims"):
        return result
    return shapes.reshape(result, _keep_dims(shapes.shape(x), (row, column)))


def _has_singular_values(ord: Any, axis: Any, ndim: int) -> bool:
    """Return whether the norm is one of the singular values of matrices."""
    count = ndim if axis is None else len(_as_axes(axis))
    return count == 2 and (_is_named(ord, "nuc") or (not isinstance(ord, str) and ord in (2, -2)))


def _as_inexact(x: tf.Tensor) -> tf.Tensor:
    is_inexact = x.dtype.is_complex or x.dtype in (tf.float16, tf.float32, tf.float64)
    return x if is_inexact else convert.cast(x, dtypes.default_float())


def _is_named(ord: Any, *names: str) -> bool:
    return isinstance(ord, str) and ord in names


def _as_axes(axis: Any) -> tuple[Any, ...]:
    if isinstance(axis, tuple):
        return axis
    try:
        return (int(convert.static_value(axis)),)
    except Exception as error:
        raise TypeError("'axis' must be None, an integer or a tuple of integers") from error


def _keep_dims(shape: tuple[shapes.Dim, ...], axes: tuple[int, ...]) -> list[shapes.Dim]:
    return [1 if axis in axes else dim for axis, dim in enumerate(shape)]


def _compute_flat_norm(x: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_complex:
        real, imag = tf.math.real(x), tf.math.imag(x)
        return _take_sqrt(ufuncs.add(products.dot(real, real), products.dot(imag, imag)))
    return _take_sqrt(products.dot(x, x))


def _take_sqrt(squares: tf.Tensor) -> tf.Tensor:
    """Return the square root, with a gradient of zero at zero."""
    is_zero = tf.equal(squares, tf.zeros((), squares.dtype))
    root = ufuncs.sqrt(tf.where(is_zero, tf.ones_like(squares), squares))
    return tf.where(is_zero, squares, root)


def _square_abs(x: tf.Tensor) -> tf.Tensor:
    if not x.dtype.is_complex:
        return ufuncs.multiply(x, x)
    return tf.math.real(ufuncs.multiply(ufuncs.conjugate(x), x))


def _compute_vector_norm(x: tf.Tensor, ord: Any, axes: tuple[Any, ...], keepdims: Any) -> tf.Tensor:
    axes = (shapes.normalize_axis(axes[0], shapes.rank(x)),)
    if ord is None or ord == 2:
        return _take_sqrt(SUM.reduce(_square_abs(x), axes, keepdims=keepdims))
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord == math.inf:
        return MAX.reduce(ufuncs.absolute(x), axes, keepdims=keepdims, initial=0)
    if ord == -math.inf:
        return MIN.reduce(ufuncs.absolute(x), axes, keepdims=keepdims)
    if ord == 0:
        return SUM.reduce(convert.cast(ufuncs.not_equal(x, 0), x.dtype.real_dtype), axes, keepdims=keepdims)
    if ord == 1:
        return SUM.reduce(ufuncs.absolute(x), axes, keepdims=keepdims)
    return _compute_p_norm(ufuncs.absolute(x), ord, axes, keepdims)


def _compute_p_norm(magnitudes: tf.Tensor, ord: Any, axes: tuple[int, ...], keepdims: Any) -> tf.Tensor:
    """Return the norm of an order p: the p-th root of the sum of powers."""
    powers = SUM.reduce(_cast_like_inplace(ufuncs.power(magnitudes, ord), magnitudes.dtype), axes, keepdims=keepdims)
    inverse = ufuncs.reciprocal(ord, dtype=dtypes.as_numpy(powers.dtype))
    is_zero = tf.equal(powers, tf.zeros((), powers.dtype))
    if isinstance(ord, int | float) and ord > 1:  # the gradient at zero is zero
        root = ufuncs.power(tf.where(is_zero, tf.ones_like(powers), powers), inverse)
        return _cast_like_inplace(tf.where(is_zero, powers, root), powers.dtype)
    return _cast_like_inplace(ufuncs.power(powers, inverse), powers.dtype)


def _cast_like_inplace(result: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast to the dtype of the operand, by the rule "same_kind": NumPy writes the result to the operand."""
    source, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(dtype)
    dtypes.check_cast(source, target, "same_kind", "ufunc 'power' output")
    return convert.cast(result, dtype)


def _compute_matrix_norm(x: tf.Tensor, ord: Any, row: int, column: int) -> tf.Tensor:
    if ord is None or _is_named(ord, "fro", "f"):
        return _take_sqrt(SUM.reduce(_square_abs(x), (row, column)))
    if _is_named(ord, "nuc"):
        return SUM.reduce(_compute_singular_values(x, row, column), -1)
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order {ord!r} for matrices.")
    if ord in (2, -2):
        values = _compute_singular_values(x, row, column)
        return MAX.reduce(values, -1, initial=0) if ord == 2 else MIN.reduce(values, -1)
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError(f"Invalid norm order {ord!r} for matrices.")
    sum_axis, axis = (row, column) if abs(ord) == 1 else (column, row)
    sums = SUM.reduce(ufuncs.absolute(x), sum_axis)
    axis -= axis > sum_axis
    return MAX.reduce(sums, axis, initial=0) if ord > 0 else MIN.reduce(sums, axis)


def _compute_singular_values(x: tf.Tensor, row: int, column: int) -> tf.Tensor:
    ndim = shapes.rank(x)
    batch_axes = [axis for axis in range(ndim) if axis not in (row, column)]
    return svd(layout.transpose(x, (*batch_axes, row, column)), compute_uv=False)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def matrix_norm(x: ArrayLike, /, *, keepdims: bool = False, ord: float | str = "fro") -> tf.Tensor:
    """The notes of `norm` apply."""
    return norm(x, axis=(-2, -1), keepdims=keepdims, ord=ord)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def vector_norm(x: ArrayLike, /, *, axis: AxisLike = None, keepdims: bool = False, ord: float = 2) -> tf.Tensor:
    """The notes of `norm` apply. The gradient is zero where the norm is zero, for orders from 1 on."""
    x = to_tensor(x)
    ndim, shape = shapes.rank(x), shapes.shape(x)
    if axis is None:
        vectors, vector_axis = ravel(x), 0
    elif isinstance(axis, tuple):
        axes = shapes.normalize_axes(axis, ndim)
        batch_axes = tuple(index for index in range(ndim) if index not in axes)
        vectors, vector_axis = layout.transpose(x, (*axes, *batch_axes)), 0
        length = layout.product([shape[index] for index in axes])
        vectors = shapes.reshape(vectors, (length, *[shape[index] for index in batch_axes]))
    else:
        vectors, vector_axis = x, axis
    result = norm(vectors, axis=vector_axis, ord=ord)
    if not as_bool(keepdims, "keepdims"):
        return result
    return shapes.reshape(result, _keep_dims(shape, shapes.normalize_axes(axis, ndim)))


@array_function(promotes=("x", "p"), unknown_rank="each", traces=("x",))
def cond(x: ArrayLike, p: ArrayLike | None = None) -> tf.Tensor:
    """The condition number of a singular matrix is inf. A matrix that contains nan raises LinAlgError in eager mode
    with the orders None, 2 and -2; with other orders the result is nan.
    """
    if not isinstance(p, tf.Tensor):
        hash(p)  # NumPy looks p up in a set: TypeError for a list
    x = to_tensor(x)
    if _is_empty(x):
        raise LinAlgError("cond is not defined on empty arrays")
    if not isinstance(p, str) and p in SPECTRAL:
        values = svd(x, compute_uv=False)
        largest, smallest = values[..., 0], values[..., -1]
        result = ufuncs.divide(smallest, largest) if p == -2 else ufuncs.divide(largest, smallest)
    else:
        x = as_squares(x)
        dtype = common_dtype(x)
        inverse = elimination.invert(upcast(x))
        result = ufuncs.multiply(norm(_as_inexact(x), p, axis=(-2, -1)), norm(inverse, p, axis=(-2, -1)))
        result = convert.cast(result, dtype.real_dtype)
    has_no_nan = all_true(ufuncs.logical_not(ufuncs.isnan(x)), axis=(-2, -1))
    is_singular = ufuncs.isnan(result) & has_no_nan
    return tf.where(is_singular, tf.cast(np.inf, result.dtype), result)


def _is_empty(x: tf.Tensor) -> bool:
    return x.shape.num_elements() == 0 and math.prod(shapes.shape(x)[-2:]) == 0


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def det(a: ArrayLike) -> tf.Tensor:
    """The determinant is calculated in float64 or complex128. For a singular matrix it is 0, with a finite gradient."""
    a = as_squares(a)
    dtype = common_dtype(a)
    return convert.cast(elimination.determinant(upcast(a)), dtype)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def slogdet(a: ArrayLike) -> Any:
    """For a singular matrix, the sign is 0 and the logarithm -inf."""
    a = as_squares(a)
    dtype = common_dtype(a)
    sign, logabsdet = elimination.determinant_parts(upcast(a))
    return SlogdetResult(convert.cast(sign, dtype), convert.cast(logabsdet, dtype.real_dtype))


@array_function(promotes=("A",), weak=False, unknown_rank="each", traces=("A",))
def matrix_rank(
    A: ArrayLike, tol: ArrayLike | None = None, hermitian: bool = False, *, rtol: ArrayLike | None = None
) -> tf.Tensor:
    """Return an int64 tensor, also for a vector, where NumPy returns a Python int."""
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    a = to_tensor(A)
    if shapes.rank(a) < 2:
        return tf.cast(tf.reduce_any(ufuncs.not_equal(a, 0)), tf.int64)
    values = svd(a, compute_uv=False, hermitian=hermitian)
    if tol is None:
        rtol = _find_default_rtol(shapes.shape(a)[-2:], values.dtype) if rtol is None else to_tensor(rtol)[..., None]
        limit = ufuncs.multiply(MAX.reduce(values, -1, keepdims=True, initial=0), rtol)
    else:
        limit = to_tensor(tol)[..., None]
    return SUM.reduce(convert.cast(ufuncs.greater(values, limit), tf.int64), -1)


def _find_default_rtol(shape: tuple[shapes.Dim, ...], dtype: tf.DType) -> tf.Tensor:
    """Return NumPy's default relative tolerance: the larger dimension times the machine epsilon."""
    return convert.cast(to_tensor(shapes.max_dim(*shape)), dtype) * np.finfo(dtype.as_numpy_dtype).eps


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def trace(x: ArrayLike, /, *, offset: IntLike = 0, dtype: DTypeLike | None = None) -> tf.Tensor:
    """float16 and bfloat16 are summed in float32. `offset` must be static."""
    return products.trace(x, offset, axis1=-2, axis2=-1, dtype=dtype)
