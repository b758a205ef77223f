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
from tfnp._core.errors import AxisError, refuse_unknown_dim

Side: TypeAlias = "int | tf.Tensor"
MAX_RANK: Final = 64  # NumPy's


def rank(tensor: tf.Tensor) -> int:
    """The rank, which must be known: a function whose meaning depends on it cannot wait for run time."""
    if type(tensor) is convert.EagerTensor:
        return convert.rank_of(tensor)
    known = tensor.shape.rank
    if known is None:
        raise ValueError("the rank of this tensor is unknown while tracing, and must be known here: set its shape")
    return known


def known_rank(tensor: tf.Tensor, wanted: int) -> tf.Tensor:
    """The tensor; where its rank is unknown, with this one, which it has to have when the graph runs."""
    return tensor if tensor.shape.rank is not None else tf.reshape(tensor, tf.ensure_shape(tf.shape(tensor), [wanted]))


def shape(tensor: tf.Tensor) -> tuple[Side, ...]:
    """The shape of a tensor of known rank: ints where known, scalar tensors where not."""
    if type(tensor) is convert.EagerTensor:
        return convert.sides_of(tensor)
    static = tensor.shape
    if static.is_fully_defined():
        return tuple(static)
    sides = tf.unstack(tf.shape(tensor), num=rank(tensor))
    return tuple(sides[axis] if side is None else side for axis, side in enumerate(static))


def size(tensor: tf.Tensor) -> Side:
    """The number of elements: an int where known."""
    known = tensor.shape.num_elements()
    return tf.size(tensor) if known is None else known


def is_static(sides: Sequence[Side]) -> bool:
    return all(isinstance(side, int) for side in sides)


def as_shape(value: Any, what: str = "shape") -> tuple[Side, ...]:
    """A shape argument, checked as NumPy does: an int, a sequence of ints, or a 1-D integer tensor of known length."""
    if type(value) is tuple and _are_sides(value):
        return value
    if isinstance(value, tf.TensorShape):
        if value.rank is None:
            raise TypeError("the rank of this shape is unknown while tracing: set it, as with tf.ensure_shape")
        value = value.as_list()
    known = convert.static_value(value)
    if isinstance(value, tf.Tensor) and not value.dtype.is_integer:
        raise TypeError(f"expected a sequence of integers or a single integer, got an array of {value.dtype.name}")
    if known is None and isinstance(value, tf.Tensor):
        return (value,) if value.shape.rank == 0 else _items(value, what)
    if known is None and not tf.executing_eagerly():
        raise refuse_unknown_dim()
    if isinstance(known, bool | np.bool_) or known is None:
        raise TypeError(f"expected a sequence of integers or a single integer, got {known!r}")
    sides = tuple(_side(item) for item in (known if np.iterable(known) else (known,)))
    if len(sides) > MAX_RANK:
        raise ValueError(f"maximum supported dimension for an ndarray is {MAX_RANK}, found {len(sides)}")
    if any(isinstance(side, int) and side < 0 for side in sides) and what == "shape":
        raise ValueError("negative dimensions are not allowed")
    return sides


def _are_sides(values: tuple[Any, ...]) -> bool:
    """Whether these are Python ints that no shape forbids: the common case."""
    for value in values:
        if type(value) is not int or value < 0:
            return False
    return len(values) <= MAX_RANK


def _items(vector: tf.Tensor, what: str) -> tuple[tf.Tensor, ...]:
    if vector.shape.rank != 1 or vector.shape[0] is None:
        raise TypeError(f"how many numbers there are in `{what}` must be known while tracing: pass a tuple of them")
    return tuple(tf.unstack(vector))


def _side(value: Any) -> Side:
    known = convert.static_value(value)
    if known is None and isinstance(value, tf.Tensor):
        return value
    if isinstance(known, bool | np.bool_):
        raise TypeError("an integer is required, not a truth value")
    return _as_index(known)


def _as_index(value: Any) -> int:
    """Return a Python int; what None means while tracing, the error says."""
    if value is None and not tf.executing_eagerly():
        raise refuse_unknown_dim()
    return operator.index(value)


