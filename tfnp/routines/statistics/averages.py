"""Means, variances, standard deviations and weighted averages.

Each is a sum divided by a count. The sum is calculated in `dtype` if given, in float64 for integers, else in the
array's dtype. With `out=`, NumPy writes the sum to `out` first, and divides what that holds. Statistics of bfloat16 are
calculated in float32, and rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, needs_gradient, rank_of
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, DTypeLike, Out
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._core.ufunc.options import NO_VALUE, as_keepdims, as_mask, as_output, normalize_axes, write_reduction
from tfnp._core.variables import read_variable, update
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.reduce import over_axes
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import SUM

__all__ = ["average", "mean", "std", "var"]

_mean = ops.reduce_mean
_FLOATS: Final = (tf.float32, tf.float64)
_FAST_DTYPES: Final = frozenset((tf.float32.as_datatype_enum, tf.float64.as_datatype_enum))


@array_function(promotes=("a",), unknown_rank="each")
def mean(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    *,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """float16 and bfloat16 are summed in float32, and the mean is rounded once.

    The mean of no elements is nan, without a RuntimeWarning.
    """
    has_no_options = dtype is out is None and where is NO_VALUE and (keepdims is NO_VALUE or type(keepdims) is bool)
    if has_no_options and type(a) is EagerTensor and _has_fast_dtype(a):
        axes = _normalize_axes(axis, rank_of(a))
        if not over_axes.may_be_of_one(a, axes):
            return _mean(a, shapes.const_int(axes), keepdims is True)
    return round_once(_average, to_tensor(a), dtype, out, axis, keepdims, where)


def round_once(calculate: Callable[..., Any], a: tf.Tensor, dtype: Any, out: Any, *options: Any) -> Any:
    """Return `calculate(a, dtype, out, *options)`, with bfloat16 calculated in float32 and rounded at the end."""
    is_requested = dtype is not None and dtypes.as_dtype(dtype) == tf.bfloat16
    if a.dtype != tf.bfloat16 and not is_requested:
        return calculate(a, dtype, out, *options)
    a = convert.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a
    target = as_output(out)
    is_target_rounded = target is not None and target.dtype == tf.bfloat16
    result = calculate(a, np.float32 if is_requested else dtype, None if is_target_rounded else out, *options)
    if is_target_rounded:
        return write_reduction(result, target, "add")
    is_rounded = is_requested or (dtype is None and result.dtype == tf.float32)  # `mean=` of float64 gives float64
    return convert.cast(result, tf.bfloat16) if target is None and is_rounded else result


def _average(a: tf.Tensor, dtype: Any, out: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    count = _count(a, axis, keepdims, where)
    # Upstream bug: tensorflow-reduce-mean-float16
    in_float32 = dtype is None and a.dtype == tf.float16
    sum_dtype = np.float32 if in_float32 else _choose_sum_dtype(a, dtype)
    total = SUM.reduce(a, axis, sum_dtype, out, keepdims, NO_VALUE, where)
    result = divide_by_count(total, count, out)
    return convert.cast(result, tf.float16) if in_float32 and out is None else result


def _has_fast_dtype(a: tf.Tensor) -> bool:
    return enum_of(a) in _FAST_DTYPES


def _normalize_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """Normalize the axes as other reductions do, but raise AxisError for axis 0 of a scalar."""
    if rank == 0 and axis is not None and not isinstance(axis, tuple):
        return (shapes.normalize_axis(shapes.as_int_not_bool(axis), rank),)
    if isinstance(axis, bool):  # raises TypeError below; NumPy checks the bounds first
        shapes.normalize_axis(axis, rank)
    return normalize_axes(axis, rank)


def _choose_sum_dtype(a: tf.Tensor, dtype: Any) -> Any:
    """Return the requested dtype, or the default float for integers and booleans; None keeps the array's dtype."""
    if dtype is not None or not (a.dtype.is_integer or a.dtype == tf.bool):
        return dtype
    return dtypes.default_float()


def _count(a: tf.Tensor, axis: Any, keepdims: Any, where: Any) -> Any:
    """Return the number of elements that each result is calculated from: a scalar, or a tensor if there is a mask."""
    shape = shapes.shape(a)
    if where is NO_VALUE or where is True:
        return layout.product([shape[index] for index in _normalize_axes(axis, len(shape))])
    if (where is None and 0 not in shape) or isinstance(where, str | bytes):
        raise TypeError(f"where must be a boolean array, got {where!r}")
    as_mask(where, a)
    mask = shapes.broadcast_to(convert.cast(to_tensor(where), tf.int64), shape)
    return over_axes.reduce_sum(mask, normalize_axes(axis, len(shape)), as_keepdims(keepdims))


def divide_by_count(total: Any, count: Any, out: Any = None) -> Any:
    """Return a sum divided by a count, in the dtype of the sum; with `out`, which holds the sum, divide it there.

    Integers are divided in float64, and truncated.
    """
    result = _divide(read_variable(total) if out is not None else total, count)
    if out is None:
        return result
    update(out, result)
    return out


