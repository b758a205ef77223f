"""Reductions that leave out what is nan."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.ufunc.options import NO_VALUE, as_element, as_output
from tfnp._core.ufunc.reduction import Reduction
from tfnp._core.variables import read_variable, update
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.reduce import over_axes
from tfnp.routines.math import ufuncs
from tfnp.routines.math.cumulative import cumprod, cumsum
from tfnp.routines.math.reductions import EVERY, PRODUCT, SUM
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


LARGEST_NUMBER: Final = Reduction(ufuncs.fmax, over_axes.reduce_max)
SMALLEST_NUMBER: Final = Reduction(ufuncs.fmin, over_axes.reduce_min)


def _replaced(a: Any, value: complex) -> tuple[tf.Tensor, tf.Tensor | None]:
    """The array with a value in place of each nan, and where they were; None where there can be none."""
    a = to_tensor(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return a, None
    missing = ufuncs.isnan(a)
    return layout.select(missing, convert.from_numpy(np.array(value, dtypes.as_numpy(a.dtype))), a), missing


@array_function(promotes=("a",), unknown_rank="each")
def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    return SUM.reduce(_replaced(a, 0)[0], axis, dtype, out, keepdims, initial, where)


@array_function(promotes=("a",), unknown_rank="each")
def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    return PRODUCT.reduce(_replaced(a, 1)[0], axis, dtype, out, keepdims, initial, where)


@array_function(promotes=("a",), unknown_rank="each")
def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> tf.Tensor:
    return cumsum(_replaced(a, 0)[0], axis, dtype, out)


@array_function(promotes=("a",), unknown_rank="each")
def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> tf.Tensor:
    return cumprod(_replaced(a, 1)[0], axis, dtype, out)


@array_function(promotes=("a",), unknown_rank="each")
def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    """Of nothing but nan it is nan."""
    return _extreme(LARGEST_NUMBER, -np.inf, a, axis, out, keepdims, initial, where)


@array_function(promotes=("a",), unknown_rank="each")
def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = NO_VALUE,
    initial: Any = NO_VALUE,
    where: Any = NO_VALUE,
) -> tf.Tensor:
    """Of nothing but nan it is nan."""
    return _extreme(SMALLEST_NUMBER, np.inf, a, axis, out, keepdims, initial, where)


def _extreme(
    reduction: Reduction, worst: float, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any
) -> tf.Tensor:
    """NumPy looks at lists in another way than at arrays: there what `where` leaves out counts as nan."""
    is_array = is_tensor(a) or isinstance(a, np.ndarray)
    is_list = not is_array and not isinstance(a, np.generic)
    if is_array and (out is Ellipsis or isinstance(out, tuple)):  # which the ufunc takes for none, or unpacks
        out = as_output(out)
    a = to_tensor(a)
    filled, missing = _replaced(a, complex(worst, worst) if a.dtype.is_complex else worst)
    start = initial
    if missing is not None and initial is not NO_VALUE and initial is not None and not is_list:
        element = as_element(initial, a.dtype)  # nan is left out here too
        start = layout.select(ufuncs.isnan(element), convert.cast(tf.constant(worst), a.dtype), element)
    result = reduction.reduce(filled, axis, None, out, keepdims, start, where)
    if missing is None:
        return result
    only = EVERY.reduce(missing, axis, tf.bool, None, keepdims, NO_VALUE, where)
    if initial is not NO_VALUE and initial is not None and not is_list:
        only = only & ufuncs.isnan(as_element(initial, a.dtype))
    if a.dtype.is_complex and not is_list:
        nothing = reduction.reduce(a, axis, None, None, keepdims, initial, where)
    else:
        nothing = convert.from_numpy(np.array(np.nan, dtypes.as_numpy(a.dtype)))
    if out is None:
        return layout.select(only, nothing, result)
    update(out, layout.select(only, convert.cast(nothing, out.dtype), read_variable(out)))
    return out


def _check_inexact(dtype: Any, out: Any) -> None:
    for kind in (dtype, None if out is None else out.dtype):
        if kind is not None and dtypes.as_numpy(kind).kind not in "fcV":
            raise TypeError("If a is inexact, then dtype and out must be inexact")


@array_function(promotes=("a",), unknown_rank="each")
def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = NO_VALUE, *, where: Any = NO_VALUE
) -> tf.Tensor:
    return averages.round_once(_mean, to_tensor(a), dtype, out, axis, keepdims, where)


def _mean(a: tf.Tensor, dtype: Any, out: Any, axis: Any, keepdims: Any, where: Any) -> Any:
    filled, missing = _replaced(a, 0)
    if missing is None:
        return averages.mean(filled, axis, dtype, out, keepdims, where=where)
    _check_inexact(dtype, out)
    count = SUM.reduce(tf.logical_not(missing), axis, np.int64, None, keepdims, NO_VALUE, where)
    return averages.divide_by_count(SUM.reduce(filled, axis, dtype, out, keepdims, NO_VALUE, where), count, out)


@array_function(promotes=("a",), unknown_rank="each")
def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = NO_VALUE,
    *,
    where: Any = NO_VALUE,
    mean: Any = NO_VALUE,
    correction: Any = NO_VALUE,
) -> tf.Tensor:
    """Nan where there are no more numbers than `ddof`."""
    options = (axis, ddof, keepdims, where, mean, correction)
    return averages.round_once(_variance, to_tensor(a), dtype, out, *options)


def _variance(
    a: tf.Tensor, dtype: Any, out: Any, axis: Any, ddof: Any, keepdims: Any, where: Any, mean: Any, correction: Any
) -> Any:
    filled, missing = _replaced(a, 0)
    if missing is None:
        return averages.var(filled, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    _check_inexact(dtype, out)
    ddof = averages.as_ddof(ddof, correction)
    there = tf.logical_not(missing)
    if mean is NO_VALUE:
        count = SUM.reduce(there, axis, np.int64, None, True, NO_VALUE, where)
        mean = averages.divide_by_count(SUM.reduce(filled, axis, dtype, None, True, NO_VALUE, where), count)
    distance = ufuncs.subtract(filled, mean)
    _check_fits(filled, distance)
    distance = convert.cast(distance, filled.dtype)
    distance = layout.select(missing, tf.zeros((), distance.dtype), distance)
    squares = _squared(distance)
    total = SUM.reduce(squares, axis, dtype, out, keepdims, NO_VALUE, where)
    count = SUM.reduce(there, axis, np.int64, None, keepdims, NO_VALUE, where)
    remaining = ufuncs.subtract(count, ddof)
    result = averages.divide_by_count(total, remaining, out)
    given = read_variable(result) if out is not None else result
    bad = ufuncs.less_equal(remaining, 0)
    given = layout.select(bad, convert.from_numpy(np.array(np.nan, dtypes.as_numpy(given.dtype))), given)
    if out is None:
        return given
    update(out, given)
    return out


def _check_fits(a: tf.Tensor, distance: tf.Tensor) -> None:
    """The mean may not widen the array."""
    if not distance.shape.is_compatible_with(a.shape):
        raise ValueError(f"non-broadcastable output operand with shape {a.shape} for the mean")


def _squared(distance: tf.Tensor) -> tf.Tensor:
    if not distance.dtype.is_complex:
        return ufuncs.square(distance)
    real, imaginary = arithmetic.parts(distance)
    return real * real + imaginary * imaginary


@array_function(promotes=("a",), unknown_rank="each")
def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = NO_VALUE,
    *,
    where: Any = NO_VALUE,
    mean: Any = NO_VALUE,
    correction: Any = NO_VALUE,
) -> tf.Tensor:
    options = (axis, ddof, keepdims, where, mean, correction)
    return averages.round_once(_deviation, to_tensor(a), dtype, out, *options)


def _deviation(a: tf.Tensor, dtype: Any, out: Any, *options: Any) -> Any:
    return averages.sqrt_of_variance(_variance(a, dtype, out, *options), out)
