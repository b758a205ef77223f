"""Sorting and partitioning. Every sort is stable, whatever `kind` is; nan comes last."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import AxisError
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.select_rare import is_long
from tfnp._kernels.sort import sort_keys
from tfnp.routines.manipulation.shaping import flatten_without_axis

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]

_COMPLEX64_INTEGERS: Final = (tf.int8, tf.int16, tf.uint8, tf.uint16)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def sort(
    a: ArrayLike, axis: IntLike | None = -1, kind: str | None = None, order: Any = None, *, stable: bool | None = None
) -> tf.Tensor:
    """Every sort is stable: `kind` and `stable` have no effect. `order` must be None, since there are no structured
    dtypes.

    The gradient is permuted like the elements.
    """
    a = to_tensor(a)
    axis = None if axis is None else shapes.as_int(axis)
    if axis is not None and shapes.rank(a) == 0:
        raise AxisError(axis, 0)
    a, axis = _normalize_arguments(a, axis, kind, order, stable)
    a = layout.move_axis(a, axis, shapes.rank(a) - 1)
    if a.shape[-1] not in (0, 1):
        a = sort_keys.sort_rows(a)
    return layout.move_axis(a, shapes.rank(a) - 1, axis)


@array_function(unknown_rank="each", traces=("a",))
def argsort(
    a: ArrayLike, axis: IntLike | None = -1, kind: str | None = None, order: Any = None, *, stable: bool | None = None
) -> tf.Tensor:
    """Every sort is stable: `kind` and `stable` have no effect. The indices are int64."""
    a, axis = _normalize_arguments(to_tensor(a), axis, kind, order, stable)
    a = layout.move_axis(a, axis, shapes.rank(a) - 1)
    return layout.move_axis(sort_keys.order_of(a), shapes.rank(a) - 1, axis)


def _normalize_arguments(a: tf.Tensor, axis: Any, kind: Any, order: Any, stable: Any) -> tuple[tf.Tensor, int]:
    """Return the array, flattened without an axis, and the normalized axis. Let NumPy check the other arguments."""
    if kind is not None or order is not None or stable is not None:
        np.sort(np.zeros(1), kind=kind, order=order, stable=stable)
    return flatten_without_axis(a, axis)


@array_function(unknown_rank="each", traces=("keys",))
def lexsort(keys: ArrayLike, axis: IntLike = -1) -> tf.Tensor:
    """The indices are int64. The number of keys must be static, unless they are one tensor."""
    axis = shapes.as_int(axis)
    if _has_many_keys(keys):
        return _sort_by_loop(keys, axis)
    rows = _unstack_keys(keys)
    if any(row.shape.rank != rows[0].shape.rank or not row.shape.is_compatible_with(rows[0].shape) for row in rows):
        raise ValueError(_SHAPE_MESSAGE)
    rows = [rows[0], *[shapes.check_same_shape(rows[0], row, _SHAPE_MESSAGE) for row in rows[1:]]]
    rank = shapes.rank(rows[0])
    if rank == 0 and axis in (0, -1):
        return tf.zeros((), tf.int64)
    axis = shapes.normalize_axis(axis, rank)
    rows = [layout.move_axis(row, axis, rank - 1) for row in rows]
    row_keys = tuple(key for row in reversed(rows) for key in sort_keys.keys(row))
    return layout.move_axis(sort_keys.stable_order(row_keys), rank - 1, axis)


def _has_many_keys(keys: Any) -> bool:
    """Return whether the keys are a tensor in a graph that has more than are unrolled, or an unknown number."""
    if not isinstance(keys, tf.Tensor) or tf.executing_eagerly() or keys.shape.rank in (None, 0, 1):
        return False
    return keys.shape[0] is None or keys.shape[0] > _MAX_UNROLLED_KEYS


def _sort_by_loop(keys: tf.Tensor, axis: int) -> tf.Tensor:
    """Sort by the first key, then by each one after it: unrolled, many keys take minutes to trace."""
    rank = shapes.rank(keys) - 1
    axis = shapes.normalize_axis(axis, rank)
    keys = layout.move_axis(keys, axis + 1, rank)

    def sort_by(index: tf.Tensor, order: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        row = sort_keys.gather_rows(tf.gather(keys, index), order)
        return index + 1, sort_keys.gather_rows(order, sort_keys.stable_order(sort_keys.keys(row)))

    count, shape = shapes.shape(keys)[0], shapes.shape(keys)[1:]
    start = tf.broadcast_to(tf.range(tf.cast(shape[-1], tf.int64)), shapes.shape_tensor(shape))
    start = tf.ensure_shape(start, keys.shape[1:])
    _, order = tf.while_loop(lambda index, _: index < count, sort_by, (tf.constant(0), start))
    return layout.move_axis(order, rank - 1, axis)


_MAX_UNROLLED_KEYS: Final = 16
_SHAPE_MESSAGE = "all keys need to be the same shape"


def _unstack_keys(keys: Any) -> list[tf.Tensor]:
    """Return the keys of `lexsort` as tensors. Raise NumPy's TypeError if there are none."""
    if isinstance(keys, list | tuple):
        rows = [to_tensor(key) for key in keys]
    else:
        tensor = to_tensor(keys)
        rank = shapes.rank(tensor)
        rows = list(tf.unstack(tensor if rank > 1 else tensor[:1])) if rank else []  # one scalar is as good as many
    if not rows:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    return rows


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def partition(
    a: ArrayLike, kth: ArrayLike, axis: IntLike | None = -1, kind: str = "introselect", order: Any = None
) -> tf.Tensor:
    """Return the array fully sorted, except long arrays in eager mode. `kind` has no effect.

    A `kth` out of bounds raises ValueError where it is static; otherwise it is not checked.
    """
    a = to_tensor(a)
    axis = None if axis is None else shapes.as_int(axis)
    if axis is not None and shapes.rank(a) == 0:
        raise AxisError(axis, 0)
    a = _check_kth(a, kth, axis, kind, order)
    if sort_keys.is_sorted_by_numpy(a):
        return convert.as_constant(np.partition(a._numpy(), convert.static_value(apply_conversion(kth)), axis))
    if (indices := _partition_indices(a, kth, axis)) is None:
        return sort(a, axis)
    a, axis = flatten_without_axis(a, axis)
    last = shapes.rank(a) - 1
    rows = sort_keys.gather_rows(layout.move_axis(a, axis, last), layout.move_axis(indices, axis, last))
    return layout.move_axis(rows, last, axis)