def _divide(total: tf.Tensor, count: Any) -> tf.Tensor:
    dtype = total.dtype
    if not isinstance(count, tf.Tensor):
        count = convert.as_constant(np.array(count, np.float64))
    upcast = dtype if dtype in (tf.float32, tf.float64, tf.complex64, tf.complex128) else tf.float64
    return convert.cast(ufuncs.divide(convert.cast(total, upcast), convert.cast(count, upcast)), dtype)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def var(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    ddof: ArrayLike = 0,
    keepdims: bool = NO_VALUE,
    *,
    where: ArrayLike = NO_VALUE,
    mean: ArrayLike = NO_VALUE,
    correction: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """float16 is calculated in its own dtype, bfloat16 in float32.

    Where `ddof` is not less than the number of elements the result is nan or inf, without a RuntimeWarning.
    """
    return round_once(
        _compute_variance, to_tensor(a), dtype, out, axis, as_ddof(ddof, correction), keepdims, where, mean
    )


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def std(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    ddof: ArrayLike = 0,
    keepdims: bool = NO_VALUE,
    *,
    where: ArrayLike = NO_VALUE,
    mean: ArrayLike = NO_VALUE,
    correction: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """float16 is calculated in its own dtype, bfloat16 in float32.

    Where the variance is zero, so that the square root has no finite derivative, the gradient is zero.
    """
    return round_once(
        _compute_deviation, to_tensor(a), dtype, out, axis, as_ddof(ddof, correction), keepdims, where, mean
    )


def _compute_deviation(a: tf.Tensor, dtype: Any, out: Any, *options: Any) -> Any:
    return take_sqrt(_compute_variance(a, dtype, out, *options), out)


def take_sqrt(variance: Any, out: Any) -> Any:
    """Return the standard deviation in the dtype of the variance, or write it to the `out` that holds the variance."""
    if out is not None:
        return ufuncs.sqrt(variance, out=out)
    root = _sqrt_without_nan_gradient(variance)
    if variance.shape.rank and root.dtype != variance.dtype:
        raise TypeError(f"Cannot cast ufunc 'sqrt' output from {root.dtype.name} to {variance.dtype.name}")
    return convert.cast(root, variance.dtype)


def _sqrt_without_nan_gradient(variance: tf.Tensor) -> tf.Tensor:
    """Return the square root, with a gradient of zero at zero instead of inf * 0 = nan."""
    if not needs_gradient() and variance.dtype in _FLOATS:
        return ops.sqrt(variance)
    if variance.dtype in _FLOATS:
        is_zero = tf.equal(variance, tf.zeros((), variance.dtype))
        return layout.select(is_zero, variance, tf.sqrt(layout.select(is_zero, tf.ones((), variance.dtype), variance)))
    return ufuncs.sqrt(variance)


def as_ddof(ddof: Any, correction: Any) -> Any:
    """Return `correction`, the array API's name for `ddof`, or `ddof` if there is no correction."""
    if correction is NO_VALUE:
        return ddof
    if not isinstance(ddof, int | float) or ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


def _compute_variance(
    a: tf.Tensor, dtype: Any, out: Any, axis: Any, ddof: Any, keepdims: Any, where: Any, mean: Any
) -> Any:
    has_no_options = dtype is out is None and where is mean is NO_VALUE and a.dtype in _FLOATS
    if has_no_options and type(ddof) in (int, float) and a.shape.is_fully_defined() and a.shape.num_elements():
        return _variance_of_floats(a, _normalize_axes(axis, shapes.rank(a)), ddof, as_keepdims(keepdims))
    count = _count(a, axis, keepdims, where)
    _check_scalar_ddof(ddof, where)
    dtype = _choose_sum_dtype(a, dtype)
    if mean is NO_VALUE or mean is None:
        mean = divide_by_count(SUM.reduce(a, axis, dtype, None, True, NO_VALUE, where), _count(a, axis, True, where))
    distance = ufuncs.subtract(a, mean, where=True if where is NO_VALUE else where)
    total = SUM.reduce(_square_magnitude(a, distance), axis, dtype, out, keepdims, NO_VALUE, where)
    divisor = ufuncs.maximum(ufuncs.subtract(to_tensor(count), ddof), 0)
    if divisor.dtype.is_complex and not total.dtype.is_complex:  # NumPy keeps the real part of the quotient
        divisor = ufuncs.reciprocal(tf.math.real(ufuncs.reciprocal(divisor)))
    return divide_by_count(total, divisor, out)


def _variance_of_floats(a: tf.Tensor, axes: tuple[int, ...], ddof: float, keepdims: bool) -> tf.Tensor:
    """Calculate the variance without options of a static shape, in as few ops as it takes."""
    shape, dtype = shapes.shape(a), dtypes.as_numpy(a.dtype)
    count = math.prod(shape[axis] for axis in axes)
    mean = ops.divide(over_axes.reduce_sum(a, axes, True), convert.as_constant(np.array(count, dtype)))
    total = over_axes.reduce_sum(ops.square(ops.subtract(a, mean)), axes, keepdims)
    return ops.divide(total, convert.as_constant(np.array(max(count - ddof, 0), np.float64).astype(dtype)))


def _check_scalar_ddof(ddof: Any, where: Any) -> None:
    """Raise NumPy's ValueError for a `ddof` of several elements."""
    ddof = apply_conversion(ddof)
    size = ddof.shape.num_elements() if isinstance(ddof, tf.Tensor | tf.Variable) else np.size(ddof)
    if size not in (1, None) and (where is NO_VALUE or where is True):
        raise ValueError(f"ddof must be a scalar, got {size} elements")


def _square_magnitude(a: tf.Tensor, distance: tf.Tensor) -> tf.Tensor:
    """Return the squared magnitudes of the distances of elements from the mean, which are real."""
    if not distance.dtype.is_complex or not (a.dtype.is_complex or a.dtype == tf.bool):
        return ufuncs.square(distance) if distance.dtype != tf.bool else distance
    real, imaginary = arithmetic.parts(distance)
    return real * real + imaginary * imaginary


@array_function(promotes=("a", "weights"), unknown_rank="each", traces=("a",))
def average(
    a: ArrayLike,
    axis: AxisLike = None,
    weights: ArrayLike | None = None,
    returned: bool = False,
    *,
    keepdims: bool = NO_VALUE,
) -> Any:
    """Weights that sum to zero raise ZeroDivisionError, or InvalidArgumentError when a graph runs. XLA raises nothing:
    the result is nan or infinite. bfloat16 is calculated in float32.
    """
    a = to_tensor(a)
    axes = None if axis is None else shapes.normalize_axes(axis, shapes.rank(a), "axis")
    if weights is None:
        result = mean(a, axes, keepdims=keepdims)
        total = _sum_unit_weights(a, result)
        return (result, total) if returned else result
    weights = broadcast_weights(to_tensor(weights), a, axes)
    dtype = _find_average_dtype(a, weights)
    if dtype != tf.bfloat16:
        return _average_weighted(a, weights, axes, returned, keepdims)
    a, weights = convert.cast(a, tf.float32), convert.cast(weights, tf.float32)
    result = _average_weighted(a, weights, axes, returned, keepdims)
    return tuple(convert.cast(value, dtype) for value in result) if returned else convert.cast(result, dtype)


def _sum_unit_weights(a: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
    """Return the sum of weights that are all one, in the shape of the result."""
    count, result_size = shapes.size(a), shapes.size(result)
    if isinstance(result_size, int) and result_size == 0:
        raise ZeroDivisionError("average of an array with an empty axis: there are no weights to normalize")
    elements_per_result = tf.cast(count, tf.float64) / tf.cast(result_size, tf.float64)
    return shapes.broadcast_to(convert.cast(elements_per_result, result.dtype), shapes.shape(result))


def _find_average_dtype(a: tf.Tensor, weights: tf.Tensor) -> tf.DType:
    is_exact = a.dtype.is_integer or a.dtype == tf.bool
    return dtypes.result_type(a, weights, *([dtypes.default_float()] if is_exact else []))


def _average_weighted(a: tf.Tensor, weights: tf.Tensor, axes: Any, returned: Any, keepdims: Any) -> Any:
    """Return the weighted average, or with `returned` a pair of it and the sum of weights.

    Raise ZeroDivisionError where that sum is zero.
    """
    dtype, message = _find_average_dtype(a, weights), "Weights sum to zero, can't be normalized"
    total = SUM.reduce(weights, axes, dtype, None, keepdims)
    static, static_weights = convert.static_value(total), convert.static_value(weights)
    if static is None and static_weights is not None:
        static = np.sum(static_weights, axes)
    if (static is not None and np.any(static == 0)) or weights.shape.num_elements() == 0 != total.shape.num_elements():
        raise ZeroDivisionError(message)
    if static is None:
        total = check(tf.reduce_all(ops.not_equal(total, ops.scalar(0, total))), ZeroDivisionError(message), total)
    products = ufuncs.multiply(convert.cast(a, dtype), convert.cast(weights, dtype))
    result = ufuncs.divide(SUM.reduce(products, axes, None, None, keepdims), total)
    return (result, shapes.broadcast_to(total, shapes.shape(result))) if returned else result


def broadcast_weights(weights: tf.Tensor, a: tf.Tensor, axes: tuple[int, ...] | None) -> tf.Tensor:
    """Return the weights in a shape that broadcasts with the array: the dimensions of `axes`, 1 for other axes."""
    message = "Axis must be specified when shapes of a and weights differ."
    if shapes.rank(weights) == shapes.rank(a) and weights.shape.is_compatible_with(a.shape):
        return shapes.check_same_shape(a, weights, message)
    if axes is None:
        raise TypeError(message)
    shape = shapes.shape(a)
    if not weights.shape.is_compatible_with([a.shape[axis] for axis in axes]):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    transposed = layout.transpose(weights, tuple(int(index) for index in np.argsort(axes)))
    return shapes.reshape(transposed, [dim if axis in axes else 1 for axis, dim in enumerate(shape)])
