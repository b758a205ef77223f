"""Evenly spaced values, on a linear or a logarithmic scale.

Where all arguments are static, NumPy calculates them. Ends that are tensors keep their gradient.
"""

from __future__ import annotations

import inspect
from typing import Any, cast

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, shapes
from tfnp._core.arguments import check_like, on_device
from tfnp._core.checks import check
from tfnp._core.convert import contains_tensor, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import unknown_dim_error
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.ufunc.options import NO_VALUE
from tfnp.routines.math.ufuncs import log10, power, sign

__all__ = ["arange", "geomspace", "linspace", "logspace"]

Ends = tuple[Any, ...]


@array_function(promotes=("start_or_stop", "stop", "step", "start"), unknown_rank="each")
def arange(
    start_or_stop: ArrayLike = NO_VALUE,
    /,
    stop: ArrayLike | None = None,
    step: ArrayLike = 1,
    *,
    start: ArrayLike = NO_VALUE,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    like: None = None,
) -> tf.Tensor:
    """`start`, `stop` and `step` may be tensors whose values are unknown while tracing. The length of the result is
    then unknown, too, and XLA cannot compile it; gradients flow to `start` and `step` only there.
    """
    check_like(like)
    start, stop = _start_and_stop(start_or_stop, start, stop)
    start, stop, step = bounds = tuple(map(apply_conversion, (start, stop, step)))
    static = [convert.static_value(bound) for bound in bounds]
    numpy_dtype = None if dtype is None else dtypes.as_numpy(dtype)
    with on_device(device):
        if any(bound is not None and value is None for bound, value in zip(bounds, static, strict=True)):
            return _make_dynamic_range(start, stop, step, numpy_dtype)
        static = list(map(_as_float32, static))  # NumPy has no arange of bfloat16
        return _to_default_float(np.arange(static[0], static[1], static[2], dtype=numpy_dtype), dtype, *static)


# NumPy's signature does not show that `start` may be passed by name, nor that `stop` alone suffices.
_SIGNATURE = inspect.signature(arange)
cast(Any, arange).__signature__ = _SIGNATURE.replace(
    parameters=[
        parameter.replace(default=parameter.empty) if name == "start_or_stop" else parameter
        for name, parameter in _SIGNATURE.parameters.items()
        if name != "start"
    ]
)


def _start_and_stop(first: Any, start: Any, stop: Any) -> tuple[Any, Any]:
    """Return the start and the stop; a stop of None means that a single bound was passed, which is the stop."""
    if first is not NO_VALUE and start is not NO_VALUE:
        raise TypeError("argument for arange() given by name ('start') and position (position 0)")
    if first is NO_VALUE and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    if first is stop is None and not tf.executing_eagerly():
        raise unknown_dim_error()
    if first is NO_VALUE:
        return 0 if start is NO_VALUE else start, stop
    return first, stop


def _make_dynamic_range(start: Any, stop: Any, step: Any, dtype: np.dtype | None) -> tf.Tensor:
    """Return a range whose bounds, and so its length, are known when the graph runs."""
    start, stop = (0, start) if stop is None else (start, stop)
    bounds = [to_tensor(bound) for bound in (start, stop, 1 if step is None else step)]
    if any(shapes.rank(bound) for bound in bounds):
        raise TypeError("arange: start, stop and step must be scalars")
    result_dtype = dtypes.result_type(tf.int64, *bounds) if dtype is None else tf.as_dtype(dtype)
    are_integers = all(dtypes.as_numpy(bound.dtype).kind in "biu" for bound in bounds)
    work_dtype = tf.int64 if are_integers else tf.float64
    first, last, increment = (convert.cast(bound, work_dtype) for bound in bounds)
    steps = tf.cast(last - first, tf.float64) / tf.cast(increment, tf.float64)
    count = tf.maximum(tf.cast(tf.math.ceil(steps), tf.int64), 0)
    return convert.cast(first + tf.cast(layout.positions(count), work_dtype) * increment, result_dtype)


