"""Arrays taken apart along an axis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, errors, layout, shapes
from tfnp._core.arguments import check_array, is_array
from tfnp._core.checks import check
from tfnp._core.convert import EagerTensor, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]

_split = tf.raw_ops.Split.__wrapped__
_split_unevenly = tf.raw_ops.SplitV.__wrapped__


_UNEQUAL = "array split does not result in an equal division"


@array_function(promotes=("ary",), unknown_rank="each")
def split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[tf.Tensor]:
    """Where the indices are only known at run time, so are the sides of the parts. A number must be known."""
    if type(ary) is EagerTensor and type(indices_or_sections) is int and type(axis) is int:
        try:
            return _split(shapes.const_int(axis), ary, indices_or_sections)
        except (*errors.TENSORFLOW_ERRORS, ValueError):
            pass
    static = _known(indices_or_sections)
    if not _is_unknown(indices_or_sections) and not _has_length(static):
        length = _length(_array(ary), axis)
        if (length if isinstance(length, int) else 0) % static:
            raise ValueError(_UNEQUAL)
        if not isinstance(length, int) and int(static) > 0:
            number = shapes.normalize_axis(axis, shapes.rank(ary))
            remaining = tf.math.floormod(tf.cast(length, tf.float64), float(static))
            whole = check(tf.equal(remaining, 0), ValueError(_UNEQUAL), to_tensor(ary))
            return list(_split(shapes.const_int(number), whole, int(static)))
    return array_split(ary, indices_or_sections, axis)


@array_function(promotes=("ary",), unknown_rank="each")
def array_split(ary: Any, indices_or_sections: Any, axis: Any = 0) -> list[tf.Tensor]:
    length = _length(to_tensor(ary), axis) if is_array(ary) else len(ary)
    static = _known(indices_or_sections)
    if not _is_unknown(indices_or_sections) and not _has_length(static) and int(static) <= 0:
        raise ValueError("number sections must be larger than 0.")
    ary = to_tensor(ary)
    number = shapes.normalize_axis(axis, shapes.rank(ary), "axis1")
    if _is_unknown(indices_or_sections):
        if shapes.rank(indices_or_sections) == 0:
            raise TypeError("the number of sections must be known while tracing: it is how many arrays there are")
        return _split_at(ary, list(shapes.as_shape(indices_or_sections, "indices")), number)
    if not _has_length(static):
        return _sections(ary, int(static), length, number)
    indices = [index if _is_unknown(index) else convert.static_value(index) for index in static]
    if not isinstance(length, int) or any(map(_is_unknown, indices)):
        return _split_at(ary, [index if _is_unknown(index) else _as_index(index) for index in indices], number)
    own = ary.shape[number]
    return _parts(ary, _bounds(indices, length, length if own is None else own), number)


def _known(value: Any) -> Any:
    """The sections as NumPy would see them."""
    return convert.static_value(value) if is_tensor(value) else value


def _is_unknown(value: Any) -> bool:
    return isinstance(value, tf.Tensor) and convert.static_value(value) is None


def _array(ary: Any) -> tf.Tensor:
    check_array(ary)
    return to_tensor(ary)


def _has_length(value: Any) -> bool:
    try:
        len(value)
    except TypeError:
        return False
    return True


def _length(ary: tf.Tensor, axis: Any) -> shapes.Dim:
    """NumPy looks the side up in the shape, so a wrong axis is an IndexError here, not an AxisError."""
    return shapes.shape(ary)[convert.static_value(axis)]


def _bounds(indices: list[Any], length: int, own: int) -> list[tuple[int, int]]:
    """Start and stop of each part, as slices would have it: indices count from the end, and may be out of order. The
    last part ends at `length`, which is not the axis's own where a list was given.
    """
    points = [0, *indices, length]
    return [slice(start, stop).indices(own)[:2] for start, stop in itertools.pairwise(points)]


def _parts(ary: tf.Tensor, bounds: list[tuple[int, int]], axis: int) -> list[tf.Tensor]:
    sizes = [max(stop - start, 0) for start, stop in bounds]
    if sum(sizes) == ary.shape[axis] and all(start <= stop for start, stop in bounds):
        return list(_split_unevenly(ary, np.array(sizes, np.int64), shapes.const_int(axis), len(sizes)))
    return [
        layout.slice_along(ary, axis, start if size else 0, size)
        for (start, _), size in zip(bounds, sizes, strict=True)
    ]


def _sections(ary: tf.Tensor, sections: int, length: shapes.Dim, axis: int) -> list[tf.Tensor]:
    """The first parts are longer by one where the length is no multiple."""
    if isinstance(length, int):
        each, longer = divmod(length, sections)
        own = ary.shape[axis]
        if not longer and length == own:
            return list(_split(shapes.const_int(axis), ary, sections))
        sizes: Any = np.array([each + 1] * longer + [each] * (sections - longer), np.int64)
        if own not in (length, None):  # of a list NumPy takes the length, whatever the axis
            ends = np.minimum([0, *np.cumsum(sizes)], own).tolist()
            return _parts(ary, list(itertools.pairwise(ends)), axis)
    else:
        sizes = length // sections + tf.cast(tf.range(sections) < length % sections, tf.int32)
    return list(_split_unevenly(ary, sizes, shapes.const_int(axis), sections))


def _split_at(ary: tf.Tensor, indices: list[Any], axis: int) -> list[tf.Tensor]:
    """Parts between indices, or of a side, that are known at run time only: XLA can pick out, but cannot cut there."""
    position = layout.positions(shapes.shape(ary)[axis])
    length = tf.size(position, tf.int64)
    points = [None if index is None else _from_start(index, length) for index in indices]
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


def _from_start(index: Any, length: tf.Tensor) -> tf.Tensor:
    index = tf.cast(index, tf.int64)
    return tf.where(index < 0, tf.maximum(index + length, 0), index)


@array_function(promotes=("ary",), unknown_rank="each")
def hsplit(ary: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    if shapes.rank(to_tensor(ary)) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if shapes.rank(_array(ary)) > 1 else 0)


@array_function(promotes=("ary",), unknown_rank="each")
def vsplit(ary: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    if shapes.rank(to_tensor(ary)) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@array_function(promotes=("ary",), unknown_rank="each")
def dsplit(ary: Any, indices_or_sections: Any) -> list[tf.Tensor]:
    if shapes.rank(to_tensor(ary)) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@array_function(promotes=("x",), unknown_rank="each")
def unstack(x: Any, /, *, axis: Any = 0) -> tuple[tf.Tensor, ...]:
    """The length of the axis must be known: it is how many arrays there are."""
    x = _array(x)
    if shapes.rank(x) == 0:
        raise ValueError("Input array must be at least 1-d.")
    axes = shapes.normalize_axes(0 if axis is None else axis, shapes.rank(x), "source")
    if len(axes) != 1 or axis is None:
        raise (TypeError if axis is None else ValueError)("unstack needs one axis")
    number = axes[0]
    if x.shape[number] is None:
        raise ValueError(f"the shape must be known while tracing: axis {number} decides how many arrays there are")
    return tuple(tf.unstack(x, axis=number))
