"""NumPy's order of the numbers of every dtype: as keys that TensorFlow can sort, and sorting by them.

TensorFlow's own sort scrambles whatever stands beside a nan, tells -0 from 0 under XLA, and knows no complex numbers
and no bools. A key is an int32 or int64 that grows as the number does, nan last, and equal where numbers are equal.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._kernels.complex import arithmetic

_top = tf.raw_ops.TopKV2.__wrapped__
_SMALL: Final = (tf.bool, tf.int8, tf.int16, tf.uint8, tf.uint16)
_LOWEST: Final = {tf.int32: -(2**31), tf.int64: -(2**63)}
_HIGHEST: Final = {tf.int32: 2**31 - 1, tf.int64: 2**63 - 1}


def keys(x: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The keys of each element, the most telling first: one for real numbers, three for complex ones."""
    if x.dtype.is_complex:
        return _complex_keys(x)
    return (key(x),)


def key(x: tf.Tensor) -> tf.Tensor:
    """The key of a real number."""
    dtype = x.dtype
    if dtype in (tf.int32, tf.int64):
        return x
    if dtype in _SMALL:
        return ops.cast(x, tf.int32)
    if dtype in (tf.uint32, tf.uint64):
        signed = tf.int32 if dtype == tf.uint32 else tf.int64
        bits = ops.bitcast(x, signed)
        return ops.bitwise_xor(bits, ops.scalar(_LOWEST[signed], bits))
    return _float_key(x)


def _float_key(x: tf.Tensor) -> tf.Tensor:
    """The bits, those of negative numbers turned round; those of half precision as the upper half of a float's."""
    if x.dtype == tf.float16:
        x = ops.cast(x, tf.float32)
    if x.dtype == tf.bfloat16:
        high = ops.cast(ops.bitcast(x, tf.int16), tf.int32)
        bits, integer = ops.left_shift(high, ops.scalar(16, high)), tf.int32
    else:
        integer = tf.int32 if x.dtype == tf.float32 else tf.int64
        bits = ops.bitcast(x, integer)
    lowest, highest = ops.scalar(_LOWEST[integer], bits), ops.scalar(_HIGHEST[integer], bits)
    zero = ops.scalar(0, bits)
    turned = ops.select(ops.less(bits, zero), ops.subtract(lowest, bits), bits)
    return layout.select(ops.is_nan(x), highest, turned)


def _complex_keys(z: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Numbers without a nan, then those whose imaginary part is one, whose real part, and both."""
    real, imaginary = arithmetic.parts(z)
    first, second = ops.cast(ops.is_nan(real), tf.int32), ops.cast(ops.is_nan(imaginary), tf.int32)
    return first + first + second, key(real), key(imaginary)


def stable_order(rows: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Of keys along their last axis, the most telling first: the indices (int64) that put them in order, ties as they
    stand.
    """
    order = _order(rows[-1])
    for row in reversed(rows[:-1]):
        order = gather_rows(order, _order(gather_rows(row, order)))
    return order


def _order(row: tf.Tensor) -> tf.Tensor:
    """Of the largest, the first comes first: so the smallest are looked for among the complements."""
    return _top(ops.invert(row), _length(row), True, tf.int64)[1]


def _length(row: tf.Tensor) -> tf.Tensor:
    dim = shapes.shape(row)[-1]
    return tf.constant(dim, tf.int32) if isinstance(dim, int) else dim


def gather_rows(x: tf.Tensor, indices: tf.Tensor) -> tf.Tensor:
    """Along the last axis, in each row by its own indices; all other sides must be equal."""
    rank = shapes.rank(x)
    if rank == 1:
        return tf.raw_ops.GatherV2(params=x, indices=indices, axis=shapes.const_int(0))
    shape, expected = shapes.shape(x), shapes.shape(indices)
    flat = tf.reshape(x, shapes.shape_tensor((_product(shape[:-1]), shape[-1])))
    flat_places = tf.reshape(indices, shapes.shape_tensor((_product(expected[:-1]), expected[-1])))
    found = tf.raw_ops.GatherV2(params=flat, indices=flat_places, axis=shapes.const_int(1), batch_dims=1)
    return tf.reshape(found, shapes.shape_tensor(expected))


def _product(shape: tuple[shapes.Dim, ...]) -> shapes.Dim:
    result: shapes.Dim = 1
    for dim in shape:
        result = result * dim
    return result


def dense_ranks(x: tf.Tensor) -> tf.Tensor:
    """Of a vector: how many different numbers are less than each (int64). All that is nan counts as one number."""
    telling = keys(x)
    if len(telling) == 3:
        missing = ops.greater(telling[0], ops.scalar(0, telling[0]))
        telling = (*(ops.select(missing, ops.scalar(_HIGHEST[part.dtype], part), part) for part in telling[1:]),)
    return ranks_of(telling)


def ranks_of(telling: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Of keys, the most telling first: how many different ones are less than each (int64)."""
    order = stable_order(telling)
    ranks = ops.cast(starts(tuple(gather_rows(part, order) for part in telling)), tf.int64)
    ranks = tf.raw_ops.Cumsum(x=ranks, axis=shapes.const_int(0)) - ops.scalar(1, ranks)
    return gather_rows(ranks, _order(order))


def starts(telling: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Of keys in order: which of them differ from the one before; the first does."""
    length = shapes.shape(telling[0])[0]
    if isinstance(length, int) and length <= 1:
        return tf.constant(np.ones(length, np.bool_))
    changed = [tf.not_equal(part[1:], part[:-1]) for part in telling]
    first = tf.ones((1,), tf.bool) if isinstance(length, int) else tf.fill([tf.minimum(length, 1)], True)
    return tf.concat([first, functools.reduce(ops.logical_or, changed)], 0)
