"""`out=` and `where=`: where results go, given that tensors do not change.

A `tf.Variable` is the array that can be written. Without one, elements that `where=` leaves out are zero: NumPy leaves
there whatever the memory held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.errors import refuse_tensor


def as_outputs(out: Any, count: int) -> tuple[tf.Variable | None, ...]:
    """The variables that `out=` names, one for each output; None where a new tensor is wanted."""
    if out is None:
        return (None,) * count
    if not isinstance(out, tuple):
        if count > 1:
            raise TypeError("'out' must be a tuple of tf.Variables, one for each output")
        out = (out,)
    if len(out) != count:
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    for value in out:
        if value is not None and not isinstance(value, tf.Variable):
            raise refuse_tensor("out", value)
    return out


def as_mask(where: Any) -> tf.Tensor | None:
    """The mask as a boolean tensor; None for the scalar True, which masks nothing. NumPy takes no other dtype."""
    if where is True or where is None:
        return None
    mask = convert.to_tensor(where)
    if mask.dtype != tf.bool:
        name = dtypes.as_numpy(mask.dtype)
        raise TypeError(f"Cannot cast array data from {name!r} to {dtypes.BOOL!r} according to the rule 'safe'")
    return mask


def deliver(
    result: tf.Tensor, out: tf.Variable | None, mask: tf.Tensor | None, *, casting: str = "same_kind"
) -> tf.Tensor | tf.Variable:
    """The result itself, or the variable that now holds it. Checks the cast and the shapes before it writes."""
    if out is None:
        return result if mask is None else _masked(result, mask)
    check(result, out, mask, casting=casting)
    sides = tuple(out.shape)
    result = shapes.broadcast_to(convert.cast(result, out.dtype), sides)
    if mask is not None:
        result = tf.where(shapes.broadcast_to(mask, sides), result, out)
    out.assign(result)
    return out


def check(result: tf.Tensor, out: tf.Variable, mask: tf.Tensor | None, *, casting: str = "same_kind") -> None:
    """Raise where `deliver` would, and write nothing: several outputs are written all or none."""
    operands = [result] if mask is None else [result, mask]
    _check_shape([tuple(operand.shape) for operand in operands], tuple(out.shape))
    source, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(out.dtype)
    if not dtypes.can_cast(source, target, casting):
        raise TypeError(f"Cannot cast output from {source!r} to {target!r} with casting rule {casting!r}")


def _masked(result: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    sides = shapes.broadcast_shapes(shapes.shape(result), shapes.shape(mask))
    whole, mask = shapes.broadcast_to(result, sides), shapes.broadcast_to(mask, sides)
    return tf.where(mask, whole, tf.zeros((), result.dtype))


def _check_shape(operands: Sequence[Any], sides: Sequence[Any]) -> None:
    if any(side is None for operand in (*operands, sides) for side in operand):
        return
    common = shapes.broadcast_shapes(*operands)
    if np.broadcast_shapes(common, sides) != tuple(sides):
        raise ValueError(
            f"non-broadcastable output operand with shape {shapes.written(sides)} doesn't match the broadcast shape "
            f"{shapes.written(common)}"
        )