def pack(sides: Sequence[Side]) -> Any:
    """The shape as TensorFlow takes it: fixed ints as `spec` writes them, or one int32 tensor."""
    if is_static(sides):
        return spec(tuple(sides))
    return tf.stack([tf.cast(side, tf.int32) for side in sides])


SPECS: Final[dict[Any, tf.Tensor]] = {}
"""What was made for eager ops: see `spec`."""
_MOST_SPECS: Final = 4096


def spec(values: Any) -> Any:
    """Fixed ints, or one, as an op takes its shape, axis or permutation.

    Eagerly this is a tensor on the host, made once: to convert a tuple costs five times what most such ops do.
    """
    if not tf.executing_eagerly():
        return _spec_array(values)
    tensor = SPECS.get(values)
    return _make_spec(values) if tensor is None else tensor


def _make_spec(values: Any) -> tf.Tensor:
    if len(SPECS) >= _MOST_SPECS:
        SPECS.clear()
    with tf.device("CPU:0"):
        tensor = SPECS[values] = convert.eager_tensor(_spec_array(values))
    return tensor


def _spec_array(values: Any) -> np.ndarray:
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
    known = convert.static_value(axes)
    if known is None:
        as_int(axes)  # raises
    items = known if isinstance(known, tuple | list | str | bytes) or np.ndim(known) == 1 else (known,)
    normal = tuple(normalize_axis(axis, ndim, name) for axis in items)
    if len(set(normal)) != len(normal) and not allow_duplicate:
        raise ValueError("repeated axis" if name is None else f"repeated axis in `{name}` argument")
    return normal


def check_moves_one(axes: Iterable[Any], rank: int, what: str) -> None:
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
    known = convert.static_value(value)
    if known is None and isinstance(value, tf.Tensor):
        raise TypeError("this argument decides shapes, so it must be known while tracing: a Python int, not a tensor")
    return _as_index(known)


def broadcast_shapes(*shapes: Sequence[Side]) -> tuple[Side, ...]:
    """The common shape. Raises NumPy's ValueError where static sides clash."""
    ndim = max(map(len, shapes), default=0)
    return tuple(_broadcast_sides([s[i - ndim] for s in shapes if len(s) >= ndim - i], shapes) for i in range(ndim))


def _broadcast_sides(sides: list[Side], shapes: tuple[Sequence[Side], ...]) -> Side:
    known = {side for side in sides if isinstance(side, int)} - {1}
    if len(known) > 1:
        raise ValueError("operands could not be broadcast together with shapes " + " ".join(map(written, shapes)))
    if known:
        return known.pop()
    unknown = [side for side in sides if not isinstance(side, int)]
    result: Side = 1
    for side in unknown:
        result = side if isinstance(result, int) else tf.where(tf.equal(result, 1), side, result)
    return result


def written(sides: Sequence[Side]) -> str:
    """A shape as NumPy writes it in its messages: (2,3)."""
    text = ",".join(str(side) if isinstance(side, int) else "?" for side in sides)
    return f"({text},)" if len(sides) == 1 else f"({text})"


def broadcast_to(tensor: tf.Tensor, sides: Sequence[Side]) -> tf.Tensor:
    """The tensor in a larger shape, of any rank and dtype: `tf.broadcast_to` ends at rank 8, or 5, and lacks uint16."""
    if tensor.shape.rank is None:
        tensor = filled_up(tensor, len(sides))
    own = shape(tensor)
    if _same(own, sides):
        return tensor
    static = is_static(own) and is_static(sides)
    if len(own) > len(sides) or (static and not _same(broadcast_shapes(own, sides), sides)):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{written(own)} and requested shape {written(sides)}"
        )
    own = (1,) * (len(sides) - len(own)) + own
    if len(sides) <= 5:
        return tf.broadcast_to(tensor, pack(sides))
    counts = [_repeats(known, side) for known, side in zip(own, sides, strict=True)]
    if not static:  # of what has no elements, a wrong number of them would not be noticed
        tensor = fitting(tensor, sides, "operands could not be broadcast together")
    return tile(tf.reshape(tensor, pack(own)), counts)


