"""Comparisons of whole arrays, and tests of their elements and types."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, layout, shapes
from tfnp._core.convert import contains_tensor, to_tensor
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, Out
from tfnp._core.tensor_conversion import apply_conversion
from tfnp.routines.math import ufuncs

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
]


@array_function(promotes=("a", "b"), weak=False, unknown_rank="broadcast", traces=("a", "b"))
def isclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False
) -> tf.Tensor:
    """`rtol` and `atol` take part in promotion as operands, as in NumPy."""
    x, y, relative, absolute = (_as_operand(value) for value in (a, b, rtol, atol))
    if isinstance(y, tf.Tensor):
        y = to_tensor(y, dtypes.result_type(y, 1.0))
    elif type(y) is int:
        y = float(y)
    bound = ufuncs.add(absolute, ufuncs.multiply(relative, ufuncs.absolute(y)))
    is_near = ufuncs.less_equal(ufuncs.absolute(ufuncs.subtract(x, y)), bound)
    result = ufuncs.logical_or(ufuncs.logical_and(is_near, ufuncs.isfinite(y)), ufuncs.equal(x, y))
    if equal_nan:
        result = ufuncs.logical_or(result, ufuncs.logical_and(ufuncs.isnan(x), ufuncs.isnan(y)))
    return result


def _as_operand(value: Any) -> Any:
    return value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value)


@array_function(promotes=("a", "b"), weak=False, unknown_rank="broadcast", traces=("a", "b"))
def allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-5, atol: ArrayLike = 1e-8, equal_nan: bool = False
) -> tf.Tensor:
    """Return a scalar bool tensor, where NumPy returns a Python bool."""
    return tf.reduce_all(isclose(a, b, rtol, atol, equal_nan))


@array_function(promotes=("a1", "a2"), weak=False, unknown_rank="each", traces=("a1", "a2"))
def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> tf.Tensor:
    """Return a scalar bool tensor, where NumPy returns a Python bool.

    Values that cannot be tensors are compared by NumPy.
    """
    try:
        a1, a2 = to_tensor(a1), to_tensor(a2)
    except (TypeError, ValueError):
        return _compare_on_host(np.array_equal, a1, a2, equal_nan)
    if not a1.shape.is_compatible_with(a2.shape):
        return tf.constant(False)
    if a1.shape.is_fully_defined() and a2.shape.is_fully_defined():
        return _are_all_equal(a1, a2, equal_nan)
    has_same_rank = tf.equal(tf.rank(a1), tf.rank(a2))
    has_same_shape = layout.choose_by_shape(
        has_same_rank, lambda: tf.reduce_all(tf.equal(tf.shape(a1), tf.shape(a2))), lambda: has_same_rank
    )
    return layout.choose_by_shape(has_same_shape, lambda: _are_all_equal(a1, a2, equal_nan), lambda: tf.constant(False))


def _compare_on_host(compare: Any, *values: Any) -> tf.Tensor:
    """Compare values that no tensor can hold.

    Tensors beside them are replaced by arrays of their shape: their elements cannot be equal to such values.
    """
    placeholders = [
        _as_placeholder(value) if isinstance(value, tf.Tensor | tf.Variable) else value
        for value in map(apply_conversion, values)
    ]
    return tf.constant(bool(compare(*placeholders)))


def _as_placeholder(tensor: tf.Tensor) -> np.ndarray:
    shape = (1 if dim is None else dim for dim in tensor.shape)
    return np.full(tuple(shape), "text" if tensor.dtype == tf.string else 0)


def _compare(a1: tf.Tensor, a2: tf.Tensor) -> tf.Tensor:
    """Compare as the operator `==` does: no text equals a number."""
    if (a1.dtype == tf.string) != (a2.dtype == tf.string):
        a1, a2 = (tf.ones_like(a1, tf.bool), tf.zeros_like(a2, tf.bool))
    return ufuncs.equal(a1, a2)


def _are_all_equal(a1: tf.Tensor, a2: tf.Tensor, equal_nan: Any) -> tf.Tensor:
    is_equal = _compare(a1, a2)
    if equal_nan:
        is_nan = [ufuncs.isnan(a) for a in (a1, a2)]
        is_equal = ufuncs.logical_or(is_equal, ufuncs.logical_and(*is_nan))
    return tf.reduce_all(is_equal)


@array_function(promotes=("a1", "a2"), weak=False, unknown_rank="broadcast", traces=("a1", "a2"))
def array_equiv(a1: ArrayLike, a2: ArrayLike) -> tf.Tensor:
    """Return a scalar bool tensor, where NumPy returns a Python bool."""
    try:
        a1, a2 = to_tensor(a1), to_tensor(a2)
    except (TypeError, ValueError):
        return _compare_on_host(np.array_equiv, a1, a2)
    first, second = shapes.shape(a1), shapes.shape(a2)
    try:
        shapes.broadcast_shapes(first, second)
    except ValueError:
        return tf.constant(False)
    if shapes.is_static(first + second):
        return tf.reduce_all(_compare(a1, a2))
    rank = max(len(first), len(second))
    first_shape, second_shape = (shapes.shape_tensor((1,) * (rank - len(shape)) + shape) for shape in (first, second))
    can_broadcast = tf.reduce_all((first_shape == 1) | (second_shape == 1) | (first_shape == second_shape))
    return layout.choose_by_shape(can_broadcast, lambda: tf.reduce_all(_compare(a1, a2)), lambda: tf.constant(False))


@array_function(unknown_rank="each", traces=("x",))
def isreal(x: ArrayLike) -> tf.Tensor:
    """Return True for every element of a real array; a complex element is tested for a zero imaginary part. Text is
    not real.
    """
    x = to_tensor(x)
    if x.dtype == tf.string:
        return tf.zeros(tf.shape(x), tf.bool)
    return ufuncs.logical_not(iscomplex(x))


@array_function(unknown_rank="each", traces=("x",))
def iscomplex(x: ArrayLike) -> tf.Tensor:
    """Return False for every element of a real array; a complex element is tested for a nonzero imaginary part."""
    x = to_tensor(x)
    if not x.dtype.is_complex:
        return tf.zeros(tf.shape(x), tf.bool)
    imaginary = tf.math.imag(x)
    return tf.not_equal(imaginary, tf.zeros((), imaginary.dtype))


@array_function(unknown_rank="each")
def iscomplexobj(x: ArrayLike) -> bool:
    """Return a Python bool: the dtype decides, be it one that TensorFlow lacks."""
    return to_tensor(x).dtype.is_complex if contains_tensor((x,)) else np.asarray(x).dtype.kind == "c"


@array_function(unknown_rank="each")
def isrealobj(x: ArrayLike) -> bool:
    """Return a Python bool: the dtype decides."""
    return not iscomplexobj(x)


@array_function(unknown_rank="each")
def isscalar(element: ArrayLike) -> bool:
    """Return False for every tensor, whatever its rank, as NumPy does for arrays."""
    return np.isscalar(element)


@array_function(unknown_rank="each", traces=("x",))
def isposinf(x: ArrayLike, out: Out = None) -> tf.Tensor:
    """Complex arrays raise TypeError. `out` must be a tf.Variable."""
    return _is_signed_infinity(x, out, ufuncs.logical_not(ufuncs.signbit(_as_real(x))))


@array_function(unknown_rank="each", traces=("x",))
def isneginf(x: ArrayLike, out: Out = None) -> tf.Tensor:
    """Complex arrays raise TypeError. `out` must be a tf.Variable."""
    return _is_signed_infinity(x, out, ufuncs.signbit(_as_real(x)))


def _as_real(x: Any) -> tf.Tensor:
    x = to_tensor(x)
    if x.dtype.is_complex:
        raise TypeError(f"This operation is not supported for {x.dtype.name} values because it would be ambiguous.")
    return x


def _is_signed_infinity(x: Any, out: Any, has_sign: tf.Tensor) -> tf.Tensor:
    return ufuncs.logical_and(ufuncs.isinf(to_tensor(x)), has_sign, *(() if out is None else (out,)))
