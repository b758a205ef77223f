"""Functions that reorder elements: flip, roll and rotate."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, rank_of, shape_of
from tfnp._core.edge import array_function
from tfnp._core.errors import check_no_unknown_dim
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.manipulation.transposition import swapaxes

__all__ = ["flip", "fliplr", "flipud", "roll", "rot90"]


@array_function(promotes=("m",), unknown_rank="each")
def flip(m: ArrayLike, axis: AxisLike = None) -> tf.Tensor:
    """Return a reversed copy: tensors have no views."""
    m = to_tensor(m)
    return layout.reverse(m, shapes.normalize_axes(axis, shapes.rank(m)))


@array_function(promotes=("m",), unknown_rank="each")
def fliplr(m: ArrayLike) -> tf.Tensor:
    """Return a reversed copy: tensors have no views."""
    m = to_tensor(m)
    if shapes.rank(m) < 2:
        raise ValueError("Input must be >= 2-d.")
    return layout.reverse(m, (1,))


@array_function(promotes=("m",), unknown_rank="each")
def flipud(m: ArrayLike) -> tf.Tensor:
    """Return a reversed copy: tensors have no views."""
    m = to_tensor(m)
    if shapes.rank(m) < 1:
        raise ValueError("Input must be >= 1-d.")
    return layout.reverse(m, (0,))


@array_function(promotes=("m",), unknown_rank="each")
def rot90(m: ArrayLike, k: IntLike = 1, axes: AxisLike = (0, 1)) -> tf.Tensor:
    """`k` and `axes` must be static."""
    m = to_tensor(m)
    rank = shapes.rank(m)
    axes = tuple(convert.static_value(axes))
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = axes = tuple(map(shapes.as_int, axes))
    if first == second or abs(first - second) == rank:
        raise ValueError("Axes must be different.")
    if not (-rank <= first < rank and -rank <= second < rank):
        raise ValueError(f"Axes={axes} out of range for array of ndim={rank}.")
    turns = convert.as_static(k, "k", "rot90") % 4
    if turns == 0:
        return m
    if turns == 2:
        return flip(m, (first, second))
    return swapaxes(flip(m, second), first, second) if turns == 1 else flip(swapaxes(m, first, second), second)


@array_function(promotes=("a",))
def roll(a: ArrayLike, shift: ArrayLike, axis: AxisLike = None) -> tf.Tensor:
    """`shift` may be a tensor whose value is unknown while tracing; `axis` must be static."""
    if type(a) is EagerTensor and type(shift) is int:
        rank = rank_of(a)
        index = 0 if axis is None and rank == 1 else axis
        if type(index) is int and -rank <= index < rank and (dim := shape_of(a)[index]):
            return ops.roll(a, shapes.const_int((shift % dim,)), shapes.const_int((index % rank,)))
    return _roll_any(a, shift, axis)


@array_function(unknown_rank="each", traces=("a",))
def _roll_any(a: Any, shift: Any, axis: Any) -> tf.Tensor:
    """Roll any array-like, by any shifts along any axes."""
    a = to_tensor(a)
    if axis is None:
        return shapes.reshape(_roll_along(ravel(a), shift, 0), shapes.shape(a))
    return _roll_along(a, shift, axis)


def _roll_along(a: tf.Tensor, shift: Any, axis: Any) -> tf.Tensor:
    check_no_unknown_dim(shift)
    axis = tuple(axis) if isinstance(axis, str | bytes) else axis
    axes = shapes.normalize_axes(axis, shapes.rank(a), allow_duplicate=True)
    if type(shift) is int and len(axes) == 1:
        return _roll_axes(a, [(axes[0], shift)])
    static = convert.static_value(shift)
    if static is None and isinstance(shift, tf.Tensor):
        return _roll_axes(a, _as_dynamic_shifts(shift, axes))
    if np.ndim(axis) > 1 or np.ndim(static) > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    pairs = np.broadcast(np.asarray(static), axes if np.ndim(axis) else axes[0])
    return _roll_axes(a, [(int(axis_index), int(shift_)) for shift_, axis_index in pairs])


def _as_dynamic_shifts(shift: tf.Tensor, axes: tuple[int, ...]) -> list[tuple[int, Any]]:
    if shapes.rank(shift) > 1:
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    if len(axes) == 1:
        return [(axes[0], tf.reduce_sum(tf.cast(shift, tf.int64)))]
    shifts = tf.broadcast_to(shift, (len(axes),))
    return [(axis, shifts[index]) for index, axis in enumerate(axes)]


# Upstream bug: tensorflow-roll-of-dynamic-xla
def _roll_axes(a: tf.Tensor, shifts_by_axis: list[tuple[int, Any]]) -> tf.Tensor:
    """Roll along each axis: by a gather where the dimension is dynamic, since XLA's Roll is wrong for data-dependent
    shapes.
    """
    if all(a.shape[axis] is not None for axis, _ in shifts_by_axis):
        static = all(isinstance(shift, int) for _, shift in shifts_by_axis)
        axes = [axis for axis, _ in shifts_by_axis]
        static_shifts = [int(shift) % max(a.shape[axis], 1) for axis, shift in shifts_by_axis] if static else None
        if not shifts_by_axis:
            return a
        shifts = (
            shapes.const_int(tuple(static_shifts))
            if static_shifts
            else tf.stack([tf.cast(shift, tf.int32) for _, shift in shifts_by_axis])
        )
        return ops.roll(a, shifts, shapes.const_int(tuple(axes)))
    for axis, shift in shifts_by_axis:
        index = layout.positions(shapes.shape(a)[axis])
        a = layout.take(a, (index - tf.cast(shift, tf.int64)) % tf.maximum(tf.size(index, tf.int64), 1), axis)
    return a
