"""Folds and running folds out of nothing but a kernel of two operands, along the middle axis of a 3-D tensor.

An *associative* kernel, which must be commutative too, joins halves: as many steps as the length has digits in base
two. Any other goes from left to right, as NumPy does; where the length is known and short, or in eager, one after
another, else in a loop, which XLA needs to be of a known length. What is long and made of several ops is folded by a
graph of its own in eager, too: there a step costs a tenth.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from tfnp._core import layout, ops, shapes
from tfnp._core.shapes import Dim
from tfnp._core.xla import is_for_xla

ReducibleUfunc = Callable[[Any, Any], Any]
SHORT: Final = 16
LONG: Final = 128  # from here on it pays, for most kernels, to make a graph

_all = tf.raw_ops.All.__wrapped__
_any = tf.raw_ops.Any.__wrapped__
_max = tf.raw_ops.Max.__wrapped__
_min = tf.raw_ops.Min.__wrapped__
NATIVE: Final = {ops.logical_and: _all, ops.logical_or: _any, ops.maximum: _max, ops.minimum: _min}
"""The reductions of TensorFlow's own ops: where one of these is the kernel of a loop, this is its fold."""
SOLE: Final = NATIVE | {ops.add: tf.raw_ops.Sum.__wrapped__}
"""Those that in eager are all there is to the fold, too, if it does not calculate in another dtype."""


def to_3d(tensor: tf.Tensor, axes: tuple[int, ...]) -> tuple[tf.Tensor, tuple[Dim, ...]]:
    """The tensor with the given axes made one, the middle one of three; and the sides of the others, in order."""
    shape = shapes.shape(tensor)
    if len(axes) == 1:
        axis = axes[0]
        before, after = shape[:axis], shape[axis + 1 :]
        middle = (layout.product(before), shape[axis], layout.product(after))
        return tf.reshape(tensor, shapes.shape_tensor(middle)), before + after
    others = tuple(axis for axis in range(len(shape)) if axis not in axes)
    remaining = tuple(shape[axis] for axis in others)
    if others + axes != tuple(range(len(shape))):
        tensor = layout.transpose(tensor, others + axes)
    count = layout.product([shape[axis] for axis in axes])
    return tf.reshape(tensor, shapes.shape_tensor((layout.product(remaining), count, 1))), remaining


def tree_reduce(ufunc: ReducibleUfunc, x: tf.Tensor) -> tf.Tensor:
    """The fold of an associative kernel, along a known length that is not zero."""
    length = x.shape[1]
    while length > 1:
        half = length // 2
        joined = ufunc(layout.slice_along(x, 1, 0, half), layout.slice_along(x, 1, half, half))
        x = tf.concat([joined, layout.slice_along(x, 1, length - 1, 1)], 1) if length % 2 else joined
        length -= half
    return tf.squeeze(x, [1])


def sequential_reduce(
    ufunc: ReducibleUfunc, first: tf.Tensor | None, x: tf.Tensor, mask: tf.Tensor | None = None
) -> tf.Tensor:
    """The fold from left to right, beginning with `first`, or else with the first element; what the mask does not
    choose is passed over.
    """
    length = shapes.shape(x)[1]
    if _is_long(ufunc, length):
        return _graph(sequential_reduce, ufunc, *map(_spec, (first, x, mask)))(first, x, mask)
    start = 0 if first is not None else 1
    result = tf.gather(x, 0, axis=1) if first is None else first
    if isinstance(length, int) and _is_short(ufunc, x, length):
        items = tf.unstack(x, length, axis=1)
        chosen = [] if mask is None else tf.unstack(mask, length, axis=1)
        for index in range(start, length):
            joined = ufunc(result, items[index])
            result = ops.select(chosen[index], joined, result) if chosen else joined
        return result

    def join(result: tf.Tensor, index: Any) -> tf.Tensor:
        joined = ufunc(result, tf.gather(x, index, axis=1))
        return joined if mask is None else ops.select(tf.gather(mask, index, axis=1), joined, result)

    return _loop(join, result, start, length)


def _is_long(ufunc: ReducibleUfunc, length: Dim) -> bool:
    """Whether a graph is to do it, in eager: not if the kernel is one op, which is quick by itself."""
    return (
        ops.executing_eagerly()
        and isinstance(length, int)
        and length >= LONG
        and not getattr(ufunc, "__module__", "").startswith("tensorflow")
    )


def _spec(tensor: tf.Tensor | None) -> tf.TensorSpec | None:
    return None if tensor is None else tf.TensorSpec([None] * tensor.shape.rank, tensor.dtype)


@functools.cache
def _graph(
    fold: Callable[..., Any], ufunc: ReducibleUfunc, *specs: tf.TensorSpec | None, **options: Any
) -> Callable[..., Any]:
    """The fold of a kernel, for tensors of any size."""

    def graph(*operands: tf.Tensor | None) -> tf.Tensor:
        return fold(ufunc, *operands, **options)

    return tf.function(graph, autograph=False).get_concrete_function(*specs)


