"""Many elements made into one: sums, products, extremes and truths along axes, for every dtype and in every mode.

A fold takes a tensor of the loop's dtype, the axes as normal numbers, and whether to keep them with length one. That
there is something to fold, where there must be, is its caller's to know.
"""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.reduce.prod_gradient import prod_along
from tfnp._kernels.select_rare import replace_rare

Axes = tuple[int, ...]

_all = tf.raw_ops.All.__wrapped__
_any = tf.raw_ops.Any.__wrapped__
_max = tf.raw_ops.Max.__wrapped__
_min = tf.raw_ops.Min.__wrapped__
_prod = tf.raw_ops.Prod.__wrapped__
_sum = tf.raw_ops.Sum.__wrapped__
_arg_max = tf.raw_ops.ArgMax.__wrapped__
_HALF: Final = (tf.float16, tf.bfloat16)


def reduce_sum(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Half precision is summed in single. Of truths, whether any is true, as in NumPy's loop of bools."""
    dtype = x.dtype
    if dtype is tf.float16 or dtype is tf.bfloat16:
        return ops.cast(_sum(ops.cast(x, tf.float32), shapes.const_int(axes), keepdims), dtype)
    if dtype is tf.bool:
        return _any(x, shapes.const_int(axes), keepdims)
    return _sum(x, shapes.const_int(axes), keepdims)


def reduce_prod(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """As in NumPy a complex 1 is a factor, which makes both parts of a complex nan nan."""
    dtype = x.dtype
    if dtype in _HALF:
        return ops.cast(reduce_prod(ops.cast(x, tf.float32), axes, keepdims), dtype)
    if dtype == tf.bool:
        return _all(x, shapes.const_int(axes), keepdims)
    if dtype.is_integer:
        return _prod(x, shapes.const_int(axes), keepdims)
    result = prod_along(axes, shapes.rank(x), keepdims)(x)
    if not dtype.is_complex:
        return result
    lost = ops.logical_not(arithmetic.isfinite(result))
    return replace_rare(result, lost, lambda: arithmetic.multiply(result, ops.scalar(1, result)))


def reduce_max(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Nan where there is one, which XLA's own maximum drops."""
    dtype = x.dtype
    if dtype == tf.bool:
        return _any(x, shapes.const_int(axes), keepdims)
    if dtype.is_complex:
        return _extreme_complex(x, axes, keepdims, reduce_max)
    result = _max(x, shapes.const_int(axes), keepdims)
    return _keeping_nan(x, axes, keepdims, result)


def reduce_min(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """As `largest`."""
    dtype = x.dtype
    if dtype == tf.bool:
        return _all(x, shapes.const_int(axes), keepdims)
    if dtype.is_complex:
        return _extreme_complex(x, axes, keepdims, reduce_min)
    result = _min(x, shapes.const_int(axes), keepdims)
    return _keeping_nan(x, axes, keepdims, result)


def reduce_all(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    return _all(x, shapes.const_int(axes), keepdims)


def reduce_any(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    return _any(x, shapes.const_int(axes), keepdims)


def _keeping_nan(x: tf.Tensor, axes: Axes, keepdims: bool, result: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_integer or ops.executing_eagerly():
        return result
    missing = _any(ops.is_nan(x), shapes.const_int(axes), keepdims)
    return layout.select(missing, ops.scalar(float("nan"), x), result)


def _extreme_complex(x: tf.Tensor, axes: Axes, keepdims: bool, fold: Any) -> tf.Tensor:
    """By real part, then by imaginary part; the first element that has a nan, whole, where there is one."""
    rows, shape = flatten_axes(x, axes)
    count = shapes.shape(rows)[1]
    if isinstance(count, int) and count == 0:
        result = tf.zeros(shapes.shape_tensor((shapes.shape(rows)[0],)), x.dtype)
    else:
        index = first_extreme_complex(rows, fold)
        result = tf.gather(rows, index, axis=1, batch_dims=1)
    return tf.reshape(result, shapes.shape_tensor(_kept(shape, axes, keepdims)))


def first_extreme_complex(rows: tf.Tensor, fold: Any) -> tf.Tensor:
    """Along the last axis of a matrix, the index of the element that NumPy's order of complex numbers puts first."""
    real, imaginary = arithmetic.parts(rows)
    limit = ops.scalar(float("-inf") if fold is reduce_max else float("inf"), real)
    missing = ops.logical_or(ops.is_nan(real), ops.is_nan(imaginary))
    leads = ops.equal(real, fold(ops.select(missing, limit, real), (1,), True))
    tied = ops.select(ops.logical_and(leads, ops.logical_not(missing)), imaginary, limit)
    chosen = ops.logical_and(ops.logical_and(leads, ops.equal(tied, fold(tied, (1,), True))), ops.logical_not(missing))
    some_missing = _any(missing, shapes.const_int((1,)), True)
    chosen = ops.select(ops.logical_and(some_missing, missing), missing, ops.logical_and(chosen, ~some_missing))
    return _arg_max(ops.cast(chosen, tf.int8), shapes.const_int(1), tf.int64)


def flatten_axes(x: tf.Tensor, axes: Axes) -> tuple[tf.Tensor, tuple[shapes.Dim, ...]]:
    """A matrix, of a row for each element of the result, and the sides of the tensor."""
    shape = shapes.shape(x)
    others = tuple(axis for axis in range(len(shape)) if axis not in axes)
    if others + axes != tuple(range(len(shape))):
        x = layout.transpose(x, others + axes)
    rows = layout.product([shape[axis] for axis in others])
    return tf.reshape(x, shapes.shape_tensor((rows, layout.product([shape[axis] for axis in axes])))), shape


def _kept(shape: tuple[shapes.Dim, ...], axes: Axes, keepdims: bool) -> tuple[shapes.Dim, ...]:
    if keepdims:
        return tuple(1 if axis in axes else dim for axis, dim in enumerate(shape))
    return tuple(dim for axis, dim in enumerate(shape) if axis not in axes)
