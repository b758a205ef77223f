"""Text as code points: a matrix with a row for each text, and their lengths. Arithmetic of integers does the rest.

Each matrix has a last column that belongs to no text, so that there is something to take from.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

NONE: Final = -1
SPACE: Final = ord(" ")


class Points(NamedTuple):
    """Code points (int32), NONE after the end of each text, and how many each has (int64)."""

    codes: tf.Tensor
    lengths: tf.Tensor


def read(flat: tf.Tensor) -> Points:
    """The code points of a vector of text. What is no UTF-8 becomes U+FFFD."""
    ragged = tf.strings.unicode_decode(flat, "UTF-8")
    codes = tf.pad(ragged.to_tensor(NONE), [[0, 0], [0, 1]], constant_values=NONE)
    return Points(codes, tf.cast(ragged.row_lengths(), tf.int64))


def write(codes: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """A vector of text. What lies beyond the lengths is not read."""
    ragged = tf.RaggedTensor.from_tensor(codes, lengths=lengths)
    return tf.strings.unicode_encode(ragged, "UTF-8")


def columns(count: tf.Tensor) -> tf.Tensor:
    """0, 1, ... as a matrix of one row."""
    return tf.range(count, dtype=tf.int64)[None]


def places(points: Points) -> tf.Tensor:
    """The places of all columns, as a matrix of one row."""
    return columns(tf.shape(points.codes, tf.int64)[1])


def at(points: Points, index: tf.Tensor) -> tf.Tensor:
    """The code points at places, those out of bounds being nobody's."""
    last = tf.shape(points.codes, tf.int64)[1] - 1
    return tf.gather(points.codes, tf.clip_by_value(index, 0, last), batch_dims=1)


def part(points: Points, start: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """The text of so many code points from a place on, in each."""
    return write(at(points, start[:, None] + columns(_longest(length))), length)


def _longest(lengths: tf.Tensor) -> tf.Tensor:
    return tf.reduce_max(tf.concat([lengths, [0]], 0))


def arranged(points: Points, start: tf.Tensor, step: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """The text of so many code points, each a step on from the one before."""
    return write(at(points, start[:, None] + columns(_longest(length)) * step[:, None]), length)


def repeated(points: Points, counts: tf.Tensor) -> tf.Tensor:
    """The text again and again."""
    length = points.lengths * tf.maximum(counts, 0)
    return write(at(points, columns(_longest(length)) % tf.maximum(points.lengths, 1)[:, None]), length)


def filled(points: Points, width: tf.Tensor, left: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    """The code points of a field, `left` of them before the text, where all that is not text is filled."""
    index = columns(_longest(width)) - left[:, None]
    inside = (index >= 0) & (index < points.lengths[:, None])
    return tf.where(inside, at(points, index), fill[:, None])


class Spread(NamedTuple):
    """Of each code point of a result: from which one of the source it comes, and which of several it is."""

    source: tf.Tensor
    number: tf.Tensor
    lengths: tf.Tensor


def spread(counts: tf.Tensor) -> Spread:
    """A result to which the code point in each column contributes so many."""
    ends = tf.cumsum(counts, axis=1)
    lengths = ends[:, -1]
    index = columns(_longest(lengths))
    index = tf.broadcast_to(index, tf.stack([tf.shape(counts)[0], tf.shape(index)[1]]))
    source = tf.searchsorted(ends, index, side="right", out_type=tf.int64)
    source = tf.minimum(source, tf.shape(counts, tf.int64)[1] - 1)
    starts = tf.gather(ends - counts, source, batch_dims=1)
    return Spread(source, index - starts, lengths)


def has(codes: tf.Tensor, quality: str) -> tf.Tensor:
    """Which code points Python's `str` says this of, `isalpha` for instance; nothing is said of what is none."""
    edges = tf.constant(_edges(quality), tf.int32)
    found = tf.searchsorted(edges, tf.reshape(codes, (-1,)), side="right")
    return tf.reshape(tf.equal(found % 2, 1), tf.shape(codes)) & (codes >= 0)


@lru_cache(maxsize=16)
def _edges(quality: str) -> np.ndarray:
    """Where code points that have the quality begin, and end, in turn."""
    is_so = getattr(str, quality)
    table = np.fromiter((is_so(chr(code)) for code in range(0x110000)), bool, 0x110000)
    return np.flatnonzero(np.diff(table, prepend=False, append=False)).astype(np.int32)