@array_function(unknown_rank="each", traces=("a",))
def argpartition(
    a: ArrayLike, kth: ArrayLike, axis: IntLike | None = -1, kind: str = "introselect", order: Any = None
) -> tf.Tensor:
    """Return the indices that sort the array, except of long arrays in eager mode. `kind` has no effect.

    A `kth` out of bounds raises ValueError where it is static; otherwise it is not checked.
    """
    a = to_tensor(a)
    a = _check_kth(a, kth, axis, kind, order)
    indices = _partition_indices(a, kth, axis)
    return argsort(a, axis) if indices is None else indices


def _partition_indices(a: tf.Tensor, kth: Any, axis: int | None) -> tf.Tensor | None:
    """Return indices that partition a long array of real numbers in eager mode; None for others, which are sorted."""
    if not is_long(a) or a.dtype.is_complex or a.dtype == tf.string:
        return None
    positions = convert.static_value(apply_conversion(kth))
    return convert.as_constant(np.argpartition(sort_keys.key(a)._numpy(), positions, axis))


def _check_kth(a: tf.Tensor, kth: Any, axis: Any, kind: Any, order: Any) -> tf.Tensor:
    """Let NumPy check `kth`, `kind` and `order`, on an axis of the same length. Return the array."""
    kth = apply_conversion(kth)
    static = convert.static_value(kth)
    if isinstance(kth, tf.Tensor | tf.Variable) and static is None:
        if not kth.dtype.is_integer:
            raise TypeError("Partition index must be integer")
        return a
    index = 0 if axis is None else shapes.as_int_not_bool(axis)
    is_flattened = axis is None or (shapes.rank(a) == 0 and index in (0, -1))
    dim = a.shape.num_elements() if is_flattened else a.shape[shapes.normalize_axis(index, shapes.rank(a))]
    if dim is not None:
        dim = 0 if a.shape.num_elements() == 0 else dim  # NumPy checks nothing then
        np.partition(np.broadcast_to(np.int8(0), (dim,)), static, kind=kind, order=order)
        return a
    indices = np.asarray(static)
    np.partition(np.zeros(1, np.int8), np.zeros(indices.shape, indices.dtype), kind=kind, order=order)
    length = tf.cast(
        tf.size(a) if is_flattened else shapes.shape(a)[shapes.normalize_axis(index, shapes.rank(a))], tf.int64
    )
    indices = tf.constant(indices.astype(np.int64))
    is_valid = tf.reduce_all((indices < length) & (indices >= -length)) | tf.equal(tf.size(a), 0)
    return check(is_valid, ValueError("kth out of bounds"), a)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def sort_complex(a: ArrayLike) -> tf.Tensor:
    """Integers of 8 and 16 bits become complex64; other integers and all floats complex128, as in NumPy."""
    a = sort(a)
    if a.dtype.is_complex:
        return a
    return convert.cast(a, tf.complex64 if a.dtype in _COMPLEX64_INTEGERS else tf.complex128)
