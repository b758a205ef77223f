"""Axes, shapes and broadcasting: static where possible, dynamic where not.

A shape is a tuple whose dimensions are Python ints where they are static, and scalar int32 tensors where they are
dynamic. Ranks must be static unless a function says otherwise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops
from tfnp._core.checks import check
from tfnp._core.eager_tensors import EagerTensor, executing_eagerly, host_tensor, rank_of, shape_of, size_of
from tfnp._core.errors import AxisError, requires_static, requires_static_rank, unknown_dim_error

Dim: TypeAlias = "int | tf.Tensor"
MAX_RANK: Final = 64  # NumPy's


def rank(tensor: tf.Tensor) -> int:
    """Return the rank, which must be static: what a function does may depend on it."""
    if type(tensor) is EagerTensor:
        return rank_of(tensor)
    static = tensor.shape.rank
    if static is None:
        raise requires_static_rank("the rank of a tensor")
    return static


def set_unknown_rank(tensor: tf.Tensor, expected: int) -> tf.Tensor:
    """Return the tensor; an unknown rank becomes the expected one, which is checked when the graph runs."""
    if tensor.shape.rank is not None:
        return tensor
    return tf.reshape(tensor, tf.ensure_shape(tf.shape(tensor), [expected]))


def shape(tensor: tf.Tensor) -> tuple[Dim, ...]:
    """Return the shape of a tensor of static rank: ints where static, scalar tensors where not."""
    if type(tensor) is EagerTensor:
        return shape_of(tensor)
    static = tensor.shape
    if static.is_fully_defined():
        return tuple(static)
    shape = tf.unstack(tf.shape(tensor), num=rank(tensor))
    return tuple(shape[axis] if dim is None else dim for axis, dim in enumerate(static))


def size(tensor: tf.Tensor) -> Dim:
    """Return the number of elements: an int where static, else a scalar tensor."""
    static = tensor.shape.num_elements()
    return tf.size(tensor) if static is None else static


def max_dim(first: Dim, second: Dim) -> Dim:
    """Return the larger of two dimensions."""
    return max(first, second) if isinstance(first, int) and isinstance(second, int) else tf.maximum(first, second)


def is_static(shape: Sequence[Dim]) -> bool:
    """Return whether all dimensions are Python ints."""
    return all(isinstance(dim, int) for dim in shape)


def as_shape(value: Any, what: str = "shape") -> tuple[Dim, ...]:
    """Convert a shape argument: an int, a sequence of ints, or a 1-D integer tensor of static length.

    Raise NumPy's errors. `what` is the name of the argument in them.
    """
    if type(value) is tuple and _are_dims(value):
        return value
    if isinstance(value, tf.TensorShape):
        if value.rank is None:
            raise TypeError(str(requires_static_rank(f"the rank of `{what}`")))
        value = value.as_list()
    static = convert.static_value(value)
    if isinstance(value, tf.Tensor) and not value.dtype.is_integer:
        raise TypeError(f"expected a sequence of integers or a single integer, got an array of {value.dtype.name}")
    if static is None and isinstance(value, tf.Tensor):
        return (value,) if value.shape.rank == 0 else _unstack_dims(value, what)
    if static is None and not executing_eagerly():
        raise unknown_dim_error()
    if isinstance(static, bool | np.bool_) or static is None:
        raise TypeError(f"expected a sequence of integers or a single integer, got {static!r}")
    shape = tuple(_as_dim(item) for item in (static if np.iterable(static) else (static,)))
    if len(shape) > MAX_RANK:
        raise ValueError(f"maximum supported dimension for an ndarray is {MAX_RANK}, found {len(shape)}")
    if any(isinstance(dim, int) and dim < 0 for dim in shape) and what == "shape":
        raise ValueError("negative dimensions are not allowed")
    return shape


def check_memory(shape: tuple[Dim, ...], dtype: tf.DType) -> None:
    """Raise NumPy's MemoryError or ValueError for an array too large for this machine, in eager mode.

    TensorFlow waits ten seconds for other threads to release memory. NumPy only reserves addresses.
    """
    if executing_eagerly() and dtype != tf.string and is_static(shape):
        np.empty(shape, dtype.as_numpy_dtype)


def _are_dims(values: tuple[Any, ...]) -> bool:
    """Return whether all values are Python ints that a shape may have: the common case."""
    for value in values:
        if type(value) is not int or value < 0:
            return False
    return len(values) <= MAX_RANK


def _unstack_dims(vector: tf.Tensor, what: str) -> tuple[tf.Tensor, ...]:
    """Return the elements of a shape that is a tensor."""
    if vector.shape.rank != 1 or vector.shape[0] is None:
        raise requires_static(f"the length of `{what}`")
    return tuple(tf.unstack(vector))


def _as_dim(value: Any) -> Dim:
    """Return a dimension as a Python int, or as the tensor that it is."""
    static = convert.static_value(value)
    if static is None and isinstance(value, tf.Tensor):
        return value
    if isinstance(static, bool | np.bool_):
        raise TypeError("an integer is required, not a bool")
    return _as_index(static)


def _as_index(value: Any) -> int:
    """Return a Python int. None is most likely an unknown dimension, which the error explains."""
    if value is None and not executing_eagerly():
        raise unknown_dim_error()
    return operator.index(value)


def shape_tensor(shape: Sequence[Dim]) -> Any:
    """Return a shape as an argument of an op: `const_int` of static dimensions, else an int32 tensor."""
    if is_static(shape):
        return const_int(tuple(shape))
    return tf.stack([tf.cast(dim, tf.int32) for dim in shape])


CONST_INTS: Final[dict[Any, tf.Tensor]] = {}
"""The tensors that `const_int` has made for eager ops."""
_MAX_CONST_INTS: Final = 4096
_MAX_INT32: Final = 2**31 - 1


def const_int(values: Any) -> Any:
    """Return an int or a tuple of ints as an argument of an op: a shape, an axis or a permutation.

    In eager mode this is a cached tensor on the host, since TensorFlow is slow to convert a tuple; in a graph an array.
    """
    if not executing_eagerly():
        return _make_int_array(values)
    tensor = CONST_INTS.get(values)
    return _make_const_int(values) if tensor is None else tensor


def _make_const_int(values: Any) -> tf.Tensor:
    if len(CONST_INTS) >= _MAX_CONST_INTS:
        CONST_INTS.clear()
    tensor = CONST_INTS[values] = host_tensor(_make_int_array(values))
    return tensor


def _make_int_array(values: Any) -> np.ndarray:
    """Return an array of int32, or of int64 where a value needs it."""
    is_short = all(-_MAX_INT32 <= value <= _MAX_INT32 for value in (values if isinstance(values, tuple) else (values,)))
    return np.array(values, np.int32 if is_short else np.int64)


def normalize_axis(axis: Any, ndim: int, name: str | None = None) -> int:
    """Return an axis as an index from 0 to ndim - 1. Raise AxisError, or TypeError if it is not an integer."""
    index = axis if type(axis) is int else as_int(axis)
    if not -ndim <= index < ndim:
        raise AxisError(index, ndim, name)
    return index % ndim if ndim else 0


def normalize_axes(axes: Any, ndim: int, name: str | None = None, *, allow_duplicate: bool = False) -> tuple[int, ...]:
    """Return the axes that an int or a sequence of ints names, from 0 to ndim - 1; None names all.

    Raise AxisError for an axis out of bounds, ValueError for duplicates.
    """
    if axes is None:
        return tuple(range(ndim))
    if type(axes) is int:
        return (normalize_axis(axes, ndim, name),)
    static = convert.static_value(axes)
    if static is None:
        as_int(axes)  # raises
    items = static if isinstance(static, tuple | list | str | bytes) or np.ndim(static) == 1 else (static,)
    normal = tuple(normalize_axis(axis, ndim, name) for axis in items)
    if len(set(normal)) != len(normal) and not allow_duplicate:
        raise ValueError("repeated axis" if name is None else f"repeated axis in `{name}` argument")
    return normal


def check_single_axis(axes: Iterable[Any], rank: int, what: str) -> None:
    """Raise ValueError where a collection does not name a single axis, as `moveaxis` does."""
    if len(normalize_axes(tuple(axes), rank, what)) != 1:
        raise ValueError("`source` and `destination` arguments must have the same number of elements")


def as_int_not_bool(value: Any) -> int:
    """Return an integer argument as a Python int. Raise TypeError for a bool, as NumPy does for axes and lengths."""
    if isinstance(value, bool | np.bool_):
        raise TypeError(f"an integer is required, not the bool {value}")
    return as_int(value)


def as_int(value: Any) -> int:
    """Return an integer argument as a Python int. It may be a NumPy scalar, or a tensor with a static value."""
    static = convert.static_value(value)
    if static is None and isinstance(value, tf.Tensor):
        raise requires_static("an integer argument that decides a shape")
    return _as_index(static)


def broadcast_shapes(*shapes: Sequence[Dim]) -> tuple[Dim, ...]:
    """Return the common shape. Raise NumPy's ValueError where static dimensions do not match."""
    ndim = max(map(len, shapes), default=0)
    return tuple(_broadcast_dims([s[i - ndim] for s in shapes if len(s) >= ndim - i], shapes) for i in range(ndim))


