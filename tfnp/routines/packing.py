"""Bits packed into bytes, and unpacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["packbits", "unpackbits"]


@array_function(unknown_rank="each")
def packbits(a: Any, /, axis: Any = None, bitorder: Any = "big") -> tf.Tensor:
    a = to_tensor(a)
    if not (a.dtype.is_integer or a.dtype == tf.bool):
        raise TypeError("Expected an input array of integer or boolean data type")
    weights = _weights(bitorder)
    a, number = _along(convert.cast(a, tf.bool), axis)
    dim = shapes.shape(a)[number]
    missing = (-dim) % 8
    bits = layout.pad(tf.cast(a, tf.int32), [(0, missing if index == number else 0) for index in range(shapes.rank(a))])
    last = shapes.rank(a) - 1
    bits = layout.move_axis(bits, number, last)
    shape = shapes.shape(bits)
    bytes_of = tf.reshape(bits, shapes.shape_tensor((*shape[:-1], shape[-1] // 8, 8)))
    packed = tf.cast(tf.reduce_sum(bytes_of * weights.astype(np.int32), -1), tf.uint8)
    return layout.move_axis(packed, last, number)


def _weights(bitorder: Any) -> np.ndarray:
    np.packbits(np.zeros(1, np.uint8), bitorder=bitorder)
    return (1 << np.arange(8))[:: -1 if bitorder[0] == "b" else 1]


def _along(a: tf.Tensor, axis: Any) -> tuple[tf.Tensor, int]:
    if axis is None:
        return ravel(a), 0
    number = shapes.as_int_not_bool(axis)
    if shapes.rank(a) == 0 and number in (0, -1):
        return ravel(a), 0
    return a, shapes.normalize_axis(number, shapes.rank(a))


@array_function(unknown_rank="each")
def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: Any = "big") -> tf.Tensor:
    a = to_tensor(a)
    if a.dtype != tf.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if not isinstance(bitorder, str):
        raise TypeError(f"bitorder must be a string, not {type(bitorder).__name__}")
    weights = _weights({"b": "big", "l": "little"}.get(bitorder[:1], bitorder))
    a, number = _along(a, axis)
    last = shapes.rank(a) - 1
    values = tf.cast(layout.move_axis(a, number, last), tf.int32)[..., None]
    bits = tf.cast(tf.not_equal(tf.bitwise.bitwise_and(values, weights.astype(np.int32)), 0), tf.uint8)
    shape = shapes.shape(bits)
    bits = layout.move_axis(tf.reshape(bits, shapes.shape_tensor((*shape[:-2], shape[-2] * 8))), last, number)
    if count is None:
        return bits
    expected, length = shapes.as_int_not_bool(count), shapes.shape(bits)[number]
    expected = length + expected if expected < 0 else expected
    if isinstance(length, int) and expected < 0:
        raise ValueError(f"-count (={expected - length}) must not exceed the number of elements in axis {number}")
    missing = max(expected - length, 0) if isinstance(length, int) else tf.maximum(expected - length, 0)
    longer = layout.pad(bits, [(0, missing if index == number else 0) for index in range(shapes.rank(bits))])
    return layout.slice_along(longer, number, 0, expected)
