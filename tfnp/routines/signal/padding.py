"""Padding, in all of NumPy's modes.

One axis is padded after another, in NumPy's order, so that corners are the same. The modes that repeat elements gather
them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import check_no_unknown_dim
from tfnp._core.parameters import ArrayLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.creation.ranges import linspace
from tfnp.routines.math import reductions, ufuncs
from tfnp.routines.statistics import averages
from tfnp.routines.statistics.medians import median

__all__ = ["pad"]

Pair = tuple[Any, Any]

_OPTIONS: Final[dict[str, tuple[str, ...]]] = {
    "empty": (),
    "edge": (),
    "wrap": (),
    "constant": ("constant_values",),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "mean": ("stat_length",),
    "median": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
}


@array_function(promotes=("array",), unknown_rank="each", traces=("array",))
def pad(
    array: ArrayLike, pad_width: ArrayLike, mode: str | Callable[..., Any] = "constant", **kwargs: Any
) -> tf.Tensor:
    """`pad_width` must be static. In mode "empty" the padding is zero.

    A function as `mode` is called on the host, with NumPy arrays that it changes: it has no gradient, and a graph that
    calls it cannot be compiled by XLA.
    """
    tensor = to_tensor(array)
    widths = _as_widths(pad_width, shapes.rank(tensor))
    if callable(mode):
        return _pad_by_function(tensor, widths, mode, kwargs)
    _check_options(mode, kwargs)
    padded = zip(shapes.shape(tensor), widths, strict=True)
    shapes.check_memory(tuple(before + dim + after for dim, (before, after) in padded), tensor.dtype)
    if mode not in {"constant", "empty"} and 0 in tensor.shape:
        return _pad_empty(tensor, widths)
    return _MODES[mode](tensor, widths, kwargs)


def _as_widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """Return a pair for each axis: from an int, a pair, a pair for each axis, or a dictionary of axes."""
    if isinstance(pad_width, dict):
        sequence = [(0, 0)] * rank
        for axis, width in pad_width.items():
            pair = (width, width) if isinstance(width, int) else tuple(width)
            if len(pair) != 2 or not all(isinstance(dim, int) for dim in pair):
                raise TypeError("`pad_width` must be of integral type.")
            sequence[axis] = pair
        pad_width = sequence
    for width in pad_width if isinstance(pad_width, list | tuple) else ():
        check_no_unknown_dim(width)
    widths = np.asarray(convert.as_static(pad_width, "pad_width", "pad"))
    if widths.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    return [(int(before), int(after)) for before, after in _as_pairs(widths, rank, as_index=True)]


def _as_pairs(value: Any, rank: int, *, as_index: bool = False) -> list[Pair]:
    """Return a pair for each axis, given a value, a pair, or a pair for each axis. Items of tensors stay tensors."""
    if value is None:
        return [(None, None)] * rank
    if is_tensor(value) and not as_index:
        broadcast = shapes.broadcast_to(to_tensor(value), (rank, 2))
        return [tuple(tf.unstack(row)) for row in tf.unstack(broadcast)] if rank else []
    array = np.asarray(value)
    if as_index:
        array = np.round(array).astype(np.intp, copy=False)
        if array.size and array.min() < 0:
            raise ValueError("index can't contain negative values")
    if array.ndim < 3 and array.size == 1:
        return [(array.ravel()[0], array.ravel()[0])] * rank
    if array.ndim < 3 and array.size == 2 and array.shape != (2, 1):
        return [tuple(array.ravel())] * rank
    return [tuple(pair) for pair in np.broadcast_to(array, (rank, 2)).tolist()]


def _check_options(mode: Any, options: dict[str, Any]) -> None:
    """Raise NumPy's ValueError for an unknown mode, or for keywords that the mode does not have."""
    try:
        supported = _OPTIONS[mode]
    except KeyError:
        raise ValueError(f"mode '{mode}' is not supported") from None
    unknown = set(options) - set(supported)
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")


