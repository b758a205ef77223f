"""The options of ufuncs and their methods: `axis`, `keepdims`, `where`, `initial`, `dtype`, `signature`, `out`."""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.errors import AxisError
from tfnp._core.tensor_conversion import apply_conversion

NO_VALUE: Final[Any] = np._NoValue
Axes = tuple[int, ...]


def normalize_axes(axis: Any, rank: int) -> Axes:
    """Return the axes of a reduction, from 0 to rank - 1: None stands for all; else an int or a tuple of ints.

    For rank 0, NumPy accepts 0 and -1 too.
    """
    if axis is None:
        return ALL_AXES[rank]
    if not isinstance(axis, tuple):
        axis = shapes.as_int_not_bool(axis)
        if rank == 0 and axis in (0, -1):
            return ()
        return (_normalize(axis, rank),)
    axes = tuple(_normalize(shapes.as_int_not_bool(item), rank) for item in axis)
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(axes))


def _normalize(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise AxisError(axis, rank)
    return axis % rank


ALL_AXES: Final = tuple(tuple(range(rank)) for rank in range(shapes.MAX_RANK + 1))


def as_single_axis(axis: Any, rank: int, method: str) -> int:
    """Return the axis of `accumulate` or `reduceat`; None stands for the only one."""
    axes = normalize_axes(axis, rank)
    if rank == 0:
        raise TypeError(f"cannot {method} on a scalar")
    if len(axes) != 1:
        raise ValueError(f"{method} does not allow multiple axes")
    return axes[0]


def as_keepdims(keepdims: Any) -> bool:
    """Return `keepdims=`, a bool or an int."""
    return False if keepdims is NO_VALUE else bool(operator.index(convert.static_value(keepdims)))


def as_mask(where: Any, a: tf.Tensor) -> tf.Tensor:
    """Return `where=` as a mask that broadcasts to the shape of the array."""
    mask = outputs.as_bool_mask(where)
    if mask.shape.rank is None:
        mask = shapes.pad_shape(mask, shapes.rank(a))
    if shapes.rank(mask) > shapes.rank(a):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    mask_shape, shape = shapes.shape(mask), shapes.shape(a)[shapes.rank(a) - shapes.rank(mask) :]
    pairs = [pair for pair in zip(mask_shape, shape, strict=True) if shapes.is_static(pair)]
    if any(mask_dim not in (1, dim) for mask_dim, dim in pairs):
        raise ValueError(
            f"non-broadcastable operand with shape {shapes.format_shape(tuple(a.shape))} for the mask `where`"
        )
    if shapes.is_static(mask_shape) and (shapes.is_static(shape) or all(dim == 1 for dim in mask_shape)):
        return mask
    return shapes.check_broadcastable_to(mask, shape, "non-broadcastable operand for the mask `where`")


def as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """Convert a scalar to the dtype of the loop, as NumPy assigns it to an array element."""
    element = np.zeros((), dtypes.as_numpy(dtype))
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank not in (0, None):
            shape = [1 if dim is None else dim for dim in value.shape]
            element.fill(np.zeros(shape, dtypes.as_numpy(value.dtype)))  # raises NumPy's error
        return tf.reshape(shapes.set_unknown_rank(to_tensor(value, dtype), 0), ())
    element.fill(value)
    return convert.from_numpy(element)


def as_initial(identity: Any, dtype: tf.DType) -> tf.Tensor:
    """Convert the identity of a ufunc to the dtype of the loop; -1 stands for all bits set."""
    return convert.from_numpy(np.array(identity).astype(dtypes.as_numpy(dtype)))


def loop_dtype(dtype: Any) -> tf.DType:
    """Return the requested dtype of a loop, which must have native byte order."""
    result = dtypes.as_dtype(dtype)
    if isinstance(dtype, np.dtype | str) and dtype != "bfloat16" and not np.dtype(dtype).isnative:
        raise TypeError(
            "The `dtype` and `signature` arguments to ufuncs only select the general DType and not details such as the "
            "byte order or time unit"
        )
    return result


def as_output(out: Any) -> tf.Variable | None:
    """Return the variable in `out=`, alone or in a tuple. An ellipsis requests an array, which every tensor is."""
    return None if out is Ellipsis else outputs.as_outputs(out, 1)[0]


def write_reduction(result: tf.Tensor, out: tf.Variable, name: str) -> tf.Variable:
    """Write the result of a reduction to `out`, with any cast; return the variable."""
    ndim, expected = out.shape.rank, result.shape.rank
    if ndim != expected:
        raise ValueError(
            f"output parameter for reduction operation {name} has the wrong number of dimensions: Found {ndim} but "
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
    """Write the result of a scan to `out`, with any cast; return the variable.

    The shapes must be equal: NumPy accepts some others, and reads or writes out of bounds.
    """
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError("provided out is the wrong size for the accumulation.")
    if not result.shape.is_fully_defined():
        result = tf.ensure_shape(result, out.shape)
    return outputs.write_output(result, out, None, casting="unsafe")


def requested_loop(ufunc: np.ufunc, options: dict[str, Any]) -> Any:
    """Return `dtype=` or `signature=` as the signature that `resolve_dtypes` accepts."""
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
    """Check that a signature has a dtype for each operand, or one; a string one type code, or all and an arrow."""
    if isinstance(signature, tuple) and len(signature) not in (1, ufunc.nargs):
        raise ValueError(f"a type-tuple must be specified of length {ufunc.nargs} for ufunc '{ufunc.__name__}'")
    if isinstance(signature, str) and len(signature) > 1:
        before, _, after = signature.partition("->")
        if (len(before), len(after)) != (ufunc.nin, ufunc.nout):
            expected = f"{ufunc.nin} typecode(s) before and {ufunc.nout} after the -> sign"
            raise ValueError(f"a type-string for {ufunc.__name__} has {expected}, or is a single one")
