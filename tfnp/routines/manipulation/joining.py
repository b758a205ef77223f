"""Arrays joined into one."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, errors, outputs, shapes
from tfnp._core.arguments import as_casting
from tfnp._core.convert import EagerTensor, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.manipulation.shaping import atleast_1d, atleast_2d, atleast_3d, ravel

__all__ = ["block", "column_stack", "concat", "concatenate", "dstack", "hstack", "row_stack", "stack", "vstack"]

_concat = tf.raw_ops.ConcatV2.__wrapped__
_pack = tf.raw_ops.Pack.__wrapped__
_DEFAULT: Final = "same_kind"


def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = _DEFAULT
) -> tf.Tensor:
    """Eager tensors of one dtype go straight to TensorFlow; where it objects, the long way says what is wrong."""
    if out is None and dtype is None and type(axis) is int and casting is _DEFAULT and _are_eager(arrays):
        try:
            return _concat(arrays, shapes.const_int(axis))
        except errors.TENSORFLOW_ERRORS:
            pass
    return _concatenate_fully(arrays, axis, out, dtype, casting)


concat = concatenate


def _are_eager(arrays: Any) -> bool:
    """Whether these are two tensors or more that can go straight to TensorFlow."""
    if (type(arrays) is not list and type(arrays) is not tuple) or dtypes.promotion.weakens:
        return False
    for array in arrays:
        if type(array) is not EagerTensor:
            return False
    return len(arrays) > 1


@array_function(promotes=("arrays",), unknown_rank="equal")
def _concatenate_fully(arrays: Any, axis: Any, out: Any, dtype: Any, casting: Any) -> tf.Tensor:
    casting = as_casting(casting)
    dtype = None if dtype is None else dtypes.as_dtype(dtype)
    number = None if axis is None else shapes.as_int_not_bool(axis)
    items = _items(arrays)
    if not items:
        raise ValueError("need at least one array to concatenate")
    if number is None:
        weak = [item if type(item) in dtypes.PYTHON_SCALARS else ravel(item) for item in items]
        tensors, target = _one_dtype(weak, out, dtype, casting)
        return _delivered(_joined([ravel(tensor) for tensor in tensors], 0), out, target)
    tensors = [to_tensor(item) for item in items]
    if shapes.rank(tensors[0]) == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    number = shapes.normalize_axis(number, shapes.rank(tensors[0]))
    _check_joinable(tensors, number)
    tensors, target = _one_dtype(tensors, out, dtype, casting)
    return _delivered(_joined(tensors, number), out, target)


def _items(arrays: Any) -> list[Any]:
    """The arrays of a sequence, or along the first axis of an array."""
    if isinstance(arrays, list | tuple):
        return list(arrays)
    if isinstance(arrays, Sequence):
        arrays = to_tensor(list(arrays)) if not isinstance(arrays, str) else to_tensor(arrays)
    if is_tensor(arrays) or hasattr(arrays, "__array__"):
        tensor = to_tensor(arrays)
        if shapes.rank(tensor) == 0:
            raise TypeError("arrays to join must be passed as a sequence, not a 0-d array")
        if tensor.shape[0] is None:
            raise ValueError("how many arrays there are to join must be known while tracing: pass a list of them")
        return list(tf.unstack(tensor))
    raise TypeError(f"arrays to join must be passed as a sequence such as list or tuple, not {type(arrays).__name__}")


def _one_dtype(items: Sequence[Any], out: Any, dtype: Any, casting: Any) -> tuple[list[tf.Tensor], tf.DType]:
    """The arrays cast to their common dtype, or to that which is asked for, where the rule allows it. Python's numbers
    have no say in the dtype, but no rule of their own either: -5 becomes the largest uint8 but four.
    """
    outputs.as_variable(out)
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    common = dtypes.result_type(*items) if dtype is None and out is None else None
    target = common or (out.dtype if out is not None else dtypes.as_dtype(dtype))
    for item in items:
        if type(item) not in dtypes.PYTHON_SCALARS:
            dtypes.check_cast(dtypes.as_numpy(item.dtype), dtypes.as_numpy(target), casting, "array data")
    return [_wrapped(item, target) if type(item) is int else to_tensor(item, target) for item in items], target


def _wrapped(number: int, dtype: tf.DType) -> tf.Tensor:
    return convert.from_numpy(np.asarray(number).astype(dtypes.as_numpy(dtype)))


def _check_joinable(tensors: Sequence[tf.Tensor], axis: int) -> None:
    first = tensors[0].shape
    for index, tensor in enumerate(tensors):
        if tensor.shape.rank != first.rank and tensor.shape.rank is not None:
            raise ValueError(
                "all the input array dimensions except for the concatenation axis must match exactly, but along which "
                f"the array at index 0 has {first.rank} dimension(s) and the array at index {index} has "
                f"{tensor.shape.rank} dimension(s)"
            )
        for number, (own, other) in enumerate(zip(first, tensor.shape, strict=True)):
            if number != axis and own != other and None not in (own, other):
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {number}, the array at index 0 has size {own} and the array at index {index} has size "
                    f"{other}"
                )


def _joined(tensors: Sequence[tf.Tensor], axis: int) -> tf.Tensor:
    return tensors[0] if len(tensors) == 1 else _concat(tensors, shapes.const_int(axis))


def _delivered(result: tf.Tensor, out: Any, target: tf.DType) -> Any:
    if out is None:
        return result
    if not result.shape.is_compatible_with(out.shape):
        raise ValueError("Output array is the wrong shape")
    return outputs.write_output(tf.ensure_shape(result, out.shape), out, None)


def _stacked(arrays: Any) -> list[Any]:
    """What NumPy goes through by itself: the keys of a dict, too."""
    return list(arrays) if isinstance(arrays, dict) else _items(arrays)


@array_function(promotes=("arrays",))
def stack(arrays: Any, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = _DEFAULT) -> tf.Tensor:
    if out is None and dtype is None and type(axis) is int and casting is _DEFAULT and _are_eager(arrays):
        try:
            return _pack(arrays, axis)
        except errors.TENSORFLOW_ERRORS:
            pass
    return _stack_fully(arrays, axis, out, dtype, casting)


@array_function(unknown_rank="equal")
def _stack_fully(arrays: Any, axis: Any, out: Any, dtype: Any, casting: Any) -> tf.Tensor:
    casting = as_casting(casting)
    tensors = [to_tensor(item) for item in _stacked(arrays)]
    if not tensors:
        raise ValueError("need at least one array to stack")
    if any(not tensor.shape.is_compatible_with(tensors[0].shape) for tensor in tensors):
        raise ValueError("all input arrays must have the same shape")
    number = shapes.normalize_axis(axis, shapes.rank(tensors[0]) + 1)
    tensors, target = _one_dtype(tensors, out, dtype, casting)
    return _delivered(_pack(tensors, number), out, target)


@array_function(promotes=("tup",), unknown_rank="equal")
def vstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> tf.Tensor:
    return concatenate([atleast_2d(item) for item in _stacked(tup)], 0, dtype=dtype, casting=casting)


@array_function(unknown_rank="equal")
def row_stack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> tf.Tensor:
    """The old name of `vstack`, which NumPy has deprecated."""
    warnings.warn("`row_stack` alias is deprecated. Use `tfnp.vstack` directly.", DeprecationWarning, stacklevel=2)
    return vstack(tup, dtype=dtype, casting=casting)


@array_function(promotes=("tup",), unknown_rank="equal")
def hstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> tf.Tensor:
    tensors = [atleast_1d(item) for item in _stacked(tup)]
    axis = 0 if tensors and shapes.rank(tensors[0]) == 1 else 1
    return concatenate(tensors, axis, dtype=dtype, casting=casting)


@array_function(promotes=("tup",), unknown_rank="equal")
def dstack(tup: Any) -> tf.Tensor:
    return concatenate([atleast_3d(item) for item in _stacked(tup)], 2)


@array_function(promotes=("tup",), unknown_rank="equal")
def column_stack(tup: Any) -> tf.Tensor:
    tensors = [to_tensor(item) for item in _stacked(tup)]
    return concatenate([_as_column(tensor) if shapes.rank(tensor) < 2 else tensor for tensor in tensors], 1)


def _as_column(tensor: tf.Tensor) -> tf.Tensor:
    return tf.reshape(tensor, (-1, 1) if tensor.shape.num_elements() != 0 else (0, 1))


@array_function(promotes=("arrays",), unknown_rank="each")
def block(arrays: Any) -> tf.Tensor:
    depth = _depth(arrays)
    leaves = [to_tensor(leaf) for leaf in _leaves(arrays)]
    dtype = dtypes.result_type(*leaves)
    rank = max(depth, *(shapes.rank(leaf) for leaf in leaves))
    return _assemble(arrays, depth, rank, dtype)


def _depth(arrays: Any, position: str = "arrays") -> int:
    """How deeply the lists are nested, which must be the same everywhere."""
    if type(arrays) is tuple:
        raise TypeError(
            f"{position} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow it"
        )
    if not isinstance(arrays, list):
        return 0
    if not arrays:
        raise ValueError(f"List at {position} cannot be empty")
    depths = [_depth(item, f"{position}[{index}]") for index, item in enumerate(arrays)]
    if len(set(depths)) > 1:
        raise ValueError(f"List depths are mismatched: {position} holds lists {min(depths)} and {max(depths)} deep")
    return depths[0] + 1


def _leaves(arrays: Any) -> list[Any]:
    return [leaf for item in arrays for leaf in _leaves(item)] if isinstance(arrays, list) else [arrays]


def _assemble(arrays: Any, depth: int, rank: int, dtype: tf.DType) -> tf.Tensor:
    if not isinstance(arrays, list):
        leaf = to_tensor(arrays, dtype)
        return shapes.reshape(leaf, (1,) * (rank - shapes.rank(leaf)) + shapes.shape(leaf))
    return concatenate([_assemble(item, depth - 1, rank, dtype) for item in arrays], -depth)