def _pad_empty(tensor: tf.Tensor, widths: list[tuple[int, int]]) -> tf.Tensor:
    """Pad an array without elements. Raise NumPy's ValueError where an empty axis is extended."""
    for axis, width in enumerate(widths):
        if tensor.shape[axis] == 0 and any(width):
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    return layout.pad(tensor, widths)


def _pad_by_function(
    tensor: tf.Tensor, widths: list[tuple[int, int]], function: Callable[..., Any], options: dict[str, Any]
) -> tf.Tensor:
    """Pad by NumPy, on the host."""

    def pad_array(array: np.ndarray) -> np.ndarray:
        return np.pad(array, widths, function, **options)

    static = convert.static_value(tensor)
    if static is not None:
        return convert.from_numpy(pad_array(np.asarray(static)))
    result = tf.numpy_function(pad_array, [tensor], tensor.dtype, stateful=False)
    shape = zip(tensor.shape, widths, strict=True)
    result.set_shape([None if dim is None else dim + sum(width) for dim, width in shape])
    return result


def _as_element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """Cast a value as NumPy's assignment to an element does: a Python int must fit the dtype."""
    if isinstance(value, tf.Tensor):
        return convert.cast(value, dtype)
    cell = np.zeros((), dtypes.as_numpy(dtype))
    cell[...] = value
    return convert.from_numpy(cell)


