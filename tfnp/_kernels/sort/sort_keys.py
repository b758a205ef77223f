"""Sort keys: int32 or int64 in NumPy's order of the elements of every dtype, and sorting by them.

Keys increase with the elements, nan last, and are equal where elements are equal. TensorFlow's own sort is wrong beside
nan (https://github.com/tensorflow/tensorflow/issues/117287), distinguishes -0.0 from 0.0 under XLA, and has no kernels
for complex numbers, bools and text. The keys of text are comparable within one tensor only.
"""

from __future__ import annotations

import functools
from typing import Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.eager_tensors import EagerTensor, needs_gradient, size_of
from tfnp._kernels import text
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.select_rare import is_long

_SMALL: Final = (tf.bool, tf.int8, tf.int16, tf.uint8, tf.uint16)
_SORTED_BY_NUMPY: Final = (*_SMALL[1:], tf.int32, tf.int64, tf.uint32, tf.uint64, tf.float16, tf.float32, tf.float64)
_LOWEST: Final = {tf.int32: -(2**31), tf.int64: -(2**63)}
_SMALLEST: Final = {dtype: np.finfo(dtype.as_numpy_dtype).tiny for dtype in (tf.float32, tf.float64)}
_HIGHEST: Final = {tf.int32: 2**31 - 1, tf.int64: 2**63 - 1}


