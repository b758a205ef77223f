"""Functions that read and change shapes, and broadcast arrays."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, errors, layout, ops, shapes
from tfnp._core.arguments import check_copy, is_columns_first
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, rank_of, size_of
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, AxisLike, ShapeLike
from tfnp._core.tensor_conversion import is_tensor

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "ndim",
    "ravel",
    "reshape",
    "shape",
    "size",
    "squeeze",
]

_reshape = ops.reshape
_expand_dims = ops.expand_dims
_squeeze = ops.squeeze
_C_ORDER: Final = "C"
_BROADCAST_RANK: Final = 5
"""The rank up to which TensorFlow's kernel broadcasts."""


def shape(a: ArrayLike) -> tuple[shapes.Dim, ...]:
    """Return a tuple of ints; in place of a dimension that is unknown while tracing it has a scalar int32 tensor. The
    rank must be static.
    """
    return np.shape(a) if _has_numpy_shape(a) else shapes.shape(to_tensor(a))


def _has_numpy_shape(a: Any) -> bool:
    """Return whether NumPy reads the shape: of arrays, scalars, and values that no tensor can hold."""
    return not (is_tensor(a) or isinstance(a, list | tuple))


def size(a: ArrayLike, axis: AxisLike = None) -> shapes.Dim:
    """Return a Python int, or a scalar int32 tensor where the size is unknown while tracing."""
    if _has_numpy_shape(a):
        return np.size(a, axis)
    a = to_tensor(a)
    if axis is None:
        return shapes.size(a)
    axes = axis if np.iterable(axis) else (shapes.as_int(axis),)
    shape = shapes.shape(a)
    return layout.product([shape[index] for index in shapes.normalize_axes(axes, len(shape))])


def ndim(a: ArrayLike) -> int:
    """Return a Python int. The rank must be static."""
    return np.ndim(a) if _has_numpy_shape(a) else shapes.rank(to_tensor(a))


def reshape(a: ArrayLike, /, shape: ShapeLike, order: str = _C_ORDER, *, copy: bool | None = None) -> tf.Tensor:
    """`shape` may contain scalar tensors. In a graph, one dimension of None, as in `x.shape`, counts as -1.

    Tensors are stored in C order: `order="F"` moves elements, and with `copy=False` raises ValueError.
    """
    if type(shape) is int:
        shape = (shape,)
    if type(a) is EagerTensor and order is _C_ORDER and copy is None and _is_int_tuple(shape):
        dims = shapes.CONST_INTS.get(shape)
        try:
            return _reshape(a, shapes.const_int(shape) if dims is None else dims)
        except errors.TENSORFLOW_ERRORS:
            pass
    return _reshape_any(a, shape, order, copy)


def _is_int_tuple(shape: Any) -> bool:
    """Return whether the shape is a tuple of Python ints that TensorFlow checks as NumPy does: the common case.

    It is not where a dimension is 0: TensorFlow infers a -1 beside it, NumPy raises.
    """
    if type(shape) is not tuple or dtypes.promotion.weakens or not tf.executing_eagerly():
        return False
    for dim in shape:
        if type(dim) is not int or dim == 0 or dim < -1:
            return False
    return len(shape) <= shapes.MAX_RANK


@array_function(promotes=("a",), unknown_rank="each")
def _reshape_any(a: Any, shape: Any, order: Any, copy: Any) -> tf.Tensor:
    """Reshape any array-like, with any options."""
    a = to_tensor(a)
    check_copy(copy)
    columns_first = is_columns_first(order)
    if columns_first and copy is False and a.shape.rank is not None and a.shape.rank > 1:
        a = _check_no_copy(a, shape)
    if shape is None:
        return a
    shape = _replace_unknown_dim(shape)
    dims = tuple(-1 if isinstance(dim, int) and dim < 0 else dim for dim in shapes.as_shape(shape, "newshape"))
    if isinstance(order, str) and order in "Kk":
        raise ValueError("order 'K' is not permitted for reshaping")
    if not columns_first:
        return shapes.reshape(a, dims)
    return _reverse_axes(shapes.reshape(_reverse_axes(a), dims[::-1]))


