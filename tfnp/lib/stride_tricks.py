"""Windows and strides over an array. The results are copies: a tensor has no views."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, ShapeLike
from tfnp._core.shapes import Dim
from tfnp.routines.manipulation.shaping import broadcast_to
from tfnp.routines.manipulation.transposition import moveaxis

__all__ = ["as_strided", "broadcast_to", "sliding_window_view"]


@array_function(promotes=("x",), unknown_rank="each")
def as_strided(
    x: ArrayLike,
    shape: ShapeLike | None = None,
    strides: ShapeLike | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> tf.Tensor:
    """Return the elements of `x`, in row-major order, that lie at the given strides: a gather of as many as the shape
    has. It is a copy, so `writeable` has no effect; `subok` has none, either.

    Strides are in bytes and must be multiples of the size of an element; they may be scalar tensors, and so may the
    dimensions. The default strides are those of a C-contiguous array of the shape of `x`. Where NumPy reads memory
    outside of the array, ValueError is raised; in a graph InvalidArgumentError, if the shape or the strides are unknown
    while tracing; under XLA indices are then clipped to the array.
    """
    x = to_tensor(x)
    if x.dtype == tf.string:
        raise TypeError("as_strided: text has no strides")
    dims = shapes.shape(x) if shape is None else shapes.as_shape(shape, "as_strided")
    steps = _contiguous_steps(shapes.shape(x)) if strides is None else _as_steps(strides, x.dtype)
    if len(steps) != len(dims):
        raise ValueError(f"as_strided: {len(dims)} dimensions need as many strides, got {len(steps)}")
    if any(isinstance(dim, int) and dim < 0 for dim in dims):
        raise ValueError("negative dimensions are not allowed")
    offsets = tf.zeros([], tf.int64)
    for dim, step in zip(dims, steps, strict=True):
        offsets = offsets[..., None] + layout.positions(dim) * tf.cast(step, tf.int64)
    size = shapes.size(x)
    last = tf.cast(size, tf.int64) - 1
    if shapes.is_static((size, *dims, *steps)):
        reaches = [(dim - 1) * step for dim, step in zip(dims, steps, strict=True)]
        is_inside: Any = 0 in dims or (min([0, *reaches]) == 0 and sum(reaches) < size)
    else:
        is_inside = tf.reduce_all((offsets >= 0) & (offsets <= last))
    error = ValueError("as_strided: the shape and the strides reach outside of the array")
    flat = check(is_inside, error, shapes.reshape(x, (-1,)))
    return tf.gather(flat, tf.clip_by_value(offsets, 0, tf.maximum(last, 0)))


def _contiguous_steps(dims: tuple[Dim, ...]) -> list[Dim]:
    return [layout.product(dims[axis + 1 :]) for axis in range(len(dims))]


def _as_steps(strides: Any, dtype: tf.DType) -> list[Dim]:
    """Convert strides in bytes to steps in elements."""
    error = ValueError(f"as_strided: strides must be multiples of {dtype.size} bytes, the size of {dtype.name}")
    strides = shapes.as_shape(strides, "as_strided")
    return [check(stride % dtype.size == 0, error, stride) // dtype.size for stride in strides]


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