def keys(x: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return the sort keys of elements, the most significant first: one for real numbers and text, three for complex
    numbers.
    """
    if x.dtype.is_complex:
        return _make_complex_keys(x)
    return (key(x),)


def key(x: tf.Tensor) -> tf.Tensor:
    """Return the key of real numbers, or of text."""
    dtype = x.dtype
    if dtype == tf.string:
        return text.rank(x)[0]
    if dtype in (tf.int32, tf.int64):
        return x
    if dtype in _SMALL:
        return ops.cast(x, tf.int32)
    if dtype in (tf.uint32, tf.uint64):
        signed = tf.int32 if dtype == tf.uint32 else tf.int64
        bits = ops.bitcast(x, signed)
        return ops.bitwise_xor(bits, ops.scalar(_LOWEST[signed], bits))
    return _make_float_key(x)


# Upstream bugs: tensorflow-sort-nan, tensorflow-argsort-stable-zero-xla
def _make_float_key(x: tf.Tensor) -> tf.Tensor:
    """Return the bits of floats, reversed for negative ones; bfloat16 is the upper half of a float32."""
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
    ordered = ops.select(ops.less(bits, zero), ops.subtract(lowest, bits), bits)
    mask = ops.is_nan(x)
    if is_long(x) and not mask.numpy().any():
        return ordered
    return layout.select(mask, highest, ordered)


def _make_complex_keys(z: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return three keys: the number and position of nans (none, imaginary, real, both), the real part, the imaginary
    part.
    """
    real, imaginary = arithmetic.parts(z)
    first, second = ops.cast(ops.is_nan(real), tf.int32), ops.cast(ops.is_nan(imaginary), tf.int32)
    return first + first + second, key(real), key(imaginary)


def is_nan(key_parts: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Return a mask of the keys of floats or complex numbers that are those of nan."""
    if len(key_parts) == 3:
        return ops.greater(key_parts[0], ops.scalar(0, key_parts[0]))
    return ops.equal(key_parts[0], ops.scalar(_HIGHEST[key_parts[0].dtype], key_parts[0]))


def order_of(x: tf.Tensor) -> tf.Tensor:
    """Return the indices (int64) that sort elements stably along the last axis."""
    if not is_long(x) and is_ordered_by_op(x):
        x = ops.stop_gradient(x) if needs_gradient() else x  # TensorFlow's gradient of TopK fails for int64 indices
        return ops.top_k(ops.negative(x), _get_length(x), True, tf.int64)[1]
    return stable_order(keys(x))


def sort_rows(x: tf.Tensor) -> tf.Tensor:
    """Return the elements sorted stably along the last axis."""
    return convert.as_constant(np.sort(x._numpy())) if is_sorted_by_numpy(x) else gather_rows(x, order_of(x))


def is_sorted_by_numpy(x: tf.Tensor) -> bool:
    """Return whether NumPy, in a fraction of the op's time, sorts these elements as a stable sort does: many real ones
    without -0.0, of which no gradient is recorded.
    """
    if x.dtype not in _SORTED_BY_NUMPY or not is_long(x) or needs_gradient():
        return False
    bits = x._numpy().view(f"i{x.dtype.size}")
    return not x.dtype.is_floating or bool(bits.min() != np.iinfo(bits.dtype).min)  # the bits of -0.0


def is_ordered_by_op(x: tf.Tensor) -> bool:
    """Return whether TensorFlow sorts these elements right: floats, none of them nan or subnormal, in eager mode."""
    if type(x) is not EagerTensor or x.dtype not in _SMALLEST or not ops.executing_eagerly() or "CPU" not in x.device:
        return False
    sizes, smallest = np.abs(x._numpy()), _SMALLEST[x.dtype]
    if not size_of(x) or sizes.min() >= smallest:  # False for nan
        return True
    return bool(((sizes >= smallest) | (sizes == 0)).all())


def stable_order(rows: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Return the indices (int64) that sort keys stably along their last axis, the most significant key first."""
    order = _order(rows[-1])
    for row in reversed(rows[:-1]):
        order = gather_rows(order, _order(gather_rows(row, order)))
    return order


def sort_stably(rows: tuple[tf.Tensor, ...]) -> tuple[tf.Tensor, tuple[tf.Tensor, ...]]:
    """Return the indices (int64) that sort keys stably along their last axis, and the sorted keys."""
    if len(rows) == 1 and not is_long(rows[0]):
        complement, order = ops.top_k(ops.invert(rows[0]), _get_length(rows[0]), True, tf.int64)
        return order, (ops.invert(complement),)
    order = stable_order(rows)
    return order, tuple(gather_rows(row, order) for row in rows)


def _order(row: tf.Tensor) -> tf.Tensor:
    """Return the indices that sort one key: those of TopK of its complement, since TopK returns the largest elements,
    ties in order. NumPy takes a fraction of the time of TopK.
    """
    if is_long(row):
        return convert.as_constant(_order_array(row._numpy()))
    return ops.top_k(ops.invert(row), _get_length(row), True, tf.int64)[1]


def _order_array(row: np.ndarray) -> np.ndarray:
    """Return the indices that sort integers stably along the last axis. NumPy's sorts that use vector instructions are
    not stable: the indices of equal integers are sorted by a second one.
    """
    order = np.argsort(row)
    ordered = np.take_along_axis(row, order, -1)
    differs = ordered[..., 1:] != ordered[..., :-1]
    if differs.all():
        return order
    first_index = np.zeros(row.shape, np.int64)
    np.cumsum(differs, -1, out=first_index[..., 1:])
    first_index *= row.shape[-1]  # above all indices of the groups before
    order += first_index
    order.sort()
    order -= first_index
    return order


def _get_length(row: tf.Tensor) -> tf.Tensor:
    dim = shapes.shape(row)[-1]
    return shapes.const_int(dim) if isinstance(dim, int) else dim


def gather_rows(x: tf.Tensor, indices: tf.Tensor) -> tf.Tensor:
    """Return elements along the last axis, in each row by its own indices; the other dimensions are equal."""
    rank = shapes.rank(x)
    if rank == 1:
        return ops.gather(x, indices, shapes.const_int(0))
    shape, expected = shapes.shape(x), shapes.shape(indices)
    if rank == 2:
        return ops.gather(x, indices, shapes.const_int(1), batch_dims=1)
    flat = tf.reshape(x, shapes.shape_tensor((layout.product(shape[:-1]), shape[-1])))
    flat_indices = tf.reshape(indices, shapes.shape_tensor((layout.product(expected[:-1]), expected[-1])))
    result = ops.gather(flat, flat_indices, shapes.const_int(1), batch_dims=1)
    return tf.reshape(result, shapes.shape_tensor(expected))


def dense_ranks(x: tf.Tensor) -> tf.Tensor:
    """Return for each element of a vector the number of distinct smaller elements (int64). All nans are equal."""
    key_parts = keys(x)
    if len(key_parts) == 3:
        mask = is_nan(key_parts)
        key_parts = tuple(ops.select(mask, ops.scalar(_HIGHEST[part.dtype], part), part) for part in key_parts[1:])
    return ranks_of(key_parts)


def ranks_of(key_parts: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Return for each key of a vector the number of distinct smaller keys (int64)."""
    order = stable_order(key_parts)
    ranks = ops.cast(starts(tuple(gather_rows(part, order) for part in key_parts)), tf.int64)
    ranks = ops.cumsum(ranks, shapes.const_int(0)) - ops.scalar(1, ranks)
    return gather_rows(ranks, _order(order))


def starts(key_parts: tuple[tf.Tensor, ...]) -> tf.Tensor:
    """Return a mask of the sorted keys that differ from the one before; it is True for the first one."""
    length = shapes.shape(key_parts[0])[0]
    if isinstance(length, int) and length <= 1:
        return tf.constant(np.ones(length, np.bool_))
    changed = [tf.not_equal(part[1:], part[:-1]) for part in key_parts]
    first = tf.ones((1,), tf.bool) if isinstance(length, int) else tf.fill([tf.minimum(length, 1)], True)
    return tf.concat([first, functools.reduce(ops.logical_or, changed)], 0)
