"""Substring search: compare the pattern at every position at once, code point by code point."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import tensorflow as tf

from tfnp._core.shapes import Dim
from tfnp.strings import points
from tfnp.strings.points import CodePoints
from tfnp.strings.text import INTEGERS, TEXT, broadcast_texts, to_integers, to_text

INT64_MAX: Final = 2**63 - 1


Shape: TypeAlias = "tuple[Dim, ...]"
SEARCHED: Final = (TEXT, TEXT, INTEGERS, INTEGERS)


class Search(NamedTuple):
    """The positions at which a pattern occurs within bounds; the bounds, the text and the pattern."""

    is_match: tf.Tensor
    start: tf.Tensor
    end: tf.Tensor
    text: CodePoints
    pattern: CodePoints


def broadcast_arguments(a: Any, sub: Any, start: Any = 0, end: Any = None) -> tuple[list[tf.Tensor], Shape]:
    """Return the flat arguments of `search`, and the shape of the results."""
    bounds = to_integers(start), to_integers(INT64_MAX if end is None else end)
    return broadcast_texts(to_text(a), to_text(sub), *bounds)


def search(flat: tf.Tensor, parts: tf.Tensor, low: tf.Tensor, high: tf.Tensor) -> Search:
    """Return every occurrence of the patterns within bounds, which are interpreted like those of slices."""
    text, pattern = points.read(flat), points.read(parts)
    low, high = _clip_bound(low, text.lengths), tf.minimum(_clip_bound(high, text.lengths), text.lengths)
    index = points.positions(text)
    is_inside = (index >= low[:, None]) & (index + pattern.lengths[:, None] <= high[:, None])
    return Search(find_occurrences(text, pattern) & is_inside, low, high, text, pattern)


def _clip_bound(index: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    return tf.where(index < 0, tf.maximum(index + length, 0), index)


def find_occurrences(text: CodePoints, pattern: CodePoints) -> tf.Tensor:
    """Return a mask of the positions in each row at which the pattern occurs."""
    index, offsets = points.positions(text), points.positions(pattern)
    count = tf.shape(text.codes)
    window = tf.reshape(index[0][:, None] + offsets, (1, -1))
    windows = points.gather(text, tf.broadcast_to(window, tf.stack([count[0], tf.shape(window)[1]])))
    windows = tf.reshape(windows, tf.stack([count[0], count[1], tf.shape(pattern.codes)[1]]))
    is_padding = offsets[None] >= pattern.lengths[:, None, None]
    fits = index + pattern.lengths[:, None] <= text.lengths[:, None]
    return tf.reduce_all(tf.equal(windows, pattern.codes[:, None]) | is_padding, 2) & fits


def find_first(is_match: tf.Tensor) -> tf.Tensor:
    """Return the first match of each row, or -1."""
    return tf.where(tf.reduce_any(is_match, 1), tf.argmax(tf.cast(is_match, tf.int32), 1), -1)


def find_last(is_match: tf.Tensor) -> tf.Tensor:
    """Return the last match of each row, or -1."""
    final = tf.shape(is_match, tf.int64)[1] - 1
    return tf.where(tf.reduce_any(is_match, 1), final - tf.argmax(tf.cast(is_match[:, ::-1], tf.int32), 1), -1)


def drop_overlaps(is_match: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """Return the matches without those that overlap an earlier one that remains."""
    index = points.column_indices(tf.shape(is_match, tf.int64)[1])[0]

    def step(free: tf.Tensor, column: tuple[tf.Tensor, tf.Tensor]) -> tf.Tensor:
        matches_here, position = column
        return tf.where(matches_here & (position >= free), position + lengths, free)

    begin = tf.zeros_like(lengths)
    free = tf.scan(step, (tf.transpose(is_match), index), begin)
    before = tf.concat([begin[None], free[:-1]], 0)
    return is_match & tf.transpose(index[:, None] >= before)
