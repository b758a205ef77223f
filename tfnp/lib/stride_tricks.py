"""Sliding windows. They are copies: a tensor has no views."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, ShapeLike
from tfnp.routines.manipulation.shaping import broadcast_to
from tfnp.routines.manipulation.transposition import moveaxis

__all__ = ["broadcast_to", "sliding_window_view"]


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def sliding_window_view(
    x: ArrayLike, window_shape: ShapeLike, axis: AxisLike = None, *, subok: bool = False, writeable: bool = False
) -> tf.Tensor:
    """Return a new tensor, not a view: it needs memory for the elements of all windows. `writeable` must be False."""
    if writeable:
        raise ValueError("writeable must be False: tensors never change")
    x = to_tensor(x)
    static = convert.static_value(window_shape)
    sizes = tuple(map(shapes.as_int, static if isinstance(static, tuple | list) or np.ndim(static) else [static]))
    if any(size < 0 for size in sizes):
        raise ValueError("`window_shape` cannot contain negative values")
    axes = _normalize_window_axes(axis, sizes, shapes.rank(x))
    for axis_index, size in zip(axes, sizes, strict=True):
        x = _gather_windows(x, axis_index, size)
    return x


def _normalize_window_axes(axis: Any, sizes: tuple[int, ...], rank: int) -> tuple[int, ...]:
    if axis is None:
        if len(sizes) != rank:
            raise ValueError(
                "Since axis is None, must provide window_shape for all dimensions of `x`; got "
                f"{len(sizes)} window_shape elements and `x.ndim` is {rank}."
            )
        return tuple(range(rank))
    axes = shapes.normalize_axes(axis, rank, allow_duplicate=True)
    if len(axes) != len(sizes):
        raise ValueError(
            "Must provide matching length window_shape and axis; got "
            f"{len(sizes)} window_shape elements and {len(axes)} axes elements."
        )
    return axes


def _gather_windows(x: tf.Tensor, axis: int, size: int) -> tf.Tensor:
    """Return the windows along one axis, the elements of which are along a new last axis."""
    length = shapes.shape(x)[axis]
    if isinstance(length, int) and length < size:
        raise ValueError("window shape cannot be larger than input array shape")
    starts = tf.range(tf.cast(length, tf.int64) - size + 1)
    windows = tf.gather(x, starts[:, None] + tf.range(tf.constant(size, tf.int64)), axis=axis)
    return moveaxis(windows, axis + 1, -1)
