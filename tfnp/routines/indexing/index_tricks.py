"""Indices: of diagonals and triangles, of open grids, of elements in a flat array and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, shapes
from tfnp._core.arguments import is_columns_first
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.indexing.selection import as_indices

__all__ = [
    "diag_indices",
    "diag_indices_from",
    "ix_",
    "mask_indices",
    "ravel_multi_index",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]

Tensors = tuple[tf.Tensor, ...]


def _known(value: Any) -> Any:
    static = convert.static_value(value)
    if static is None and value is not None:
        raise TypeError("this argument decides shapes, so it must be known while tracing")
    return static


@array_function(unknown_rank="each")
def diag_indices(n: Any, ndim: Any = 2) -> Tensors:
    indices = convert.from_numpy(np.arange(_known(n)))
    return (indices,) * _known(ndim)


@array_function(unknown_rank="each")
def diag_indices_from(arr: Any) -> Tensors:
    arr = to_tensor(arr)
    if not shapes.rank(arr) >= 2:
        raise ValueError("input array must be at least 2-d")
    if any(not arr.shape[number : number + 1].is_compatible_with(arr.shape[:1]) for number in range(shapes.rank(arr))):
        raise ValueError("All dimensions of input must be of equal length")
    return (layout.positions(_common_side(shapes.shape(arr))),) * shapes.rank(arr)


def _common_side(shape: tuple[shapes.Dim, ...]) -> shapes.Dim:
    """The length of every axis; a graph where they differ fails when it runs."""
    if shapes.is_static(shape):
        return shape[0]
    alike = tf.reduce_all(tf.equal(shapes.shape_tensor(shape), shape[0]))
    with tf.control_dependencies([tf.debugging.Assert(alike, ["All dimensions of input must be of equal length"])]):
        return tf.identity(shape[0])


@array_function(unknown_rank="each")
def tril_indices(n: Any, k: Any = 0, m: Any = None) -> Tensors:
    return tuple(map(convert.from_numpy, np.tril_indices(_known(n), _known(k), _known(m))))


@array_function(unknown_rank="each")
def triu_indices(n: Any, k: Any = 0, m: Any = None) -> Tensors:
    return tuple(map(convert.from_numpy, np.triu_indices(_known(n), _known(k), _known(m))))


@array_function(unknown_rank="each")
def tril_indices_from(arr: Any, k: Any = 0) -> Tensors:
    rows, columns = _sides(arr)
    if isinstance(rows, int) and isinstance(columns, int):
        return tril_indices(rows, k, columns)
    return _open_places(_triangle(rows, columns, _known(k)))


@array_function(unknown_rank="each")
def triu_indices_from(arr: Any, k: Any = 0) -> Tensors:
    rows, columns = _sides(arr)
    if isinstance(rows, int) and isinstance(columns, int):
        return triu_indices(rows, k, columns)
    return _open_places(tf.logical_not(_triangle(rows, columns, _known(k) - 1)))


def _sides(arr: Any) -> tuple[shapes.Dim, ...]:
    arr = to_tensor(arr)
    if shapes.rank(arr) != 2:
        raise ValueError("input array must be 2-d")
    return shapes.shape(arr)


def _triangle(rows: shapes.Dim, columns: shapes.Dim, k: Any) -> tf.Tensor:
    """True on and below a diagonal. Of a `k` that is no integer NumPy makes a line of its own, cutting off digits."""
    start = int(-k)
    step = int(1 - k) - start
    return layout.positions(rows)[:, None] >= start + step * layout.positions(columns)[None, :]


def _open_places(mask: tf.Tensor) -> Tensors:
    """Where a matrix is true whose sides are known when the graph runs."""
    flat = dynamic_size.nonzero_indices(tf.reshape(mask, (-1,)))
    dim = tf.maximum(tf.shape(mask, tf.int64)[1], 1)
    return flat // dim, tf.math.floormod(flat, dim)


@array_function(unknown_rank="each")
def mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> Tensors:
    """The function is given a tensor of ones and `k`."""
    dim = shapes.as_int_not_bool(n)
    if dim < 0:
        raise ValueError("negative dimensions are not allowed")
    with tf.init_scope():
        mask = convert.static_value(to_tensor(mask_func(tf.ones((dim, dim), tf.int64), k)))
    return tuple(map(convert.from_numpy, np.nonzero(mask)))


@array_function(unknown_rank="each")
def ix_(*args: Any) -> Tensors:
    """Of truths, the indices of what is true: their number depends on the data."""
    count = len(args)
    result = []
    for number, arg in enumerate(args):
        indices = to_tensor(arg)
        if shapes.rank(indices) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if indices.shape[0] == 0 and not (is_tensor(arg) or isinstance(arg, np.ndarray)):
            indices = tf.cast(indices, tf.int64)
        if indices.dtype == tf.bool:
            indices = dynamic_size.nonzero_indices(dynamic_size.as_bools(indices))
        result.append(shapes.reshape(indices, [-1 if axis == number else 1 for axis in range(count)]))
    return tuple(result)


@array_function(unknown_rank="each")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> tf.Tensor:
    """That indices are in bounds is checked where they are known."""
    static = _known(dims)
    shape = _as_sides(static)
    if not isinstance(multi_index, list | tuple) and shapes.rank(to_tensor(multi_index)) == 0:
        raise TypeError("the indices must be a sequence of arrays, one for each dimension")
    items = list(multi_index) if isinstance(multi_index, list | tuple) else _rows(multi_index, len(shape))
    modes = list(mode) if isinstance(mode, tuple | list) else [mode] * len(shape)
    some = all(map(_has_elements, items))
    np.ravel_multi_index(tuple(np.zeros(int(some), np.int64) for _ in items), tuple(shape), mode=mode, order=order)
    rows = [_in_side(as_indices(to_tensor(item)), dim, how) for item, dim, how in zip(items, shape, modes, strict=True)]
    pairs = list(zip(rows, shape, strict=True))
    flat: Any = 0
    for row, dim in pairs[::-1] if is_columns_first(order) else pairs:
        flat = flat * dim + row
    return flat


def _as_sides(static: Any) -> list[int]:
    named = static if np.iterable(static) else (static,)
    if any(isinstance(dim, bool | np.bool_) for dim in named):
        raise TypeError(f"sides are integers, not truth values: {static}")
    return [shapes.as_int(dim) for dim in named]


def _rows(multi_index: Any, count: int) -> list[tf.Tensor]:
    table = to_tensor(multi_index)
    return tf.unstack(as_indices(table), num=count) if table.shape[0] is None else tf.unstack(table)


def _has_elements(value: Any) -> bool:
    return to_tensor(value).shape.num_elements() not in (0, None)


def _in_side(indices: tf.Tensor, dim: int, how: Any) -> tf.Tensor:
    letter = "r" if dim == 0 else how[0].lower() if isinstance(how, str) else {0: "c", 1: "w", 2: "r", None: "r"}[how]
    if letter == "w":
        return _wrapped(indices, dim)
    if letter == "c":
        return tf.where(
            indices < 0, tf.zeros((), tf.int64), tf.where(indices >= dim, tf.constant(dim - 1, tf.int64), indices)
        )
    return _bounded(indices, dim, "invalid entry in coordinates array")


def _wrapped(indices: tf.Tensor, dim: int) -> tf.Tensor:
    """The remainder, for sides that are positive, as sides should be; for others what NumPy makes of them."""
    if dim > 0:
        return tf.math.floormod(indices, dim)
    below, above = indices + dim, indices - dim
    remaining = tf.truncatemod(below, tf.constant(dim, tf.int64))
    below = tf.where(below < 0, tf.where(remaining == 0, remaining, remaining + dim), below)
    above = tf.where(above >= dim, tf.truncatemod(above, tf.constant(dim, tf.int64)), above)
    return tf.where(indices < 0, below, tf.where(indices >= dim, above, indices))


def _bounded(indices: tf.Tensor, dim: int, message: str) -> tf.Tensor:
    static = convert.static_value(indices)
    if static is None:
        return layout.check_bounds(indices, 0, dim - 1)
    if np.any((np.asarray(static) < 0) | (np.asarray(static) >= dim)):
        raise ValueError(message)
    return indices


@array_function(unknown_rank="each")
def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Tensors:
    static, positions = _known(shape), to_tensor(indices)
    if positions.dtype.is_floating or positions.dtype.is_complex or positions.dtype == tf.bool:
        np.unravel_index(np.zeros(positions.shape, dtypes.as_numpy(positions.dtype)), static)
    dims = _as_sides(static)
    some = _has_elements(positions) and 0 not in dims
    np.unravel_index(np.zeros(() if positions.shape.rank == 0 else int(some), np.int64), static, order=order)
    positions = tf.cast(positions, tf.int64)
    total = int(np.prod(dims, dtype=np.int64))
    if positions.shape.num_elements() != 0:
        message = f"index is out of bounds for array with size {total}"
        if total <= 0 and _has_elements(positions):
            raise ValueError(message)
        positions = _bounded(positions, total, message)
    rows = []
    backwards = not is_columns_first(order)
    for dim in dims[::-1] if backwards else dims:
        rows.append(tf.math.floormod(positions, max(dim, 1)))
        positions = positions // max(dim, 1)
    return tuple(rows[::-1] if backwards else rows)
