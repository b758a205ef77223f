"""Rounding and clipping; real and imaginary parts."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.arguments import check_copy
from tfnp._core.checks import make_assertion
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike, Out
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.ufunc.options import NO_VALUE
from tfnp._kernels.select_rare import is_long
from tfnp.routines.math import ufuncs

_OUT_SHAPE: Final = "invalid output shape"
__all__ = ["angle", "around", "clip", "fix", "imag", "nan_to_num", "real", "real_if_close", "round"]

_FLOATS: Final = frozenset((tf.float32.as_datatype_enum, tf.float64.as_datatype_enum))
_SCALARS: Final = frozenset((int, float))


@array_function(promotes=("a",), unknown_rank="each")
def round(a: ArrayLike, decimals: IntLike = 0, out: Out = None) -> tf.Tensor:
    """`decimals` must be static. Halves are rounded to even. The gradient is zero.

    Integers are written to `out` unchanged, as in NumPy.
    """
    if type(decimals) is int and decimals == 0 and out is None and type(a) is EagerTensor and enum_of(a) in _FLOATS:
        return ufuncs.rint(a)
    out = outputs.as_variable(out)
    a, decimals = to_tensor(a), shapes.as_int(decimals)
    if out is None:
        return _round(a, decimals)
    counts = out.shape.num_elements(), a.shape.num_elements()
    if None in counts:
        make_assertion(tf.equal(tf.size(a), tf.size(out)), [_OUT_SHAPE])
    elif counts[0] != counts[1]:
        raise ValueError(f"{_OUT_SHAPE}: out has shape {out.shape}, a has shape {a.shape}")
    return _round_into(out, a, decimals)


around = round


def _round_into(out: tf.Variable, a: tf.Tensor, decimals: int) -> tf.Variable:
    """Write to `out`: complex numbers and integers by assignment, which drops leading axes of length 1."""
    if a.dtype.is_integer and decimals >= 0:
        dtypes.check_cast(dtypes.as_numpy(a.dtype), dtypes.as_numpy(out.dtype), "same_kind", "array data")
    assigns = a.dtype.is_complex or (a.dtype.is_integer and decimals >= 0)
    result = convert.cast(_round(a, decimals), out.dtype) if assigns else _scale_and_round(a, decimals, out.dtype)
    if assigns:
        result = shapes.drop_leading_ones(result, len(out.shape))
    if a.dtype.is_complex and not out.dtype.is_complex:
        if result.shape.is_fully_defined():
            np.broadcast_to(np.zeros(tuple(result.shape)), tuple(out.shape))
        raise TypeError("array does not have imaginary part to set")
    return outputs.write_output(result, out, None, casting="unsafe")


def _round(a: tf.Tensor, decimals: int) -> tf.Tensor:
    if a.dtype.is_complex:
        return tf.complex(_round(tf.math.real(a), decimals), _round(tf.math.imag(a), decimals))
    if a.dtype.is_integer:
        return a if decimals >= 0 else convert.cast(_scale_and_round(a, decimals, tf.float64), a.dtype)
    return ufuncs.rint(a) if decimals == 0 else _scale_and_round(a, decimals, a.dtype)


def _scale_and_round(a: tf.Tensor, decimals: int, dtype: tf.DType) -> tf.Tensor:
    """Multiply by a power of ten, round, and divide; a product that overflows gives inf or nan, as in NumPy.

    Each result is cast to `dtype`.
    """
    if decimals == 0:
        return _cast_output(ufuncs.rint(a), dtype)
    try:
        factor = 10.0 ** abs(decimals)
    except OverflowError:
        factor = math.inf
    scale, unscale = (ufuncs.multiply, ufuncs.divide) if decimals > 0 else (ufuncs.divide, ufuncs.multiply)
    scaled = _cast_output(scale(_as_float32(a), factor), dtype)
    return _cast_output(unscale(_as_float32(ufuncs.rint(scaled)), factor), dtype)


def _as_float32(a: tf.Tensor) -> tf.Tensor:
    """Return bfloat16, which cannot represent powers of ten, as float32; any other tensor as it is."""
    return convert.cast(a, tf.float32) if a.dtype == tf.bfloat16 else a


def _cast_output(a: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast a result by the rule "same_kind"."""
    dtypes.check_cast(dtypes.as_numpy(a.dtype), dtypes.as_numpy(dtype), "same_kind", "output")
    return convert.cast(a, dtype)


