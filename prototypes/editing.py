"""trim_zeros, delete, insert and repeat of large arrays by slices; see each function for what it replaces."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import compilation, convert, dtypes, moves, shapes, sizes
from tfnp._core.convert import to_tensor

LARGE = 4096
"""Elements from which on slices, each an op of its own, are cheaper than a gather."""
FEW = 8
"""How many places are taken out or put in by slices: each costs an op, whatever lies between them."""

# trim_zeros: tfnp/routines/editing.py


def first_and_last(tensor: tf.Tensor, axes: tuple[int, ...], side: str) -> dict[int, tuple[int, int]]:
    """Replaces `mask`, `known`, `_extent` and `_clipped` in eager (and for constants while tracing): where what is
    kept along each axis begins and ends. A vector is looked at from its ends only as far as there are zeros.

    It takes NumPy's comparison, for which a subnormal is no zero; `tf.not_equal` flushes it.
    """
    array = np.asarray(convert.static_value(tensor))
    if array.ndim == 1 and array.dtype.kind != "O":
        return {0: _ends_of_vector(array, side)}
    mask = array != (b"" if array.dtype.kind == "O" else array.dtype.type(0))
    found = {}
    for axis in axes:
        holds = mask.any(tuple(other for other in range(mask.ndim) if other != axis))
        some = bool(holds.any())
        first, last = int(holds.argmax()), len(holds) - int(holds[::-1].argmax())
        found[axis] = (first if "f" in side else 0, last if "b" in side else len(holds)) if some else (0, 0)
    return found


def _ends_of_vector(array: np.ndarray, side: str) -> tuple[int, int]:
    length = len(array)
    first = _leading_zeros(array)
    if first == length:
        return 0, 0
    return first if "f" in side else 0, length - _leading_zeros(array[::-1]) if "b" in side else length


def _leading_zeros(array: np.ndarray) -> int:
    start, size = 0, 256
    while start < len(array):
        holds = array[start : start + size] != array.dtype.type(0)
        place = int(holds.argmax())
        if holds[place]:
            return start + place
        start, size = start + size, min(4 * size, 1 << 16)
    return len(array)


def trim_unknown(tensor: tf.Tensor, mask: tf.Tensor, side: str, axes: tuple[int, ...]) -> tf.Tensor:
    """Replaces `_trim_unknown` but for XLA, which takes no slice of a size that depends on data: there the old one."""
    for number in axes:
        others = [axis for axis in range(shapes.rank(tensor)) if axis != number]
        holds = tf.reduce_any(mask, others) if others else mask
        place = tf.range(tf.size(holds))
        count = tf.size(holds)
        first = tf.reduce_min(tf.where(holds, place, count)) if "f" in side else tf.constant(0)
        last = tf.reduce_max(tf.where(holds, place, -1)) + 1 if "b" in side else count
        some = tf.reduce_any(holds)
        first, last = tf.where(some, first, 0), tf.where(some, last, 0)
        length = last - first
        tensor = moves.part(tensor, number, first, length)
        mask = moves.part(mask, number, first, length)
    return sizes.open_ended(tensor)


def trim_zeros(filt: Any, trim: Any = "fb", axis: Any = None) -> Any:
    """The body as it would be."""
    side = trim.lower()
    if side not in {"fb", "bf", "f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    tensor = to_tensor(filt)
    axes = shapes.normalize_axes(axis, shapes.rank(tensor))
    if not axes:
        return filt
    if isinstance(filt, list | tuple) and shapes.rank(tensor) > 1:
        raise TypeError("trim_zeros cuts a list as it is, and so takes no nested ones: pass an array")
    if tensor.shape.num_elements() == 0:
        bounds = dict.fromkeys(axes, (0, 0))
    elif convert.static_value(tensor) is not None:
        bounds = first_and_last(tensor, axes, side)
    else:
        mask = tensor if tensor.dtype == tf.bool else tf.not_equal(tensor, tf.zeros((), tensor.dtype))
        if compilation.is_for_xla():
            from tfnp.routines import editing

            return editing._trim_unknown(tensor, mask, side, axes)
        return trim_unknown(tensor, mask, side, axes)
    if shapes.rank(tensor) == 1 and isinstance(filt, list | tuple):
        return filt[slice(*bounds[0])]
    for number, (start, stop) in bounds.items():
        tensor = moves.part(tensor, number, start, stop - start)
    return tensor


# delete: tfnp/routines/editing.py, the last line of `delete`, where `obj` and the length are known


def delete_known(arr: tf.Tensor, obj: Any, length: int, axis: int) -> tf.Tensor:
    """The array without what a known index, or several, a mask or a slice name."""
    if (arr.shape.num_elements() or 0) < LARGE:
        return moves.take(arr, np.delete(np.arange(length), obj), axis)
    cuts = _cuts(obj, length)
    if cuts is None:
        return moves.take(arr, np.delete(_numbers(length), obj), axis)
    pieces, start = [], 0
    for first, last in [*cuts, (length, length)]:
        if first > start:
            pieces.append(moves.part(arr, axis, start, first - start))
        start = max(start, last)
    if not pieces:
        return moves.part(arr, axis, 0, 0)
    return tf.concat(pieces, axis) if len(pieces) > 1 else pieces[0]


def _numbers(length: int) -> np.ndarray:
    """0, 1, ... in as few bytes as will do: indices are read at memory's speed."""
    return np.arange(length, dtype=np.int32 if length < 2**31 else np.int64)


