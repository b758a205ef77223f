"""Axes, shapes and broadcasting: static where possible, dynamic where not.

A *shape* here is a tuple whose items are Python ints where they are known and 0-d int32 tensors where they are not, so
that what is known stays known. Ranks must be known unless a function says otherwise.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import tensorflow as tf

from tfnp._core import convert
from tfnp._core.errors import AxisError, unknown_dim_error

Dim: TypeAlias = "int | tf.Tensor"
MAX_RANK: Final = 64  # NumPy's


def rank(tensor: tf.Tensor) -> int:
    """The rank, which must be known: a function whose meaning depends on it cannot wait for run time."""
    if type(tensor) is convert.EagerTensor:
        return convert.rank_of(tensor)
    static = tensor.shape.rank
    if static is None:
        raise ValueError("the rank of this tensor is unknown while tracing, and must be known here: set its shape")
    return static


def with_rank(tensor: tf.Tensor, expected: int) -> tf.Tensor:
    """The tensor; where its rank is unknown, with this one, which it has to have when the graph runs."""
    return (
        tensor if tensor.shape.rank is not None else tf.reshape(tensor, tf.ensure_shape(tf.shape(tensor), [expected]))
    )


def shape(tensor: tf.Tensor) -> tuple[Dim, ...]:
    """The shape of a tensor of known rank: ints where known, scalar tensors where not."""
    if type(tensor) is convert.EagerTensor:
        return convert.shape_of(tensor)
    static = tensor.shape
    if static.is_fully_defined():
        return tuple(static)
    shape = tf.unstack(tf.shape(tensor), num=rank(tensor))
    return tuple(shape[axis] if dim is None else dim for axis, dim in enumerate(static))


def size(tensor: tf.Tensor) -> Dim:
    """The number of elements: an int where known."""
    static = tensor.shape.num_elements()
    return tf.size(tensor) if static is None else static


def is_static(shape: Sequence[Dim]) -> bool:
    return all(isinstance(dim, int) for dim in shape)


def as_shape(value: Any, what: str = "shape") -> tuple[Dim, ...]:
    """A shape argument, checked as NumPy does: an int, a sequence of ints, or a 1-D integer tensor of known length."""
    if type(value) is tuple and _are_dims(value):
        return value
    if isinstance(value, tf.TensorShape):
        if value.rank is None:
            raise TypeError("the rank of this shape is unknown while tracing: set it, as with tf.ensure_shape")
        value = value.as_list()
    static = convert.static_value(value)
    if isinstance(value, tf.Tensor) and not value.dtype.is_integer:
        raise TypeError(f"expected a sequence of integers or a single integer, got an array of {value.dtype.name}")
    if static is None and isinstance(value, tf.Tensor):
        return (value,) if value.shape.rank == 0 else _items(value, what)
    if static is None and not tf.executing_eagerly():
        raise unknown_dim_error()
    if isinstance(static, bool | np.bool_) or static is None:
        raise TypeError(f"expected a sequence of integers or a single integer, got {static!r}")
    shape = tuple(_dim(item) for item in (static if np.iterable(static) else (static,)))
    if len(shape) > MAX_RANK:
        raise ValueError(f"maximum supported dimension for an ndarray is {MAX_RANK}, found {len(shape)}")
    if any(isinstance(dim, int) and dim < 0 for dim in shape) and what == "shape":
        raise ValueError("negative dimensions are not allowed")
    return shape


def _are_dims(values: tuple[Any, ...]) -> bool:
    """Whether these are Python ints that no shape forbids: the common case."""
    for value in values:
        if type(value) is not int or value < 0:
            return False
    return len(values) <= MAX_RANK


def _items(vector: tf.Tensor, what: str) -> tuple[tf.Tensor, ...]:
    if vector.shape.rank != 1 or vector.shape[0] is None:
        raise TypeError(f"how many numbers there are in `{what}` must be known while tracing: pass a tuple of them")
    return tuple(tf.unstack(vector))


def _dim(value: Any) -> Dim:
    static = convert.static_value(value)
    if static is None and isinstance(value, tf.Tensor):
        return value
    if isinstance(static, bool | np.bool_):
        raise TypeError("an integer is required, not a truth value")
    return _as_index(static)


def _as_index(value: Any) -> int:
    """Return a Python int; what None means while tracing, the error says."""
    if value is None and not tf.executing_eagerly():
        raise unknown_dim_error()
    return operator.index(value)


def shape_tensor(shape: Sequence[Dim]) -> Any:
    """The shape as TensorFlow takes it: fixed ints as `spec` writes them, or one int32 tensor."""
    if is_static(shape):
        return const_int(tuple(shape))
    return tf.stack([tf.cast(dim, tf.int32) for dim in shape])


CONST_INTS: Final[dict[Any, tf.Tensor]] = {}
"""What was made for eager ops: see `spec`."""
_MAX_CONST_INTS: Final = 4096


def const_int(values: Any) -> Any:
    """Fixed ints, or one, as an op takes its shape, axis or permutation.

    Eagerly this is a tensor on the host, made once: to convert a tuple costs five times what most such ops do.
    """
    if not tf.executing_eagerly():
        return _const_int_array(values)
    tensor = CONST_INTS.get(values)
    return _make_const_int(values) if tensor is None else tensor


def _make_const_int(values: Any) -> tf.Tensor:
    if len(CONST_INTS) >= _MAX_CONST_INTS:
        CONST_INTS.clear()
    with tf.device("CPU:0"):
        tensor = CONST_INTS[values] = convert.eager_tensor(_const_int_array(values))
    return tensor


def _const_int_array(values: Any) -> np.ndarray:
    array = np.array(values, np.int64)
    return array if array.size and np.abs(array).max() > np.iinfo(np.int32).max else array.astype(np.int32)


def normalize_axis(axis: Any, ndim: int, name: str | None = None) -> int:
    """One axis as a number from 0 to ndim - 1. Raises AxisError, or TypeError for what is no integer."""
    number = axis if type(axis) is int else as_int(axis)
    if not -ndim <= number < ndim:
        raise AxisError(number, ndim, name)
    return number % ndim if ndim else 0


def normalize_axes(axes: Any, ndim: int, name: str | None = None, *, allow_duplicate: bool = False) -> tuple[int, ...]:
    """An int or a sequence of ints; None means every axis. Raises ValueError where one is named twice."""
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
    """That a collection names a single axis, as what is moved from or to another one is."""
    if len(normalize_axes(tuple(axes), rank, what)) != 1:
        raise ValueError("`source` and `destination` arguments must have the same number of elements")


def as_int_not_bool(value: Any) -> int:
    """An integer where NumPy takes no truth value for one: axes in what its manual calls methods, and lengths."""
    if isinstance(value, bool | np.bool_):
        raise TypeError("an integer is required, not a truth value")
    return as_int(value)


def as_int(value: Any) -> int:
    """An integer argument, also as a NumPy scalar or a tensor whose value is known; TypeError otherwise."""
    static = convert.static_value(value)
    if static is None and isinstance(value, tf.Tensor):
        raise TypeError("this argument decides shapes, so it must be known while tracing: a Python int, not a tensor")
    return _as_index(static)


def broadcast_shapes(*shapes: Sequence[Dim]) -> tuple[Dim, ...]:
    """The common shape. Raises NumPy's ValueError where static sides clash."""
    ndim = max(map(len, shapes), default=0)
    return tuple(_broadcast_sides([s[i - ndim] for s in shapes if len(s) >= ndim - i], shapes) for i in range(ndim))