@array_function(promotes=("x",), unknown_rank="each", traces=("x",))
def fix(x: ArrayLike, out: Out = None) -> tf.Tensor:
    """Integers keep their dtype. The gradient is zero."""
    return ufuncs.trunc(to_tensor(x), **({} if out is None else {"out": out}))


@array_function(promotes=("a", "a_min", "a_max", "min", "max"), unknown_rank="broadcast")
def clip(
    a: ArrayLike,
    a_min: ArrayLike | None = NO_VALUE,
    a_max: ArrayLike | None = NO_VALUE,
    out: Out = None,
    *,
    min: ArrayLike | None = NO_VALUE,
    max: ArrayLike | None = NO_VALUE,
    **kwargs: Any,
) -> tf.Tensor:
    """A bound that is nan gives nan. The gradient with respect to `a` is zero outside the bounds.

    A Python int outside the range of an integer dtype has no effect as a bound.
    """
    low, high = _clip_bounds(a_min, a_max, min, max)
    has_scalar_bounds = out is None and not kwargs and type(low) in _SCALARS and type(high) in _SCALARS
    if has_scalar_bounds and type(a) is EagerTensor and enum_of(a) in _FLOATS:
        return ufuncs.minimum(ufuncs.maximum(a, low), high)
    a = to_tensor(a)
    if a.dtype.is_integer:
        limits = np.iinfo(dtypes.as_numpy(a.dtype))
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    if a.dtype == tf.bfloat16:  # its ufuncs convert an int to int64, which may overflow
        low, high = (float(bound) if type(bound) is int else bound for bound in (low, high))
    options = kwargs if out is None else {**kwargs, "out": out}
    if low is None and high is None:
        return ufuncs.positive(a, **options)
    if low is None:
        return ufuncs.minimum(a, high, **options)
    if high is None:
        return ufuncs.maximum(a, low, **options)
    return _clip_both(a, low, high, options)


def _clip_bounds(a_min: Any, a_max: Any, min: Any, max: Any) -> tuple[Any, Any]:
    if a_min is NO_VALUE and a_max is NO_VALUE:
        return None if min is NO_VALUE else min, None if max is NO_VALUE else max
    if a_min is NO_VALUE or a_max is NO_VALUE:
        name = "a_min" if a_min is NO_VALUE else "a_max"
        raise TypeError(f"clip() missing 1 required positional argument: {name!r}")
    if min is not NO_VALUE or max is not NO_VALUE:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    return a_min, a_max


def _clip_both(a: tf.Tensor, low: Any, high: Any, options: dict[str, Any]) -> tf.Tensor:
    """Cast all three to one dtype first, as the single loop of NumPy's `clip` does."""
    values = [value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value) for value in (low, high)]
    requested = options.get("dtype")
    target = dtypes.result_type(a, *values) if requested is None else dtypes.as_dtype(requested)
    values = [_cast_bound(value, target) for value in values]
    return ufuncs.minimum(ufuncs.maximum(convert.cast(a, target), values[0]), values[1], **options)


def _cast_bound(value: Any, target: tf.DType) -> tf.Tensor:
    if isinstance(value, tf.Tensor):
        return convert.cast(value, target)
    return convert.scalar_tensor(value, dtypes.as_numpy(target))


@array_function(promotes=("x",), unknown_rank="broadcast", traces=("x",))
def nan_to_num(
    x: ArrayLike,
    copy: bool = True,
    nan: ArrayLike = 0.0,
    posinf: ArrayLike | None = None,
    neginf: ArrayLike | None = None,
) -> tf.Tensor:
    """Return a new tensor. `copy=False` raises ValueError for lists and Python numbers, as in NumPy, and has no other
    effect.

    The gradient at replaced elements is zero.
    """
    check_copy(copy)
    if not copy and not hasattr(x, "dtype"):
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    x = to_tensor(x)
    if x.dtype.is_complex:
        return tf.complex(
            *(_replace_nonfinite(component, nan, posinf, neginf) for component in (tf.math.real(x), tf.math.imag(x)))
        )
    return _replace_nonfinite(x, nan, posinf, neginf) if x.dtype.is_floating else x


