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
from tfnp._core.shapes import Side
from tfnp._core.xla import is_for_xla

Joint = Callable[[Any, Any], Any]
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


def in_three(tensor: tf.Tensor, axes: tuple[int, ...]) -> tuple[tf.Tensor, tuple[Side, ...]]:
    """The tensor with the given axes made one, the middle one of three; and the sides of the others, in order."""
    sides = shapes.shape(tensor)
    if len(axes) == 1:
        axis = axes[0]
        before, after = sides[:axis], sides[axis + 1 :]
        middle = (layout.product(before), sides[axis], layout.product(after))
        return tf.reshape(tensor, shapes.pack(middle)), before + after
    others = tuple(axis for axis in range(len(sides)) if axis not in axes)
    rest = tuple(sides[axis] for axis in others)
    if others + axes != tuple(range(len(sides))):
        tensor = layout.transpose(tensor, others + axes)
    count = layout.product([sides[axis] for axis in axes])
    return tf.reshape(tensor, shapes.pack((layout.product(rest), count, 1))), rest


def halves(joint: Joint, x: tf.Tensor) -> tf.Tensor:
    """The fold of an associative kernel, along a known length that is not zero."""
    length = x.shape[1]
    while length > 1:
        half = length // 2
        joined = joint(layout.part(x, 1, 0, half), layout.part(x, 1, half, half))
        x = tf.concat([joined, layout.part(x, 1, length - 1, 1)], 1) if length % 2 else joined
        length -= half
    return tf.squeeze(x, [1])


def from_left(joint: Joint, first: tf.Tensor | None, x: tf.Tensor, mask: tf.Tensor | None = None) -> tf.Tensor:
    """The fold from left to right, beginning with `first`, or else with the first element; what the mask does not
    choose is passed over.
    """
    length = shapes.shape(x)[1]
    if _is_long(joint, length):
        return _graph(from_left, joint, *map(_spec, (first, x, mask)))(first, x, mask)
    start = 0 if first is not None else 1
    result = tf.gather(x, 0, axis=1) if first is None else first
    if isinstance(length, int) and _is_short(joint, x, length):
        items = tf.unstack(x, length, axis=1)
        chosen = [] if mask is None else tf.unstack(mask, length, axis=1)
        for place in range(start, length):
            joined = joint(result, items[place])
            result = ops.select(chosen[place], joined, result) if chosen else joined
        return result

    def join(result: tf.Tensor, place: Any) -> tf.Tensor:
        joined = joint(result, tf.gather(x, place, axis=1))
        return joined if mask is None else ops.select(tf.gather(mask, place, axis=1), joined, result)

    return _looped(join, result, start, length)


def _is_long(joint: Joint, length: Side) -> bool:
    """Whether a graph is to do it, in eager: not if the kernel is one op, which is quick by itself."""
    return (
        ops.executing_eagerly()
        and isinstance(length, int)
        and length >= LONG
        and not getattr(joint, "__module__", "").startswith("tensorflow")
    )


def _spec(tensor: tf.Tensor | None) -> tf.TensorSpec | None:
    return None if tensor is None else tf.TensorSpec([None] * tensor.shape.rank, tensor.dtype)


@functools.cache
def _graph(fold: Callable[..., Any], joint: Joint, *specs: tf.TensorSpec | None, **options: Any) -> Callable[..., Any]:
    """The fold of a kernel, for tensors of any size."""

    def graph(*operands: tf.Tensor | None) -> tf.Tensor:
        return fold(joint, *operands, **options)

    return tf.function(graph, autograph=False).get_concrete_function(*specs)


