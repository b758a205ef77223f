"""Finite differences, gradients, and the trapezoidal rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import is_array
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, AxisLike, IntLike
from tfnp._core.tensor_conversion import apply_conversion
from tfnp._core.ufunc.options import NO_VALUE
from tfnp._kernels.gradients import with_gradient_of
from tfnp.routines.manipulation.joining import concatenate
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import SUM

__all__ = ["diff", "ediff1d", "gradient", "trapezoid"]


@array_function(promotes=("a", "prepend", "append"), unknown_rank="each", traces=("a", "prepend", "append"))
def diff(
    a: ArrayLike, n: IntLike = 1, axis: IntLike = -1, prepend: ArrayLike = NO_VALUE, append: ArrayLike = NO_VALUE
) -> tf.Tensor:
    """The difference of booleans is `not_equal`. `n` and `axis` must be static."""
    if n == 0:
        return to_tensor(a) if is_array(a) else a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = to_tensor(a)
    rank = shapes.rank(a)
    if rank == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis, order = shapes.normalize_axis(axis, rank), shapes.as_int(n)
    operands = [_expand_end(prepend, a, axis), a, _expand_end(append, a, axis)]
    operands = [operand for operand in operands if operand is not None]
    result = concatenate(operands, axis) if len(operands) > 1 else a
    function = ufuncs.not_equal if result.dtype == tf.bool else ufuncs.subtract
    return layout.shorten(result, axis, order, lambda value: _subtract_neighbors(value, axis, function))


def _expand_end(value: Any, a: tf.Tensor, axis: int) -> tf.Tensor | None:
    """Return `prepend` or `append` as an array. A scalar stands for a slice of length one along the axis."""
    if value is NO_VALUE:
        return None
    value = to_tensor(value)
    if shapes.rank(value):
        return value
    return shapes.broadcast_to(value, [1 if index == axis else dim for index, dim in enumerate(shapes.shape(a))])


def _subtract_neighbors(a: tf.Tensor, axis: int, function: Any) -> tf.Tensor:
    """Apply a function to each element but the first and the one before it."""
    dim = shapes.shape(a)[axis]
    new_dim = decrement(dim)
    return function(layout.slice_along(a, axis, dim - new_dim, new_dim), layout.slice_along(a, axis, 0, new_dim))


@array_function(promotes=("ary", "to_end", "to_begin"), unknown_rank="each", traces=("ary", "to_end", "to_begin"))
def ediff1d(ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None) -> tf.Tensor:
    """`to_end` and `to_begin` are cast to the dtype of the array, as far as `same_kind` allows."""
    flat = ravel(ary)
    if flat.dtype == tf.bool:
        raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor instead.")
    ends = [
        None if end is None else _cast_end(end, flat.dtype, name)
        for end, name in ((to_begin, "to_begin"), (to_end, "to_end"))
    ]
    inner = _subtract_neighbors(flat, 0, ufuncs.subtract)
    return tf.concat([operand for operand in (ends[0], inner, ends[1]) if operand is not None], 0)


def _cast_end(end: Any, dtype: tf.DType, name: str) -> tf.Tensor:
    end = to_tensor(end)
    if not dtypes.can_cast(dtypes.as_numpy(end.dtype), dtypes.as_numpy(dtype), "same_kind"):
        raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
    return ravel(convert.cast(end, dtype))


@array_function(promotes=("y", "x"), unknown_rank="each", traces=("y", "x"))
def trapezoid(y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: IntLike = -1) -> tf.Tensor:
    """`x` may have more axes than `y` if both broadcast. Integers are calculated in float64."""
    y = to_tensor(y)
    width = (
        (dx if type(dx) in dtypes.PYTHON_SCALARS else to_tensor(dx))
        if x is None
        else _find_widths(to_tensor(x), y, axis)
    )
    y_axis = _normalize_list_index(axis, shapes.rank(y))
    dim = shapes.shape(y)[y_axis]
    new_dim = decrement(dim)
    high, low = layout.slice_along(y, y_axis, dim - new_dim, new_dim), layout.slice_along(y, y_axis, 0, new_dim)
    total = ufuncs.add(high, low)
    if not (x is None and type(dx) is float and dx == 1 and total.dtype.is_floating):  # a product with 1 is a copy
        total = ufuncs.multiply(width, total)
    return SUM.reduce(ufuncs.divide(total, 2.0), axis)


def _normalize_list_index(axis: Any, rank: int) -> int:
    """Normalize the axis; NumPy uses it as the index of a list, and so raises IndexError."""
    index = shapes.as_int(axis)
    if not -rank <= index < rank:
        raise IndexError("list assignment index out of range")
    return index % rank


def _find_widths(x: tf.Tensor, y: tf.Tensor, axis: Any) -> tf.Tensor:
    if shapes.rank(x) != 1:
        return diff(x, axis=axis)
    rank = shapes.rank(y)
    axis = _normalize_list_index(axis, rank)
    return shapes.reshape(diff(x), [-1 if index == axis else 1 for index in range(rank)])


def decrement(dim: shapes.Dim) -> shapes.Dim:
    """Return the dimension less one, at least zero."""
    return max(dim - 1, 0) if isinstance(dim, int) else tf.maximum(dim - 1, 0)


@array_function(promotes=("f", "varargs"), unknown_rank="each", traces=("f",))
def gradient(f: ArrayLike, *varargs: ArrayLike, axis: AxisLike = None, edge_order: IntLike = 1) -> Any:
    """Return a tensor for one axis, a tuple of them for several. Integers are converted to float64."""
    f = to_tensor(f)
    axes = shapes.normalize_axes(axis, shapes.rank(f))
    steps = _as_spacings(f, axes, varargs)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    if f.dtype.is_integer:
        f = convert.cast(f, tf.float64)
    for index in axes:
        dim = f.shape[index]
        if dim is not None and dim < edge_order + 1:
            raise ValueError(
                "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are "
                "required."
            )
        if dim is not None and dim < 3 and edge_order != 1:
            raise IndexError(f"index {dim} is out of bounds for axis {index}")
    gradients = [_differentiate_along(f, index, step, edge_order) for index, step in zip(axes, steps, strict=True)]
    return gradients[0] if len(axes) == 1 else tuple(gradients)


def _as_spacings(f: tf.Tensor, axes: tuple[int, ...], varargs: tuple[Any, ...]) -> list[Any]:
    """Return the spacing along each axis: a scalar, or the distances of neighbors."""
    if not varargs:
        return [1.0] * len(axes)
    varargs = tuple(map(apply_conversion, varargs))
    if len(varargs) == 1 and np.ndim(varargs[0] if not isinstance(varargs[0], tf.Variable) else 0) == 0:
        return [varargs[0]] * len(axes)
    if len(varargs) != len(axes):
        raise TypeError("invalid number of arguments")
    return [_as_spacing(value, f.shape[axis]) for value, axis in zip(varargs, axes, strict=True)]


def _as_spacing(value: Any, dim: int | None) -> Any:
    """Return a scalar as it is, and coordinates as the distances of neighbors."""
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


def _differentiate_along(f: tf.Tensor, axis: int, step: Any, edge_order: int) -> tf.Tensor:
    """Use the formula of uniform spacing where all distances are equal, as NumPy does; but differentiate the general
    one.
    """
    uneven_result = _compute_differences(f, axis, step, edge_order)
    if not (isinstance(step, tf.Tensor) and shapes.rank(step)) or step.shape[0] == 0:
        return uneven_result
    is_even = tf.reduce_all(ufuncs.equal(step, step[:1]))
    if tf.executing_eagerly() and not is_even:
        return uneven_result
    return with_gradient_of(
        layout.select(is_even, _compute_differences(f, axis, step[0], edge_order), uneven_result), uneven_result
    )


def _compute_differences(f: tf.Tensor, axis: int, step: Any, edge_order: int) -> tf.Tensor:
    """Return central differences inside and one-sided ones at the ends, in the dtype of `f`."""
    dim = shapes.shape(f)[axis]

    def at(start: Any, length: Any) -> tf.Tensor:
        return layout.slice_along(f, axis, start, length)

    is_uniform = not (isinstance(step, tf.Tensor) and shapes.rank(step))
    if is_uniform:
        inner = ufuncs.divide(ufuncs.subtract(at(2, dim - 2), at(0, dim - 2)), _multiply_spacing(2.0, step))
        first_step = last_step = step
    else:
        inner = _compute_uneven_differences(at, dim, step, shapes.rank(f), axis)
        first_step, last_step = step[0], step[-1]
    if edge_order == 1:
        first = ufuncs.divide(ufuncs.subtract(at(1, 1), at(0, 1)), first_step)
        last = ufuncs.divide(ufuncs.subtract(at(dim - 1, 1), at(dim - 2, 1)), last_step)
    else:
        first, last = _compute_second_order_edges(at, dim, step, is_uniform)
    dtype = tf.float64 if f.dtype == tf.bool else f.dtype
    return tf.concat([convert.cast(section, dtype) for section in (first, inner, last)], axis)


def _multiply_spacing(weight: float, step: Any) -> Any:
    """Return weight * step. A Python scalar stays one, so that it has no dtype to impose."""
    return weight * step if type(step) in dtypes.PYTHON_SCALARS else ufuncs.multiply(weight, step)


def _divide_by_spacing(weight: float, step: Any) -> Any:
    return weight / step if type(step) in dtypes.PYTHON_SCALARS else ufuncs.divide(weight, step)


def _compute_uneven_differences(at: Any, dim: Any, step: tf.Tensor, rank: int, axis: int) -> tf.Tensor:
    before, after = (
        shapes.reshape(distances, [-1 if index == axis else 1 for index in range(rank)])
        for distances in (step[:-1], step[1:])
    )
    total = before + after
    terms = [
        ufuncs.multiply(-after / (before * total), at(0, dim - 2)),
        ufuncs.multiply((after - before) / (before * after), at(1, dim - 2)),
        ufuncs.multiply(before / (after * total), at(2, dim - 2)),
    ]
    return ufuncs.add(ufuncs.add(terms[0], terms[1]), terms[2])


def _compute_second_order_edges(at: Any, dim: Any, step: Any, is_uniform: bool) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the derivative at both ends of the parabola through three elements."""
    if is_uniform:
        weights = [_divide_by_spacing(weight, step) for weight in (-1.5, 2.0, -0.5)]
        end_weights = [_divide_by_spacing(weight, step) for weight in (0.5, -2.0, 1.5)]
    else:
        h1, h2 = step[0], step[1]
        weights = [-(2.0 * h1 + h2) / (h1 * (h1 + h2)), (h1 + h2) / (h1 * h2), -h1 / (h2 * (h1 + h2))]
        h1, h2 = step[-2], step[-1]
        end_weights = [h2 / (h1 * (h1 + h2)), -(h2 + h1) / (h1 * h2), (2.0 * h2 + h1) / (h2 * (h1 + h2))]
    return _combine(at, 0, weights), _combine(at, dim - 3, end_weights)


def _combine(at: Any, start: Any, weights: list[Any]) -> tf.Tensor:
    terms = [ufuncs.multiply(weight, at(start + index, 1)) for index, weight in enumerate(weights)]
    return ufuncs.add(ufuncs.add(terms[0], terms[1]), terms[2])
