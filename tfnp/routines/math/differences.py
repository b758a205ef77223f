"""Differences of neighbours, slopes, and areas under curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import is_array
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._core.ufunc.options import NO_VALUE
from tfnp._kernels.gradients import with_gradient_of
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import SUM

__all__ = ["diff", "ediff1d", "gradient", "trapezoid"]


@array_function(promotes=("a", "prepend", "append"), unknown_rank="each")
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = NO_VALUE, append: Any = NO_VALUE) -> tf.Tensor:
    """Truths differ or do not: their differences are truths."""
    if n == 0:
        return to_tensor(a) if is_array(a) else a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = to_tensor(a)
    rank = shapes.rank(a)
    if rank == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    number, order = shapes.normalize_axis(axis, rank), shapes.as_int(n)
    parts = [_end(prepend, a, number), a, _end(append, a, number)]
    parts = [part for part in parts if part is not None]
    result = concatenate(parts, number) if len(parts) > 1 else a
    for _ in range(order):
        result = _neighbours(result, number, ufuncs.not_equal if result.dtype == tf.bool else ufuncs.subtract)
    return result


def _end(value: Any, a: tf.Tensor, axis: int) -> tf.Tensor | None:
    """What is put at one end: a number stands for a whole slice."""
    if value is NO_VALUE:
        return None
    value = to_tensor(value)
    if shapes.rank(value):
        return value
    return shapes.broadcast_to(value, [1 if index == axis else dim for index, dim in enumerate(shapes.shape(a))])


def _neighbours(a: tf.Tensor, axis: int, function: Any) -> tf.Tensor:
    """The function of each element but the first and the one before it."""
    dim = shapes.shape(a)[axis]
    less = decrement(dim)
    return function(layout.slice_along(a, axis, dim - less, less), layout.slice_along(a, axis, 0, less))


@array_function(promotes=("ary", "to_end", "to_begin"), unknown_rank="each")
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> tf.Tensor:
    flat = ravel(ary)
    if flat.dtype == tf.bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor instead.")
    ends = [
        None if end is None else _flat_end(end, flat.dtype, name)
        for end, name in ((to_begin, "to_begin"), (to_end, "to_end"))
    ]
    inner = _neighbours(flat, 0, ufuncs.subtract)
    return tf.concat([part for part in (ends[0], inner, ends[1]) if part is not None], 0)


def _flat_end(end: Any, dtype: tf.DType, name: str) -> tf.Tensor:
    end = to_tensor(end)
    if not dtypes.can_cast(dtypes.as_numpy(end.dtype), dtypes.as_numpy(dtype), "same_kind"):
        raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
    return ravel(convert.cast(end, dtype))


@array_function(promotes=("y", "x"), unknown_rank="each")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> tf.Tensor:
    """Distances of more than one axis broadcast with the heights, also to more axes than those have."""
    y = to_tensor(y)
    width = (
        (dx if type(dx) in dtypes.PYTHON_SCALARS else to_tensor(dx)) if x is None else _widths(to_tensor(x), y, axis)
    )
    number = _place(axis, shapes.rank(y))
    dim = shapes.shape(y)[number]
    less = decrement(dim)
    high, low = layout.slice_along(y, number, dim - less, less), layout.slice_along(y, number, 0, less)
    return SUM.reduce(ufuncs.divide(ufuncs.multiply(width, ufuncs.add(high, low)), 2.0), axis)


def _place(axis: Any, rank: int) -> int:
    """The axis as an index of a list, of which NumPy makes one."""
    number = shapes.as_int(axis)
    if not -rank <= number < rank:
        raise IndexError("list assignment index out of range")
    return number % rank


def _widths(x: tf.Tensor, y: tf.Tensor, axis: Any) -> tf.Tensor:
    if shapes.rank(x) != 1:
        return diff(x, axis=axis)
    rank = shapes.rank(y)
    index = _place(axis, rank)
    return shapes.reshape(diff(x), [-1 if number == index else 1 for number in range(rank)])


def decrement(dim: shapes.Dim) -> shapes.Dim:
    return max(dim - 1, 0) if isinstance(dim, int) else tf.maximum(dim - 1, 0)


@array_function(promotes=("f", "varargs"), unknown_rank="each")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """A tensor for one axis, a tuple of them for several. Integers are taken for float64."""
    f = to_tensor(f)
    axes = shapes.normalize_axes(axis, shapes.rank(f))
    steps = _steps(f, axes, varargs)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if f.dtype.is_integer:
        f = convert.cast(f, tf.float64)
    for number in axes:
        if f.shape[number] is not None and f.shape[number] < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
                "required."
            )
        if f.shape[number] is not None and f.shape[number] < 3 and edge_order != 1:
            raise IndexError(f"index {f.shape[number]} is out of bounds for axis {number}")
    slopes = [_slope(f, number, step, edge_order) for number, step in zip(axes, steps, strict=True)]
    return slopes[0] if len(axes) == 1 else tuple(slopes)


def _steps(f: tf.Tensor, axes: tuple[int, ...], varargs: tuple[Any, ...]) -> list[Any]:
    """The step along each axis: a number, or the distances of neighbours where those are not all the same."""
    if not varargs:
        return [1.0] * len(axes)
    varargs = tuple(map(apply_conversion, varargs))
    if len(varargs) == 1 and np.ndim(varargs[0] if not isinstance(varargs[0], tf.Variable) else 0) == 0:
        return [varargs[0]] * len(axes)
    if len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    return [_distances(value, f.shape[number]) for value, number in zip(varargs, axes, strict=True)]


def _distances(value: Any, dim: int | None) -> Any:
    if type(value) in dtypes.PYTHON_SCALARS:
        return value
    value = to_tensor(value)
    rank = shapes.rank(value)
    if rank == 0:
        return value
    if rank != 1:
        raise ValueError("distances must be either scalars or 1d")
    if dim is not None and value.shape[0] not in (dim, None):
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    if value.dtype.is_integer:
        value = convert.cast(value, tf.float64)
    return diff(value)


def _slope(f: tf.Tensor, axis: int, step: Any, edge_order: int) -> tf.Tensor:
    """Between neighbours that are all as far apart by the formula of one step; but it moves with each of them."""
    found = _differences(f, axis, step, edge_order)
    if not (isinstance(step, tf.Tensor) and shapes.rank(step)) or step.shape[0] == 0:
        return found
    even = tf.reduce_all(ufuncs.equal(step, step[:1]))
    if tf.executing_eagerly() and not even:
        return found
    return with_gradient_of(layout.select(even, _differences(f, axis, step[0], edge_order), found), found)


def _differences(f: tf.Tensor, axis: int, step: Any, edge_order: int) -> tf.Tensor:
    """Central differences inside, one-sided ones at the ends; the result has the dtype of `f`."""
    dim = shapes.shape(f)[axis]

    def at(start: Any, length: Any) -> tf.Tensor:
        return layout.slice_along(f, axis, start, length)

    uniform = not (isinstance(step, tf.Tensor) and shapes.rank(step))
    if uniform:
        inner = ufuncs.divide(ufuncs.subtract(at(2, dim - 2), at(0, dim - 2)), _times(2.0, step))
        first_step = last_step = step
    else:
        inner = _uneven(at, dim, step, shapes.rank(f), axis)
        first_step, last_step = step[0], step[-1]
    if edge_order == 1:
        first = ufuncs.divide(ufuncs.subtract(at(1, 1), at(0, 1)), first_step)
        last = ufuncs.divide(ufuncs.subtract(at(dim - 1, 1), at(dim - 2, 1)), last_step)
    else:
        first, last = _second_order_ends(at, dim, step, uniform)
    kept = tf.float64 if f.dtype == tf.bool else f.dtype
    return tf.concat([convert.cast(part, kept) for part in (first, inner, last)], axis)


def _times(weight: float, step: Any) -> Any:
    """Of Python's numbers one of them, which has no dtype to impose."""
    return weight * step if type(step) in dtypes.PYTHON_SCALARS else ufuncs.multiply(weight, step)


