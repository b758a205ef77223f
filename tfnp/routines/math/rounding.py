"""Numbers made simpler: rounded, clipped, made finite, taken apart into real and imaginary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.arguments import check_copy
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.ufunc.options import NO_VALUE
from tfnp.routines.math import ufuncs

__all__ = ["angle", "around", "clip", "fix", "imag", "nan_to_num", "real", "real_if_close", "round"]


@array_function(promotes=("a",), unknown_rank="each")
def round(a: Any, decimals: Any = 0, out: Any = None) -> tf.Tensor:
    """Halves go to the even neighbour. Integers into an `out=` go as they are, whatever its dtype is."""
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    a, indices = to_tensor(a), shapes.as_int(decimals)
    if out is None:
        return _rounded(a, indices)
    counts = out.shape.num_elements(), a.shape.num_elements()
    if None in counts:
        tf.debugging.Assert(tf.equal(tf.size(a), tf.size(out)), ["invalid output shape"])
    elif counts[0] != counts[1]:
        raise ValueError("invalid output shape")
    return _rounded_into(out, a, indices)


around = round


def _rounded_into(out: tf.Variable, a: tf.Tensor, indices: int) -> tf.Variable:
    """Of complex numbers and of integers an assignment, which overlooks leading axes of length 1."""
    if a.dtype.is_integer and indices >= 0:
        dtypes.check_cast(dtypes.as_numpy(a.dtype), dtypes.as_numpy(out.dtype), "same_kind", "array data")
    whole = a.dtype.is_complex or (a.dtype.is_integer and indices >= 0)
    result = convert.cast(_rounded(a, indices), out.dtype) if whole else _steps(a, indices, out.dtype)
    while whole and shapes.rank(result) > len(out.shape) and result.shape[0] in (1, None):
        result = tf.squeeze(result, [0])
    if a.dtype.is_complex and not out.dtype.is_complex:
        if result.shape.is_fully_defined():
            np.broadcast_to(np.zeros(tuple(result.shape)), tuple(out.shape))
        raise TypeError("array does not have imaginary part to set")
    return outputs.write_output(result, out, None, casting="unsafe")


def _rounded(a: tf.Tensor, indices: int) -> tf.Tensor:
    if a.dtype.is_complex:
        return tf.complex(_rounded(tf.math.real(a), indices), _rounded(tf.math.imag(a), indices))
    if a.dtype.is_integer:
        return a if indices >= 0 else convert.cast(_steps(a, indices, tf.float64), a.dtype)
    return ufuncs.rint(a) if indices == 0 else _steps(a, indices, a.dtype)


def _steps(a: tf.Tensor, indices: int, kept: tf.DType) -> tf.Tensor:
    """By a power of ten there and back, which loses what overflows, as in NumPy. Each result is `kept` in a dtype."""
    if indices == 0:
        return _stored(ufuncs.rint(a), kept)
    try:
        factor = 10.0 ** abs(indices)
    except OverflowError:
        factor = math.inf
    there, back = (ufuncs.multiply, ufuncs.divide) if indices > 0 else (ufuncs.divide, ufuncs.multiply)
    scaled = _stored(there(_single(a), factor), kept)
    return _stored(back(_single(ufuncs.rint(scaled)), factor), kept)


def _single(a: tf.Tensor) -> tf.Tensor:
    """The power of ten has more digits than a bfloat16."""
    return convert.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a


def _stored(a: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    dtypes.check_cast(dtypes.as_numpy(a.dtype), dtypes.as_numpy(dtype), "same_kind", "output")
    return convert.cast(a, dtype)


@array_function(promotes=("x",), unknown_rank="each")
def fix(x: Any, out: Any = None) -> tf.Tensor:
    return ufuncs.trunc(to_tensor(x), **({} if out is None else {"out": out}))


@array_function(promotes=("a", "a_min", "a_max", "min", "max"), unknown_rank="broadcast")
def clip(
    a: Any,
    a_min: Any = NO_VALUE,
    a_max: Any = NO_VALUE,
    out: Any = None,
    *,
    min: Any = NO_VALUE,
    max: Any = NO_VALUE,
    **kwargs: Any,
) -> tf.Tensor:
    """A bound that is nan makes everything nan."""
    low, high = _bounds(a_min, a_max, min, max)
    a = to_tensor(a)
    if a.dtype.is_integer:
        limits = np.iinfo(dtypes.as_numpy(a.dtype))
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    if a.dtype == tf.bfloat16:  # whose ufuncs take an int for an int64, which may not hold it
        low, high = (float(bound) if type(bound) is int else bound for bound in (low, high))
    options = kwargs if out is None else {**kwargs, "out": out}
    if low is None and high is None:
        return ufuncs.positive(a, **options)
    if low is None:
        return ufuncs.minimum(a, high, **options)
    if high is None:
        return ufuncs.maximum(a, low, **options)
    return _between(a, low, high, options)


def _bounds(a_min: Any, a_max: Any, min: Any, max: Any) -> tuple[Any, Any]:
    if a_min is NO_VALUE and a_max is NO_VALUE:
        return None if min is NO_VALUE else min, None if max is NO_VALUE else max
    if a_min is NO_VALUE or a_max is NO_VALUE:
        missing = "a_min" if a_min is NO_VALUE else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: {missing!r}")
    if min is not NO_VALUE or max is not NO_VALUE:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    return a_min, a_max


def _between(a: tf.Tensor, low: Any, high: Any, options: dict[str, Any]) -> tf.Tensor:
    """All three in one dtype first, as the one loop behind NumPy's `clip` has them."""
    values = [value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value) for value in (low, high)]
    asked = options.get("dtype")
    target = dtypes.result_type(a, *values) if asked is None else dtypes.as_dtype(asked)
    values = [_weakly(value, target) for value in values]
    return ufuncs.minimum(ufuncs.maximum(convert.cast(a, target), values[0]), values[1], **options)