def _broadcast_dims(dims: list[Dim], shapes: tuple[Sequence[Dim], ...]) -> Dim:
    static = {dim for dim in dims if isinstance(dim, int)} - {1}
    if len(static) > 1:
        raise ValueError("operands could not be broadcast together with shapes " + " ".join(map(format_shape, shapes)))
    if static:
        return static.pop()
    unknown = [dim for dim in dims if not isinstance(dim, int)]
    result: Dim = 1
    for dim in unknown:
        result = dim if isinstance(result, int) else tf.where(tf.equal(result, 1), dim, result)
    return result


def format_shape(shape: Sequence[Dim]) -> str:
    """Return a shape as text, as NumPy's messages have it: (2,3)."""
    text = ",".join(str(dim) if isinstance(dim, int) else "?" for dim in shape)
    return f"({text},)" if len(shape) == 1 else f"({text})"


def broadcast_to(tensor: tf.Tensor, target: Sequence[Dim]) -> tf.Tensor:
    """Broadcast a tensor of any rank and dtype.

    TensorFlow's BroadcastTo supports ranks up to 5, in some cases 8; above, the tensor is tiled.
    """
    if type(tensor) is not EagerTensor and tensor.shape.rank is None:
        tensor = pad_shape(tensor, len(target))
    x_shape = shape(tensor)
    if _are_equal(x_shape, target):
        return tensor
    static = is_static(x_shape) and is_static(target)
    if len(x_shape) > len(target) or (static and not _are_equal(broadcast_shapes(x_shape, target), target)):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{format_shape(x_shape)} and requested shape {format_shape(target)}"
        )
    x_shape = (1,) * (len(target) - len(x_shape)) + x_shape
    if len(target) <= 5:
        if is_static(target):
            return ops.broadcast_to(tensor, const_int(tuple(target)))
        return tf.broadcast_to(tensor, shape_tensor(target))
    counts = list(map(_count_repeats, x_shape, target))
    if not static:  # tiling an empty tensor would hide that shapes do not match
        tensor = check_broadcastable_to(tensor, target, "operands could not be broadcast together")
    return tile(tf.reshape(tensor, shape_tensor(x_shape)), counts)


