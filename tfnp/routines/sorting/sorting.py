"""Elements in order. Sorting is stable here, whatever `kind` is asked for; nan comes last."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import AxisError
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._kernels.sort import sort_keys
from tfnp.routines.manipulation.shaping import ravel

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]

_SMALL: Final = (tf.int8, tf.int16, tf.uint8, tf.uint16)


@array_function(promotes=("a",), unknown_rank="each")
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> tf.Tensor:
    a = to_tensor(a)
    axis = None if axis is None else shapes.as_int(axis)
    if axis is not None and shapes.rank(a) == 0:
        raise AxisError(axis, 0)
    a, number = _checked(a, axis, kind, order, stable)
    a = layout.move_axis(a, number, shapes.rank(a) - 1)
    if a.shape[-1] not in (0, 1):
        a = sort_keys.gather_rows(a, sort_keys.stable_order(sort_keys.keys(a)))
    return layout.move_axis(a, shapes.rank(a) - 1, number)


@array_function(unknown_rank="each")
def argsort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> tf.Tensor:
    a, number = _checked(to_tensor(a), axis, kind, order, stable)
    a = layout.move_axis(a, number, shapes.rank(a) - 1)
    return layout.move_axis(sort_keys.stable_order(sort_keys.keys(a)), shapes.rank(a) - 1, number)


def _checked(a: tf.Tensor, axis: Any, kind: Any, order: Any, stable: Any) -> tuple[tf.Tensor, int]:
    """The array, flattened where there is no axis, and the axis. A number is taken for a vector of one element."""
    number = None if axis is None else shapes.as_int_not_bool(axis)
    if kind is not None or order is not None or stable is not None:
        np.sort(np.zeros(1), kind=kind, order=order, stable=stable)
    if number is None or (shapes.rank(a) == 0 and number in (0, -1)):
        return ravel(a), 0
    return a, shapes.normalize_axis(number, shapes.rank(a))


@array_function(unknown_rank="each")
def lexsort(keys: Any, axis: Any = -1) -> tf.Tensor:
    """The last key is the most telling."""
    number = shapes.as_int(axis)
    rows = _rows(keys)
    if any(row.shape.rank != rows[0].shape.rank or not row.shape.is_compatible_with(rows[0].shape) for row in rows):
        raise ValueError(_UNLIKE)
    rows = [rows[0], *[shapes.check_same_shape(rows[0], row, _UNLIKE) for row in rows[1:]]]
    rank = shapes.rank(rows[0])
    if rank == 0 and number in (0, -1):
        return tf.zeros((), tf.int64)
    number = shapes.normalize_axis(number, rank)
    rows = [layout.move_axis(row, number, rank - 1) for row in rows]
    telling = tuple(key for row in reversed(rows) for key in sort_keys.keys(row))
    return layout.move_axis(sort_keys.stable_order(telling), rank - 1, number)


_UNLIKE = "all keys need to be the same shape"


def _rows(keys: Any) -> list[tf.Tensor]:
    if isinstance(keys, list | tuple):
        rows = [to_tensor(key) for key in keys]
    else:
        whole = to_tensor(keys)
        rows = list(tf.unstack(whole)) if shapes.rank(whole) else []
    if not rows:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    return rows


@array_function(promotes=("a",), unknown_rank="each")
def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> tf.Tensor:
    """Fully sorted, which is one of the partitions."""
    a = to_tensor(a)
    axis = None if axis is None else shapes.as_int(axis)
    if axis is not None and shapes.rank(a) == 0:
        raise AxisError(axis, 0)
    return sort(_with_kth(a, kth, axis, kind, order), axis)


@array_function(unknown_rank="each")
def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None) -> tf.Tensor:
    """Fully sorted, which is one of the partitions."""
    a = to_tensor(a)
    return argsort(_with_kth(a, kth, axis, kind, order), axis)


def _with_kth(a: tf.Tensor, kth: Any, axis: Any, kind: Any, order: Any) -> tf.Tensor:
    """The same array. NumPy is asked what it makes of the arguments, on one axis of the same length."""
    kth = apply_conversion(kth)
    static = convert.static_value(kth)
    if isinstance(kth, tf.Tensor | tf.Variable) and static is None:
        if not (kth.dtype.is_integer):
            raise TypeError("Partition index must be integer")
        return a
    number = 0 if axis is None else shapes.as_int_not_bool(axis)
    whole = axis is None or (shapes.rank(a) == 0 and number in (0, -1))
    dim = a.shape.num_elements() if whole else a.shape[shapes.normalize_axis(number, shapes.rank(a))]
    if dim is not None:
        dim = 0 if a.shape.num_elements() == 0 else dim  # then NumPy looks at no place
        np.partition(np.broadcast_to(np.int8(0), (dim,)), static, kind=kind, order=order)
        return a
    indices = np.asarray(static)
    np.partition(np.zeros(1, np.int8), np.zeros(indices.shape, indices.dtype), kind=kind, order=order)
    length = tf.cast(tf.size(a) if whole else shapes.shape(a)[shapes.normalize_axis(number, shapes.rank(a))], tf.int64)
    indices = tf.constant(indices.astype(np.int64))
    is_valid = tf.reduce_all((indices < length) & (indices >= -length)) | tf.equal(tf.size(a), 0)
    with tf.control_dependencies([tf.debugging.Assert(is_valid, ["kth out of bounds", indices])]):
        return tf.identity(a)


@array_function(promotes=("a",), unknown_rank="each")
def sort_complex(a: Any) -> tf.Tensor:
    """Along the last axis; integers of 8 and 16 bits become complex64, all others, and all floats, complex128."""
    a = sort(a)
    if a.dtype.is_complex:
        return a
    return convert.cast(a, tf.complex64 if a.dtype in _SMALL else tf.complex128)
