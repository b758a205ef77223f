"""`ufunc.at`: a ufunc applied to indexed elements of a variable, in order where an element is indexed more than once.

An element that is indexed n times is updated in n rounds; each round updates all elements that are left. Where order
does not matter and nothing is cast, the operands for one element are reduced first. Addition, subtraction, maximum and
minimum have an op.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, reduce_algorithms, shapes
from tfnp._core.checks import check
from tfnp._core.eager_tensors import is_watched
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error, numpy_errors
from tfnp._core.indexing import flat_indices
from tfnp._core.indexing.gather import read
from tfnp._core.indexing.plans import flatten_mask
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.variables import read_variable, update

_MISMATCH: Final = "array is not broadcastable to correct shape"
_TRACED: Final = frozenset((tf.float64, tf.int32, tf.int64, tf.uint32, tf.uint64))
"""Dtypes whose kernels have the same bits in eager mode and in graphs; for two operands, those of float32 have, too."""
_NOT_TRACED: Final = frozenset(("arctanh", "cosh", "sinh"))  # their kernels have not
SCATTER_OPS: Final = {
    ops.add: ops.tensor_scatter_add,
    ops.subtract: ops.tensor_scatter_sub,
    ops.maximum: ops.tensor_scatter_max,
    ops.minimum: ops.tensor_scatter_min,
}


def write_at(ufunc: Any, a: Any, index: Any, b: Any) -> None:
    """Assign `ufunc(a[index], b)` to each indexed element, in order. Results are cast to the dtype of `a`, unsafely."""
    if not isinstance(a, tf.Variable):
        if is_tensor(a):
            raise not_a_variable_error("the first operand of at", a)
        raise TypeError(f"first operand must be array: a tf.Variable, not {type(a).__name__}")
    value = read_variable(a)
    has_same_bits = value.dtype in _TRACED or (ufunc.nin == 2 and value.dtype == tf.float32)
    apply = _apply_traced if has_same_bits and ufunc.__name__ not in _NOT_TRACED else apply_at
    update(a, apply(ufunc, value, index, b))


@array_function(traces=("a", "b"))
def _apply_traced(ufunc: Any, a: tf.Tensor, index: Any, b: Any) -> tf.Tensor:
    return apply_at(ufunc, a, index, b)


def apply_at(ufunc: Any, a: tf.Tensor, index: Any, b: Any) -> tf.Tensor:
    """Return the new tensor that `write_at` assigns."""
    second = () if ufunc.nin == 1 else (convert.to_tensor(b),)
    loop = ufunc._resolve_at_loop(tuple(dtypes.as_numpy(operand.dtype) for operand in (a, *second, a)))
    indices = None if _is_dynamic_mask(index, a) else _find_flat_indices(index, a)
    call = _KernelCall(ufunc, loop, a.dtype)
    flat = tf.reshape(a, (-1,))
    if indices is None:
        mask = flatten_mask(index, shapes.shape(a))
        flat = tf.where(mask, call(flat, *_align_with_mask(second, mask)), flat)
    else:
        second = tuple(tf.reshape(_broadcast(value, indices), (-1,)) for value in second)
        flat = _apply_in_rounds(call, flat, tf.reshape(tf.cast(indices, tf.int64), (-1,)), second)
    return tf.reshape(flat, tf.shape(a)) if a.shape.rank is None else shapes.reshape(flat, shapes.shape(a))


def _find_flat_indices(index: Any, a: tf.Tensor) -> np.ndarray | tf.Tensor:
    """Return the flat indices of the indexed elements. The rank of integer arrays may be unknown."""
    parts = index if isinstance(index, tuple) else (index,)
    are_ints = all(type(part) is int or (isinstance(part, tf.Tensor) and part.dtype.is_integer) for part in parts)
    if are_ints and any(isinstance(part, tf.Tensor) and part.shape.rank is None for part in parts):
        return read(tf.reshape(layout.positions(shapes.size(a)), tf.shape(a)), index)
    return _find_flat_indices_by_rank(index, a)


@array_function(unknown_rank="each")
def _find_flat_indices_by_rank(index: Any, a: tf.Tensor) -> np.ndarray | tf.Tensor:
    return flat_indices.flat_indices_of(index, shapes.shape(a))


class _KernelCall:
    """A ufunc's kernel, with operands cast to the dtypes of its loop, and the result to that of the variable."""

    def __init__(self, ufunc: Any, loop: tuple[np.dtype, ...], dtype: tf.DType) -> None:
        loop_dtypes = tuple(map(dtypes.as_dtype, loop))
        self.kernel, self.loop, self.dtype = ufunc._find_kernel(loop[: ufunc.nin]), loop_dtypes[: ufunc.nin], dtype
        self.is_associative = ufunc._is_associative and set(loop_dtypes) == {dtype}

    @numpy_errors
    def __call__(self, *operands: tf.Tensor) -> tf.Tensor:
        return convert.cast(self.kernel(*map(convert.cast, operands, self.loop)), self.dtype)

    @property
    def scatter_op(self) -> Any:
        """The op that applies the kernel to all indexed elements; None if there is none."""
        return SCATTER_OPS.get(self.kernel) if self.loop[0] == self.dtype and not self.dtype.is_bool else None