def _broadcast_sides(shape: list[Dim], shapes: tuple[Sequence[Dim], ...]) -> Dim:
    static = {dim for dim in shape if isinstance(dim, int)} - {1}
    if len(static) > 1:
        raise ValueError("operands could not be broadcast together with shapes " + " ".join(map(format_shape, shapes)))
    if static:
        return static.pop()
    unknown = [dim for dim in shape if not isinstance(dim, int)]
    result: Dim = 1
    for dim in unknown:
        result = dim if isinstance(result, int) else tf.where(tf.equal(result, 1), dim, result)
    return result


def format_shape(shape: Sequence[Dim]) -> str:
    """A shape as NumPy writes it in its messages: (2,3)."""
    text = ",".join(str(dim) if isinstance(dim, int) else "?" for dim in shape)
    return f"({text},)" if len(shape) == 1 else f"({text})"


def broadcast_to(tensor: tf.Tensor, dims: Sequence[Dim]) -> tf.Tensor:
    """The tensor in a larger shape, of any rank and dtype: `tf.broadcast_to` ends at rank 8, or 5, and lacks uint16."""
    if tensor.shape.rank is None:
        tensor = pad_shape(tensor, len(dims))
    own = shape(tensor)
    if _same(own, dims):
        return tensor
    static = is_static(own) and is_static(dims)
    if len(own) > len(dims) or (static and not _same(broadcast_shapes(own, dims), dims)):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{format_shape(own)} and requested shape {format_shape(dims)}"
        )
    own = (1,) * (len(dims) - len(own)) + own
    if len(dims) <= 5:
        return tf.broadcast_to(tensor, shape_tensor(dims))
    counts = [_repeats(static_value, dim) for static_value, dim in zip(own, dims, strict=True)]
    if not static:  # of what has no elements, a wrong number of them would not be noticed
        tensor = check_broadcastable_to(tensor, dims, "operands could not be broadcast together")
    return tile(tf.reshape(tensor, shape_tensor(own)), counts)