def _is_short(ufunc: ReducibleUfunc, x: tf.Tensor, length: int) -> bool:
    """Whether to write the steps out, one by one: XLA takes long over many of complex numbers, powers above all, and of
    `(a / b) / c` in a row it makes `a / (b * c)`, which may overflow.
    """
    if ops.executing_eagerly() or length <= 1:
        return True
    if ufunc is ops.divide and is_for_xla():
        return False
    return length <= (SHORT // 8 if x.dtype.is_complex else SHORT)


def _loop(step: Callable[[Any, Any], Any], result: Any, start: int, stop: Dim, most: Dim | None = None) -> Any:
    """`result = step(result, place)` for each place from `start` on. Gradients under XLA need to know how many there
    are at most.
    """
    most = next((dim for dim in (stop, most) if isinstance(dim, int)), None)
    stop = tf.cast(stop, tf.int32)

    def body(index: tf.Tensor, result: Any) -> tuple[tf.Tensor, Any]:
        return index + 1, step(result, index)

    return tf.while_loop(
        lambda index, _: index < stop, body, (tf.constant(start, tf.int32), result), maximum_iterations=most
    )[1]


def scan(ufunc: ReducibleUfunc, x: tf.Tensor, *, associative: bool) -> tf.Tensor:
    """At each place the fold of all up to it."""
    length = shapes.shape(x)[1]
    if isinstance(length, int):
        if length <= 1:
            return x
        if associative and length > SHORT // 2:
            return _scan_by_doubling(ufunc, x, length)
        if _is_long(ufunc, length):
            return _graph(_scan_in_loop, ufunc, _spec(x))(x)
        if _is_short(ufunc, x, length):
            return _unroll(ufunc, x, length)
    return _scan_in_loop(ufunc, x)


def _scan_by_doubling(ufunc: ReducibleUfunc, x: tf.Tensor, length: int) -> tf.Tensor:
    """Each with the one before it, then with what lies two places before, then four."""
    step = 1
    while step < length:
        joined = ufunc(layout.slice_along(x, 1, 0, length - step), layout.slice_along(x, 1, step, length - step))
        x = tf.concat([layout.slice_along(x, 1, 0, step), joined], 1)
        step *= 2
    return x


def _unroll(ufunc: ReducibleUfunc, x: tf.Tensor, length: int) -> tf.Tensor:
    items = tf.unstack(x, length, axis=1)
    for index in range(1, length):
        items[index] = ufunc(items[index - 1], items[index])
    return tf.stack(items, 1)


def _scan_in_loop(ufunc: ReducibleUfunc, x: tf.Tensor) -> tf.Tensor:
    """By way of an array of tensors, which holds one element more, so that there is a first one in any case."""
    length = shapes.shape(x)[1]
    padded = tf.concat([x, tf.zeros_like(x[:, :1]) if isinstance(length, int) else _padding(x)], 1)
    first = tf.gather(padded, 0, axis=1)
    found = tf.TensorArray(x.dtype, size=tf.cast(length, tf.int32) + 1, element_shape=first.shape).write(0, first)

    def step(state: Any, index: Any) -> Any:
        result = ufunc(state[0], tf.gather(x, index, axis=1))
        return result, state[1].write(index, result)

    found = _loop(step, (first, found), 1, length)[1].write(length, first)
    return layout.transpose(found.stack(), (1, 0, 2))[:, :length]


def _padding(x: tf.Tensor) -> tf.Tensor:
    before, _, after = shapes.shape(x)
    return tf.zeros(shapes.shape_tensor((before, 1, after)), x.dtype)


def segment_reduce(
    ufunc: ReducibleUfunc,
    x: tf.Tensor,
    starts: tf.Tensor,
    stops: tf.Tensor,
    *,
    associative: bool,
    masked_value: int | None,
) -> tf.Tensor:
    """The folds of stretches along the axis, from `starts` to before `stops`; none is empty, any may overlap."""
    length = shapes.shape(x)[1]
    if associative and isinstance(length, int):
        return _reduce_pieces(ufunc, x, starts, stops, length)
    if _is_long(ufunc, length):
        return _graph(_reduce_strided, ufunc, *map(_spec, (x, starts, stops)), masked_value=masked_value)(
            x, starts, stops
        )
    return _reduce_strided(ufunc, x, starts, stops, masked_value)


def _reduce_pieces(ufunc: ReducibleUfunc, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, length: int) -> tf.Tensor:
    """Of folds of all stretches of 1, 2, 4 ... elements, those that the digits of a length in base two ask for."""
    result, index, left = tf.gather(x, starts, axis=1), starts + 1, stops - starts - 1
    longest = int(tf.reduce_max(left)) + 1 if ops.executing_eagerly() else length
    step = 1
    while step < longest:
        expected = tf.not_equal(tf.bitwise.bitwise_and(left, step), 0)
        piece = tf.gather(x, tf.minimum(index, length - step), axis=1)
        result = ops.select(_concatenate(expected), ufunc(result, piece), result)
        index += tf.where(expected, tf.constant(step, index.dtype), tf.constant(0, index.dtype))
        if 2 * step < longest:
            many = length - 2 * step + 1
            x = ufunc(layout.slice_along(x, 1, 0, many), layout.slice_along(x, 1, step, many))
        step *= 2
    return result


def _reduce_strided(
    ufunc: ReducibleUfunc, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, masked_value: int | None
) -> tf.Tensor:
    """All stretches at once, from left to right: as many steps as the longest has elements."""
    length = shapes.shape(x)[1]
    last = tf.cast(length, starts.dtype) - 1

    def step(result: tf.Tensor, index: Any) -> tf.Tensor:
        here = starts + tf.cast(index, starts.dtype)
        inside = _concatenate(here < stops)
        item = tf.gather(x, tf.minimum(here, last), axis=1)
        if masked_value is not None:
            item = ops.select(inside, item, ops.scalar(masked_value, item))
        return ops.select(inside, ufunc(result, item), result)

    result = tf.gather(x, starts, axis=1)
    longest = tf.reduce_max(tf.concat([stops - starts, tf.ones((1,), starts.dtype)], 0))
    return _loop(step, result, 1, longest, length)


def _concatenate(mask: tf.Tensor) -> tf.Tensor:
    return tf.reshape(mask, (1, -1, 1))
