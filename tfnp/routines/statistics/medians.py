"""Medians, with and without nan."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.outputs import as_variable
from tfnp._core.parameters import ArrayLike, AxisLike, Out
from tfnp._core.ufunc.options import NO_VALUE
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.select_rare import replace_rare
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import mean
from tfnp.routines.statistics.nanfunctions import nanmean
from tfnp.routines.statistics.sorted_sample import (
    SortedSample,
    assign_to_out,
    check_exact_out,
    reshape_rows,
)

__all__ = ["median", "nanmedian"]

_MASKED_ARRAY_LENGTH: Final = 600
"""The length below which NumPy's nanmedian uses masked arrays."""


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def median(
    a: ArrayLike, axis: AxisLike = None, out: Out = None, overwrite_input: bool = False, keepdims: bool = False
) -> tf.Tensor:
    """The median of a slice that contains nan is nan. `overwrite_input` has no effect.

    Gradients flow to the one or two elements in the middle.
    """
    as_variable(out)
    sample = SortedSample(to_tensor(a), axis, keepdims)
    sample.check_merged_axes()
    set_nan = sample.pad_empty_rows()
    length = sample.length
    middle = sample.rows if sample.is_empty else sample.slice((length - 1) // 2, length // 2 - (length - 1) // 2 + 1)
    result = mean(middle, 1)
    if out is not None and (out.dtype != result.dtype or out.dtype == tf.float16):  # otherwise summed in float32
        result = _mean_in_dtype(middle, out.dtype)
    else:
        result = set_nan(result)
    if not (sample.is_empty or sample.dtype.is_integer or sample.dtype == tf.bool):
        last = sample.last_elements
        is_nan = ufuncs.isnan(last)
        result = replace_rare(result, is_nan, lambda: convert.cast(last, result.dtype))
        _check_nan_fits(a, sample, is_nan, out)
    if out is not None:
        result = check_exact_out(result, sample.remaining_dims, sample, out)
    return reshape_rows(result, (), sample, out)


def _mean_in_dtype(middle: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Return the mean as NumPy calculates it with `out=`: cast the sum to the dtype of `out`, then divide it there."""
    total = convert.cast(
        over_axes.reduce_sum(convert.cast(middle, dtypes.result_type(mean(middle, 1), dtype)), (1,)), dtype
    )
    count = tf.cast(shapes.shape(middle)[1], tf.int64)
    return convert.cast(ufuncs.true_divide(total, count), dtype)


def _check_nan_fits(a: Any, sample: SortedSample, is_nan: tf.Tensor, out: tf.Variable | None) -> None:
    """Raise NumPy's TypeError where nan is among the static elements and cannot be cast to the dtype of `out`."""
    if out is None:
        return
    operand = convert.to_operand(a)
    has_nan = (
        np.isnan(operand).any() if isinstance(operand, np.ndarray) else convert.static_value(tf.reduce_any(is_nan))
    )
    if not has_nan:
        return
    dtypes.check_cast(dtypes.as_numpy(sample.dtype), dtypes.as_numpy(out.dtype), "same_kind", "array data")


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanmedian(
    a: ArrayLike, axis: AxisLike = None, out: Out = None, overwrite_input: bool = False, keepdims: bool = NO_VALUE
) -> tf.Tensor:
    """The median of a slice of nan only is nan, without a RuntimeWarning. `overwrite_input` has no effect.

    Gradients flow to the one or two elements in the middle.
    """
    a = to_tensor(a)
    if a.shape.num_elements() == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    as_variable(out)
    sample = SortedSample(a, axis, keepdims is not NO_VALUE and keepdims)
    set_nan = sample.pad_empty_rows()
    counts = sample.counts
    low, high = tf.maximum(counts - 1, 0) // 2, tf.maximum(tf.minimum(counts // 2, counts - 1), 0)
    pair = sample.take(tf.stack([low, high], axis=1))
    result = mean(pair, 1)
    if axis is None or not sample.remaining_dims:
        result = set_nan(layout.select(tf.equal(low, high), convert.cast(pair[:, 0], result.dtype), result))
        return reshape_rows(result if out is None else assign_to_out(result, out, np.nanmedian, a), (), sample, out)
    if result.dtype == a.dtype:
        result = _round_as_masked_arrays(result, pair, sample.length)
    return reshape_rows(set_nan(result), (), sample, out)


def _round_as_masked_arrays(result: tf.Tensor, pair: tf.Tensor, length: shapes.Dim) -> tf.Tensor:
    """Return the mean of two elements, rounded as by masked arrays where NumPy uses these: half the rounded sum."""
    if isinstance(length, int) and length >= _MASKED_ARRAY_LENGTH:
        return result
    halved = ufuncs.true_divide(ufuncs.add(pair[:, 0], pair[:, 1]), 2.0)
    if halved.dtype == tf.bfloat16:  # masked arrays mask the nonfinite results of its division
        halved = layout.select(ufuncs.isfinite(halved), halved, tf.constant(np.nan, tf.bfloat16))
    return halved if isinstance(length, int) else layout.select(length < _MASKED_ARRAY_LENGTH, halved, result)
