"""Plans of indexing an array of static rank: first a strided slice, then one gather.

Slices, integers and new axes become the strided slice. Integer arrays and masks are combined to one array of flat
indices along the axes they index. As in NumPy, the axes of that array replace the indexed ones if these are adjacent,
and come first otherwise; integers count as arrays if there is an array.
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
from tfnp._core.checks import check
from tfnp._core.indexing.expressions import (
    ELLIPSIS,
    BoolIndex,
    EllipsisIndex,
    FullMask,
    Indices,
    IntArrayIndex,
    IntIndex,
    Item,
    NewAxis,
    SliceIndex,
)
from tfnp._core.shapes import Dim

BasicIndex: TypeAlias = "SliceIndex | IntIndex | NewAxis"


@dataclass(frozen=True, slots=True, eq=False)
class GatherPlan:
    """A strided slice by the items of `basic`, then a gather.

    The gather takes flat `indices` along `axes` of the sliced array; their axes are placed at `position`.
    """

    basic: tuple[BasicIndex, ...]
    axes: tuple[int, ...]
    indices: Indices | None
    position: int

    @property
    def has_slice(self) -> bool:
        return not all(isinstance(item, SliceIndex) and item.is_full for item in self.basic)


def is_basic(items: Sequence[Item]) -> bool:
    """Return whether a strided slice is all that an index needs."""
    return not any(isinstance(item, IntArrayIndex | BoolIndex) for item in items)


def plan(items: Sequence[Item], shape: Sequence[Dim]) -> GatherPlan:
    """Return the plan of an index for an array of a shape. Raise NumPy's IndexError, as far as shape and indices are
    static.
    """
    items = _expand_ellipsis(items, len(shape))
    planner = _IndexPlanner(shape)
    for item in items:
        planner.add(item)
    return planner.plan()


def _expand_ellipsis(items: Sequence[Item], rank: int) -> list[Item]:
    """Return the items with full slices for the remaining axes after the ellipsis, which stays: it separates the items
    around it.
    """
    ellipses = [position for position, item in enumerate(items) if isinstance(item, EllipsisIndex)]
    if len(ellipses) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    indexed = sum(map(_count_axes, items))
    if indexed > rank:
        raise _make_too_many_indices_error(indexed, rank)
    position = ellipses[0] if ellipses else len(items)
    ndim = rank - indexed + sum(isinstance(item, SliceIndex | NewAxis) for item in items)
    if ndim > shapes.MAX_RANK:
        raise IndexError(f"number of dimensions must be within [0, 64], indexing result would have {ndim}")
    return [*items[:position], ELLIPSIS, *[SliceIndex()] * (rank - indexed), *items[position + 1 :]]


def shape_at(items: Sequence[Item], position: int, shape: Sequence[Dim]) -> Sequence[Dim]:
    """Return the dimensions that the item at a position indexes."""
    width = _count_axes(items[position])
    if any(isinstance(item, EllipsisIndex) for item in items[:position]):
        axis = len(shape) - sum(map(_count_axes, items[position:]))
    else:
        axis = sum(map(_count_axes, items[:position]))
    return shape[axis : axis + width]


def _count_axes(item: Item) -> int:
    if isinstance(item, BoolIndex):
        return item.rank
    return 0 if isinstance(item, EllipsisIndex | NewAxis) else 1


@dataclass(frozen=True, slots=True, eq=False)
class _AdvancedIndex:
    """An integer array or mask, which indexes `dims` of the array.

    `axis` is the first of them in the array, `sliced_axis` in the result of the strided slice.
    """

    item: IntArrayIndex | BoolIndex
    axis: int
    sliced_axis: int
    dims: Sequence[Dim]

    def flat_indices(self) -> Indices:
        """Return indices into the flattened axes."""
        if isinstance(self.item, FullMask):
            count = layout.product(self.dims)
            return np.arange(count) if isinstance(count, int) else layout.positions(count)
        if isinstance(self.item, BoolIndex):
            return _find_true(_check_mask_shape(self.item.mask, self.dims))
        return normalize_indices(self.item.indices, self.dims[0], self.axis)

    @property
    def shape(self) -> tuple[int, ...] | None:
        """The shape of the flat indices, if their values are static."""
        if isinstance(self.item, IntArrayIndex):
            return self.item.indices.shape if isinstance(self.item.indices, np.ndarray) else None
        if isinstance(self.item, FullMask):
            return (math.prod(self.dims),) if shapes.is_static(self.dims) else None
        return (int(np.count_nonzero(self.item.mask)),) if isinstance(self.item.mask, np.ndarray) else None

    @property
    def static_shape(self) -> tuple[int, ...] | None:
        """The shape of the flat indices, if it is static."""
        indices = self.item.indices if isinstance(self.item, IntArrayIndex) else None
        if isinstance(indices, tf.Tensor) and indices.shape.is_fully_defined():
            return tuple(indices.shape)
        return self.shape

    @property
    def has_static_last_dim(self) -> bool:
        """Whether the last dimension of the flat indices is static, or at most one."""
        return self.shape is not None or (isinstance(self.item, BoolIndex) and layout.product(self.dims) in (0, 1))


class _IndexPlanner:
    """The state of making the plan of an index, item by item, along the axes of an array."""

    def __init__(self, shape: Sequence[Dim]) -> None:
        self.shape, self.axis = shape, 0
        self.basic: list[BasicIndex] = []
        self.sliced_ndim = 0  # axes of the sliced array, so far
        self.gathered_ndim = 0  # those of them that the gather indexes
        self.advanced: list[_AdvancedIndex] = []
        self.starts: list[int] = []  # where blocks of adjacent arrays and integers begin, without gathered axes
        self.is_in_block = False

    def add(self, item: Item) -> None:
        if isinstance(item, SliceIndex | NewAxis | EllipsisIndex):
            self.is_in_block = False
        elif not self.is_in_block:
            self.is_in_block = True
            self.starts.append(self.sliced_ndim - self.gathered_ndim)
        if isinstance(item, SliceIndex | IntIndex | NewAxis):
            self._add_basic(item)
        elif isinstance(item, IntArrayIndex | BoolIndex):
            self._add_advanced(item, item.rank if isinstance(item, BoolIndex) else 1)

    def _add_basic(self, item: BasicIndex) -> None:
        if isinstance(item, IntIndex):
            _check_in_bounds(item.value, self.shape[self.axis], self.axis)
        self.basic.append(item)
        self.axis += not isinstance(item, NewAxis)
        self.sliced_ndim += not isinstance(item, IntIndex)

    def _add_advanced(self, item: IntArrayIndex | BoolIndex, width: int) -> None:
        dims = self.shape[self.axis : self.axis + width]
        if isinstance(item, BoolIndex):
            check_mask(item, dims, self.axis)
        self.advanced.append(_AdvancedIndex(item, self.axis, self.sliced_ndim, dims))
        self.basic += [SliceIndex()] * width
        self.axis += width
        self.sliced_ndim += width
        self.gathered_ndim += width

    def plan(self) -> GatherPlan:
        if not self.advanced:
            return GatherPlan(tuple(self.basic), (), None, 0)
        position = self.starts[0] if len(self.starts) == 1 else 0
        axes = tuple(part.sliced_axis + axis for part in self.advanced for axis in range(len(part.dims)))
        return GatherPlan(tuple(self.basic), axes, _combine(self.advanced), position)


def _check_in_bounds(index: int, dim: Dim, axis: int) -> None:
    if isinstance(dim, int) and not -dim <= index < dim:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {dim}")


def normalize_indices(indices: Indices, dim: Dim, axis: int) -> Indices:
    """Return the indices without negative ones.

    Raise IndexError where they are out of bounds: at once if they are static, else when the graph runs. Under XLA they
    are clipped.
    """
    if isinstance(indices, np.ndarray) and isinstance(dim, int):
        return _normalize_static_indices(indices, dim, axis)
    length, x = tf.cast(dim, tf.int64), tf.convert_to_tensor(indices)
    if isinstance(dim, int) and dim == 0 and x.shape.num_elements() not in (0, None):
        raise IndexError(f"index is out of bounds for axis {axis} with size 0")
    x = layout.check_bounds(x, -length, length - 1)
    return tf.clip_by_value(tf.where(x < 0, x + length, x), 0, tf.maximum(length - 1, 0))


def _normalize_static_indices(indices: np.ndarray, dim: int, axis: int) -> np.ndarray:
    if not indices.size:
        return indices
    lowest = indices.min()
    if lowest < -dim or indices.max() >= dim:
        invalid = indices[(indices < -dim) | (indices >= dim)]
        raise IndexError(f"index {invalid[0]} is out of bounds for axis {axis} with size {dim}")
    return indices if lowest >= 0 else np.where(indices < 0, indices + dim, indices)


def check_mask(item: BoolIndex, dims: Sequence[Dim], first_axis: int = 0) -> None:
    """Raise NumPy's IndexError where static dimensions of a mask do not match those that it indexes.

    A dimension of zero matches any other, as in NumPy.
    """
    if item.rank > len(dims):
        raise _make_too_many_indices_error(item.rank, len(dims))
    for axis, (dim, mask_dim) in enumerate(zip(dims, item.mask.shape, strict=False), first_axis):
        if isinstance(dim, int) and isinstance(mask_dim, int) and mask_dim not in (0, dim):
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis}; size of axis is {dim} but "
                f"size of corresponding boolean axis is {mask_dim}"
            )


def _make_too_many_indices_error(indexed: int, rank: int) -> IndexError:
    return IndexError(f"too many indices for array: array is {rank}-dimensional, but {indexed} were indexed")


def _check_mask_shape(mask: Indices, dims: Sequence[Dim]) -> Indices:
    """Return the mask, after checking its unknown dimensions when the graph runs."""
    if not dims or (shapes.is_static(dims) and None not in tuple(mask.shape)):
        return mask
    mask_shape = tf.shape(mask)
    is_valid = tf.reduce_all((mask_shape == shapes.shape_tensor(dims)) | (mask_shape == 0))
    return check(is_valid, IndexError("boolean index did not match indexed array"), mask)


def flatten_mask(mask: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    """Return a mask of a shape, flattened. If it turns out to be empty, all elements are False."""
    flat = tf.reshape(_check_mask_shape(mask, shape), (-1,))
    if mask.shape.is_fully_defined():
        return flat
    count = tf.cast(layout.product(shape), tf.int32)
    return layout.choose_by_shape(tf.size(flat) > 0, lambda: flat, lambda: tf.zeros(tf.expand_dims(count, 0), tf.bool))


def _find_true(mask: Indices) -> Indices:
    """Return the flat indices at which a mask is True."""
    if isinstance(mask, np.ndarray):
        return np.flatnonzero(mask)
    dynamic_size.check_not_for_xla()
    return dynamic_size.data_dependent(layout.indices_of_true(tf.reshape(mask, (-1,))))


def _combine(parts: Sequence[_AdvancedIndex]) -> Indices:
    """Return flat indices for arrays and masks along all their axes: the broadcast sum of indices times strides.

    Where the common shape is empty, indices may be out of bounds, as in NumPy.
    """
    if len(parts) == 1 and 0 not in (parts[0].shape or ()):
        return parts[0].flat_indices()
    static = [shape for part in parts if (shape := part.static_shape) is not None]
    common = _broadcast_index_shapes(static)
    are_static = len(static) == len(parts)
    if (0 in common and are_static) or (0 in common[-1:] and all(part.has_static_last_dim for part in parts)):
        return _empty_indices(parts, common)
    dynamic = [part.item for part in parts if part.static_shape is None]
    if (0,) in static and all(isinstance(item, IntArrayIndex) and len(item.indices.shape) == 1 for item in dynamic):
        return _check_empty_indices([item.indices for item in dynamic if isinstance(item, IntArrayIndex)])
    indices = [part.flat_indices() for part in parts]
    widths = [layout.product(part.dims) for part in parts]
    if shapes.is_static(widths) and all(part.shape is not None for part in parts):
        return np.broadcast_to(sum(map(operator.mul, indices, _compute_strides(widths))), common)
    return _combine_tensors([tf.convert_to_tensor(array) for array in indices], _compute_strides(widths))


def _empty_indices(parts: Sequence[_AdvancedIndex], common: tuple[Dim, ...]) -> np.ndarray:
    """Return empty indices, after checking the scalar ones, as NumPy does."""
    for part in parts:
        if part.shape == ():
            part.flat_indices()
    return np.zeros(common, np.int64)


def _check_empty_indices(vectors: Sequence[Indices]) -> tf.Tensor:
    """Return empty indices, after checking that vectors beside an empty array have at most one element."""
    is_valid = tf.reduce_all([tf.size(vector) <= 1 for vector in vectors])
    message = "shape mismatch: indexing arrays could not be broadcast together"
    return check(is_valid, IndexError(message), tf.zeros((0,), tf.int64))


def _compute_strides(widths: Sequence[Dim]) -> list[Dim]:
    return [layout.product(widths[index + 1 :]) for index in range(len(widths))]


def _combine_tensors(indices: Sequence[tf.Tensor], strides: Sequence[Dim]) -> tf.Tensor:
    common = _broadcast_index_shapes([shapes.shape(array) for array in indices])
    terms = [
        shapes.broadcast_to(array, common) * tf.cast(stride, tf.int64)
        for array, stride in zip(indices, strides, strict=True)
    ]
    return functools.reduce(operator.add, terms)


def _broadcast_index_shapes(index_shapes: Sequence[Sequence[Dim]]) -> tuple[Dim, ...]:
    try:
        return shapes.broadcast_shapes(*index_shapes)
    except ValueError:
        text = " ".join(map(shapes.format_shape, index_shapes))
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {text} "
        ) from None
