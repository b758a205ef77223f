"""Products whose gradients are right at zeros, too, and so are the gradients of these, where TensorFlow divides by the
factor that is left out.
"""

from __future__ import annotations

import functools
from typing import Final

import tensorflow as tf
from tensorflow import raw_ops as _raw

from tfnp._core import layout, ops, shapes
from tfnp._core.xla import is_for_xla
from tfnp._kernels.bits import copysign
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.gradients import Kernel, differentiable

Axes = tuple[int, ...]
SHORT: Final = 16

_conjugate = _raw.Conj.__wrapped__
_cumsum = _raw.Cumsum.__wrapped__
_cumprod = _raw.Cumprod.__wrapped__
_prod = _raw.Prod.__wrapped__
_no_nan = _raw.MulNoNan.__wrapped__


@functools.cache
def prod_along(axes: Axes, rank: int, keepdims: bool) -> Kernel:
    """The kernel that multiplies along these axes, of floats or complex numbers."""

    def gradient(upstream: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """Of each factor the product of all others: of those before it, and of those after it."""
        others = tuple(axis for axis in range(rank) if axis not in axes)
        shape = [shapes.shape(x)[axis] for axis in others + axes]
        rows, count = layout.product(shape[: len(others)]), layout.product(shape[len(others) :])
        flat = tf.reshape(layout.transpose(x, others + axes), shapes.shape_tensor((rows, count)))
        flat = _conjugate(flat) if flat.dtype.is_complex else flat
        after = tf.reverse(_of_those_before(tf.reverse(flat, [1]), 1), [1])
        slopes = tf.reshape(ops.multiply(_of_those_before(flat, 1), after), shapes.shape_tensor(shape))
        back = tuple((others + axes).index(axis) for axis in range(rank))
        kept = [1 if axis in axes else dim for axis, dim in enumerate(shapes.shape(x))]
        return (ops.multiply(tf.reshape(upstream, shapes.shape_tensor(kept)), layout.transpose(slopes, back)),)

    def multiply(x: tf.Tensor) -> tf.Tensor:
        return _prod(x, shapes.const_int(axes), keepdims)

    multiply.__qualname__ = f"product_along_{axes}_{rank}_{keepdims}"
    return differentiable(gradient)(multiply)


@functools.cache
def cumprod_along(axis: int) -> Kernel:
    """The kernel of running products along this axis, of floats or complex numbers."""

    def gradient(upstream: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """Of each factor the product of those before it, times what those after it make of the upstream."""
        x = _conjugate(x) if x.dtype.is_complex else x
        return (ops.multiply(_of_those_before(x, axis), _gathered_backwards(x, upstream, axis)),)

    def multiply(x: tf.Tensor) -> tf.Tensor:
        length = shapes.shape(x)[axis]
        if x.dtype.is_complex and isinstance(length, int):
            return _multiplied(x, axis, length)
        return _cumprod(_calm_after_zero(x, axis) if is_for_xla() else x, shapes.const_int(axis))

    multiply.__qualname__ = f"running_product_along_{axis}"
    return differentiable(gradient)(multiply)


def _of_those_before(x: tf.Tensor, axis: int) -> tf.Tensor:
    """At each place the product of all elements before it."""
    length = shapes.shape(x)[axis]
    if isinstance(length, int) and length == 0:
        return x
    first = tf.ones_like(layout.slice_along(x, axis, 0, 1))
    return cumprod_along(axis)(tf.concat([first, layout.slice_along(x, axis, 0, length - 1)], axis))


def _multiplied(x: tf.Tensor, axis: int, length: int) -> tf.Tensor:
    """Each element times the one before it, then times what is two places before, then four: as many steps as the
    length has digits in base two. For short axes one after another, as NumPy does it.
    """
    if length <= SHORT:
        parts = [layout.slice_along(x, axis, index, 1) for index in range(length)]
        for index in range(1, length):
            parts[index] = arithmetic.multiply(parts[index - 1], parts[index])
        return tf.concat(parts, axis) if parts else x
    x, step = _calm_after_zero(x, axis), 1
    if is_for_xla():  # which would calculate each step anew for each element of the next
        return _multiplied_in_a_loop(x, axis, length)
    while step < length:
        moved = arithmetic.multiply(
            layout.slice_along(x, axis, 0, length - step), layout.slice_along(x, axis, step, length - step)
        )
        x = tf.concat([layout.slice_along(x, axis, 0, step), moved], axis)
        step *= 2
    return x


def _multiplied_in_a_loop(x: tf.Tensor, axis: int, length: int) -> tf.Tensor:
    indices = tf.reshape(tf.range(length), [-1 if index == axis else 1 for index in range(shapes.rank(x))])

    def reach(step: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        moved = arithmetic.multiply(tf.roll(x, step, axis), x)
        return 2 * step, ops.select(shapes.broadcast_to(indices >= step, shapes.shape(x)), moved, x)

    return tf.while_loop(lambda step, _: step < length, reach, (tf.constant(1), x))[1]


def _calm_after_zero(x: tf.Tensor, axis: int) -> tf.Tensor:
    """What follows a zero and is finite made one, with its sign: else of products that are not made in order, one that
    overflows makes nan of the zero.
    """
    one = ops.scalar(1, x)
    zeros = ops.equal(x, ops.scalar(0, x))
    if ops.executing_eagerly() and not zeros.numpy().any():
        return x
    after = ops.greater(_cumsum(ops.cast(zeros, tf.int32), shapes.const_int(axis), True), ops.scalar(0, tf.int32))
    if x.dtype.is_complex:
        return ops.select(ops.logical_and(after, arithmetic.isfinite(x)), one, x)
    return ops.select(ops.logical_and(after, ops.is_finite(x)), copysign(one, x), x)


def _gathered_backwards(x: tf.Tensor, upstream: tf.Tensor, axis: int) -> tf.Tensor:
    """r[j] = upstream[j] + x[j + 1] * r[j + 1], from the last one on: in as many steps as the length has digits in base
    two, of which each reaches twice as far.
    """
    length = shapes.shape(x)[axis]
    rank = shapes.rank(x)
    times = ops.multiply if x.dtype.is_complex else _no_nan  # whose gradient is not that of complex numbers
    indices = tf.reshape(layout.positions(length), [-1 if index == axis else 1 for index in range(rank)])

    def ahead(values: tf.Tensor, step: shapes.Dim) -> tf.Tensor:
        inside = indices < tf.cast(length - step, tf.int64)
        return ops.select(
            shapes.broadcast_to(inside, shapes.shape(values)),
            tf.roll(values, -step, axis),
            ops.zeros_like(values),
        )

    def reach(step: shapes.Dim, factor: tf.Tensor, result: tf.Tensor) -> tuple[shapes.Dim, tf.Tensor, tf.Tensor]:
        more = times(factor, ahead(result, step))
        return 2 * step, ops.multiply(factor, ahead(factor, step)), ops.add(result, more)

    state = (1, ahead(x, 1), upstream)
    if isinstance(length, int):
        while state[0] < length:
            state = reach(*state)
        return state[2]
    state = (tf.constant(1), *state[1:])
    return tf.while_loop(lambda step, *_: step < length, reach, state)[2]
