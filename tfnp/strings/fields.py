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
    broadcast_texts,
    check_is_text,
    check_static,
    on_vectors,
    reshape_text,
    static_lengths,
    to_counts,
    to_integers,
    to_text,
    to_text_loosely,
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
    flat, shape = broadcast_texts(to_text(a), to_counts(i, "i"))
    return reshape_text(_repeated(*flat), shape)


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
    upcast, fill = to_counts(width, "width"), to_text(fillchar)
    static = static_lengths(fill)
    if static is not None and np.any(static != 1):
        raise TypeError("The fill character must be exactly one character long")
    check_is_text(a, fillchar)
    if static is None:
        lengths = tf.strings.length(fill, unit="UTF8_CHAR")
        fill = check_static(tf.equal(lengths, 1), "The fill character must be exactly one character long", fill)
    flat, shape = broadcast_texts(to_text(a), upcast, fill)
    return reshape_text(put(*flat), shape)


@on_vectors(TEXT, INTEGERS, TEXT)
def _centered(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    upcast = tf.maximum(width, text.lengths)
    padding = upcast - text.lengths
    return _in_field(text, upcast, padding // 2 + (padding % 2) * (upcast % 2), fill)


@on_vectors(TEXT, INTEGERS, TEXT)
def _to_left(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    return _in_field(text, tf.maximum(width, text.lengths), tf.zeros_like(width), fill)


@on_vectors(TEXT, INTEGERS, TEXT)
def _to_right(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    upcast = tf.maximum(width, text.lengths)
    return _in_field(text, upcast, upcast - text.lengths, fill)


def _in_field(text: Points, upcast: tf.Tensor, left: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    return points.write(points.filled(text, upcast, left, points.read(fill).codes[:, 0]), upcast)


@array_function(unknown_rank="broadcast")
def zfill(a: Any, width: Any) -> tf.Tensor:
    flat, shape = broadcast_texts(to_text(a), to_counts(width, "width"))
    return reshape_text(_with_noughts(*flat), shape)


@on_vectors(TEXT, INTEGERS)
def _with_noughts(flat: tf.Tensor, width: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    upcast = tf.maximum(width, text.lengths)
    left = upcast - text.lengths
    begin = text.codes[:, 0]
    signed = tf.equal(begin, SIGNS[0]) | tf.equal(begin, SIGNS[1])
    codes = points.filled(text, upcast, left, tf.fill(tf.shape(begin), NOUGHT))
    index = points.columns(tf.shape(codes, tf.int64)[1])
    moved = tf.where(tf.equal(index, left[:, None]), NOUGHT, codes)
    moved = tf.where(tf.equal(index, 0), begin[:, None], moved)
    return points.write(tf.where(signed[:, None], moved, codes), upcast)


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
        flat, shape = broadcast_texts(to_text(a))
        bounds = _outside_space(*flat)
    else:
        flat, shape = broadcast_texts(to_text(a), to_text(chars))
        bounds = _outside_of(*flat)
    start, end, length = bounds
    start, end = start if left else tf.zeros_like(length), end if right else length
    return reshape_text(_part(flat[0], start, tf.maximum(end - start, 0)), shape)


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
    static = convert.static_value(stride)
    if static is not None and np.any(static == 0):
        raise ValueError("slice step cannot be zero")
    if static is None:
        stride = check_static(tf.not_equal(stride, 0), "slice step cannot be zero", stride)
    begin = tf.where(stride < 0, MOST, np.int64(0)) if start is None else to_integers(start)
    end = tf.where(stride < 0, LEAST, MOST) if stop is None else to_integers(stop)
    flat, shape = broadcast_texts(to_text(a), begin, end, stride)
    return reshape_text(_sliced(*flat), shape)


@on_vectors(TEXT, INTEGERS, INTEGERS, INTEGERS)
def _sliced(flat: tf.Tensor, begin: tf.Tensor, end: tf.Tensor, stride: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    begin, end = (_limit(index, text.lengths, stride < 0) for index in (begin, end))
    reach = tf.where(stride > 0, end - begin, begin - end)
    length = tf.maximum((reach + tf.abs(stride) - 1) // tf.abs(stride), 0)
    return points.arranged(text, begin, stride, length)


def _limit(index: tf.Tensor, length: tf.Tensor, backwards: tf.Tensor) -> tf.Tensor:
    """The place that Python's slices go from or to."""
    least = tf.cast(backwards, tf.int64)
    index = tf.where(index < 0, index + length, index)
    return tf.clip_by_value(index, -least, length - least)


@array_function(unknown_rank="broadcast")
def partition(a: Any, sep: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    return _parted(_part_at_first, a, sep)


@array_function(unknown_rank="broadcast")
def rpartition(a: Any, sep: Any) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    return _parted(_part_at_last, a, sep)


def _parted(part: Any, a: Any, sep: Any) -> Any:
    check_is_text(a, sep)
    text, sought = to_text(a), to_text_loosely(sep)
    static = static_lengths(sought)
    if static is not None and np.any(static == 0):
        raise ValueError("empty separator")
    if static is None:
        sought = check_static(tf.strings.length(sought) > 0, "empty separator", sought)
    flat, shape = broadcast_texts(text, sought)
    return tuple(reshape_text(part, shape) for part in part(*flat))


@on_vectors(TEXT, TEXT)
def _part_at_first(flat: tf.Tensor, sep: tf.Tensor) -> Any:
    text, sought = points.read(flat), points.read(sep)
    index = first(occurrences(text, sought))
    return _parts(text, sought, tf.where(index < 0, text.lengths, index), index)


@on_vectors(TEXT, TEXT)
def _part_at_last(flat: tf.Tensor, sep: tf.Tensor) -> Any:
    text, sought = points.read(flat), points.read(sep)
    index = last(occurrences(text, sought))
    return _parts(text, sought, tf.maximum(index, 0), index)


def _parts(text: Points, sought: Points, head: tf.Tensor, index: tf.Tensor) -> Any:
    zero = tf.zeros_like(head)
    between = tf.where(index < 0, zero, sought.lengths)
    return (
        points.part(text, zero, head),
        points.part(sought, zero, between),
        points.part(text, head + between, text.lengths - head - between),
    )


@array_function(unknown_rank="broadcast")
def replace(a: Any, old: Any, new: Any, count: Any = -1) -> tf.Tensor:
    """What is empty occurs before and after each character."""
    most = to_counts(count, "count")
    check_is_text(a, *(text for text in (old, new) if not hasattr(text, "dtype")))  # NumPy casts no others
    texts = [to_text(text) if hasattr(text, "dtype") else to_text_loosely(text) for text in (old, new)]
    flat, shape = broadcast_texts(to_text(a), *texts, most)
    return reshape_text(_replaced(*flat), shape)


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
    index = points.columns(tf.shape(taken, tf.int64)[1])
    begin = tf.where(taken, index, LEAST // 2)
    latest = tf.scan(tf.maximum, tf.transpose(begin))
    return index < tf.transpose(latest) + lengths[:, None]


@array_function(unknown_rank="broadcast")
def expandtabs(a: Any, tabsize: Any = 8) -> tf.Tensor:
    flat, shape = broadcast_texts(to_text(a), to_integers(tabsize))
    return reshape_text(_without_tabs(*flat), shape)


@on_vectors(TEXT, INTEGERS)
def _without_tabs(flat: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    ends = tf.equal(text.codes, ENDS_OF_LINES[0]) | tf.equal(text.codes, ENDS_OF_LINES[1])
    tabs = tf.equal(text.codes, TAB)

    def step(before: Any, column: Any) -> Any:
        """How wide each character is, and the column after it."""
        is_tab, is_end = column
        gap = tf.where(size > 0, size - before[1] % tf.maximum(size, 1), 0)
        upcast = tf.where(is_tab, gap, 1)
        return upcast, tf.where(is_end, begin, before[1] + upcast)

    begin = tf.zeros_like(size)
    upcast = tf.transpose(tf.scan(step, (tf.transpose(tabs), tf.transpose(ends)), (begin, begin))[0])
    made = points.spread(tf.where(points.places(text) < text.lengths[:, None], upcast, 0))
    codes = points.at(text, made.source)
    return points.write(tf.where(tf.equal(codes, TAB), points.SPACE, codes), made.lengths)
