"""Where elements are: the places that `reduceat` begins at, and those that the index of `at` names, counted flat.

An index that is known is NumPy's to read, from an array of all places. One that holds tensors of a graph is put
together axis by axis; there masks are looked up when the graph runs, which XLA cannot do.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, moves, shapes, sizes

Sides = tuple[int, ...]


def as_places(indices: Any) -> tf.Tensor | np.ndarray:
    """A vector of int64, of what NumPy takes for one. Numbers in a list need not be integers, as there."""
    if isinstance(indices, tf.Variable):
        indices = indices.read_value()
    if isinstance(indices, list | tuple) and is_symbolic(indices):
        indices = convert.to_tensor(indices)
    if isinstance(indices, tf.Tensor):
        known = convert.static_value(indices)
        if known is None:
            known_rank = indices.shape.rank is not None
            _check_vector(indices.shape.rank if known_rank else 1, indices.dtype.as_numpy_dtype)
            return tf.ensure_shape(tf.cast(indices, tf.int64), [None])
        indices = np.asarray(known)
    if isinstance(indices, np.ndarray | np.generic):
        indices = np.asarray(indices)
        _check_vector(indices.ndim, indices.dtype)
        return indices.astype(np.int64)
    if not isinstance(indices, list | tuple):
        _check_vector(np.ndim(indices), np.int64)
    array = np.asarray(indices, np.int64)
    _check_vector(array.ndim, np.int64)
    return array


def _check_vector(rank: int | None, dtype: Any) -> None:
    if rank != 1:
        raise ValueError(f"object of too {'deep' if rank else 'small'} depth for desired array")
    if not np.can_cast(dtype, np.int64, "safe"):
        raise TypeError(
            f"Cannot cast array data from {np.dtype(dtype)!r} to dtype('int64') according to the rule 'safe'"
        )


def check_places(places: tf.Tensor | np.ndarray, side: shapes.Side, name: str) -> tf.Tensor:
    """The places, none of them out of bounds: where XLA looks up places that are, it takes the nearest."""
    if isinstance(places, np.ndarray) and isinstance(side, int):
        for place in places.tolist():
            if not 0 <= place < side:
                raise IndexError(f"index {place} out-of-bounds in {name}.reduceat [0, {side})")
        return convert.from_numpy(places)
    if isinstance(side, int) and side == 0 and places.shape[0]:
        raise IndexError(f"index out-of-bounds in {name}.reduceat [0, 0)")
    last = tf.cast(side, tf.int64) - 1
    return tf.clip_by_value(moves.in_bounds(tf.convert_to_tensor(places), 0, last), 0, tf.maximum(last, 0))


def is_symbolic(value: Any) -> bool:
    """Whether there is a tensor in it that is known only when a graph runs."""
    if isinstance(value, list | tuple):
        return any(is_symbolic(item) for item in value)
    if isinstance(value, tf.Variable):
        return not tf.executing_eagerly()
    return isinstance(value, tf.Tensor) and tf.get_static_value(value) is None


def flat_places(index: Any, sides: Sides) -> np.ndarray | tf.Tensor:
    """The places, in an array of these sides read row by row, of what the index names. Raises NumPy's errors."""
    if is_symbolic(index):
        return _Parts(sides, index if isinstance(index, tuple) else (index,)).places()
    everywhere = np.arange(math.prod(sides)).reshape(sides)
    return np.asarray(everywhere[_known(index)])


def _known(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(_known(item) for item in index)
    if isinstance(index, list):
        return [_known(item) for item in index]
    if isinstance(index, tf.Tensor | tf.Variable):
        known = convert.static_value(index)
        return known if np.ndim(known) else np.asarray(known)[()]
    return index


class _Parts:
    """An index in parts: those that take axes as they are, and those that choose by arrays, which broadcast together
    and stand where the first of them did, or foremost if anything came between.
    """

    def __init__(self, sides: Sides, index: tuple[Any, ...]) -> None:
        self.sides, self.axis = sides, 0
        self.strides = [math.prod(sides[axis + 1 :]) for axis in range(len(sides))]
        self.plain: list[np.ndarray] = []  # how far each axis that is kept goes
        self.chosen: list[tf.Tensor] = []
        self.block: int | None = None  # before which of the plain ones those chosen stand
        self.split = False
        self._take_all(_expanded(index, len(sides)))

    def _take_all(self, index: list[Any]) -> None:
        open_block = False
        for item in index:
            if item is None or isinstance(item, slice):
                self._take_plain(item)
                open_block = False
                continue
            self.split |= self.block is not None and not open_block
            self.block, open_block = len(self.plain) if self.block is None else self.block, True
            self._take_array(item)

    def _take_plain(self, item: slice | None) -> None:
        if item is None:
            self.plain.append(np.zeros(1, np.int64))
            return
        start, stop, step = item.indices(self.sides[self.axis])
        self.plain.append(np.arange(start, stop, step) * self.strides[self.axis])
        self.axis += 1

    def _take_array(self, item: tf.Tensor) -> None:
        side = self.sides[self.axis]
        if side == 0 and item.shape.num_elements() not in (0, None):
            raise IndexError(f"index is out of bounds for axis {self.axis} with size 0")
        item = moves.in_bounds(tf.cast(item, tf.int64), -side, side - 1)
        item = tf.clip_by_value(tf.where(item < 0, item + side, item), 0, max(side - 1, 0))
        self.chosen.append(item * self.strides[self.axis])
        self.axis += 1

    def places(self) -> tf.Tensor:
        total = self.chosen[0]
        for item in self.chosen[1:]:
            total = total + item
        block = 0 if self.split else self.block or 0
        total = tf.reshape(total, shapes.pack((*shapes.shape(total), *(1,) * (len(self.plain) - block))))
        for place, item in enumerate(self.plain):
            after = len(self.plain) - place - 1 + (shapes.rank(total) - len(self.plain) + block if place < block else 0)
            total = total + item.reshape(-1, *(1,) * after)
        return total


def _expanded(index: tuple[Any, ...], rank: int) -> list[Any]:
    """One item for each axis, and None for each new one: no ellipsis, no masks, no bare integers."""
    items: list[Any] = []
    for item in index:
        items.extend(_arrays_of(item))
    taken = sum(item is not None and item is not Ellipsis for item in items)
    if taken > rank:
        raise IndexError(f"too many indices for array: array is {rank}-dimensional, but {taken} were indexed")
    if not any(item is Ellipsis for item in items):
        items.append(Ellipsis)
    place = next(number for number, item in enumerate(items) if item is Ellipsis)
    rest = items[place + 1 :]
    if any(item is Ellipsis for item in rest):
        raise IndexError("an index can only have a single ellipsis ('...')")
    return [*items[:place], *[slice(None)] * (rank - taken), *rest]


def _arrays_of(item: Any) -> list[Any]:
    """The item, with tensors of integers for a number, an array or a mask."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return [item]
    if isinstance(item, list | tuple | tf.Variable | np.ndarray | np.generic | tf.Tensor):
        tensor = convert.to_tensor(item)
    else:
        tensor = tf.constant(operator.index(item), tf.int64)
    if tensor.dtype == tf.bool:
        found = tf.where(tensor)
        return tf.unstack(found if convert.static_value(tensor) is not None else sizes.open_ended(found), axis=1)
    if not tensor.dtype.is_integer:
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return [tensor]
