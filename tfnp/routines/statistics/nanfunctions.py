"""Reductions that ignore nan."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, DTypeLike, IntLike, Out
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.ufunc.options import NO_VALUE, as_element, as_output
from tfnp._core.ufunc.reduction import Reduction
from tfnp._core.variables import read_variable, update
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.select_rare import is_long
from tfnp.routines.math import ufuncs
from tfnp.routines.math.cumulative import cumprod, cumsum
from tfnp.routines.math.reductions import ALL, PRODUCT, SUM
from tfnp.routines.statistics import averages

__all__ = [
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


FMAX: Final = Reduction(ufuncs.fmax, over_axes.reduce_max)
FMIN: Final = Reduction(ufuncs.fmin, over_axes.reduce_min)
_SUMMED_FIRST: Final = (tf.float32, tf.float64)


def _replace_nan(a: Any, value: complex) -> tuple[tf.Tensor, tf.Tensor | None]:
    """Return the array with nan replaced by a value, and the mask of nan; None if the dtype has no nan."""
    a = to_tensor(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return a, None
    is_nan = ufuncs.isnan(a)
    return layout.select(is_nan, convert.from_numpy(np.array(value, dtypes.as_numpy(a.dtype))), a), is_nan


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nansum(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """The sum of a slice of nan only is zero. The gradient is zero at nan."""
    return SUM.reduce(_replace_nan(a, 0)[0], axis, dtype, out, keepdims, initial, where)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanprod(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """The product of a slice of nan only is one. The gradient is zero at nan."""
    return PRODUCT.reduce(_replace_nan(a, 1)[0], axis, dtype, out, keepdims, initial, where)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nancumsum(a: ArrayLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: Out = None) -> tf.Tensor:
    """Each partial sum is rounded to the dtype of the result, as in NumPy, also of float16 and bfloat16. The gradient
    is zero at nan.
    """
    return cumsum(_replace_nan(a, 0)[0], axis, dtype, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nancumprod(a: ArrayLike, axis: IntLike | None = None, dtype: DTypeLike | None = None, out: Out = None) -> tf.Tensor:
    """Each partial product is rounded to the dtype of the result, as in NumPy, also of float16 and bfloat16. The
    gradient is zero at nan.
    """
    return cumprod(_replace_nan(a, 1)[0], axis, dtype, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanmax(
    a: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """The result for a slice of nan only is nan, without a RuntimeWarning. Equal maxima share the gradient evenly."""
    return _reduce_extreme(FMAX, -np.inf, a, axis, out, keepdims, initial, where)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanmin(
    a: ArrayLike,
    axis: AxisLike = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    initial: ArrayLike = NO_VALUE,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """The result for a slice of nan only is nan, without a RuntimeWarning. Equal minima share the gradient evenly."""
    return _reduce_extreme(FMIN, np.inf, a, axis, out, keepdims, initial, where)


def _reduce_extreme(
    reduction: Reduction, worst: float, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any
) -> tf.Tensor:
    """Reduce with fmax or fmin. NumPy treats lists differently: in a list, nan counts even where `where` is False."""
    is_array = is_tensor(a) or isinstance(a, np.ndarray)
    is_list = not is_array and not isinstance(a, np.generic)
    if is_array and (out is Ellipsis or isinstance(out, tuple)):  # which NumPy's ufunc accepts, and its nanmax does not
        out = as_output(out)
    a = to_tensor(a)
    replaced, is_nan = _replace_nan(a, complex(worst, worst) if a.dtype.is_complex else worst)
    start_value = initial
    if is_nan is not None and initial is not NO_VALUE and initial is not None and not is_list:
        element = as_element(initial, a.dtype)  # nan is ignored here, too
        start_value = layout.select(ufuncs.isnan(element), convert.cast(tf.constant(worst), a.dtype), element)
    result = reduction.reduce(replaced, axis, None, out, keepdims, start_value, where)
    if is_nan is None:
        return result
    is_all_nan = ALL.reduce(is_nan, axis, tf.bool, None, keepdims, NO_VALUE, where)
    if initial is not NO_VALUE and initial is not None and not is_list:
        is_all_nan = is_all_nan & ufuncs.isnan(as_element(initial, a.dtype))
    if a.dtype.is_complex and not is_list:
        nan_result = reduction.reduce(a, axis, None, None, keepdims, initial, where)
    else:
        nan_result = convert.from_numpy(np.array(np.nan, dtypes.as_numpy(a.dtype)))
    if out is None:
        return layout.select(is_all_nan, nan_result, result)
    update(out, layout.select(is_all_nan, convert.cast(nan_result, out.dtype), read_variable(out)))
    return out


def _check_inexact(dtype: Any, out: Any) -> None:
    """Raise NumPy's TypeError where `dtype` or `out` is not of a floating or complex dtype."""
    for requested in (dtype, None if out is None else out.dtype):
        if requested is not None and dtypes.as_numpy(requested).kind not in "fcV":
            raise TypeError("If a is inexact, then dtype and out must be inexact")


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanmean(
    a: ArrayLike,
    axis: AxisLike = None,
    dtype: DTypeLike | None = None,
    out: Out = None,
    keepdims: bool = NO_VALUE,
    *,
    where: ArrayLike = NO_VALUE,
) -> tf.Tensor:
    """The mean of a slice of nan only is nan, without a RuntimeWarning.

    bfloat16 is summed in float32, float16 in its own dtype: sums that overflow give inf, as in NumPy.
    """
    return averages.round_once(_mean, to_tensor(a), dtype, out, axis, keepdims, where)


