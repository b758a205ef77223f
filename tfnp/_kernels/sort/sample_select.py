"""Order statistics of a long vector without a sort of it, in eager mode.

A sample tells between which two values the elements at the wanted positions must lie: a few percent of the vector, of
which only these are sorted (Floyd and Rivest, https://doi.org/10.1145/360680.360691). The comparisons of TensorFlow
take subnormal numbers for zeros, which keeps the order; sort keys tell the remaining elements apart.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import tensorflow as tf

from tfnp._core import layout, ops
from tfnp._kernels.sort import radix_select, sort_keys

MIN_LENGTH: Final = 1 << 15
"""Elements from which on selection is faster than the sort."""

MAX_POSITIONS: Final = 16
"""Positions up to which selection is faster than the sort."""

_MAX_SORTED: Final = 1 << 13
"""Elements that are sorted, rather than sampled once more."""

_SAMPLE_LENGTH: Final = 1 << 12
_DEVIATIONS: Final = 4.0
"""Standard deviations of an element's rank in the sample that are left on either side."""


class Window(NamedTuple):
    """An interval of values, both ends included, that probably holds the elements at these positions."""

    low: tf.Tensor
    high: tf.Tensor
    positions: tuple[int, ...]


def can_select(x: tf.Tensor) -> bool:
    """Return whether order statistics of this array can be selected: an eager one of many real numbers."""
    is_real = not (x.dtype.is_complex or x.dtype in (tf.bool, tf.string))
    return ops.executing_eagerly() and is_real and x.shape.num_elements() >= MIN_LENGTH


def select_indices(x: tf.Tensor, positions: Sequence[int]) -> list[tf.Tensor]:
    """Return the indices of the elements of a real vector that a stable sort puts at these positions, nan last."""
    length = x.shape[0]
    if length <= _MAX_SORTED:
        order = sort_keys.stable_order((sort_keys.key(x),))
        return [order[position] for position in positions]
    index_by_position: dict[int, tf.Tensor] = {}
    for window in _find_windows(x, sorted(set(positions))):
        candidates = tf.squeeze(ops.where(_is_inside(x, window)), [1])
        start = int(_count(ops.less(x, window.low)))
        are_inside = all(0 <= position - start < candidates.shape[0] for position in window.positions)
        if not are_inside or candidates.shape[0] > length // 2:
            selected = radix_select.select_indices(x, window.positions)
        else:
            local = [position - start for position in window.positions]
            indices = select_indices(layout.take(x, candidates, 0), local)
            selected = [candidates[index] for index in indices]
        index_by_position.update(zip(window.positions, selected, strict=True))
    return [index_by_position[position] for position in positions]


def _is_inside(x: tf.Tensor, window: Window) -> tf.Tensor:
    return ops.logical_and(ops.greater_equal(x, window.low), ops.less_equal(x, window.high))


def _count(mask: tf.Tensor) -> tf.Tensor:
    return tf.reduce_sum(ops.cast(mask, tf.int32 if mask.shape[0] <= tf.int32.max else tf.int64))


def _find_windows(x: tf.Tensor, positions: Sequence[int]) -> list[Window]:
    """Return the windows of ascending positions; adjacent positions share a window."""
    length = x.shape[0]
    sample = layout.take(x, _sample_positions(length), 0)
    sample = layout.take(sample, sort_keys.stable_order((sort_keys.key(sample),)), 0)
    windows: list[tuple[int, int, list[int]]] = []
    for position in positions:
        fraction = (position + 0.5) / length
        reach = _DEVIATIONS * math.sqrt(_SAMPLE_LENGTH * fraction * (1 - fraction)) + 2
        first = math.floor(fraction * _SAMPLE_LENGTH - reach)
        last = math.ceil(fraction * _SAMPLE_LENGTH + reach)
        if windows and first <= windows[-1][1]:
            windows[-1] = (windows[-1][0], last, [*windows[-1][2], position])
        else:
            windows.append((first, last, [position]))
    return [
        Window(_read_sample(sample, first, upper=False), _read_sample(sample, last, upper=True), tuple(members))
        for first, last, members in windows
    ]


def _read_sample(sample: tf.Tensor, rank: int, *, upper: bool) -> tf.Tensor:
    """Return an element of the sorted sample, or beyond its ends the lowest or highest value of the dtype."""
    if 0 <= rank < _SAMPLE_LENGTH:
        return sample[rank]
    if sample.dtype.is_floating:
        return ops.scalar(math.inf if upper else -math.inf, sample)
    return ops.scalar(sample.dtype.max if upper else sample.dtype.min, sample)


@functools.lru_cache(maxsize=16)
def _sample_positions(length: int) -> np.ndarray:
    """Return one position in each of equal strides, shifted by a hash, so that the sample is not biased by a period of
    the data.
    """
    seed = np.arange(_SAMPLE_LENGTH, dtype=np.uint64)
    starts = seed.astype(np.int64) * length // _SAMPLE_LENGTH
    shift = (seed * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(32)).astype(np.int64)
    return starts + shift % (length // _SAMPLE_LENGTH)
