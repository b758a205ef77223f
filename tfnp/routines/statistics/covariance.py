"""Covariances and correlations of variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._kernels.linalg import contraction
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import average

__all__ = ["corrcoef", "cov"]


@array_function(promotes=("m", "y"), unknown_rank="each")
def cov(
    m: Any,
    y: Any = None,
    rowvar: Any = True,
    bias: Any = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> tf.Tensor:
    """A matrix; of one variable a number, where a graph knows that there is but one. That frequencies are whole and
    weights not negative is checked where they are known.
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
        kind = dtypes.result_type(*(part for part in (m, y) if part is not None), np.dtype(np.float64))
    else:
        kind = dtypes.as_dtype(dtype)
    x = _variables(m, kind, rowvar, shapes.rank(m) == 1)
    if x.shape[0] == 0:
        return tf.zeros((0, 0), kind)
    dtypes.check_cast(dtypes.FLOAT64, dtypes.as_numpy(kind), "same_kind", "the distances from the means")
    if y is not None:
        dim = shapes.shape(y)[0] if shapes.rank(y) == 2 else 1
        other = _variables(y, kind, rowvar, dim == 1 if isinstance(dim, int) else tf.equal(dim, 1))
        if not x.shape[1:].is_compatible_with(other.shape[1:]):
            raise ValueError("all the input array dimensions except for the concatenation axis must match exactly")
        x = tf.concat([x, other], 0)
    weights = _weights(x, fweights, aweights)
    free = int(ddof) if ddof is not None else int(bias == 0 and bias is not None)
    return _covariance(x, weights, aweights is not None, free, aweights)


def _variables(m: tf.Tensor, kind: tf.DType, rowvar: Any, is_row: bool | tf.Tensor) -> tf.Tensor:
    """A row for each variable; what is a row already is one, whatever `rowvar` says."""
    x = convert.cast(m, kind)
    rank = shapes.rank(x)
    if rank < 2:
        return shapes.reshape(x, (1, -1 if rank else 1)) if x.shape.num_elements() != 0 else tf.zeros((1, 0), kind)
    if rowvar or is_row is True:
        return x
    turned = layout.transpose(x, (1, 0))
    return turned if is_row is False else tf.cond(is_row, lambda: x, lambda: turned)


def _weights(x: tf.Tensor, fweights: Any, aweights: Any) -> tf.Tensor | None:
    """The product of both kinds of weights."""
    product = None
    for value, name in ((fweights, "fweights"), (aweights, "aweights")):
        if value is None:
            continue
        weights = to_tensor(value, tf.float64)
        static = convert.static_value(weights)
        if name == "fweights" and static is not None and not np.all(static == np.around(static)):
            raise TypeError("fweights must be integer")
        if shapes.rank(weights) == 0:
            raise IndexError("tuple index out of range")
        if shapes.rank(weights) > 1:
            raise RuntimeError(f"cannot handle multidimensional {name}")
        if not weights.shape.is_compatible_with(x.shape[1:]):
            raise RuntimeError(f"incompatible numbers of samples and {name}")
        if static is not None and np.any(static < 0):
            raise ValueError(f"{name} cannot be negative")
        if static is None:
            weights = _checked_later(weights, name)
        product = weights if product is None else product * weights
    if product is None or convert.static_value(product) is not None:
        return product
    return _asserted(product, tf.not_equal(tf.reduce_sum(product), 0), "weights must not sum to zero")


def _checked_later(weights: tf.Tensor, name: str) -> tf.Tensor:
    whole = tf.reduce_all(tf.equal(weights, tf.round(weights))) if name == "fweights" else True
    is_valid = tf.logical_and(whole, tf.reduce_all(weights >= 0))
    return _asserted(weights, is_valid, f"{name} must be whole and not negative")


def _asserted(weights: tf.Tensor, is_valid: tf.Tensor, demand: str) -> tf.Tensor:
    """The weights; a graph where they are not as they must be fails when it runs. XLA checks nothing."""
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [demand])]):
        return tf.identity(weights)


def _covariance(x: tf.Tensor, weights: tf.Tensor | None, weighted: bool, free: int, aweights: Any) -> tf.Tensor:
    means, total = average(x, axis=1, weights=weights, returned=True)
    total = total[0]
    if weights is None:
        factor = ufuncs.subtract(tf.cast(shapes.shape(x)[1], tf.float64), float(free))
    elif free == 0:
        factor = total
    elif not weighted:
        factor = ufuncs.subtract(total, free)
    else:
        squares = tf.reduce_sum(weights * to_tensor(aweights, tf.float64))
        factor = ufuncs.subtract(total, ufuncs.divide(ufuncs.multiply(float(free), squares), total))
    real = factor if not factor.dtype.is_complex else tf.math.real(factor)
    factor = layout.select(ufuncs.less_equal(real, 0), tf.zeros((), factor.dtype), factor)
    x = convert.cast(ufuncs.subtract(x, means[:, None]), x.dtype)
    other = x if weights is None else ufuncs.multiply(x, weights)
    other = layout.transpose(other, (1, 0))
    x = convert.cast(x, other.dtype)
    products = contraction.matmul(x, tf.math.conj(other) if other.dtype.is_complex else other)
    result = ufuncs.multiply(products, ufuncs.divide(1, convert.cast(factor, products.dtype)))
    return tf.reshape(result, ()) if x.shape[0] == 1 else result


@array_function(promotes=("x", "y"), unknown_rank="each")
def corrcoef(x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> tf.Tensor:
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