def _replace_nonfinite(x: tf.Tensor, nan: Any, posinf: Any, neginf: Any) -> tf.Tensor:
    highest, lowest = x.dtype.max if posinf is None else posinf, x.dtype.min if neginf is None else neginf
    nan, highest, lowest = (_as_fill_value(value, x) for value in (nan, highest, lowest))
    is_nan, is_infinite = ufuncs.isnan(x), ufuncs.isinf(x)
    has_nan, has_infinite = (not is_long(x) or mask.numpy().any() for mask in (is_nan, is_infinite))
    result = layout.select(is_nan, nan, x) if has_nan else x
    if not has_infinite:
        return result
    is_negative = tf.less(x, tf.zeros((), x.dtype))
    result = layout.select(is_infinite & ~is_negative, highest, result)
    return layout.select(is_infinite & is_negative, lowest, result)


def _as_fill_value(value: Any, x: tf.Tensor) -> tf.Tensor:
    """Return a replacement as a tensor of the dtype of `x`, a scalar or broadcast to its shape."""
    if not isinstance(value, tf.Tensor | float | int):
        value = to_tensor(value)
    if isinstance(value, tf.Tensor):
        dtypes.check_cast(dtypes.as_numpy(value.dtype), dtypes.as_numpy(x.dtype), "same_kind", "array data")
    elif isinstance(value, int) and x.dtype == tf.bfloat16:  # ml_dtypes takes ints of 64 bits only
        value = float(value)
    value = to_tensor(value, x.dtype)
    return value if value.shape.rank == 0 else shapes.broadcast_to(value, shapes.shape(x))


@array_function(promotes=("val",), unknown_rank="each")
def real(val: ArrayLike) -> Any:
    """Return a Python or NumPy scalar for such a scalar, else a tensor. It is not a view: it cannot be assigned to."""
    if not (is_tensor(val) or isinstance(val, np.ndarray)) and hasattr(val, "real"):
        return val.real
    val = to_tensor(val)
    return tf.math.real(val) if val.dtype.is_complex else val


@array_function(promotes=("val",), unknown_rank="each")
def imag(val: ArrayLike) -> Any:
    """Return a Python or NumPy scalar for such a scalar, else a tensor. It is not a view: it cannot be assigned to."""
    if not (is_tensor(val) or isinstance(val, np.ndarray)) and hasattr(val, "imag"):
        return val.imag
    val = to_tensor(val)
    return tf.math.imag(val) if val.dtype.is_complex else tf.zeros_like(val)


@array_function(promotes=("z",), unknown_rank="each", traces=("z",))
def angle(z: ArrayLike, deg: bool = False) -> tf.Tensor:
    """The angle of a real number is 0, or pi if its sign bit is set; that of nan is nan."""
    z = to_tensor(z)
    if z.dtype.is_complex:
        result = _compute_angle(tf.math.real(z), tf.math.imag(z))
    else:
        dtype = dtypes.resolve(np.arctan2, (int, dtypes.promotion_type(z)), dtypes.current_promotion())[1]
        z = convert.cast(z, tf.as_dtype(dtype))
        zero, pi = (convert.from_numpy(np.array(value, dtype)) for value in (0, np.pi))
        result = layout.select(ufuncs.isnan(z), z, layout.select(ufuncs.signbit(z), pi, zero))
    return ufuncs.multiply(result, 180 / math.pi) if deg else result


def _compute_angle(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the angle of x + iy. Small numbers are scaled up: the kernel treats subnormal ones inconsistently."""
    is_small = ufuncs.less(ufuncs.maximum(ufuncs.absolute(x), ufuncs.absolute(y)), 1)
    factor = layout.select(is_small, tf.constant(1024, x.dtype), tf.constant(1, x.dtype))
    return ufuncs.arctan2(ufuncs.multiply(y, factor), ufuncs.multiply(x, factor))


@array_function(promotes=("a",), unknown_rank="each")
def real_if_close(a: ArrayLike, tol: ArrayLike = 100) -> tf.Tensor:
    """The dtype of the result depends on values: a complex array must be static, as it is in eager mode, else it raises
    TypeError. Use `real` in a graph.
    """
    a = to_tensor(a)
    if not a.dtype.is_complex:
        return a
    bound = float(np.finfo(dtypes.as_numpy(a.dtype)).eps) * tol if tol > 1 else tol
    static = convert.static_value(a) if a.shape.num_elements() != 0 else np.zeros(0)
    if static is None:
        raise requires_static("a", "real_if_close")
    return tf.math.real(a) if np.all(np.abs(np.imag(static)) < bound) else a
