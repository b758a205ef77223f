"""Transposition, slices, padding, reversal and selection of tensors of every dtype and rank.

TensorFlow's CPU kernels for slices and reversal support ranks up to 8, for padding up to 6, for selection up to 5.
Above, one axis is changed at a time, in a 3-D view: the axes before it, the axis, the axes after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, ops, shapes
from tfnp._core.checks import check
from tfnp._core.eager_tensors import EagerTensor, rank_of
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.shapes import Dim
from tfnp._core.xla import is_for_xla

REVERSE_RANK: Final = 8
PAD_RANK: Final = 6
SLICE_RANK: Final = 8
SELECT_RANK: Final = 5
_MOST_COPIES: Final = 8


def transpose(tensor: tf.Tensor, permutation: tuple[int, ...]) -> tf.Tensor:
    """Return the tensor with its axes permuted."""
    return ops.transpose(tensor, shapes.const_int(permutation))


def adjoint(matrices: tf.Tensor) -> tf.Tensor:
    """Return the conjugate transpose of matrices in the last two axes."""
    return tf.linalg.matrix_transpose(matrices, conjugate=matrices.dtype.is_complex)


def move_axis(tensor: tf.Tensor, source: int, target: int) -> tf.Tensor:
    """Return the tensor with the axis `source` at the position `target`, both normalized; the others keep their
    order.
    """
    if source == target:
        return tensor
    order = [axis for axis in range(shapes.rank(tensor)) if axis != source]
    order.insert(target, source)
    return transpose(tensor, tuple(order))


def take(tensor: tf.Tensor, indices: Any, axis: int) -> tf.Tensor:
    """Return the elements at 1-D `indices`, a tensor or an array, along an axis.

    Indices must be in bounds: TensorFlow raises in eager mode on CPU only, and XLA takes the nearest element.
    """
    if isinstance(indices, np.ndarray):
        indices = convert.from_numpy(indices)
    return ops.gather(tensor, indices, shapes.const_int(axis))


def element(tensor: tf.Tensor, index: int) -> tf.Tensor:
    """Return what is at an index of the first axis, in bounds. `tensor[index]` takes as long as several ops."""
    return ops.gather(tensor, shapes.const_int(index), shapes.const_int(0))


def check_bounds(indices: tf.Tensor, lowest: Any, highest: Any) -> tf.Tensor:
    """Return indices, after checking that they lie from `lowest` to `highest`."""
    is_valid = tf.reduce_all((indices >= lowest) & (indices <= highest))
    return check(is_valid, IndexError("index out of bounds"), indices, indices)


def indices_of_true(mask: tf.Tensor) -> tf.Tensor:
    """Return the indices at which a 1-D mask is True."""
    # One element is appended: under XLA, tf.where of a single False returns a result of arbitrary length.
    return tf.where(tf.concat([mask, [False]], 0))[:, 0]


def positions(length: Dim) -> tf.Tensor:
    """Return 0, 1, ... (int64) up to a length that may be dynamic."""
    return tf.range(tf.cast(length, tf.int64), dtype=tf.int64)


def reverse(tensor: tf.Tensor, axes: Sequence[int]) -> tf.Tensor:
    """Return the tensor with its elements in reverse order along axes."""
    if shapes.rank(tensor) <= REVERSE_RANK:
        return ops.reverse(tensor, shapes.const_int(tuple(axes)))
    for axis in axes:
        tensor = apply_along_axis(tensor, axis, lambda flat: tf.reverse(flat, [1]))
    return tensor


def slice_along(tensor: tf.Tensor, axis: int, start: Dim, length: Dim) -> tf.Tensor:
    """Return `length` elements along an axis, from `start` on; both must be in bounds."""
    rank = shapes.rank(tensor)
    if rank > SLICE_RANK:
        return apply_along_axis(tensor, axis, lambda flat: slice_along(flat, 1, start, length))
    starts: list[Dim] = [0] * rank
    lengths: list[Dim] = [-1] * rank
    starts[axis], lengths[axis] = start, length
    is_static = isinstance(start, int) and isinstance(length, int)
    if is_static and is_for_xla():  # there, TensorFlow's gradient of Slice has no gradient
        others = (1 << rank) - 1 - (1 << axis)
        ends = [start + length if index == axis else 0 for index in range(rank)]
        return tf.strided_slice(tensor, starts, ends, begin_mask=others, end_mask=others)
    if is_static:
        return ops.slice_from(tensor, shapes.const_int(tuple(starts)), shapes.const_int(tuple(lengths)))
    return tf.slice(tensor, shapes.shape_tensor(starts), shapes.shape_tensor(lengths))


def pad(tensor: tf.Tensor, widths: Sequence[tuple[Dim, Dim]], value: tf.Tensor | None = None) -> tf.Tensor:
    """Return the tensor, padded before and after along each axis with a scalar, zero by default."""
    if value is None:
        value = tf.zeros((), tensor.dtype)
    if shapes.rank(tensor) <= PAD_RANK:
        pairs = [tf.stack([tf.cast(dim, tf.int32) for dim in pair]) for pair in widths]
        static = shapes.is_static([dim for pair in widths for dim in pair])
        paddings = np.array(widths, np.int32).reshape(-1, 2) if static else tf.stack(pairs)
        return ops.pad(tensor, paddings, value)
    for axis, pair in enumerate(widths):
        if pair != (0, 0):
            tensor = apply_along_axis(tensor, axis, partial(_pad_middle, pair=pair, value=value))
    return tensor


def put_longer_first(a: tf.Tensor, b: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Return two vectors of one dtype, the longer one first, and whether they were swapped, while their lengths are
    unknown.
    """
    is_swapped = tf.size(b) > tf.size(a)
    return *choose_by_shape(is_swapped, lambda: (b, a), lambda: (a, b)), is_swapped