@array_function(promotes=("start", "stop"), unknown_rank="broadcast", traces=("start", "stop"))
def linspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: IntLike = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DTypeLike | None = None,
    axis: IntLike = 0,
    *,
    device: str | None = None,
) -> Any:
    """`num` may be a tensor whose value is unknown while tracing, but not for XLA. Gradients flow to `start` and
    `stop`. bfloat16 is calculated in float32.

    With `retstep`, the step is a tensor; for fewer than two points it is Python's nan.
    """
    tf_dtype = None if dtype is None else dtypes.as_dtype(dtype)
    is_bfloat16, is_step_bfloat16 = (_is_result_bfloat16(dtype, start, stop) for dtype in (tf_dtype, None))
    start, stop, tf_dtype = _as_float32(start), _as_float32(stop), None if tf_dtype == tf.bfloat16 else tf_dtype
    with on_device(device):
        if not contains_tensor((start, stop)) and not _is_dynamic(num):
            options: Any = (endpoint, True, _as_numpy_dtype(tf_dtype), axis)
            array, step = np.linspace(start, stop, _as_static_num(num), *options)
            values = _to_default_float(array, dtype, start, stop)
            step = step if type(step) is float else to_tensor(step)
        else:
            values, step = _space_linearly(start, stop, _as_count(num), endpoint, tf_dtype, axis)
        if is_bfloat16:
            values = convert.cast(values, tf.bfloat16)
        if is_step_bfloat16 and type(step) is not float:
            step = convert.cast(step, tf.bfloat16)
    return (values, step) if retstep else values


def _is_result_bfloat16(dtype: tf.DType | None, *ends: Any) -> bool:
    """Return whether the result is of bfloat16, by request or because the ends are."""
    if dtype is not None:
        return dtype == tf.bfloat16
    return any(map(_is_bfloat16, ends)) and dtypes.result_type(*ends, 0.0) == tf.bfloat16


def _is_bfloat16(end: Any) -> bool:
    """Return whether an end is an array, or a list, of bfloat16."""
    if is_tensor(end):
        return bool(getattr(end, "dtype", None) == tf.bfloat16)
    is_array = isinstance(end, np.ndarray | np.generic | list | tuple) and not contains_tensor((end,))
    return is_array and np.asarray(end).dtype == dtypes.BFLOAT16


def _as_float32(end: Any) -> Any:
    """Return an end of bfloat16 in float32, any other as it is."""
    if not _is_bfloat16(end):
        return end
    return to_tensor(end, tf.float32) if is_tensor(end) else np.asarray(end, np.float32)


def _as_static_num(num: Any) -> Any:
    """Return `num` as it is, for NumPy to check, or the value of a tensor, which must be static."""
    return shapes.as_int(num) if num is None or is_tensor(num) else num


def _is_dynamic(num: Any) -> bool:
    return isinstance(num, tf.Tensor) and num.dtype.is_integer and convert.static_value(num) is None


def _as_count(num: Any) -> shapes.Dim:
    """Return `num` as an int, or as a tensor that a graph does not know. Raise NumPy's ValueError if it is negative."""
    if _is_dynamic(num):
        return check(num >= 0, ValueError("Number of samples must be non-negative."), tf.cast(num, tf.int64))
    count = shapes.as_int(num)
    if count < 0:
        raise ValueError(f"Number of samples, {count}, must be non-negative.")
    return count


def _as_numpy_dtype(dtype: tf.DType | None) -> np.dtype | None:
    return None if dtype is None else dtypes.as_numpy(dtype)


def _to_default_float(values: np.ndarray, dtype: Any, *ends: Any) -> tf.Tensor:
    """Convert NumPy's values to a tensor. The default float64 becomes float32 under `prefer_float32`."""
    if (
        dtype is None
        and dtypes.promotion.prefer_float32
        and values.dtype in dtypes.SINGLE
        and not _contain_float64(ends)
    ):
        values = values.astype(dtypes.SINGLE[values.dtype])
    return convert.from_numpy(values)


