"""Where, in an array read row by row, the elements lie that an index names."""

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
    """Where, in an array of these sides read row by row, what the index names lies: known now, or a tensor."""
    return flat_indices_of_items(parse(index), shape)


def flat_indices_of_items(items: Sequence[Item], shape: Sequence[shapes.Dim]) -> np.ndarray | tf.Tensor:
    if shapes.is_static(shape) and all(map(is_static, items)):
        everywhere = np.arange(math.prod(shape)).reshape(shape)
        return np.asarray(everywhere[tuple(map(as_numpy, items))])
    return execute(shapes.reshape(layout.positions(layout.product(shape)), shape), items)


def is_static(item: Item) -> bool:
    if isinstance(item, SliceIndex):
        return not any(isinstance(bound, tf.Tensor) for bound in (item.start, item.stop, item.step))
    if isinstance(item, FullMask):
        return None not in tuple(item.truths.shape)
    return not isinstance(content(item), tf.Tensor)


def as_numpy(item: Item) -> Any:
    if isinstance(item, SliceIndex):
        return slice(item.start, item.stop, item.step)
    if isinstance(item, IntIndex):
        return item.number
    if isinstance(item, IntArrayIndex):
        return item.numbers
    if isinstance(item, BoolIndex):
        return np.ones(item.truths.shape, np.bool_) if isinstance(item, FullMask) else item.truths
    return None if isinstance(item, NewAxis) else Ellipsis
