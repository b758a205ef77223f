"""Operations of samplers, on tensors or on arrays of NumPy's: with a tensor among the operands TensorFlow computes,
otherwise NumPy.

Both round each operation alike, so a sampler draws the same bits from both. Eager draws on the CPU use arrays: nothing
has to be traced, and only the elements that a step needs are computed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import shapes
from tfnp._core.shapes import Dim

BLOCK: Final = 16384
"""Elements that functions of many operations compute at once: arrays of so many fit into a core's cache."""

_FEW: Final = 1024
"""Elements below which a selection by bits costs more than NumPy's."""


_OF_NUMPY: Final = (np.ndarray, np.generic, float, int)


def has_tensor(*operands: Any) -> bool:
    """Return whether TensorFlow computes."""
    for operand in operands:  # noqa: SIM110 - `any` takes twice the time
        if not isinstance(operand, _OF_NUMPY):
            return True
    return False


def where(condition: Any, x: Any, y: Any) -> Any:
    if has_tensor(condition, x, y):
        return tf.where(condition, x, y)
    if not isinstance(condition, np.ndarray):
        chosen, other = (x, y) if condition else (y, x)
        is_result = isinstance(chosen, np.ndarray) and np.ndim(other) == 0 and np.result_type(x, y) == chosen.dtype
        return chosen if is_result else np.where(condition, x, y)
    if condition.size < _FEW:
        return np.where(condition, x, y)
    if np.ndim(x) and condition.all():
        return x
    if np.shape(y) == np.shape(condition) and not condition.any():
        return y
    return _select_bits(condition, x, y)


def _select_bits(condition: np.ndarray, x: Any, y: Any) -> np.ndarray:
    """Return a selection of elements of 64 bits. `np.where` takes several times as long for irregular conditions."""
    x, y = np.asarray(x), np.asarray(y)
    mask = condition.astype(np.int64)
    np.negative(mask, out=mask)
    other = y.view(np.int64)
    mask = mask & (x.view(np.int64) ^ other)
    mask ^= other
    return mask.view(x.dtype)


