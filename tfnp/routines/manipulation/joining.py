"""Functions that join arrays into one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, errors, ops, outputs, shapes
from tfnp._core.arguments import as_casting
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, rank_of
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, Out
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.manipulation.shaping import atleast_1d, atleast_2d, atleast_3d, ravel

__all__ = ["block", "column_stack", "concat", "concatenate", "dstack", "hstack", "row_stack", "stack", "vstack"]

_concat = ops.concat
_stack = ops.stack
_SAME_KIND: Final = "same_kind"


def concatenate(
    arrays: ArrayLike,
    /,
    axis: IntLike | None = 0,
    out: Out = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = _SAME_KIND,
) -> tf.Tensor:
    """`arrays` is a list, or a tensor whose first dimension is static. Dimensions that are unknown while tracing are
    checked when the graph runs.

    `out` must be a tf.Variable with the shape of the result.
    """
    if out is None and dtype is None and type(axis) is int and casting is _SAME_KIND and _are_eager(arrays):
        try:
            return _concat(arrays, shapes.const_int(axis))
        except errors.TENSORFLOW_ERRORS:
            pass
    return _concatenate_any(arrays, axis, out, dtype, casting)


concat = concatenate


def _are_eager(arrays: Any) -> bool:
    """Return whether the arrays are two or more eager tensors, which TensorFlow can join without further checks."""
    if (type(arrays) is not list and type(arrays) is not tuple) or dtypes.promotion.weakens:
        return False
    for array in arrays:
        if type(array) is not EagerTensor:
            return False
    return len(arrays) > 1


@array_function(promotes=("arrays",), unknown_rank="equal")
def _concatenate_any(arrays: Any, axis: Any, out: Any, dtype: Any, casting: Any) -> tf.Tensor:
    """Join any array-likes, with any options."""
    casting = as_casting(casting)
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    items = _as_list(arrays)
    if not items:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        weak = [item if type(item) in dtypes.PYTHON_SCALARS else ravel(item) for item in items]
        tensors = _cast_to_common(weak, out, dtype, casting)
        return _write_output(_concatenate_tensors([ravel(tensor) for tensor in tensors], 0), out)
    tensors = [to_tensor(item) for item in items]
    if shapes.rank(tensors[0]) == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = shapes.normalize_axis(axis, shapes.rank(tensors[0]))
    _check_dims(tensors, axis)
    tensors = _cast_to_common(tensors, out, dtype, casting)
    return _write_output(_concatenate_tensors(tensors, axis), out)


def _as_list(arrays: Any) -> list[Any]:
    """Return the arrays of a sequence, or those along the first axis of an array."""
    if isinstance(arrays, list | tuple | str):
        return list(arrays)
    if isinstance(arrays, Sequence):
        arrays = to_tensor(list(arrays))
    if is_tensor(arrays) or hasattr(arrays, "__array__"):
        tensor = to_tensor(arrays)
        if shapes.rank(tensor) == 0:
            raise TypeError("arrays to join must be passed as a sequence, not a 0-d array")
        if tensor.shape[0] is None:
            raise errors.requires_static_rank("the number of arrays", "concatenate")
        return list(tf.unstack(tensor))
    raise TypeError(f"arrays to join must be passed as a sequence such as list or tuple, not {type(arrays).__name__}")


def _cast_to_common(items: Sequence[Any], out: Any, dtype: Any, casting: Any) -> list[tf.Tensor]:
    """Cast the arrays to `dtype`, to the dtype of `out`, or to their common dtype, as far as `casting` allows it.

    Python ints, which only axis=None accepts, do not influence the common dtype, and wrap around in it, as in NumPy.
    """
    outputs.as_variable(out)
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    common_dtype = dtypes.result_type(*items) if dtype is None and out is None else None
    target = common_dtype or (out.dtype if out is not None else dtypes.as_dtype(dtype))
    for item in items:
        if type(item) not in dtypes.PYTHON_SCALARS:
            dtypes.check_cast(dtypes.as_numpy(item.dtype), dtypes.as_numpy(target), casting, "array data")
    return [_wrap_int(item, target) if type(item) is int else to_tensor(item, target) for item in items]


def _wrap_int(value: int, dtype: tf.DType) -> tf.Tensor:
    return convert.from_numpy(np.asarray(value).astype(dtypes.as_numpy(dtype)))


def _check_dims(tensors: Sequence[tf.Tensor], axis: int) -> None:
    """Raise NumPy's error where ranks or static dimensions differ."""
    first = tensors[0].shape
    for index, tensor in enumerate(tensors):
        if tensor.shape.rank != first.rank and tensor.shape.rank is not None:
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match exactly, but along which "
                f"the array at index 0 has {first.rank} dimension(s) and the array at index {index} has "
                f"{tensor.shape.rank} dimension(s)"
            )
        for dim_index, (dim, other_dim) in enumerate(zip(first, tensor.shape, strict=True)):
            if dim_index != axis and dim != other_dim and None not in (dim, other_dim):
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {dim_index}, the array at index 0 has size {dim} and the array at index {index} has "
                    f"size {other_dim}"
                )


