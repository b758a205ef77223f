"""Where one text occurs in another: every place at once, compared code point by code point."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.strings import points
from tfnp.strings.points import Points
from tfnp.strings.text import INTEGERS, TEXT, broadcast_texts, to_integers, to_text

LAST: Final = 2**63 - 1


Shape: TypeAlias = "tuple[Dim, ...]"
SEARCHED: Final = (TEXT, TEXT, INTEGERS, INTEGERS)


class Search(NamedTuple):
    """At which places a text occurs in another within bounds; the bounds, and both texts."""

    found: tf.Tensor
    start: tf.Tensor
    end: tf.Tensor
    text: Points
    sought: Points


def arguments(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tuple[list[tf.Tensor], Shape]:
    """What `search` takes, and the shape that its results are to have."""
    bounds = to_integers(start), to_integers(LAST if end is None else end)
    return broadcast_texts(to_text(a), to_text(sub), *bounds)


def search(flat: tf.Tensor, parts: tf.Tensor, low: tf.Tensor, high: tf.Tensor) -> Search:
    """Every occurrence of texts in others within bounds, which are read as those of slices."""
    text, sought = points.read(flat), points.read(parts)
    low, high = _bound(low, text.lengths), tf.minimum(_bound(high, text.lengths), text.lengths)
    index = points.places(text)
    inside = (index >= low[:, None]) & (index + sought.lengths[:, None] <= high[:, None])
    return Search(occurrences(text, sought) & inside, low, high, text, sought)


def _bound(index: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    return tf.where(index < 0, tf.maximum(index + length, 0), index)


def occurrences(text: Points, sought: Points) -> tf.Tensor:
    """At which places a text occurs in another, in each row."""
    index, inner = points.places(text), points.places(sought)
    count = tf.shape(text.codes)
    window = tf.reshape(index[0][:, None] + inner, (1, -1))
    found = points.at(text, tf.broadcast_to(window, tf.stack([count[0], tf.shape(window)[1]])))
    found = tf.reshape(found, tf.stack([count[0], count[1], tf.shape(sought.codes)[1]]))
    beyond = inner[None] >= sought.lengths[:, None, None]
    fits = index + sought.lengths[:, None] <= text.lengths[:, None]
    return tf.reduce_all(tf.equal(found, sought.codes[:, None]) | beyond, 2) & fits


def first(found: tf.Tensor) -> tf.Tensor:
    """The first place of each row, -1 where there is none."""
    return tf.where(tf.reduce_any(found, 1), tf.argmax(tf.cast(found, tf.int32), 1), -1)


def last(found: tf.Tensor) -> tf.Tensor:
    """The last place of each row, -1 where there is none."""
    final = tf.shape(found, tf.int64)[1] - 1
    return tf.where(tf.reduce_any(found, 1), final - tf.argmax(tf.cast(found[:, ::-1], tf.int32), 1), -1)


def apart(found: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """The places of occurrences that do not overlap, taken from the left."""
    index = points.columns(tf.shape(found, tf.int64)[1])[0]

    def step(free: tf.Tensor, column: tuple[tf.Tensor, tf.Tensor]) -> tf.Tensor:
        here, number = column
        return tf.where(here & (number >= free), number + lengths, free)

    begin = tf.zeros_like(lengths)
    free = tf.scan(step, (tf.transpose(found), index), begin)
    before = tf.concat([begin[None], free[:-1]], 0)
    return found & tf.transpose(index[:, None] >= before)
