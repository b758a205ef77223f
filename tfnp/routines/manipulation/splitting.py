"""Functions that split arrays along an axis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, errors, layout, ops, shapes
from tfnp._core.arguments import check_array, is_array
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.tensor_conversion import is_tensor

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]

_split = ops.split

_UNEQUAL_DIVISION = "array split does not result in an equal division"


@array_function(promotes=("ary",), unknown_rank="each")
def split(ary: ArrayLike, indices_or_sections: ArrayLike, axis: IntLike = 0) -> list[tf.Tensor]:
    """The number of sections must be static.

    Indices may be unknown while tracing, and so are the dimensions of the parts then.
    """
    if type(ary) is EagerTensor and type(indices_or_sections) is int and type(axis) is int:
        try:
            return _split(shapes.const_int(axis), ary, indices_or_sections)
        except (*errors.TENSORFLOW_ERRORS, ValueError):
            pass
    if indices_or_sections is None:  # among indices, None is a bound of a slice
        errors.check_no_unknown_dim(None)
    static = _as_static_sections(indices_or_sections)
    if not convert.is_dynamic(indices_or_sections) and not _has_length(static):
        length = _get_axis_length(_to_tensor_checked(ary), axis)
        if (length if isinstance(length, int) else 0) % static:
            raise ValueError(_UNEQUAL_DIVISION)
        if not isinstance(length, int) and int(static) > 0:
            axis = shapes.normalize_axis(axis, shapes.rank(ary))
            remainder = tf.math.floormod(tf.cast(length, tf.float64), float(static))
            divisible = check(tf.equal(remainder, 0), ValueError(_UNEQUAL_DIVISION), to_tensor(ary))
            return list(_split(shapes.const_int(axis), divisible, int(static)))
    return array_split(ary, indices_or_sections, axis)


@array_function(promotes=("ary",), unknown_rank="each", traces=("ary",))
def array_split(ary: ArrayLike, indices_or_sections: ArrayLike, axis: IntLike = 0) -> list[tf.Tensor]:
    """The number of sections must be static.

    Indices may be unknown while tracing, and so are the dimensions of the parts then.
    """
    if indices_or_sections is None:  # among indices, None is a bound of a slice
        errors.check_no_unknown_dim(None)
    length = _get_axis_length(to_tensor(ary), axis) if is_array(ary) else len(ary)
    static = _as_static_sections(indices_or_sections)
    if not convert.is_dynamic(indices_or_sections) and not _has_length(static) and int(static) <= 0:
        raise ValueError("number sections must be larger than 0.")
    ary = to_tensor(ary)
    axis = shapes.normalize_axis(axis, shapes.rank(ary), "axis1")
    if convert.is_dynamic(indices_or_sections):
        if shapes.rank(indices_or_sections) == 0:
            raise errors.requires_static("the number of sections", "array_split")
        return _split_at_indices(ary, list(shapes.as_shape(indices_or_sections, "indices")), axis)
    if not _has_length(static):
        return _split_sections(ary, int(static), length, axis)
    indices = [index if convert.is_dynamic(index) else convert.static_value(index) for index in static]
    if not isinstance(length, int) or any(map(convert.is_dynamic, indices)):
        return _split_at_indices(
            ary, [index if convert.is_dynamic(index) else _as_index(index) for index in indices], axis
        )
    dim = ary.shape[axis]
    return _slice_parts(ary, _slice_bounds(indices, length, length if dim is None else dim), axis)


def _as_static_sections(value: Any) -> Any:
    """Return the sections or indices as NumPy would see them."""
    return convert.static_value(value) if is_tensor(value) else value


def _to_tensor_checked(ary: Any) -> tf.Tensor:
    check_array(ary)
    return to_tensor(ary)


def _has_length(value: Any) -> bool:
    try:
        len(value)
    except TypeError:
        return False
    return True


def _get_axis_length(ary: tf.Tensor, axis: Any) -> shapes.Dim:
    """Return the dimension along the axis. NumPy indexes the shape with it: a wrong axis is an IndexError."""
    return shapes.shape(ary)[convert.static_value(axis)]


def _slice_bounds(indices: list[Any], length: int, dim: int) -> list[tuple[int, int]]:
    """Return start and stop of each part, as slices have them: indices may be negative, and out of order.

    The last part ends at `length`, which for a list along another axis than the first is not the dimension.
    """
    points = [0, *indices, length]
    return [slice(start, stop).indices(dim)[:2] for start, stop in itertools.pairwise(points)]


def _slice_parts(ary: tf.Tensor, bounds: list[tuple[int, int]], axis: int) -> list[tf.Tensor]:
    sizes = [max(stop - start, 0) for start, stop in bounds]
    if sum(sizes) == ary.shape[axis] and all(start <= stop for start, stop in bounds):
        return list(ops.split_v(ary, np.array(sizes, np.int64), shapes.const_int(axis), len(sizes)))
    return [
        layout.slice_along(ary, axis, start if size else 0, size)
        for (start, _), size in zip(bounds, sizes, strict=True)
    ]


def _split_sections(ary: tf.Tensor, sections: int, length: shapes.Dim, axis: int) -> list[tf.Tensor]:
    """Split into sections, of which the first are longer by one where the length is not divisible."""
    if isinstance(length, int):
        base, remainder = divmod(length, sections)
        dim = ary.shape[axis]
        if not remainder and length == dim:
            return list(_split(shapes.const_int(axis), ary, sections))
        sizes: Any = np.array([base + 1] * remainder + [base] * (sections - remainder), np.int64)
        if dim not in (length, None):  # NumPy takes the length of a list for that of any axis
            ends = np.minimum([0, *np.cumsum(sizes)], dim).tolist()
            return _slice_parts(ary, list(itertools.pairwise(ends)), axis)
    else:
        sizes = length // sections + tf.cast(tf.range(sections) < length % sections, tf.int32)
    return list(ops.split_v(ary, sizes, shapes.const_int(axis), sections))


def _split_at_indices(ary: tf.Tensor, indices: list[Any], axis: int) -> list[tf.Tensor]:
    """Split at indices, or along a dimension, that are known when the graph runs: by masks, since XLA cannot slice
    there.
    """
    position = layout.positions(shapes.shape(ary)[axis])
    length = tf.size(position, tf.int64)
    points = [None if index is None else _normalize_index(index, length) for index in indices]
    starts = [0, *[0 if point is None else point for point in points]]
    stops = [*[length if point is None else point for point in points], length]
    return [
        layout.take(ary, layout.indices_of_true((position >= start) & (position < stop)), axis)
        for start, stop in zip(starts, stops, strict=True)
    ]


def _as_index(index: Any) -> int | None:
    try:
        return None if index is None else shapes.as_int(index)
    except TypeError:
        raise TypeError("slice indices must be integers or None or have an __index__ method") from None


def _normalize_index(index: Any, length: tf.Tensor) -> tf.Tensor:
    index = tf.cast(index, tf.int64)
    return tf.where(index < 0, tf.maximum(index + length, 0), index)


@array_function(promotes=("ary",), unknown_rank="each")
def hsplit(ary: ArrayLike, indices_or_sections: ArrayLike) -> list[tf.Tensor]:
    """The number of sections must be static; indices may be unknown while tracing."""
    if shapes.rank(to_tensor(ary)) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if shapes.rank(_to_tensor_checked(ary)) > 1 else 0)


@array_function(promotes=("ary",), unknown_rank="each")
def vsplit(ary: ArrayLike, indices_or_sections: ArrayLike) -> list[tf.Tensor]:
    """The number of sections must be static; indices may be unknown while tracing."""
    if shapes.rank(to_tensor(ary)) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@array_function(promotes=("ary",), unknown_rank="each")
def dsplit(ary: ArrayLike, indices_or_sections: ArrayLike) -> list[tf.Tensor]:
    """The number of sections must be static; indices may be unknown while tracing."""
    if shapes.rank(to_tensor(ary)) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@array_function(promotes=("x",), unknown_rank="each")
def unstack(x: ArrayLike, /, *, axis: IntLike = 0) -> tuple[tf.Tensor, ...]:
    """The dimension along `axis` must be static: it is the number of arrays."""
    x = _to_tensor_checked(x)
    if shapes.rank(x) == 0:
        raise ValueError("Input array must be at least 1-d.")
    axes = shapes.normalize_axes(0 if axis is None else axis, shapes.rank(x), "source")
    if len(axes) != 1 or axis is None:
        raise (TypeError if axis is None else ValueError)("unstack: axis must be a single integer")
    if x.shape[axes[0]] is None:
        raise errors.requires_static_rank(f"the dimension along axis {axes[0]}", "unstack")
    return tuple(tf.unstack(x, axis=axes[0]))
