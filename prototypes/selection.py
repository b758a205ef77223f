"""Order statistics of a long vector without sorting it: radix selection on the keys of its numbers.

tfnp/routines/medians.py: `Sample` of one row; tfnp/routines/sorting.py: `partition`, `argpartition` with one `kth`.
In eager, and in graphs that XLA does not compile: what is left after each pass depends on the data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import ops
from tfnp.routines.kernels import orders

LONG = 1 << 15
"""Elements from which on selection takes less time than the sort."""
SMALL = 1 << 13
"""Candidates that are sorted, rather than counted once more."""
DIGITS = 12
"""Bits by which candidates are told apart in one pass: a table of 4,096 stays in the nearest cache."""


def smallest_keys(key: tf.Tensor, places: np.ndarray) -> list[tf.Tensor]:
    """Return the keys, int32 or int64, that are at these places when the vector is in order. Eager.

    Each pass counts how many candidates share their next digits, and keeps those whose digits are those wanted. Places
    that lie beside one another, as a median's two, mostly share the passes.
    """
    found: dict[int, tf.Tensor] = {}
    _select(key, {int(place): int(place) for place in places}, found)
    return [found[int(place)] for place in places]


def _select(key: tf.Tensor, wanted: dict[int, int], found: dict[int, tf.Tensor]) -> None:
    """Find what is `wanted`: places among these candidates, by the names under which they are `found`."""
    count = key.shape[0]
    if count <= SMALL:
        sorted_keys = ops.invert(tf.raw_ops.TopKV2(input=ops.invert(key), k=count, sorted=True)[0])
        found.update({name: sorted_keys[place] for name, place in wanted.items()})
        return
    low, high = int(tf.reduce_min(key)), int(tf.reduce_max(key))
    if low == high:
        found.update(dict.fromkeys(wanted, tf.constant(low, key.dtype)))
        return
    shift = max((high - low).bit_length() - DIGITS, 0)
    digits = _digits(key, low, high, shift)
    sums = np.cumsum(_counts(digits).numpy(), dtype=np.int64)
    for digit, names in _by_digit(sums, wanted).items():
        before = int(sums[digit - 1]) if digit else 0
        kept = tf.boolean_mask(key, tf.equal(digits, digit))
        _select(kept, {name: wanted[name] - before for name in names}, found)


def _digits(key: tf.Tensor, low: int, high: int, shift: int) -> tf.Tensor:
    """How far each key is from the least, but for the last bits (int32). The distance may need all 64 bits."""
    if high - low >= 2 ** (key.dtype.size * 8 - 1):
        unsigned = tf.uint64 if key.dtype == tf.int64 else tf.uint32
        distance = tf.bitcast(key, unsigned) - tf.constant(low % 2 ** (key.dtype.size * 8), unsigned)
        return tf.cast(tf.bitwise.right_shift(distance, tf.constant(shift, unsigned)), tf.int32)
    return tf.cast(tf.bitwise.right_shift(key - tf.constant(low, key.dtype), tf.constant(shift, key.dtype)), tf.int32)


def _counts(digits: tf.Tensor) -> tf.Tensor:
    none = tf.zeros((0,), tf.int32)
    return tf.raw_ops.DenseBincount(input=digits, size=1 << (DIGITS + 1), weights=none, binary_output=False)


def _by_digit(sums: np.ndarray, wanted: dict[int, int]) -> dict[int, list[int]]:
    """Which of the places fall on which digit."""
    groups: dict[int, list[int]] = {}
    for name, place in wanted.items():
        groups.setdefault(int(np.searchsorted(sums, place, "right")), []).append(name)
    return groups


def select(row: tf.Tensor, places: Any) -> tf.Tensor:
    """Return the elements at these places of a real vector in order, nan last: what `Sample.rows` has there.

    The elements come from the vector itself, so that the sign of a zero, and a gradient, is that of one of them.
    """
    key = orders.key(row)
    found = smallest_keys(key, np.asarray(places))
    indices = tf.stack([tf.argmax(tf.cast(tf.equal(key, one), tf.int8)) for one in found])
    return tf.gather(row, indices)


def median(row: tf.Tensor) -> tf.Tensor:
    """The median of a vector of floats, as it would be: nan where there is one."""
    length = row.shape[0]
    middle = select(row, sorted({(length - 1) // 2, length // 2}))
    result = tf.reduce_mean(middle)
    return tf.where(tf.reduce_any(tf.math.is_nan(row)), tf.constant(np.nan, row.dtype), result)


def partition(row: tf.Tensor, kth: int) -> tf.Tensor:
    """Return the vector with what is less than its kth element in order before it, what is equal, what is more."""
    return tf.gather(row, argpartition(row, kth))


def argpartition(row: tf.Tensor, kth: int) -> tf.Tensor:
    """Return indices by which a vector is so partitioned; each part keeps the order of the vector."""
    key = orders.key(row)
    (pivot,) = smallest_keys(key, np.array([kth % row.shape[0]]))
    parts = (tf.less(key, pivot), tf.equal(key, pivot), tf.greater(key, pivot))
    return tf.concat([tf.where(part)[:, 0] for part in parts], 0)
