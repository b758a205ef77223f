"""Selections whose mask is rarely True: special values are computed only if there are any.

Long arrays in eager mode have passes of their own: there, what takes fewest passes over memory is fastest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import tensorflow as tf

from tfnp._core import ops, shapes
from tfnp._core.eager_tensors import EagerTensor, is_on_host, rank_of, shape_of, size_of
from tfnp._core.traces import MAX_SIZE

_FEW: Final = 8
"""The share of elements, one in so many, up to which it is faster to gather and scatter them than to select."""


def is_known_false(mask: tf.Tensor) -> bool:
    """Return whether the mask is seen to be all False: in the host's memory. On an accelerator a look at it would wait
    for all ops before it.
    """
    return is_on_host(mask) and not mask._numpy().any()


def replace_rare(usual: tf.Tensor, mask: tf.Tensor, special: Callable[[], tf.Tensor]) -> tf.Tensor:
    """Return `special()` where the mask is True, else `usual`. `special` is not called if the mask is known to be all
    False.
    """
    if is_known_false(mask):
        return usual
    return ops.select(mask, special(), usual)


def is_long(x: tf.Tensor) -> bool:
    """Return whether this is an eager tensor on a CPU, so long that only passes over memory count."""
    return type(x) is EagerTensor and size_of(x) > MAX_SIZE and is_on_host(x)


def lies_within(x: tf.Tensor, lowest: float, highest: float) -> bool:
    """Return whether all elements of a real eager tensor lie between two numbers, or are equal to one; nan does not."""
    axes = shapes.const_int(tuple(range(rank_of(x))))
    return bool(lowest <= ops.reduce_min(x, axes).numpy() and ops.reduce_max(x, axes).numpy() <= highest)


def replace_few(
    usual: tf.Tensor, mask: tf.Tensor, special: Callable[..., tf.Tensor], *operands: tf.Tensor
) -> tf.Tensor:
    """Return a long array with `special(*operands)` where the mask is True, calculated for those elements only.

    The mask has the shape of the result. The operands broadcast to it.
    """
    if is_known_false(mask):
        return usual
    flat = ops.reshape(mask, shapes.const_int((-1,)))
    indices = ops.where(flat)
    if shape_of(indices)[0] > size_of(mask) // _FEW:
        return ops.select(mask, special(*operands), usual)
    position, flatten = ops.reshape(indices, shapes.const_int((-1,))), shapes.const_int((-1,))
    elements = [
        ops.gather(ops.reshape(shapes.broadcast_to(operand, shape_of(mask)), flatten), position, shapes.const_int(0))
        for operand in operands
    ]
    result = ops.tensor_scatter_update(ops.reshape(usual, flatten), indices, special(*elements))
    return ops.reshape(result, shapes.const_int(shape_of(mask)))
