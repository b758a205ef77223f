"""Numbers in a row: evenly spaced, on a straight scale or a logarithmic one.

Where every argument is known, NumPy makes them. Ends that are tensors keep their gradient.
"""

from __future__ import annotations

import inspect
from typing import Any, cast

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import check_like, on_device
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import unknown_dim_error
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.ufunc.options import NO_VALUE
from tfnp.routines.math.ufuncs import log10, power, sign

__all__ = ["arange", "geomspace", "linspace", "logspace"]

Ends = tuple[Any, ...]


@array_function(promotes=("start_or_stop", "stop", "step", "start"), unknown_rank="each")
def arange(
    start_or_stop: Any = NO_VALUE,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    start: Any = NO_VALUE,
    dtype: Any = None,
    device: Any = None,
    like: Any = None,
) -> tf.Tensor:
    """Bounds known at run time only make a length that is known only then, which XLA refuses."""
    check_like(like)
    start, stop = _bounds(start_or_stop, start, stop)
    start, stop, step = bounds = tuple(map(apply_conversion, (start, stop, step)))
    static = [convert.static_value(bound) for bound in bounds]
    kind = None if dtype is None else dtypes.as_numpy(dtype)
    with on_device(device):
        if any(bound is not None and value is None for bound, value in zip(bounds, static, strict=True)):
            return _arange_at_run_time(start, stop, step, kind)
        static = list(map(_in_single, static))  # NumPy's loop makes objects of bfloat16
        return _default(np.arange(static[0], static[1], static[2], dtype=kind), dtype, *static)


# NumPy does not show that it takes `start` by name, nor that `stop` alone will do.
_shown = inspect.signature(arange)
cast(Any, arange).__signature__ = _shown.replace(
    parameters=[
        one.replace(default=one.empty) if name == "start_or_stop" else one
        for name, one in _shown.parameters.items()
        if name != "start"
    ]
)


def _bounds(first: Any, start: Any, stop: Any) -> tuple[Any, Any]:
    """Return where to start, and where to stop unless the first is that."""
    if first is not NO_VALUE and start is not NO_VALUE:
        raise TypeError("argument for arange() given by name ('start') and position (position 0)")
    if first is NO_VALUE and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    if first is stop is None and not tf.executing_eagerly():
        raise unknown_dim_error()
    if first is NO_VALUE:
        return 0 if start is NO_VALUE else start, stop
    return first, stop


def _arange_at_run_time(start: Any, stop: Any, step: Any, dtype: np.dtype | None) -> tf.Tensor:
    start, stop = (0, start) if stop is None else (start, stop)
    bounds = [to_tensor(bound) for bound in (start, stop, 1 if step is None else step)]
    if any(shapes.rank(bound) for bound in bounds):
        raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
    kinds = [dtypes.as_numpy(bound.dtype) for bound in bounds]
    kind = dtypes.result_type(tf.int64, *bounds) if dtype is None else tf.as_dtype(dtype)
    work = tf.int64 if all(kind.kind in "biu" for kind in kinds) else tf.float64
    first, last, by = (convert.cast(bound, work) for bound in bounds)
    steps = tf.cast(last - first, tf.float64) / tf.cast(by, tf.float64)
    count = tf.maximum(tf.cast(tf.math.ceil(steps), tf.int64), 0)
    return convert.cast(first + tf.cast(layout.positions(count), work) * by, kind)


@array_function(promotes=("start", "stop"), unknown_rank="broadcast")
def linspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
    axis: Any = 0,
    *,
    device: Any = None,
) -> Any:
    """With `retstep`, a pair of tensors. bfloat16 is calculated in float32."""
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    rounded = _is_rounded(kind, start, stop)
    start, stop, kind = _in_single(start), _in_single(stop), None if kind == tf.bfloat16 else kind
    with on_device(device):
        if not _have_tensors(start, stop):
            options: Any = (endpoint, True, _of_numpy(kind), axis)
            values, step = np.linspace(start, stop, _known(num), *options)
            result = _default(values, dtype, start, stop), step if type(step) is float else to_tensor(step)
        else:
            result = _linspace(start, stop, _count(num), endpoint, kind, axis)
        if rounded:
            result = tuple(part if type(part) is float else convert.cast(part, tf.bfloat16) for part in result)
    return result if retstep else result[0]