def _either(of_tensors: Callable[..., Any], of_arrays: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of TensorFlow's for tensors, and of NumPy's for arrays."""

    @functools.wraps(of_arrays)
    def compute(*operands: Any) -> Any:
        return (of_tensors if has_tensor(*operands) else of_arrays)(*operands)

    return compute


sqrt = _either(tf.sqrt, np.sqrt)
floor = _either(tf.floor, np.floor)
rint = _either(tf.round, np.rint)
absolute = _either(tf.abs, np.absolute)
maximum = _either(tf.maximum, np.maximum)
minimum = _either(tf.minimum, np.minimum)
isnan = _either(tf.math.is_nan, np.isnan)
zeros_like = _either(tf.zeros_like, np.zeros_like)
ones_like = _either(tf.ones_like, np.ones_like)
any_of = _either(tf.reduce_any, np.any)
sum_of = _either(tf.reduce_sum, np.sum)
all_of_rows = _either(lambda x: tf.reduce_all(x, 1), lambda x: np.all(x, 1))
max_of_rows = _either(lambda x: tf.reduce_max(x, 1, keepdims=True), lambda x: np.max(x, 1, keepdims=True))
transpose = _either(tf.transpose, np.transpose)
equal = _either(tf.equal, np.equal)
not_equal = _either(tf.not_equal, np.not_equal)
remainder = _either(tf.math.floormod, np.remainder)
shift_left = _either(tf.bitwise.left_shift, np.left_shift)
shift_right = _either(tf.bitwise.right_shift, np.right_shift)


def is_none(mask: Any) -> bool:
    """Return whether it is known that no element of a mask is true: never of a tensor."""
    return not has_tensor(mask) and not np.any(mask)


def compute_if_any(mask: Any, compute: Callable[[], Any], otherwise: Any) -> Any:
    """Return `compute()` if an element of a mask is true, else a value of the same shape."""
    if has_tensor(mask):
        return tf.cond(tf.reduce_any(mask), compute, lambda: otherwise)
    return compute() if np.any(mask) else otherwise


def lie_between(x: Any, low: float, high: float) -> bool:
    """Return whether it is known that all elements lie between two limits, inclusive: never of a tensor or a scalar."""
    return isinstance(x, np.ndarray) and x.ndim > 0 and x.size > 0 and bool(x.min() >= low and x.max() <= high)


def clip(x: Any, low: float, high: float) -> Any:
    """Return float64 values between two limits; nan stays."""
    low, high = np.float64(low), np.float64(high)
    return tf.clip_by_value(x, low, high) if has_tensor(x) else np.minimum(np.maximum(x, low), high)


def cast(x: Any, dtype: tf.DType) -> Any:
    return tf.cast(x, dtype) if has_tensor(x) else np.asarray(x).astype(dtype.as_numpy_dtype)


def bitcast(x: Any, dtype: tf.DType) -> Any:
    return tf.bitcast(x, dtype) if has_tensor(x) else np.asarray(x).view(dtype.as_numpy_dtype)


def gather(row: Any, index: Any) -> Any:
    """Return the elements of a row at indices, which are inside of it."""
    return tf.gather(row, index) if has_tensor(row, index) else row.take(index, mode="clip")


def take_column(rows: Any, index: Any) -> Any:
    """Return a column; of an array of one row a scalar, which is that of all lanes."""
    if has_tensor(rows):
        return tf.gather(rows, index, axis=1)
    return rows[0, index] if len(rows) == 1 else rows[:, index]


def shape(x: Any) -> Sequence[Dim]:
    return shapes.shape(x) if has_tensor(x) else np.shape(x)


def zeros(dims: Any, dtype: tf.DType) -> Any:
    return tf.zeros(dims, dtype) if has_tensor(dims) else np.zeros(dims, dtype.as_numpy_dtype)


def reshape(x: Any, dims: Sequence[Dim]) -> Any:
    return tf.reshape(x, shapes.shape_tensor(dims)) if has_tensor(x) else np.reshape(x, dims)


def concat(parts: list[Any], axis: int) -> Any:
    return tf.concat(parts, axis) if has_tensor(*parts) else np.concatenate(parts, axis)


def stack(parts: list[Any], axis: int) -> Any:
    return tf.stack(parts, axis) if has_tensor(*parts) else np.stack(np.broadcast_arrays(*parts), axis)


def draw_columns(count: Any, draw: Callable[..., tuple[Any, tuple[Any, ...]]], start: tuple[Any, ...]) -> Any:
    """Return columns of float64 as rows, drawn one after another: from an index and a state, `draw` makes a column and
    the next state.
    """
    if not has_tensor(*start):
        columns, state = [], start
        for index in range(count):
            column, state = draw(index, *state)
            columns.append(column)
        return np.stack(columns)

    def step(index: Any, drawn: Any, *state: Any) -> tuple[Any, ...]:
        column, state = draw(index, *state)
        return index + 1, drawn.write(index, column), *state

    drawn = tf.TensorArray(tf.float64, count, element_shape=[None])
    return tf.while_loop(lambda index, *_: index < count, step, (tf.constant(0), drawn, *start))[1].stack()


def repeat_while(
    condition: Callable[..., Any], body: Callable[..., Any], start: tuple[Any, ...], most: int | None = None
) -> tuple[Any, ...]:
    """Return `tf.while_loop`, or for arrays the same in Python."""
    if has_tensor(*start):
        return tuple(tf.while_loop(condition, body, start, maximum_iterations=most))
    state, rounds = start, 0
    while condition(*state) and (most is None or rounds < most):
        state, rounds = body(*state), rounds + 1
    return state


def decide(is_open: Any, test: Callable[..., Any], *operands: Any) -> Any:
    """Return the result of an elementwise test where a mask is true. Of arrays, only these elements are tested; of
    tensors all, and what the others give is of no use.
    """
    if has_tensor(is_open, *operands):
        return is_open & test(*operands)
    result = np.zeros(np.shape(is_open), bool)
    if not is_open.any():
        return result
    chosen = np.nonzero(is_open)
    rows = [_broadcast(item, result.shape)[chosen] if np.ndim(item) else item for item in operands]
    result[chosen] = test(*rows)
    return result


def _broadcast(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    return array if array.shape == shape else np.broadcast_to(array, shape)


def compute_in_blocks(function: Callable[..., Any], *operands: Any) -> Any:
    """Return the results of an elementwise function of arrays, computed block by block."""
    shape = np.shape(operands[0]) if len(operands) == 1 else np.broadcast_shapes(*map(np.shape, operands))
    size = math.prod(shape)
    if size <= BLOCK:
        return function(*operands)
    rows = [_broadcast(operand, shape).reshape(-1) if np.ndim(operand) else operand for operand in operands]
    results: list[np.ndarray] = []
    block: Any = None
    for first in range(0, size, BLOCK):
        part = slice(first, first + BLOCK)
        block = function(*(row[part] if np.ndim(row) else row for row in rows))
        parts = block if isinstance(block, tuple) else (block,)
        results = results or [np.empty(size, item.dtype) for item in parts]
        for result, item in zip(results, parts, strict=True):
            result[part] = item
    shaped = tuple(result.reshape(shape) for result in results)
    return shaped if isinstance(block, tuple) else shaped[0]