def _pad_constant(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
    pairs = _as_pairs(options.get("constant_values", 0), len(widths))
    pairs = [(_as_element(first, tensor.dtype), _as_element(last, tensor.dtype)) for first, last in pairs]
    if "constant_values" not in options and tensor.dtype != tf.string:  # text is padded with "0", as by NumPy
        return layout.pad(tensor, widths)
    if np.ndim(options.get("constant_values", 0)) == 0 and pairs:
        return layout.pad(tensor, widths, pairs[0][0])
    for axis, (width, (first, last)) in enumerate(zip(widths, pairs, strict=True)):
        tensor = layout.pad(tensor, _make_widths(axis, (width[0], 0), len(widths)), first)
        tensor = layout.pad(tensor, _make_widths(axis, (0, width[1]), len(widths)), last)
    return tensor


def _make_widths(axis: int, width: tuple[int, int], rank: int) -> list[tuple[int, int]]:
    """Return the widths that pad a single axis."""
    return [width if index == axis else (0, 0) for index in range(rank)]


def _pad_zeros(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
    return layout.pad(tensor, widths)


def _make_gather_mode(mode: str) -> Callable[..., tf.Tensor]:
    """Return the function of a mode that repeats elements of the array."""

    def pad_by_gather(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
        for axis, width in enumerate(widths):
            if width != (0, 0):
                tensor = _pad_axis_by_gather(tensor, axis, width, mode)
        return tensor

    return pad_by_gather


def _pad_axis_by_gather(tensor: tf.Tensor, axis: int, width: tuple[int, int], mode: str) -> tf.Tensor:
    """Pad one axis: gather all elements of a small array at once, but only the padding of a large one."""
    length, elements = shapes.shape(tensor)[axis], tensor.shape.num_elements()
    if not isinstance(length, int):
        length = tf.cast(length, tf.int64)
        before, after = tf.range(-width[0], 0, dtype=tf.int64), length + tf.range(width[1], dtype=tf.int64)
    elif elements is not None and elements < _MIN_COPIED:
        positions = _find_positions(np.arange(-width[0], length + width[1]), length, mode)
        return layout.take(tensor, positions, axis)
    else:
        before, after = np.arange(-width[0], 0), np.arange(length, length + width[1])
    pieces = [tensor]
    if width[0]:
        pieces.insert(0, layout.take(tensor, _find_positions(before, length, mode), axis))
    if width[1]:
        pieces.append(layout.take(tensor, _find_positions(after, length, mode), axis))
    return tf.concat(pieces, axis)


_MIN_COPIED: Final = 1 << 12
"""The number of elements above which only the padding is gathered, and the array itself copied."""


def _find_positions(index: Any, length: Any, mode: str) -> Any:
    """Return the positions of the elements that padding at these indices repeats: an array if static, else a tensor."""
    xp: Any = np if isinstance(length, int) else tf
    if mode == "edge":
        return xp.maximum(xp.minimum(index, length - 1), 0)
    if mode == "wrap":
        return index % length
    edge_overlap = 0 if mode == "symmetric" else 1
    period = xp.maximum(2 * (length - edge_overlap), 1)
    index = index % period
    return xp.where(index < length, index, period - 1 + edge_overlap - index)


def _make_reflect_mode(mode: str) -> Callable[..., tf.Tensor]:
    pad_even = _make_gather_mode(mode)

    def pad_by_reflection(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
        if options.get("reflect_type", "even") != "odd":
            return pad_even(tensor, widths, options)
        for axis, width in enumerate(widths):
            if width != (0, 0):
                tensor = _reflect_odd(tensor, axis, width, include_edge=mode == "symmetric")
        return tensor

    return pad_by_reflection


def _reflect_odd(tensor: tf.Tensor, axis: int, width: tuple[int, int], *, include_edge: bool) -> tf.Tensor:
    """Pad one axis by reflections with reflect_type="odd", which are twice the edge less the reflected elements.

    An array shorter than the padding is reflected repeatedly.
    """
    left, right = width
    period = tensor.shape[axis]
    if period is None:
        return _reflect_odd_dynamic(tensor, axis, width, edge_overlap=0 if include_edge else 1)
    if period == 1:
        return _make_gather_mode("edge")(tensor, _make_widths(axis, width, shapes.rank(tensor)), {})
    while left or right:
        length = tensor.shape[axis]
        reach = length // period * period if include_edge else (length - 1) // (period - 1) * (period - 1)
        first, last = min(reach, left), min(reach, right)
        skipped = 0 if include_edge else 1
        if first:
            chunk = layout.reverse(layout.slice_along(tensor, axis, skipped, first), (axis,))
            tensor = tf.concat([_reflect_about(layout.slice_along(tensor, axis, 0, 1), chunk), tensor], axis)
        if last:
            end = tensor.shape[axis]
            chunk = layout.reverse(layout.slice_along(tensor, axis, end - skipped - last, last), (axis,))
            tensor = tf.concat([tensor, _reflect_about(layout.slice_along(tensor, axis, end - 1, 1), chunk)], axis)
        left, right = left - first, right - last
    return tensor


def _reflect_odd_dynamic(tensor: tf.Tensor, axis: int, width: tuple[int, int], *, edge_overlap: int) -> tf.Tensor:
    """Pad like `_reflect_odd` where the length is unknown while tracing: as often as the shortest array needs it."""
    period = tf.size(layout.positions(shapes.shape(tensor)[axis]), tf.int64)
    stride, is_single = tf.maximum(period - edge_overlap, 1), tf.equal(period, 1)
    left, right = (tf.constant(dim, tf.int64) for dim in width)
    for _ in range(_count_reflections(width, edge_overlap)):
        length = tf.cast(shapes.shape(tensor)[axis], tf.int64)
        reach = tf.where(is_single, tf.constant(max(width), tf.int64), (length - edge_overlap) // stride * stride)
        first, last = tf.minimum(reach, left), tf.minimum(reach, right)
        index = tf.minimum(tf.range(first - 1, -1, -1, tf.int64) + edge_overlap, length - 1)
        chunk, edge = layout.take(tensor, index, axis), layout.slice_along(tensor, axis, 0, 1)
        tensor = tf.concat([tf.where(is_single, chunk, _reflect_about(edge, chunk)), tensor], axis)
        end = length + first - 1
        index = tf.maximum(end - edge_overlap - tf.range(last, dtype=tf.int64), 0)
        chunk, edge = layout.take(tensor, index, axis), layout.slice_along(tensor, axis, end, 1)
        tensor = tf.concat([tensor, tf.where(is_single, chunk, _reflect_about(edge, chunk))], axis)
        left, right = left - first, right - last
    return tensor


def _count_reflections(width: tuple[int, int], edge_overlap: int) -> int:
    """Return how often the shortest axis that can be reflected must be reflected to complete the padding."""
    left, right = width
    length, rounds = 1 + edge_overlap, 0
    while left > 0 or right > 0:
        first, last = min(length - edge_overlap, left), min(length - edge_overlap, right)
        left, right, length, rounds = left - first, right - last, length + first + last, rounds + 1
    return rounds


def _reflect_about(edge: tf.Tensor, chunk: tf.Tensor) -> tf.Tensor:
    if edge.dtype == tf.bool:
        return tf.logical_or(edge, chunk)
    twice = ufuncs.multiply(edge, 2) if edge.dtype.is_complex else edge + edge
    return twice - chunk


def _pad_ramp(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
    rank = len(widths)
    for axis, ((left, right), (first, last)) in enumerate(
        zip(widths, _as_pairs(options.get("end_values", 0), rank), strict=True)
    ):
        end = shapes.shape(tensor)[axis]
        if not left and not right:
            continue
        edges = [tf.squeeze(layout.slice_along(tensor, axis, start, 1), [axis]) for start in (0, end - 1)]
        before = linspace(first, edges[0], left, False, False, tensor.dtype, axis)
        after = linspace(last, edges[1], right, False, False, tensor.dtype, axis)
        tensor = tf.concat([before, tensor, layout.reverse(after, (axis,))], axis)
    return tensor


def _make_statistic_mode(name: str) -> Callable[..., tf.Tensor]:
    """Return the function of a mode that pads with a statistic of the elements at either end."""

    def pad_by_statistic(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
        lengths = _as_pairs(options.get("stat_length"), len(widths), as_index=True)
        for axis, ((left, right), (first, last)) in enumerate(zip(widths, lengths, strict=True)):
            if tensor.shape[axis] is None and not (left or right):
                continue
            before = _calculate_statistic(tensor, axis, name, first, from_end=False)
            after = _calculate_statistic(tensor, axis, name, last, from_end=True)
            repeated = [
                layout.take(value, np.zeros(count, np.int64), axis) for value, count in ((before, left), (after, right))
            ]
            tensor = tf.concat([repeated[0], tensor, repeated[1]], axis)
        return tensor

    return pad_by_statistic


@array_function(unknown_rank="each")
def _calculate_statistic(tensor: tf.Tensor, axis: int, name: str, length: Any, *, from_end: bool) -> tf.Tensor:
    """Return a statistic of `length` elements at one end of an axis (of all for None), in the dtype of the tensor."""
    dim = shapes.shape(tensor)[axis]
    length = dim if length is None else _take_smaller(int(length), dim)
    if isinstance(length, int) and length == 0 and name in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    chunk = layout.slice_along(tensor, axis, dim - length if from_end else 0, length)
    result = _STATISTICS[name](chunk, axis, keepdims=True)
    if tensor.dtype.is_integer and result.dtype.is_floating:
        result = tf.round(result)
    return convert.cast(result, tensor.dtype)


def _take_smaller(length: int, dim: shapes.Dim) -> shapes.Dim:
    return min(length, dim) if isinstance(dim, int) else tf.minimum(length, dim)


_STATISTICS: Final[dict[str, Callable[..., tf.Tensor]]] = {
    "maximum": reductions.max,
    "minimum": reductions.min,
    "mean": averages.mean,
    "median": median,
}


_MODES: Final[dict[str, Callable[..., tf.Tensor]]] = {
    "constant": _pad_constant,
    "empty": _pad_zeros,
    "edge": _make_gather_mode("edge"),
    "wrap": _make_gather_mode("wrap"),
    "reflect": _make_reflect_mode("reflect"),
    "symmetric": _make_reflect_mode("symmetric"),
    "linear_ramp": _pad_ramp,
    "maximum": _make_statistic_mode("maximum"),
    "mean": _make_statistic_mode("mean"),
    "median": _make_statistic_mode("median"),
    "minimum": _make_statistic_mode("minimum"),
}
