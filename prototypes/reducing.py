"""reduceat, bincount, histogram and padding by fewer passes over memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import compilation, convert, moves, ops, shapes, ufunc_folds

# reduceat: tfnp/_core/ufunc_folds.py, at the beginning of `by_stretches`

LARGE = 4096
"""Elements from which on it pays to look at the starts."""


def by_even_stretches(kernel: Any, x: tf.Tensor, starts: tf.Tensor, joint: Any = None) -> tf.Tensor | None:
    """Return the folds of stretches of one length, one after another, by TensorFlow's own reduction; None where they are
    not, or where there is none. The last stretch may be longer or shorter.

    `x` is 3-D, the axis in the middle; `starts` are known in eager. Sums are made of rows, as `sum` makes them.
    """
    own = ufunc_folds.SOLE.get(kernel)
    length = x.shape[1]
    known = convert.static_value(starts)
    if own is None or known is None or not isinstance(length, int) or len(known) < 2 or length < LARGE:
        return None
    steps = np.diff(known)
    step = int(steps[0])
    if step < 1 or (steps != step).any():
        return None
    first, last = int(known[0]), int(known[-1])
    before, after = shapes.shape(x)[0], shapes.shape(x)[2]
    rows = tf.reshape(moves.part(x, 1, first, last - first), shapes.pack((before, len(known) - 1, step, after)))
    rest = moves.part(x, 1, last, length - last)
    return tf.concat([_fold(own, rows, 2), _fold(own, rest, 1)[:, None]], 1)


SEGMENTS = {
    ops.add: tf.raw_ops.SegmentSum,
    ops.maximum: tf.raw_ops.SegmentMax,
    ops.minimum: tf.raw_ops.SegmentMin,
}


def by_rising_stretches(kernel: Any, x: tf.Tensor, starts: tf.Tensor) -> tf.Tensor | None:
    """Return the folds of stretches that follow one another, of any lengths, by TensorFlow's segments; None where they do
    not. Of integers: floats would be added one by one, which loses more than NumPy's sums by halves, and of nan the
    segments make what they like.
    """
    known = convert.static_value(starts)
    if kernel not in SEGMENTS or known is None or not x.dtype.is_integer or x.shape[0] != 1 or x.shape[2] != 1:
        return None
    length = x.shape[1]
    if not isinstance(length, int) or length < LARGE or len(known) < 2 or (np.diff(known) < 1).any():
        return None
    lengths = np.diff(known, append=length)
    numbers = np.repeat(np.arange(len(known), dtype=np.int32), lengths)
    data = tf.reshape(moves.part(x, 1, int(known[0]), length - int(known[0])), [-1])
    return tf.reshape(SEGMENTS[kernel](data=data, segment_ids=numbers), (1, -1, 1))


def _fold(own: Any, x: tf.Tensor, axis: int) -> tf.Tensor:
    return own(x, shapes.spec((axis,)), False)


# bincount: tfnp/routines/counting.py, the last four lines


def count_bins(x: tf.Tensor, weights: tf.Tensor | None, length: tf.Tensor | int) -> tf.Tensor:
    """Return how many of the int64 `x`, none of which is negative, are 0, 1 ... below `length`; or their weights' sums.

    TensorFlow counts in int32 twice as fast as in int64, and refuses negative numbers. Under XLA: by segments.
    """
    if compilation.is_for_xla():
        share = tf.ones_like(x) if weights is None else weights
        return tf.math.unsorted_segment_sum(share, x, tf.cast(length, tf.int64))
    narrow, size = tf.cast(x, tf.int32), tf.cast(length, tf.int32)
    none = tf.zeros((0,), tf.int32) if weights is None else weights
    found = tf.raw_ops.DenseBincount(input=narrow, size=size, weights=none, binary_output=False)
    return tf.cast(found, tf.int64) if weights is None else found


def bincount(x: tf.Tensor, weights: tf.Tensor | None = None, least: int = 0) -> tf.Tensor:
    """The eager body as it would be: bounds are two reductions, not a copy of the array."""
    low, high = tf.reduce_min(x), tf.reduce_max(x)
    if int(low) < 0:
        raise ValueError("'list' argument must have no negative elements")
    length = max(int(high) + 1, least)
    if length >= 2**31:
        return tf.math.unsorted_segment_sum(tf.ones_like(x) if weights is None else weights, x, length)
    return count_bins(x, weights, length)


# histogram: tfnp/routines/histograms.py, `_counted` where `_edges` has spread the edges evenly


def even_bins(values: tf.Tensor, edges: tf.Tensor, count: int) -> tf.Tensor:
    """Return the bin of each value, -1 for none, where edges are even: worked out, and moved by one where the edges say
    so, as NumPy does. Values and edges are of one dtype, float32 or float64.
    """
    low, high = edges[0], edges[-1]
    is_within = (values >= low) & (values <= high)
    scale = tf.cast(count, values.dtype) / (high - low)
    place = tf.cast(tf.where(is_within, (values - low) * scale, tf.zeros((), values.dtype)), tf.int32)
    place = tf.minimum(place, count - 1)
    place -= tf.cast(values < tf.gather(edges, place), tf.int32)
    place = tf.maximum(place, 0)
    further = (values >= tf.gather(edges, place + 1)) & (place < count - 1)
    return tf.where(is_within, place + tf.cast(further, tf.int32), -1)


def count_even(values: tf.Tensor, edges: tf.Tensor, share: tf.Tensor | None) -> tf.Tensor:
    """Replaces `_counted` for even bins."""
    count = edges.shape[0] - 1
    place = even_bins(values, edges, count)
    place = tf.where(place < 0, count, place)  # one bin more, for what is in none
    if compilation.is_for_xla():
        whole = tf.math.unsorted_segment_sum(tf.ones_like(place, tf.int64) if share is None else share, place, count + 1)
        return whole[:-1]
    none = tf.zeros((0,), tf.int32) if share is None else share
    found = tf.raw_ops.DenseBincount(input=place, size=count + 1, weights=none, binary_output=False)[:-1]
    return tf.cast(found, tf.int64) if share is None else found


# pad: tfnp/routines/padding.py, `pad_by_gather` of `_repeating`, one axis

PADS = {"reflect": "REFLECT", "symmetric": "SYMMETRIC"}


def pad_axis(tensor: tf.Tensor, axis: int, width: tuple[int, int], mode: str) -> tf.Tensor | None:
    """Return the tensor padded along an axis without a gather; None where the padding is wider than the array."""
    length = shapes.shape(tensor)[axis]
    before, after = width
    if not isinstance(length, int) or (tensor.shape.num_elements() or 0) < LARGE:
        return None
    most = {"reflect": length - 1, "symmetric": length, "wrap": length, "edge": np.inf}[mode]
    if length == 0 or max(width) > most:
        return None
    parts = [(0, before), (length - after, after)]
    if mode == "wrap":
        parts = [(length - before, before), (0, after)]
    elif mode == "reflect":
        parts = [(1, before), (length - 1 - after, after)]
    elif mode == "edge":
        parts = [(0, 1), (length - 1, 1)]
    first, last = (moves.part(tensor, axis, start, many) for start, many in parts)
    if mode in PADS:
        first, last = moves.reverse(first, [axis]), moves.reverse(last, [axis])
    elif mode == "edge":
        first, last = (_widen(part, axis, many) for part, many in zip((first, last), width, strict=True))
    pieces = [part for part, many in ((first, before), (tensor, 1), (last, after)) if many]
    return tf.concat(pieces, axis) if len(pieces) > 1 else tensor


def _widen(part: tf.Tensor, axis: int, many: int) -> tf.Tensor:
    sides = shapes.shape(part)
    return shapes.broadcast_to(part, (*sides[:axis], many, *sides[axis + 1 :]))


