"""What an index means for an array of known rank: first a strided slice, then one gather.

Slices, integers and new axes are what a strided slice does. Arrays of integers and masks are joined to one array of
positions along the axes they index, which are joined, too. NumPy puts the axes of that array where the first of its
parts stood if they stand side by side, and else in front; integers count as such parts wherever there is an array.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import tensorflow as tf

from tfnp._core import dynamic_size, layout, shapes
from tfnp._core.indexing.expressions import (
    ELLIPSIS,
    BoolIndex,
    EllipsisIndex,
    FullMask,
    IntArrayIndex,
    IntIndex,
    Item,
    NewAxis,
    Numbers,
    SliceIndex,
)
from tfnp._core.shapes import Dim

Slicing: TypeAlias = "SliceIndex | IntIndex | NewAxis"


@dataclass(frozen=True, slots=True, eq=False)
class GatherPlan:
    """`cuts` first; of the axes that they leave, `axes` are looked up at `numbers`, whose axes come at `place`."""

    cuts: tuple[Slicing, ...]
    axes: tuple[int, ...]
    numbers: Numbers | None
    place: int

    @property
    def has_cuts(self) -> bool:
        return not all(isinstance(cut, SliceIndex) and cut.is_whole for cut in self.cuts)


def is_basic(items: Sequence[Item]) -> bool:
    """Whether a strided slice does it."""
    return not any(isinstance(item, IntArrayIndex | BoolIndex) for item in items)


def plan(items: Sequence[Item], shape: Sequence[Dim]) -> GatherPlan:
    """The plan for an array of these sides. Raises NumPy's IndexError, as far as sides and indices are known."""
    items = _spread(items, len(shape))
    check = _IndexPlanner(shape)
    for item in items:
        check.take(item)
    return check.plan()


def _spread(items: Sequence[Item], rank: int) -> list[Item]:
    """With as many whole axes for an ellipsis as are left, and the ellipsis itself, which keeps neighbours apart."""
    indices = [number for number, item in enumerate(items) if isinstance(item, EllipsisIndex)]
    if len(indices) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    taken = sum(map(_axes_of, items))
    if taken > rank:
        raise _too_many(taken, rank)
    index = indices[0] if indices else len(items)
    total = rank - taken + sum(isinstance(item, SliceIndex | NewAxis) for item in items)
    if total > shapes.MAX_RANK:
        raise IndexError(f"number of dimensions must be within [0, 64], indexing result would have {total}")
    return [*items[:index], ELLIPSIS, *[SliceIndex()] * (rank - taken), *items[index + 1 :]]


def shape_at(items: Sequence[Item], number: int, shape: Sequence[Dim]) -> Sequence[Dim]:
    """The sides that the item of this number indexes."""
    width = _axes_of(items[number])
    if any(isinstance(item, EllipsisIndex) for item in items[:number]):
        axis = len(shape) - sum(map(_axes_of, items[number:]))
    else:
        axis = sum(map(_axes_of, items[:number]))
    return shape[axis : axis + width]


def _axes_of(item: Item) -> int:
    if isinstance(item, BoolIndex):
        return item.rank
    return 0 if isinstance(item, EllipsisIndex | NewAxis) else 1


@dataclass(frozen=True, slots=True, eq=False)
class _AdvancedIndex:
    """A part of the index that chooses from axes, the first of which is `axis` of the array, and `kept` of the cuts."""

    item: IntArrayIndex | BoolIndex
    axis: int
    kept: int
    sides: Sequence[Dim]

    def positions(self) -> Numbers:
        """Along all its axes joined in one."""
        if isinstance(self.item, FullMask):
            count = layout.product(self.sides)
            return np.arange(count) if isinstance(count, int) else layout.positions(count)
        if isinstance(self.item, BoolIndex):
            return _set_places(_fitting(self.item.truths, self.sides))
        return resolve(self.item.numbers, self.sides[0], self.axis)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """That of the positions, if they are known on the host."""
        if isinstance(self.item, IntArrayIndex):
            return self.item.numbers.shape if isinstance(self.item.numbers, np.ndarray) else None
        if isinstance(self.item, FullMask):
            return (math.prod(self.sides),) if shapes.is_static(self.sides) else None
        return (int(np.count_nonzero(self.item.truths)),) if isinstance(self.item.truths, np.ndarray) else None

    @property
    def static_shape(self) -> tuple[int, ...] | None:
        """That of the positions, if it is known while tracing."""
        numbers = self.item.numbers if isinstance(self.item, IntArrayIndex) else None
        if isinstance(numbers, tf.Tensor) and numbers.shape.is_fully_defined():
            return tuple(numbers.shape)
        return self.shape

    @property
    def is_narrow(self) -> bool:
        """Whether the positions are known, or one at most: then their last axis is no wider than any other's."""
        return self.shape is not None or (isinstance(self.item, BoolIndex) and layout.product(self.sides) in (0, 1))


