"""Searching: extremes, elements that are not zero, positions in sorted arrays."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, dynamic_size, layout, ops, outputs, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, rank_of, shape_of
from tfnp._core.edge import array_function
from tfnp._core.errors import TENSORFLOW_ERRORS
from tfnp._core.parameters import ArrayLike, IntLike, Out, ShapeLike
from tfnp._core.ufunc.options import NO_VALUE, normalize_axes
from tfnp._core.variables import store
from tfnp._core.xla import is_for_xla
from tfnp._kernels.sort import argminmax, sort_keys
from tfnp.routines.manipulation.shaping import ravel

__all__ = [
    "argmax",
    "argmin",
    "argwhere",
    "digitize",
    "extract",
    "flatnonzero",
    "nanargmax",
    "nanargmin",
    "nonzero",
    "searchsorted",
    "where",
]

_select = ops.select
_BOOL: Final = tf.bool.as_datatype_enum
_FLOATS: Final = frozenset((tf.float32.as_datatype_enum, tf.float64.as_datatype_enum))
_SCALARS: Final = frozenset((int, float))
ArgReduction = Callable[[tf.Tensor, int], tf.Tensor]


def argmax(a: ArrayLike, axis: IntLike | None = None, out: Out = None, *, keepdims: bool = NO_VALUE) -> tf.Tensor:
    """The index is int64, and nan counts as the maximum. `out` must be a tf.Variable of int64, or of a dtype that can
    be cast to it safely. There is no gradient.
    """
    known_axis = _find_fast_axis(a, axis, out, keepdims)
    return _argmax(a, axis, out, keepdims) if known_axis is None else argminmax.argmax(a, known_axis)


@array_function(unknown_rank="each", traces=("a",))
def _argmax(a: Any, axis: Any, out: Any, keepdims: Any) -> tf.Tensor:
    """Find the first maximum of any array-like, with any options."""
    return _reduce_to_index(to_tensor(a), axis, out, keepdims, argminmax.argmax, "argmax")


def argmin(a: ArrayLike, axis: IntLike | None = None, out: Out = None, *, keepdims: bool = NO_VALUE) -> tf.Tensor:
    """The index is int64, and nan counts as the minimum. `out` must be a tf.Variable of int64, or of a dtype that can
    be cast to it safely. There is no gradient.
    """
    known_axis = _find_fast_axis(a, axis, out, keepdims)
    return _argmin(a, axis, out, keepdims) if known_axis is None else argminmax.argmin(a, known_axis)


@array_function(unknown_rank="each", traces=("a",))
def _argmin(a: Any, axis: Any, out: Any, keepdims: Any) -> tf.Tensor:
    """Find the first minimum of any array-like, with any options."""
    return _reduce_to_index(to_tensor(a), axis, out, keepdims, argminmax.argmin, "argmin")


def _find_fast_axis(a: Any, axis: Any, out: Any, keepdims: Any) -> int | None:
    """Return the axis of an eager tensor along which there are elements, if no other option is given; else None."""
    if type(a) is not EagerTensor or out is not None or keepdims is not NO_VALUE:
        return None
    rank = rank_of(a)
    index = 0 if axis is None and rank == 1 else axis
    return index % rank if type(index) is int and -rank <= index < rank and shape_of(a)[index] else None


def _reduce_to_index(a: tf.Tensor, axis: Any, out: Any, keepdims: Any, reduce: ArgReduction, name: str) -> tf.Tensor:
    """Apply argmax or argmin along an axis. A scalar counts as a vector of one element."""
    outputs.as_variable(out)
    shape, keeps_dims = shapes.shape(a), keepdims is not NO_VALUE and bool(keepdims)
    if axis is None:
        flat, axis = ravel(a), 0
        result_shape = (1,) * len(shape) if keeps_dims else ()
    else:
        axis = shapes.as_int_not_bool(axis)
        flat = ravel(a) if not shape and axis in (0, -1) else a
        axis = shapes.normalize_axis(axis, shapes.rank(flat))
        result_shape = (*shape[:axis], *((1,) if keeps_dims and shape else ()), *shape[axis + 1 :])
    if flat.shape[axis] == 0:
        raise ValueError(f"attempt to get {name} of an empty sequence")
    result = shapes.reshape(reduce(flat, axis), result_shape)
    return result if out is None else _write_output(result, out, name)


def _write_output(result: tf.Tensor, out: tf.Variable, name: str) -> tf.Variable:
    if not out.shape.is_compatible_with(result.shape):
        raise ValueError(f"output array does not match result of np.{name}.")
    dtypes.check_cast(dtypes.as_numpy(out.dtype), dtypes.as_numpy(tf.int64), "safe", "array data")
    store(out, tf.cast(result, out.dtype))
    return out


@array_function(unknown_rank="each", traces=("a",))
def nanargmax(a: ArrayLike, axis: IntLike | None = None, out: Out = None, *, keepdims: bool = NO_VALUE) -> tf.Tensor:
    """A slice of nan only raises ValueError where the array is static, else the graph fails when it runs. XLA does not
    check it, and returns an index without a meaning.
    """
    return _reduce_to_index(_replace_nan(a, axis, -np.inf), axis, out, keepdims, argminmax.argmax, "argmax")


@array_function(unknown_rank="each", traces=("a",))
def nanargmin(a: ArrayLike, axis: IntLike | None = None, out: Out = None, *, keepdims: bool = NO_VALUE) -> tf.Tensor:
    """A slice of nan only raises ValueError where the array is static, else the graph fails when it runs. XLA does not
    check it, and returns an index without a meaning.
    """
    return _reduce_to_index(_replace_nan(a, axis, np.inf), axis, out, keepdims, argminmax.argmin, "argmin")


def _replace_nan(a: Any, axis: Any, value: float) -> tf.Tensor:
    """Replace nan by a value. Raise ValueError for slices of nan only."""
    a = to_tensor(a)
    if not (a.dtype.is_floating or a.dtype.is_complex):
        return a
    if isinstance(axis, tuple):
        normalize_axes(axis, shapes.rank(a))
    axis = None if axis is None else shapes.as_int_not_bool(axis)
    axis = shapes.normalize_axis(axis, shapes.rank(a)) if axis is not None and shapes.rank(a) else None
    is_nan = tf.not_equal(a, a)
    with tf.init_scope() if type(a) is EagerTensor else nullcontext():  # static where a graph captures an eager tensor
        is_all_nan = tf.reduce_any(tf.reduce_all(tf.not_equal(a, a), axis))
    if a.shape.num_elements() != 0:
        is_nan = _check_not_all_nan(is_nan, is_all_nan)
    return layout.select(is_nan, convert.from_numpy(np.array(value, dtypes.as_numpy(a.dtype))), a)


def _check_not_all_nan(result: tf.Tensor, is_all_nan: tf.Tensor) -> tf.Tensor:
    static, error = convert.static_value(is_all_nan), ValueError("All-NaN slice encountered")
    if static is None:
        return check(tf.logical_not(is_all_nan), error, result)
    if static:
        raise error
    return result


def where(
    condition: ArrayLike,
    x: ArrayLike = NO_VALUE,
    y: ArrayLike = NO_VALUE,
    /,
    *,
    size: ShapeLike | None = None,
    fill_value: ArrayLike | None = None,
) -> Any:
    """With `condition` alone, return `nonzero(condition, size=size, fill_value=fill_value)`; `size` and `fill_value`,
    keywords of tfnp's own, have no effect otherwise.

    The gradient with respect to elements that are not selected is zero.
    """
    if type(condition) is EagerTensor and enum_of(condition) == _BOOL and not dtypes.promotion.weakens:
        try:
            first, second = _as_tensor_like(x, y), _as_tensor_like(y, x)
            if type(first) is type(second) is EagerTensor and enum_of(first) == enum_of(second):
                return _select(condition, first, second)
        except TENSORFLOW_ERRORS:
            pass
    return _where_any(condition, x, y, size, fill_value)


def _as_tensor_like(value: Any, other: Any) -> Any:
    """Return a Python number as a tensor of the dtype of an eager tensor of floats, and other values unchanged."""
    if type(value) in _SCALARS and type(other) is EagerTensor and enum_of(other) in _FLOATS:
        return convert.as_constant(np.array(value, dtypes.BY_ENUM[enum_of(other)]))
    return value


@array_function(promotes=("x", "y"))
def _where_any(condition: Any, x: Any, y: Any, size: Any, fill_value: Any) -> Any:
    """Select from any array-likes, or find the nonzero elements."""
    if x is NO_VALUE and y is NO_VALUE:
        return nonzero(condition, size=size, fill_value=fill_value)
    if x is NO_VALUE or y is NO_VALUE:
        raise ValueError("either both or neither of x and y should be given")
    return _select_operands(to_tensor(condition, tf.bool), x, y)


def _select_operands(mask: tf.Tensor, x: Any, y: Any) -> tf.Tensor:
    """Select after promotion. A Python scalar is weak, and wraps around where it does not fit, as in NumPy."""
    operands = [value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value) for value in (x, y)]
    dtype = dtypes.result_type(*operands)
    first, second = (convert.cast(to_tensor(value), dtype) for value in operands)
    return layout.select(mask, first, second)


@array_function(unknown_rank="each", traces=("a",))
def nonzero(
    a: ArrayLike, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None
) -> tuple[tf.Tensor, ...]:
    """The number of nonzero elements depends on values, which XLA does not support. With `size`, a keyword of tfnp's
    own, the results have that length: further indices are dropped, missing ones are `fill_value`: zero by default, or a
    tuple with a value for each axis.
    """
    a = to_tensor(a)
    if shapes.rank(a) == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    if size is None and _is_found_by_op(a):
        return tuple(tf.unstack(ops.where(convert.cast(a, tf.bool)), axis=1))
    mask = dynamic_size.as_bools(a)
    indices = _unravel(dynamic_size.nonzero_indices(mask, size), shapes.shape(a))
    if size is None or fill_value is None:
        return tuple(indices)
    fills = fill_value if isinstance(fill_value, tuple) else (fill_value,) * len(indices)
    return tuple(
        dynamic_size.pad_to_size(axis_indices, dynamic_size.count(mask), axis_fill)
        for axis_indices, axis_fill in zip(indices, fills, strict=True)
    )


def _is_found_by_op(a: tf.Tensor) -> bool:
    """Return whether the tensor is eager and of a rank for which TensorFlow's op finds the nonzero elements."""
    return type(a) is EagerTensor and 2 <= rank_of(a) <= _MAX_WHERE_RANK and a.shape.num_elements() > 0


