"""Bits packed into bytes, and unpacked."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._kernels.select_rare import is_long
from tfnp.routines.manipulation.shaping import flatten_without_axis

__all__ = ["packbits", "unpackbits"]


@array_function(unknown_rank="each", traces=("a",))
def packbits(a: ArrayLike, /, axis: IntLike | None = None, bitorder: str = "big") -> tf.Tensor:
    """The length along the axis may be unknown while tracing."""
    a = to_tensor(a)
    if not (a.dtype.is_integer or a.dtype == tf.bool):
        raise TypeError("Expected an input array of integer or boolean data type")
    weights = _find_bit_weights(bitorder)
    a, axis = flatten_without_axis(convert.cast(a, tf.bool), axis)
    if is_long(a):
        return convert.as_constant(np.packbits(a._numpy(), axis, bitorder))
    dim = shapes.shape(a)[axis]
    padding = (-dim) % 8
    bits = layout.pad(tf.cast(a, tf.int32), [(0, padding if index == axis else 0) for index in range(shapes.rank(a))])
    last = shapes.rank(a) - 1
    bits = layout.move_axis(bits, axis, last)
    shape = shapes.shape(bits)
    octets = tf.reshape(bits, shapes.shape_tensor((*shape[:-1], shape[-1] // 8, 8)))
    packed = tf.cast(tf.reduce_sum(octets * weights.astype(np.int32), -1), tf.uint8)
    return layout.move_axis(packed, last, axis)


def _find_bit_weights(bitorder: Any) -> np.ndarray:
    """Return the weight of each bit in a byte."""
    np.packbits(np.zeros(1, np.uint8), bitorder=bitorder)
    return (1 << np.arange(8))[:: -1 if bitorder[0] == "b" else 1]


@array_function(unknown_rank="each", traces=("a",))
def unpackbits(
    a: ArrayLike, /, axis: IntLike | None = None, count: IntLike | None = None, bitorder: str = "big"
) -> tf.Tensor:
    """`count` must be static. The length along the axis may be unknown while tracing."""
    a = to_tensor(a)
    if a.dtype != tf.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    if not isinstance(bitorder, str):
        raise TypeError(f"bitorder must be a string, not {type(bitorder).__name__}")
    weights = _find_bit_weights({"b": "big", "l": "little"}.get(bitorder[:1], bitorder))
    a, axis = flatten_without_axis(a, axis)
    bits = _unpack(a, axis, weights)
    if count is None:
        return bits
    new_length, length = shapes.as_int_not_bool(count), shapes.shape(bits)[axis]
    new_length = length + new_length if new_length < 0 else new_length
    if isinstance(length, int) and new_length < 0:
        raise ValueError(f"-count (={new_length - length}) must not exceed the number of elements in axis {axis}")
    padding = max(new_length - length, 0) if isinstance(length, int) else tf.maximum(new_length - length, 0)
    padded = layout.pad(bits, [(0, padding if index == axis else 0) for index in range(shapes.rank(bits))])
    return layout.slice_along(padded, axis, 0, new_length)


def _unpack(a: tf.Tensor, axis: int, weights: np.ndarray) -> tf.Tensor:
    """Return the bits of bytes, eight times as many along the axis."""
    if is_long(a):
        return convert.as_constant(np.unpackbits(a._numpy(), axis, bitorder="little" if weights[0] == 1 else "big"))
    last = shapes.rank(a) - 1
    values = tf.cast(layout.move_axis(a, axis, last), tf.int32)[..., None]
    bits = tf.cast(tf.not_equal(tf.bitwise.bitwise_and(values, weights.astype(np.int32)), 0), tf.uint8)
    shape = shapes.shape(bits)
    return layout.move_axis(tf.reshape(bits, shapes.shape_tensor((*shape[:-2], shape[-2] * 8))), last, axis)