def _contain_float64(ends: Ends) -> bool:
    return any(isinstance(end, np.ndarray | np.generic) and end.dtype in dtypes.SINGLE for end in ends)


def _as_end(value: Any) -> Any:
    """Return a Python scalar, which is weak, as it is; any other end as an operand of promotion."""
    return value if type(value) in dtypes.PYTHON_SCALARS else convert.to_operand(value)


# Upstream bug: tensorflow-signed-zero-of-sums
def _to_constant(end: Any, dtype: tf.DType) -> tf.Tensor:
    """Return an end as a tensor. In a graph it is an input, since Grappler drops the addition of a constant 0.0."""
    if is_tensor(end):
        return to_tensor(end, dtype)
    return convert.as_constant(np.asarray(end).astype(dtypes.as_numpy(dtype)))


def _space_linearly(
    start: Any, stop: Any, count: shapes.Dim, endpoint: Any, dtype: tf.DType | None, axis: Any
) -> tuple[tf.Tensor, Any]:
    """Return evenly spaced values and the step; for fewer than two points the step is nan, Python's if it is static."""
    start, stop = _as_end(start), _as_end(stop)
    work_dtype = dtypes.result_type(start, stop, 0.0)
    first, last = _to_constant(start, work_dtype), _to_constant(stop, work_dtype)
    shape = shapes.broadcast_shapes(shapes.shape(first), shapes.shape(last))
    first, last = shapes.broadcast_to(first, shape), shapes.broadcast_to(last, shape)
    steps = count - 1 if endpoint else count
    delta = last - first
    position = tf.reshape(layout.positions(count), (-1, *(1,) * len(shape)))
    index = convert.cast(position, work_dtype)
    if isinstance(count, tf.Tensor):
        step, values = _multiply_steps(index, delta, tf.maximum(steps, 1))
        step = tf.where(steps > 0, step, tf.constant(np.nan, step.dtype))
    else:
        step, values = _multiply_steps(index, delta, steps) if steps > 0 else (np.nan, index * delta)
    values = values + first
    if endpoint and isinstance(count, tf.Tensor):
        values = tf.where(tf.logical_and(position == steps, steps > 0), last, values)
    elif endpoint and count > 1:
        values = tf.concat([layout.slice_along(values, 0, 0, count - 1), tf.expand_dims(last, 0)], 0)
    values = _move_new_axis(values, axis)
    if dtype is not None and dtype.is_integer:
        if work_dtype.is_complex:
            raise TypeError(f"linspace: complex values cannot be rounded to dtype {dtype.name}")
        values = tf.floor(values)
    return (values if dtype is None else convert.cast(values, dtype)), step


def _multiply_steps(index: tf.Tensor, delta: tf.Tensor, steps: shapes.Dim) -> tuple[tf.Tensor, tf.Tensor]:
    """Return the step, and multiples of it. Where a step underflows to zero, NumPy divides the index first."""
    if isinstance(steps, tf.Tensor):
        divisor = convert.cast(steps, delta.dtype)
    else:
        divisor = convert.as_constant(np.array(steps, dtypes.as_numpy(delta.dtype)))
    step = delta / divisor
    underflows = tf.reduce_any(tf.equal(step, tf.zeros((), step.dtype)))
    return step, tf.where(underflows, index / divisor * delta, index * step)


def _move_new_axis(values: tf.Tensor, axis: Any) -> tf.Tensor:
    if isinstance(axis, tuple | list | str):
        shapes.check_single_axis(axis, shapes.rank(values), "destination")
        axis = axis[0]
    return layout.move_axis(values, 0, shapes.normalize_axis(axis, shapes.rank(values)))


