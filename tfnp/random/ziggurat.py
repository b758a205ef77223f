"""Normal and exponential numbers by the ziggurat of Marsaglia and Tsang (2000), as in NumPy's Generator.

An attempt uses one word, rarely more, so where it starts depends on all before it. Therefore an attempt is evaluated at
every word outside of its layer's box; the true starts follow by striking out words that another attempt uses, until
nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim
from tfnp.random import arrays, elementary, uint128, ziggurat_tables
from tfnp.random.elementary import constant, mul
from tfnp.random.host_streams import HostStream
from tfnp.random.streams import MAX_ROUNDS, Stream, fractions_float32
from tfnp.random.uint128 import as_int64
from tfnp.random.ziggurat_tables import Table

TAIL_ATTEMPTS: Final = (
    6  # attempts at the tail that are looked at: one in a thousand million numbers of it needs another
)

WORDS_PER_OUTSIDE: Final = 32
MIN_OUTSIDE: Final = 64
"""Words outside of their boxes for which there is room, one in so many and some more."""

SPARE: Final = 24
"""Of so many words fewer than one is the second of an exponential number, or rejected."""


class Attempts(NamedTuple):
    """Attempts outside of their layer's box: the value, the number of words used, and whether it is accepted."""

    values: tf.Tensor
    lengths: tf.Tensor
    is_accepted: tf.Tensor


class Ziggurat(NamedTuple):
    """A distribution: the values of words, with a mask of those within their boxes; and attempts outside of them, which
    use up to `max_length` words: of the first and the fractions that the others make.
    """

    try_box: Callable[[tf.Tensor], tuple[tf.Tensor, tf.Tensor]]
    leave_box: Callable[[tf.Tensor, tf.Tensor], Attempts]
    max_length: int


