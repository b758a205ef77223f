"""Reductions and scans by a kernel of two operands, along the middle axis of a 3-D tensor.

Associative kernels, which must be commutative too, combine halves, in log2(n) steps. Others go from left to right, as
NumPy does: unrolled if the axis is static and short, or in eager mode; else in a loop, whose length XLA needs to be
static. In eager mode, long axes and kernels of several ops use a cached graph, in which a step costs a tenth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, layout, ops, shapes
from tfnp._core.shapes import Dim
from tfnp._core.traces import trace
from tfnp._core.xla import is_for_xla

BinaryKernel = Callable[[Any, Any], Any]
SHORT: Final = 16
LONG: Final = 128  # from this length on, a graph is faster for most kernels
MIN_EVEN_LENGTH: Final = 4096
"""Elements from which on it pays to see whether all segments have one length."""

NATIVE: Final = {
    ops.logical_and: ops.reduce_all,
    ops.logical_or: ops.reduce_any,
    ops.maximum: ops.reduce_max,
    ops.minimum: ops.reduce_min,
}
"""TensorFlow's reductions, by the kernel of a loop."""
SINGLE_OP: Final = NATIVE | {ops.add: ops.reduce_sum}
"""The reductions that are a single op in eager mode, by the kernel, for loops without casts."""


def to_3d(tensor: tf.Tensor, axes: tuple[int, ...]) -> tuple[tf.Tensor, tuple[Dim, ...]]:
    """Return the tensor with its reduced axes merged to the middle one of three, and the dimensions of the other
    axes.
    """
    shape = shapes.shape(tensor)
    if len(axes) == 1:
        axis = axes[0]
        before, after = shape[:axis], shape[axis + 1 :]
        middle = (layout.product(before), shape[axis], layout.product(after))
        return shapes.view(tensor, middle), before + after
    others = tuple(axis for axis in range(len(shape)) if axis not in axes)
    remaining = tuple(shape[axis] for axis in others)
    if others + axes != tuple(range(len(shape))):
        tensor = layout.transpose(tensor, others + axes)
    count = layout.product([shape[axis] for axis in axes])
    return tf.reshape(tensor, shapes.shape_tensor((layout.product(remaining), count, 1))), remaining


def tree_reduce(kernel: BinaryKernel, x: tf.Tensor) -> tf.Tensor:
    """Return the reduction by an associative kernel, along a static length above zero."""
    length = x.shape[1]
    while length > 1:
        half = length // 2
        halves = kernel(layout.slice_along(x, 1, 0, half), layout.slice_along(x, 1, half, half))
        x = tf.concat([halves, layout.slice_along(x, 1, length - 1, 1)], 1) if length % 2 else halves
        length -= half
    return tf.squeeze(x, [1])


def sequential_reduce(
    kernel: BinaryKernel, first: tf.Tensor | None, x: tf.Tensor, mask: tf.Tensor | None = None
) -> tf.Tensor:
    """Return the reduction from left to right, from `first` or the first element on, without elements that the mask
    excludes.
    """
    length = shapes.shape(x)[1]
    if _uses_graph(kernel, length):
        specs = map(_describe_signature, (first, x, mask))
        return trace(sequential_reduce, kernel, specs=specs)(first, x, mask)
    start = 0 if first is not None else 1
    result = tf.gather(x, 0, axis=1) if first is None else first
    if isinstance(length, int) and _can_unroll(kernel, x, length):
        items = tf.unstack(x, length, axis=1)
        masks = [] if mask is None else tf.unstack(mask, length, axis=1)
        for index in range(start, length):
            combined = kernel(result, items[index])
            result = ops.select(masks[index], combined, result) if masks else combined
        return result

    def step(result: tf.Tensor, index: Any) -> tf.Tensor:
        combined = kernel(result, tf.gather(x, index, axis=1))
        return combined if mask is None else ops.select(tf.gather(mask, index, axis=1), combined, result)

    return _loop(step, result, start, length)