def _mean(a: tf.Tensor, dtype: Any, out: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    if dtype is None and out is None and where is NO_VALUE and a.dtype in _SUMMED_FIRST and is_long(a):
        total = SUM.reduce(a, axis, None, None, keepdims)
        if not ufuncs.isnan(total).numpy().any():  # then there is no nan among the elements
            count = a.shape.num_elements() // max(total.shape.num_elements(), 1)
            return averages.divide_by_count(total, tf.constant(count, tf.int64), None)
    replaced, is_nan = _replace_nan(a, 0)
    if is_nan is None:
        return averages.mean(replaced, axis, dtype, out, keepdims, where=where)
    _check_inexact(dtype, out)
    count = SUM.reduce(tf.logical_not(is_nan), axis, np.int64, None, keepdims, NO_VALUE, where)
    return averages.divide_by_count(SUM.reduce(replaced, axis, dtype, out, keepdims, NO_VALUE, where), count, out)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanvar(
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
    """The result is nan, without a RuntimeWarning, where `ddof` is not less than the number of elements that are not
    nan.

    bfloat16 is calculated in float32.
    """
    options = (axis, ddof, keepdims, where, mean, correction)
    return averages.round_once(_compute_variance, to_tensor(a), dtype, out, *options)


def _compute_variance(
    a: tf.Tensor, dtype: Any, out: Any, axis: Any, ddof: Any, keepdims: Any, where: Any, mean: Any, correction: Any
) -> Any:
    """Return the sum of squared distances from the mean, divided by the number of elements without nan less `ddof`."""
    replaced, is_nan = _replace_nan(a, 0)
    if is_nan is None:
        return averages.var(replaced, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    _check_inexact(dtype, out)
    ddof = averages.as_ddof(ddof, correction)
    is_not_nan = tf.logical_not(is_nan)
    if mean is NO_VALUE:
        count = SUM.reduce(is_not_nan, axis, np.int64, None, True, NO_VALUE, where)
        mean = averages.divide_by_count(SUM.reduce(replaced, axis, dtype, None, True, NO_VALUE, where), count)
    distance = ufuncs.subtract(replaced, mean)
    _check_mean_shape(replaced, distance)
    distance = convert.cast(distance, replaced.dtype)
    distance = layout.select(is_nan, tf.zeros((), distance.dtype), distance)
    squares = _square_magnitude(distance)
    total = SUM.reduce(squares, axis, dtype, out, keepdims, NO_VALUE, where)
    count = SUM.reduce(is_not_nan, axis, np.int64, None, keepdims, NO_VALUE, where)
    divisor = ufuncs.subtract(count, ddof)
    result = averages.divide_by_count(total, divisor, out)
    value = read_variable(result) if out is not None else result
    is_undefined = ufuncs.less_equal(divisor, 0)
    value = layout.select(is_undefined, convert.from_numpy(np.array(np.nan, dtypes.as_numpy(value.dtype))), value)
    if out is None:
        return value
    update(out, value)
    return out


def _check_mean_shape(a: tf.Tensor, distance: tf.Tensor) -> None:
    """Raise ValueError where the argument `mean` broadcasts the array to a larger shape."""
    if not distance.shape.is_compatible_with(a.shape):
        raise ValueError(f"mean does not broadcast to the shape of a, {a.shape}")


def _square_magnitude(distance: tf.Tensor) -> tf.Tensor:
    if not distance.dtype.is_complex:
        return ufuncs.square(distance)
    real, imaginary = arithmetic.parts(distance)
    return real * real + imaginary * imaginary


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def nanstd(
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
    """The result is nan, without a RuntimeWarning, where `ddof` is not less than the number of elements that are not
    nan. bfloat16 is calculated in float32.

    Where the variance is zero, so that the square root has no finite derivative, the gradient is zero.
    """
    options = (axis, ddof, keepdims, where, mean, correction)
    return averages.round_once(_compute_deviation, to_tensor(a), dtype, out, *options)


def _compute_deviation(a: tf.Tensor, dtype: Any, out: Any, *options: Any) -> Any:
    return averages.take_sqrt(_compute_variance(a, dtype, out, *options), out)
