"""Radix selection: order statistics of a long vector by counting the digits of sort keys, in eager mode.

It takes more passes than `sample_select`, but as many whatever the elements are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import ops
from tfnp._kernels.sort import sort_keys

_MAX_SORTED: Final = 1 << 13
"""Candidates that are sorted, rather than counted once more."""

_DIGIT_BITS: Final = 12
"""Bits that tell candidates apart in one pass: a table of 4,096 counts stays in the nearest cache."""


def select_indices(x: tf.Tensor, positions: Sequence[int]) -> list[tf.Tensor]:
    """Return the indices of the elements of a real vector that a stable sort puts at these positions, nan last."""
    key = sort_keys.key(x)
    return [_find_index(key, _select_key(key, position), position) for position in positions]


def _find_index(key: tf.Tensor, selected: tf.Tensor, position: int) -> tf.Tensor:
    before = tf.math.count_nonzero(key < selected)
    return tf.where(tf.equal(key, selected))[:, 0][position - before]


def _select_key(key: tf.Tensor, position: int) -> tf.Tensor:
    """Return the key at a position of the sorted keys: each pass counts the next digits of the candidates, and keeps
    those at the position.
    """
    while key.shape[0] > _MAX_SORTED:
        lowest, highest = int(tf.reduce_min(key)), int(tf.reduce_max(key))
        if lowest == highest:
            return key[0]
        digits = _extract_digits(key, lowest, max((highest - lowest).bit_length() - _DIGIT_BITS, 0))
        no_weights = tf.zeros((0,), tf.int32)
        size = tf.constant(1 << _DIGIT_BITS)
        counts = ops.dense_bincount(input=digits, size=size, weights=no_weights, binary_output=False)
        sums = np.cumsum(counts.numpy(), dtype=np.int64)
        digit = int(np.searchsorted(sums, position, "right"))
        position -= int(sums[digit - 1]) if digit else 0
        key = tf.boolean_mask(key, tf.equal(digits, digit))
    return tf.sort(key)[position]


def _extract_digits(key: tf.Tensor, lowest: int, shift: int) -> tf.Tensor:
    """Return the leading bits of the distance from the lowest key, for which the sign bit may be needed, too."""
    unsigned = tf.uint64 if key.dtype == tf.int64 else tf.uint32
    distance = ops.bitcast(key, unsigned) - tf.constant(lowest % 2 ** (key.dtype.size * 8), unsigned)
    return tf.cast(tf.bitwise.right_shift(distance, tf.constant(shift, unsigned)), tf.int32)
