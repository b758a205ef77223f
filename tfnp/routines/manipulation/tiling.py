"""Arrays repeated: as a whole, or element by element."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["repeat", "tile"]


@array_function(promotes=("A",), unknown_rank="each")
def tile(A: Any, reps: Any) -> tf.Tensor:
    """`reps` may be a 1-D tensor known only at run time; where its length is not known either, nor is the rank of the
    result.
    """
    tensor = to_tensor(A)
    if _is_unknown(reps) and reps.shape.rank == 1 and reps.shape[0] is None:
        return _tiled(tensor, reps)
    given = [_count(count) for count in _counts(reps)]
    shape = shapes.shape(tensor)
    rank = max(len(shape), len(given))
    shape = (1,) * (rank - len(shape)) + shape
    counts = [1] * (rank - len(given)) + given
    tensor = shapes.reshape(tensor, shape)
    if all(isinstance(count, int) and count == 1 for count in counts):
        return tensor
    if tensor.shape.num_elements() == 0 and not any(map(_is_unknown, counts)):
        return tf.zeros(shapes.as_shape([dim * count for dim, count in zip(shape, counts, strict=True)]), tensor.dtype)
    if any(not _is_count(count) for count in counts):
        np.tile(
            np.zeros([1 if dim is None else dim for dim in tensor.shape], bool), convert.static_value(reps)
        )  # which raises, and knows what
    if _is_unknown(reps):
        tensor = _checked_late(tensor, reps, tf.shape(tensor)[rank - len(given) :])
    elif shapes.is_static(shape) and not any(map(_is_unknown, counts)):
        _check_products(shape, counts)
    return shapes.tile(tensor, [count if _is_unknown(count) else _checked_count(count) for count in counts])


def _check_products(shape: tuple[int, ...], counts: list[Any]) -> None:
    """NumPy multiplies a side in the dtype of a count that has one. What has become negative by that, it takes for the
    one side of a shape that need not be said.
    """
    with np.errstate(over="ignore"):
        products = [dim * count for dim, count in zip(shape, counts, strict=True)]
    wrapped = [
        product for product, dim, count in zip(products, shape, counts, strict=True) if product != dim * int(count)
    ]
    if len(wrapped) > 1 or any(product >= 0 for product in wrapped):
        raise ValueError(f"cannot tile: a side is out of bounds for the dtype of the counts, {counts}")


def _checked_late(tensor: tf.Tensor, reps: tf.Tensor, shape: tf.Tensor) -> tf.Tensor:
    """The tensor. The same of counts that are known when the graph runs, and the sides that they multiply."""
    if not reps.dtype.is_integer or reps.dtype.size >= tf.int32.size:
        return tensor
    products = shape * tf.cast(reps, tf.int32)
    held = tf.cast(tf.cast(products, reps.dtype), tf.int32)
    wrapped = tf.not_equal(products, held)
    is_valid = tf.reduce_all((held < 0) | ~wrapped) & (tf.math.count_nonzero(wrapped) <= 1)
    is_valid &= tf.reduce_all(shape <= reps.dtype.max)
    return check(is_valid, ValueError(f"cannot tile: a side is out of bounds for {reps.dtype.name}"), tensor)


def _tiled(tensor: tf.Tensor, reps: tf.Tensor) -> tf.Tensor:
    """With as many counts as there are when the graph runs, which then has the rank."""
    if not (reps.dtype.is_integer or reps.dtype == tf.bool):
        reps = check(tf.equal(tf.size(reps), 0), TypeError(f"counts cannot be {reps.dtype.name}"), reps)
    counts, shape = tf.cast(reps, tf.int32), tf.shape(tensor)
    rank = tf.maximum(tf.size(counts), tf.size(shape))
    counts, shape = (tf.concat([tf.ones([rank - tf.size(vector)], tf.int32), vector], 0) for vector in (counts, shape))
    tensor = _checked_late(tf.reshape(tensor, shape), reps, shape[rank - tf.size(reps) :])
    return tf.tile(tensor, counts)


def _counts(reps: Any) -> list[Any]:
    if type(reps) is tuple or type(reps) is list:
        return list(reps)
    if _is_unknown(reps):
        if reps.shape.as_list() == [0]:
            return []  # of whatever dtype
        if (reps.shape.rank or 0) > 1:  # NumPy's error is that of comparing rows with 1
            raise (TypeError if reps.shape[1:].num_elements() == 1 else ValueError)("reps must be a number or 1-D")
        return list(shapes.as_shape(tf.cast(reps, tf.int32) if reps.dtype == tf.bool else reps, "reps"))
    static = convert.static_value(reps)
    return list(static) if np.iterable(static) else [static]


def _count(count: Any) -> Any:
    static = count if type(count) is int or _is_unknown(count) else convert.static_value(count)
    static = static[()] if isinstance(static, np.ndarray) and static.ndim == 0 else static
    return bool(static) if isinstance(static, np.bool_) else static


def _is_count(count: Any) -> bool:
    return isinstance(count, int | np.integer) or _is_unknown(count)


def _is_unknown(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and convert.static_value(value) is None


def _checked_count(count: Any) -> int:
    number = count if type(count) is int else int(count) if isinstance(count, str) else shapes.as_int(count)
    if number < 0:
        raise ValueError("repeats may not contain negative values.")
    return number


@array_function(promotes=("a",), unknown_rank="each")
def repeat(a: Any, repeats: Any, axis: Any = None) -> tf.Tensor:
    """Counts known only at run time make a result whose size is known only then."""
    a = to_tensor(a)
    number = 0 if axis is None else shapes.as_int_not_bool(axis)
    if axis is None or (a.shape.rank == 0 and number in (0, -1)):
        a = ravel(a)
    static = convert.static_value(repeats)
    number = shapes.normalize_axis(number, shapes.rank(a))
    length = shapes.shape(a)[number]
    if not isinstance(length, int) and np.ndim(static) == 1 and np.size(static) != 1:
        length = len(static)  # one count for each element tells how many there are
        a = tf.ensure_shape(a, [length if axis == number else dim for axis, dim in enumerate(a.shape)])
    if not _is_unknown(repeats) and isinstance(length, int):
        return layout.take(a, np.repeat(np.arange(length), static), number)
    counts = to_tensor(repeats) if _is_unknown(repeats) else _checked_repeats(static)
    if (counts.shape.rank or 0) > 1:
        raise ValueError("object too deep for desired array")
    dtypes.check_cast(dtypes.as_numpy(counts.dtype), np.dtype(np.int64), "safe", "array data")
    return layout.take(a, _repeated(length, counts), number)


def _checked_repeats(static: Any) -> tf.Tensor:
    """One count for an axis of any length, which NumPy has looked at."""
    np.repeat(np.zeros(1), static)
    return to_tensor(np.asarray(static).astype(np.int64))


def _repeated(length: shapes.Dim, counts: tf.Tensor) -> tf.Tensor:
    index = layout.positions(length)
    return tf.repeat(index, tf.broadcast_to(tf.cast(counts, tf.int64), tf.shape(index)))
