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
    known = convert.static_value(value)
    if known is None and value is not None:
        raise TypeError("this argument decides shapes, so it must be known while tracing")
    return known


@array_function(unknown_rank="each")
def diag_indices(n: Any, ndim: Any = 2) -> Tensors:
    places = convert.from_numpy(np.arange(_known(n)))
    return (places,) * _known(ndim)


@array_function(unknown_rank="each")
def diag_indices_from(arr: Any) -> Tensors:
    arr = to_tensor(arr)
    if not shapes.rank(arr) >= 2:
        raise ValueError("input array must be at least 2-d")
    if any(not arr.shape[number : number + 1].is_compatible_with(arr.shape[:1]) for number in range(shapes.rank(arr))):
        raise ValueError("All dimensions of input must be of equal length")
    return (layout.positions(_common_side(shapes.shape(arr))),) * shapes.rank(arr)


def _common_side(sides: tuple[shapes.Side, ...]) -> shapes.Side:
    """The length of every axis; a graph where they differ fails when it runs."""
    if shapes.is_static(sides):
        return sides[0]
    alike = tf.reduce_all(tf.equal(shapes.pack(sides), sides[0]))
    with tf.control_dependencies([tf.debugging.Assert(alike, ["All dimensions of input must be of equal length"])]):
        return tf.identity(sides[0])


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


def _sides(arr: Any) -> tuple[shapes.Side, ...]:
    arr = to_tensor(arr)
    if shapes.rank(arr) != 2:
        raise ValueError("input array must be 2-d")
    return shapes.shape(arr)


def _triangle(rows: shapes.Side, columns: shapes.Side, k: Any) -> tf.Tensor:
    """True on and below a diagonal. Of a `k` that is no integer NumPy makes a line of its own, cutting off digits."""
    start = int(-k)
    step = int(1 - k) - start
    return layout.positions(rows)[:, None] >= start + step * layout.positions(columns)[None, :]


def _open_places(mask: tf.Tensor) -> Tensors:
    """Where a matrix is true whose sides are known when the graph runs."""
    flat = dynamic_size.places(tf.reshape(mask, (-1,)))
    side = tf.maximum(tf.shape(mask, tf.int64)[1], 1)
    return flat // side, tf.math.floormod(flat, side)


@array_function(unknown_rank="each")
def mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> Tensors:
    """The function is given a tensor of ones and `k`."""
    side = shapes.as_int_not_bool(n)
    if side < 0:
        raise ValueError("negative dimensions are not allowed")
    with tf.init_scope():
        mask = convert.static_value(to_tensor(mask_func(tf.ones((side, side), tf.int64), k)))
    return tuple(map(convert.from_numpy, np.nonzero(mask)))


@array_function(unknown_rank="each")
def ix_(*args: Any) -> Tensors:
    """Of truths, the indices of what is true: their number depends on the data."""
    count = len(args)
    result = []
    for number, arg in enumerate(args):
        places = to_tensor(arg)
        if shapes.rank(places) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if places.shape[0] == 0 and not (is_tensor(arg) or isinstance(arg, np.ndarray)):
            places = tf.cast(places, tf.int64)
        if places.dtype == tf.bool:
            places = dynamic_size.places(dynamic_size.truths(places))
        result.append(shapes.reshape(places, [-1 if axis == number else 1 for axis in range(count)]))
    return tuple(result)


@array_function(unknown_rank="each")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> tf.Tensor:
    """That indices are in bounds is checked where they are known."""
    known = _known(dims)
    sides = _as_sides(known)
    if not isinstance(multi_index, list | tuple) and shapes.rank(to_tensor(multi_index)) == 0:
        raise TypeError("the indices must be a sequence of arrays, one for each dimension")
    items = list(multi_index) if isinstance(multi_index, list | tuple) else _rows(multi_index, len(sides))
    modes = list(mode) if isinstance(mode, tuple | list) else [mode] * len(sides)
    some = all(map(_has_elements, items))
    np.ravel_multi_index(tuple(np.zeros(int(some), np.int64) for _ in items), tuple(sides), mode=mode, order=order)
    rows = [
        _in_side(as_indices(to_tensor(item)), side, how) for item, side, how in zip(items, sides, modes, strict=True)
    ]
    pairs = list(zip(rows, sides, strict=True))
    flat: Any = 0
    for row, side in pairs[::-1] if is_columns_first(order) else pairs:
        flat = flat * side + row
    return flat


def _as_sides(known: Any) -> list[int]:
    named = known if np.iterable(known) else (known,)
    if any(isinstance(side, bool | np.bool_) for side in named):
        raise TypeError(f"sides are integers, not truth values: {known}")
    return [shapes.as_int(side) for side in named]


def _rows(multi_index: Any, count: int) -> list[tf.Tensor]:
    table = to_tensor(multi_index)
    return tf.unstack(as_indices(table), num=count) if table.shape[0] is None else tf.unstack(table)


def _has_elements(value: Any) -> bool:
    return to_tensor(value).shape.num_elements() not in (0, None)


def _in_side(places: tf.Tensor, side: int, how: Any) -> tf.Tensor:
    letter = "r" if side == 0 else how[0].lower() if isinstance(how, str) else {0: "c", 1: "w", 2: "r", None: "r"}[how]
    if letter == "w":
        return _wrapped(places, side)
    if letter == "c":
        return tf.where(
            places < 0, tf.zeros((), tf.int64), tf.where(places >= side, tf.constant(side - 1, tf.int64), places)
        )
    return _bounded(places, side, "invalid entry in coordinates array")


def _wrapped(places: tf.Tensor, side: int) -> tf.Tensor:
    """The remainder, for sides that are positive, as sides should be; for others what NumPy makes of them."""
    if side > 0:
        return tf.math.floormod(places, side)
    below, above = places + side, places - side
    rest = tf.truncatemod(below, tf.constant(side, tf.int64))
    below = tf.where(below < 0, tf.where(rest == 0, rest, rest + side), below)
    above = tf.where(above >= side, tf.truncatemod(above, tf.constant(side, tf.int64)), above)
    return tf.where(places < 0, below, tf.where(places >= side, above, places))


def _bounded(places: tf.Tensor, side: int, message: str) -> tf.Tensor:
    known = convert.static_value(places)
    if known is None:
        return layout.in_bounds(places, 0, side - 1)
    if np.any((np.asarray(known) < 0) | (np.asarray(known) >= side)):
        raise ValueError(message)
    return places


@array_function(unknown_rank="each")
def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Tensors:
    known, places = _known(shape), to_tensor(indices)
    if places.dtype.is_floating or places.dtype.is_complex or places.dtype == tf.bool:
        np.unravel_index(np.zeros(places.shape, dtypes.as_numpy(places.dtype)), known)
    sides = _as_sides(known)
    some = _has_elements(places) and 0 not in sides
    np.unravel_index(np.zeros(() if places.shape.rank == 0 else int(some), np.int64), known, order=order)
    places = tf.cast(places, tf.int64)
    total = int(np.prod(sides, dtype=np.int64))
    if places.shape.num_elements() != 0:
        message = f"index is out of bounds for array with size {total}"
        if total <= 0 and _has_elements(places):
            raise ValueError(message)
        places = _bounded(places, total, message)
    rows = []
    backwards = not is_columns_first(order)
    for side in sides[::-1] if backwards else sides:
        rows.append(tf.math.floormod(places, max(side, 1)))
        places = places // max(side, 1)
    return tuple(rows[::-1] if backwards else rows)