def _is_dynamic_mask(index: Any, a: tf.Tensor) -> bool:
    """Return whether an index is a mask of all axes without a static value."""
    is_symbolic = isinstance(index, tf.Tensor) and convert.static_value(index) is None
    if not is_symbolic or index.dtype != tf.bool or index.shape.rank is None:
        return False
    return a.shape.rank is not None and index.shape.is_compatible_with(a.shape)


def _align_with_mask(second: tuple[tf.Tensor, ...], mask: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """Return the second operand with its elements moved to the positions at which a flat mask is True."""
    if not second or second[0].shape.num_elements() == 1:
        return tuple(tf.reshape(value, ()) for value in second)
    values = shapes.pad_shape(second[0], 1) if second[0].shape.rank is None else second[0]
    if shapes.rank(values) > 1:
        raise ValueError(_MISMATCH)
    order = tf.cumsum(tf.cast(mask, tf.int32)) - 1
    last = tf.shape(values)[0] - 1
    return (tf.gather(values, tf.clip_by_value(order, 0, tf.maximum(last, 0))),)


def _broadcast(value: tf.Tensor, indices: Any) -> tf.Tensor:
    if isinstance(indices, tf.Tensor) and indices.shape.rank is None:
        positions = tf.reshape(tf.range(tf.size(value)), tf.shape(value))
        return tf.gather(tf.reshape(value, (-1,)), tf.broadcast_to(positions, tf.shape(indices)))
    shape = indices.shape if isinstance(indices, np.ndarray) else shapes.shape(indices)
    if value.shape.rank is not None and value.shape.rank > len(shape):
        raise ValueError(_MISMATCH)
    if value.shape.rank is None:
        value = check(tf.rank(value) <= len(shape), ValueError(_MISMATCH), value)
    static = shapes.is_static(shape) and value.shape.is_fully_defined()
    if static and tuple(shapes.broadcast_shapes(tuple(value.shape), shape)) != tuple(shape):
        raise ValueError(_MISMATCH)
    if not static and value.shape.rank:
        value = shapes.check_broadcastable_to(value, shape, _MISMATCH)
    return shapes.broadcast_to(value, shape)


@numpy_errors
def _apply_in_rounds(
    call: _KernelCall, flat: tf.Tensor, indices: tf.Tensor, second: tuple[tf.Tensor, ...]
) -> tf.Tensor:
    if call.scatter_op and flat.shape[0] != 0:
        updates = convert.cast(second[0], flat.dtype)
        return layout.scatter(call.scatter_op, flat, indices, updates)
    second = tuple(map(convert.cast, second, call.loop[1:]))
    rounds, count = _assign_rounds(indices, shapes.shape(flat)[0] + 1)
    is_unrolled = isinstance(rounds, np.ndarray)
    if is_unrolled and not (call.is_associative and count > MAX_UNROLLED_ROUNDS):
        order = np.argsort(rounds, kind="stable")
        for chosen in np.split(order, np.searchsorted(rounds[order], np.arange(1, count))):
            positions = tf.gather(indices, chosen)
            values = call(tf.gather(flat, positions), *[_take(operand, chosen) for operand in second])
            flat = layout.scatter(ops.tensor_scatter_update, flat, positions, values)
        return flat
    flat = tf.concat([flat, tf.zeros((1,), flat.dtype)], 0)
    if call.is_associative:
        return _combine_duplicates(call, flat, indices, second[0])[:-1]

    def write(current: Any, flat: tf.Tensor) -> tf.Tensor:
        return _write(flat, tf.equal(rounds, current), indices, call(tf.gather(flat, indices), *second))

    return _repeat(write, count, flat)[:-1]


def _take(operand: tf.Tensor, chosen: np.ndarray) -> tf.Tensor:
    """Return some elements; static ones without a gradient stay so, since a kernel may look at them."""
    static = None if is_watched(operand) else convert.static_value(operand)
    return tf.gather(operand, chosen) if static is None else tf.constant(np.asarray(static)[chosen], operand.dtype)


def _write(flat: tf.Tensor, mask: tf.Tensor, indices: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """Return the variable's value with values written where the mask is True; others go to a last element, which is
    dropped later.
    """
    last = tf.cast(shapes.shape(flat)[0], tf.int64) - 1
    return layout.scatter(ops.tensor_scatter_update, flat, tf.where(mask, indices, last), values)


def _combine_duplicates(call: _KernelCall, flat: tf.Tensor, indices: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Return the new value: the operands for each element, a segment when sorted by index, are reduced and written."""
    static = convert.static_value(indices)
    order = tf.argsort(indices, stable=True) if static is None else tf.constant(np.argsort(static, kind="stable"))
    indices, second = tf.gather(indices, order), tf.gather(second, order)
    starts = tf.range(tf.size(indices, tf.int64), dtype=tf.int64)
    first, last = (
        tf.gather(find_ends(starts, indices, shapes.shape(flat)[0]), indices)
        for find_ends in (tf.math.unsorted_segment_min, tf.math.unsorted_segment_max)
    )
    is_first = tf.equal(starts, first)
    stops = tf.where(is_first, last, starts) + 1
    second = tf.reshape(second, (1, -1, 1))
    reduced = reduce_algorithms.segment_reduce(call.kernel, second, starts, stops, associative=True, masked_value=None)
    return _write(flat, is_first, indices, call(tf.gather(flat, indices), tf.reshape(reduced, (-1,))))


def _repeat(write: Any, count: tf.Tensor, flat: tf.Tensor) -> tf.Tensor:
    zero = tf.constant(0, tf.int64)
    return tf.while_loop(lambda n, _: n < count, lambda n, flat: (n + 1, write(n, flat)), (zero, flat))[1]


def _assign_rounds(indices: tf.Tensor, size: shapes.Dim) -> tuple[Any, Any]:
    """Return the round of each index, which is the number of its earlier occurrences, and the number of rounds: an
    array and an int where they are static, and few enough for a graph. All indices are below `size`.
    """
    static = convert.static_value(indices)
    if static is not None:
        static_rounds = _count_earlier_occurrences(np.asarray(static))
        count = int(static_rounds.max(initial=-1)) + 1
        if count <= MAX_UNROLLED_ROUNDS or tf.executing_eagerly():
            return static_rounds, count
        return tf.constant(static_rounds), tf.constant(count, tf.int64)
    order = tf.argsort(indices, stable=True)
    ordered = tf.gather(indices, order)
    positions = tf.range(tf.size(ordered, tf.int64), dtype=tf.int64)
    # Not by tf.searchsorted: under XLA that takes memory for each pair of indices.
    rounds = positions - tf.gather(tf.math.unsorted_segment_min(positions, ordered, size), ordered)
    rounds = tf.gather(rounds, tf.argsort(order))
    return rounds, tf.reduce_max(tf.concat([rounds, [-1]], 0)) + 1


MAX_UNROLLED_ROUNDS: Final = 4  # more become a loop in a graph


def _count_earlier_occurrences(indices: np.ndarray) -> np.ndarray:
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    counts = np.empty_like(indices)
    counts[order] = np.arange(len(indices)) - np.searchsorted(ordered, ordered)
    return counts
