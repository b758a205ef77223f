"""Reductions over axes, for every dtype and in every mode: sum, prod, max, min, all, any.

A kernel takes a tensor of the loop's dtype, normalized axes, and keepdims. Its caller checks for empty arrays.
"""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from tfnp._core import dtypes, layout, ops, shapes
from tfnp._core.eager_tensors import EagerTensor, enum_of, executing_eagerly, needs_gradient, shape_of
from tfnp._kernels import text
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.reduce.prod_gradient import prod_along
from tfnp._kernels.select_rare import replace_rare

Axes = tuple[int, ...]

_HALF: Final = (tf.float16, tf.bfloat16)
_REAL: Final = frozenset(dtype.as_datatype_enum for dtype in dtypes.SUPPORTED if dtype.is_integer or dtype.is_floating)
_ONE_OP: Final = frozenset(dtype.as_datatype_enum for dtype in (tf.float32, tf.float64))


def reduce_sum(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Return the sum over axes. float16 and bfloat16 are summed in float32, booleans by `any`, as in NumPy's loop of
    bools.
    """
    dtype = x.dtype
    if dtype is tf.float16 or dtype is tf.bfloat16:
        return ops.cast(reduce_sum(ops.cast(x, tf.float32), axes, keepdims), dtype)
    if dtype is tf.bool:
        return ops.reduce_any(x, shapes.const_int(axes), keepdims)
    if dtype is tf.string:
        return text.reduce_join(x, axes, keepdims)
    total = ops.reduce_sum(x, shapes.const_int(axes), keepdims)
    is_inexact = dtype.is_floating or dtype.is_complex
    return _add_zero(total) if is_inexact and may_be_of_one(x, axes) else total


def may_be_of_one(x: tf.Tensor, axes: Axes) -> bool:
    """Return whether each sum may have one term."""
    dims = shape_of(x) if type(x) is EagerTensor else x.shape
    return all(dims[axis] in (1, None) for axis in axes)


def _add_zero(total: tf.Tensor) -> tf.Tensor:
    """Return a sum plus 0.0, with which NumPy begins: -0.0 becomes 0.0. TensorFlow returns a single term as it is, and
    its compilers leave out a constant that is zero.
    """
    if executing_eagerly():
        return ops.add(total, ops.scalar(0, total))
    if total.dtype.is_complex:
        return arithmetic.join(*map(_add_zero, arithmetic.parts(total)))
    zero = ops.scalar(0, total)
    return ops.add(total, tf.stop_gradient(ops.select(ops.equal(total, zero), ops.multiply(total, total), zero)))


def reduce_prod(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Multiply. A complex product starts with 1, as in NumPy, so that both parts of a complex nan are nan."""
    if type(x) is EagerTensor and enum_of(x) in _ONE_OP and not needs_gradient():
        return ops.reduce_prod(x, shapes.const_int(axes), keepdims)
    dtype = x.dtype
    if dtype in _HALF:
        return ops.cast(reduce_prod(ops.cast(x, tf.float32), axes, keepdims), dtype)
    if dtype == tf.bool:
        return ops.reduce_all(x, shapes.const_int(axes), keepdims)
    if dtype.is_integer:
        return ops.reduce_prod(x, shapes.const_int(axes), keepdims)
    result = prod_along(axes, shapes.rank(x), keepdims)(x)
    if not dtype.is_complex:
        return result
    lost = ops.logical_not(arithmetic.isfinite(result))
    return replace_rare(result, lost, lambda: arithmetic.multiply(result, ops.scalar(1, result)))


# Upstream bug: tensorflow-reduce-max-nan-xla
def reduce_max(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Return the maximum, nan if there is one: XLA's Max drops it."""
    if type(x) is EagerTensor and enum_of(x) in _REAL and ops.executing_eagerly():
        return ops.reduce_max(x, shapes.const_int(axes), keepdims)
    dtype = x.dtype
    if dtype == tf.bool:
        return ops.reduce_any(x, shapes.const_int(axes), keepdims)
    if dtype.is_complex:
        return _find_extreme_complex(x, axes, keepdims, reduce_max)
    if dtype == tf.string:
        return text.reduce_extreme(x, axes, keepdims, ops.reduce_max)
    result = ops.reduce_max(x, shapes.const_int(axes), keepdims)
    return _restore_nan(x, axes, keepdims, result)


# Upstream bug: tensorflow-reduce-max-nan-xla
def reduce_min(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    """Return the minimum, nan if there is one: XLA's Min drops it."""
    if type(x) is EagerTensor and enum_of(x) in _REAL and ops.executing_eagerly():
        return ops.reduce_min(x, shapes.const_int(axes), keepdims)
    dtype = x.dtype
    if dtype == tf.bool:
        return ops.reduce_all(x, shapes.const_int(axes), keepdims)
    if dtype.is_complex:
        return _find_extreme_complex(x, axes, keepdims, reduce_min)
    if dtype == tf.string:
        return text.reduce_extreme(x, axes, keepdims, ops.reduce_min)
    result = ops.reduce_min(x, shapes.const_int(axes), keepdims)
    return _restore_nan(x, axes, keepdims, result)


def reduce_all(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    return ops.reduce_all(x, shapes.const_int(axes), keepdims)


def reduce_any(x: tf.Tensor, axes: Axes, keepdims: bool = False) -> tf.Tensor:
    return ops.reduce_any(x, shapes.const_int(axes), keepdims)


def _restore_nan(x: tf.Tensor, axes: Axes, keepdims: bool, result: tf.Tensor) -> tf.Tensor:
    if x.dtype.is_integer or ops.executing_eagerly():
        return result
    has_nan = ops.reduce_any(ops.is_nan(x), shapes.const_int(axes), keepdims)
    return layout.select(has_nan, ops.scalar(float("nan"), x), result)


def _find_extreme_complex(x: tf.Tensor, axes: Axes, keepdims: bool, reduce: Any) -> tf.Tensor:
    """Return the maximum or minimum by real, then by imaginary parts; the first element that has a nan, if there is
    one.
    """
    rows, shape = flatten_axes(x, axes)
    count = shapes.shape(rows)[1]
    if isinstance(count, int) and count == 0:
        result = tf.zeros(shapes.shape_tensor((shapes.shape(rows)[0],)), x.dtype)
    else:
        index = first_extreme_complex(rows, reduce)
        result = tf.gather(rows, index, axis=1, batch_dims=1)
    return tf.reshape(result, shapes.shape_tensor(_reduce_shape(shape, axes, keepdims)))


def first_extreme_complex(rows: tf.Tensor, reduce: Any) -> tf.Tensor:
    """Return the index of the maximum or minimum of each row, in NumPy's order of complex numbers."""
    real, imaginary = arithmetic.parts(rows)
    limit = ops.scalar(float("-inf") if reduce is reduce_max else float("inf"), real)
    is_nan = ops.logical_or(ops.is_nan(real), ops.is_nan(imaginary))
    is_extreme_real = ops.equal(real, reduce(ops.select(is_nan, limit, real), (1,), True))
    tied = ops.select(ops.logical_and(is_extreme_real, ops.logical_not(is_nan)), imaginary, limit)
    is_extreme = ops.logical_and(is_extreme_real, ops.equal(tied, reduce(tied, (1,), True)))
    is_extreme = ops.logical_and(is_extreme, ops.logical_not(is_nan))
    has_nan = ops.reduce_any(is_nan, shapes.const_int((1,)), True)
    is_result = ops.select(ops.logical_and(has_nan, is_nan), is_nan, ops.logical_and(is_extreme, ~has_nan))
    return ops.argmax(ops.cast(is_result, tf.int8), shapes.const_int(1), tf.int64)


def flatten_axes(x: tf.Tensor, axes: Axes) -> tuple[tf.Tensor, tuple[shapes.Dim, ...]]:
    """Return a matrix with a row for each element of the result, and the shape of the tensor."""
    shape = shapes.shape(x)
    others = tuple(axis for axis in range(len(shape)) if axis not in axes)
    if others + axes != tuple(range(len(shape))):
        x = layout.transpose(x, others + axes)
    rows = layout.product([shape[axis] for axis in others])
    return shapes.view(x, (rows, layout.product([shape[axis] for axis in axes]))), shape


def _reduce_shape(shape: tuple[shapes.Dim, ...], axes: Axes, keepdims: bool) -> tuple[shapes.Dim, ...]:
    if keepdims:
        return tuple(1 if axis in axes else dim for axis, dim in enumerate(shape))
    return tuple(dim for axis, dim in enumerate(shape) if axis not in axes)