@array_function(promotes=("start", "stop"), unknown_rank="broadcast", traces=("start", "stop"))
def logspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: IntLike = 50,
    endpoint: bool = True,
    base: ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: IntLike = 0,
) -> tf.Tensor:
    """`num` is as in `linspace`. Gradients flow to `start`, `stop` and `base`. float32 is calculated in float64."""
    tf_dtype = None if dtype is None else dtypes.as_dtype(dtype)
    if _is_result_bfloat16(tf_dtype, start, stop, base):
        start, stop, base = map(_as_float32, (start, stop, base))
        return convert.cast(logspace(start, stop, num, endpoint, base, np.float32, axis), tf.bfloat16)
    start, stop, base = map(_as_float32, (start, stop, base))
    if not contains_tensor((start, stop, base)) and not _is_dynamic(num):
        values = np.logspace(start, stop, _as_static_num(num), endpoint, base, _as_numpy_dtype(tf_dtype), axis)
        return _to_default_float(values, dtype, start, stop, base)
    start, stop, base = _as_end(start), _as_end(stop), _as_end(base)
    if isinstance(base, tf.Tensor) and shapes.rank(base):
        rank = max(shapes.rank(to_tensor(value)) for value in (start, stop, base))
        start, stop, base = (shapes.pad_rank(to_tensor(value), rank) for value in (start, stop, base))
        base = tf.expand_dims(base, shapes.normalize_axis(axis, rank + 1))
    values = _power(base, _space_linearly(start, stop, _as_count(num), endpoint, None, axis)[0])
    return values if tf_dtype is None else convert.cast(values, tf_dtype)


# Upstream bug: tensorflow-pow-float32-integers
def _power(base: Any, exponent: tf.Tensor) -> tf.Tensor:
    """Return the power, calculated in float64: TensorFlow's power of float32 misses integers."""
    dtype = dtypes.result_type(base, exponent)
    if dtype.is_complex or dtype == tf.float64:
        return power(base, exponent)
    return convert.cast(power(to_tensor(base, tf.float64), convert.cast(exponent, tf.float64)), dtype)


@array_function(promotes=("start", "stop"), unknown_rank="broadcast", traces=("start", "stop"))
def geomspace(
    start: ArrayLike,
    stop: ArrayLike,
    num: IntLike = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: IntLike = 0,
) -> tf.Tensor:
    """`num` must be static. Gradients flow to `start` and `stop`.

    A zero among these raises ValueError where it is static; otherwise the result is nan.
    """
    tf_dtype = None if dtype is None else dtypes.as_dtype(dtype)
    if tf_dtype == tf.bfloat16:
        return convert.cast(geomspace(start, stop, num, endpoint, np.float32, axis), tf_dtype)
    start, stop = map(_as_float32, (start, stop))
    if not contains_tensor((start, stop)):
        values = np.geomspace(start, stop, _as_static_num(num), endpoint, _as_numpy_dtype(tf_dtype), axis)
        return _to_default_float(values, dtype, start, stop)
    first, last = to_tensor(start), to_tensor(stop)
    if any(static is not None and np.any(static == 0) for static in map(convert.static_value, (first, last))):
        raise ValueError("Geometric sequence cannot include zero")
    work_dtype = dtypes.result_type(first, last, tf_dtype or dtypes.default_float(), 1.0)
    first, last = convert.cast(first, work_dtype), convert.cast(last, work_dtype)
    values = _move_new_axis(_space_geometrically(first, last, _as_count(num), endpoint), axis)
    return values if tf_dtype is None else convert.cast(values, tf_dtype)


def _space_geometrically(first: tf.Tensor, last: tf.Tensor, count: int, endpoint: Any) -> tf.Tensor:
    """Return a geometric progression: evenly spaced logarithms of values rotated so that the first is positive.

    The ends are the arguments themselves: the power of a logarithm may differ by rounding.
    """
    rotation = sign(first)
    first, last = first / rotation, last / rotation
    values = _power(10.0, _space_linearly(log10(first), log10(last), count, endpoint, None, 0)[0])
    ends = [tf.expand_dims(shapes.broadcast_to(end, shapes.shape(values)[1:]), 0) for end in (first, last)]
    if count > 1 and endpoint:
        values = tf.concat([ends[0], layout.slice_along(values, 0, 1, count - 2), ends[1]], 0)
    elif count:
        values = tf.concat([ends[0], layout.slice_along(values, 0, 1, count - 1)], 0)
    return values * rotation
