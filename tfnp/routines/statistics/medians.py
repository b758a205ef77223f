"""Medians, with and without nan; and what quantiles share with them: elements in order, and results in `out=`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error
from tfnp._core.variables import read_variable, store, update
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.sort import sort_keys
from tfnp.routines.math import ufuncs
from tfnp.routines.statistics.averages import mean
from tfnp.routines.statistics.nanfunctions import nanmean

__all__ = ["median", "nanmedian"]

NOTHING: Final = np._NoValue
LONG: Final = 600  # elements, from which on NumPy takes another way


class SortedSample:
    """The elements along some axes in order, a row for each element of the result; nan last."""

    def __init__(self, a: tf.Tensor, axis: Any, keepdims: Any) -> None:
        self.axes = tuple(sorted(shapes.normalize_axes(axis, shapes.rank(a))))
        self.several = axis is not None and len(self.axes) != 1
        rows, self.sides = over_axes.flatten_axes(a, self.axes)
        self.others = tuple(dim for number, dim in enumerate(self.sides) if number not in self.axes)
        self.keepdims = bool(keepdims)
        self.order = sort_keys.stable_order(sort_keys.keys(rows))
        self.rows = sort_keys.gather_rows(rows, self.order)
        self.length = shapes.shape(rows)[1]
        self.is_empty = isinstance(self.length, int) and self.length == 0

    @property
    def kept(self) -> tuple[shapes.Dim, ...]:
        """The sides of the result."""
        if not self.keepdims:
            return self.others
        others = iter(self.others)
        return tuple(1 if number in self.axes else next(others) for number in range(len(self.sides)))

    @property
    def last(self) -> tf.Tensor:
        """The last element of each row, which is nan where there is one."""
        return layout.take(self.rows, to_tensor(self.length - 1, tf.int64)[None], 1)[:, 0]

    def merge(self) -> None:
        """NumPy makes one axis of no axes, or of several, whose length it cannot tell if there are no rows."""
        error = ValueError("cannot reshape array of size 0: with several axes, or none, no row may be missing")
        if self.several and any(isinstance(dim, int) and dim == 0 for dim in self.others):
            raise error
        if self.several and not shapes.is_static(self.others):
            self.rows = check(tf.shape(self.rows)[0] > 0, error, self.rows)

    def fill(self) -> Callable[[tf.Tensor], tf.Tensor]:
        """Give rows whose length is known at run time only an element, if they have none; what makes nan of results
        that come of this element.
        """
        if isinstance(self.length, int):
            return lambda result: result
        missing = tf.equal(self.length, 0)
        self.rows = layout.pad(self.rows, [(0, 0), (0, tf.cast(missing, tf.int32))])
        self.length = tf.maximum(self.length, 1)
        return lambda result: layout.select(missing, tf.constant(np.nan, result.dtype), result)

    @property
    def counts(self) -> tf.Tensor:
        """How many elements of each row are not nan."""
        return tf.reduce_sum(tf.cast(tf.logical_not(ufuncs.isnan(self.rows)), tf.int64), 1)


def check_out(out: Any) -> None:
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)


def reshape_rows(result: tf.Tensor, lead: tuple[shapes.Dim, ...], sample: SortedSample, out: Any) -> Any:
    """The result, which has a row for each of `lead`; or `out`, which holds it, as far as its kept axes begin."""
    if out is None:
        return tf.reshape(result, shapes.shape_tensor((*lead, *sample.kept)))
    shape = (*lead, *sample.others)
    _check_shape(shape, sample, out)
    view = _view(out, sample)
    value = shapes.broadcast_to(convert.cast(tf.reshape(result, shapes.shape_tensor(shape)), out.dtype), view)
    if view == tuple(out.shape):
        store(out, value)
    else:
        update(out, _at_the_beginning(value, sample, out))
    return out


def check_exact_out(
    result: tf.Tensor, shape: tuple[shapes.Dim, ...], sample: SortedSample, out: tf.Variable
) -> tf.Tensor:
    """The result in this shape, which has to be that of the output."""
    view = _view(out, sample)
    if shapes.is_static(shape) and shapes.is_static(view) and shape != view:
        raise _mismatch(view, shape)
    return tf.ensure_shape(tf.reshape(result, shapes.shape_tensor(shape)), view)


def _check_shape(shape: tuple[shapes.Dim, ...], sample: SortedSample, out: tf.Variable) -> None:
    """Whether a result goes into an output, to whose shape it must be broadcast."""
    view = _view(out, sample)
    if shapes.is_static(shape) and shapes.is_static(view) and shapes.broadcast_shapes(shape, view) != view:
        raise _mismatch(view, shape)


def _mismatch(view: tuple[int, ...], shape: tuple[shapes.Dim, ...]) -> ValueError:
    return ValueError(f"the output has shape {shapes.format_shape(view)}, the result {shapes.format_shape(shape)}")


def _view(out: tf.Variable, sample: SortedSample) -> tuple[int, ...]:
    """The part of the output to which NumPy writes: the first along each axis that was to be kept."""
    if not sample.keepdims:
        return tuple(out.shape)
    lead = out.shape.rank - len(sample.sides)
    if lead < 0 or any(out.shape[lead + axis] == 0 for axis in sample.axes):
        raise IndexError("too many indices for the output array, or index 0 out of bounds for it")
    return tuple(dim for number, dim in enumerate(out.shape) if number - lead not in sample.axes)


def _at_the_beginning(value: tf.Tensor, sample: SortedSample, out: tf.Variable) -> tf.Tensor:
    shape = tuple(out.shape)
    lead = len(shape) - len(sample.sides)
    indices = tuple(0 if number - lead in sample.axes else slice(None) for number in range(len(shape)))
    mask = np.zeros(shape, bool)
    mask[indices] = True
    upcast = [1 if number - lead in sample.axes else dim for number, dim in enumerate(shape)]
    value = shapes.broadcast_to(tf.reshape(value, upcast), shape)
    return value if mask.all() else layout.select(convert.from_numpy(mask), value, read_variable(out))


def assign_to_out(result: tf.Tensor, out: tf.Variable, find: Callable[..., Any], *constants: tf.Tensor) -> tf.Tensor:
    """The result as NumPy assigns it to elements of `out`: an error where it does not fit, which comes when the graph
    runs if the result is not known by now, nor can be found from constants.
    """
    static = convert.static_value(result)
    if static is None:
        given = [convert.static_value(constant) for constant in constants]
        if any(value is None for value in given):
            return _held(result, out.dtype)
        static = find(*given)
    element = np.zeros((), dtypes.as_numpy(out.dtype))
    element[...] = np.asarray(static).reshape(())[()]
    return convert.from_numpy(element)


def _held(result: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """The floating result, which signed integers have to hold; unsigned ones are filled modulo their range."""
    if not result.dtype.is_floating or not dtype.is_integer or dtype.is_unsigned:
        return result
    number = tf.cast(result, tf.float64)
    is_valid = (number > float(dtype.min) - 1) if dtype.size < 8 else (number >= float(dtype.min))
    is_valid = tf.reduce_all(is_valid & (number < float(dtype.max) + 1))
    return check(is_valid, OverflowError(f"a number out of bounds for {dtype.name}, or nan"), result)


@array_function(promotes=("a",), unknown_rank="each")
def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> tf.Tensor:
    """Nan where there is one."""
    check_out(out)
    sample = SortedSample(to_tensor(a), axis, keepdims)
    sample.merge()
    with_nan = sample.fill()
    length = sample.length
    if sample.is_empty:
        middle = sample.rows
    else:
        middle = layout.slice_along(sample.rows, 1, (length - 1) // 2, length // 2 - (length - 1) // 2 + 1)
    result = mean(middle, 1)
    if out is not None and (out.dtype != result.dtype or out.dtype == tf.float16):  # else it is summed in float32
        result = _through(middle, out.dtype)
    else:
        result = with_nan(result)
    if not (sample.is_empty or sample.rows.dtype.is_integer or sample.rows.dtype == tf.bool):
        missing = ufuncs.isnan(sample.last)
        result = layout.select(missing, convert.cast(sample.last, result.dtype), result)
        _check_nan_fits(a, sample, missing, out)
    if out is not None:
        result = check_exact_out(result, sample.others, sample, out)
    return reshape_rows(result, (), sample, out)


def _through(middle: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """NumPy sums in the `out=` it is given, and divides what that holds."""
    total = convert.cast(
        over_axes.reduce_sum(convert.cast(middle, dtypes.result_type(mean(middle, 1), dtype)), (1,)), dtype
    )
    count = tf.cast(shapes.shape(middle)[1], tf.int64)
    return convert.cast(ufuncs.true_divide(total, count), dtype)


def _check_nan_fits(a: Any, sample: SortedSample, missing: tf.Tensor, out: tf.Variable | None) -> None:
    if out is None:
        return
    held = convert.to_operand(a)
    has_nan = np.isnan(held).any() if isinstance(held, np.ndarray) else convert.static_value(tf.reduce_any(missing))
    if not has_nan:
        return
    dtypes.check_cast(dtypes.as_numpy(sample.rows.dtype), dtypes.as_numpy(out.dtype), "same_kind", "array data")


@array_function(promotes=("a",), unknown_rank="each")
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = NOTHING
) -> tf.Tensor:
    """Nan where there is nothing else."""
    a = to_tensor(a)
    if a.shape.num_elements() == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    check_out(out)
    sample = SortedSample(a, axis, keepdims is not NOTHING and keepdims)
    with_nan = sample.fill()
    counts = sample.counts
    low, high = tf.maximum(counts - 1, 0) // 2, tf.maximum(tf.minimum(counts // 2, counts - 1), 0)
    pair = sort_keys.gather_rows(sample.rows, tf.stack([low, high], axis=1))
    whole = mean(pair, 1)
    if axis is None or not sample.others:
        result = with_nan(layout.select(tf.equal(low, high), convert.cast(pair[:, 0], whole.dtype), whole))
        return reshape_rows(result if out is None else assign_to_out(result, out, np.nanmedian, a), (), sample, out)
    if whole.dtype == a.dtype and not (isinstance(sample.length, int) and sample.length >= LONG):
        short = ufuncs.true_divide(ufuncs.add(pair[:, 0], pair[:, 1]), 2.0)
        if a.dtype == tf.bfloat16:  # no float to NumPy's masked arrays, whose division leaves out what is infinite
            short = layout.select(ufuncs.isfinite(short), short, tf.constant(np.nan, tf.bfloat16))
        whole = short if isinstance(sample.length, int) else layout.select(sample.length < LONG, short, whole)
    return reshape_rows(with_nan(whole), (), sample, out)