def normals(stream: Stream, count: Dim, *, short: bool = False) -> tf.Tensor:
    """Return normal numbers as float64; `short` ones use 32 bits each."""
    if isinstance(stream, HostStream):
        return stream.normals(count, short)
    table = ziggurat_tables.normal(23 if short else 52)

    def try_box(words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        layer, sign, steps = _split_normal_word(words, short)
        x = _compute_x(table, layer, steps, short)
        return tf.where(sign == 1, -x, x), steps < tf.gather(table.bounds, layer)

    def leave_box(words: tf.Tensor, fractions: tf.Tensor) -> Attempts:
        return _leave_normal_box(table, short, words, fractions)

    return _draw(stream, count, short, Ziggurat(try_box, leave_box, 1 + 2 * TAIL_ATTEMPTS))


def exponentials(stream: Stream, count: Dim, *, short: bool = False) -> tf.Tensor:
    """Return exponential numbers as float64; `short` ones use 32 bits each."""
    table = ziggurat_tables.exponential(23 if short else 53)
    if isinstance(stream, HostStream):
        return _draw_exponentials_of_arrays(stream, count, table, short)

    def split(words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        row = uint128.shift_right(words, 1 if short else 3)
        return _as_int64(row & np.uint64(255)), _as_int64(uint128.shift_right(row, 8))

    def try_box(words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        layer, steps = split(words)
        return _compute_x(table, layer, steps, short), steps < arrays.gather(table.bounds, layer)

    def leave_box(words: tf.Tensor, fractions: tf.Tensor) -> Attempts:
        layer, steps = split(words)
        value, is_accepted = _leave_layer(table, layer, _compute_x(table, layer, steps, short), fractions[0])
        return Attempts(value, tf.fill(tf.shape(words), tf.constant(2, tf.int64)), is_accepted)

    return _draw(stream, count, short, Ziggurat(try_box, leave_box, 2))


def _split_normal_word(words: tf.Tensor, short: bool) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return the layer, the sign and the steps from the axis that a word makes."""
    layer, sign = _as_int64(words & uint128.word(255)), _as_int64(uint128.shift_right(words, 8) & uint128.word(1))
    return layer, sign, _as_int64(uint128.shift_right(words, 9) & uint128.word(2 ** (23 if short else 52) - 1))


def _leave_normal_box(table: Table, short: bool, words: tf.Tensor, fractions: tf.Tensor) -> Attempts:
    """Return attempts by the wedge of each layer, and for the lowest layer by the tail."""
    layer, sign, steps = _split_normal_word(words, short)
    x, is_lowest_layer = _compute_x(table, layer, steps, short), layer == 0
    is_under = _compute_height(table, layer, fractions[0]) < elementary.exp(mul(mul(x, x), constant(-0.5)))
    logs = -elementary.log(1.0 - fractions)
    outward = mul(logs, constant(float(1 / ziggurat_tables.NORMAL_EDGE)))
    tail, length = tf.zeros_like(x), tf.fill(tf.shape(x), tf.constant(1 + 2 * TAIL_ATTEMPTS, tf.int64))
    for first in reversed(range(0, 2 * TAIL_ATTEMPTS, 2)):
        is_end = logs[first + 1] + logs[first + 1] > mul(outward[first], outward[first])
        tail = tf.where(is_end, outward[first], tail)
        length = tf.where(is_end, tf.constant(3 + first, tf.int64), length)
    tail_sign = _as_int64(uint128.shift_right(_as_word(steps), 8) & uint128.word(1))
    value = tf.where(is_lowest_layer, constant(float(ziggurat_tables.NORMAL_EDGE)) + tail, x)
    sign = tf.where(is_lowest_layer, tail_sign, sign)
    length = tf.where(is_lowest_layer, length, tf.constant(2, tf.int64))
    return Attempts(tf.where(sign == 1, -value, value), length, is_lowest_layer | is_under)


def _leave_layer(table: Table, layer: tf.Tensor, x: tf.Tensor, fractions: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the exponential numbers that a second word makes of attempts outside of their layer's box, and flags of
    those that are accepted.
    """
    is_lowest_layer = layer == 0
    is_under = _compute_height(table, layer, fractions) < elementary.exp(-x)
    tail = constant(float(ziggurat_tables.EXPONENTIAL_EDGE)) - elementary.log(1.0 - fractions)
    return arrays.where(is_lowest_layer, tail, x), is_lowest_layer | is_under


def _compute_x(table: Table, layer: tf.Tensor, steps: tf.Tensor, short: bool) -> tf.Tensor:
    x = mul(arrays.cast(steps, tf.float64), arrays.gather(table.widths, layer))
    return arrays.cast(arrays.cast(x, tf.float32), tf.float64) if short else x


def _compute_height(table: Table, layer: tf.Tensor, fractions: tf.Tensor) -> tf.Tensor:
    """Return the interpolated height between the densities at both ends of a layer."""
    lower = arrays.gather(table.densities, layer)
    upper = arrays.gather(table.densities, arrays.maximum(layer - 1, np.int64(0)))
    return mul(upper - lower, fractions) + lower


def _draw(stream: Stream, count: Dim, short: bool, ziggurat: Ziggurat) -> tf.Tensor:
    """Return the first `count` accepted values. A round tries the box of every word; the few words outside of
    their box are gathered, as many as there is room for.
    """
    total, algorithm = as_int64(count), stream.algorithm
    word_count = count + count // SPARE + 32
    positions = tf.range(total)

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        words, after = Stream(algorithm, state).peek(32 if short else 64, word_count + ziggurat.max_length)
        values, outside, starts, attempts = _try_words(stream, words, word_count, short, ziggurat)
        is_value = tf.cast(starts & attempts.is_accepted, tf.int64)
        skipped = tf.where(starts, attempts.lengths - is_value, tf.zeros_like(attempts.lengths))
        first_skipped = outside.positions + is_value
        sources = _find_sources(first_skipped, skipped, total)
        ends = tf.where(starts, outside.positions + attempts.lengths, tf.zeros_like(skipped))
        new = outside.limit - tf.reduce_sum(tf.clip_by_value(outside.limit - first_skipped, 0, skipped))
        missing = total - filled
        last = tf.gather(sources, tf.maximum(missing - 1, 0))
        length = tf.reduce_max(tf.where(starts & (outside.positions == last), attempts.lengths, tf.ones_like(skipped)))
        taken = tf.where(new < missing, tf.maximum(outside.limit, tf.reduce_max(ends)), last + length)
        index = tf.gather(sources, tf.maximum(positions - filled, 0))
        drawn = tf.gather(values, tf.minimum(index, as_int64(word_count)))
        return filled + tf.minimum(new, missing), after(taken), tf.where(positions < filled, row, drawn)

    start = (tf.constant(0, tf.int64), stream.state, tf.zeros(shapes.shape_tensor((count,)), tf.float64))
    _, stream.state, row = tf.while_loop(lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS)
    return row


def _try_words(
    stream: Stream, words: tf.Tensor, count: Dim, short: bool, ziggurat: Ziggurat
) -> tuple[tf.Tensor, Outside, tf.Tensor, Attempts]:
    """Return the value of each word, the words outside of their boxes, a mask of those of them at which attempts start,
    and these attempts, whose values are among the first.
    """
    values, is_inside = ziggurat.try_box(words[: count + 1])  # the last is not used
    outside = _find_outside(is_inside[:count], count // WORDS_PER_OUTSIDE + MIN_OUTSIDE)
    following = outside.positions + tf.range(1, ziggurat.max_length, dtype=tf.int64)[:, None]
    fractions = _to_fractions(stream, tf.gather(words, following), short)
    attempts = ziggurat.leave_box(tf.gather(words, outside.positions), fractions)
    starts = _find_starts(outside, attempts.lengths, ziggurat.max_length)
    unused = tf.fill(tf.shape(starts), as_int64(count))
    index = tf.where(starts & attempts.is_accepted, outside.positions, unused)
    return tf.tensor_scatter_nd_update(values, index[:, None], attempts.values), outside, starts, attempts


class Outside(NamedTuple):
    """The positions of words outside of their boxes, and the number of words among which these are all."""

    positions: tf.Tensor
    is_word: tf.Tensor
    limit: tf.Tensor


def _find_outside(is_inside: tf.Tensor, room: Dim) -> Outside:
    """Return the first positions where a mask is False, by bisection of their counts."""
    counts = tf.cumsum(tf.cast(~is_inside, tf.int64))
    size, room = tf.size(counts, tf.int64), as_int64(room)
    number = tf.range(1, room + 1)

    def bisect(low: tf.Tensor, high: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        middle = (low + high) // 2
        is_below = tf.gather(counts, tf.minimum(middle, size - 1)) < number
        is_open = low < high
        return tf.where(is_open & is_below, middle + 1, low), tf.where(is_open & ~is_below, middle, high)

    start = tf.zeros_like(number), tf.fill(tf.shape(number), size)
    positions, _ = tf.while_loop(lambda low, high: tf.reduce_any(low < high), bisect, start)
    limit = tf.where(counts[-1] <= room, size, positions[-1])
    return Outside(positions, positions < limit, limit)


def _draw_exponentials_of_arrays(stream: HostStream, count: int, table: Table, short: bool) -> np.ndarray:
    """Return the same as `_draw` from arrays: attempts outside of a box, one in a hundred, take the next word.

    More words are drawn than attempts mostly need. Afterwards the stream goes back, and on by those that were used.
    """
    if not count:
        return np.zeros(0)
    shift = np.uint64(1 if short else 3)

    def attempt(words: np.ndarray) -> tuple[np.ndarray, ...]:
        row = words >> shift
        layer = (row & np.uint64(255)).view(np.int64)
        row >>= np.uint64(8)
        steps = row.view(np.int64)
        return _compute_x(table, layer, steps, short), steps >= arrays.gather(table.bounds, layer)

    draw = stream.uint32s if short else stream.uint64s
    before, spare = stream.bit_generator.state, count // SPARE + 4
    words = draw(count + spare)
    while True:
        x, is_outside = arrays.compute_in_blocks(attempt, words)
        starts = _find_long_starts(np.flatnonzero(is_outside[:-1]))
        is_value = np.ones(words.size, bool)
        is_value[-1] = not is_outside[-1]
        is_value[starts + 1] = False
        layer, row = ((words[starts] >> shift) & np.uint64(255)).view(np.int64), words[starts + 1]
        fractions = fractions_float32(row).astype(np.float64) if short else stream.fractions(row)
        if starts.size:
            x[starts], is_value[starts] = _leave_layer(table, layer, x[starts], fractions)
        values = x[is_value]
        if values.size >= count:
            break
        words = np.append(words, draw(spare))
    gaps = np.flatnonzero(~is_value)
    last = count - 1 + np.searchsorted(gaps - np.arange(gaps.size), count - 1, side="right")
    stream.bit_generator.state = before
    stream.skip(int(last + 1 + (starts == last).any()), short)
    return values[:count]


def _find_long_starts(long: np.ndarray) -> np.ndarray:
    """Return those positions of attempts of two words, in order, that no attempt before uses: every second of a run."""
    run_starts = np.flatnonzero(np.diff(long, prepend=-2) != 1)
    index = np.arange(long.size)
    offsets = index - np.repeat(run_starts, np.diff(run_starts, append=long.size))
    return long[offsets % 2 == 0]


def _find_starts(outside: Outside, lengths: tf.Tensor, max_length: int) -> tf.Tensor:
    """Return a mask of the words outside of their boxes at which attempts start, since no earlier attempt uses them.
    Each round of the loop settles at least one more. The ends are what the loop hands on, as if they changed: XLA would
    move comparisons out of the loop, and calculate the attempts anew for each.
    """
    zero = tf.cast(elementary.make_hidden_zero(), lengths.dtype)

    def strike(starts: tf.Tensor, _: tf.Tensor, ends: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        is_used = tf.zeros_like(starts)
        for distance in range(1, max_length):
            uses = starts[:-distance] & (ends[:-distance] > outside.positions[distance:])
            is_used |= tf.concat([tf.zeros([distance], tf.bool), uses], 0)
        remaining = outside.is_word & ~is_used
        return remaining, tf.reduce_any(remaining ^ starts), ends ^ zero

    start = (outside.is_word, tf.constant(True), outside.positions + lengths)
    return tf.while_loop(lambda _, changed, __: changed, strike, start)[0]


def _find_sources(first_skipped: tf.Tensor, skipped: tf.Tensor, total: tf.Tensor) -> tf.Tensor:
    """Return the index of the word of each value, where some words from certain ones on make none."""
    first_after = first_skipped - tf.cumsum(skipped, exclusive=True)
    steps = tf.zeros(total[None] + 1, tf.int64)
    steps = tf.tensor_scatter_nd_add(steps, tf.clip_by_value(first_after, 0, total)[:, None], skipped)
    return tf.range(total) + tf.cumsum(steps)[:-1]


def _to_fractions(stream: Stream, words: tf.Tensor, short: bool) -> tf.Tensor:
    return tf.cast(fractions_float32(words), tf.float64) if short else stream.fractions(words)


def _as_int64(row: tf.Tensor) -> tf.Tensor:
    return arrays.bitcast(row, tf.int64)


def _as_word(row: tf.Tensor) -> tf.Tensor:
    return tf.bitcast(row, uint128.WORD)


def polar_normals(stream: Stream, count: Dim) -> tf.Tensor:
    """Sample as RandomState does: points of a square within the unit circle give two normal numbers each (Marsaglia
    1962).
    """
    if isinstance(stream, HostStream):
        return _draw_polar_normals_of_arrays(stream, count)
    size = stream.algorithm.size
    has_saved = tf.bitcast(stream.state[size + 2], tf.int64)
    saved_normal = tf.bitcast(stream.state[size + 3], tf.float64)
    pair_count = (as_int64(count) - has_saved + 1) // 2

    def accept(words: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        points = 2.0 * stream.fractions(tf.reshape(words, (-1, 2))) - 1.0
        x, y = points[:, 0], points[:, 1]
        square = mul(x, x) + mul(y, y)
        is_valid = (square < 1.0) & (square != 0.0)
        factor = _compute_polar_factor(tf.where(is_valid, square, constant(0.5)))
        return tf.stack([mul(factor, y), mul(factor, x)], 1), is_valid

    max_pairs = (count + 1) // 2
    row = stream.draw_accepted_rows(64, max_pairs, pair_count, accept, tf.zeros([2], tf.float64), 2)
    values = tf.concat([saved_normal[None], tf.reshape(row, (-1,))], 0)
    result = uint128.slice_words(values, 1 - has_saved, count)
    has_unused = (as_int64(count) - has_saved) & 1
    # XLA compiles a slice anew for each index, but not a gather.
    last = tf.gather(values, tf.minimum(2 * pair_count, tf.size(values, tf.int64) - 1))
    saved = tf.where(has_unused == 1, last, constant(0.0))
    saved_words = tf.stack([_as_word(has_unused), tf.bitcast(saved, uint128.WORD)])
    stream.state = tf.concat([stream.state[: size + 2], saved_words], 0)
    return result


def _compute_polar_factor(square: tf.Tensor) -> tf.Tensor:
    """Return what makes normal numbers of the coordinates of a point, from the square of its distance."""
    return elementary.sqrt(elementary.div(mul(constant(-2.0), elementary.log(square)), square))


def _draw_polar_normals_of_arrays(stream: HostStream, count: int) -> np.ndarray:
    """Return the same from arrays. A round draws as many points as are missing, so that none is left over."""
    if not count:
        return np.zeros(0)
    parts = [] if stream.saved_normal is None else [np.array([stream.saved_normal])]
    missing = (count - len(parts) + 1) // 2
    while missing:
        points = 2.0 * stream.doubles(2 * missing).reshape(-1, 2) - 1.0
        square = points[:, 0] * points[:, 0] + points[:, 1] * points[:, 1]
        is_valid = (square < 1.0) & (square != 0.0)
        factor = _compute_polar_factor(square[is_valid])
        parts.append((points[is_valid, ::-1] * factor[:, None]).reshape(-1))
        missing -= factor.size
    values = np.concatenate(parts)
    stream.saved_normal = float(values[count]) if values.size > count else None
    return values[:count]