_MAX_WHERE_RANK: Final = 8


def _unravel(flat: tf.Tensor, shape: tuple[shapes.Dim, ...]) -> list[tf.Tensor]:
    """Return the indices along each axis of flat indices."""
    indices = []
    for dim in reversed(shape[1:]):
        length = tf.maximum(tf.cast(dim, tf.int64), 1)
        indices.append(flat % length)
        flat = flat // length
    return [flat, *reversed(indices)]


@array_function(unknown_rank="each", traces=("a",))
def argwhere(a: ArrayLike, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None) -> tf.Tensor:
    """The number of rows depends on values, which XLA does not support. With `size`, a keyword of tfnp's own, the
    result has that many rows: further ones are dropped, missing ones are filled with `fill_value`, zero by default.
    """
    a = to_tensor(a)
    if shapes.rank(a) == 0:
        indices = flatnonzero(a)
        return tf.reshape(indices[:0], shapes.shape_tensor((tf.size(indices), 0)))
    if size is None and _is_found_by_op(a):
        return ops.where(convert.cast(a, tf.bool))
    return tf.stack(nonzero(a, size=size, fill_value=fill_value), axis=1)


@array_function(unknown_rank="each", traces=("a",))
def flatnonzero(a: ArrayLike, *, size: ShapeLike | None = None, fill_value: ArrayLike | None = None) -> tf.Tensor:
    """The number of indices depends on values, which XLA does not support. With `size`, a keyword of tfnp's own, the
    result has that length: further indices are dropped, missing ones are `fill_value`, zero by default.
    """
    return dynamic_size.nonzero_indices(dynamic_size.as_bools(to_tensor(a)), size, fill_value)


