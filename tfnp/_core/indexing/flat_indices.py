"""Flat indices: the positions of indexed elements in an array in C order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import layout, shapes
from tfnp._core.indexing.expressions import (
    BoolIndex,
    FullMask,
    IntArrayIndex,
    IntIndex,
    Item,
    NewAxis,
    SliceIndex,
    content,
    parse,
)
from tfnp._core.indexing.gather import execute


def flat_indices_of(index: Any, shape: Sequence[shapes.Dim]) -> np.ndarray | tf.Tensor:
    """Return the flat indices of indexed elements: an array if they are static, else a tensor."""
    return flat_indices_of_items(parse(index), shape)


def flat_indices_of_items(items: Sequence[Item], shape: Sequence[shapes.Dim]) -> np.ndarray | tf.Tensor:
    """Return the flat indices of the elements that the items of an index name."""
    if shapes.is_static(shape) and all(map(is_static, items)):
        positions = np.arange(math.prod(shape)).reshape(shape)
        return np.asarray(positions[tuple(map(as_numpy, items))])
    return execute(shapes.reshape(layout.positions(layout.product(shape)), shape), items)


def is_static(item: Item) -> bool:
    """Return whether an item of an index has a static value."""
    if isinstance(item, SliceIndex):
        return not any(isinstance(bound, tf.Tensor) for bound in (item.start, item.stop, item.step))
    if isinstance(item, FullMask):
        return None not in tuple(item.mask.shape)
    return not isinstance(content(item), tf.Tensor)


def as_numpy(item: Item) -> Any:
    """Return an item of an index as NumPy accepts it."""
    if isinstance(item, SliceIndex):
        return slice(item.start, item.stop, item.step)
    if isinstance(item, IntIndex):
        return item.value
    if isinstance(item, IntArrayIndex):
        return item.indices
    if isinstance(item, BoolIndex):
        return np.ones(item.mask.shape, np.bool_) if isinstance(item, FullMask) else item.mask
    return None if isinstance(item, NewAxis) else Ellipsis
