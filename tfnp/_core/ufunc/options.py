"""What the methods of ufuncs are asked: axes, masks, initial values, dtypes of loops, and where a result goes."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.errors import AxisError
from tfnp._core.tensor_conversion import apply_conversion

NOTHING: Final = np._NoValue
Axes = tuple[int, ...]


def normal_axes(axis: Any, rank: int) -> Axes:
    """The axes that a reduction names, as normal numbers: None for all, an int, or a tuple of ints.

    Of a tensor of rank 0, NumPy takes 0 and -1 too.
    """
    if axis is None:
        return ALL_AXES[rank]
    if not isinstance(axis, tuple):
        number = shapes.as_int_not_bool(axis)
        if rank == 0 and number in (0, -1):
            return ()
        return (_normal(number, rank),)
    axes = tuple(_normal(shapes.as_int_not_bool(item), rank) for item in axis)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(axes))


def _normal(number: int, rank: int) -> int:
    if not -rank <= number < rank:
        raise AxisError(number, rank)
    return number % rank


ALL_AXES: Final = tuple(tuple(range(rank)) for rank in range(shapes.MAX_RANK + 1))


def one_axis(axis: Any, rank: int, method: str) -> int:
    """The axis that `accumulate` and `reduceat` go along: None means it where there is but one."""
    axes = normal_axes(axis, rank)
    if rank == 0:
        raise TypeError(f"cannot {method} on a scalar")
    if len(axes) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return axes[0]


def is_kept(keepdims: Any) -> bool:
    """What `keepdims=` says: a truth, or an int; NumPy takes no None."""
    return False if keepdims is NOTHING else bool(operator.index(convert.static_value(keepdims)))


def as_mask(where: Any, a: tf.Tensor) -> tf.Tensor:
    """What `where=` says of each element of the array, which it may not widen."""
    mask = outputs.truths(where)
    if mask.shape.rank is None:
        mask = shapes.filled_up(mask, shapes.rank(a))
    if shapes.rank(mask) > shapes.rank(a):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    own, sides = shapes.shape(mask), shapes.shape(a)[shapes.rank(a) - shapes.rank(mask) :]
    pairs = list(zip(own, sides, strict=True))
    if any(isinstance(wide, int) and wide != 1 and isinstance(side, int) and wide != side for wide, side in pairs):
        raise ValueError(f"non-broadcastable operand with shape {shapes.written(tuple(a.shape))} for the mask `where`")
    if shapes.is_static(own) and (shapes.is_static(sides) or all(wide == 1 for wide in own)):
        return mask
    return shapes.fitting(mask, sides, "non-broadcastable operand for the mask `where`")


def as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """A scalar in the dtype of the loop, as NumPy assigns it to an element."""
    element = np.zeros((), dtypes.as_numpy(dtype))
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank not in (0, None):
            sides = [1 if side is None else side for side in value.shape]
            element.fill(np.zeros(sides, dtypes.as_numpy(value.dtype)))  # which raises
        return tf.reshape(shapes.known_rank(to_tensor(value, dtype), 0), ())
    element.fill(value)
    return convert.from_numpy(element)


def as_neutral(identity: Any, dtype: tf.DType) -> tf.Tensor:
    """The identity of a ufunc, of which -1 stands for all bits set, in the dtype of the loop."""
    return convert.from_numpy(np.array(identity).astype(dtypes.as_numpy(dtype)))


def loop_dtype(dtype: Any) -> tf.DType:
    """What `dtype=` asks of a loop, which has no byte order."""
    found = dtypes.as_dtype(dtype)
    if isinstance(dtype, np.dtype | str) and dtype != "bfloat16" and not np.dtype(dtype).isnative:
        raise TypeError("the `dtype` of a loop says which numbers, not in which byte order they lie")
    return found


def as_output(out: Any) -> tf.Variable | None:
    """The variable that `out=` names, alone or in a tuple. An ellipsis asks for an array, which a tensor is anyhow."""
    return None if out is Ellipsis else outputs.as_outputs(out, 1)[0]


def deliver(result: tf.Tensor, out: tf.Variable, name: str) -> tf.Variable:
    """The variable, which now holds the result in whatever dtype it has: a reduction casts without asking."""
    found, wanted = out.shape.rank, result.shape.rank
    if found != wanted:
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: Found {found} but "
            f"expected {wanted}"
        )
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes: the output has shape "
            f"{shapes.written(tuple(out.shape))}, the result {shapes.written(tuple(result.shape))}"
        )
    if not result.shape.is_fully_defined():
        result = tf.ensure_shape(result, out.shape)
    return outputs.deliver(result, out, None, casting="unsafe")


def deliver_running(result: tf.Tensor, out: tf.Variable) -> tf.Variable:
    """As `deliver`. The shape must be that of the result, where NumPy lets some others pass, and reads or writes beyond
    their ends.
    """
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError("provided out is the wrong size for the accumulation.")
    if not result.shape.is_fully_defined():
        result = tf.ensure_shape(result, out.shape)
    return outputs.deliver(result, out, None, casting="unsafe")


def loop_asked_for(joint: np.ufunc, options: dict[str, Any]) -> Any:
    """What `dtype=` or `signature=` says of the loop, as `resolve_dtypes` takes it."""
    dtype, signature = options.get("dtype"), options.get("signature")
    if dtype is not None and signature is not None:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    if dtype is not None:
        return (None,) * joint.nin + (dtypes.as_numpy(loop_dtype(dtype)),) * joint.nout
    _check_length(joint, signature)
    if isinstance(signature, tuple):
        return tuple(None if item is None else dtypes.as_numpy(loop_dtype(item)) for item in signature)
    return signature


def _check_length(joint: np.ufunc, signature: Any) -> None:
    """A loop is named by one dtype for each operand, or as text by one letter, or by all of theirs and an arrow."""
    if isinstance(signature, tuple) and len(signature) not in (1, joint.nargs):
        raise ValueError(f"a type-tuple must be specified of length {joint.nargs} for ufunc '{joint.__name__}'")
    if isinstance(signature, str) and len(signature) > 1:
        before, _, after = signature.partition("->")
        if (len(before), len(after)) != (joint.nin, joint.nout):
            wanted = f"{joint.nin} typecode(s) before and {joint.nout} after the -> sign"
            raise ValueError(f"a type-string for {joint.__name__} has {wanted}, or is a single one")