def _concatenate_tensors(tensors: Sequence[tf.Tensor], axis: int) -> tf.Tensor:
    return tensors[0] if len(tensors) == 1 else _concat(tensors, shapes.const_int(axis))


def _write_output(result: tf.Tensor, out: Any) -> Any:
    if out is None:
        return result
    if not result.shape.is_compatible_with(out.shape):
        raise ValueError("Output array is the wrong shape")
    return outputs.write_output(tf.ensure_shape(result, out.shape), out, None)


def _iterate_arrays(arrays: Any) -> list[Any]:
    """Return the arrays of a sequence, or the keys of a dict, which NumPy accepts here, too."""
    return list(arrays) if isinstance(arrays, dict) else _as_list(arrays)


@array_function(promotes=("arrays",))
def stack(
    arrays: ArrayLike, axis: IntLike = 0, out: Out = None, *, dtype: DTypeLike | None = None, casting: str = _SAME_KIND
) -> tf.Tensor:
    """`arrays` is a list, or a tensor whose first dimension is static.

    `out` must be a tf.Variable with the shape of the result.
    """
    if out is None and dtype is None and type(axis) is int and casting is _SAME_KIND and _are_eager(arrays):
        try:
            return _stack(arrays, axis)
        except errors.TENSORFLOW_ERRORS:
            pass
    return _stack_any(arrays, axis, out, dtype, casting)


@array_function(unknown_rank="equal")
def _stack_any(arrays: Any, axis: Any, out: Any, dtype: Any, casting: Any) -> tf.Tensor:
    """Stack any array-likes, with any options."""
    casting = as_casting(casting)
    tensors = [to_tensor(item) for item in _iterate_arrays(arrays)]
    if not tensors:
        raise ValueError("need at least one array to stack")
    if any(not tensor.shape.is_compatible_with(tensors[0].shape) for tensor in tensors):
        raise ValueError("all input arrays must have the same shape")
    axis = shapes.normalize_axis(axis, shapes.rank(tensors[0]) + 1)
    tensors = _cast_to_common(tensors, out, dtype, casting)
    return _write_output(_stack(tensors, axis), out)


def vstack(tup: ArrayLike, *, dtype: DTypeLike | None = None, casting: str = _SAME_KIND) -> tf.Tensor:
    """The number of arrays must be static: a list, or a tensor whose first dimension is."""
    if dtype is None and casting is _SAME_KIND and _are_eager(tup) and rank_of(tup[0]) > 1:
        try:
            return _concat(tup, shapes.const_int(0))
        except errors.TENSORFLOW_ERRORS:
            pass
    return _vstack(tup, dtype=dtype, casting=casting)


@array_function(promotes=("tup",), unknown_rank="equal", traces=("tup",))
def _vstack(tup: Any, *, dtype: Any, casting: Any) -> tf.Tensor:
    """Stack any array-likes, with any options."""
    return concatenate([atleast_2d(item) for item in _iterate_arrays(tup)], 0, dtype=dtype, casting=casting)


