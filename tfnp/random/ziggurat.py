"""Normal and exponential numbers by the ziggurat of Marsaglia and Tsang (2000), as in NumPy's Generator.

An attempt uses one word, rarely more, so where it starts depends on all before it. Therefore an attempt is evaluated at
every word; the true starts follow by striking out words that another attempt uses, until nothing changes.
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

SPARE: Final = 24
"""Of so many words fewer than one is the second of an exponential number, or rejected."""


class Attempts(NamedTuple):
    """The attempt that starts at each word: its value, the number of words it uses, and whether it is accepted."""

    values: tf.Tensor
    lengths: tf.Tensor
    is_accepted: tf.Tensor


MakeAttempts = Callable[[tf.Tensor, tf.Tensor, Dim], Attempts]


def normals(stream: Stream, count: Dim, *, short: bool = False) -> tf.Tensor:
    """Return normal numbers as float64; `short` ones use 32 bits each."""
    if isinstance(stream, HostStream):
        return stream.normals(count, short)
    table = ziggurat_tables.normal(23 if short else 52)
    return _draw(
        stream, count, short, 1 + 2 * TAIL_ATTEMPTS, lambda *arguments: _make_normal_attempts(table, short, *arguments)
    )


def exponentials(stream: Stream, count: Dim, *, short: bool = False) -> tf.Tensor:
    """Return exponential numbers as float64; `short` ones use 32 bits each."""
    table = ziggurat_tables.exponential(23 if short else 53)
    if isinstance(stream, HostStream):
        return _draw_exponentials_of_arrays(stream, count, table, short)
    return _draw(stream, count, short, 2, lambda *arguments: _make_exponential_attempts(table, short, *arguments))


def _make_normal_attempts(
    table: Table, short: bool, words: tf.Tensor, fractions: tf.Tensor, attempt_count: Dim
) -> Attempts:
    """Return attempts: by the box and the wedge of each layer, and for the lowest layer by the tail."""
    row = words[:attempt_count]
    layer, sign = _as_int64(row & uint128.word(255)), _as_int64(uint128.shift_right(row, 8) & uint128.word(1))
    steps = _as_int64(uint128.shift_right(row, 9) & uint128.word(2 ** (23 if short else 52) - 1))
    x = _compute_x(table, layer, steps, short)
    is_inside, is_lowest_layer = steps < tf.gather(table.bounds, layer), layer == 0
    is_under = _compute_height(table, layer, fractions[1 : attempt_count + 1]) < elementary.exp(
        mul(mul(x, x), constant(-0.5))
    )
    edge = constant(float(ziggurat_tables.NORMAL_EDGE))
    logs = -elementary.log(1.0 - fractions)
    outward = mul(logs, constant(float(1 / ziggurat_tables.NORMAL_EDGE)))
    ends = (logs[1:] + logs[1:])[: attempt_count + 2 * TAIL_ATTEMPTS - 1] > mul(outward, outward)[
        : attempt_count + 2 * TAIL_ATTEMPTS - 1
    ]
    tail, length = tf.zeros_like(x), tf.fill(tf.shape(x), 1 + 2 * TAIL_ATTEMPTS)
    for attempt in reversed(range(TAIL_ATTEMPTS)):
        first = 1 + 2 * attempt
        is_end = ends[first : first + attempt_count]
        tail = tf.where(is_end, outward[first : first + attempt_count], tail)
        length = tf.where(is_end, 3 + 2 * attempt, length)
    tail_sign = _as_int64(uint128.shift_right(_as_word(steps), 8) & uint128.word(1))
    value = tf.where(is_inside | ~is_lowest_layer, x, edge + tail)
    sign = tf.where(is_inside | ~is_lowest_layer, sign, tail_sign)
    length = tf.where(is_inside, 1, tf.where(is_lowest_layer, length, 2))
    return Attempts(tf.where(sign == 1, -value, value), length, is_inside | is_lowest_layer | is_under)


def _make_exponential_attempts(
    table: Table, short: bool, words: tf.Tensor, fractions: tf.Tensor, attempt_count: Dim
) -> Attempts:
    """Return attempts: by the box and the wedge of each layer, and for the lowest layer by the tail, which is
    exponential again.
    """
    row = uint128.shift_right(words[:attempt_count], 1 if short else 3)
    layer, steps = _as_int64(row & np.uint64(255)), _as_int64(uint128.shift_right(row, 8))
    x = _compute_x(table, layer, steps, short)
    is_inside = steps < arrays.gather(table.bounds, layer)
    value, is_accepted = _leave_layer(table, layer, x, fractions[1 : attempt_count + 1])
    return Attempts(
        arrays.where(is_inside, x, value), arrays.where(is_inside, np.int64(1), np.int64(2)), is_inside | is_accepted
    )


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


def _draw(stream: Stream, count: Dim, short: bool, max_length: int, make_attempts: MakeAttempts) -> tf.Tensor:
    """Return the values of the first `count` accepted attempts."""
    total, algorithm = as_int64(count), stream.algorithm
    attempt_count = count + count // 32 + 32

    def draw(filled: tf.Tensor, state: tf.Tensor, row: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        words, after = Stream(algorithm, state).peek(32 if short else 64, attempt_count + max_length)
        fractions = tf.cast(fractions_float32(words), tf.float64) if short else stream.fractions(words)
        values, lengths, is_valid = make_attempts(words, fractions, attempt_count)
        starts = _find_starts(lengths, max_length)
        accepted_count = tf.cumsum(tf.cast(is_valid & starts, tf.int64))
        is_needed = starts & (accepted_count - tf.cast(is_valid, tf.int64) < total - filled)
        index = tf.where(is_valid & is_needed, filled + accepted_count - 1, total)
        ends = tf.range(as_int64(attempt_count)) + tf.cast(lengths, tf.int64)
        taken = tf.reduce_max(tf.where(is_needed, ends, tf.zeros_like(ends)))
        row = tf.tensor_scatter_nd_update(row, index[:, None], values)
        return tf.minimum(filled + accepted_count[-1], total), after(taken), row

    start = (tf.constant(0, tf.int64), stream.state, tf.zeros(shapes.shape_tensor((count + 1,)), tf.float64))
    _, stream.state, row = tf.while_loop(lambda filled, *_: filled < total, draw, start, maximum_iterations=MAX_ROUNDS)
    return row[:-1] if isinstance(count, tf.Tensor) else row[:count]


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


def _find_starts(lengths: tf.Tensor, max_length: int) -> tf.Tensor:
    """Return a mask of the words at which attempts start, which no earlier attempt uses. Each round of the loop settles
    at least one more. The lengths are what the loop hands on, as if they changed: XLA would move comparisons out of the
    loop, and calculate the attempts anew for each.
    """
    zero = tf.cast(elementary.make_hidden_zero(), lengths.dtype)

    def strike(starts: tf.Tensor, _: tf.Tensor, lengths: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
        is_covered = tf.zeros_like(starts)
        for distance in range(1, max_length):
            covers = starts & (lengths > distance)
            is_covered |= tf.concat([tf.zeros([distance], tf.bool), covers[:-distance]], 0)
        return ~is_covered, tf.reduce_any(~is_covered ^ starts), lengths ^ zero

    start = (tf.ones_like(lengths, tf.bool), tf.constant(True), lengths)
    return tf.while_loop(lambda _, changed, __: changed, strike, start)[0]


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
