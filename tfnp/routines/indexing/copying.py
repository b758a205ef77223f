"""Copying into a `tf.Variable`."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.arguments import as_casting
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error
from tfnp._core.parameters import ArrayLike
from tfnp._core.tensor_conversion import is_tensor

__all__ = ["copyto"]


@array_function(unknown_rank="broadcast")
def copyto(dst: tf.Variable, src: ArrayLike, casting: str = "same_kind", where: ArrayLike = True) -> None:
    """`dst` must be a `tf.Variable`: tensors never change."""
    if not isinstance(dst, tf.Variable):
        raise not_a_variable_error("dst", dst)
    casting = as_casting(casting)
    value = None if src is dst else _as_source(src, dst.dtype, casting)
    mask = None if where is True else _as_mask(where)
    if value is None:  # NumPy checks nothing else then, not even the shape of the mask
        return
    shape = shapes.shape(dst)
    value = shapes.broadcast_to(shapes.drop_leading_ones(value, len(shape)), shape)
    outputs.write_output(value, dst, mask, casting="unsafe")


def _as_mask(where: Any) -> tf.Tensor:
    """Return `where` as a bool tensor. An array must be boolean; any other value is converted by its truth value."""
    is_array = is_tensor(where) or isinstance(where, np.ndarray)
    mask = outputs.as_mask(where if is_array else to_tensor(bool(where) if where is None else where, tf.bool))
    return to_tensor(True) if mask is None else mask


def _as_source(src: Any, dtype: tf.DType, casting: str) -> tf.Tensor:
    """Convert the source. A Python scalar is weak: its value must fit, not its default dtype."""
    target = dtypes.as_numpy(dtype)
    if type(src) in dtypes.PYTHON_SCALARS:
        value_dtype = dtypes.as_numpy(dtypes.result_type(dtype, src))
        changes_type = casting == "equiv" and np.dtype(type(src)) != target
        if changes_type or not dtypes.can_cast(value_dtype, target, casting):
            dtypes.check_cast(np.dtype(type(src)), target, casting, "scalar")
        return to_tensor(np.full((), src, target))
    value = to_tensor(src)
    dtypes.check_cast(dtypes.as_numpy(value.dtype), target, casting, "array data")
    return convert.cast(value, dtype)
