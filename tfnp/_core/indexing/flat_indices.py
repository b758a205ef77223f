"""Where, in an array read row by row, the elements lie that an index names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import layout, shapes
from tfnp._core.indexing.expressions import AllOf, Cut, Item, Lookup, Mask, NewAxis, Place, content, parse
from tfnp._core.indexing.gather import follow


def places_of(index: Any, sides: Sequence[shapes.Side]) -> np.ndarray | tf.Tensor:
    """Where, in an array of these sides read row by row, what the index names lies: known now, or a tensor."""
    return places_of_items(parse(index), sides)


def places_of_items(items: Sequence[Item], sides: Sequence[shapes.Side]) -> np.ndarray | tf.Tensor:
    if shapes.is_static(sides) and all(map(is_known, items)):
        everywhere = np.arange(math.prod(sides)).reshape(sides)
        return np.asarray(everywhere[tuple(map(as_numpy, items))])
    return follow(shapes.reshape(layout.positions(layout.product(sides)), sides), items)


def is_known(item: Item) -> bool:
    if isinstance(item, Cut):
        return not any(isinstance(bound, tf.Tensor) for bound in (item.start, item.stop, item.step))
    if isinstance(item, AllOf):
        return None not in tuple(item.truths.shape)
    return not isinstance(content(item), tf.Tensor)


def as_numpy(item: Item) -> Any:
    if isinstance(item, Cut):
        return slice(item.start, item.stop, item.step)
    if isinstance(item, Place):
        return item.number
    if isinstance(item, Lookup):
        return item.numbers
    if isinstance(item, Mask):
        return np.ones(item.truths.shape, np.bool_) if isinstance(item, AllOf) else item.truths
    return None if isinstance(item, NewAxis) else Ellipsis