def check_broadcastable_to(tensor: tf.Tensor, dims: Sequence[Dim], message: str) -> tf.Tensor:
    """The tensor; a graph where it cannot be broadcast to this shape, whose rank is not less if that of the tensor is
    known, fails when it runs, with this message. Where nothing has elements, no kernel would.
    """
    if tensor.shape.rank is None:
        given, expected = tf.shape(tensor), shape_tensor(dims)
        missing = tf.size(expected) - tf.size(given)
        given = tf.concat([tf.ones([tf.maximum(missing, 0)], tf.int32), given[tf.maximum(-missing, 0) :]], 0)
        is_valid = (missing >= 0) & tf.reduce_all((given == 1) | (given == expected))
    else:
        own = shape(tensor)
        given, expected = shape_tensor(own), shape_tensor(dims[len(dims) - len(own) :])
        is_valid = tf.reduce_all((given == 1) | (given == expected))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [message])]):
        return tf.identity(tensor)


def check_length(vector: tf.Tensor, dim: Dim, message: str) -> tf.Tensor:
    """The vector; a graph where it has another length fails when it runs."""
    if isinstance(dim, int) and vector.shape[0] == dim:
        return vector
    is_valid = tf.equal(tf.size(vector, tf.int64), tf.cast(dim, tf.int64))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [message])]):
        return tf.identity(vector)


def check_same_shape(other: tf.Tensor, tensor: tf.Tensor, message: str) -> tf.Tensor:
    """The tensor, of the rank of the other; a graph where their sides are not the same fails when it runs."""
    if tensor.shape.is_fully_defined() and other.shape.is_fully_defined():
        return tensor
    is_valid = tf.reduce_all(tf.equal(tf.shape(tensor), tf.shape(other)))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [message])]):
        return tf.identity(tensor)


def pad_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """A tensor of unknown rank, with sides of one in front of its own where it has fewer."""
    missing = tf.maximum(rank - tf.rank(tensor), 0)
    return tf.reshape(tensor, tf.concat([tf.ones(tf.expand_dims(missing, 0), tf.int32), tf.shape(tensor)], 0))


def pad_shape(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """As `at_least_of_rank`; a graph where the rank is greater fails when it runs."""
    return tf.ensure_shape(pad_rank(tensor, rank), [None] * rank)


def _same(first: Sequence[Dim], second: Sequence[Dim]) -> bool:
    """Whether two shapes are known to be equal. Tensors are compared by identity: their `==` is elementwise."""
    return len(first) == len(second) and all(
        a is b or (isinstance(a, int) and isinstance(b, int) and a == b) for a, b in zip(first, second, strict=True)
    )


def _repeats(own: Dim, dim: Dim) -> Dim:
    if isinstance(own, int):
        return dim if own == 1 else 1
    return tf.where(tf.equal(own, 1), dim, 1)


def tile(tensor: tf.Tensor, counts: Sequence[Dim]) -> tf.Tensor:
    """Repeat whole, along each axis; any dtype: TensorFlow has no kernel for uint16, whose bits int16 carries."""
    if tensor.dtype == tf.uint16:
        return tf.bitcast(tf.tile(tf.bitcast(tensor, tf.int16), shape_tensor(counts)), tf.uint16)
    return tf.tile(tensor, shape_tensor(counts))


def reshape(tensor: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    """The same elements in another shape, one side of which may be -1. Raises NumPy's ValueError where static."""
    count = tensor.shape.num_elements()
    if count is not None and is_static(shape) and not _fits(count, shape):
        raise ValueError(f"cannot reshape array of size {count} into shape {format_shape(shape)}")
    return tf.reshape(tensor, shape_tensor(shape))


def _fits(count: int, shape: Sequence[Dim]) -> bool:
    free = [dim for dim in shape if dim == -1]
    if len(free) > 1:
        raise ValueError("can only specify one unknown dimension")
    others = math.prod(dim for dim in shape if dim != -1)
    return (count % others == 0 if others else False) if free else count == others
