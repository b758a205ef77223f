"""Padding, in every mode of NumPy's.

One axis after another, as NumPy does it, so that corners come out the same. The modes that repeat elements are a
gather at positions that NumPy itself pads; those that compute values work on tensors.
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
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.creation.ranges import linspace
from tfnp.routines.math import ufuncs
from tfnp.routines.signal.padding_statistics import side_statistic

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


@array_function(promotes=("array",), unknown_rank="each")
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> tf.Tensor:
    """`pad_width` decides the shape, so it must be known while tracing. In mode "empty" the padding is zeros.

    A callable is given NumPy arrays to change, so it needs a tensor whose value is known, or a graph that XLA does not
    compile; nothing is differentiated through it.
    """
    tensor = to_tensor(array)
    widths = _widths(pad_width, shapes.rank(tensor))
    if callable(mode):
        return _pad_by_function(tensor, widths, mode, kwargs)
    _check_options(mode, kwargs)
    if mode not in {"constant", "empty"} and 0 in tensor.shape:
        return _pad_nothing(tensor, widths)
    return _MODES[mode](tensor, widths, kwargs)


def _widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    """A pair for each axis: from one number, one pair, a pair for each, or a dictionary of axes."""
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
    pad_width = convert.static_value(pad_width)
    if pad_width is None:
        raise TypeError("`pad_width` decides the shape, so it must be known while tracing")
    given = np.asarray(pad_width)
    if given.dtype.kind not in "iu":
        raise TypeError("`pad_width` must be of integral type.")
    return [(int(before), int(after)) for before, after in _pairs(given, rank, as_index=True)]


def _pairs(value: Any, rank: int, *, as_index: bool = False) -> list[Pair]:
    """NumPy's reading of one value, one pair, or a pair for each axis. Tensors keep their gradient."""
    if value is None:
        return [(None, None)] * rank
    if is_tensor(value) and not as_index:
        spread = shapes.broadcast_to(to_tensor(value), (rank, 2))
        return [tuple(tf.unstack(row)) for row in tf.unstack(spread)] if rank else []
    given = np.asarray(value)
    if as_index:
        given = np.round(given).astype(np.intp, copy=False)
        if given.size and given.min() < 0:
            raise ValueError("index can't contain negative values")
    if given.ndim < 3 and given.size == 1:
        return [(given.ravel()[0], given.ravel()[0])] * rank
    if given.ndim < 3 and given.size == 2 and given.shape != (2, 1):
        return [tuple(given.ravel())] * rank
    return [tuple(pair) for pair in np.broadcast_to(given, (rank, 2)).tolist()]


def _check_options(mode: Any, options: dict[str, Any]) -> None:
    try:
        static = _OPTIONS[mode]
    except KeyError:
        raise ValueError(f"mode '{mode}' is not supported") from None
    unknown = set(options) - set(static)
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")


def _pad_nothing(tensor: tf.Tensor, widths: list[tuple[int, int]]) -> tf.Tensor:
    """An array without elements stays without them: only a value from elsewhere can extend an empty axis."""
    for axis, width in enumerate(widths):
        if tensor.shape[axis] == 0 and any(width):
            raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    return layout.pad(tensor, widths)


def _pad_by_function(
    tensor: tf.Tensor, widths: list[tuple[int, int]], function: Callable[..., Any], options: dict[str, Any]
) -> tf.Tensor:
    def on_host(array: np.ndarray) -> np.ndarray:
        return np.pad(array, widths, function, **options)

    static = convert.static_value(tensor)
    if static is not None:
        return convert.from_numpy(on_host(np.asarray(static)))
    result = tf.numpy_function(on_host, [tensor], tensor.dtype, stateful=False)
    shape = zip(tensor.shape, widths, strict=True)
    result.set_shape([None if dim is None else dim + sum(width) for dim, width in shape])
    return result


def _element(value: Any, dtype: tf.DType) -> tf.Tensor:
    """A value as assignment to an element makes it: what is lost is lost, but Python's ints must fit."""
    if isinstance(value, tf.Tensor):
        return convert.cast(value, dtype)
    cell = np.zeros((), dtypes.as_numpy(dtype))
    cell[...] = value
    return convert.from_numpy(cell)


