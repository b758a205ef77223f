"""Indices: of diagonals and triangles, of open grids, of elements in a flat array and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, moves, shapes, sizes
from tfnp._core.convert import to_tensor
from tfnp.routines.selection import as_indices

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


def diag_indices(n: Any, ndim: Any = 2) -> Tensors:
    places = convert.from_numpy(np.arange(_known(n)))
    return (places,) * _known(ndim)


def diag_indices_from(arr: Any) -> Tensors:
    arr = to_tensor(arr)
    if not shapes.rank(arr) >= 2:
        raise ValueError("input array must be at least 2-d")
    if any(not arr.shape[number : number + 1].is_compatible_with(arr.shape[:1]) for number in range(shapes.rank(arr))):
        raise ValueError("All dimensions of input must be of equal length")
    return (moves.positions(shapes.shape(arr)[0]),) * shapes.rank(arr)


def tril_indices(n: Any, k: Any = 0, m: Any = None) -> Tensors:
    return tuple(map(convert.from_numpy, np.tril_indices(_known(n), _known(k), _known(m))))


def triu_indices(n: Any, k: Any = 0, m: Any = None) -> Tensors:
    return tuple(map(convert.from_numpy, np.triu_indices(_known(n), _known(k), _known(m))))


def tril_indices_from(arr: Any, k: Any = 0) -> Tensors:
    return tril_indices(*_sides(arr, k))


def triu_indices_from(arr: Any, k: Any = 0) -> Tensors:
    return triu_indices(*_sides(arr, k))


def _sides(arr: Any, k: Any) -> tuple[Any, Any, Any]:
    arr = to_tensor(arr)
    if shapes.rank(arr) != 2:
        raise ValueError("input array must be 2-d")
    return arr.shape[0], k, arr.shape[1]


def mask_indices(n: Any, mask_func: Callable[..., Any], k: Any = 0) -> Tensors:
    """The function is given a tensor of ones and `k`."""
    side = _known(n)
    if side < 0:
        raise ValueError("negative dimensions are not allowed")
    with tf.init_scope():
        mask = convert.static_value(to_tensor(mask_func(tf.ones((side, side), tf.int64), k)))
    return tuple(map(convert.from_numpy, np.nonzero(mask)))


def ix_(*args: Any) -> Tensors:
    """Of truths, the indices of what is true: their number depends on the data."""
    count = len(args)
    result = []
    for number, arg in enumerate(args):
        places = to_tensor(arg)
        if shapes.rank(places) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if places.shape[0] == 0 and not isinstance(arg, tf.Tensor | tf.Variable | np.ndarray):
            places = tf.cast(places, tf.int64)
        if places.dtype == tf.bool:
            places = sizes.places(sizes.truths(places))
        result.append(shapes.reshape(places, [-1 if axis == number else 1 for axis in range(count)]))
    return tuple(result)


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> tf.Tensor:
    """That indices are in bounds is checked where they are known."""
    known = _known(dims)
    sides = [shapes.as_int(side) for side in (known if np.iterable(known) else (known,))]
    if not isinstance(multi_index, list | tuple) and shapes.rank(to_tensor(multi_index)) == 0:
        raise TypeError("the indices must be a sequence of arrays, one for each dimension")
    items = list(multi_index) if isinstance(multi_index, list | tuple) else tf.unstack(to_tensor(multi_index))
    modes = list(mode) if isinstance(mode, tuple | list) else [mode] * len(sides)
    some = all(to_tensor(item).shape.num_elements() != 0 for item in items)
    np.ravel_multi_index(tuple(np.zeros(int(some), np.int64) for _ in items), tuple(sides), mode=mode, order=order)
    rows = [_in_side(as_indices(item), side, how) for item, side, how in zip(items, sides, modes, strict=True)]
    pairs = list(zip(rows, sides, strict=True))
    flat: Any = 0
    for row, side in pairs if order in ("C", "c") else pairs[::-1]:
        flat = flat * side + row
    return flat


def _in_side(places: tf.Tensor, side: int, how: Any) -> tf.Tensor:
    letter = how[0].lower() if isinstance(how, str) else {0: "c", 1: "w", 2: "r"}[how]
    if letter == "w":
        return tf.math.floormod(places, side)
    if letter == "c":
        return tf.clip_by_value(places, 0, side - 1)
    return _bounded(places, side, "invalid entry in coordinates array")


def _bounded(places: tf.Tensor, side: int, message: str) -> tf.Tensor:
    known = convert.static_value(places)
    if known is None:
        return moves.in_bounds(places, 0, side - 1)
    if np.any((np.asarray(known) < 0) | (np.asarray(known) >= side)):
        raise ValueError(message)
    return places


def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Tensors:
    known = _known(shape)
    some = to_tensor(indices).shape.num_elements() != 0 and 0 not in np.atleast_1d(known)
    np.unravel_index(np.zeros(int(some), np.int64), known, order=order)
    sides = tuple(int(side) for side in np.atleast_1d(known))
    places = to_tensor(indices)
    if places.dtype.is_floating or places.dtype.is_complex or places.dtype == tf.bool:
        np.unravel_index(np.zeros(places.shape, dtypes.as_numpy(places.dtype)), known)
    places = tf.cast(places, tf.int64)
    total = int(np.prod(sides, dtype=np.int64))
    if places.shape.num_elements() != 0:
        places = _bounded(places, total, f"index is out of bounds for array with size {total}")
    rows = []
    for side in sides[::-1] if order in ("C", "c") else sides:
        rows.append(tf.math.floormod(places, max(side, 1)))
        places = places // max(side, 1)
    return tuple(rows[::-1] if order in ("C", "c") else rows)
