"""Sorted elements along axes, and results written to `out=`, for medians and quantiles."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.checks import check
from tfnp._core.tensorflow_internals import record
from tfnp._core.variables import read_variable, store, update
from tfnp._kernels.reduce import over_axes
from tfnp._kernels.sort import row_select, sample_select, sort_keys
from tfnp.routines.math import ufuncs

__all__ = ["SortedSample", "assign_to_out", "check_exact_out", "reshape_rows"]


class SortedSample:
    """The sorted elements along some axes, nan last: a matrix with a row for each element of the result.

    Long rows are sorted only if more than a few of their elements are read.
    """

    def __init__(self, a: tf.Tensor, axis: Any, keepdims: Any) -> None:
        self.axes = tuple(sorted(shapes.normalize_axes(axis, shapes.rank(a))))
        self.merges_axes = axis is not None and len(self.axes) != 1
        rows, self.shape = over_axes.flatten_axes(a, self.axes)
        self.remaining_dims = tuple(dim for axis, dim in enumerate(self.shape) if axis not in self.axes)
        self.keepdims = bool(keepdims)
        self.length = shapes.shape(rows)[1]
        self.is_empty = isinstance(self.length, int) and self.length == 0
        self._unsorted = rows
        self._selected: dict[int, tf.Tensor] = {}
        self._is_selected_in_rows = False

    @functools.cached_property
    def order(self) -> tf.Tensor:
        """The indices (int64) that sort each row."""
        return sort_keys.order_of(self._unsorted)

    @functools.cached_property
    def rows(self) -> tf.Tensor:
        """The sorted rows."""
        return sort_keys.gather_rows(self._unsorted, self.order)

    @property
    def dtype(self) -> tf.DType:
        """The dtype of the elements."""
        return self._unsorted.dtype

    @property
    def row_count(self) -> shapes.Dim:
        """The number of rows."""
        return shapes.shape(self._unsorted)[0]

    def take(self, positions: tf.Tensor) -> tf.Tensor:
        """Return the elements of each row at positions, an int64 matrix."""
        if self._can_select() and (selected := self._select(positions[0].numpy().tolist())) is not None:
            return selected
        return sort_keys.gather_rows(self.rows, positions)

    def slice(self, start: shapes.Dim, length: shapes.Dim) -> tf.Tensor:
        """Return `length` elements of each row, from a position on."""
        if self._can_select() and (selected := self._select(list(range(start, start + length)))) is not None:
            return selected
        if self._can_select_in_rows() and length <= row_select.MAX_POSITIONS:
            selected = row_select.select(self._unsorted, list(range(start, start + length)))
            if selected is not None:
                self._is_selected_in_rows = True
                return selected
        return layout.slice_along(self.rows, 1, start, length)

    @property
    def is_short(self) -> bool:
        """Whether the length is static, and the rows are sorted whatever is needed of them."""
        return isinstance(self.length, int) and not (self._can_select() or self._can_select_in_rows())

    def _can_select(self) -> bool:
        """Return whether there is one long row, which is not sorted yet, in eager mode."""
        is_sorted = "order" in vars(self)
        return self._unsorted.shape[0] == 1 and not is_sorted and sample_select.can_select(self._unsorted)

    def _can_select_in_rows(self) -> bool:
        """Return whether there are several long rows, which are not sorted yet, in eager mode without a gradient."""
        is_sorted = "order" in vars(self)
        return not (is_sorted or record.could_possibly_record()) and row_select.can_select(self._unsorted)

    def _select(self, positions: list[int]) -> tf.Tensor | None:
        """Return the elements at positions of the only row, without a sort; None if there are too many positions."""
        missing, vector = sorted({*positions} - self._selected.keys()), self._unsorted[0]
        if len(missing) > sample_select.MAX_POSITIONS:
            return None
        for position, index in zip(missing, sample_select.select_indices(vector, missing), strict=True):
            self._selected[position] = layout.take(vector, index[None], 0)
        return tf.stack([self._selected[position] for position in positions], 1)

    @property
    def result_shape(self) -> tuple[shapes.Dim, ...]:
        """The shape of one reduced value for each row, with `keepdims` applied."""
        if not self.keepdims:
            return self.remaining_dims
        remaining = iter(self.remaining_dims)
        return tuple(1 if axis in self.axes else next(remaining) for axis in range(len(self.shape)))

    @property
    def last_elements(self) -> tf.Tensor:
        """The last element of each row, which is nan if the row has a nan."""
        if self._is_selected_in_rows:
            return tf.reduce_max(self._unsorted, 1)
        if self._selected:
            vector = self._unsorted[0]
            nans = tf.where(ufuncs.isnan(vector))[-1:, 0]
            return layout.take(vector, nans, 0) if nans.shape[0] else tf.reduce_max(vector)[None]
        return tf.squeeze(layout.slice_along(self.rows, 1, self.length - 1, 1), [1])

    @property
    def counts(self) -> tf.Tensor:
        """The number of elements of each row that are not nan."""
        return tf.reduce_sum(tf.cast(tf.logical_not(ufuncs.isnan(self._unsorted)), tf.int64), 1)

    def check_merged_axes(self) -> None:
        """Raise NumPy's ValueError where several axes, or none, are reduced and the result has no elements."""
        dims = "".join(f"{dim if isinstance(dim, int) else '?'}," for dim in self.remaining_dims)
        error = ValueError(f"cannot reshape array of size 0 into shape ({dims}newaxis)")
        if self.merges_axes and any(isinstance(dim, int) and dim == 0 for dim in self.remaining_dims):
            raise error
        if self.merges_axes and not shapes.is_static(self.remaining_dims):
            self._unsorted = check(tf.shape(self._unsorted)[0] > 0, error, self._unsorted)

    def pad_empty_rows(self) -> Callable[[tf.Tensor], tf.Tensor]:
        """Add an element to rows whose length is unknown while tracing and turns out to be zero.

        Return a function that replaces results calculated from that element by nan.
        """
        if isinstance(self.length, int):
            return lambda result: result
        is_empty = tf.equal(self.length, 0)
        self._unsorted = layout.pad(self._unsorted, [(0, 0), (0, tf.cast(is_empty, tf.int32))])
        self.length = tf.maximum(self.length, 1)
        return lambda result: layout.select(is_empty, tf.constant(np.nan, result.dtype), result)