def _cuts(obj: Any, length: int) -> list[tuple[int, int]] | None:
    """The ranges that are deleted, in order, if they are few; NumPy's error for an index that cannot be."""
    if isinstance(obj, slice):
        places = range(*obj.indices(length))
        if len(places) and abs(places.step) == 1:
            return [(min(places[0], places[-1]), max(places[0], places[-1]) + 1)]
        return [(place, place + 1) for place in sorted(places)] if len(places) <= FEW else None
    given = np.asarray(obj)
    if given.dtype.kind == "b" or given.size > FEW or (given.size == 0 and given.dtype.kind not in "iu"):
        return None
    np.delete(np.broadcast_to(np.int8(0), (length,)), obj)  # which raises, and knows what
    if given.dtype.kind not in "iu":
        return None
    places = sorted({int(place) % length for place in given.ravel()})
    return [(place, place + 1) for place in places]


# insert: tfnp/routines/editing.py, the last two lines within `if isinstance(count, int)` of `_inserted`


def insert_known(arr: tf.Tensor, shaped: tf.Tensor, obj: Any, length: int, count: int, axis: int) -> tf.Tensor:
    """The array with the values, as wide as what they go into, at known places."""
    given = None if isinstance(obj, slice) else np.asarray(obj)
    is_few = given is not None and given.dtype.kind in "iu" and given.size <= FEW
    if (arr.shape.num_elements() or 0) < LARGE or not is_few or given is None:
        index = np.insert(_numbers(length), obj, np.arange(length, length + count))
        return moves.take(tf.concat([arr, shaped], axis), index, axis)
    np.insert(np.broadcast_to(np.int8(0), (length,)), obj, 0)  # which raises, and knows what
    places = [int(place) + (length if place < 0 else 0) for place in given.ravel()]
    if len(places) == 1:
        order, widths = [0], [count]
    else:
        order, widths = sorted(range(len(places)), key=places.__getitem__), [1] * len(places)
    pieces, start = [], 0
    for number in order:
        if places[number] > start:
            pieces.append(moves.part(arr, axis, start, places[number] - start))
            start = places[number]
        pieces.append(shaped if len(places) == 1 else moves.part(shaped, axis, number, widths[number]))
    if start < length:
        pieces.append(moves.part(arr, axis, start, length - start))
    return tf.concat(pieces, axis)


# repeat: tfnp/routines/tiling.py


def repeat_known(a: tf.Tensor, known: Any, length: int, axis: int) -> tf.Tensor:
    """Replaces `moves.take(a, np.repeat(np.arange(length), known), number)` of `repeat`."""
    counts = np.asarray(known)
    if counts.size != 1 or (a.shape.num_elements() or 0) < LARGE // 4:
        return moves.take(a, np.repeat(_numbers(length), known), axis)
    np.repeat(np.zeros(1, np.int8), known)  # which raises, and knows what
    count = int(counts.reshape(()))
    sides = shapes.shape(a)
    flat = tf.reshape(a, shapes.pack((-1, 1, moves.product(sides[axis + 1 :]))))
    wide = tf.raw_ops.Tile(input=flat, multiples=(1, count, 1))
    return tf.reshape(wide, shapes.pack((*sides[:axis], length * count, *sides[axis + 1 :])))


def repeated(length: shapes.Side, counts: tf.Tensor) -> tf.Tensor:
    """Replaces `_repeated`, whose `tf.repeat` makes a mask of length times the largest count: n**2 for one count of n.

    The number of an element of the result is how many elements end at it or before.
    """
    counts = tf.broadcast_to(tf.cast(counts, tf.int64), shapes.pack((length,)))
    if not compilation.is_for_xla():
        counts = moves.in_bounds(counts, 0, 2**62)
    ends = tf.cumsum(counts)
    total = tf.reduce_sum(counts)
    steps = tf.math.unsorted_segment_sum(tf.ones_like(ends), ends, total + 1)
    return sizes.open_ended(tf.cumsum(steps)[:-1])
