"""Sums, products, extremes and truths along axes."""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.ufunc.options import NO_VALUE, as_keepdims, normalize_axes
from tfnp._kernels.reduce import over_axes
from tfnp.routines.math import ufuncs

__all__ = ["all", "amax", "amin", "any", "count_nonzero", "max", "min", "prod", "ptp", "sum"]

SUM: Final = ufuncs.add.reduction
PRODUCT: Final = ufuncs.multiply.reduction
LARGEST: Final = ufuncs.maximum.reduction
SMALLEST: Final = ufuncs.minimum.reduction
EVERY: Final = ufuncs.logical_and.reduction
SOME: Final = ufuncs.logical_or.reduction
_sum, _prod, _max, _min = (
    array_function(promotes=("a",))(reduction.reduce) for reduction in (SUM, PRODUCT, LARGEST, SMALLEST)
)


def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    if dtype is None and out is None and keepdims is initial is where is NO_VALUE and not dtypes.promotion.weakens:
        return SUM.reduce_fast(a, axis)
    return _sum(a, axis, dtype, out, keepdims, initial, where)


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    if dtype is None and out is None and keepdims is initial is where is NO_VALUE and not dtypes.promotion.weakens:
        return PRODUCT.reduce_fast(a, axis)
    return _prod(a, axis, dtype, out, keepdims, initial, where)


def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    """Of no elements that are known only at run time, what TensorFlow says: the least value of the dtype."""
    if out is None and keepdims is initial is where is NO_VALUE and not dtypes.promotion.weakens:
        return LARGEST.reduce_fast(a, axis)
    return _max(a, axis, None, out, keepdims, initial, where)


def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    """Of no elements that are known only at run time, what TensorFlow says: the greatest value of the dtype."""
    if out is None and keepdims is initial is where is NO_VALUE and not dtypes.promotion.weakens:
        return SMALLEST.reduce_fast(a, axis)
    return _min(a, axis, None, out, keepdims, initial, where)


amax = max
amin = min


def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = NO_VALUE, *, where: Any = NO_VALUE) -> tf.Tensor:
    if out is None and keepdims is where is NO_VALUE:
        return EVERY.reduce_fast(a, axis)
    return EVERY.reduce(a, axis, tf.bool, out, keepdims, NO_VALUE, where)


def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = NO_VALUE, *, where: Any = NO_VALUE) -> tf.Tensor:
    if out is None and keepdims is where is NO_VALUE:
        return SOME.reduce_fast(a, axis)
    return SOME.reduce(a, axis, tf.bool, out, keepdims, NO_VALUE, where)


@array_function(promotes=("a",), unknown_rank="each")
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = NO_VALUE) -> tf.Tensor:
    """Signed integers wrap, as in NumPy; truths have no difference."""
    if out is not None:
        return _spread_in(out, a, axis, keepdims)
    high = LARGEST.reduce(a, axis, None, None, keepdims)
    if high.dtype == tf.bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor instead.")
    low = SMALLEST.reduce(a, axis, None, None, keepdims)
    return ufuncs.subtract(high, low)


def _spread_in(out: Any, a: Any, axis: Any, keepdims: Any) -> Any:
    """NumPy puts the maximum there first, in the dtype of `out`."""
    high = LARGEST.reduce(a, axis, None, out, keepdims)
    return ufuncs.subtract(high, SMALLEST.reduce(a, axis, None, None, keepdims), out=out)


@array_function(unknown_rank="each")
def count_nonzero(a: Any, axis: Any = None, *, keepdims: Any = False) -> tf.Tensor:
    """Always a tensor of int64, where NumPy gives a Python int for the whole."""
    a = to_tensor(a, tf.bool)
    kept = bool(keepdims) if axis is None and not keepdims else as_keepdims(keepdims)
    return over_axes.reduce_sum(tf.cast(a, tf.int64), normalize_axes(axis, shapes.rank(a)), kept)
