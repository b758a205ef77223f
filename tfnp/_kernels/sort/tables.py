"""Tables: integers of a small span are counted rather than sorted, in eager mode."""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core import layout, ops

MIN_LENGTH: Final = 1 << 10
"""Elements from which on a table is faster than the sort."""

_MAX_RATIO: Final = 4
"""A table has at most so many times the elements."""


_SMALL: Final = (tf.bool, tf.int8, tf.int16, tf.uint8, tf.uint16)


class Table:
    """Vectors of integers of one dtype, as their distances from the smallest one of all."""

    def __init__(self, vectors: list[tf.Tensor], dtype: tf.DType, lowest: int, span: int) -> None:
        self._dtype = dtype
        self._lowest = tf.constant(lowest, vectors[0].dtype)
        self._span = tf.constant(span, tf.int32)
        self.indices = [ops.cast(ops.subtract(vector, self._lowest), tf.int32) for vector in vectors]

    def count(self, number: int) -> tf.Tensor:
        """Return how often each integer of the span is in a vector (int32)."""
        no_weights = tf.zeros((0,), tf.int32)
        return ops.dense_bincount(input=self.indices[number], size=self._span, weights=no_weights, binary_output=False)

    def is_in(self, number: int) -> tf.Tensor:
        """Return whether each integer of the span is in a vector."""
        counts = self.count(number)
        return ops.greater(counts, ops.scalar(0, counts))

    def first_positions(self, number: int) -> tf.Tensor:
        """Return the first position (int64) of each integer of the span in a vector; undefined where it is not."""
        indices = self.indices[number]
        return tf.math.unsorted_segment_min(layout.positions(indices.shape[0]), indices, self._span)

    def values(self, offsets: tf.Tensor) -> tf.Tensor:
        """Return the integers at these indices of the table."""
        return ops.cast(ops.add(ops.cast(offsets, self._lowest.dtype), self._lowest), self._dtype)


def make_table(*vectors: tf.Tensor) -> Table | None:
    """Return a table of vectors of one dtype; None where they are short, not eager integers, or span too much."""
    dtype = vectors[0].dtype
    if not (ops.executing_eagerly() and (dtype.is_integer or dtype == tf.bool)):
        return None
    length = sum(vector.shape[0] for vector in vectors)
    if length < MIN_LENGTH or not all(vector.shape[0] for vector in vectors):
        return None
    integers = [ops.cast(vector, tf.int32) if dtype in _SMALL else vector for vector in vectors]
    lowest = min(int(tf.reduce_min(vector)) for vector in integers)
    span = max(int(tf.reduce_max(vector)) for vector in integers) - lowest + 1
    if span > min(_MAX_RATIO * length, tf.int32.max):
        return None
    return Table(integers, dtype, lowest, span)
