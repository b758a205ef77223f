"""Parts of text, and text put into fields, repeated, replaced: code points taken from elsewhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.edge import array_function
from tfnp.strings import points
from tfnp.strings.points import Points
from tfnp.strings.searches import apart, first, last, occurrences
from tfnp.strings.text import (
    INTEGERS,
    TEXT,
    known_lengths,
    must,
    on_vectors,
    refuse_numbers,
    shaped,
    to_counts,
    to_integers,
    to_text,
    to_text_loosely,
    together,
)

__all__ = [
    "center", "expandtabs", "ljust", "lstrip", "multiply", "partition", "replace", "rjust", "rpartition", "rstrip",
    "slice", "strip", "zfill",
]  # fmt: skip

TAB, ENDS_OF_LINES, SIGNS, NOUGHT = ord("\t"), (ord("\n"), ord("\r")), (ord("+"), ord("-")), ord("0")
LEAST, MOST = np.int64(-(2**63)), np.int64(2**63 - 1)


@array_function(unknown_rank="broadcast")
def multiply(a: Any, i: Any) -> tf.Tensor:
    """What is repeated less than once is empty."""
    flat, sides = together(to_text(a), to_counts(i, "i"))
    return shaped(_repeated(*flat), sides)


@on_vectors(TEXT, INTEGERS)
def _repeated(flat: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    return points.repeated(points.read(flat), count)


@array_function(unknown_rank="broadcast")
def center(a: Any, width: Any, fillchar: Any = " ") -> tf.Tensor:
    return _justified(_centered, a, width, fillchar)


@array_function(unknown_rank="broadcast")
def ljust(a: Any, width: Any, fillchar: Any = " ") -> tf.Tensor:
    return _justified(_to_left, a, width, fillchar)


@array_function(unknown_rank="broadcast")
def rjust(a: Any, width: Any, fillchar: Any = " ") -> tf.Tensor:
    return _justified(_to_right, a, width, fillchar)


def _justified(put: Any, a: Any, width: Any, fillchar: Any) -> tf.Tensor:
    wide, fill = to_counts(width, "width"), to_text(fillchar)
    known = known_lengths(fill)
    if known is not None and np.any(known != 1):
        raise TypeError("The fill character must be exactly one character long")
    refuse_numbers(a, fillchar)
    if known is None:
        lengths = tf.strings.length(fill, unit="UTF8_CHAR")
        fill = must(tf.equal(lengths, 1), "The fill character must be exactly one character long", fill)
    flat, sides = together(to_text(a), wide, fill)
    return shaped(put(*flat), sides)


@on_vectors(TEXT, INTEGERS, TEXT)
def _centered(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    wide = tf.maximum(width, text.lengths)
    padding = wide - text.lengths
    return _in_field(text, wide, padding // 2 + (padding % 2) * (wide % 2), fill)


@on_vectors(TEXT, INTEGERS, TEXT)
def _to_left(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    return _in_field(text, tf.maximum(width, text.lengths), tf.zeros_like(width), fill)


@on_vectors(TEXT, INTEGERS, TEXT)
def _to_right(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    wide = tf.maximum(width, text.lengths)
    return _in_field(text, wide, wide - text.lengths, fill)


def _in_field(text: Points, wide: tf.Tensor, left: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    return points.write(points.filled(text, wide, left, points.read(fill).codes[:, 0]), wide)


@array_function(unknown_rank="broadcast")
def zfill(a: Any, width: Any) -> tf.Tensor:
    flat, sides = together(to_text(a), to_counts(width, "width"))
    return shaped(_with_noughts(*flat), sides)


@on_vectors(TEXT, INTEGERS)
def _with_noughts(flat: tf.Tensor, width: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    wide = tf.maximum(width, text.lengths)
    left = wide - text.lengths
    begin = text.codes[:, 0]
    signed = tf.equal(begin, SIGNS[0]) | tf.equal(begin, SIGNS[1])
    codes = points.filled(text, wide, left, tf.fill(tf.shape(begin), NOUGHT))
    place = points.columns(tf.shape(codes, tf.int64)[1])
    moved = tf.where(tf.equal(place, left[:, None]), NOUGHT, codes)
    moved = tf.where(tf.equal(place, 0), begin[:, None], moved)
    return points.write(tf.where(signed[:, None], moved, codes), wide)


@array_function(unknown_rank="broadcast")
def strip(a: Any, chars: Any = None) -> tf.Tensor:
    """Without `chars`, of what Python takes for white space, of bytes too."""
    return _stripped(a, chars, left=True, right=True)


@array_function(unknown_rank="broadcast")
def lstrip(a: Any, chars: Any = None) -> tf.Tensor:
    return _stripped(a, chars, left=True, right=False)


@array_function(unknown_rank="broadcast")
def rstrip(a: Any, chars: Any = None) -> tf.Tensor:
    return _stripped(a, chars, left=False, right=True)


def _stripped(a: Any, chars: Any, *, left: bool, right: bool) -> tf.Tensor:
    if chars is None:
        flat, sides = together(to_text(a))
        bounds = _outside_space(*flat)
    else:
        flat, sides = together(to_text(a), to_text(chars))
        bounds = _outside_of(*flat)
    start, end, length = bounds
    start, end = start if left else tf.zeros_like(length), end if right else length
    return shaped(_part(flat[0], start, tf.maximum(end - start, 0)), sides)


@on_vectors(TEXT, INTEGERS, INTEGERS)
def _part(flat: tf.Tensor, start: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    return points.part(points.read(flat), start, length)


@on_vectors(TEXT)
def _outside_space(flat: tf.Tensor) -> Any:
    text = points.read(flat)
    return _outside(text, points.has(text.codes, "isspace"))


@on_vectors(TEXT, TEXT)
def _outside_of(flat: tf.Tensor, chars: tf.Tensor) -> Any:
    text, sought = points.read(flat), points.read(chars)
    there = points.places(sought) < sought.lengths[:, None]
    return _outside(text, tf.reduce_any(tf.equal(text.codes[:, :, None], sought.codes[:, None]) & there[:, None], 2))


def _outside(text: Points, gone: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """From where to where text lies between what is gone; and its length."""
    kept = ~gone & (points.places(text) < text.lengths[:, None])
    any_kept = tf.reduce_any(kept, 1)
    return tf.where(any_kept, first(kept), text.lengths), last(kept) + 1, text.lengths


@array_function(unknown_rank="broadcast")
def slice(a: Any, start: Any = None, stop: Any = np._NoValue, step: Any = None, /) -> tf.Tensor:
    if stop is np._NoValue:
        start, stop = None, start
    stride = to_counts(1 if step is None else step, "step")
    known = convert.static_value(stride)
    if known is not None and np.any(known == 0):
        raise ValueError("slice step cannot be zero")
    if known is None:
        stride = must(tf.not_equal(stride, 0), "slice step cannot be zero", stride)
    begin = tf.where(stride < 0, MOST, np.int64(0)) if start is None else to_integers(start)
    end = tf.where(stride < 0, LEAST, MOST) if stop is None else to_integers(stop)
    flat, sides = together(to_text(a), begin, end, stride)
    return shaped(_sliced(*flat), sides)


@on_vectors(TEXT, INTEGERS, INTEGERS, INTEGERS)
def _sliced(flat: tf.Tensor, begin: tf.Tensor, end: tf.Tensor, stride: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    begin, end = (_limit(place, text.lengths, stride < 0) for place in (begin, end))
    reach = tf.where(stride > 0, end - begin, begin - end)
    length = tf.maximum((reach + tf.abs(stride) - 1) // tf.abs(stride), 0)
    return points.arranged(text, begin, stride, length)


def _limit(place: tf.Tensor, length: tf.Tensor, backwards: tf.Tensor) -> tf.Tensor:
    """The place that Python's slices go from or to."""
    least = tf.cast(backwards, tf.int64)
    place = tf.where(place < 0, place + length, place)
    return tf.clip_by_value(place, -least, length - least)