def _is_rounded(kind: tf.DType | None, *ends: Any) -> bool:
    """Return whether the result is of bfloat16, by request or because the ends are."""
    if kind is not None:
        return kind == tf.bfloat16
    return any(map(_is_bfloat16, ends)) and dtypes.result_type(*ends, 0.0) == tf.bfloat16


def _is_bfloat16(end: Any) -> bool:
    if is_tensor(end):
        return bool(getattr(end, "dtype", None) == tf.bfloat16)
    is_array = isinstance(end, np.ndarray | np.generic | list | tuple) and not _have_tensors(end)
    return is_array and np.asarray(end).dtype == dtypes.BFLOAT16


def _in_single(end: Any) -> Any:
    """Return an end of bfloat16 in float32, any other as it is."""
    if not _is_bfloat16(end):
        return end
    return to_tensor(end, tf.float32) if is_tensor(end) else np.asarray(end, np.float32)


def _known(num: Any) -> Any:
    """The number as it is, for NumPy to look at; a tensor's value, which must be known."""
    return shapes.as_int(num) if num is None or is_tensor(num) else num


def _count(num: Any) -> int:
    count = shapes.as_int(num)
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    return count


def _have_tensors(*values: Any) -> bool:
    return any(_have_tensors(*value) if isinstance(value, list | tuple) else is_tensor(value) for value in values)


def _of_numpy(kind: tf.DType | None) -> np.dtype | None:
    return None if kind is None else dtypes.as_numpy(kind)


def _default(values: np.ndarray, dtype: Any, *ends: Any) -> tf.Tensor:
    """NumPy's float64 gives way to `prefer_float32` where nobody asked for it."""
    way = dtypes.promotion
    if dtype is None and way.prefer_float32 and values.dtype in dtypes.SINGLE and not _hold_doubles(ends):
        values = values.astype(dtypes.SINGLE[values.dtype])
    return convert.from_numpy(values)


def _hold_doubles(ends: Ends) -> bool:
    return any(isinstance(end, np.ndarray | np.generic) and end.dtype in dtypes.SINGLE for end in ends)


def _as_end(value: Any) -> Any:
    return value if type(value) in dtypes.PYTHON_SCALARS else convert.to_operand(value)


def _number(end: Any, dtype: tf.DType) -> tf.Tensor:
    """A constant hidden from the optimisers of graphs, which take a number for the sum of it and 0.0."""
    if is_tensor(end):
        return to_tensor(end, dtype)
    return convert.as_constant(np.asarray(end).astype(dtypes.as_numpy(dtype)))


def _linspace(
    start: Any, stop: Any, count: int, endpoint: Any, kind: tf.DType | None, axis: Any
) -> tuple[tf.Tensor, Any]:
    """A Python scalar at one end is weak. The step between fewer than two points is Python's nan, as in NumPy."""
    start, stop = _as_end(start), _as_end(stop)
    work = dtypes.result_type(start, stop, 0.0)
    first, last = _number(start, work), _number(stop, work)
    shape = shapes.broadcast_shapes(shapes.shape(first), shapes.shape(last))
    first, last = shapes.broadcast_to(first, shape), shapes.broadcast_to(last, shape)
    steps = count - 1 if endpoint else count
    delta = last - first
    index = convert.cast(tf.reshape(tf.range(count, dtype=tf.int64), (-1, *(1,) * len(shape))), work)
    step, values = _spread(index, delta, steps) if steps > 0 else (np.nan, index * delta)
    values = values + first
    if endpoint and count > 1:
        values = tf.concat([layout.slice_along(values, 0, 0, count - 1), tf.expand_dims(last, 0)], 0)
    values = _moved(values, axis)
    if kind is not None and kind.is_integer:
        if work.is_complex:
            raise TypeError("ufunc 'floor' not supported for complex numbers: no integers can be made of them")
        values = tf.floor(values)
    return (values if kind is None else convert.cast(values, kind)), step


