"""Substrings, padding, repetition and replacement: gathers of code points."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.traces import trace_recurring
from tfnp._kernels.text import repeat_each
from tfnp.strings import points
from tfnp.strings.points import CodePoints
from tfnp.strings.searches import drop_overlaps, find_first, find_last, find_occurrences
from tfnp.strings.text import (
    INTEGERS,
    TEXT,
    broadcast_texts,
    check_all,
    check_is_text,
    get_static_lengths,
    reshape_text,
    to_counts,
    to_integers,
    to_text,
    to_text_loosely,
    to_widths,
)

__all__ = [
    "center", "expandtabs", "ljust", "lstrip", "multiply", "partition", "replace", "rjust", "rpartition", "rstrip",
    "slice", "strip", "zfill",
]  # fmt: skip

TAB, LINE_ENDS, SIGNS, ZERO = ord("\t"), (ord("\n"), ord("\r")), (ord("+"), ord("-")), ord("0")
INT64_MIN, INT64_MAX = np.int64(-(2**63)), np.int64(2**63 - 1)


@array_function(unknown_rank="broadcast")
def multiply(a: ArrayLike, i: ArrayLike) -> tf.Tensor:
    """The result for a count below 1 is an empty string. The result is a tf.string tensor, which has no width: nothing
    is truncated. XLA has no text: tracing for it raises TypeError.
    """
    flat, shape = broadcast_texts(to_text(a), to_counts(i, "i"))
    return reshape_text(_repeat(*flat), shape)


@trace_recurring(TEXT, INTEGERS)
def _repeat(flat: tf.Tensor, count: tf.Tensor) -> tf.Tensor:
    return repeat_each(flat, count)


@array_function(unknown_rank="broadcast")
def center(a: ArrayLike, width: ArrayLike, fillchar: ArrayLike = " ") -> tf.Tensor:
    """A fill character of another length than 1 raises TypeError, or InvalidArgumentError when a graph runs. The result
    is a tf.string tensor, which has no width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    return _justify(_justify_center, a, width, fillchar)


@array_function(unknown_rank="broadcast")
def ljust(a: ArrayLike, width: ArrayLike, fillchar: ArrayLike = " ") -> tf.Tensor:
    """The result is a tf.string tensor, which has no width: nothing is truncated. XLA has no text: tracing for it
    raises TypeError.
    """
    return _justify(_justify_left, a, width, fillchar)


@array_function(unknown_rank="broadcast")
def rjust(a: ArrayLike, width: ArrayLike, fillchar: ArrayLike = " ") -> tf.Tensor:
    """The result is a tf.string tensor, which has no width: nothing is truncated. XLA has no text: tracing for it
    raises TypeError.
    """
    return _justify(_justify_right, a, width, fillchar)


def _justify(justify: Any, a: Any, width: Any, fillchar: Any) -> tf.Tensor:
    field_width, fill = to_widths(width), to_text(fillchar)
    static = get_static_lengths(fill)
    if static is not None and np.any(static != 1):
        raise TypeError("The fill character must be exactly one character long")
    check_is_text(a, fillchar)
    if static is None:
        lengths = tf.strings.length(fill, unit="UTF8_CHAR")
        fill = check_all(tf.equal(lengths, 1), "The fill character must be exactly one character long", fill)
    flat, shape = broadcast_texts(to_text(a), field_width, fill)
    return reshape_text(justify(*flat), shape)


