"""NumPy's own Fisher-Yates shuffles, computed in parallel.

From the last position down, each element is swapped with one at or before it. Where an element ends up follows from the
next step that uses its position, and so on: these pointers are followed in log2(length) rounds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core import ops
from tfnp._core.shapes import Dim
from tfnp._kernels.sort import sort_keys
from tfnp.random import uint128
from tfnp.random.streams import MAX_ROUNDS, Stream
from tfnp.random.uint128 import as_int64

Judge = Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, tf.Tensor]]


def draw_orders(stream: Stream, count: Dim, length: tf.Tensor) -> tf.Tensor:
    """Return permutations of `length` elements, concatenated to `count` indices (int64)."""
    length = tf.maximum(length, 1)
    rows = tf.maximum(as_int64(count) // length, 1)
    swaps = _draw_swaps(stream, rows, length)
    return tf.reshape(_apply_swaps(swaps, rows, length), (-1,))[: as_int64(count)]


def _draw_swaps(stream: Stream, rows: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return the swap partner of each position, from the last down, for each permutation."""
    algorithm = stream.algorithm
    span = 2 * length + 64  # more words than a permutation is likely to need
    word_count = 2 * rows * length + span

    def draw(row: tf.Tensor, state: tf.Tensor, drawn: tf.TensorArray) -> tuple[tf.Tensor, tf.Tensor, tf.TensorArray]:
        words, after = Stream(algorithm, state).peek(32, word_count)

        def draw_row(row: tf.Tensor, offset: tf.Tensor, drawn: tf.TensorArray) -> tuple[Any, ...]:
            values, accepted = _accept_row(tf.gather(words, offset + tf.range(span)), length)
            return row + 1, offset + accepted, drawn.write(tf.cast(row, tf.int32), values)

        row, offset, drawn = tf.while_loop(
            lambda row, offset, _: (row < rows) & (offset + span <= word_count), draw_row, (row, zero, drawn)
        )
        return row, after(offset), drawn

    zero = tf.constant(0, tf.int64)
    drawn = tf.TensorArray(tf.int64, tf.cast(rows, tf.int32), element_shape=[None])
    start = (zero, stream.state, drawn)
    _, stream.state, drawn = tf.while_loop(lambda row, *_: row < rows, draw, start, maximum_iterations=MAX_ROUNDS)
    return drawn.stack()


def _accept_row(words: tf.Tensor, length: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the swaps of one permutation, last position first, and the number of words used."""

    def accept(accepted: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """Reject by the number of positions left, which follows from the number accepted before."""
        return _mask_bits(words, tf.bitcast(tf.maximum(length - 1 - accepted, 0), uint128.WORD))

    values, is_valid = _find_accepted(accept, words)
    accepted = tf.cumsum(tf.cast(is_valid, tf.int64))
    rank = accepted - tf.cast(is_valid, tf.int64)
    is_needed = rank < length - 1
    index = tf.where(is_valid & is_needed, rank, length)
    row = tf.scatter_nd(index[:, None], tf.where(is_valid & is_needed, tf.bitcast(values, tf.int64), 0), [length + 1])
    return row[:-1], tf.reduce_sum(tf.cast(is_needed, tf.int64))


def _find_accepted(accept: Any, words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the accepted words where acceptance depends on the number of those accepted before: a fixed point, found
    by iteration.
    """

    def refine(is_valid: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        accepted = tf.cast(is_valid, tf.int64)
        new = accept(tf.cumsum(accepted) - accepted)[1]
        return new, tf.reduce_any(new ^ is_valid)

    all_words = tf.ones_like(words, tf.bool)
    is_valid, _ = tf.while_loop(lambda _, changed: changed, refine, (all_words, tf.constant(True)))
    accepted = tf.cast(is_valid, tf.int64)
    return accept(tf.cumsum(accepted) - accepted)[0], is_valid


def _mask_bits(words: tf.Tensor, width: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return words masked to the bits of the maximum, and which are accepted. For shuffles Generator does this, too."""
    mask = width
    for count in (1, 2, 4, 8, 16):
        mask |= uint128.shift_right(mask, count)
    value = words & mask
    return value, value <= width


def _apply_swaps(swaps: tf.Tensor, rows: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Return the source index of each position after all swaps."""
    count = rows * length
    positions = tf.range(count)
    base = positions // length * length
    target = base + tf.reshape(tf.reverse(swaps, [1]), (-1,))
    # Steps that use the same position, in order: the next step that uses it.
    order = sort_keys.stable_order((target,))
    sorted_targets = tf.gather(target, order)
    following = tf.concat([order[1:], tf.zeros_like(order[:1])], 0)
    has_next = tf.concat([ops.equal(sorted_targets[1:], sorted_targets[:-1]), tf.zeros_like(sorted_targets[:1]) > 0], 0)
    next_step = tf.scatter_nd(order[:, None], tf.where(has_next, following, -tf.ones_like(following)), [count])
    # The content of a position before its own step is that of the first step that used it.
    is_first = tf.concat([tf.ones_like(sorted_targets[:1]) > 0, ~has_next[:-1]], 0)
    first_positions = tf.where(is_first, sorted_targets, count)
    first_asking = tf.tensor_scatter_nd_update(
        -tf.ones(tf.expand_dims(count + 1, 0), tf.int64), first_positions[:, None], order
    )[:-1]
    is_self = tf.equal(first_asking, positions)
    pointers = tf.where(is_self, next_step, first_asking)
    roots = _follow_pointers(tf.where(pointers < 0, positions, pointers), count)
    source = tf.where(next_step < 0, target, tf.gather(roots, tf.maximum(next_step, 0)))
    return tf.where(tf.equal(target, positions), roots, source) - base


def _follow_pointers(pointers: tf.Tensor, total: tf.Tensor) -> tf.Tensor:
    """Return the end of each chain of pointers, by pointer doubling."""

    def jump(pointers: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        next_pointers = tf.gather(pointers, pointers)
        return next_pointers, tf.reduce_any(tf.not_equal(next_pointers, pointers))

    return tf.while_loop(lambda _, changed: changed, jump, (pointers, total > 0))[0]
