"""Covariance and correlation matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike
from tfnp._kernels.linalg import contraction
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import average

__all__ = ["corrcoef", "cov"]


@array_function(promotes=("m", "y"), unknown_rank="each", traces=("m", "y", "fweights", "aweights"))
def cov(
    m: ArrayLike,
    y: ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: ArrayLike | None = None,
    fweights: ArrayLike | None = None,
    aweights: ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> tf.Tensor:
    """The covariance of a single variable is a scalar if the number of variables is static, else a 1 x 1 matrix.

    `fweights` that are not integers, and negative weights, raise an error where they are static, else the graph fails
    when it runs; XLA does not check them.
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m = to_tensor(m)
    if shapes.rank(m) > 2:
        raise ValueError("m has more than 2 dimensions")
    y = None if y is None else to_tensor(y)
    if y is not None and shapes.rank(y) > 2:
        raise ValueError("y has more than 2 dimensions")
    if dtype is None:
        dtype = dtypes.result_type(*(operand for operand in (m, y) if operand is not None), np.dtype(np.float64))
    else:
        dtype = dtypes.as_dtype(dtype)
    x = _as_rows(m, dtype, rowvar, shapes.rank(m) == 1)
    if x.shape[0] == 0:
        return tf.zeros((0, 0), tf.float64)  # as in NumPy, whatever the dtype
    dtypes.check_cast(dtypes.FLOAT64, dtypes.as_numpy(dtype), "same_kind", "the distances from the means")
    if y is not None:
        dim = shapes.shape(y)[0] if shapes.rank(y) == 2 else 1
        other = _as_rows(y, dtype, rowvar, dim == 1 if isinstance(dim, int) else tf.equal(dim, 1))
        if not x.shape[1:].is_compatible_with(other.shape[1:]):
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        x = tf.concat([x, other], 0)
    weights = _multiply_weights(x, fweights, aweights)
    ddof = int(ddof) if ddof is not None else int(bias == 0 and bias is not None)
    return _compute_covariance(x, weights, ddof, aweights)


def _as_rows(m: tf.Tensor, dtype: tf.DType, rowvar: Any, is_row: bool | tf.Tensor) -> tf.Tensor:
    """Return a matrix with a row for each variable. With `is_row`, the matrix has one row, whatever `rowvar` says."""
    x = convert.cast(m, dtype)
    rank = shapes.rank(x)
    if rank < 2:
        return shapes.reshape(x, (1, -1 if rank else 1)) if x.shape.num_elements() != 0 else tf.zeros((1, 0), dtype)
    if rowvar or is_row is True:
        return x
    transposed = layout.transpose(x, (1, 0))
    return transposed if is_row is False else layout.choose_by_shape(is_row, lambda: x, lambda: transposed)


def _multiply_weights(x: tf.Tensor, fweights: Any, aweights: Any) -> tf.Tensor | None:
    """Return the product of `fweights` and `aweights`; None if there are neither."""
    product = None
    for value, name in ((fweights, "fweights"), (aweights, "aweights")):
        if value is None:
            continue
        weights = to_tensor(value, tf.float64)
        static = convert.static_value(weights)
        if name == "fweights" and static is not None and not np.all(static == np.around(static)):
            raise TypeError("fweights must be integer")
        if shapes.rank(weights) == 0:
            raise IndexError(f"{name} must be 1-D, got a scalar")
        if shapes.rank(weights) > 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
        if not weights.shape.is_compatible_with(x.shape[1:]):
            raise RuntimeError(f"incompatible numbers of samples and {name}")
        if static is not None and np.any(static < 0):
            raise ValueError(f"{name} cannot be negative")
        if static is None:
            weights = _check_dynamic_weights(weights, name)
        product = weights if product is None else product * weights
    if product is None or convert.static_value(product) is not None:
        return product
    error = ZeroDivisionError("Weights sum to zero, can't be normalized")
    return check(tf.not_equal(tf.reduce_sum(product), 0), error, product)


def _check_dynamic_weights(weights: tf.Tensor, name: str) -> tf.Tensor:
    """Check weights when the graph runs; return them."""
    if name == "fweights":
        is_integer = tf.reduce_all(tf.equal(weights, tf.round(weights)))
        weights = check(is_integer, TypeError("fweights must be integer"), weights)
    return check(tf.reduce_all(weights >= 0), ValueError(f"{name} cannot be negative"), weights)


def _compute_covariance(x: tf.Tensor, weights: tf.Tensor | None, ddof: int, aweights: Any) -> tf.Tensor:
    """Return the weighted covariance matrix of the rows, or a scalar if there is a single row."""
    means, total = average(x, axis=1, weights=weights, returned=True)
    total = total[0]
    if weights is None:
        factor = ufuncs.subtract(tf.cast(shapes.shape(x)[1], tf.float64), float(ddof))
    elif ddof == 0:
        factor = total
    elif aweights is None:
        factor = ufuncs.subtract(total, ddof)
    else:
        squares = tf.reduce_sum(weights * to_tensor(aweights, tf.float64))
        factor = ufuncs.subtract(total, ufuncs.divide(ufuncs.multiply(float(ddof), squares), total))
    real = factor if not factor.dtype.is_complex else tf.math.real(factor)
    factor = layout.select(ufuncs.less_equal(real, 0), tf.zeros((), factor.dtype), factor)
    x = convert.cast(ufuncs.subtract(x, means[:, None]), x.dtype)
    other = x if weights is None else ufuncs.multiply(x, weights)
    other = layout.transpose(other, (1, 0))
    x = convert.cast(x, other.dtype)
    products = contraction.matmul(x, tf.math.conj(other) if other.dtype.is_complex else other)
    result = ufuncs.multiply(products, ufuncs.divide(1, convert.cast(factor, products.dtype)))
    return tf.reshape(result, ()) if x.shape[0] == 1 else result


@array_function(promotes=("x", "y"), unknown_rank="each", traces=("x", "y"))
def corrcoef(
    x: ArrayLike, y: ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> tf.Tensor:
    """The real and imaginary parts of coefficients are clipped to [-1, 1], as in NumPy.

    The coefficients of a variable without variance are nan, without a RuntimeWarning.
    """
    products = cov(x, y, rowvar, dtype=dtype)
    if shapes.rank(products) == 0:
        return ufuncs.divide(products, products)
    variances = tf.linalg.diag_part(products)
    deviations = ufuncs.sqrt(tf.math.real(variances) if variances.dtype.is_complex else variances)
    scale = convert.cast(deviations, products.dtype)
    result = ufuncs.divide(ufuncs.divide(products, scale[:, None]), scale[None, :])
    if not result.dtype.is_complex:
        return ufuncs.minimum(ufuncs.maximum(result, -1), 1)
    parts = (ufuncs.minimum(ufuncs.maximum(part, -1), 1) for part in (tf.math.real(result), tf.math.imag(result)))
    return tf.complex(*parts)