@trace_recurring(TEXT, INTEGERS, TEXT)
def _justify_center(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    width = tf.maximum(width, text.lengths)
    padding = width - text.lengths
    return _write_field(text, width, padding // 2 + (padding % 2) * (width % 2), fill)


@trace_recurring(TEXT, INTEGERS, TEXT)
def _justify_left(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    return _write_field(text, tf.maximum(width, text.lengths), tf.zeros_like(width), fill)


@trace_recurring(TEXT, INTEGERS, TEXT)
def _justify_right(flat: tf.Tensor, width: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    width = tf.maximum(width, text.lengths)
    return _write_field(text, width, width - text.lengths, fill)


def _write_field(text: CodePoints, width: tf.Tensor, left: tf.Tensor, fill: tf.Tensor) -> tf.Tensor:
    return points.write(points.pad_to_width(text, width, left, points.read(fill).codes[:, 0]), width)


@array_function(unknown_rank="broadcast")
def zfill(a: ArrayLike, width: ArrayLike) -> tf.Tensor:
    """The result is a tf.string tensor, which has no width: nothing is truncated. XLA has no text: tracing for it
    raises TypeError.
    """
    flat, shape = broadcast_texts(to_text(a), to_widths(width))
    return reshape_text(_fill_zeros(*flat), shape)


@trace_recurring(TEXT, INTEGERS)
def _fill_zeros(flat: tf.Tensor, width: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    width = tf.maximum(width, text.lengths)
    left = width - text.lengths
    begin = text.codes[:, 0]
    signed = tf.equal(begin, SIGNS[0]) | tf.equal(begin, SIGNS[1])
    codes = points.pad_to_width(text, width, left, tf.fill(tf.shape(begin), ZERO))
    index = points.column_indices(tf.shape(codes, tf.int64)[1])
    signed_codes = tf.where(tf.equal(index, left[:, None]), ZERO, codes)
    signed_codes = tf.where(tf.equal(index, 0), begin[:, None], signed_codes)
    return points.write(tf.where(signed[:, None], signed_codes, codes), width)


@array_function(unknown_rank="broadcast")
def strip(a: ArrayLike, chars: ArrayLike | None = None) -> tf.Tensor:
    """Without `chars`, white space is what Python's `str` counts as such, also for bytes. The result is a tf.string
    tensor, which has no width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    return _strip(a, chars, left=True, right=True)


@array_function(unknown_rank="broadcast")
def lstrip(a: ArrayLike, chars: ArrayLike | None = None) -> tf.Tensor:
    """Without `chars`, white space is what Python's `str` counts as such, also for bytes. The result is a tf.string
    tensor, which has no width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    return _strip(a, chars, left=True, right=False)


@array_function(unknown_rank="broadcast")
def rstrip(a: ArrayLike, chars: ArrayLike | None = None) -> tf.Tensor:
    """Without `chars`, white space is what Python's `str` counts as such, also for bytes. The result is a tf.string
    tensor, which has no width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    return _strip(a, chars, left=False, right=True)


def _strip(a: Any, chars: Any, *, left: bool, right: bool) -> tf.Tensor:
    if chars is None:
        flat, shape = broadcast_texts(to_text(a))
        bounds = _find_bounds_without_space(*flat)
    else:
        flat, shape = broadcast_texts(to_text(a), to_text(chars))
        bounds = _find_bounds_without_chars(*flat)
    start, end, length = bounds
    start, end = start if left else tf.zeros_like(length), end if right else length
    return reshape_text(_take_substrings(flat[0], start, tf.maximum(end - start, 0)), shape)


@trace_recurring(TEXT, INTEGERS, INTEGERS)
def _take_substrings(flat: tf.Tensor, start: tf.Tensor, length: tf.Tensor) -> tf.Tensor:
    return points.take_substrings(points.read(flat), start, length)


@trace_recurring(TEXT)
def _find_bounds_without_space(flat: tf.Tensor) -> Any:
    text = points.read(flat)
    return _compute_bounds(text, points.matches(text.codes, "isspace"))


@trace_recurring(TEXT, TEXT)
def _find_bounds_without_chars(flat: tf.Tensor, chars: tf.Tensor) -> Any:
    text, pattern = points.read(flat), points.read(chars)
    is_pattern = points.positions(pattern) < pattern.lengths[:, None]
    return _compute_bounds(
        text, tf.reduce_any(tf.equal(text.codes[:, :, None], pattern.codes[:, None]) & is_pattern[:, None], 2)
    )


def _compute_bounds(text: CodePoints, is_stripped: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return the start and end of the text without stripped characters at both ends, and its length."""
    remains = ~is_stripped & (points.positions(text) < text.lengths[:, None])
    has_remaining = tf.reduce_any(remains, 1)
    return tf.where(has_remaining, find_first(remains), text.lengths), find_last(remains) + 1, text.lengths


@array_function(unknown_rank="broadcast")
def slice(
    a: ArrayLike, start: ArrayLike | None = None, stop: ArrayLike = np._NoValue, step: ArrayLike | None = None, /
) -> tf.Tensor:
    """Bounds count characters, also for bytes, which are read as UTF-8. The result is a tf.string tensor, which has no
    width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    if stop is np._NoValue:
        start, stop = None, start
    stride = to_counts(1 if step is None else step, "step")
    static = convert.static_value(stride)
    if static is not None and np.any(static == 0):
        raise ValueError("slice step cannot be zero")
    if static is None:
        stride = check_all(tf.not_equal(stride, 0), "slice step cannot be zero", stride)
    begin = tf.where(stride < 0, INT64_MAX, np.int64(0)) if start is None else to_integers(start)
    end = tf.where(stride < 0, INT64_MIN, INT64_MAX) if stop is None else to_integers(stop)
    flat, shape = broadcast_texts(to_text(a), begin, end, stride)
    return reshape_text(_slice(*flat), shape)


@trace_recurring(TEXT, INTEGERS, INTEGERS, INTEGERS)
def _slice(flat: tf.Tensor, begin: tf.Tensor, end: tf.Tensor, stride: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    begin, end = (_normalize_bound(index, text.lengths, stride < 0) for index in (begin, end))
    reach = tf.where(stride > 0, end - begin, begin - end)
    length = tf.maximum((reach + tf.abs(stride) - 1) // tf.abs(stride), 0)
    return points.take_slices(text, begin, stride, length)


def _normalize_bound(index: tf.Tensor, length: tf.Tensor, is_reversed: tf.Tensor) -> tf.Tensor:
    """Return a bound of a slice clipped as Python does."""
    lowest = -tf.cast(is_reversed, tf.int64)
    index = tf.where(index < 0, index + length, index)
    return tf.clip_by_value(index, lowest, length + lowest)


@array_function(unknown_rank="broadcast")
def partition(a: ArrayLike, sep: ArrayLike) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """An empty separator raises ValueError, or InvalidArgumentError when a graph runs. The result is a tf.string
    tensor, which has no width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    return _partition(_partition_first, a, sep)


@array_function(unknown_rank="broadcast")
def rpartition(a: ArrayLike, sep: ArrayLike) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """An empty separator raises ValueError, or InvalidArgumentError when a graph runs. The result is a tf.string
    tensor, which has no width: nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    return _partition(_partition_last, a, sep)


def _partition(part: Any, a: Any, sep: Any) -> Any:
    check_is_text(a, sep)
    text, pattern = to_text(a), to_text_loosely(sep)
    static = get_static_lengths(pattern)
    if static is not None and np.any(static == 0):
        raise ValueError("empty separator")
    if static is None:
        pattern = check_all(tf.strings.length(pattern) > 0, "empty separator", pattern)
    flat, shape = broadcast_texts(text, pattern)
    return tuple(reshape_text(part, shape) for part in part(*flat))


@trace_recurring(TEXT, TEXT)
def _partition_first(flat: tf.Tensor, sep: tf.Tensor) -> Any:
    text, pattern = points.read(flat), points.read(sep)
    index = find_first(find_occurrences(text, pattern))
    return _split_at(text, pattern, tf.where(index < 0, text.lengths, index), index)


@trace_recurring(TEXT, TEXT)
def _partition_last(flat: tf.Tensor, sep: tf.Tensor) -> Any:
    text, pattern = points.read(flat), points.read(sep)
    index = find_last(find_occurrences(text, pattern))
    return _split_at(text, pattern, tf.maximum(index, 0), index)


def _split_at(text: CodePoints, pattern: CodePoints, head: tf.Tensor, index: tf.Tensor) -> Any:
    zero = tf.zeros_like(head)
    between = tf.where(index < 0, zero, pattern.lengths)
    return (
        points.take_substrings(text, zero, head),
        points.take_substrings(pattern, zero, between),
        points.take_substrings(text, head + between, text.lengths - head - between),
    )


@array_function(unknown_rank="broadcast")
def replace(a: ArrayLike, old: ArrayLike, new: ArrayLike, count: IntLike = -1) -> tf.Tensor:
    """An empty `old` occurs before and after each character. The result is a tf.string tensor, which has no width:
    nothing is truncated. XLA has no text: tracing for it raises TypeError.
    """
    max_count = to_counts(count, "count")
    check_is_text(a, *(text for text in (old, new) if not hasattr(text, "dtype")))  # NumPy casts only these
    texts = [to_text(text) if hasattr(text, "dtype") else to_text_loosely(text) for text in (old, new)]
    flat, shape = broadcast_texts(to_text(a), *texts, max_count)
    return reshape_text(_replace(*flat), shape)


@trace_recurring(TEXT, TEXT, TEXT, INTEGERS)
def _replace(flat: tf.Tensor, old: tf.Tensor, new: tf.Tensor, max_count: tf.Tensor) -> tf.Tensor:
    text, pattern, replacement = points.read(flat), points.read(old), points.read(new)
    is_replaced = drop_overlaps(find_occurrences(text, pattern), pattern.lengths)
    rank = tf.cumsum(tf.cast(is_replaced, tf.int64), axis=1)
    is_replaced &= (max_count[:, None] < 0) | (rank <= max_count[:, None])
    is_copied = ~_mark_covered(is_replaced, pattern.lengths) & (points.positions(text) < text.lengths[:, None])
    new_lengths = tf.where(is_replaced, replacement.lengths[:, None], 0)
    expansion = points.expand(new_lengths + tf.cast(is_copied, tf.int64))
    is_new = expansion.offset < tf.gather(new_lengths, expansion.source, batch_dims=1)
    codes = tf.where(is_new, points.gather(replacement, expansion.offset), points.gather(text, expansion.source))
    return points.write(codes, expansion.lengths)


def _mark_covered(is_replaced: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
    """Return a mask of the positions that belong to an occurrence, given where each begins."""
    index = points.column_indices(tf.shape(is_replaced, tf.int64)[1])
    begin = tf.where(is_replaced, index, INT64_MIN // 2)
    latest = tf.scan(tf.maximum, tf.transpose(begin))
    return index < tf.transpose(latest) + lengths[:, None]


@array_function(unknown_rank="broadcast")
def expandtabs(a: ArrayLike, tabsize: ArrayLike = 8) -> tf.Tensor:
    """Columns count characters, also for bytes. The result is a tf.string tensor, which has no width: nothing is
    truncated. XLA has no text: tracing for it raises TypeError.
    """
    flat, shape = broadcast_texts(to_text(a), to_integers(tabsize))
    return reshape_text(_expand_tabs(*flat), shape)


@trace_recurring(TEXT, INTEGERS)
def _expand_tabs(flat: tf.Tensor, size: tf.Tensor) -> tf.Tensor:
    text = points.read(flat)
    ends = tf.equal(text.codes, LINE_ENDS[0]) | tf.equal(text.codes, LINE_ENDS[1])
    tabs = tf.equal(text.codes, TAB)

    def step(before: Any, column: Any) -> Any:
        """Return the width of each character, and the column after it."""
        is_tab, is_end = column
        gap = tf.where(size > 0, size - before[1] % tf.maximum(size, 1), 0)
        width = tf.where(is_tab, gap, 1)
        return width, tf.where(is_end, begin, before[1] + width)

    begin = tf.zeros_like(size)
    widths = tf.transpose(tf.scan(step, (tf.transpose(tabs), tf.transpose(ends)), (begin, begin))[0])
    expansion = points.expand(tf.where(points.positions(text) < text.lengths[:, None], widths, 0))
    codes = points.gather(text, expansion.source)
    return points.write(tf.where(tf.equal(codes, TAB), points.SPACE, codes), expansion.lengths)