def _replace_unknown_dim(shape: Any) -> Any:
    """Replace None, a dimension of a tensor's `shape` that is unknown while tracing, by -1 if there is only one."""
    if tf.executing_eagerly() or not isinstance(shape, tuple | list | tf.TensorShape):
        return shape
    if isinstance(shape, tf.TensorShape) and shape.rank is None:
        return shape
    unknown = [dim for dim in shape if dim is None or (isinstance(dim, int) and dim < 0)]
    return tuple(-1 if dim is None else dim for dim in shape) if unknown == [None] else shape


def _check_no_copy(a: tf.Tensor, shape: Any) -> tf.Tensor:
    """Check that no element moves when an array in C order is reshaped in F order.

    Where the shape is not static, at most one dimension may be longer than 1.
    """
    dims = convert.static_value(shape)
    if not a.shape.is_fully_defined() or dims is None:
        is_vector = tf.math.count_nonzero(tf.shape(a) > 1) <= 1
        message = "Unable to avoid creating a copy while reshaping: tensors are stored by rows"
        return check(is_vector, ValueError(message), a)
    strides = tuple(math.prod(a.shape[axis + 1 :]) for axis in range(a.shape.rank))
    np.lib.stride_tricks.as_strided(np.zeros(1, np.int8), tuple(a.shape), strides).reshape(dims, order="F", copy=False)
    return a


def _reverse_axes(a: tf.Tensor) -> tf.Tensor:
    return layout.transpose(a, tuple(range(shapes.rank(a) - 1, -1, -1)))


@array_function(promotes=("a",), unknown_rank="each")
def ravel(a: ArrayLike, order: str = _C_ORDER) -> tf.Tensor:
    """Return a copy-free reshape for C order; `order="F"` transposes first."""
    if type(a) is EagerTensor and order is _C_ORDER and size_of(a) and enum_of(a) in dtypes.BY_ENUM:
        return _reshape(a, shapes.const_int((-1,)))
    a = to_tensor(a)
    if is_columns_first(order):
        a = _reverse_axes(a)
    return _reshape(a, shapes.const_int((-1,))) if a.shape.num_elements() != 0 else tf.reshape(a, (0,))


def flatten_without_axis(a: tf.Tensor, axis: Any) -> tuple[tf.Tensor, int]:
    """Return the array and the normalized axis; without an axis, the flattened array and 0.

    A scalar counts as a vector of one element, as in NumPy.
    """
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    if axis is None or (shapes.rank(a) == 0 and axis in (0, -1)):
        return ravel(a), 0
    return a, shapes.normalize_axis(axis, shapes.rank(a))


@array_function(weak="each")
def atleast_1d(*arys: ArrayLike) -> tf.Tensor | tuple[tf.Tensor, ...]:
    """Return one tensor for one argument, else a tuple. Arguments may have unknown ranks."""
    if len(arys) == 1 and type(arys[0]) is EagerTensor and rank_of(arys[0]) >= 1:
        return to_tensor(arys[0])
    return _unpack_single([shapes.pad_rank(to_tensor(ary), 1) for ary in arys])


@array_function(weak="each")
def atleast_2d(*arys: ArrayLike) -> tf.Tensor | tuple[tf.Tensor, ...]:
    """Return one tensor for one argument, else a tuple. Arguments may have unknown ranks."""
    if len(arys) == 1 and type(arys[0]) is EagerTensor and (rank := rank_of(arys[0])) >= 1:
        return to_tensor(arys[0]) if rank > 1 else _expand_dims(to_tensor(arys[0]), shapes.const_int(0))
    return _unpack_single([shapes.pad_rank(to_tensor(ary), 2) for ary in arys])


@array_function(weak="each")
def atleast_3d(*arys: ArrayLike) -> tf.Tensor | tuple[tf.Tensor, ...]:
    """Return one tensor for one argument, else a tuple. Arguments may have unknown ranks."""
    return _unpack_single([_pad_rank_to_3(to_tensor(ary)) for ary in arys])


@array_function(unknown_rank="each")
def _pad_rank_to_3(a: tf.Tensor) -> tf.Tensor:
    if shapes.rank(a) == 2:
        return _expand_dims(a, shapes.const_int(2))
    return a if shapes.rank(a) > 2 else _expand_dims(shapes.pad_rank(a, 2), shapes.const_int(2))