def reshape_rows(result: tf.Tensor, q_shape: tuple[shapes.Dim, ...], sample: SortedSample, out: Any) -> Any:
    """Reshape a result from (*q_shape, rows) to (*q_shape, *remaining dimensions); with `out`, write it there.

    With `keepdims`, it is written at index 0 of the reduced axes of `out`; other elements are not changed, as in NumPy.
    """
    if out is None:
        return shapes.view(result, (*q_shape, *sample.result_shape))
    shape = (*q_shape, *sample.remaining_dims)
    target_shape = _find_target_shape(out, sample)
    _check_broadcasts(shape, target_shape)
    value = tf.reshape(result, shapes.shape_tensor(shape))
    value = shapes.broadcast_to(convert.cast(value, out.dtype), target_shape)
    if target_shape == tuple(out.shape):
        store(out, value)
    else:
        update(out, _write_first_index(value, sample, out))
    return out


def check_exact_out(
    result: tf.Tensor, shape: tuple[shapes.Dim, ...], sample: SortedSample, out: tf.Variable
) -> tf.Tensor:
    """Return the result in a shape, which must be equal to that of the written part of `out`."""
    target_shape = _find_target_shape(out, sample)
    if shapes.is_static(shape) and shapes.is_static(target_shape) and shape != target_shape:
        raise _shape_error(target_shape, shape)
    return tf.ensure_shape(tf.reshape(result, shapes.shape_tensor(shape)), target_shape)


def _check_broadcasts(shape: tuple[shapes.Dim, ...], target_shape: tuple[int, ...]) -> None:
    """Raise ValueError where a static shape does not broadcast to that of `out`."""
    are_static = shapes.is_static(shape) and shapes.is_static(target_shape)
    if are_static and shapes.broadcast_shapes(shape, target_shape) != target_shape:
        raise _shape_error(target_shape, shape)


def _shape_error(out_shape: tuple[int, ...], shape: tuple[shapes.Dim, ...]) -> ValueError:
    return ValueError(f"out has shape {shapes.format_shape(out_shape)}, expected {shapes.format_shape(shape)}")


def _find_target_shape(out: tf.Variable, sample: SortedSample) -> tuple[int, ...]:
    """Return the shape of the written part of `out`: with `keepdims`, it has no reduced axes."""
    if not sample.keepdims:
        return tuple(out.shape)
    offset = out.shape.rank - len(sample.shape)
    if offset < 0 or any(out.shape[offset + axis] == 0 for axis in sample.axes):
        raise IndexError(
            f"out has shape {shapes.format_shape(tuple(out.shape))}, expected {len(sample.shape)} dimensions or more, "
            "of which those of the reduced axes are not empty"
        )
    return tuple(dim for axis, dim in enumerate(out.shape) if axis - offset not in sample.axes)


def _write_first_index(value: tf.Tensor, sample: SortedSample, out: tf.Variable) -> tf.Tensor:
    """Return the new value of `out`, with a value at index 0 of the reduced axes."""
    shape = tuple(out.shape)
    offset = len(shape) - len(sample.shape)
    indices = tuple(0 if axis - offset in sample.axes else slice(None) for axis in range(len(shape)))
    mask = np.zeros(shape, bool)
    mask[indices] = True
    keepdims_shape = [1 if axis - offset in sample.axes else dim for axis, dim in enumerate(shape)]
    value = shapes.broadcast_to(tf.reshape(value, keepdims_shape), shape)
    return value if mask.all() else layout.select(convert.from_numpy(mask), value, read_variable(out))


def assign_to_out(result: tf.Tensor, out: tf.Variable, evaluate: Callable[..., Any], *operands: tf.Tensor) -> tf.Tensor:
    """Return a scalar result cast as NumPy assigns it to an element of `out`. Raise NumPy's error if it does not fit.

    Where neither the result nor its operands are static, this is checked when the graph runs. `evaluate` is NumPy's
    function, which is called with the static operands.
    """
    static = convert.static_value(result)
    if static is None:
        values = [convert.static_value(operand) for operand in operands]
        if any(value is None for value in values):
            return _check_representable(result, out.dtype)
        static = evaluate(*values)
    element = np.zeros((), dtypes.as_numpy(out.dtype))
    element[...] = np.asarray(static).reshape(())[()]
    return convert.from_numpy(element)


def _check_representable(result: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Check, when the graph runs, that a floating result fits a signed integer dtype; return it."""
    if not result.dtype.is_floating or not dtype.is_integer or dtype.is_unsigned:
        return result
    value = tf.cast(result, tf.float64)
    is_valid = (value > float(dtype.min) - 1) if dtype.size < 8 else (value >= float(dtype.min))
    is_valid = tf.reduce_all(is_valid & (value < float(dtype.max) + 1))
    return check(is_valid, OverflowError(f"out: the result is out of bounds for {dtype.name}, or nan"), result)
