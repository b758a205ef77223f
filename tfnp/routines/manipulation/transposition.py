"""Functions that permute axes."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.arguments import check_array
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, rank_of
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike

__all__ = ["matrix_transpose", "moveaxis", "permute_dims", "rollaxis", "swapaxes", "transpose"]

_transpose = ops.transpose
_REVERSED_AXES = tuple(tuple(range(rank - 1, -1, -1)) for rank in range(shapes.MAX_RANK + 1))


def transpose(a: ArrayLike, axes: AxisLike = None) -> tf.Tensor:
    """Return a transposed copy: tensors have no views. `axes` must be static."""
    if type(a) is EagerTensor and axes is None and not dtypes.promotion.weakens:
        return _transpose(a, shapes.const_int(_REVERSED_AXES[rank_of(a)]))
    return _transpose_any(a, axes)


@array_function(promotes=("a",), unknown_rank="each")
def _transpose_any(a: Any, axes: Any) -> tf.Tensor:
    """Transpose any array-like, with any axes."""
    a = to_tensor(a)
    if axes is None:
        return tf.transpose(a)
    rank = shapes.rank(a)
    axes = tuple(map(shapes.as_int, axes)) if isinstance(axes, tuple | list) else shapes.as_shape(axes, "axes")
    if len(axes) != rank:
        raise ValueError("axes don't match array")
    return _transpose(a, shapes.const_int(_normalize_permutation(axes, rank)))


def _normalize_permutation(axes: Any, rank: int) -> tuple[int, ...]:
    normal = tuple(shapes.normalize_axis(axis, rank) for axis in axes)
    if len(set(normal)) != rank:
        raise ValueError("repeated axis in transpose")
    return normal


permute_dims = transpose


@array_function(promotes=("x",), unknown_rank="each")
def matrix_transpose(x: ArrayLike, /) -> tf.Tensor:
    """Return a transposed copy: tensors have no views."""
    x = to_tensor(x)
    rank = shapes.rank(x)
    if rank < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {rank}")
    return _transpose(x, shapes.const_int((*range(rank - 2), rank - 1, rank - 2)))


@array_function(promotes=("a",), unknown_rank="each")
def swapaxes(a: ArrayLike, axis1: IntLike, axis2: IntLike) -> tf.Tensor:
    """Return a transposed copy: tensors have no views. The axes must be static."""
    a = to_tensor(a)
    rank = shapes.rank(a)
    if not type(axis1) is type(axis2) is int:
        axis1, axis2 = shapes.as_int(axis1), shapes.as_int(axis2)
    first, second = shapes.normalize_axis(axis1, rank, "axis1"), shapes.normalize_axis(axis2, rank, "axis2")
    order = list(range(rank))
    order[first], order[second] = second, first
    return _transpose(a, shapes.const_int(tuple(order)))


@array_function(promotes=("a",), unknown_rank="each")
def moveaxis(a: ArrayLike, source: AxisLike, destination: AxisLike) -> tf.Tensor:
    """Return a transposed copy: tensors have no views. The axes must be static."""
    if type(a) is EagerTensor and type(source) is type(destination) is int:
        order = _move_axis(rank_of(a), source, destination)
        if order is not None:
            return _transpose(a, shapes.const_int(order))
    a = to_tensor(a)
    if source is None or destination is None:
        raise TypeError("`source` and `destination` must be integers, or sequences of them, not None")
    rank = shapes.rank(a)
    sources = shapes.normalize_axes(source, rank, "source")
    destinations = shapes.normalize_axes(destination, rank, "destination")
    if len(sources) != len(destinations):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    permutation = [axis for axis in range(rank) if axis not in sources]
    for index, axis in sorted(zip(destinations, sources, strict=True)):
        permutation.insert(index, axis)
    return _transpose(a, shapes.const_int(tuple(permutation)))


@functools.lru_cache(maxsize=256)
def _move_axis(rank: int, source: int, destination: int) -> tuple[int, ...] | None:
    """Return the permutation that moves an axis; None where there is no such axis."""
    if not (-rank <= source < rank and -rank <= destination < rank):
        return None
    order = [axis for axis in range(rank) if axis != source % rank]
    order.insert(destination % rank, source % rank)
    return tuple(order)


@array_function(promotes=("a", "start"), unknown_rank="each")
def rollaxis(a: ArrayLike, axis: IntLike, start: ArrayLike = 0) -> tf.Tensor:
    """Return a transposed copy: tensors have no views. `axis` and `start` must be static."""
    check_array(a)
    a = to_tensor(a)
    rank = shapes.rank(a)
    axis = shapes.normalize_axis(axis, rank)
    index = convert.static_value(start)
    if index is None:
        index = shapes.as_int(start)  # raises
    if not -rank <= index < rank + 1:
        raise shapes.AxisError(f"'start' arg requires {-rank} <= start < {rank + 1}, but {int(index)} was passed in")
    index += rank if index < 0 else 0
    index -= 1 if axis < index else 0
    # NumPy accepts a float for `start` where no axis moves.
    return a if index == axis else layout.move_axis(a, axis, shapes.as_int(index))