@array_function(unknown_rank="equal", traces=("tup",))
def row_stack(tup: ArrayLike, *, dtype: DTypeLike | None = None, casting: str = "same_kind") -> tf.Tensor:
    """A deprecated alias of `vstack`, as in NumPy: calls emit a DeprecationWarning."""
    warnings.warn("`row_stack` alias is deprecated. Use `tfnp.vstack` directly.", DeprecationWarning, stacklevel=2)
    return vstack(tup, dtype=dtype, casting=casting)


def hstack(tup: ArrayLike, *, dtype: DTypeLike | None = None, casting: str = _SAME_KIND) -> tf.Tensor:
    """The number of arrays must be static: a list, or a tensor whose first dimension is."""
    if dtype is None and casting is _SAME_KIND and _are_eager(tup) and (rank := rank_of(tup[0])):
        try:
            return _concat(tup, shapes.const_int(0 if rank == 1 else 1))
        except errors.TENSORFLOW_ERRORS:
            pass
    return _hstack(tup, dtype=dtype, casting=casting)


@array_function(promotes=("tup",), unknown_rank="equal")
def _hstack(tup: Any, *, dtype: Any, casting: Any) -> tf.Tensor:
    """Stack any array-likes, with any options."""
    tensors = [atleast_1d(item) for item in _iterate_arrays(tup)]
    axis = 0 if tensors and shapes.rank(tensors[0]) == 1 else 1
    return concatenate(tensors, axis, dtype=dtype, casting=casting)


@array_function(promotes=("tup",), unknown_rank="equal", traces=("tup",))
def dstack(tup: ArrayLike) -> tf.Tensor:
    """The number of arrays must be static: a list, or a tensor whose first dimension is."""
    return concatenate([atleast_3d(item) for item in _iterate_arrays(tup)], 2)


@array_function(promotes=("tup",), unknown_rank="equal")
def column_stack(tup: ArrayLike) -> tf.Tensor:
    """The number of arrays must be static: a list, or a tensor whose first dimension is."""
    tensors = [to_tensor(item) for item in _iterate_arrays(tup)]
    return concatenate([_as_column(tensor) if shapes.rank(tensor) < 2 else tensor for tensor in tensors], 1)


def _as_column(tensor: tf.Tensor) -> tf.Tensor:
    return tf.reshape(tensor, (-1, 1) if tensor.shape.num_elements() != 0 else (0, 1))


@array_function(promotes=("arrays",), unknown_rank="broadcast")
def block(arrays: Any) -> tf.Tensor:
    """Blocks may be tensors of unknown rank."""
    depth = _count_levels(arrays)
    leaves = [to_tensor(leaf) for leaf in _list_leaves(arrays)]
    dtype = dtypes.result_type(*leaves)
    rank = max(depth, *(shapes.rank(leaf) for leaf in leaves))
    return _concatenate_blocks(arrays, depth, rank, dtype)


def _count_levels(arrays: Any, position: str = "arrays") -> int:
    """Return how deeply the lists are nested. Raise NumPy's ValueError if that differs."""
    if type(arrays) is tuple:
        raise TypeError(f"{position} is a tuple. Only lists can be used to arrange blocks")
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError(f"List at {position} cannot be empty")
    depths = [_count_levels(item, f"{position}[{index}]") for index, item in enumerate(arrays)]
    if len(set(depths)) > 1:
        raise ValueError(f"List depths are mismatched: {position} holds lists {min(depths)} and {max(depths)} deep")
    return depths[0] + 1


def _list_leaves(arrays: Any) -> list[Any]:
    """Return the blocks in nested lists."""
    return [leaf for item in arrays for leaf in _list_leaves(item)] if isinstance(arrays, list) else [arrays]


def _concatenate_blocks(arrays: Any, depth: int, rank: int, dtype: tf.DType) -> tf.Tensor:
    if not isinstance(arrays, list):
        leaf = to_tensor(arrays, dtype)
        return shapes.pad_rank(leaf, rank)
    return concatenate([_concatenate_blocks(item, depth - 1, rank, dtype) for item in arrays], -depth)
