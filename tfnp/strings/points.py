"""Text as a matrix of code points, one row per string, and a vector of lengths.

The matrix has an extra last column of padding, so that a gather from an empty string has something to read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

PADDING: Final = -1
SPACE: Final = ord(" ")


class CodePoints(NamedTuple):
    """The code points (int32) of strings, padded with PADDING, and the length of each string (int64)."""

    codes: tf.Tensor
    lengths: tf.Tensor


def read(flat: tf.Tensor) -> CodePoints:
    """Return the code points of a vector of strings. Invalid UTF-8 becomes U+FFFD."""
    ragged = tf.strings.unicode_decode(flat, "UTF-8")
    codes = tf.pad(ragged.to_tensor(PADDING), [[0, 0], [0, 1]], constant_values=PADDING)
    return CodePoints(codes, tf.cast(ragged.row_lengths(), tf.int64))


def write(codes: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """Return a vector of strings, of rows of code points up to the lengths."""
    ragged = tf.RaggedTensor.from_tensor(codes, lengths=lengths)
    return tf.strings.unicode_encode(ragged, "UTF-8")


def column_indices(count: tf.Tensor) -> tf.Tensor:
    """Return 0, 1, ... as a matrix of one row."""
    return tf.range(count, dtype=tf.int64)[None]


def positions(points: CodePoints) -> tf.Tensor:
    """Return the indices of all columns, as a matrix of one row."""
    return column_indices(tf.shape(points.codes, tf.int64)[1])


def gather(points: CodePoints, index: tf.Tensor) -> tf.Tensor:
    """Return code points by their indices in each row; those out of bounds read the padding or the first character."""
    last = tf.shape(points.codes, tf.int64)[1] - 1
    return tf.gather(points.codes, tf.clip_by_value(index, 0, last), batch_dims=1)


def take_substrings(points: CodePoints, start: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return `length` code points of each string, from `start` on."""
    return write(gather(points, start[:, None] + column_indices(_find_longest(length))), length)


def _find_longest(lengths: tf.Tensor) -> tf.Tensor:
    return tf.reduce_max(tf.concat([lengths, [0]], 0))


def take_slices(points: CodePoints, start: tf.Tensor, step: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return `length` code points of each string, from `start` on, with a step."""
    return write(gather(points, start[:, None] + column_indices(_find_longest(length)) * step[:, None]), length)


def pad_to_width(points: CodePoints, width: tf.Tensor, left: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    """Return each string padded to a width, with `left` fill characters before it."""
    index = column_indices(_find_longest(width)) - left[:, None]
    is_inside = (index >= 0) & (index < points.lengths[:, None])
    return tf.where(is_inside, gather(points, index), fill[:, None])


class Expansion(NamedTuple):
    """For each code point of a result: its source column, and its offset among those with the same source."""

    source: tf.Tensor
    offset: tf.Tensor
    lengths: tf.Tensor


def expand(counts: tf.Tensor) -> Expansion:
    """Return the expansion of rows, to which each column contributes `counts` code points."""
    ends = tf.cumsum(counts, axis=1)
    lengths = ends[:, -1]
    index = column_indices(_find_longest(lengths))
    index = tf.broadcast_to(index, tf.stack([tf.shape(counts)[0], tf.shape(index)[1]]))
    # Without rows TensorFlow compares the numbers of columns: a column more on both sides makes none of them 0.
    boundaries = tf.pad(ends, [(0, 0), (0, 1)], constant_values=ends.dtype.max)
    source = tf.searchsorted(boundaries, tf.pad(index, [(0, 0), (0, 1)]), side="right", out_type=tf.int64)[:, :-1]
    source = tf.minimum(source, tf.shape(counts, tf.int64)[1] - 1)
    starts = tf.gather(ends - counts, source, batch_dims=1)
    return Expansion(source, index - starts, lengths)


def matches(codes: tf.Tensor, predicate: str) -> tf.Tensor:
    """Return a mask of the code points for which a method of `str`, such as `isalpha`, is true; it is False for
    padding.
    """
    boundaries = tf.constant(_compute_boundaries(predicate), tf.int32)
    interval = tf.searchsorted(boundaries, tf.reshape(codes, (-1,)), side="right")
    return tf.reshape(tf.equal(interval % 2, 1), tf.shape(codes)) & (codes >= 0)


@lru_cache(maxsize=16)
def _compute_boundaries(predicate: str) -> np.ndarray:
    """Return the starts and ends, in turn, of the ranges of code points for which a predicate is true."""
    characters = np.arange(0x110000, dtype=np.uint32).view("U1")
    table = getattr(np.strings, predicate)(characters)
    return np.flatnonzero(np.diff(table, prepend=False, append=False)).astype(np.int32)