# Upstream bugs: tensorflow-slice-of-dynamic-xla, tensorflow-cumsum-of-dynamic-xla
def shorten(tensor: tf.Tensor, axis: int, count: int, step: Callable[[tf.Tensor], tf.Tensor]) -> tf.Tensor:
    """Return a tensor after so many steps, each of which makes an axis shorter by one until it has no elements.

    Where a graph does not know the length, more than a few steps are a loop.
    """
    length = shapes.shape(tensor)[axis]
    if isinstance(length, int) or count <= _MOST_COPIES:
        for _ in range(min(count, length) if isinstance(length, int) else count):
            tensor = step(tensor)
        return tensor
    invariant = tf.TensorShape([None if index == axis else dim for index, dim in enumerate(tensor.shape)])
    last = tf.minimum(tf.constant(count, tf.int64), tf.cast(length, tf.int64))
    _, result = tf.while_loop(
        lambda index, _: index < last,
        lambda index, value: (index + 1, tf.ensure_shape(step(value), invariant)),
        [tf.constant(0, tf.int64), tensor],
        shape_invariants=[tf.TensorShape(()), invariant],
    )
    return result


def choose_by_shape(condition: tf.Tensor, if_true: Callable[[], Any], if_false: Callable[[], Any]) -> Any:
    """Return the result of one of two functions, by a condition that depends on shapes alone.

    XLA knows the condition, and compiles one branch of `tf.switch_case`. Of `tf.cond` it compiles both: their ranks
    must agree, and if sizes do not, sums of the result are wrong.
    """
    if not is_for_xla():
        return tf.cond(condition, if_true, if_false)
    return tf.switch_case(tf.cast(condition, tf.int32), [if_false, if_true])


def _pad_middle(flat: tf.Tensor, pair: tuple[Dim, Dim], value: tf.Tensor) -> tf.Tensor:
    return pad(flat, ((0, 0), pair, (0, 0)), value)


def select(mask: tf.Tensor, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return elements of `x` where the mask is True, else of `y`. Both have the same dtype; all broadcast.

    Where a rank is unknown, TensorFlow's op finds the common shape when the graph runs.
    """
    if type(mask) is type(x) is type(y) is EagerTensor:
        if max(rank_of(mask), rank_of(x), rank_of(y)) <= SELECT_RANK:
            try:
                return ops.select(mask, x, y)
            except TENSORFLOW_ERRORS:
                pass  # below, NumPy's error is raised
    elif None in (mask.shape.rank, x.shape.rank, y.shape.rank):
        return ops.select(mask, x, y)
    shape = shapes.broadcast_shapes(shapes.shape(mask), shapes.shape(x), shapes.shape(y))
    if len(shape) <= SELECT_RANK:
        return ops.select(mask, x, y)
    flat = [tf.reshape(shapes.broadcast_to(tensor, shape), (-1,)) for tensor in (mask, x, y)]
    return tf.reshape(ops.select(*flat), shapes.shape_tensor(shape))


def scatter(scatter_op: Callable[..., tf.Tensor], flat: tf.Tensor, indices: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Return a vector to which an op such as `ops.tensor_scatter_update` writes values at the indices.

    The indices have another axis, since TensorFlow has no forward gradient of `gather_nd` of rows.
    """
    return scatter_op(flat, tf.reshape(indices, (1, -1, 1)), tf.expand_dims(values, 0))


def apply_along_axis(tensor: tf.Tensor, axis: int, function: Callable[[tf.Tensor], tf.Tensor]) -> tf.Tensor:
    """Return the result of a function of a 3-D view with the axis in the middle, the only one that the function may
    change.
    """
    shape = shapes.shape(tensor)
    before, after = product(shape[:axis]), product(shape[axis + 1 :])
    result = function(tf.reshape(tensor, shapes.shape_tensor((before, shape[axis], after))))
    return tf.reshape(result, shapes.shape_tensor((*shape[:axis], shapes.shape(result)[1], *shape[axis + 1 :])))


def product(shape: Sequence[Dim]) -> Dim:
    """Return the product of dimensions."""
    result: Dim = 1
    for dim in shape:
        result = result * dim
    return result