def _spread(index: tf.Tensor, delta: tf.Tensor, steps: int) -> tuple[tf.Tensor, tf.Tensor]:
    """The step, and each place times it. Where a step underflows to zero the division comes first, for all of them."""
    many = convert.as_constant(np.array(steps, dtypes.as_numpy(delta.dtype)))
    step = delta / many
    vanished = tf.reduce_any(tf.equal(step, tf.zeros((), step.dtype)))
    return step, tf.where(vanished, index / many * delta, index * step)


def _moved(values: tf.Tensor, axis: Any) -> tf.Tensor:
    if isinstance(axis, tuple | list | str):
        shapes.check_single_axis(axis, shapes.rank(values), "destination")
        axis = axis[0]
    return layout.move_axis(values, 0, shapes.normalize_axis(axis, shapes.rank(values)))


@array_function(promotes=("start", "stop"), unknown_rank="broadcast")
def logspace(
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: Any = 0,
) -> tf.Tensor:
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    if _is_rounded(kind, start, stop, base):
        ends = map(_in_single, (start, stop))
        return convert.cast(logspace(*ends, num, endpoint, _in_single(base), np.float32, axis), tf.bfloat16)
    start, stop, base = map(_in_single, (start, stop, base))
    if not _have_tensors(start, stop, base):
        values = np.logspace(start, stop, _known(num), endpoint, base, _of_numpy(kind), axis)
        return _default(values, dtype, start, stop, base)
    start, stop, base = _as_end(start), _as_end(stop), _as_end(base)
    if isinstance(base, tf.Tensor) and shapes.rank(base):
        rank = max(shapes.rank(to_tensor(value)) for value in (start, stop, base))
        start, stop, base = (_at_least(to_tensor(value), rank) for value in (start, stop, base))
        base = tf.expand_dims(base, shapes.normalize_axis(axis, rank + 1))
    values = _power(base, _linspace(start, stop, _count(num), endpoint, None, axis)[0])
    return values if kind is None else convert.cast(values, kind)


def _power(base: Any, exponent: tf.Tensor) -> tf.Tensor:
    """In double precision: TensorFlow's power of single precision misses whole numbers."""
    kind = dtypes.result_type(base, exponent)
    if kind.is_complex or kind == tf.float64:
        return power(base, exponent)
    return convert.cast(power(to_tensor(base, tf.float64), convert.cast(exponent, tf.float64)), kind)


def _at_least(value: tf.Tensor, rank: int) -> tf.Tensor:
    return shapes.reshape(value, (1,) * (rank - shapes.rank(value)) + shapes.shape(value))


@array_function(promotes=("start", "stop"), unknown_rank="broadcast")
def geomspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> tf.Tensor:
    """An end that is zero raises where it is known; at run time the result is nan there."""
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    if kind == tf.bfloat16:
        return convert.cast(geomspace(start, stop, num, endpoint, np.float32, axis), kind)
    start, stop = map(_in_single, (start, stop))
    if not _have_tensors(start, stop):
        return _default(np.geomspace(start, stop, _known(num), endpoint, _of_numpy(kind), axis), dtype, start, stop)
    first, last = to_tensor(start), to_tensor(stop)
    if any(static is not None and np.any(static == 0) for static in map(convert.static_value, (first, last))):
        raise ValueError("Geometric sequence cannot include zero")
    work = dtypes.result_type(first, last, kind or dtypes.default_float())
    values = _moved(_geometric(convert.cast(first, work), convert.cast(last, work), _count(num), endpoint), axis)
    return values if kind is None else convert.cast(values, kind)


def _geometric(first: tf.Tensor, last: tf.Tensor, count: int, endpoint: Any) -> tf.Tensor:
    """Turned so that it begins on the positive real axis, where logarithms are at home, and turned back.

    Both ends are put in as they are: a power of a logarithm need not be the same number.
    """
    turn = sign(first)
    first, last = first / turn, last / turn
    values = _power(10.0, _linspace(log10(first), log10(last), count, endpoint, None, 0)[0])
    ends = [tf.expand_dims(shapes.broadcast_to(end, shapes.shape(values)[1:]), 0) for end in (first, last)]
    if count > 1 and endpoint:
        values = tf.concat([ends[0], layout.slice_along(values, 0, 1, count - 2), ends[1]], 0)
    elif count:
        values = tf.concat([ends[0], layout.slice_along(values, 0, 1, count - 1)], 0)
    return values * turn