def _constant(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
    pairs = _pairs(options.get("constant_values", 0), len(widths))
    pairs = [(_element(first, tensor.dtype), _element(last, tensor.dtype)) for first, last in pairs]
    if "constant_values" not in options:
        return layout.pad(tensor, widths)
    if np.ndim(options["constant_values"]) == 0 and pairs:
        return layout.pad(tensor, widths, pairs[0][0])
    for axis, (width, (first, last)) in enumerate(zip(widths, pairs, strict=True)):
        tensor = layout.pad(tensor, _on_axis(axis, (width[0], 0), len(widths)), first)
        tensor = layout.pad(tensor, _on_axis(axis, (0, width[1]), len(widths)), last)
    return tensor


def _on_axis(axis: int, width: tuple[int, int], rank: int) -> list[tuple[int, int]]:
    return [width if number == axis else (0, 0) for number in range(rank)]


def _zeros(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
    return layout.pad(tensor, widths)


def _repeating(mode: str) -> Callable[..., tf.Tensor]:
    """A mode whose padding repeats elements of the array."""

    def pad_by_gather(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
        for axis, width in enumerate(widths):
            if width != (0, 0):
                length = shapes.shape(tensor)[axis]
                static = isinstance(length, int)
                index = np.pad(np.arange(length), width, mode) if static else _padded_positions(length, width, mode)
                tensor = layout.take(tensor, index, axis)
        return tensor

    return pad_by_gather


def _padded_positions(length: shapes.Dim, width: tuple[int, int], mode: str) -> tf.Tensor:
    """What NumPy's padding of 0, 1, ... comes to where the length is known at run time only."""
    length = tf.cast(length, tf.int64)
    index = tf.range(-width[0], length + width[1], dtype=tf.int64)
    if mode == "edge":
        return tf.clip_by_value(index, 0, length - 1)
    if mode == "wrap":
        return index % length
    shared = 0 if mode == "symmetric" else 1
    period = tf.maximum(2 * (length - shared), 1)
    index = index % period
    return tf.where(index < length, index, period - 1 + shared - index)


def _reflecting(mode: str) -> Callable[..., tf.Tensor]:
    evenly = _repeating(mode)

    def pad_by_reflection(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
        kind = options.get("reflect_type", "even")
        if kind != "odd":
            return evenly(tensor, widths, options)
        for axis, width in enumerate(widths):
            if width != (0, 0):
                tensor = _reflect_oddly(tensor, axis, width, include_edge=mode == "symmetric")
        return tensor

    return pad_by_reflection


def _reflect_oddly(tensor: tf.Tensor, axis: int, width: tuple[int, int], *, include_edge: bool) -> tf.Tensor:
    """Twice the edge less the reflection, again and again until the padding is full."""
    left, right = width
    period = tensor.shape[axis]
    if period is None:
        return _reflect_oddly_unknown(tensor, axis, width, shared=0 if include_edge else 1)
    if period == 1:
        return _repeating("edge")(tensor, _on_axis(axis, width, shapes.rank(tensor)), {})
    while left or right:
        length = tensor.shape[axis]
        reach = length // period * period if include_edge else (length - 1) // (period - 1) * (period - 1)
        first, last = min(reach, left), min(reach, right)
        skipped = 0 if include_edge else 1
        if first:
            chunk = layout.reverse(layout.slice_along(tensor, axis, skipped, first), (axis,))
            tensor = tf.concat([_beyond(layout.slice_along(tensor, axis, 0, 1), chunk), tensor], axis)
        if last:
            end = tensor.shape[axis]
            chunk = layout.reverse(layout.slice_along(tensor, axis, end - skipped - last, last), (axis,))
            tensor = tf.concat([tensor, _beyond(layout.slice_along(tensor, axis, end - 1, 1), chunk)], axis)
        left, right = left - first, right - last
    return tensor


def _reflect_oddly_unknown(tensor: tf.Tensor, axis: int, width: tuple[int, int], *, shared: int) -> tf.Tensor:
    """As above where the length is known at run time only: as often as the least that has a reflection needs it."""
    period = tf.size(layout.positions(shapes.shape(tensor)[axis]), tf.int64)
    turn, single = tf.maximum(period - shared, 1), tf.equal(period, 1)
    left, right = (tf.constant(dim, tf.int64) for dim in width)
    for _ in range(_rounds(width, shared)):
        length = tf.cast(shapes.shape(tensor)[axis], tf.int64)
        reach = tf.where(single, tf.constant(max(width), tf.int64), (length - shared) // turn * turn)
        first, last = tf.minimum(reach, left), tf.minimum(reach, right)
        index = tf.minimum(tf.range(first - 1, -1, -1, tf.int64) + shared, length - 1)
        chunk, edge = layout.take(tensor, index, axis), layout.slice_along(tensor, axis, 0, 1)
        tensor = tf.concat([tf.where(single, chunk, _beyond(edge, chunk)), tensor], axis)
        end = length + first - 1
        index = tf.maximum(end - shared - tf.range(last, dtype=tf.int64), 0)
        chunk, edge = layout.take(tensor, index, axis), layout.slice_along(tensor, axis, end, 1)
        tensor = tf.concat([tensor, tf.where(single, chunk, _beyond(edge, chunk))], axis)
        left, right = left - first, right - last
    return tensor


def _rounds(width: tuple[int, int], shared: int) -> int:
    """How often an axis of length 1, or 2 where the edge is not repeated, is reflected until the padding is full."""
    left, right = width
    length, rounds = 1 + shared, 0
    while left > 0 or right > 0:
        first, last = min(length - shared, left), min(length - shared, right)
        left, right, length, rounds = left - first, right - last, length + first + last, rounds + 1
    return rounds


def _beyond(edge: tf.Tensor, chunk: tf.Tensor) -> tf.Tensor:
    if edge.dtype == tf.bool:
        return tf.logical_or(edge, chunk)
    twice = ufuncs.multiply(edge, 2) if edge.dtype.is_complex else edge + edge
    return twice - chunk


def _ramp(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
    rank = len(widths)
    for axis, ((left, right), (first, last)) in enumerate(
        zip(widths, _pairs(options.get("end_values", 0), rank), strict=True)
    ):
        end = shapes.shape(tensor)[axis]
        if not left and not right:
            continue
        edges = [tf.squeeze(layout.slice_along(tensor, axis, start, 1), [axis]) for start in (0, end - 1)]
        before = linspace(first, edges[0], left, False, False, tensor.dtype, axis)
        after = linspace(last, edges[1], right, False, False, tensor.dtype, axis)
        tensor = tf.concat([before, tensor, layout.reverse(after, (axis,))], axis)
    return tensor


def _statistic(name: str) -> Callable[..., tf.Tensor]:
    """A mode that pads with a statistic of the elements at either side."""

    def pad_by_statistic(tensor: tf.Tensor, widths: list[tuple[int, int]], options: dict[str, Any]) -> tf.Tensor:
        lengths = _pairs(options.get("stat_length"), len(widths), as_index=True)
        for axis, ((left, right), (first, last)) in enumerate(zip(widths, lengths, strict=True)):
            if tensor.shape[axis] is None and not (left or right):
                continue
            before = side_statistic(tensor, axis, name, first, from_end=False)
            after = side_statistic(tensor, axis, name, last, from_end=True)
            repeated = [
                layout.take(dim, np.zeros(count, np.int64), axis) for dim, count in ((before, left), (after, right))
            ]
            tensor = tf.concat([repeated[0], tensor, repeated[1]], axis)
        return tensor

    return pad_by_statistic


_MODES: Final[dict[str, Callable[..., tf.Tensor]]] = {
    "constant": _constant,
    "empty": _zeros,
    "edge": _repeating("edge"),
    "wrap": _repeating("wrap"),
    "reflect": _reflecting("reflect"),
    "symmetric": _reflecting("symmetric"),
    "linear_ramp": _ramp,
    "maximum": _statistic("maximum"),
    "mean": _statistic("mean"),
    "median": _statistic("median"),
    "minimum": _statistic("minimum"),
}