def _unpack_single(results: list[tf.Tensor]) -> tf.Tensor | tuple[tf.Tensor, ...]:
    return results[0] if len(results) == 1 else tuple(results)


@array_function(promotes=("array",), unknown_rank="broadcast")
def broadcast_to(array: ArrayLike, shape: ShapeLike, subok: bool = False) -> tf.Tensor:
    """Return a tensor that holds every repeated element: it is no view. `subok` has no effect."""
    if type(array) is EagerTensor and _is_int_tuple(shape) and len(shape) <= _BROADCAST_RANK and -1 not in shape:
        shapes.check_memory(shape, array.dtype)
        try:
            return ops.broadcast_to(array, shapes.const_int(shape))
        except errors.TENSORFLOW_ERRORS:
            pass  # below, NumPy's error is raised
    array = to_tensor(array)
    dims = shapes.as_shape(shape, "broadcast_to")
    if any(isinstance(dim, int) and dim < 0 for dim in dims):
        raise ValueError("all elements of broadcast shape must be non-negative")
    shapes.check_memory(dims, array.dtype)
    return shapes.broadcast_to(array, dims)


@array_function(weak="each", unknown_rank="broadcast")
def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[tf.Tensor, ...]:
    """Return new tensors, not views: they need memory for every repeated element. `subok` has no effect."""
    tensors = [to_tensor(arg) for arg in args]
    shape = shapes.broadcast_shapes(*(shapes.shape(tensor) for tensor in tensors))
    return tuple(shapes.broadcast_to(tensor, shape) for tensor in tensors)


def broadcast_shapes(*args: Any) -> tuple[shapes.Dim, ...]:
    """Shapes may contain scalar tensors for dimensions that are unknown while tracing; so may the result."""
    if any(isinstance(arg, tf.Tensor) and convert.static_value(arg) is None for arg in args):
        raise requires_static("the length of a shape", "broadcast_shapes")
    if all(isinstance(convert.static_value(arg), tuple | list | int | np.integer) for arg in args):
        shape = [shapes.as_shape(arg) for arg in args]
        if not all(map(shapes.is_static, shape)):
            return shapes.broadcast_shapes(*shape)
    return np.broadcast_shapes(
        *(np.asarray(_as_static_shape(arg)) if isinstance(arg, tf.Tensor) else arg for arg in args)
    )


def _as_static_shape(tensor: tf.Tensor) -> Any:
    """Return the static value of a tensor. Raise TypeError for text."""
    if tensor.dtype == tf.string:
        raise TypeError("expected a sequence of integers or a single integer, got text")
    return convert.static_value(tensor)


@array_function(promotes=("a",), unknown_rank="each")
def expand_dims(a: ArrayLike, axis: AxisLike) -> tf.Tensor:
    """`axis` must be static. The tensor may have an unknown rank."""
    if type(axis) is int:
        if type(a) is not EagerTensor:
            a = to_tensor(a)
        try:
            return _expand_dims(a, shapes.const_int(axis))
        except (*errors.TENSORFLOW_ERRORS, ValueError):
            raise errors.AxisError(axis, shapes.rank(a) + 1) from None
    a = to_tensor(a)
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    rank = len(axes) + shapes.rank(a)
    new_axes = shapes.normalize_axes(axes, rank)
    dims = iter(shapes.shape(a))
    return shapes.reshape(a, tuple(1 if index in new_axes else next(dims) for index in range(rank)))


@array_function(promotes=("a",), unknown_rank="each")
def squeeze(a: ArrayLike, axis: AxisLike = None) -> tf.Tensor:
    """Without `axis`, dimensions that are unknown while tracing leave the rank of the result unknown.

    A dimension in `axis` that is unknown while tracing is checked when the graph runs.
    """
    if type(a) is not EagerTensor:
        a = to_tensor(a)
    if axis is None:
        return _squeeze(a)
    if isinstance(axis, list | bool | bytes | str):
        raise TypeError(f"{type(axis).__name__!r} object cannot be interpreted as an integer")
    rank = shapes.rank(a)
    if rank == 0 and not isinstance(axis, tuple) and shapes.as_int(axis) in (0, -1):
        return a
    axes = shapes.normalize_axes(axis, rank)
    if any(a.shape[index] not in (1, None) for index in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return _squeeze(a, axes) if axes else a