def _uses_graph(kernel: BinaryKernel, length: Dim) -> bool:
    """Return whether to use a graph in eager mode: for long axes, unless the kernel is a single op."""
    return (
        ops.executing_eagerly()
        and isinstance(length, int)
        and length >= LONG
        and not getattr(kernel, "__module__", "").startswith("tensorflow")
    )


def _describe_signature(tensor: tf.Tensor | None) -> tf.TensorSpec | None:
    return None if tensor is None else tf.TensorSpec([None] * tensor.shape.rank, tensor.dtype)


def _can_unroll(kernel: BinaryKernel, x: tf.Tensor, length: int) -> bool:
    """Return whether to unroll the steps.

    XLA compiles many steps of complex numbers slowly, and rewrites `(a / b) / c` to `a / (b * c)`, which may overflow.
    """
    if ops.executing_eagerly() or length <= 1:
        return True
    # Upstream bug: tensorflow-quotients-reassociated-xla
    if kernel is ops.divide and is_for_xla():
        return False
    return length <= (SHORT // 8 if x.dtype.is_complex else SHORT)


def _loop(step: Callable[[Any, Any], Any], result: Any, start: int, stop: Dim, limit: Dim | None = None) -> Any:
    """Return the result of a loop of `result = step(result, index)`. Gradients under XLA need a static limit of the
    number of steps.
    """
    limit = next((dim for dim in (stop, limit) if isinstance(dim, int)), None)
    stop = tf.cast(stop, tf.int32)

    def body(index: tf.Tensor, result: Any) -> tuple[tf.Tensor, Any]:
        return index + 1, step(result, index)

    return tf.while_loop(
        lambda index, _: index < stop, body, (tf.constant(start, tf.int32), result), maximum_iterations=limit
    )[1]


def scan(kernel: BinaryKernel, x: tf.Tensor, *, associative: bool) -> tf.Tensor:
    """Return the reductions of all leading parts of the axis."""
    length = shapes.shape(x)[1]
    if isinstance(length, int):
        if length <= 1:
            return x
        if associative and length > SHORT // 2:
            return _scan_by_doubling(kernel, x, length)
        if _uses_graph(kernel, length):
            return trace(_scan_in_loop, kernel, specs=[_describe_signature(x)])(x)
        if _can_unroll(kernel, x, length):
            return _scan_unrolled(kernel, x, length)
    return _scan_in_loop(kernel, x)


def _scan_by_doubling(kernel: BinaryKernel, x: tf.Tensor, length: int) -> tf.Tensor:
    """Return the scan by an associative kernel: combine each element with the one before it, then with the one 2, 4,
    ... before it.
    """
    step = 1
    while step < length:
        combined = kernel(layout.slice_along(x, 1, 0, length - step), layout.slice_along(x, 1, step, length - step))
        x = tf.concat([layout.slice_along(x, 1, 0, step), combined], 1)
        step *= 2
    return x


def _scan_unrolled(kernel: BinaryKernel, x: tf.Tensor, length: int) -> tf.Tensor:
    items = tf.unstack(x, length, axis=1)
    for index in range(1, length):
        items[index] = kernel(items[index - 1], items[index])
    return tf.stack(items, 1)


def _scan_in_loop(kernel: BinaryKernel, x: tf.Tensor) -> tf.Tensor:
    """Return the scan by a loop. A TensorArray with one element more is written, so that it is never empty."""
    length = shapes.shape(x)[1]
    padded = tf.concat([x, tf.zeros_like(x[:, :1]) if isinstance(length, int) else _make_zero_column(x)], 1)
    first = tf.gather(padded, 0, axis=1)
    array = tf.TensorArray(x.dtype, size=tf.cast(length, tf.int32) + 1, element_shape=first.shape).write(0, first)

    def step(state: Any, index: Any) -> Any:
        result = kernel(state[0], tf.gather(x, index, axis=1))
        return result, state[1].write(index, result)

    array = _loop(step, (first, array), 1, length)[1].write(length, first)
    return layout.transpose(array.stack(), (1, 0, 2))[:, :length]


def _make_zero_column(x: tf.Tensor) -> tf.Tensor:
    before, _, after = shapes.shape(x)
    return tf.zeros(shapes.shape_tensor((before, 1, after)), x.dtype)


def segment_reduce(
    kernel: BinaryKernel,
    x: tf.Tensor,
    starts: tf.Tensor,
    stops: tf.Tensor,
    *,
    associative: bool,
    masked_value: int | None,
) -> tf.Tensor:
    """Return the reductions of segments of the axis, from `starts` up to `stops`. None is empty, and they may
    overlap.
    """
    length = shapes.shape(x)[1]
    if kernel is ops.add and isinstance(length, int) and length >= MIN_EVEN_LENGTH:
        static = convert.static_value(starts)
        if static is not None and np.size(static) > 1 and np.ptp(steps := np.diff(static)) == 0 and steps[0] > 0:
            return _sum_even_segments(x, int(static[0]), int(steps[0]), len(static), length)
    if associative and isinstance(length, int):
        return _reduce_by_doubling(kernel, x, starts, stops, length)
    if _uses_graph(kernel, length):
        specs = map(_describe_signature, (x, starts, stops))
        return trace(_reduce_in_loop, kernel, specs=specs, masked_value=masked_value)(x, starts, stops)
    return _reduce_in_loop(kernel, x, starts, stops, masked_value)


def _sum_even_segments(x: tf.Tensor, start: int, step: int, count: int, length: int) -> tf.Tensor:
    """Return the sums of segments of one length, as rows, and of the last one, which may be longer or shorter."""
    before, _, after = shapes.shape(x)
    last = start + (count - 1) * step
    rows = layout.slice_along(x, 1, start, last - start)
    rows = tf.reshape(rows, shapes.shape_tensor((before, count - 1, step, after)))
    final = layout.slice_along(x, 1, last, length - last)
    return tf.concat([tf.reduce_sum(rows, 2), tf.reduce_sum(final, 1, keepdims=True)], 1)


def _reduce_by_doubling(
    kernel: BinaryKernel, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, length: int
) -> tf.Tensor:
    """Return the reductions of segments: combine those of 1, 2, 4, ... elements by the binary digits of the segment's
    length.
    """
    result, index, remaining = tf.gather(x, starts, axis=1), starts + 1, stops - starts - 1
    max_length = int(tf.reduce_max(remaining)) + 1 if ops.executing_eagerly() else length
    step = 1
    while step < max_length:
        is_needed = tf.not_equal(tf.bitwise.bitwise_and(remaining, step), 0)
        piece = tf.gather(x, tf.minimum(index, length - step), axis=1)
        result = ops.select(_as_3d_mask(is_needed), kernel(result, piece), result)
        index += tf.where(is_needed, tf.constant(step, index.dtype), tf.constant(0, index.dtype))
        if 2 * step < max_length:
            count = length - 2 * step + 1
            x = kernel(layout.slice_along(x, 1, 0, count), layout.slice_along(x, 1, step, count))
        step *= 2
    return result


def _reduce_in_loop(
    kernel: BinaryKernel, x: tf.Tensor, starts: tf.Tensor, stops: tf.Tensor, masked_value: int | None
) -> tf.Tensor:
    """Return the reductions of all segments, from left to right, in as many steps as the longest has elements."""
    length = shapes.shape(x)[1]
    last = tf.cast(length, starts.dtype) - 1

    def step(result: tf.Tensor, index: Any) -> tf.Tensor:
        current = starts + tf.cast(index, starts.dtype)
        inside = _as_3d_mask(current < stops)
        item = tf.gather(x, tf.minimum(current, last), axis=1)
        if masked_value is not None:
            item = ops.select(inside, item, ops.scalar(masked_value, item))
        return ops.select(inside, kernel(result, item), result)

    result = tf.gather(x, starts, axis=1)
    max_length = tf.reduce_max(tf.concat([stops - starts, tf.ones((1,), starts.dtype)], 0))
    return _loop(step, result, 1, max_length, length)


def _as_3d_mask(mask: tf.Tensor) -> tf.Tensor:
    return tf.reshape(mask, (1, -1, 1))
