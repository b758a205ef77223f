"""Order statistics of the rows of a large matrix without a sort of them, in eager mode.

TensorFlow's kernel of order statistics takes a seventh of the time of its sort. It knows no nan, and compares subnormal
numbers as zeros: it is given sort keys, which are equal for both zeros.
"""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core import ops
from tfnp._kernels.bits import as_integer
from tfnp._kernels.select_rare import is_long
from tfnp._kernels.sort import sort_keys

MIN_LENGTH: Final = 128
"""Elements of a row from which on selection is faster than the sort."""

MAX_POSITIONS: Final = 3
"""Positions up to which selection is faster than the sort: each is another run of the kernel."""

_DTYPES: Final = (tf.float32, tf.float64, tf.int32, tf.int64)


def can_select(rows: tf.Tensor) -> bool:
    """Return whether order statistics of the rows of this matrix can be selected: eager ones, long enough."""
    return is_long(rows) and rows.dtype in _DTYPES and rows.shape[1] >= MIN_LENGTH


def select(rows: tf.Tensor, positions: list[int]) -> tf.Tensor | None:
    """Return the elements that a sort of each row puts at these positions, nan last; no gradient flows to them.

    Return None where they are zeros of unknown sign.
    """
    key = sort_keys.key(rows)
    selected = tf.stack([ops.nth_element(key, _as_int(position)) for position in positions], 1)
    if not rows.dtype.is_floating:
        return selected
    lowest = ops.scalar(key.dtype.min, key)
    if _has_zero(selected) and (tf.reduce_min(as_integer(rows)) == lowest):  # the bits of -0.0
        return None
    bits = ops.select(ops.less(selected, ops.scalar(0, key)), ops.subtract(lowest, selected), selected)
    return ops.bitcast(bits, rows.dtype)


def _as_int(position: int) -> tf.Tensor:
    return ops.scalar(position, tf.int32)


def _has_zero(key: tf.Tensor) -> bool:
    return bool(ops.equal(key, ops.scalar(0, key)).numpy().any())
