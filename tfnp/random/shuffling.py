"""Orders: NumPy's own shuffles, swap by swap, worked out all at once.

From the last place down each is swapped with one at or before it. Where an element ends up follows from who next asks
for the place it was put in, and so on: pointers, which are followed in as many rounds as the length has bits.
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
    """Orders of so many elements each, one after another in one row of `count` numbers (int64)."""
    length = tf.maximum(length, 1)
    rows = tf.maximum(as_int64(count) // length, 1)
    swaps = _draw_swaps(stream, rows, length)
    return tf.reshape(_apply_swaps(swaps, rows, length), (-1,))[: as_int64(count)]


def _draw_swaps(stream: Stream, rows: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """For each order, and each place of it from the last down, which place it is swapped with."""
    algorithm = stream.algorithm
    span = 2 * length + 64  # as many words as an order may need, and more
    many = 2 * rows * length + span

    def draw(row: tf.Tensor, state: tf.Tensor, drawn: tf.TensorArray) -> tuple[tf.Tensor, tf.Tensor, tf.TensorArray]:
        found, after = Stream(algorithm, state).peek(32, many)

        def draw_row(row: tf.Tensor, offset: tf.Tensor, drawn: tf.TensorArray) -> tuple[Any, ...]:
            values, taken = _accept_row(tf.gather(found, offset + tf.range(span)), length)
            return row + 1, offset + taken, drawn.write(tf.cast(row, tf.int32), values)

        row, offset, drawn = tf.while_loop(
            lambda row, offset, _: (row < rows) & (offset + span <= many), draw_row, (row, zero, drawn)
        )
        return row, after(offset), drawn

    zero = tf.constant(0, tf.int64)
    drawn = tf.TensorArray(tf.int64, tf.cast(rows, tf.int32), element_shape=[None])
    start = (zero, stream.state, drawn)
    _, stream.state, drawn = tf.while_loop(lambda row, *_: row < rows, draw, start, maximum_iterations=MAX_ROUNDS)
    return drawn.stack()


def _accept_row(found: tf.Tensor, length: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The swaps of one order, the last place first, and how many words they took."""

    def judge(passed: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        """By the number of those taken before, which says how many places there are to choose among."""
        return _mask_bits(found, tf.bitcast(tf.maximum(length - 1 - passed, 0), uint128.WORD))

    values, is_valid = _find_accepted(judge, found)
    passed = tf.cumsum(tf.cast(is_valid, tf.int64))
    before = passed - tf.cast(is_valid, tf.int64)
    is_needed = before < length - 1
    where = tf.where(is_valid & is_needed, before, length)
    row = tf.scatter_nd(where[:, None], tf.where(is_valid & is_needed, tf.bitcast(values, tf.int64), 0), [length + 1])
    return row[:-1], tf.reduce_sum(tf.cast(is_needed, tf.int64))


def _find_accepted(judge: Any, found: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """What is taken, where that depends on how many were taken before: asked again until nothing changes."""

    def again(is_valid: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        taken = tf.cast(is_valid, tf.int64)
        new = judge(tf.cumsum(taken) - taken)[1]
        return new, tf.reduce_any(new ^ is_valid)

    every = tf.ones_like(found, tf.bool)
    is_valid, _ = tf.while_loop(lambda _, changed: changed, again, (every, tf.constant(True)))
    taken = tf.cast(is_valid, tf.int64)
    return judge(tf.cumsum(taken) - taken)[0], is_valid


def _mask_bits(found: tf.Tensor, width: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """As many bits as the greatest has, where they are no greater: for orders, Generator does as RandomState."""
    mask = width
    for count in (1, 2, 4, 8, 16):
        mask |= uint128.shift_right(mask, count)
    value = found & mask
    return value, value <= width


def _apply_swaps(swaps: tf.Tensor, rows: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Where the element that ends up in each place was before."""
    count = rows * length
    numbers = tf.range(count)
    base = numbers // length * length
    target = base + tf.reshape(tf.reverse(swaps, [1]), (-1,))
    # Steps that ask for the same place, the last place first, which is the first step: the one before asks next.
    arranged = sort_keys.stable_order((target,))
    sorted_targets = tf.gather(target, arranged)
    following = tf.concat([arranged[1:], tf.zeros_like(arranged[:1])], 0)
    is_followed = tf.concat(
        [ops.equal(sorted_targets[1:], sorted_targets[:-1]), tf.zeros_like(sorted_targets[:1]) > 0], 0
    )
    asked = tf.scatter_nd(arranged[:, None], tf.where(is_followed, following, -tf.ones_like(following)), [count])
    # What lies in a place before its own step: what the first later place to ask for it held before that one's step.
    is_first = tf.concat([tf.ones_like(sorted_targets[:1]) > 0, ~is_followed[:-1]], 0)
    heads = tf.where(is_first, sorted_targets, count)
    first_asking = tf.tensor_scatter_nd_update(
        -tf.ones(tf.expand_dims(count + 1, 0), tf.int64), heads[:, None], arranged
    )[:-1]
    itself = tf.equal(first_asking, numbers)
    onward = tf.where(itself, asked, first_asking)
    roots = _follow_pointers(tf.where(onward < 0, numbers, onward), count)
    source = tf.where(asked < 0, target, tf.gather(roots, tf.maximum(asked, 0)))
    return tf.where(tf.equal(target, numbers), roots, source) - base


def _follow_pointers(pointers: tf.Tensor, total: tf.Tensor) -> tf.Tensor:
    """Where each pointer leads in the end."""

    def jump(pointers: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        further = tf.gather(pointers, pointers)
        return further, tf.reduce_any(tf.not_equal(further, pointers))

    return tf.while_loop(lambda _, changed: changed, jump, (pointers, total > 0))[0]