@array_function(promotes=("arr",), unknown_rank="each", traces=("condition", "arr"))
def extract(
    condition: ArrayLike, arr: ArrayLike, *, size: ShapeLike | None = None, fill_value: ArrayLike = 0
) -> tf.Tensor:
    """The number of elements depends on values, which XLA does not support. With `size`, a keyword of tfnp's own, the
    result has that length: further elements are dropped, missing ones are `fill_value`.
    """
    mask, flat = dynamic_size.as_bools(to_tensor(condition)), ravel(arr)
    indices = dynamic_size.nonzero_indices(mask, size)
    static, length = convert.static_value(indices), flat.shape[0]
    if static is not None and length is not None and np.any(static >= length):
        raise IndexError(f"index {np.max(static)} is out of bounds for axis 0 with size {length}")
    if static is None:
        indices = layout.check_bounds(indices, 0, tf.cast(shapes.size(flat), tf.int64) - 1)
    selected = layout.take(flat, indices, 0)
    return selected if size is None else dynamic_size.pad_to_size(selected, dynamic_size.count(mask), fill_value)


@array_function(promotes=("a", "v"), weak=False, unknown_rank="each", traces=("a", "v", "sorter"))
def searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None) -> tf.Tensor:
    """`a` must be sorted, with nan last, which is not checked. `side` must be static.

    All indices in `sorter` must be in bounds, even those that the search does not use. XLA does not check them.
    """
    operand = v if type(v) in dtypes.PYTHON_SCALARS else to_tensor(v)
    a = to_tensor(a)
    np.searchsorted(np.zeros(0), 0, side=side)
    shapes.check_vector(a)
    if sorter is not None:
        a = _apply_sorter(a, to_tensor(sorter))
    dtype = dtypes.result_type(a, to_tensor(operand))
    return search_sorted_position(convert.cast(a, dtype), to_tensor(operand, dtype), str(side)[0] in "rR")


