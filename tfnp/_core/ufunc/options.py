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

NO_VALUE: Final = np._NoValue
Axes = tuple[int, ...]


def normalize_axes(axis: Any, rank: int) -> Axes:
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


def as_single_axis(axis: Any, rank: int, method: str) -> int:
    """The axis that `accumulate` and `reduceat` go along: None means it where there is but one."""
    axes = normalize_axes(axis, rank)
    if rank == 0:
        raise TypeError(f"cannot {method} on a scalar")
    if len(axes) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return axes[0]


def as_keepdims(keepdims: Any) -> bool:
    """What `keepdims=` says: a truth, or an int; NumPy takes no None."""
    return False if keepdims is NO_VALUE else bool(operator.index(convert.static_value(keepdims)))


def as_mask(where: Any, a: tf.Tensor) -> tf.Tensor:
    """What `where=` says of each element of the array, which it may not widen."""
    mask = outputs.as_bool_mask(where)
    if mask.shape.rank is None:
        mask = shapes.pad_shape(mask, shapes.rank(a))
    if shapes.rank(mask) > shapes.rank(a):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    own, shape = shapes.shape(mask), shapes.shape(a)[shapes.rank(a) - shapes.rank(mask) :]
    pairs = list(zip(own, shape, strict=True))
    if any(isinstance(upcast, int) and upcast != 1 and isinstance(dim, int) and upcast != dim for upcast, dim in pairs):
        raise ValueError(
            f"non-broadcastable operand with shape {shapes.format_shape(tuple(a.shape))} for the mask `where`"
        )
    if shapes.is_static(own) and (shapes.is_static(shape) or all(upcast == 1 for upcast in own)):
        return mask
    return shapes.check_broadcastable_to(mask, shape, "non-broadcastable operand for the mask `where`")


def as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """A scalar in the dtype of the loop, as NumPy assigns it to an element."""
    element = np.zeros((), dtypes.as_numpy(dtype))
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank not in (0, None):
            shape = [1 if dim is None else dim for dim in value.shape]
            element.fill(np.zeros(shape, dtypes.as_numpy(value.dtype)))  # which raises
        return tf.reshape(shapes.with_rank(to_tensor(value, dtype), 0), ())
    element.fill(value)
    return convert.from_numpy(element)


def as_initial(identity: Any, dtype: tf.DType) -> tf.Tensor:
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


def write_reduction(result: tf.Tensor, out: tf.Variable, name: str) -> tf.Variable:
    """The variable, which now holds the result in whatever dtype it has: a reduction casts without asking."""
    found, expected = out.shape.rank, result.shape.rank
    if found != expected:
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: Found {found} but "
            f"expected {expected}"
        )
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError(
            "operands could not be broadcast together with remapped shapes: the output has shape "
            f"{shapes.format_shape(tuple(out.shape))}, the result {shapes.format_shape(tuple(result.shape))}"
        )
    if not result.shape.is_fully_defined():
        result = tf.ensure_shape(result, out.shape)
    return outputs.write_output(result, out, None, casting="unsafe")


def write_scan(result: tf.Tensor, out: tf.Variable) -> tf.Variable:
    """As `deliver`. The shape must be that of the result, where NumPy lets some others pass, and reads or writes beyond
    their ends.
    """
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError("provided out is the wrong size for the accumulation.")
    if not result.shape.is_fully_defined():
        result = tf.ensure_shape(result, out.shape)
    return outputs.write_output(result, out, None, casting="unsafe")


def requested_loop(ufunc: np.ufunc, options: dict[str, Any]) -> Any:
    """What `dtype=` or `signature=` says of the loop, as `resolve_dtypes` takes it."""
    dtype, signature = options.get("dtype"), options.get("signature")
    if dtype is not None and signature is not None:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    if dtype is not None:
        return (None,) * ufunc.nin + (dtypes.as_numpy(loop_dtype(dtype)),) * ufunc.nout
    _check_length(ufunc, signature)
    if isinstance(signature, tuple):
        return tuple(None if item is None else dtypes.as_numpy(loop_dtype(item)) for item in signature)
    return signature


def _check_length(ufunc: np.ufunc, signature: Any) -> None:
    """A loop is named by one dtype for each operand, or as text by one letter, or by all of theirs and an arrow."""
    if isinstance(signature, tuple) and len(signature) not in (1, ufunc.nargs):
        raise ValueError(f"a type-tuple must be specified of length {ufunc.nargs} for ufunc '{ufunc.__name__}'")
    if isinstance(signature, str) and len(signature) > 1:
        before, _, after = signature.partition("->")
        if (len(before), len(after)) != (ufunc.nin, ufunc.nout):
            expected = f"{ufunc.nin} typecode(s) before and {ufunc.nout} after the -> sign"
            raise ValueError(f"a type-string for {ufunc.__name__} has {expected}, or is a single one")
