"""Products of vectors and matrices, and what moves their elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp.linalg.equations import inv
from tfnp.linalg.operands import as_squares, check_plane
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


@array_function(promotes=("x1", "x2"), unknown_rank="each")
def outer(x1: Any, x2: Any, /) -> tf.Tensor:
    """Of vectors only."""
    x1, x2 = to_tensor(x1), to_tensor(x2)
    if shapes.rank(x1) != 1 or shapes.rank(x2) != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.shape.rank=} and {x2.shape.rank=}.")
    return products.outer(x1, x2)


@array_function(promotes=("x1", "x2"))
def cross(x1: Any, x2: Any, /, *, axis: Any = -1) -> tf.Tensor:
    """Of vectors in space only."""
    axis = shapes.as_int(axis)
    return (_across_last if axis < 0 else _across)(x1, x2, axis)


def _crossed(x1: Any, x2: Any, axis: int) -> tf.Tensor:
    x1, x2 = to_tensor(x1), to_tensor(x2)
    for x in (x1, x2):
        if not -shapes.rank(x) <= axis < shapes.rank(x):
            raise IndexError("tuple index out of range")
        if x.shape[axis] not in (3, None):
            raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, not {x.shape[axis]}")
    return products.cross(_in_space(x1, axis), _in_space(x2, axis), axis=axis)


_across, _across_last = (
    array_function(unknown_rank="each")(_crossed),
    array_function(unknown_rank="broadcast")(_crossed),
)


def _in_space(x: tf.Tensor, axis: int) -> tf.Tensor:
    """Of three components, if only running the graph can tell."""
    shape = x.shape.as_list()
    shape[axis] = 3
    return tf.ensure_shape(x, shape)


@array_function(promotes=("x1", "x2"))
def matmul(x1: Any, x2: Any, /) -> tf.Tensor:
    return ufuncs.matmul(x1, x2)


@array_function(promotes=("x1", "x2"))
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> tf.Tensor:
    return products.tensordot(x1, x2, axes=axes)


@array_function(promotes=("x1", "x2"))
def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> tf.Tensor:
    """The first is conjugated."""
    return ufuncs.vecdot(x1, x2, axis=axis)


@array_function(promotes=("x",))
def matrix_transpose(x: Any, /) -> tf.Tensor:
    return transposition.matrix_transpose(x)


@array_function(promotes=("x",), unknown_rank="each")
def diagonal(x: Any, /, *, offset: Any = 0) -> tf.Tensor:
    """A copy, of the last two axes."""
    return products.diagonal(x, offset, axis1=-2, axis2=-1)


@array_function(promotes=("a",), unknown_rank="each")
def matrix_power(a: Any, n: Any) -> tf.Tensor:
    """By repeated squaring; negative powers are those of the inverse."""
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


@array_function(promotes=("arrays",), unknown_rank="each")
def multi_dot(arrays: Any, *, out: Any = None) -> tf.Tensor:
    """In the order that takes the fewest multiplications, where sides are known."""
    iter(arrays)  # which what has a length may refuse
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(arrays) == 2:
        return products.dot(arrays[0], arrays[1], out=out)
    matrices = [to_tensor(a) for a in arrays]
    row, column = (shapes.rank(matrices[end]) == 1 for end in (0, -1))
    if row:
        matrices[0] = matrices[0][None, :]
    if column:
        matrices[-1] = matrices[-1][:, None]
    check_plane(*matrices)
    shape = [shapes.shape(a)[0] for a in matrices] + [shapes.shape(matrices[-1])[1]]
    splits = _splits(shape) if shapes.is_static(shape) else None
    result = _multiplied(matrices, splits, 0, len(matrices) - 1, out)
    if row and column:
        return result[0, 0]
    return shapes.reshape(result, (-1,)) if row or column else result


def _splits(shape: list[Any]) -> np.ndarray:
    """Where to cut the chain from one matrix to another, by dynamic programming."""
    count = len(shape) - 1
    costs, cuts = np.zeros((count, count)), np.zeros((count, count), int)
    for length in range(1, count):
        for first in range(count - length):
            last = first + length
            options = [
                costs[first, cut] + costs[cut + 1, last] + float(shape[first]) * shape[cut + 1] * shape[last + 1]
                for cut in range(first, last)
            ]
            cuts[first, last] = first + int(np.argmin(options))
            costs[first, last] = min(options)
    return cuts


def _multiplied(matrices: list[tf.Tensor], cuts: np.ndarray | None, first: int, last: int, out: Any = None) -> Any:
    if first == last:
        return matrices[first]
    cut = last - 1 if cuts is None else int(cuts[first, last])
    return products.dot(
        _multiplied(matrices, cuts, first, cut), _multiplied(matrices, cuts, cut + 1, last), **_given(out)
    )


def _given(out: Any) -> dict[str, Any]:
    return {} if out is None else {"out": out}