def fitting(tensor: tf.Tensor, sides: Sequence[Side], message: str) -> tf.Tensor:
    """The tensor; a graph where it cannot be broadcast to this shape, whose rank is not less if that of the tensor is
    known, fails when it runs, with this message. Where nothing has elements, no kernel would.
    """
    if tensor.shape.rank is None:
        given, wanted = tf.shape(tensor), pack(sides)
        missing = tf.size(wanted) - tf.size(given)
        given = tf.concat([tf.ones([tf.maximum(missing, 0)], tf.int32), given[tf.maximum(-missing, 0) :]], 0)
        fine = (missing >= 0) & tf.reduce_all((given == 1) | (given == wanted))
    else:
        own = shape(tensor)
        given, wanted = pack(own), pack(sides[len(sides) - len(own) :])
        fine = tf.reduce_all((given == 1) | (given == wanted))
    with tf.control_dependencies([tf.debugging.Assert(fine, [message])]):
        return tf.identity(tensor)


def of_length(vector: tf.Tensor, side: Side, message: str) -> tf.Tensor:
    """The vector; a graph where it has another length fails when it runs."""
    if isinstance(side, int) and vector.shape[0] == side:
        return vector
    fine = tf.equal(tf.size(vector, tf.int64), tf.cast(side, tf.int64))
    with tf.control_dependencies([tf.debugging.Assert(fine, [message])]):
        return tf.identity(vector)


def of_shape_of(other: tf.Tensor, tensor: tf.Tensor, message: str) -> tf.Tensor:
    """The tensor, of the rank of the other; a graph where their sides are not the same fails when it runs."""
    if tensor.shape.is_fully_defined() and other.shape.is_fully_defined():
        return tensor
    fine = tf.reduce_all(tf.equal(tf.shape(tensor), tf.shape(other)))
    with tf.control_dependencies([tf.debugging.Assert(fine, [message])]):
        return tf.identity(tensor)


def at_least_of_rank(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """A tensor of unknown rank, with sides of one in front of its own where it has fewer."""
    missing = tf.maximum(rank - tf.rank(tensor), 0)
    return tf.reshape(tensor, tf.concat([tf.ones(tf.expand_dims(missing, 0), tf.int32), tf.shape(tensor)], 0))


def filled_up(tensor: tf.Tensor, rank: int) -> tf.Tensor:
    """As `at_least_of_rank`; a graph where the rank is greater fails when it runs."""
    return tf.ensure_shape(at_least_of_rank(tensor, rank), [None] * rank)


def _same(first: Sequence[Side], second: Sequence[Side]) -> bool:
    """Whether two shapes are known to be equal. Tensors are compared by identity: their `==` is elementwise."""
    return len(first) == len(second) and all(
        a is b or (isinstance(a, int) and isinstance(b, int) and a == b) for a, b in zip(first, second, strict=True)
    )


def _repeats(own: Side, side: Side) -> Side:
    if isinstance(own, int):
        return side if own == 1 else 1
    return tf.where(tf.equal(own, 1), side, 1)


def tile(tensor: tf.Tensor, counts: Sequence[Side]) -> tf.Tensor:
    """Repeat whole, along each axis; any dtype: TensorFlow has no kernel for uint16, whose bits int16 carries."""
    if tensor.dtype == tf.uint16:
        return tf.bitcast(tf.tile(tf.bitcast(tensor, tf.int16), pack(counts)), tf.uint16)
    return tf.tile(tensor, pack(counts))


def reshape(tensor: tf.Tensor, sides: Sequence[Side]) -> tf.Tensor:
    """The same elements in another shape, one side of which may be -1. Raises NumPy's ValueError where static."""
    count = tensor.shape.num_elements()
    if count is not None and is_static(sides) and not _fits(count, sides):
        raise ValueError(f"cannot reshape array of size {count} into shape {written(sides)}")
    return tf.reshape(tensor, pack(sides))


def _fits(count: int, sides: Sequence[Side]) -> bool:
    free = [side for side in sides if side == -1]
    if len(free) > 1:
        raise ValueError("can only specify one unknown dimension")
    others = math.prod(side for side in sides if side != -1)
    return (count % others == 0 if others else False) if free else count == others