class _IndexPlanner:
    """An index, item by item, along the axes of an array."""

    def __init__(self, shape: Sequence[Dim]) -> None:
        self.sides, self.axis = shape, 0
        self.cuts: list[Slicing] = []
        self.kept = 0  # axes of what the cuts leave, so far
        self.chosen = 0  # those of them that are looked up
        self.choices: list[_AdvancedIndex] = []
        self.starts: list[int] = []  # where stretches of arrays and integers begin, among axes that are not looked up
        self.is_stretch = False

    def take(self, item: Item) -> None:
        if isinstance(item, SliceIndex | NewAxis | EllipsisIndex):
            self.is_stretch = False
        elif not self.is_stretch:
            self.is_stretch = True
            self.starts.append(self.kept - self.chosen)
        if isinstance(item, SliceIndex | IntIndex | NewAxis):
            self._cut(item)
        elif isinstance(item, IntArrayIndex | BoolIndex):
            self._choose(item, item.rank if isinstance(item, BoolIndex) else 1)

    def _cut(self, item: Slicing) -> None:
        if isinstance(item, IntIndex):
            _check_place(item.number, self.sides[self.axis], self.axis)
        self.cuts.append(item)
        self.axis += not isinstance(item, NewAxis)
        self.kept += not isinstance(item, IntIndex)

    def _choose(self, item: IntArrayIndex | BoolIndex, width: int) -> None:
        shape = self.sides[self.axis : self.axis + width]
        if isinstance(item, BoolIndex):
            check_mask(item, shape, self.axis)
        self.choices.append(_AdvancedIndex(item, self.axis, self.kept, shape))
        self.cuts += [SliceIndex()] * width
        self.axis += width
        self.kept += width
        self.chosen += width

    def plan(self) -> GatherPlan:
        if not self.choices:
            return GatherPlan(tuple(self.cuts), (), None, 0)
        index = self.starts[0] if len(self.starts) == 1 else 0
        axes = tuple(choice.kept + number for choice in self.choices for number in range(len(choice.sides)))
        return GatherPlan(tuple(self.cuts), axes, _joined(self.choices), index)


def _check_place(number: int, dim: Dim, axis: int) -> None:
    if isinstance(dim, int) and not -dim <= number < dim:
        raise IndexError(f"index {number} is out of bounds for axis {axis} with size {dim}")


def resolve(numbers: Numbers, dim: Dim, axis: int) -> Numbers:
    """The numbers, none of them negative. What is out of bounds raises where it is known, and when a graph runs, unless
    that is compiled: there the nearest is taken.
    """
    if isinstance(numbers, np.ndarray) and isinstance(dim, int):
        return _resolve_here(numbers, dim, axis)
    length, given = tf.cast(dim, tf.int64), tf.convert_to_tensor(numbers)
    if isinstance(dim, int) and dim == 0 and given.shape.num_elements() not in (0, None):
        raise IndexError(f"index is out of bounds for axis {axis} with size 0")
    given = layout.check_bounds(given, -length, length - 1)
    return tf.clip_by_value(tf.where(given < 0, given + length, given), 0, tf.maximum(length - 1, 0))


def _resolve_here(numbers: np.ndarray, dim: int, axis: int) -> np.ndarray:
    if not numbers.size:
        return numbers
    lowest = numbers.min()
    if lowest < -dim or numbers.max() >= dim:
        wrong = numbers[(numbers < -dim) | (numbers >= dim)]
        raise IndexError(f"index {wrong[0]} is out of bounds for axis {axis} with size {dim}")
    return numbers if lowest >= 0 else np.where(numbers < 0, numbers + dim, numbers)


def check_mask(mask: BoolIndex, shape: Sequence[Dim], axis: int = 0) -> None:
    """Raise NumPy's IndexError where a mask is known not to fit axes of these sides, of which `axis` is the first. Of
    what has no elements, an empty side fits any other.
    """
    if mask.rank > len(shape):
        raise _too_many(mask.rank, len(shape))
    for number, (dim, own) in enumerate(zip(shape, mask.truths.shape, strict=False)):
        if isinstance(dim, int) and isinstance(own, int) and own not in (0, dim):
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + number}; size of axis is {dim} but "
                f"size of corresponding boolean axis is {own}"
            )


