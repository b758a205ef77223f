"""Cumulative sums and products."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, Out
from tfnp._core.ufunc.options import as_output, write_scan
from tfnp._core.ufunc.reduction import Reduction
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math.reductions import PRODUCT, SUM

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum"]


@array_function(promotes=("a",), unknown_rank="each")
def cumsum(a: ArrayLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: Out = None) -> tf.Tensor:
    """Each partial sum is rounded to the dtype of the result, as in NumPy, also of float16 and bfloat16."""
    if dtype is out is None and (result := SUM.scan_fast(a, axis)) is not None:
        return result
    return _scan(SUM, a, axis, _as_method_dtype(dtype), out)


@array_function(promotes=("a",), unknown_rank="each")
def cumprod(a: ArrayLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: Out = None) -> tf.Tensor:
    """Each partial product is rounded to the dtype of the result, as in NumPy, also of float16 and bfloat16.

    The gradient is right where elements are zero.
    """
    if dtype is out is None and (result := PRODUCT.scan_fast(a, axis)) is not None:
        return result
    return _scan(PRODUCT, a, axis, _as_method_dtype(dtype), out)


def _as_method_dtype(dtype: Any) -> tf.DType | None:
    """Return the dtype without its byte order. The ufunc loops behind `cumulative_sum` refuse a byte order."""
    return None if dtype is None else dtypes.as_dtype(dtype)


def _scan(reduction: Reduction, a: Any, axis: Any, dtype: Any, out: Any) -> tf.Tensor:
    """Accumulate along an axis. A scalar counts as a vector of one element."""
    a = to_tensor(a)
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    if axis is None or (shapes.rank(a) == 0 and axis in (0, -1)):
        a, axis = ravel(a), 0
    return reduction.accumulate(a, axis, dtype, out)


@array_function(promotes=("x",), unknown_rank="each")
def cumulative_sum(
    x: ArrayLike,
    /,
    *,
    axis: IntLike | None = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    include_initial: bool = False,
) -> tf.Tensor:
    """Each partial sum is rounded to the dtype of the result, as in NumPy, also of float16 and bfloat16."""
    return _accumulate(SUM, x, axis, dtype, out, include_initial)


@array_function(promotes=("x",), unknown_rank="each")
def cumulative_prod(
    x: ArrayLike,
    /,
    *,
    axis: IntLike | None = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    include_initial: bool = False,
) -> tf.Tensor:
    """Each partial product is rounded to the dtype of the result, as in NumPy, also of float16 and bfloat16."""
    return _accumulate(PRODUCT, x, axis, dtype, out, include_initial)


def _accumulate(reduction: Reduction, x: Any, axis: Any, dtype: Any, out: Any, include_initial: Any) -> tf.Tensor:
    """Accumulate; with `include_initial`, start with the identity."""
    out = as_output(out)
    x = shapes.reshape(to_tensor(x), (1,)) if shapes.rank(to_tensor(x)) == 0 else to_tensor(x)
    rank = shapes.rank(x)
    if isinstance(axis, tuple):
        if len(axis) != 1:
            raise ValueError("accumulate does not allow multiple axes")
        axis = axis[0]
    if axis is None:
        if rank >= 2:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    if not include_initial:
        return _scan(reduction, x, axis, dtype, out)
    # The sum is rounded to the dtype of `out` when it is written there, not before.
    result = _scan(reduction, x, axis, dtype if out is None else reduction.resolve_loop(x.dtype, dtype, out), None)
    axis = shapes.normalize_axis(axis, rank)
    shape = [1 if index == axis else dim for index, dim in enumerate(shapes.shape(x))]
    first = shapes.broadcast_to(convert.cast(tf.constant(reduction.identity, tf.int32), result.dtype), shape)
    result = concatenate([first, result], axis)
    return result if out is None else write_scan(result, out)
