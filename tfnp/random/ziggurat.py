"""Normal and exponential numbers by the ziggurat of Marsaglia and Tsang (2000), those of NumPy's Generator.

An attempt takes a word, and rarely more: where it begins depends on all before. So every word is looked at as if one
began there; which really do comes out when those within the reach of others are struck out until nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim
from tfnp.random import elementary, uint128, ziggurat_tables
from tfnp.random.elementary import constant, mul
from tfnp.random.streams import MAX_ROUNDS, Stream, fractions_float32
from tfnp.random.uint128 import as_int64
from tfnp.random.ziggurat_tables import Table

TAIL_ATTEMPTS: Final = (
    6  # attempts at the tail that are looked at: one in a thousand million numbers of it needs another
)


class Attempts(NamedTuple):
    """What comes of an attempt that begins at each word: a number, how many words it takes, whether it succeeds."""

    values: tf.Tensor
    lengths: tf.Tensor
    fine: tf.Tensor


MakeAttempts = Callable[[tf.Tensor, tf.Tensor, Dim], Attempts]


def normals(stream: Stream, count: Dim, *, short: bool = False) -> tf.Tensor:
    """As float64; `short` ones are made of 32 bits each."""
    table = ziggurat_tables.normal(23 if short else 52)
    return _draw(stream, count, short, 1 + 2 * TAIL_ATTEMPTS, lambda *given: _normal_attempts(table, short, *given))


def exponentials(stream: Stream, count: Dim, *, short: bool = False) -> tf.Tensor:
    """As float64; `short` ones are made of 32 bits each."""
    table = ziggurat_tables.exponential(23 if short else 53)
    return _draw(stream, count, short, 2, lambda *given: _exponential_attempts(table, short, *given))


def _normal_attempts(table: Table, short: bool, found: tf.Tensor, fractions: tf.Tensor, many: Dim) -> Attempts:
    """Within its layer; or within the wedge beside it; or, of the first, in the tail."""
    row = found[:many]
    layer, sign = _as_int64(row & uint128.word(255)), _as_int64(uint128.shift_right(row, 8) & uint128.word(1))
    steps = _as_int64(uint128.shift_right(row, 9) & uint128.word(2 ** (23 if short else 52) - 1))
    x = _compute_x(table, layer, steps, short)
    is_inside, is_last = steps < tf.gather(table.bounds, layer), layer == 0
    is_under = _compute_height(table, layer, fractions[1:]) < elementary.exp(mul(mul(x, x), constant(-0.5)))
    edge = constant(float(ziggurat_tables.NORMAL_EDGE))
    logs = -elementary.log(1.0 - fractions)
    outward = mul(logs, constant(float(1 / ziggurat_tables.NORMAL_EDGE)))
    ends = (logs[1:] + logs[1:])[: many + 2 * TAIL_ATTEMPTS - 1] > mul(outward, outward)[: many + 2 * TAIL_ATTEMPTS - 1]
    tail, length = tf.zeros_like(x), tf.fill(tf.shape(x), 1 + 2 * TAIL_ATTEMPTS)
    for attempt in reversed(range(TAIL_ATTEMPTS)):
        first = 1 + 2 * attempt
        is_end = ends[first : first + many]
        tail = tf.where(is_end, outward[first : first + many], tail)
        length = tf.where(is_end, 3 + 2 * attempt, length)
    beyond_sign = _as_int64(uint128.shift_right(_as_word(steps), 8) & uint128.word(1))
    value = tf.where(is_inside | ~is_last, x, edge + tail)
    sign = tf.where(is_inside | ~is_last, sign, beyond_sign)
    length = tf.where(is_inside, 1, tf.where(is_last, length, 2))
    return Attempts(tf.where(sign == 1, -value, value), length, is_inside | is_last | is_under)


def _exponential_attempts(table: Table, short: bool, found: tf.Tensor, fractions: tf.Tensor, many: Dim) -> Attempts:
    """As of normal numbers; what is beyond the edge of the first layer is again exponential."""
    row = uint128.shift_right(found[:many], 1 if short else 3)
    layer, steps = _as_int64(row & uint128.word(255)), _as_int64(uint128.shift_right(row, 8))
    x = _compute_x(table, layer, steps, short)
    is_inside, is_last = steps < tf.gather(table.bounds, layer), layer == 0
    is_under = _compute_height(table, layer, fractions[1:]) < elementary.exp(-x)
    tail = constant(float(ziggurat_tables.EXPONENTIAL_EDGE)) - elementary.log(1.0 - fractions[1 : many + 1])
    value = tf.where(is_inside | ~is_last, x, tail)
    return Attempts(value, tf.where(is_inside, 1, 2), is_inside | is_last | is_under)


def _compute_x(table: Table, layer: tf.Tensor, steps: tf.Tensor, short: bool) -> tf.Tensor:
    x = mul(tf.cast(steps, tf.float64), tf.gather(tf.constant(table.widths), layer))
    return tf.cast(tf.cast(x, tf.float32), tf.float64) if short else x


def _compute_height(table: Table, layer: tf.Tensor, fractions: tf.Tensor) -> tf.Tensor:
    """So far up between the densities at the two ends of a layer."""
    lower = tf.gather(tf.constant(table.densities), layer)
    upper = tf.gather(tf.constant(table.densities), tf.maximum(layer - 1, 0))
    return mul(upper - lower, fractions[: shapes.shape(layer)[0]]) + lower


def _draw(stream: Stream, count: Dim, short: bool, longest: int, judge: MakeAttempts) -> tf.Tensor:
    """What the first attempts that succeed give; attempts come one after another."""
    total, algorithm = as_int64(count), stream.algorithm
    many = count + count // 32 + 32

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        found, after = Stream(algorithm, state).peek(32 if short else 64, many + longest)
        fractions = tf.cast(fractions_float32(found), tf.float64) if short else stream.fractions(found)
        values, lengths, is_valid = judge(found, fractions, many)
        begins = _find_starts(lengths, longest)
        passed = tf.cumsum(tf.cast(is_valid & begins, tf.int64))
        is_needed = begins & (passed - tf.cast(is_valid, tf.int64) < total - filled)
        index = tf.where(is_valid & is_needed, filled + passed - 1, total)
        ends = tf.range(as_int64(many)) + tf.cast(lengths, tf.int64)
        taken = tf.reduce_max(tf.where(is_needed, ends, tf.zeros_like(ends)))
        row = tf.tensor_scatter_nd_update(row, index[:, None], values)
        return tf.minimum(filled + passed[-1], total), after(taken), row

    start = (tf.constant(0, tf.int64), stream.state, tf.zeros(shapes.shape_tensor((count + 1,)), tf.float64))
    _, stream.state, row = tf.while_loop(lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS)
    return row[:-1] if isinstance(count, tf.Tensor) else row[:count]


def _find_starts(lengths: tf.Tensor, longest: int) -> tf.Tensor:
    """Where an attempt begins: not within the reach of one that begins before. Each round settles one more in a row."""
    reaches = [lengths > distance for distance in range(1, longest)]

    def strike(begins: tf.Tensor, _: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        struck = tf.zeros_like(begins)
        for distance, reach in enumerate(reaches, 1):
            struck |= tf.concat([tf.zeros([distance], tf.bool), (begins & reach)[:-distance]], 0)
        return ~struck, tf.reduce_any(~struck ^ begins)

    every = tf.ones_like(lengths, tf.bool)
    return tf.while_loop(lambda _, changed: changed, strike, (every, tf.constant(True)))[0]


def _as_int64(row: tf.Tensor) -> tf.Tensor:
    return tf.bitcast(row, tf.int64)


def _as_word(row: tf.Tensor) -> tf.Tensor:
    return tf.bitcast(row, uint128.WORD)


def polar_normals(stream: Stream, count: Dim) -> tf.Tensor:
    """Those of RandomState: of points in a square those within the circle, each of which gives two (Marsaglia 1962)."""
    size = stream.algorithm.size
    left = tf.bitcast(stream.state[size + 2], tf.int64)
    kept = tf.bitcast(stream.state[size + 3], tf.float64)
    pairs = (as_int64(count) - left + 1) // 2

    def judge(found: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        points = 2.0 * stream.fractions(tf.reshape(found, (-1, 2))) - 1.0
        x, y = points[:, 0], points[:, 1]
        square = mul(x, x) + mul(y, y)
        is_valid = (square < 1.0) & (square != 0.0)
        safe = tf.where(is_valid, square, constant(0.5))
        factor = elementary.sqrt(elementary.div(mul(constant(-2.0), elementary.log(safe)), safe))
        return tf.stack([mul(factor, y), mul(factor, x)], 1), is_valid

    many = (count + 1) // 2
    row = stream.draw_accepted_rows(64, many, pairs, judge, tf.zeros([2], tf.float64), 2)
    every = tf.concat([kept[None], tf.reshape(row, (-1,))], 0)
    found = uint128.slice_words(every, 1 - left, count)
    more = (as_int64(count) - left) & 1
    saved = tf.where(more == 1, every[tf.minimum(2 * pairs, tf.size(every, tf.int64) - 1)], constant(0.0))
    remaining = tf.stack([_as_word(more), tf.bitcast(saved, uint128.WORD)])
    stream.state = tf.concat([stream.state[: size + 2], remaining], 0)
    return found
