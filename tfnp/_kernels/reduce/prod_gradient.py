"""Products and cumulative products with gradients of any order that are right at zeros, too.

TensorFlow's gradients divide by the omitted factor (https://github.com/tensorflow/tensorflow/issues/119430).
"""

from __future__ import annotations

import functools
from typing import Final

import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._core.xla import is_for_xla
from tfnp._kernels.bits import copysign
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.gradients import Kernel, differentiable
from tfnp._kernels.select_rare import is_known_false

# Upstream bug: tensorflow-cumprod-gradient-zero
Axes = tuple[int, ...]
SHORT: Final = 16


@functools.cache
def prod_along(axes: Axes, rank: int, keepdims: bool) -> Kernel:
    """Return the kernel of products over axes, with its gradient, for floats and complex numbers."""

    def gradient(upstream: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """Return for each factor the product of the others: of those before it, times those after it."""
        others = tuple(axis for axis in range(rank) if axis not in axes)
        shape = [shapes.shape(x)[axis] for axis in others + axes]
        rows, count = layout.product(shape[: len(others)]), layout.product(shape[len(others) :])
        flat = tf.reshape(layout.transpose(x, others + axes), shapes.shape_tensor((rows, count)))
        flat = ops.conj(flat) if flat.dtype.is_complex else flat
        after = tf.reverse(_multiply_preceding(tf.reverse(flat, [1]), 1), [1])
        slopes = tf.reshape(ops.multiply(_multiply_preceding(flat, 1), after), shapes.shape_tensor(shape))
        back = tuple((others + axes).index(axis) for axis in range(rank))
        keepdims_shape = [1 if axis in axes else dim for axis, dim in enumerate(shapes.shape(x))]
        return (
            ops.multiply(tf.reshape(upstream, shapes.shape_tensor(keepdims_shape)), layout.transpose(slopes, back)),
        )

    def multiply(x: tf.Tensor) -> tf.Tensor:
        return ops.reduce_prod(x, shapes.const_int(axes), keepdims)

    multiply.__qualname__ = f"product_along_{axes}_{rank}_{keepdims}"
    return differentiable(gradient)(multiply)


@functools.cache
def cumprod_along(axis: int) -> Kernel:
    """Return the kernel of cumulative products along an axis, with its gradient, for floats and complex numbers."""

    def gradient(upstream: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, ...]:
        """Return for each factor the product of those before it, times the upstream gradient through those after it."""
        x = ops.conj(x) if x.dtype.is_complex else x
        return (ops.multiply(_multiply_preceding(x, axis), _scan_backwards(x, upstream, axis)),)

    def multiply(x: tf.Tensor) -> tf.Tensor:
        length = shapes.shape(x)[axis]
        if x.dtype.is_complex and isinstance(length, int):
            return _scan_by_doubling(x, axis, length)
        if x.dtype.is_complex and is_for_xla():  # which has no running products of complex numbers
            return _scan_in_loop(_clear_after_zero(x, axis), axis, length)
        return ops.cumprod(_clear_after_zero(x, axis) if is_for_xla() else x, shapes.const_int(axis))

    multiply.__qualname__ = f"cumulative_product_along_{axis}"
    return differentiable(gradient)(multiply)


def _multiply_preceding(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return for each element the product of all elements before it."""
    length = shapes.shape(x)[axis]
    if isinstance(length, int) and length == 0:
        return x
    first = tf.ones_like(layout.slice_along(x, axis, 0, 1))
    return cumprod_along(axis)(tf.concat([first, layout.slice_along(x, axis, 0, length - 1)], axis))


def _scan_by_doubling(x: tf.Tensor, axis: int, length: int) -> tf.Tensor:
    """Return cumulative products in log2(n) steps: multiply each element by the one before it, then by the one 2, 4,
    ... before it.

    Short axes are multiplied one element after another, as NumPy does.
    """
    if length <= SHORT:
        parts = [layout.slice_along(x, axis, index, 1) for index in range(length)]
        for index in range(1, length):
            parts[index] = arithmetic.multiply(parts[index - 1], parts[index])
        return tf.concat(parts, axis) if parts else x
    x, step = _clear_after_zero(x, axis), 1
    if is_for_xla():  # XLA would recompute each step for each element of the next
        return _scan_in_loop(x, axis, length)
    while step < length:
        shifted_product = arithmetic.multiply(
            layout.slice_along(x, axis, 0, length - step), layout.slice_along(x, axis, step, length - step)
        )
        x = tf.concat([layout.slice_along(x, axis, 0, step), shifted_product], axis)
        step *= 2
    return x


def _scan_in_loop(x: tf.Tensor, axis: int, length: shapes.Dim) -> tf.Tensor:
    indices = tf.reshape(tf.range(length), [-1 if index == axis else 1 for index in range(shapes.rank(x))])

    def double(step: tf.Tensor, x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        shifted_product = arithmetic.multiply(tf.roll(x, step, axis), x)
        return 2 * step, ops.select(shapes.broadcast_to(indices >= step, shapes.shape(x)), shifted_product, x)

    return tf.while_loop(lambda step, _: step < length, double, (tf.constant(1), x))[1]


def _clear_after_zero(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the elements, with 1 and their sign in place of finite ones after a zero.

    Products that are not computed in order may overflow, and make nan with the zero.
    """
    one = ops.scalar(1, x)
    zeros = ops.equal(x, ops.scalar(0, x))
    if is_known_false(zeros):
        return x
    after = ops.greater(ops.cumsum(ops.cast(zeros, tf.int32), shapes.const_int(axis), True), ops.scalar(0, tf.int32))
    if x.dtype.is_complex:
        return ops.select(ops.logical_and(after, arithmetic.isfinite(x)), one, x)
    return ops.select(ops.logical_and(after, ops.is_finite(x)), copysign(one, x), x)


def _scan_backwards(x: tf.Tensor, upstream: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the solution of r[j] = upstream[j] + x[j + 1] * r[j + 1], from the last element on, in log2(n) steps."""
    length = shapes.shape(x)[axis]
    rank = shapes.rank(x)
    # Upstream bug: tensorflow-multiply-no-nan-complex-gradient
    times = ops.multiply if x.dtype.is_complex else ops.multiply_no_nan  # whose gradient of complex numbers is wrong
    indices = tf.reshape(layout.positions(length), [-1 if index == axis else 1 for index in range(rank)])

    def shift(values: tf.Tensor, step: shapes.Dim) -> tf.Tensor:
        inside = indices < tf.cast(length - step, tf.int64)
        return ops.select(
            shapes.broadcast_to(inside, shapes.shape(values)),
            tf.roll(values, -step, axis),
            ops.zeros_like(values),
        )

    def double(step: shapes.Dim, factor: tf.Tensor, result: tf.Tensor) -> tuple[shapes.Dim, tf.Tensor, tf.Tensor]:
        shifted_product = times(factor, shift(result, step))
        return 2 * step, ops.multiply(factor, shift(factor, step)), ops.add(result, shifted_product)

    state = (1, shift(x, 1), upstream)
    if isinstance(length, int):
        while state[0] < length:
            state = double(*state)
        return state[2]
    state = (tf.constant(1), *state[1:])
    return tf.while_loop(lambda step, *_: step < length, double, state)[2]