def _is_short(joint: Joint, x: tf.Tensor, length: int) -> bool:
    """Whether to write the steps out, one by one: XLA takes long over many of complex numbers, powers above all, and of
    `(a / b) / c` in a row it makes `a / (b * c)`, which may overflow.
    """
    if ops.executing_eagerly() or length <= 1:
        return True
    if joint is ops.divide and is_for_xla():
        return False
    return length <= (SHORT // 8 if x.dtype.is_complex else SHORT)


def _looped(step: Callable[[Any, Any], Any], result: Any, start: int, stop: Side, most: Side | None = None) -> Any:
    """`result = step(result, place)` for each place from `start` on. Gradients under XLA need to know how many there
    are at most.
    """
    most = next((side for side in (stop, most) if isinstance(side, int)), None)
    stop = tf.cast(stop, tf.int32)

    def body(place: tf.Tensor, result: Any) -> tuple[tf.Tensor, Any]:
        return place + 1, step(result, place)

    return tf.while_loop(
        lambda place, _: place < stop, body, (tf.constant(start, tf.int32), result), maximum_iterations=most
    )[1]


def running(joint: Joint, x: tf.Tensor, *, associative: bool) -> tf.Tensor:
    """At each place the fold of all up to it."""
    length = shapes.shape(x)[1]
    if isinstance(length, int):
        if length <= 1:
            return x
        if associative and length > SHORT // 2:
            return _doubled(joint, x, length)
        if _is_long(joint, length):
            return _graph(_running_looped, joint, _spec(x))(x)
        if _is_short(joint, x, length):
            return _unrolled(joint, x, length)
    return _running_looped(joint, x)


def _doubled(joint: Joint, x: tf.Tensor, length: int) -> tf.Tensor:
    """Each with the one before it, then with what lies two places before, then four."""
    step = 1
    while step < length:
        joined = joint(layout.part(x, 1, 0, length - step), layout.part(x, 1, step, length - step))
        x = tf.concat([layout.part(x, 1, 0, step), joined], 1)
        step *= 2
    return x


def _unrolled(joint: Joint, x: tf.Tensor, length: int) -> tf.Tensor:
    items = tf.unstack(x, length, axis=1)
    for place in range(1, length):
        items[place] = joint(items[place - 1], items[place])
    return tf.stack(items, 1)


def _running_looped(joint: Joint, x: tf.Tensor) -> tf.Tensor:
    """By way of an array of tensors, which holds one element more, so that there is a first one in any case."""
    length = shapes.shape(x)[1]
    padded = tf.concat([x, tf.zeros_like(x[:, :1]) if isinstance(length, int) else _padding(x)], 1)
    first = tf.gather(padded, 0, axis=1)
    found = tf.TensorArray(x.dtype, size=tf.cast(length, tf.int32) + 1, element_shape=first.shape).write(0, first)

    def step(state: Any, place: Any) -> Any:
        result = joint(state[0], tf.gather(x, place, axis=1))
        return result, state[1].write(place, result)

    found = _looped(step, (first, found), 1, length)[1].write(length, first)
    return layout.transpose(found.stack(), (1, 0, 2))[:, :length]


def _padding(x: tf.Tensor) -> tf.Tensor:
    before, _, after = shapes.shape(x)
    return tf.zeros(shapes.pack((before, 1, after)), x.dtype)


def by_stretches(
    joint: Joint, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, *, associative: bool, harmless: int | None
) -> tf.Tensor:
    """The folds of stretches along the axis, from `starts` to before `stops`; none is empty, any may overlap."""
    length = shapes.shape(x)[1]
    if associative and isinstance(length, int):
        return _pieced(joint, x, starts, stops, length)
    if _is_long(joint, length):
        return _graph(_strided, joint, *map(_spec, (x, starts, stops)), harmless=harmless)(x, starts, stops)
    return _strided(joint, x, starts, stops, harmless)


def _pieced(joint: Joint, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, length: int) -> tf.Tensor:
    """Of folds of all stretches of 1, 2, 4 ... elements, those that the digits of a length in base two ask for."""
    result, place, left = tf.gather(x, starts, axis=1), starts + 1, stops - starts - 1
    longest = int(tf.reduce_max(left)) + 1 if ops.executing_eagerly() else length
    step = 1
    while step < longest:
        wanted = tf.not_equal(tf.bitwise.bitwise_and(left, step), 0)
        piece = tf.gather(x, tf.minimum(place, length - step), axis=1)
        result = ops.select(_beside(wanted), joint(result, piece), result)
        place += tf.where(wanted, tf.constant(step, place.dtype), tf.constant(0, place.dtype))
        if 2 * step < longest:
            many = length - 2 * step + 1
            x = joint(layout.part(x, 1, 0, many), layout.part(x, 1, step, many))
        step *= 2
    return result


def _strided(joint: Joint, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, harmless: int | None) -> tf.Tensor:
    """All stretches at once, from left to right: as many steps as the longest has elements."""
    length = shapes.shape(x)[1]
    last = tf.cast(length, starts.dtype) - 1

    def step(result: tf.Tensor, place: Any) -> tf.Tensor:
        here = starts + tf.cast(place, starts.dtype)
        inside = _beside(here < stops)
        item = tf.gather(x, tf.minimum(here, last), axis=1)
        if harmless is not None:
            item = ops.select(inside, item, ops.scalar(harmless, item))
        return ops.select(inside, joint(result, item), result)

    result = tf.gather(x, starts, axis=1)
    longest = tf.reduce_max(tf.concat([stops - starts, tf.ones((1,), starts.dtype)], 0))
    return _looped(step, result, 1, longest, length)


def _beside(truths: tf.Tensor) -> tf.Tensor:
    return tf.reshape(truths, (1, -1, 1))