def search_sorted_position(a: tf.Tensor, v: tf.Tensor, after: bool) -> tf.Tensor:
    """Return the number (int64) of elements of a sorted vector less than each value; with `after`, or equal to it."""
    flat = ravel(v)
    if a.dtype.is_complex or a.dtype == tf.string:
        dense_ranks = sort_keys.dense_ranks(tf.concat([a, flat], 0))
        split = shapes.shape(a)[0]
        sorted_keys, value_keys = dense_ranks[:split], dense_ranks[split:]
    elif sort_keys.is_ordered_by_op(a) and sort_keys.is_ordered_by_op(flat):
        sorted_keys, value_keys = a, flat
    else:
        sorted_keys, value_keys = sort_keys.key(a), sort_keys.key(flat)
    if is_for_xla():
        return shapes.reshape(_bisect(sorted_keys, value_keys, after), shapes.shape(v))
    bound = ops.upper_bound if after else ops.lower_bound
    rows = [ops.expand_dims(vector, shapes.const_int(0)) for vector in (sorted_keys, value_keys)]
    positions = bound(sorted_inputs=rows[0], values=rows[1], out_type=tf.int64)
    return shapes.view(positions, shapes.shape(v))


def _bisect(sorted_keys: tf.Tensor, keys: tf.Tensor, after: bool) -> tf.Tensor:
    """Search by bisection, in steps of falling powers of two: XLA's LowerBound needs memory for n * m comparisons."""
    count = shapes.shape(sorted_keys)[0]
    start = tf.zeros(tf.shape(keys), tf.int64)
    if isinstance(count, int) and count == 0:
        return start
    if not isinstance(count, int):  # of nothing, nothing could be gathered
        sorted_keys = tf.concat([sorted_keys, tf.zeros((1,), sorted_keys.dtype)], 0)
    length = tf.cast(count, tf.int64)
    comes_before = tf.less_equal if after else tf.less

    def advance(step: tf.Tensor, position: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        next_position = position + step
        key = tf.gather(sorted_keys, tf.maximum(tf.minimum(next_position, length) - 1, 0))
        is_passed = (next_position <= length) & comes_before(key, keys)
        return step // 2, tf.where(is_passed, next_position, position)

    steps = count.bit_length() if isinstance(count, int) else 63
    return tf.while_loop(
        lambda step, _: step > 0, advance, (_find_highest_bit(length), start), maximum_iterations=steps
    )[1]


def _find_highest_bit(length: tf.Tensor) -> tf.Tensor:
    """Return the largest power of two that is not greater (int64); 0 for 0."""
    bits = length
    for shift in (1, 2, 4, 8, 16, 32):
        bits = tf.bitwise.bitwise_or(bits, tf.bitwise.right_shift(bits, tf.constant(shift, tf.int64)))
    return bits - tf.bitwise.right_shift(bits, tf.constant(1, tf.int64))


def _apply_sorter(a: tf.Tensor, sorter: tf.Tensor) -> tf.Tensor:
    """Return the array in the order of the sorter. Raise NumPy's errors for an invalid one."""
    if not (sorter.dtype.is_integer or sorter.dtype == tf.bool):
        raise TypeError("sorter must only contain integers")
    if shapes.rank(sorter) != 1:
        raise TypeError("could not parse sorter argument")
    message = "sorter.size must equal a.size"
    if not sorter.shape.is_compatible_with(a.shape):
        raise ValueError(message)
    sorter = shapes.check_same_shape(a, sorter, message)
    last = tf.cast(shapes.shape(a)[0], tf.int64) - 1
    indices = tf.clip_by_value(tf.cast(sorter, tf.int64), 0, tf.maximum(last, 0))
    error, static = ValueError("Sorter index out of range."), convert.static_value(sorter)
    if static is None:
        indices = check(tf.reduce_all(tf.equal(indices, tf.cast(sorter, tf.int64))), error, indices)
    elif np.any((static < 0) | (static >= static.size)):
        raise error
    return layout.take(a, indices, 0)


@array_function(promotes=("x",), weak=False, unknown_rank="each", traces=("x",))
def digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> tf.Tensor:
    """`bins` that are not monotonic raise ValueError where they are static, else the graph fails when it runs; XLA does
    not check them.
    """
    x, bins = to_tensor(x), to_tensor(bins)
    if x.dtype.is_complex:
        raise TypeError("x may not be complex")
    shapes.check_vector(bins)
    dtypes.check_cast(dtypes.as_numpy(bins.dtype), np.dtype(np.float64), "safe", "array data")
    side, error = "left" if right else "right", ValueError("bins must be monotonically increasing or decreasing")
    static = convert.static_value(bins)
    if static is not None:
        static = np.asarray(static, np.float64)
        is_increasing, is_decreasing = bool((static[1:] >= static[:-1]).all()), bool((static[1:] <= static[:-1]).all())
        bins = check(is_increasing or is_decreasing, error, bins)
        return searchsorted(bins, x, side) if is_increasing else _search_decreasing(bins, x, side)
    is_increasing, is_decreasing = tf.reduce_all(bins[1:] >= bins[:-1]), tf.reduce_all(bins[1:] <= bins[:-1])
    bins = check(is_increasing | is_decreasing, error, bins)
    return tf.where(is_increasing, searchsorted(bins, x, side), _search_decreasing(bins, x, side))


def _search_decreasing(bins: tf.Tensor, x: tf.Tensor, side: str) -> tf.Tensor:
    """Return the index of the bin of each element, of bins that decrease."""
    index = searchsorted(tf.reverse(bins, [0]), x, side)
    return tf.cast(shapes.shape(bins)[0], tf.int64) - index
