"""Reductions along axes: sum, prod, max, min, all, any."""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, DTypeLike, Out
from tfnp._core.ufunc.options import NO_VALUE, as_keepdims, normalize_axes
from tfnp._kernels.reduce import over_axes
from tfnp.routines.math import ufuncs

__all__ = ["all", "amax", "amin", "any", "count_nonzero", "max", "min", "prod", "ptp", "sum"]

SUM: Final = ufuncs.add.reduction
PRODUCT: Final = ufuncs.multiply.reduction
MAX: Final = ufuncs.maximum.reduction
MIN: Final = ufuncs.minimum.reduction
ALL: Final = ufuncs.logical_and.reduction
ANY: Final = ufuncs.logical_or.reduction
_sum = array_function(promotes=("a",))(SUM.reduce)
_prod = array_function(promotes=("a",))(PRODUCT.reduce)
_max = array_function(promotes=("a",))(MAX.reduce)
_min = array_function(promotes=("a",))(MIN.reduce)


def _has_no_options(dtype: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> bool:
    """Return whether `reduce_fast` has all options that are given: a `keepdims=` that is a bool."""
    return dtype is out is None and initial is where is NO_VALUE and (keepdims is NO_VALUE or type(keepdims) is bool)


def sum(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """float16 and bfloat16 are summed in float32, and rounded once.

    The sum of bool along an axis is an integer, as in NumPy.
    """
    if not dtypes.promotion.weakens and _has_no_options(dtype, out, keepdims, initial, where):
        return SUM.reduce_fast(a, axis, keepdims is True)
    return _sum(a, axis, dtype, out, keepdims, initial, where)


def prod(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """float16 and bfloat16 are multiplied in float32, and rounded once.

    The gradient is right where elements are zero.
    """
    if not dtypes.promotion.weakens and _has_no_options(dtype, out, keepdims, initial, where):
        return PRODUCT.reduce_fast(a, axis, keepdims is True)
    return _prod(a, axis, dtype, out, keepdims, initial, where)


def max(
    a: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """Propagate nan, also under XLA, whose own maximum drops it. Equal maxima share the gradient evenly.

    An axis that turns out to be empty when a graph runs fails there; XLA does not check it, and returns the lowest
    value of the dtype.
    """
    if not dtypes.promotion.weakens and _has_no_options(None, out, keepdims, initial, where):
        return MAX.reduce_fast(a, axis, keepdims is True)
    return _max(a, axis, None, out, keepdims, initial, where)


def min(
    a: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """Propagate nan, also under XLA, whose own minimum drops it. Equal minima share the gradient evenly.

    An axis that turns out to be empty when a graph runs fails there; XLA does not check it, and returns the highest
    value of the dtype.
    """
    if not dtypes.promotion.weakens and _has_no_options(None, out, keepdims, initial, where):
        return MIN.reduce_fast(a, axis, keepdims is True)
    return _min(a, axis, None, out, keepdims, initial, where)


amax = max
amin = min


def all(
    a: ArrayLike, axis: AxisLike = None, out: Out = None, keepdims: bool = NO_VALUE, *, where: ArrayLike = NO_VALUE
) -> tf.Tensor:
    """Return a bool tensor. nan counts as True, as in NumPy."""
    if _has_no_options(None, out, keepdims, NO_VALUE, where):
        return ALL.reduce_fast(a, axis, keepdims is True)
    return ALL.reduce(a, axis, tf.bool, out, keepdims, NO_VALUE, where)


def any(
    a: ArrayLike, axis: AxisLike = None, out: Out = None, keepdims: bool = NO_VALUE, *, where: ArrayLike = NO_VALUE
) -> tf.Tensor:
    """Return a bool tensor. nan counts as True, as in NumPy."""
    if _has_no_options(None, out, keepdims, NO_VALUE, where):
        return ANY.reduce_fast(a, axis, keepdims is True)
    return ANY.reduce(a, axis, tf.bool, out, keepdims, NO_VALUE, where)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def ptp(a: ArrayLike, axis: AxisLike = None, out: Out = None, keepdims: bool = NO_VALUE) -> tf.Tensor:
    """Signed integers wrap around, as in NumPy; bool raises TypeError. Equal extremes share the gradient evenly."""
    if out is not None:
        return _write_ptp(out, a, axis, keepdims)
    high = MAX.reduce(a, axis, None, None, keepdims)
    if high.dtype == tf.bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor instead.")
    low = MIN.reduce(a, axis, None, None, keepdims)
    return ufuncs.subtract(high, low)


def _write_ptp(out: Any, a: Any, axis: Any, keepdims: Any) -> Any:
    """Write the maximum to `out`, then subtract the minimum from it there, as NumPy does."""
    high = MAX.reduce(a, axis, None, out, keepdims)
    return ufuncs.subtract(high, MIN.reduce(a, axis, None, None, keepdims), out=out)


@array_function(unknown_rank="each", traces=("a",))
def count_nonzero(a: ArrayLike, axis: AxisLike = None, *, keepdims: bool = False) -> tf.Tensor:
    """Return an int64 tensor, where NumPy returns a Python int without an axis."""
    a = to_tensor(a, tf.bool)
    keepdims = bool(keepdims) if axis is None and not keepdims else as_keepdims(keepdims)
    return over_axes.reduce_sum(tf.cast(a, tf.int64), normalize_axes(axis, shapes.rank(a)), keepdims)
