"""Kernels of text: order by way of integers, and repetition.

TensorFlow neither sorts nor compares strings, but finds the distinct ones. Those are put in order once, and each
element gets the number of its string: its *rank*. Kernels of integers do the rest. The order is that of the bytes,
which for UTF-8 is that of the code points.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, layout, ops, reduce_algorithms, shapes
from tfnp._core.text import check_not_for_xla

Axes = tuple[int, ...]
_PIECE: Final = 7
"""Bytes that are compared at once: with their number they fill an int64."""


def rank(*texts: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return for each element of the tensors the number of distinct smaller strings in all of them (int64)."""
    return _rank(*texts)[0]


def _rank(*texts: tf.Tensor) -> tuple[tuple[tf.Tensor, ...], tf.Tensor]:
    """Return the rank of each string of a vector, and the distinct strings by rank."""
    check_not_for_xla()
    flat = [tf.reshape(text, (-1,)) for text in texts]
    ranks, strings = _rank_vector(tf.concat(flat, 0) if len(flat) > 1 else flat[0])
    parts = tf.split(ranks, [tf.size(part) for part in flat]) if len(flat) > 1 else [ranks]
    shaped = tuple(tf.reshape(part, tf.shape(text)) for part, text in zip(parts, texts, strict=True))
    for part, text in zip(shaped, texts, strict=True):
        part.set_shape(text.shape)
    return shaped, strings


@partial(tf.function, input_signature=[tf.TensorSpec([None], tf.string)], autograph=False)
def _rank_vector(text: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the rank of each string of a vector, and the distinct strings by rank. It runs as a graph in eager mode,
    too.
    """
    distinct, index = tf.unique(text, tf.int64)
    order = _sort_distinct(distinct)
    return tf.gather(tf.math.invert_permutation(order), index), tf.gather(distinct, order)


def _sort_distinct(strings: tf.Tensor) -> tf.Tensor:
    """Return the indices (int64) that sort a vector of distinct strings, by pieces of a few bytes, until all differ."""
    count = tf.size(strings, tf.int64)
    initial = tf.constant(0), tf.zeros_like(strings, tf.int64), tf.range(count), count <= 1

    def advance(start: tf.Tensor, ranks: tf.Tensor, *_: tf.Tensor) -> tuple[tf.Tensor, ...]:
        pieces = _read_piece(strings, start)
        order = _sort_integers(pieces)
        order = tf.gather(order, _sort_integers(tf.gather(ranks, order)))
        ranks, pieces = tf.gather(ranks, order), tf.gather(pieces, order)
        is_new = tf.not_equal(ranks[1:], ranks[:-1]) | tf.not_equal(pieces[1:], pieces[:-1])
        sorted_ranks = tf.concat([[0], tf.cumsum(tf.cast(is_new, tf.int64))], 0)
        ranks = tf.gather(sorted_ranks, tf.math.invert_permutation(order))
        return start + _PIECE, ranks, order, tf.reduce_all(is_new)

    unknown, length = tf.TensorShape([]), strings.shape
    return tf.while_loop(
        lambda *state: tf.logical_not(state[-1]), advance, initial, (unknown, length, length, unknown)
    )[2]


def _read_piece(strings: tf.Tensor, start: tf.Tensor) -> tf.Tensor:
    """Return some bytes of each string as int64 that have the same order: the bytes, padded with zeros, then their
    number.
    """
    lengths = tf.strings.length(strings)
    pieces = tf.strings.substr(strings, tf.minimum(start, lengths), tf.fill(tf.shape(strings), _PIECE))
    words = tf.io.decode_raw(pieces, tf.int64, little_endian=False, fixed_length=8)[:, 0]
    return tf.bitwise.bitwise_xor(words, tf.int64.min) + tf.cast(tf.strings.length(pieces), tf.int64)


def _sort_integers(keys: tf.Tensor) -> tf.Tensor:
    """Return the indices that sort integers stably. TopK returns the largest of their complements, ties in order."""
    return ops.top_k(tf.bitwise.invert(keys), tf.size(keys), True, tf.int64)[1]


def as_text_kernel(kernel: Callable[..., tf.Tensor]) -> Callable[..., tf.Tensor]:
    """Return TensorFlow's op of strings, with a TypeError for XLA, which has none."""

    def call(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        check_not_for_xla()
        return kernel(x=x, y=y)

    return call


def as_text_op(kernel: Callable[..., tf.Tensor]) -> Callable[..., tf.Tensor]:
    """Return a comparison of text, by way of ranks."""

    def compare(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return kernel(*rank(x, y))

    return compare


def maximum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _select_extreme(x, y, tf.maximum)


def minimum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _select_extreme(x, y, tf.minimum)


def _select_extreme(x: tf.Tensor, y: tf.Tensor, select: Callable[..., tf.Tensor]) -> tf.Tensor:
    ranks, strings = _rank(x, y)
    return tf.gather(strings, select(*ranks))


def reduce_extreme(x: tf.Tensor, axes: Axes, keepdims: bool, reduce: Callable[..., Any]) -> tf.Tensor:
    """Return the maximum or minimum of text over axes: `reduce` is the kernel that reduces its ranks."""
    (ranks,), strings = _rank(x)
    return tf.gather(strings, reduce(ranks, shapes.const_int(axes), keepdims))


def reduce_join(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Return the strings joined along axes, the last axis first: the sum of text."""
    return tf.strings.reduce_join(x, tuple(reversed(axes)), keepdims=keepdims)


def scan_join(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return each string joined to all before it along an axis: the cumulative sum of text."""
    x_3d, _ = reduce_algorithms.to_3d(x, (axis,))
    result = reduce_algorithms.scan(tf.add, x_3d, associative=True)
    return tf.reshape(result, shapes.shape_tensor(shapes.shape(x)))


def repeat(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return text repeated as often as the integer operand says; both broadcast."""
    check_not_for_xla()
    text, counts = (x, y) if x.dtype == tf.string else (y, x)
    shape = shapes.broadcast_shapes(shapes.shape(text), shapes.shape(counts))
    text, counts = (tf.reshape(shapes.broadcast_to(operand, shape), (-1,)) for operand in (text, counts))
    result = repeat_each(text, convert.cast(counts, tf.int64))
    return tf.reshape(result, shapes.shape_tensor(shape))


def repeat_each(text: tf.Tensor, counts: tf.Tensor) -> tf.Tensor:
    """Return each string of a vector as often as its int64 count says, by doubling (binary exponentiation).

    A string of more than 2**31 bytes raises OverflowError.
    """
    lengths = tf.cast(tf.strings.length(text), tf.int64)
    counts = tf.where(lengths > 0, tf.maximum(counts, 0), 0)
    fits = tf.reduce_all(counts <= tf.int32.max // tf.maximum(lengths, 1))
    counts = layout.check(fits, OverflowError("Overflow encountered in string multiply"), counts, counts)

    def double(left: tf.Tensor, power: tf.Tensor, result: tf.Tensor) -> tuple[tf.Tensor, ...]:
        result = tf.strings.join([result, tf.where(tf.equal(left % 2, 1), power, "")])
        left //= 2
        power = tf.where(left > 0, power, "")
        return left, tf.strings.join([power, power]), result

    start = (counts, text, tf.zeros_like(text))
    return tf.while_loop(lambda left, *_: tf.reduce_any(left > 0), double, start)[2]
