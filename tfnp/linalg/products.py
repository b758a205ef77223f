"""Products of vectors and matrices, diagonals and transposes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike, Out
from tfnp.linalg.equations import inv
from tfnp.linalg.operands import as_squares, check_2d
from tfnp.routines.linear_algebra import products
from tfnp.routines.manipulation import transposition
from tfnp.routines.math import ufuncs

__all__ = [
    "cross",
    "diagonal",
    "matmul",
    "matrix_power",
    "matrix_transpose",
    "multi_dot",
    "outer",
    "tensordot",
    "vecdot",
]


@array_function(promotes=("x1", "x2"), unknown_rank="each", traces=("x1", "x2"))
def outer(x1: ArrayLike, x2: ArrayLike, /) -> tf.Tensor:
    """Return a tensor of the common dtype."""
    x1, x2 = to_tensor(x1), to_tensor(x2)
    if shapes.rank(x1) != 1 or shapes.rank(x2) != 1:
        dims = f"x1.ndim={shapes.rank(x1)} and x2.ndim={shapes.rank(x2)}"
        raise ValueError(f"Input arrays must be one-dimensional, but they are {dims}.")
    return products.outer(x1, x2)


@array_function(promotes=("x1", "x2"), traces=("x1", "x2"))
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: IntLike = -1) -> tf.Tensor:
    """A dimension along `axis` that is unknown while tracing is checked when the graph runs."""
    axis = shapes.as_int(axis)
    x1, x2 = (_check_3_components(to_tensor(x), axis) for x in (x1, x2))
    return products.cross(x1, x2, axis=axis)


@array_function(unknown_rank="each")
def _check_3_components(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Return the tensor; a graph where the dimension is not 3 fails when it runs."""
    if not -shapes.rank(x) <= axis < shapes.rank(x):
        raise IndexError(f"axis {axis} is out of bounds for array of dimension {shapes.rank(x)}")
    if x.shape[axis] not in (3, None):
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, not {x.shape[axis]}")
    shape = x.shape.as_list()
    shape[axis] = 3
    return tf.ensure_shape(x, shape)


@array_function(promotes=("x1", "x2"))
def matmul(x1: ArrayLike, x2: ArrayLike, /) -> tf.Tensor:
    """The same as `tfnp.matmul`."""
    return ufuncs.matmul(x1, x2)


@array_function(promotes=("x1", "x2"), traces=("x1", "x2"))
def tensordot(x1: ArrayLike, x2: ArrayLike, /, *, axes: Any = 2) -> tf.Tensor:
    """The same as `tfnp.tensordot`: `axes` must be static, and float16 and bfloat16 are summed in float32."""
    return products.tensordot(x1, x2, axes=axes)


@array_function(promotes=("x1", "x2"), traces=("x1", "x2"))
def vecdot(x1: ArrayLike, x2: ArrayLike, /, *, axis: IntLike = -1) -> tf.Tensor:
    """The same as `tfnp.vecdot`."""
    return ufuncs.vecdot(x1, x2, axis=axis)


@array_function(promotes=("x",))
def matrix_transpose(x: ArrayLike, /) -> tf.Tensor:
    """Return a copy: tensors have no views."""
    return transposition.matrix_transpose(x)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def diagonal(x: ArrayLike, /, *, offset: IntLike = 0) -> tf.Tensor:
    """Return a copy, never a view. `offset` must be static."""
    return products.diagonal(x, offset, axis1=-2, axis2=-1)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def matrix_power(a: ArrayLike, n: IntLike) -> tf.Tensor:
    """`n` must be static. A negative `n` raises the errors of `inv` for a singular matrix."""
    a = as_squares(a)
    try:
        count = shapes.as_int(n)
    except TypeError as error:
        raise TypeError("exponent must be an integer") from error
    if count == 0:
        shape = shapes.shape(a)
        return shapes.broadcast_to(convert.cast(tf.eye(shape[-1], dtype=tf.int8), a.dtype), shape)
    if count < 0:
        a, count = inv(a), -count
    if count == 3:
        return ufuncs.matmul(ufuncs.matmul(a, a), a)
    square, result = a, None
    while count:
        count, bit = divmod(count, 2)
        if bit:
            result = square if result is None else ufuncs.matmul(result, square)
        if count:
            square = ufuncs.matmul(square, square)
    return result


@array_function(promotes=("arrays",), traces=("arrays",))
def multi_dot(arrays: ArrayLike, *, out: Out = None) -> tf.Tensor:
    """If all shapes are static, the order of products is the one with the fewest multiplications, otherwise from left
    to right. `out` must be a tf.Variable.
    """
    iter(arrays)
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return products.dot(arrays[0], arrays[1], out=out)
    first, *inner, last = arrays  # of those between, the rank is known
    return _multiply_all([first, *(shapes.set_unknown_rank(to_tensor(a), 2) for a in inner), last], out)


@array_function(unknown_rank="each")
def _multiply_all(arrays: Sequence[Any], out: Any) -> tf.Tensor:
    """Return the product of at least three matrices, of which the first may be a row and the last a column."""
    matrices = [to_tensor(a) for a in arrays]
    is_row, is_column = (shapes.rank(matrices[index]) == 1 for index in (0, -1))
    if is_row:
        matrices[0] = matrices[0][None, :]
    if is_column:
        matrices[-1] = matrices[-1][:, None]
    check_2d(*matrices)
    dims = [shapes.shape(a)[0] for a in matrices] + [shapes.shape(matrices[-1])[1]]
    splits = _find_splits(dims) if shapes.is_static(dims) else None
    result = _multiply_chain(matrices, splits, 0, len(matrices) - 1, out)
    if is_row and is_column:
        return result[0, 0]
    return shapes.reshape(result, (-1,)) if is_row or is_column else result


def _find_splits(dims: list[Any]) -> np.ndarray:
    """Return the index at which to split the chain from any matrix to any later one, by dynamic programming."""
    count = len(dims) - 1
    costs, splits = np.zeros((count, count)), np.zeros((count, count), int)
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            options = [
                costs[first, split] + costs[split + 1, last] + float(dims[first]) * dims[split + 1] * dims[last + 1]
                for split in range(first, last)
            ]
            splits[first, last] = first + int(np.argmin(options))
            costs[first, last] = min(options)
    return splits


def _multiply_chain(
    matrices: list[tf.Tensor], splits: np.ndarray | None, first: int, last: int, out: Any = None
) -> Any:
    """Return the product of the matrices from `first` to `last`."""
    if first == last:
        return matrices[first]
    split = last - 1 if splits is None else int(splits[first, last])
    left = _multiply_chain(matrices, splits, first, split)
    return products.dot(left, _multiply_chain(matrices, splits, split + 1, last), out=out)