def check_broadcastable_to(tensor: tf.Tensor, dims: Sequence[Dim], message: str) -> tf.Tensor:
    """Check, when the graph runs, that a tensor can be broadcast to a shape; return the tensor.

    The kernels themselves do not check empty tensors. If the rank of the tensor is static, it must not be above that of
    the shape.
    """
    if tensor.shape.rank is None:
        x_shape, target = tf.shape(tensor), shape_tensor(dims)
        extra = tf.size(target) - tf.size(x_shape)
        x_shape = tf.concat([tf.ones([tf.maximum(extra, 0)], tf.int32), x_shape[tf.maximum(-extra, 0) :]], 0)
        is_valid = (extra >= 0) & tf.reduce_all((x_shape == 1) | (x_shape == target))
    else:
        static_shape = shape(tensor)
        x_shape, target = shape_tensor(static_shape), shape_tensor(dims[len(dims) - len(static_shape) :])
        is_valid = tf.reduce_all((x_shape == 1) | (x_shape == target))
    return check(is_valid, ValueError(message), tensor)


def check_vector(array: tf.Tensor) -> None:
    """Raise NumPy's ValueError for an array that is not 1-D."""
    if rank(array) != 1:
        raise ValueError(f"object of too {'deep' if rank(array) else 'small'} depth for desired array")