@array_function(unknown_rank="broadcast")
def partition(a: Any, sep: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    return _parted(_part_at_first, a, sep)


@array_function(unknown_rank="broadcast")
def rpartition(a: Any, sep: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    return _parted(_part_at_last, a, sep)


def _parted(part: Any, a: Any, sep: Any) -> Any:
    refuse_numbers(a, sep)
    text, sought = to_text(a), to_text_loosely(sep)
    known = known_lengths(sought)
    if known is not None and np.any(known == 0):
        raise ValueError("empty separator")
    if known is None:
        sought = must(tf.strings.length(sought) > 0, "empty separator", sought)
    flat, sides = together(text, sought)
    return tuple(shaped(part, sides) for part in part(*flat))


@on_vectors(TEXT, TEXT)
def _part_at_first(flat: tf.Tensor, sep: tf.Tensor) -> Any:
    text, sought = points.read(flat), points.read(sep)
    place = first(occurrences(text, sought))
    return _parts(text, sought, tf.where(place < 0, text.lengths, place), place)


@on_vectors(TEXT, TEXT)
def _part_at_last(flat: tf.Tensor, sep: tf.Tensor) -> Any:
    text, sought = points.read(flat), points.read(sep)
    place = last(occurrences(text, sought))
    return _parts(text, sought, tf.maximum(place, 0), place)


def _parts(text: Points, sought: Points, head: tf.Tensor, place: tf.Tensor) -> Any:
    zero = tf.zeros_like(head)
    between = tf.where(place < 0, zero, sought.lengths)
    return (
        points.part(text, zero, head),
        points.part(sought, zero, between),
        points.part(text, head + between, text.lengths - head - between),
    )


@array_function(unknown_rank="broadcast")
def replace(a: Any, old: Any, new: Any, count: Any = -1) -> tf.Tensor:
    """What is empty occurs before and after each character."""
    most = to_counts(count, "count")
    refuse_numbers(a, *(text for text in (old, new) if not hasattr(text, "dtype")))  # NumPy casts no others
    texts = [to_text(text) if hasattr(text, "dtype") else to_text_loosely(text) for text in (old, new)]
    flat, sides = together(to_text(a), *texts, most)
    return shaped(_replaced(*flat), sides)


@on_vectors(TEXT, TEXT, TEXT, INTEGERS)
def _replaced(flat: tf.Tensor, old: tf.Tensor, new: tf.Tensor, most: tf.Tensor) -> tf.Tensor:
    text, sought, other = points.read(flat), points.read(old), points.read(new)
    taken = apart(occurrences(text, sought), sought.lengths)
    number = tf.cumsum(tf.cast(taken, tf.int64), axis=1)
    taken &= (most[:, None] < 0) | (number <= most[:, None])
    own = ~_covered(taken, sought.lengths) & (points.places(text) < text.lengths[:, None])
    put = tf.where(taken, other.lengths[:, None], 0)
    made = points.spread(put + tf.cast(own, tf.int64))
    fresh = made.number < tf.gather(put, made.source, batch_dims=1)
    codes = tf.where(fresh, points.at(other, made.number), points.at(text, made.source))
    return points.write(codes, made.lengths)


def _covered(taken: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """Which places belong to an occurrence, given where each begins."""
    place = points.columns(tf.shape(taken, tf.int64)[1])
    begin = tf.where(taken, place, LEAST // 2)
    latest = tf.scan(tf.maximum, tf.transpose(begin))
    return place < tf.transpose(latest) + lengths[:, None]


@array_function(unknown_rank="broadcast")
def expandtabs(a: Any, tabsize: Any = 8) -> tf.Tensor:
    flat, sides = together(to_text(a), to_integers(tabsize))
    return shaped(_without_tabs(*flat), sides)


@on_vectors(TEXT, INTEGERS)
def _without_tabs(flat: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    ends = tf.equal(text.codes, ENDS_OF_LINES[0]) | tf.equal(text.codes, ENDS_OF_LINES[1])
    tabs = tf.equal(text.codes, TAB)

    def step(before: Any, column: Any) -> Any:
        """How wide each character is, and the column after it."""
        is_tab, is_end = column
        gap = tf.where(size > 0, size - before[1] % tf.maximum(size, 1), 0)
        wide = tf.where(is_tab, gap, 1)
        return wide, tf.where(is_end, begin, before[1] + wide)

    begin = tf.zeros_like(size)
    wide = tf.transpose(tf.scan(step, (tf.transpose(tabs), tf.transpose(ends)), (begin, begin))[0])
    made = points.spread(tf.where(points.places(text) < text.lengths[:, None], wide, 0))
    codes = points.at(text, made.source)
    return points.write(tf.where(tf.equal(codes, TAB), points.SPACE, codes), made.lengths)
