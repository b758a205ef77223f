"""Running sums and products along an axis, for every dtype and in every mode.

XLA has kernels for int32, int64 and floats only: smaller integers are added up in int32, which wraps to the same,
unsigned ones through their bits, complex numbers by parts, or by doubling the length of what is multiplied.
"""

from __future__ import annotations

from typing import Final

import tensorflow as tf

from tfnp._core import moves, ops, shapes
from tfnp.routines.kernels import complexes
from tfnp.routines.kernels.factors import running_product_along

_cumsum = tf.raw_ops.Cumsum.__wrapped__
_cumprod = tf.raw_ops.Cumprod.__wrapped__
_WIDER: Final = {
    tf.int8: tf.int32,
    tf.int16: tf.int32,
    tf.uint8: tf.int32,
    tf.uint16: tf.int32,
}
_SIGNED: Final = {tf.uint32: tf.int32, tf.uint64: tf.int64}


def running_total(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Of truths, whether any was true so far, as in NumPy's loop of bools."""
    dtype = x.dtype
    if dtype == tf.bool:
        return ops.cast(running_total(ops.cast(x, tf.int32), axis), tf.bool)
    if dtype.is_complex:
        real, imaginary = complexes.parts(x)
        return complexes.join(running_total(real, axis), running_total(imaginary, axis))
    return _cumsum(x, shapes.spec(axis)) if dtype.is_floating else _by_bits(x, axis, _cumsum)


def running_product(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Of truths, whether all were true so far."""
    dtype = x.dtype
    if dtype == tf.bool:
        return ops.logical_not(running_total(ops.logical_not(x), axis))
    if dtype.is_complex:
        return _doubled(x, axis)
    return running_product_along(axis)(x) if dtype.is_floating else _by_bits(x, axis, _cumprod)


def _by_bits(x: tf.Tensor, axis: int, scan: object) -> tf.Tensor:
    dtype = x.dtype
    if dtype in _WIDER:
        return ops.cast(scan(ops.cast(x, _WIDER[dtype]), shapes.spec(axis)), dtype)  # type: ignore[operator]
    if dtype in _SIGNED:
        return ops.bitcast(scan(ops.bitcast(x, _SIGNED[dtype]), shapes.spec(axis)), dtype)  # type: ignore[operator]
    return scan(x, shapes.spec(axis))  # type: ignore[operator]


def _doubled(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Each element times the one before it, then times what is two places before, then four: as many steps as the
    length has digits in base two. For short axes one after another, as NumPy does it.
    """
    side = shapes.shape(x)[axis]
    if not isinstance(side, int):
        return running_product_along(axis)(x)
    if side <= _SHORT:
        parts = [moves.part(x, axis, place, 1) for place in range(side)]
        for place in range(1, side):
            parts[place] = complexes.multiply(parts[place - 1], parts[place])
        return tf.concat(parts, axis) if parts else x
    step = 1
    while step < side:
        moved = complexes.multiply(moves.part(x, axis, 0, side - step), moves.part(x, axis, step, side - step))
        x = tf.concat([moves.part(x, axis, 0, step), moved], axis)
        step *= 2
    return x


_SHORT: Final = 16
