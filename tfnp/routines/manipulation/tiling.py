"""Functions that repeat arrays as a whole, or element by element."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, rank_of
from tfnp._core.edge import array_function
from tfnp._core.errors import check_no_unknown_dim
from tfnp._core.parameters import ArrayLike, IntLike, ShapeLike
from tfnp._core.xla import is_for_xla
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["repeat", "tile"]

_UINT16: Final = tf.uint16.as_datatype_enum
_MAX_COUNT: Final = 1 << 15
"""Up to this count of each axis, no product overflows that TensorFlow can hold."""
_MIN_TILED_SIZE: Final = 1024
"""Elements from which on `repeat` by one count is faster as a tile of a reshaped array than as a gather."""


@array_function(promotes=("A",))
def tile(A: ArrayLike, reps: ShapeLike) -> tf.Tensor:
    """`reps` may be a 1-D tensor whose value is unknown while tracing.

    If its length is unknown, too, so is the rank of the result.
    """
    counts = (reps,) if type(reps) is int else reps
    if type(A) is EagerTensor and type(counts) is tuple and enum_of(A) != _UINT16:
        added = rank_of(A) - len(counts)
        if added >= 0 and all(type(count) is int and 0 < count <= _MAX_COUNT for count in counts):
            return ops.tile(A, shapes.const_int((1,) * added + counts))
    return _tile(A, reps)


@array_function(unknown_rank="each", traces=("A",))
def _tile(A: Any, reps: Any) -> tf.Tensor:
    """Tile any array-like, with any counts."""
    tensor = to_tensor(A)
    if convert.is_dynamic(reps) and reps.shape.rank == 1 and reps.shape[0] is None:
        return _tile_dynamic_rank(tensor, reps)
    counts = [_as_count(count) for count in _as_counts(reps)]
    shape = shapes.shape(tensor)
    rank, length = max(len(shape), len(counts)), len(counts)
    shape = (1,) * (rank - len(shape)) + shape
    counts = [1] * (rank - length) + counts
    tensor = shapes.reshape(tensor, shape)
    if all(isinstance(count, int) and count == 1 for count in counts):
        return tensor
    if tensor.shape.num_elements() == 0 and not any(map(convert.is_dynamic, counts)):
        return tf.zeros(shapes.as_shape([dim * count for dim, count in zip(shape, counts, strict=True)]), tensor.dtype)
    if any(not _is_count(count) for count in counts):
        np.tile(
            np.zeros([1 if dim is None else dim for dim in tensor.shape], bool), convert.static_value(reps)
        )  # raises NumPy's error
    if convert.is_dynamic(reps):
        tensor = _check_no_overflow(tensor, reps, tf.shape(tensor)[rank - length :])
    elif shapes.is_static(shape) and not any(map(convert.is_dynamic, counts)):
        _check_products(shape, counts)
        repeated = (max(dim * int(count), 0) for dim, count in zip(shape, counts, strict=True))
        shapes.check_memory(tuple(repeated), tensor.dtype)
    return shapes.tile(tensor, [count if convert.is_dynamic(count) else _check_count(count) for count in counts])


def _check_products(shape: tuple[int, ...], counts: list[Any]) -> None:
    """Check that dimension * count does not overflow the dtype of the count, in which NumPy multiplies them.

    One product may become negative: NumPy reshapes to it, and infers a dimension that is negative.
    """
    with np.errstate(over="ignore"):
        products = [dim * count for dim, count in zip(shape, counts, strict=True)]
    wrapped = [
        product for product, dim, count in zip(products, shape, counts, strict=True) if product != dim * int(count)
    ]
    if len(wrapped) > 1 or any(product >= 0 for product in wrapped):
        raise ValueError(f"tile: dimension * reps overflows the dtype of reps, {counts}")


def _check_no_overflow(tensor: tf.Tensor, reps: tf.Tensor, shape: tf.Tensor) -> tf.Tensor:
    """Check, when the graph runs, that dimension * count does not overflow the dtype of the count."""
    if not reps.dtype.is_integer or reps.dtype.size >= tf.int32.size:
        return tensor
    products = shape * tf.cast(reps, tf.int32)
    wrapped = tf.cast(tf.cast(products, reps.dtype), tf.int32)
    overflows = tf.not_equal(products, wrapped)
    is_valid = tf.reduce_all((wrapped < 0) | ~overflows) & (tf.math.count_nonzero(overflows) <= 1)
    is_valid &= tf.reduce_all(shape <= reps.dtype.max)
    return check(is_valid, ValueError(f"tile: dimension * reps overflows {reps.dtype.name}"), tensor)


def _tile_dynamic_rank(tensor: tf.Tensor, reps: tf.Tensor) -> tf.Tensor:
    """Tile with a vector of counts whose length, and so the rank of the result, is known when the graph runs."""
    if not (reps.dtype.is_integer or reps.dtype == tf.bool):
        reps = check(tf.equal(tf.size(reps), 0), TypeError(f"tile: reps must be integers, not {reps.dtype.name}"), reps)
    counts, shape = tf.cast(reps, tf.int32), tf.shape(tensor)
    rank = tf.maximum(tf.size(counts), tf.size(shape))
    counts, shape = (tf.concat([tf.ones([rank - tf.size(vector)], tf.int32), vector], 0) for vector in (counts, shape))
    tensor = _check_no_overflow(tf.reshape(tensor, shape), reps, shape[rank - tf.size(reps) :])
    return tf.tile(tensor, counts)


def _as_counts(reps: Any) -> list[Any]:
    if type(reps) is tuple or type(reps) is list:
        return list(reps)
    if convert.is_dynamic(reps):
        if reps.shape.as_list() == [0]:
            return []  # of any dtype
        if (reps.shape.rank or 0) > 1:  # NumPy's error comes from comparing rows with 1
            raise (TypeError if reps.shape[1:].num_elements() == 1 else ValueError)("reps must be a scalar or 1-D")
        return list(shapes.as_shape(tf.cast(reps, tf.int32) if reps.dtype == tf.bool else reps, "reps"))
    static = convert.static_value(reps)
    return list(static) if np.iterable(static) else [static]


def _as_count(count: Any) -> Any:
    check_no_unknown_dim(count)
    static = count if type(count) is int or convert.is_dynamic(count) else convert.static_value(count)
    static = static[()] if isinstance(static, np.ndarray) and static.ndim == 0 else static
    return bool(static) if isinstance(static, np.bool_) else static


def _is_count(count: Any) -> bool:
    return isinstance(count, int | np.integer) or convert.is_dynamic(count)


def _check_count(count: Any) -> int:
    result = count if type(count) is int else int(count) if isinstance(count, str) else shapes.as_int(count)
    if result < 0:
        raise ValueError("repeats may not contain negative values.")
    return result


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def repeat(a: ArrayLike, repeats: ArrayLike, axis: IntLike | None = None) -> tf.Tensor:
    """`repeats` may be unknown while tracing; then so is the dimension of the result."""
    check_no_unknown_dim(repeats)
    a = to_tensor(a)
    index = 0 if axis is None else shapes.as_int_not_bool(axis)
    if axis is None or (a.shape.rank == 0 and index in (0, -1)):
        a = ravel(a)
    static = convert.static_value(repeats)
    index = shapes.normalize_axis(index, shapes.rank(a))
    length = shapes.shape(a)[index]
    if not isinstance(length, int) and np.ndim(static) == 1 and np.size(static) != 1:
        length = len(static)  # one count for each element
        a = tf.ensure_shape(a, [length if i == index else dim for i, dim in enumerate(a.shape)])
    if not convert.is_dynamic(repeats) and isinstance(length, int):
        return _repeat_static(a, static, length, index)
    counts = to_tensor(repeats) if convert.is_dynamic(repeats) else _as_single_repeats(static)
    if (counts.shape.rank or 0) > 1:
        raise ValueError("object too deep for desired array")
    dtypes.check_cast(dtypes.as_numpy(counts.dtype), np.dtype(np.int64), "safe", "array data")
    return layout.take(a, _repeat_positions(length, counts), index)


def _repeat_static(a: tf.Tensor, repeats: Any, length: int, axis: int) -> tf.Tensor:
    if np.size(repeats) != 1 or (a.shape.num_elements() or 0) < _MIN_TILED_SIZE:
        return layout.take(a, np.repeat(np.arange(length), repeats), axis)
    count = len(np.repeat(np.zeros(1), repeats))  # raises NumPy's error
    shape = shapes.shape(a)
    flat = tf.reshape(a, shapes.shape_tensor((-1, 1, layout.product(shape[axis + 1 :]))))
    return tf.reshape(shapes.tile(flat, (1, count, 1)), shapes.shape_tensor((*shape[:axis], -1, *shape[axis + 1 :])))


def _as_single_repeats(static: Any) -> tf.Tensor:
    """Return one count for an axis of any length, checked by NumPy."""
    np.repeat(np.zeros(1), static)
    return to_tensor(np.asarray(static).astype(np.int64))


def _repeat_positions(length: shapes.Dim, counts: tf.Tensor) -> tf.Tensor:
    """Return the index of the element that each element of the result repeats: how many elements end before it."""
    counts = tf.broadcast_to(tf.cast(counts, tf.int64), shapes.shape_tensor((length,)))
    if is_for_xla():
        return tf.repeat(layout.positions(length), counts)
    is_valid = tf.reduce_all(counts >= 0)
    counts = check(is_valid, ValueError("repeats may not contain negative values."), counts)
    # tf.repeat makes a mask of as many columns as the highest count: n**2 elements where one is repeated n times.
    ends = tf.cumsum(counts)
    steps = tf.math.unsorted_segment_sum(tf.ones_like(ends), ends, tf.reduce_sum(counts) + 1)
    return tf.cumsum(steps)[:-1]