def _over(weight: float, step: Any) -> Any:
    return weight / step if type(step) in dtypes.PYTHON_SCALARS else ufuncs.divide(weight, step)


def _uneven(at: Any, dim: Any, step: tf.Tensor, rank: int, axis: int) -> tf.Tensor:
    before, after = (
        shapes.reshape(part, [-1 if p == axis else 1 for p in range(rank)]) for part in (step[:-1], step[1:])
    )
    total = before + after
    parts = [
        ufuncs.multiply(-after / (before * total), at(0, dim - 2)),
        ufuncs.multiply((after - before) / (before * after), at(1, dim - 2)),
        ufuncs.multiply(before / (after * total), at(2, dim - 2)),
    ]
    return ufuncs.add(ufuncs.add(parts[0], parts[1]), parts[2])


def _second_order_ends(at: Any, dim: Any, step: Any, uniform: bool) -> tuple[tf.Tensor, tf.Tensor]:
    """Through the three elements at each end."""
    if uniform:
        weights = [_over(weight, step) for weight in (-1.5, 2.0, -0.5)]
        others = [_over(weight, step) for weight in (0.5, -2.0, 1.5)]
    else:
        one, two = step[0], step[1]
        weights = [-(2.0 * one + two) / (one * (one + two)), (one + two) / (one * two), -one / (two * (one + two))]
        one, two = step[-2], step[-1]
        others = [two / (one * (one + two)), -(two + one) / (one * two), (2.0 * two + one) / (two * (one + two))]
    return _combined(at, 0, weights), _combined(at, dim - 3, others)


def _combined(at: Any, start: Any, weights: list[Any]) -> tf.Tensor:
    terms = [ufuncs.multiply(weight, at(start + index, 1)) for index, weight in enumerate(weights)]
    return ufuncs.add(ufuncs.add(terms[0], terms[1]), terms[2])
