"""Norms and other numbers of matrices."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import as_bool
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._kernels.linalg import elimination
from tfnp.linalg.decompositions import svd
from tfnp.linalg.operands import LinAlgError, as_squares, common_dtype, upcast
from tfnp.linalg.results import SlogdetResult
from tfnp.routines.linear_algebra import products
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import LARGEST, SMALLEST, SUM
from tfnp.routines.math.reductions import all as every

__all__ = ["cond", "det", "matrix_norm", "matrix_rank", "norm", "slogdet", "trace", "vector_norm"]

SPECTRAL: Final = (None, 2, -2)


@array_function(promotes=("x",), unknown_rank="each")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> tf.Tensor:
    """Of one axis the norm of vectors, of two that of matrices. The gradient of a root of squares is zero at zero.
    Norms of bfloat16 are calculated in float32, but for those of singular values, which are of float64.
    """
    x = to_tensor(x)
    ndim = shapes.rank(x)
    if x.dtype == tf.bfloat16 and not _has_singular_values(ord, axis, ndim):
        ord = float(dtypes.BFLOAT16.type(ord)) if type(ord) is float else ord  # weak beside bfloat16
        return convert.cast(norm(convert.cast(x, tf.float32), ord, axis, keepdims), tf.bfloat16)
    x = _inexact(x)
    if axis is None and (
        ord is None or (ndim == 2 and _is(ord, "f", "fro")) or (ndim == 1 and not isinstance(ord, str) and ord == 2)
    ):
        found = _length_of_all(ravel(x))
        return shapes.reshape(found, (1,) * ndim) if as_bool(keepdims, "keepdims") else found
    axes = tuple(range(ndim)) if axis is None else _as_axes(axis)
    if len(axes) == 1:
        return _of_vectors(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError("Improper number of dimensions to norm.")
    row, column = (shapes.normalize_axis(one, ndim) for one in axes)
    if row == column:
        raise ValueError("Duplicate axes given.")
    found = _of_matrices(x, ord, row, column)
    if not as_bool(keepdims, "keepdims"):
        return found
    return shapes.reshape(found, _with_ones(shapes.shape(x), (row, column)))


def _has_singular_values(ord: Any, axis: Any, ndim: int) -> bool:
    """Return whether the norm is one of singular values, of which half precision has none."""
    count = ndim if axis is None else len(_as_axes(axis))
    return count == 2 and (_is(ord, "nuc") or (not isinstance(ord, str) and ord in (2, -2)))


def _inexact(x: tf.Tensor) -> tf.Tensor:
    static = x.dtype.is_complex or x.dtype in (tf.float16, tf.float32, tf.float64)
    return x if static else convert.cast(x, dtypes.default_float())


def _is(ord: Any, *names: str) -> bool:
    return isinstance(ord, str) and ord in names


def _as_axes(axis: Any) -> tuple[Any, ...]:
    if isinstance(axis, tuple):
        return axis
    try:
        return (int(convert.static_value(axis)),)
    except Exception as error:
        raise TypeError("'axis' must be None, an integer or a tuple of integers") from error


def _with_ones(shape: tuple[shapes.Dim, ...], axes: tuple[int, ...]) -> list[shapes.Dim]:
    return [1 if axis in axes else dim for axis, dim in enumerate(shape)]


def _length_of_all(x: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_complex:
        real, imag = tf.math.real(x), tf.math.imag(x)
        return _root(ufuncs.add(products.dot(real, real), products.dot(imag, imag)))
    return _root(products.dot(x, x))


def _root(squares: tf.Tensor) -> tf.Tensor:
    """The root, with a gradient of zero at zero."""
    zero = tf.equal(squares, tf.zeros((), squares.dtype))
    root = ufuncs.sqrt(tf.where(zero, tf.ones_like(squares), squares))
    return tf.where(zero, squares, root)


def _squares(x: tf.Tensor) -> tf.Tensor:
    if not x.dtype.is_complex:
        return ufuncs.multiply(x, x)
    return tf.math.real(ufuncs.multiply(ufuncs.conjugate(x), x))


def _of_vectors(x: tf.Tensor, ord: Any, axes: tuple[Any, ...], kept: Any) -> tf.Tensor:
    axes = (shapes.normalize_axis(axes[0], shapes.rank(x)),)
    if ord is None:
        return _root(SUM.reduce(_squares(x), axes, keepdims=kept))
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    if ord == math.inf:
        return LARGEST.reduce(ufuncs.absolute(x), axes, keepdims=kept, initial=0)
    if ord == -math.inf:
        return SMALLEST.reduce(ufuncs.absolute(x), axes, keepdims=kept)
    if ord == 0:
        return SUM.reduce(convert.cast(ufuncs.not_equal(x, 0), x.dtype.real_dtype), axes, keepdims=kept)
    if ord == 1:
        return SUM.reduce(ufuncs.absolute(x), axes, keepdims=kept)
    if ord == 2:
        return _root(SUM.reduce(_squares(x), axes, keepdims=kept))
    return _by_powers(ufuncs.absolute(x), ord, axes, kept)


def _by_powers(sizes: tf.Tensor, ord: Any, axes: tuple[int, ...], kept: Any) -> tf.Tensor:
    total = SUM.reduce(_in_place(ufuncs.power(sizes, ord), sizes.dtype), axes, keepdims=kept)
    inverse = ufuncs.reciprocal(ord, dtype=dtypes.as_numpy(total.dtype))
    zero = tf.equal(total, tf.zeros((), total.dtype))
    if isinstance(ord, int | float) and ord > 1:
        root = ufuncs.power(tf.where(zero, tf.ones_like(total), total), inverse)
        return _in_place(tf.where(zero, total, root), total.dtype)
    return _in_place(ufuncs.power(total, inverse), total.dtype)


def _in_place(result: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """NumPy writes what it calculated over the operand."""
    own, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(dtype)
    dtypes.check_cast(own, target, "same_kind", "ufunc 'power' output")
    return convert.cast(result, dtype)


def _of_matrices(x: tf.Tensor, ord: Any, row: int, column: int) -> tf.Tensor:
    if ord is None or _is(ord, "fro", "f"):
        return _root(SUM.reduce(_squares(x), (row, column)))
    if _is(ord, "nuc"):
        return SUM.reduce(_values_of(x, row, column), -1)
    if isinstance(ord, str):
        raise ValueError("Invalid norm order for matrices.")
    if ord in (2, -2):
        values = _values_of(x, row, column)
        return LARGEST.reduce(values, -1, initial=0) if ord == 2 else SMALLEST.reduce(values, -1)
    if ord not in (1, -1, math.inf, -math.inf):
        raise ValueError("Invalid norm order for matrices.")
    summed, other = (row, column) if abs(ord) == 1 else (column, row)
    sums = SUM.reduce(ufuncs.absolute(x), summed)
    other -= other > summed
    return LARGEST.reduce(sums, other, initial=0) if ord > 0 else SMALLEST.reduce(sums, other)


def _values_of(x: tf.Tensor, row: int, column: int) -> tf.Tensor:
    ndim = shapes.rank(x)
    others = [axis for axis in range(ndim) if axis not in (row, column)]
    return svd(layout.transpose(x, (*others, row, column)), compute_uv=False)


@array_function(promotes=("x",), unknown_rank="each")
def matrix_norm(x: Any, /, *, keepdims: Any = False, ord: Any = "fro") -> tf.Tensor:
    return norm(x, axis=(-2, -1), keepdims=keepdims, ord=ord)


@array_function(promotes=("x",), unknown_rank="each")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: Any = False, ord: Any = 2) -> tf.Tensor:
    """Over all axes unless some are named."""
    x = to_tensor(x)
    ndim, shape = shapes.rank(x), shapes.shape(x)
    if axis is None:
        flat, along = ravel(x), 0
    elif isinstance(axis, tuple):
        own = shapes.normalize_axes(axis, ndim)
        remaining = tuple(one for one in range(ndim) if one not in own)
        flat = layout.transpose(x, (*own, *remaining))
        flat = shapes.reshape(flat, (layout.product([shape[one] for one in own]), *[shape[one] for one in remaining]))
        along = 0
    else:
        flat, along = x, axis
    found = norm(flat, axis=along, ord=ord)
    if not as_bool(keepdims, "keepdims"):
        return found
    return shapes.reshape(found, _with_ones(shape, shapes.normalize_axes(axis, ndim)))


@array_function(promotes=("x", "p"), unknown_rank="each")
def cond(x: Any, p: Any = None) -> tf.Tensor:
    """Infinite where there is no inverse."""
    if not isinstance(p, tf.Tensor):
        hash(p)  # which NumPy looks up
    x = to_tensor(x)
    if _is_empty(x):
        raise LinAlgError("cond is not defined on empty arrays")
    if not isinstance(p, str) and p in SPECTRAL:
        values = svd(x, compute_uv=False)
        first, last = values[..., 0], values[..., -1]
        found = ufuncs.divide(last, first) if p == -2 else ufuncs.divide(first, last)
    else:
        x = as_squares(x)
        dtype = common_dtype(x)
        inverse = elimination.invert(upcast(x))
        found = ufuncs.multiply(norm(_inexact(x), p, axis=(-2, -1)), norm(inverse, p, axis=(-2, -1)))
        found = convert.cast(found, dtype.real_dtype)
    unknown = ufuncs.logical_not(ufuncs.isnan(x))
    static = ufuncs.isnan(found) & every(unknown, axis=(-2, -1))
    return tf.where(static, tf.cast(np.inf, found.dtype), found)


def _is_empty(x: tf.Tensor) -> bool:
    return x.shape.num_elements() == 0 and math.prod(shapes.shape(x)[-2:]) == 0


@array_function(promotes=("a",), unknown_rank="each")
def det(a: Any) -> tf.Tensor:
    a = as_squares(a)
    dtype = common_dtype(a)
    return convert.cast(elimination.determinant(upcast(a)), dtype)


@array_function(promotes=("a",), unknown_rank="each")
def slogdet(a: Any) -> Any:
    """A named pair: the sign, of complex matrices the direction, and the logarithm of the size."""
    a = as_squares(a)
    dtype = common_dtype(a)
    sign, size = elimination.determinant_parts(upcast(a))
    return SlogdetResult(convert.cast(sign, dtype), convert.cast(size, dtype.real_dtype))


@array_function(promotes=("A",), weak=False, unknown_rank="each")
def matrix_rank(A: Any, tol: Any = None, hermitian: Any = False, *, rtol: Any = None) -> tf.Tensor:
    """Always a tensor of int64, where NumPy gives a Python int for vectors."""
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    a = to_tensor(A)
    if shapes.rank(a) < 2:
        return tf.cast(tf.reduce_any(ufuncs.not_equal(a, 0)), tf.int64)
    values = svd(a, compute_uv=False, hermitian=hermitian)
    if tol is None:
        rtol = _unit(shapes.shape(a)[-2:], values.dtype) if rtol is None else to_tensor(rtol)[..., None]
        limit = ufuncs.multiply(LARGEST.reduce(values, -1, keepdims=True, initial=0), rtol)
    else:
        limit = to_tensor(tol)[..., None]
    return SUM.reduce(convert.cast(ufuncs.greater(values, limit), tf.int64), -1)


def _unit(shape: tuple[shapes.Dim, ...], dtype: tf.DType) -> tf.Tensor:
    longest = max(shape) if shapes.is_static(shape) else tf.maximum(*shape)
    return convert.cast(to_tensor(longest), dtype) * np.finfo(dtype.as_numpy_dtype).eps


@array_function(promotes=("x",), unknown_rank="each")
def trace(x: Any, /, *, offset: Any = 0, dtype: Any = None) -> tf.Tensor:
    """Of the last two axes."""
    return products.trace(x, offset, axis1=-2, axis2=-1, dtype=dtype)