def check_length(vector: tf.Tensor, dim: Dim, message: str) -> tf.Tensor:
    """Check the length of a vector; return the vector."""
    if isinstance(dim, int) and vector.shape[0] == dim:
        return vector
    is_valid = tf.equal(tf.size(vector, tf.int64), tf.cast(dim, tf.int64))
    return check(is_valid, ValueError(message), vector)


def check_same_shape(other: tf.Tensor, tensor: tf.Tensor, message: str) -> tf.Tensor:
    """Check, when the graph runs, that a tensor has the shape of another one of its rank; return the tensor."""
    if tensor.shape.is_fully_defined() and other.shape.is_fully_defined():
        return tensor
    return check(tf.reduce_all(tf.equal(tf.shape(tensor), tf.shape(other))), ValueError(message), tensor)


def pad_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """Add leading dimensions of length one, up to a rank; a tensor of a higher rank is returned as it is."""
    if tensor.shape.rank is not None:
        missing = rank - tensor.shape.rank
        return reshape(tensor, (1,) * missing + shape(tensor)) if missing > 0 else tensor
    extra = tf.maximum(rank - tf.rank(tensor), 0)
    return tf.reshape(tensor, tf.concat([tf.ones(tf.expand_dims(extra, 0), tf.int32), tf.shape(tensor)], 0))


def pad_shape(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """Pad a tensor of unknown rank to the given rank; fail when the graph runs if its rank is greater."""
    return tf.ensure_shape(pad_rank(tensor, rank), [None] * rank)


def drop_leading_ones(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """Remove leading dimensions of one beyond a rank, as assignment does; an unknown one is checked when the graph
    runs.

    The result has a higher rank if another dimension is in the way.
    """
    if tensor.shape.rank is None:
        extra = tf.maximum(tf.rank(tensor) - rank, 0)
        return pad_shape(tf.reshape(tensor, tf.shape(tensor)[extra:]), rank)
    while tensor.shape.rank > rank and tensor.shape[0] in (1, None):
        tensor = tf.squeeze(tensor, [0])
    return tensor


def _are_equal(first: Sequence[Dim], second: Sequence[Dim]) -> bool:
    """Return whether two shapes are certainly equal. Tensors are compared by identity: their `==` is elementwise."""
    return len(first) == len(second) and all(
        a is b or (isinstance(a, int) and isinstance(b, int) and a == b) for a, b in zip(first, second, strict=True)
    )


def _count_repeats(dim: Dim, target: Dim) -> Dim:
    """Return how often a dimension is repeated to broadcast it to the target."""
    if isinstance(dim, int):
        return target if dim == 1 else 1
    return tf.where(tf.equal(dim, 1), target, 1)


def tile(tensor: tf.Tensor, counts: Sequence[Dim]) -> tf.Tensor:
    """Tile a tensor of any dtype. TensorFlow's Tile has no kernel for uint16, which is tiled as int16."""
    if tensor.dtype == tf.uint16:
        return ops.bitcast(tf.tile(ops.bitcast(tensor, tf.int16), shape_tensor(counts)), tf.uint16)
    if is_static(counts):
        return ops.tile(tensor, const_int(tuple(counts)))
    return tf.tile(tensor, shape_tensor(counts))


def reshape(tensor: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    """Reshape, with one dimension at most of -1. Raise NumPy's ValueError where static shapes do not match."""
    count = size_of(tensor) if type(tensor) is EagerTensor else tensor.shape.num_elements()
    if count is not None and is_static(shape) and not _fits(count, shape):
        raise ValueError(f"cannot reshape array of size {count} into shape {format_shape(shape)}")
    return view(tensor, shape)


def view(tensor: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    """Reshape to as many elements, which is not checked here."""
    return ops.reshape(tensor, const_int(tuple(shape))) if is_static(shape) else tf.reshape(tensor, shape_tensor(shape))


def _fits(count: int, shape: Sequence[Dim]) -> bool:
    """Return whether so many elements fill a static shape, which may have one -1."""
    free = [dim for dim in shape if dim == -1]
    if len(free) > 1:
        raise ValueError("can only specify one unknown dimension")
    others = math.prod(dim for dim in shape if dim != -1)
    return (count % others == 0 if others else False) if free else count == others