def _weakly(value: Any, target: tf.DType) -> tf.Tensor:
    if isinstance(value, tf.Tensor):
        return convert.cast(value, target)
    return convert.scalar_tensor(value, dtypes.as_numpy(target))


@array_function(promotes=("x",), unknown_rank="broadcast")
def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> tf.Tensor:
    """Always a new tensor, but `copy` says of what is no array that it may become one."""
    check_copy(copy)
    if not copy and not hasattr(x, "dtype"):
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    x = to_tensor(x)
    if x.dtype.is_complex:
        return tf.complex(*(_finite(part, nan, posinf, neginf) for part in (tf.math.real(x), tf.math.imag(x))))
    return _finite(x, nan, posinf, neginf) if x.dtype.is_floating else x


def _finite(x: tf.Tensor, nan: Any, posinf: Any, neginf: Any) -> tf.Tensor:
    infinite = ufuncs.isinf(x)
    below = tf.less(x, tf.zeros((), x.dtype))
    result = _replaced(x, ufuncs.isnan(x), nan)
    result = _replaced(result, infinite & ~below, x.dtype.max if posinf is None else posinf)
    return _replaced(result, infinite & below, x.dtype.min if neginf is None else neginf)


def _replaced(x: tf.Tensor, mask: tf.Tensor, value: Any) -> tf.Tensor:
    if not isinstance(value, tf.Tensor | float | int):
        value = to_tensor(value)
    if isinstance(value, tf.Tensor):
        dtypes.check_cast(dtypes.as_numpy(value.dtype), dtypes.as_numpy(x.dtype), "same_kind", "array data")
    value = to_tensor(value, x.dtype)
    if value.shape.rank != 0:
        value = shapes.broadcast_to(value, shapes.shape(x))
    return layout.select(mask, value, x)


@array_function(promotes=("val",), unknown_rank="each")
def real(val: Any) -> Any:
    """Of a Python or NumPy number, a number."""
    if not (is_tensor(val) or isinstance(val, np.ndarray)) and hasattr(val, "real"):
        return val.real
    val = to_tensor(val)
    return tf.math.real(val) if val.dtype.is_complex else val


@array_function(promotes=("val",), unknown_rank="each")
def imag(val: Any) -> Any:
    """Of a Python or NumPy number, a number."""
    if not (is_tensor(val) or isinstance(val, np.ndarray)) and hasattr(val, "imag"):
        return val.imag
    val = to_tensor(val)
    return tf.math.imag(val) if val.dtype.is_complex else tf.zeros_like(val)


@array_function(promotes=("z",), unknown_rank="each")
def angle(z: Any, deg: Any = False) -> tf.Tensor:
    """Of a real number zero, or pi where its sign is negative."""
    z = to_tensor(z)
    if z.dtype.is_complex:
        result = _direction(tf.math.real(z), tf.math.imag(z))
    else:
        kind = dtypes.resolve(np.arctan2, (int, dtypes.promotion_type(z)), dtypes.current_promotion())[1]
        z = convert.cast(z, tf.as_dtype(kind))
        zero, half = (convert.from_numpy(np.array(value, kind)) for value in (0, np.pi))
        result = layout.select(ufuncs.isnan(z), z, layout.select(ufuncs.signbit(z), half, zero))
    return ufuncs.multiply(result, 180 / math.pi) if deg else result


def _direction(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Of numbers made larger where both are small: of subnormal ones the kernel takes some for zeros and others not,
    a product all.
    """
    small = ufuncs.less(ufuncs.maximum(ufuncs.absolute(x), ufuncs.absolute(y)), 1)
    factor = layout.select(small, tf.constant(1024, x.dtype), tf.constant(1, x.dtype))
    return ufuncs.arctan2(ufuncs.multiply(y, factor), ufuncs.multiply(x, factor))


@array_function(promotes=("a",), unknown_rank="each")
def real_if_close(a: Any, tol: Any = 100) -> tf.Tensor:
    """The dtype depends on values: a graph, which cannot know them, refuses complex numbers."""
    a = to_tensor(a)
    if not a.dtype.is_complex:
        return a
    bound = float(np.finfo(dtypes.as_numpy(a.dtype)).eps) * tol if tol > 1 else tol
    static = convert.static_value(a) if a.shape.num_elements() != 0 else np.zeros(0)
    if static is None:
        raise TypeError("whether the result is real depends on values, which a graph does not know: use real()")
    return tf.math.real(a) if np.all(np.abs(np.imag(static)) < bound) else a
