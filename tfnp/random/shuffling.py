"""Orders: NumPy's own shuffles, swap by swap, worked out all at once.

From the last place down each is swapped with one at or before it. Where an element ends up follows from who next asks
for the place it was put in, and so on: pointers, which are followed in as many rounds as the length has bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core import ops, shapes
from tfnp._core.shapes import Side
from tfnp.random import words
from tfnp.random.streams import MOST_ROUNDS, Stream
from tfnp.random.words import whole
from tfnp.routines.kernels import orders

Judge = Callable[[tf.Tensor, tf.Tensor], tuple[tf.Tensor, tf.Tensor]]


def order(stream: Stream, count: Side, length: tf.Tensor) -> tf.Tensor:
    """Orders of so many elements each, one after another in one row of `count` numbers (int64)."""
    length = tf.maximum(length, 1)
    rows = whole(count) // length
    swaps = _swaps(stream, count, rows * (length - 1), length)
    return tf.reshape(_followed(swaps, count, rows, length), (-1,))


def _swaps(stream: Stream, count: Side, total: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """For each place of each order but the first, from the last down, which place it is swapped with."""
    algorithm = stream.algorithm
    many = 2 * count + 16

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        found, after = Stream(algorithm, state).ahead(32, many)

        def judge(passed: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
            """By the number of those taken before, which says how many places there are to choose among."""
            place = length - 1 - tf.math.floormod(filled + passed, tf.maximum(length - 1, 1))
            width = tf.bitcast(tf.maximum(place, 1), words.WORD)
            return _masked(found, width)

        values, fine = _settled(judge, found)
        passed = tf.cumsum(tf.cast(fine, tf.int64))
        before = passed - tf.cast(fine, tf.int64)
        is_needed = before < total - filled
        where = tf.where(fine & is_needed, filled + before, whole(count))
        row = tf.tensor_scatter_nd_update(row, where[:, None], tf.bitcast(values, tf.int64))
        taken = tf.reduce_sum(tf.cast(is_needed, tf.int64))
        return tf.minimum(filled + passed[-1], total), after(taken), row

    start = (tf.constant(0, tf.int64), stream.state, tf.zeros(shapes.pack((count + 1,)), tf.int64))
    _, stream.state, row = tf.while_loop(lambda filled, *_: filled < total, draw, start, maximum_iterations=MOST_ROUNDS)
    return row


def _settled(judge: Any, found: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """What is taken, where that depends on how many were taken before: asked again until nothing changes."""

    def again(fine: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        taken = tf.cast(fine, tf.int64)
        new = judge(tf.cumsum(taken) - taken)[1]
        return new, tf.reduce_any(new ^ fine)

    every = tf.ones_like(found, tf.bool)
    fine, _ = tf.while_loop(lambda _, changed: changed, again, (every, tf.constant(True)))
    taken = tf.cast(fine, tf.int64)
    return judge(tf.cumsum(taken) - taken)[0], fine


def _masked(found: tf.Tensor, width: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """As many bits as the greatest has, where they are no greater: for orders, Generator does as RandomState."""
    mask = width
    for count in (1, 2, 4, 8, 16):
        mask |= words.right(mask, count)
    value = found & mask
    return value, value <= width


def _followed(swaps: tf.Tensor, count: Side, rows: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    """Where the element that ends up in each place was before."""
    numbers = tf.range(whole(count))
    place, row = tf.math.floormod(numbers, length), numbers // length
    base = row * length
    step = row * (length - 1) + (length - 1 - place)
    target = base + tf.where(place == 0, tf.zeros_like(place), tf.gather(swaps, tf.minimum(step, whole(count))))
    # Steps that ask for the same place, the last place first, which is the first step: the one before asks next.
    arranged = orders.stable_order((target,))
    sorted_targets = tf.gather(target, arranged)
    following = tf.concat([arranged[1:], tf.zeros_like(arranged[:1])], 0)
    is_followed = tf.concat(
        [ops.equal(sorted_targets[1:], sorted_targets[:-1]), tf.zeros_like(sorted_targets[:1]) > 0], 0
    )
    asked = tf.scatter_nd(arranged[:, None], tf.where(is_followed, following, -tf.ones_like(following)), [whole(count)])
    # What lies in a place before its own step: what the first later place to ask for it held before that one's step.
    is_first = tf.concat([tf.ones_like(sorted_targets[:1]) > 0, ~is_followed[:-1]], 0)
    heads = tf.where(is_first, sorted_targets, whole(count))
    first_asking = tf.tensor_scatter_nd_update(
        -tf.ones(tf.expand_dims(whole(count) + 1, 0), tf.int64), heads[:, None], arranged
    )[:-1]
    itself = tf.equal(first_asking, numbers)
    onward = tf.where(itself, asked, first_asking)
    roots = _roots(tf.where(onward < 0, numbers, onward), rows * length)
    source = tf.where(asked < 0, target, tf.gather(roots, tf.maximum(asked, 0)))
    return tf.where(tf.equal(target, numbers), roots, source) - base


def _roots(pointers: tf.Tensor, total: tf.Tensor) -> tf.Tensor:
    """Where each pointer leads in the end."""

    def jump(pointers: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        further = tf.gather(pointers, pointers)
        return further, tf.reduce_any(tf.not_equal(further, pointers))

    return tf.while_loop(lambda _, changed: changed, jump, (pointers, total > 0))[0]
