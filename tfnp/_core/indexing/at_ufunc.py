"""`ufunc.at`: a variable changed in some places, one after another where a place is named more than once.

Each round calculates the next of every place's turns, all places together: as many rounds as the place named most often
has turns. Where order does not matter and nothing is cast, what goes to one place is joined first; sums, differences
and extremes of integers have an op for it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, reduce_algorithms, shapes
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error, numpy_errors
from tfnp._core.indexing import flat_indices
from tfnp._core.indexing.gather import read
from tfnp._core.indexing.plans import flat_mask
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.variables import read_variable, update

raw = tf.raw_ops
AT_ONCE: Final = {
    ops.add: raw.TensorScatterAdd,
    ops.subtract: raw.TensorScatterSub,
    ops.maximum: raw.TensorScatterMax,
    ops.minimum: raw.TensorScatterMin,
}


def write_at(ufunc: Any, a: Any, index: Any, b: Any) -> None:
    """`a[index] = joint(a[index], b)` for each place that the index names, in order. Results are cast to the dtype of
    `a` without asking, as NumPy does here.
    """
    if not isinstance(a, tf.Variable):
        if is_tensor(a):
            raise not_a_variable_error("the first operand of at", a)
        raise TypeError(f"first operand must be array: a tf.Variable, not {type(a).__name__}, which changes in place")
    update(a, apply_at(ufunc, read_variable(a), index, b))


def apply_at(ufunc: Any, a: tf.Tensor, index: Any, b: Any) -> tf.Tensor:
    """What `write_at` writes: a new tensor."""
    second = () if ufunc.nin == 1 else (convert.to_tensor(b),)
    kinds = tuple(dtypes.as_numpy(operand.dtype) for operand in (a, *second, a))
    loop = ufunc._loop_at(kinds)
    indices = None if _is_mask(index, a) else _places_of(index, a)
    calculate = _Calculation(ufunc, loop, a.dtype)
    flat = tf.reshape(a, (-1,))
    if indices is None:
        chosen = flat_mask(index, shapes.shape(a))
        flat = tf.where(chosen, calculate(flat, *_broadcast_to_mask(second, chosen)), flat)
    else:
        second = tuple(tf.reshape(_broadcast(value, indices), (-1,)) for value in second)
        flat = _apply_in_turns(calculate, flat, tf.reshape(tf.cast(indices, tf.int64), (-1,)), second)
    return tf.reshape(flat, tf.shape(a)) if a.shape.rank is None else shapes.reshape(flat, shapes.shape(a))


def _places_of(index: Any, a: tf.Tensor) -> np.ndarray | tf.Tensor:
    """Where the index names elements. Their rank may be unknown: nothing hangs on it."""
    parts = index if isinstance(index, tuple) else (index,)
    are_numbers = all(type(part) is int or (isinstance(part, tf.Tensor) and part.dtype.is_integer) for part in parts)
    if are_numbers and any(isinstance(part, tf.Tensor) and part.shape.rank is None for part in parts):
        return read(tf.reshape(layout.positions(shapes.size(a)), tf.shape(a)), index)
    return _places_by_rank(index, a)


@array_function(unknown_rank="each")
def _places_by_rank(index: Any, a: tf.Tensor) -> np.ndarray | tf.Tensor:
    return flat_indices.flat_indices_of(index, shapes.shape(a))


class _Calculation:
    """The kernel, from operands of any dtype to results of that of the variable."""

    def __init__(self, ufunc: Any, loop: tuple[np.dtype, ...], dtype: tf.DType) -> None:
        found = tuple(map(dtypes.as_dtype, loop))
        self.kernel, self.loop, self.dtype = ufunc._kernel(loop[: ufunc.nin]), found[: ufunc.nin], dtype
        self.is_associative = ufunc._associative and set(found) == {dtype}

    @numpy_errors
    def __call__(self, *operands: tf.Tensor) -> tf.Tensor:
        return convert.cast(self.kernel(*map(convert.cast, operands, self.loop)), self.dtype)

    @property
    def at_once(self) -> Any:
        """The op that does this to all places at once, if there is one."""
        return AT_ONCE.get(self.kernel) if self.loop[0] == self.dtype and not self.dtype.is_bool else None


def _is_mask(index: Any, a: tf.Tensor) -> bool:
    is_symbolic = isinstance(index, tf.Tensor) and convert.static_value(index) is None
    if not is_symbolic or index.dtype != tf.bool or index.shape.rank is None:
        return False
    return a.shape.rank is not None and index.shape.is_compatible_with(a.shape)


def _broadcast_to_mask(second: tuple[tf.Tensor, ...], mask: tf.Tensor) -> tuple[tf.Tensor, ...]:
    """The second operand where the mask chooses: one of its elements for each place, in order."""
    if not second or second[0].shape.num_elements() == 1:
        return tuple(tf.reshape(value, ()) for value in second)
    values = shapes.pad_shape(second[0], 1) if second[0].shape.rank is None else second[0]
    if shapes.rank(values) > 1:
        raise ValueError("array is not broadcastable to correct shape")
    order = tf.cumsum(tf.cast(mask, tf.int32)) - 1
    last = tf.shape(values)[0] - 1
    return (tf.gather(values, tf.clip_by_value(order, 0, tf.maximum(last, 0))),)


def _broadcast(value: tf.Tensor, indices: Any) -> tf.Tensor:
    if isinstance(indices, tf.Tensor) and indices.shape.rank is None:
        numbers = tf.reshape(tf.range(tf.size(value)), tf.shape(value))
        return tf.gather(tf.reshape(value, (-1,)), tf.broadcast_to(numbers, tf.shape(indices)))
    shape = indices.shape if isinstance(indices, np.ndarray) else shapes.shape(indices)
    if value.shape.rank is not None and value.shape.rank > len(shape):
        raise ValueError("array is not broadcastable to correct shape")
    if value.shape.rank is None:
        is_valid = tf.debugging.Assert(tf.rank(value) <= len(shape), ["array is not broadcastable to correct shape"])
        with tf.control_dependencies([is_valid]):
            value = tf.identity(value)
    static = shapes.is_static(shape) and value.shape.is_fully_defined()
    if static and tuple(shapes.broadcast_shapes(tuple(value.shape), shape)) != tuple(shape):
        raise ValueError("array is not broadcastable to correct shape")
    if not static and value.shape.rank:
        value = shapes.check_broadcastable_to(value, shape, "array is not broadcastable to correct shape")
    return shapes.broadcast_to(value, shape)


@numpy_errors
def _apply_in_turns(
    calculate: _Calculation, flat: tf.Tensor, indices: tf.Tensor, second: tuple[tf.Tensor, ...]
) -> tf.Tensor:
    if calculate.at_once and flat.shape[0] != 0:
        updates = convert.cast(second[0], flat.dtype)
        return calculate.at_once(tensor=flat, indices=tf.expand_dims(indices, -1), updates=updates)
    second = tuple(map(convert.cast, second, calculate.loop[1:]))
    turn, rounds = _order(indices)
    flat = tf.concat([flat, tf.zeros((1,), flat.dtype)], 0)
    if calculate.is_associative and not (isinstance(rounds, int) and rounds <= ROUNDS):
        return _combine_duplicates(calculate, flat, indices, second[0])[:-1]

    def write(number: Any, flat: tf.Tensor) -> tf.Tensor:
        return _write(flat, tf.equal(turn, number), indices, calculate(tf.gather(flat, indices), *second))

    if isinstance(rounds, int):
        for number in range(rounds):
            flat = write(number, flat)
    else:
        flat = _repeat(write, rounds, flat)
    return flat[:-1]


def _write(flat: tf.Tensor, chosen: tf.Tensor, indices: tf.Tensor, values: tf.Tensor) -> tf.Tensor:
    """What is not chosen goes to the last place, which is nobody's."""
    last = tf.cast(shapes.shape(flat)[0], tf.int64) - 1
    return tf.tensor_scatter_nd_update(flat, tf.expand_dims(tf.where(chosen, indices, last), -1), values)


