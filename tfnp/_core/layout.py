"""Moving elements about, for every dtype and rank: where TensorFlow's kernels end, an axis is worked on by itself.

TensorFlow's CPU kernels for slices and reversal stop at rank 8, for padding at 6; along one axis, any tensor is 3-D:
what lies before the axis, the axis, what lies after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.shapes import Dim

REVERSE_RANK: Final = 8
PAD_RANK: Final = 6
SLICE_RANK: Final = 8


def transpose(tensor: tf.Tensor, permutation: tuple[int, ...]) -> tf.Tensor:
    return tf.raw_ops.Transpose(x=tensor, perm=shapes.const_int(permutation))


def move_axis(tensor: tf.Tensor, source: int, target: int) -> tf.Tensor:
    """The axis `source` put at the place `target`, both normal; the others keep their order."""
    if source == target:
        return tensor
    order = [axis for axis in range(shapes.rank(tensor)) if axis != source]
    order.insert(target, source)
    return transpose(tensor, tuple(order))


def take(tensor: tf.Tensor, indices: Any, axis: int) -> tf.Tensor:
    """The elements at 1-D `indices` along an axis, which must be in bounds: a gather clamps under XLA, raises in eager.

    The positions may be an array, worked out on the host, or a tensor.
    """
    if isinstance(indices, np.ndarray):
        indices = convert.from_numpy(indices)
    return tf.raw_ops.GatherV2(params=tensor, indices=indices, axis=shapes.const_int(axis))


def check_bounds(indices: tf.Tensor, lowest: Any, highest: Any) -> tf.Tensor:
    """The same indices; a graph where one is out of bounds fails when it runs. XLA checks nothing."""
    is_valid = tf.reduce_all((indices >= lowest) & (indices <= highest))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, ["index out of bounds", indices])]):
        return tf.identity(indices)


def broadcast_indices(mask: tf.Tensor) -> tf.Tensor:
    """Where a 1-D mask is set. One longer: of a single element that is False, XLA takes garbage for the length."""
    return tf.where(tf.concat([mask, [False]], 0))[:, 0]


def positions(length: Dim) -> tf.Tensor:
    """0, 1, ... up to a length that may only be known at run time."""
    return tf.range(tf.cast(length, tf.int64), dtype=tf.int64)


def reverse(tensor: tf.Tensor, axes: Sequence[int]) -> tf.Tensor:
    if shapes.rank(tensor) <= REVERSE_RANK:
        return tf.raw_ops.ReverseV2(tensor=tensor, axis=shapes.const_int(tuple(axes)))
    for axis in axes:
        tensor = along(tensor, axis, lambda flat: tf.reverse(flat, [1]))
    return tensor


def slice_along(tensor: tf.Tensor, axis: int, start: Dim, length: Dim) -> tf.Tensor:
    """`length` elements along an axis, beginning at `start`; both must be in bounds."""
    rank = shapes.rank(tensor)
    if rank > SLICE_RANK:
        return along(tensor, axis, lambda flat: slice_along(flat, 1, start, length))
    starts: list[Dim] = [0] * rank
    lengths: list[Dim] = [-1] * rank
    starts[axis], lengths[axis] = start, length
    return tf.slice(tensor, shapes.shape_tensor(starts), shapes.shape_tensor(lengths))


def pad(tensor: tf.Tensor, widths: Sequence[tuple[Dim, Dim]], value: tf.Tensor | None = None) -> tf.Tensor:
    """Elements of one value, zero unless given, before and after each axis."""
    if value is None:
        value = tf.zeros((), tensor.dtype)
    if shapes.rank(tensor) <= PAD_RANK:
        pairs = [tf.stack([tf.cast(dim, tf.int32) for dim in pair]) for pair in widths]
        static = shapes.is_static([dim for pair in widths for dim in pair])
        paddings = np.array(widths, np.int32).reshape(-1, 2) if static else tf.stack(pairs)
        return tf.raw_ops.PadV2(input=tensor, paddings=paddings, constant_values=value)
    for axis, pair in enumerate(widths):
        if pair != (0, 0):
            tensor = along(tensor, axis, partial(_pad_middle, pair=pair, value=value))
    return tensor


def _pad_middle(flat: tf.Tensor, pair: tuple[Dim, Dim], value: tf.Tensor) -> tf.Tensor:
    return pad(flat, ((0, 0), pair, (0, 0)), value)


def select(mask: tf.Tensor, chosen: tf.Tensor, other: tf.Tensor) -> tf.Tensor:
    """`chosen` where the mask is set, of equal dtypes and one shape after broadcasting, of any rank, even an unknown
    one, for which TensorFlow has to find the common shape.
    """
    if None in (mask.shape.rank, chosen.shape.rank, other.shape.rank):
        return tf.raw_ops.SelectV2(condition=mask, t=chosen, e=other)
    shape = shapes.broadcast_shapes(shapes.shape(mask), shapes.shape(chosen), shapes.shape(other))
    if len(shape) <= 5:
        return tf.raw_ops.SelectV2(condition=mask, t=chosen, e=other)
    flat = [tf.reshape(shapes.broadcast_to(tensor, shape), (-1,)) for tensor in (mask, chosen, other)]
    return tf.reshape(tf.raw_ops.SelectV2(condition=flat[0], t=flat[1], e=flat[2]), shapes.shape_tensor(shape))


def along(tensor: tf.Tensor, axis: int, function: Callable[[tf.Tensor], tf.Tensor]) -> tf.Tensor:
    """Apply to the tensor as if it were 3-D with the axis in the middle; the function may change that axis alone."""
    shape = shapes.shape(tensor)
    before, after = product(shape[:axis]), product(shape[axis + 1 :])
    result = function(tf.reshape(tensor, shapes.shape_tensor((before, shape[axis], after))))
    return tf.reshape(result, shapes.shape_tensor((*shape[:axis], shapes.shape(result)[1], *shape[axis + 1 :])))


def product(shape: Sequence[Dim]) -> Dim:
    result: Dim = 1
    for dim in shape:
        result = result * dim
    return result