def _too_many(taken: int, rank: int) -> IndexError:
    return IndexError(f"too many indices for array: array is {rank}-dimensional, but {taken} were indexed")


def _fitting(mask: Numbers, shape: Sequence[Dim]) -> Numbers:
    """The mask; a graph where its sides are not those that it has to have fails when it runs."""
    if not shape or (shapes.is_static(shape) and None not in tuple(mask.shape)):
        return mask
    own = tf.shape(mask)
    is_valid = tf.reduce_all((own == shapes.shape_tensor(shape)) | (own == 0))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, ["boolean index did not match indexed array"])]):
        return tf.identity(mask)


def flat_mask(mask: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    """A mask of these sides, flat. One that turns out to have no elements chooses nothing of whatever there is."""
    flat = tf.reshape(_fitting(mask, shape), (-1,))
    if mask.shape.is_fully_defined():
        return flat
    count = tf.cast(layout.product(shape), tf.int32)
    return tf.cond(tf.size(flat) > 0, lambda: flat, lambda: tf.zeros(tf.expand_dims(count, 0), tf.bool))


def _set_places(mask: Numbers) -> Numbers:
    if isinstance(mask, np.ndarray):
        return np.flatnonzero(mask)
    dynamic_size.check_not_for_xla()
    return dynamic_size.data_dependent(layout.broadcast_indices(tf.reshape(mask, (-1,))))


def _joined(choices: Sequence[_AdvancedIndex]) -> Numbers:
    """Positions along all axes together, of positions along each: their broadcast sum, each times what it strides.

    Where the positions are broadcast to none, it is no error that some are out of bounds.
    """
    if len(choices) == 1 and 0 not in (choices[0].shape or ()):
        return choices[0].positions()
    static = [shape for choice in choices if (shape := choice.static_shape) is not None]
    common = _common(static)
    is_whole = len(static) == len(choices)
    if (0 in common and is_whole) or (0 in common[-1:] and all(choice.is_narrow for choice in choices)):
        return _none(choices, common)
    late = [choice.item for choice in choices if choice.static_shape is None]
    if (0,) in static and all(isinstance(item, IntArrayIndex) and len(item.numbers.shape) == 1 for item in late):
        return _none_beside([item.numbers for item in late if isinstance(item, IntArrayIndex)])
    numbers = [choice.positions() for choice in choices]
    widths = [layout.product(choice.sides) for choice in choices]
    if shapes.is_static(widths) and all(choice.shape is not None for choice in choices):
        return np.broadcast_to(sum(map(operator.mul, numbers, _strides(widths))), common)
    return _joined_later([tf.convert_to_tensor(own) for own in numbers], _strides(widths))


def _none(choices: Sequence[_AdvancedIndex], common: tuple[Dim, ...]) -> np.ndarray:
    """Positions of nothing. An integer is looked at all the same."""
    for choice in choices:
        if choice.shape == ():
            choice.positions()
    return np.zeros(common, np.int64)


def _none_beside(rows: Sequence[Numbers]) -> tf.Tensor:
    """The same where it is not known that what stands beside none is one at most: a graph fails where it is more."""
    is_valid = tf.reduce_all([tf.size(row) <= 1 for row in rows])
    message = "shape mismatch: indexing arrays could not be broadcast together"
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [message])]):
        return tf.zeros((0,), tf.int64)


def _strides(widths: Sequence[Dim]) -> list[Dim]:
    return [layout.product(widths[index + 1 :]) for index in range(len(widths))]


def _joined_later(numbers: Sequence[tf.Tensor], strides: Sequence[Dim]) -> tf.Tensor:
    common = _common([shapes.shape(own) for own in numbers])
    terms = [
        shapes.broadcast_to(own, common) * tf.cast(stride, tf.int64)
        for own, stride in zip(numbers, strides, strict=True)
    ]
    return functools.reduce(operator.add, terms)


def _common(found: Sequence[Sequence[Dim]]) -> tuple[Dim, ...]:
    try:
        return shapes.broadcast_shapes(*found)
    except ValueError:
        written = " ".join(map(shapes.format_shape, found))
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {written} "
        ) from None
