"""`out=` and `where=`: write results to variables, and mask them.

Tensors are immutable, so that `out=` is a `tf.Variable`. Without one, elements that `where=` excludes are zero, where
NumPy's are uninitialized.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, shapes
from tfnp._core.eager_tensors import EagerTensor, enum_of, shape_of
from tfnp._core.errors import not_a_variable_error
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._core.variables import read_variable, store, update
from tfnp._core.xla import is_for_xla

_TEXT: Final = tf.string.as_datatype_enum


def as_outputs(out: Any, count: int) -> tuple[tf.Variable | None, ...]:
    """Return the variables in `out=`, one for each output; None stands for a new tensor."""
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
            raise not_a_variable_error("out", value)
    return out


def as_variable(out: Any) -> tf.Variable | None:
    """Return `out=`, a variable or None. Raise TypeError for anything else, also for a tuple."""
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    return out


def as_mask(where: Any) -> tf.Tensor | None:
    """Return `where=` as a boolean tensor; None for True, the default."""
    return None if where is True else as_bool_mask(where)


def as_bool_mask(where: Any) -> tf.Tensor:
    """Return `where=` as a boolean tensor. An array must be boolean; NumPy converts anything else."""
    where = apply_conversion(where)
    if isinstance(where, tf.Tensor | tf.Variable | np.ndarray) and where.dtype != tf.bool:
        name = dtypes.as_numpy(where.dtype)
        raise TypeError(f"Cannot cast array data from {name!r} to {dtypes.BOOL!r} according to the rule 'safe'")
    return convert.to_tensor(bool(where) if where is None or isinstance(where, str | bytes) else where, tf.bool)


def mask_of_computed(mask: tf.Tensor | None, outs: Sequence[tf.Variable | None]) -> tf.Tensor | None:
    """Return the mask of the elements to compute; None for all. For an empty `out`, nothing needs to be computed."""
    is_empty = mask is None and any(out is not None and out.shape.num_elements() == 0 for out in outs)
    return tf.constant(False) if is_empty else mask


def write_outputs(
    results: Sequence[tf.Tensor],
    outs: Sequence[tf.Variable | None],
    mask: tf.Tensor | None = None,
    *,
    casting: str = "same_kind",
) -> tuple[tf.Tensor | tf.Variable, ...]:
    """Write results to their variables; return the variables, and the results that have none.

    Check all casts and shapes before writing any variable. Outputs broadcast together: none may be smaller than
    another. A variable named twice holds what NumPy leaves in an array: of two results the one that was cast, or
    else the first.
    """
    if len(results) == 1:
        return (write_output(results[0], outs[0], mask, casting=casting),)
    out_shapes = [tuple(out.shape) for out in outs if out is not None]
    for result, out in zip(results, outs, strict=True):
        if out is not None:
            _check(result, out, mask, out_shapes, casting)
    casts = [out is not None and out.dtype != result.dtype for result, out in zip(results, outs, strict=True)]
    order = sorted(range(len(outs)), key=lambda index: (casts[index], -index))
    written = {index: _write(results[index], outs[index], mask) for index in order}
    return tuple(written[index] for index in range(len(outs)))


def write_output(
    result: tf.Tensor, out: tf.Variable | None, mask: tf.Tensor | None = None, *, casting: str = "same_kind"
) -> tf.Tensor | tf.Variable:
    """Write a result to its variable and return the variable; without one, return the result."""
    if out is not None and not (
        _has_shape(result, out.shape) and (mask is None or _has_shape(mask, out.shape)) and result.dtype == out.dtype
    ):
        _check(result, out, mask, (tuple(out.shape),), casting)
    return _write(result, out, mask)


def write_eager(
    result: tf.Tensor, out: tf.Variable | None = None, where: tf.Tensor | bool = True
) -> tf.Tensor | tf.Variable | None:
    """Write an eager result to a plain variable of its shape and dtype, or mask it; None where it takes a conversion.

    The mask has the shape of the result.
    """
    if type(result) is not EagerTensor or (where is not True and shape_of(where) != shape_of(result)):
        return None
    if out is None:
        return ops.select(where, result, ops.scalar(0, result)) if enum_of(result) != _TEXT else None
    if result.dtype is not out.dtype or shape_of(result) != tuple(out.shape):
        return None
    if where is not True:
        result = ops.select(where, result, read_variable(out))
    ops.assign_variable(out.handle, result)
    return out


def _write(result: tf.Tensor, out: tf.Variable | None, mask: tf.Tensor | None) -> tf.Tensor | tf.Variable:
    if out is None:
        return result if mask is None else _apply_mask(result, mask)
    if result.dtype == tf.bfloat16 != out.dtype and is_for_xla():
        result = _round_to_bfloat16(result)
    value = _broadcast(convert.cast(result, out.dtype), out.shape)
    if mask is not None:
        update(out, ops.select(_broadcast(mask, out.shape), value, read_variable(out)))
    else:
        store(out, value)
    return out


def _has_shape(tensor: tf.Tensor, shape: tf.TensorShape) -> bool:
    """Return whether the tensor certainly has this shape."""
    return bool(tensor.shape == shape) and shape.is_fully_defined()


def _broadcast(tensor: tf.Tensor, shape: tf.TensorShape) -> tf.Tensor:
    if _has_shape(tensor, shape):
        return tensor
    if not tensor.shape.is_fully_defined():
        tensor = shapes.check_broadcastable_to(tensor, tuple(shape), "non-broadcastable output operand")
    return shapes.broadcast_to(tensor, tuple(shape))


def _round_to_bfloat16(result: tf.Tensor) -> tf.Tensor:
    """Return a bfloat16 tensor as float32, by way of its bits.

    XLA computes bfloat16 in float32, and would omit the rounding if the result were cast back.
    """
    bits = tf.cast(ops.bitcast(result, tf.uint16), tf.uint32)
    return ops.bitcast(tf.bitwise.left_shift(bits, tf.constant(16, tf.uint32)), tf.float32)


def _check(result: tf.Tensor, out: tf.Variable, mask: tf.Tensor | None, outputs: Sequence[Any], casting: str) -> None:
    static = [tensor.shape for tensor in (result, mask) if tensor is not None and tensor.shape.rank is not None]
    _check_shape([*map(tuple, static), *outputs], tuple(out.shape))
    if result.dtype == out.dtype:
        return
    if tf.string in (result.dtype, out.dtype):
        raise TypeError(f"Cannot cast output from {result.dtype.name} to {out.dtype.name}")
    source, target = dtypes.as_numpy(result.dtype), dtypes.as_numpy(out.dtype)
    if not dtypes.can_cast(source, target, casting):
        raise TypeError(f"Cannot cast output from {source!r} to {target!r} with casting rule {casting!r}")


def _apply_mask(result: tf.Tensor, mask: tf.Tensor) -> tf.Tensor:
    if result.shape.rank is None or mask.shape.rank is None:
        return layout.select(mask, result, tf.zeros((), result.dtype))
    if not _has_shape(result, mask.shape):
        shape = shapes.broadcast_shapes(shapes.shape(result), shapes.shape(mask))
        result, mask = shapes.broadcast_to(result, shape), shapes.broadcast_to(mask, shape)
    if result.dtype == tf.string:
        return tf.where(mask, result, "")
    return ops.select(mask, result, ops.scalar(0, result))


def _check_shape(operands: Sequence[Any], shape: Sequence[Any]) -> None:
    """Raise NumPy's ValueError where static dimensions do not match those of the output; an unknown one may match."""
    if None in shape:
        return
    common = shapes.broadcast_shapes(*(tuple(1 if dim is None else dim for dim in operand) for operand in operands))
    if np.broadcast_shapes(common, shape) != tuple(shape):
        raise ValueError(
            f"non-broadcastable output operand with shape {shapes.format_shape(shape)} doesn't match the broadcast "
            f"shape {shapes.format_shape(common)}"
        )