def _combine_duplicates(calculate: _Calculation, flat: tf.Tensor, indices: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """All that goes to one place joined before it goes there: sorted by places, those are stretches."""
    static = convert.static_value(indices)
    order = tf.argsort(indices, stable=True) if static is None else tf.constant(np.argsort(static, kind="stable"))
    indices, second = tf.gather(indices, order), tf.gather(second, order)
    starts = tf.range(tf.size(indices, tf.int64), dtype=tf.int64)
    leads = tf.equal(starts, tf.searchsorted(indices, indices, out_type=tf.int64))
    stops = tf.where(leads, tf.searchsorted(indices, indices, side="right", out_type=tf.int64), starts + 1)
    second = tf.reshape(second, (1, -1, 1))
    joined = reduce_algorithms.segment_reduce(
        calculate.kernel, second, starts, stops, associative=True, masked_value=None
    )
    return _write(flat, leads, indices, calculate(tf.gather(flat, indices), tf.reshape(joined, (-1,))))


def _repeat(write: Any, rounds: tf.Tensor, flat: tf.Tensor) -> tf.Tensor:
    zero = tf.constant(0, tf.int64)
    return tf.while_loop(lambda n, _: n < rounds, lambda n, flat: (n + 1, write(n, flat)), (zero, flat))[1]


def _order(indices: tf.Tensor) -> tuple[tf.Tensor, int | tf.Tensor]:
    """How often each place was named before, and the most turns that any has."""
    static = convert.static_value(indices)
    if static is not None:
        turns = _rank_duplicates(np.asarray(static))
        rounds = int(turns.max(initial=-1)) + 1
        if rounds <= ROUNDS or tf.executing_eagerly():
            return tf.constant(turns), rounds
        return tf.constant(turns), tf.constant(rounds, tf.int64)
    order = tf.argsort(indices, stable=True)
    ordered = tf.gather(indices, order)
    count = tf.range(tf.size(ordered, tf.int64), dtype=tf.int64)
    turns = count - tf.searchsorted(ordered, ordered, out_type=tf.int64)
    turns = tf.gather(turns, tf.argsort(order))
    return turns, tf.reduce_max(tf.concat([turns, [-1]], 0)) + 1


ROUNDS: Final = 4  # so many are written out in a graph


def _rank_duplicates(indices: np.ndarray) -> np.ndarray:
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    turns = np.empty_like(indices)
    turns[order] = np.arange(len(indices)) - np.searchsorted(ordered, ordered)
    return turns
