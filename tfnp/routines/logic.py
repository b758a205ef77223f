"""Comparisons of whole arrays, and what kind of numbers they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import dtypes, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
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


@array_function(promotes=("a", "b"), weak=False, unknown_rank="broadcast")
def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False) -> tf.Tensor:
    x, y, relative, absolute = (_operand(value) for value in (a, b, rtol, atol))
    if isinstance(y, tf.Tensor):
        y = to_tensor(y, dtypes.result_type(y, 1.0))
    elif type(y) is int:
        y = float(y)
    bound = ufuncs.add(absolute, ufuncs.multiply(relative, ufuncs.absolute(y)))
    near = ufuncs.less_equal(ufuncs.absolute(ufuncs.subtract(x, y)), bound)
    result = ufuncs.logical_or(ufuncs.logical_and(near, ufuncs.isfinite(y)), ufuncs.equal(x, y))
    if equal_nan:
        result = ufuncs.logical_or(result, ufuncs.logical_and(ufuncs.isnan(x), ufuncs.isnan(y)))
    return result


def _operand(value: Any) -> Any:
    return value if type(value) in dtypes.PYTHON_SCALARS else to_tensor(value)


@array_function(promotes=("a", "b"), weak=False, unknown_rank="broadcast")
def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: Any = False) -> tf.Tensor:
    """A tensor of one truth, where NumPy gives Python's."""
    return tf.reduce_all(isclose(a, b, rtol, atol, equal_nan))


@array_function(promotes=("a1", "a2"), weak=False, unknown_rank="each")
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> tf.Tensor:
    """A tensor of one truth. What is no array equals nothing."""
    try:
        a1, a2 = to_tensor(a1), to_tensor(a2)
    except (TypeError, ValueError):
        return _on_host(np.array_equal, a1, a2, equal_nan)
    if not a1.shape.is_compatible_with(a2.shape):
        return tf.constant(False)
    if a1.shape.is_fully_defined() and a2.shape.is_fully_defined():
        return _all_equal(a1, a2, equal_nan)
    of_one_rank = tf.equal(tf.rank(a1), tf.rank(a2))
    same = tf.cond(of_one_rank, lambda: tf.reduce_all(tf.equal(tf.shape(a1), tf.shape(a2))), lambda: of_one_rank)
    return tf.cond(same, lambda: _all_equal(a1, a2, equal_nan), lambda: tf.constant(False))


def _on_host(compare: Any, *values: Any) -> tf.Tensor:
    """What NumPy says of things that no tensor holds; of tensors beside them the shape is enough, since nothing in them
    equals such a thing.
    """
    shown = [
        _stand_in(value) if isinstance(value, tf.Tensor | tf.Variable) else value
        for value in map(apply_conversion, values)
    ]
    return tf.constant(bool(compare(*shown)))


def _stand_in(tensor: tf.Tensor) -> np.ndarray:
    shape = (1 if dim is None else dim for dim in tensor.shape)
    return np.full(tuple(shape), "text" if tensor.dtype == tf.string else 0)


def _all_equal(a1: tf.Tensor, a2: tf.Tensor, equal_nan: Any) -> tf.Tensor:
    equal = ufuncs.equal(a1, a2)
    if equal_nan:
        missing = [ufuncs.isnan(a) for a in (a1, a2)]
        equal = ufuncs.logical_or(equal, ufuncs.logical_and(*missing))
    return tf.reduce_all(equal)


@array_function(promotes=("a1", "a2"), weak=False, unknown_rank="broadcast")
def array_equiv(a1: Any, a2: Any) -> tf.Tensor:
    """A tensor of one truth."""
    try:
        a1, a2 = to_tensor(a1), to_tensor(a2)
    except (TypeError, ValueError):
        return _on_host(np.array_equiv, a1, a2)
    first, second = shapes.shape(a1), shapes.shape(a2)
    try:
        shapes.broadcast_shapes(first, second)
    except ValueError:
        return tf.constant(False)
    if shapes.is_static(first + second):
        return tf.reduce_all(ufuncs.equal(a1, a2))
    rank = max(len(first), len(second))
    one, other = (shapes.shape_tensor((1,) * (rank - len(shape)) + shape) for shape in (first, second))
    fits = tf.reduce_all((one == 1) | (other == 1) | (one == other))
    return tf.cond(fits, lambda: tf.reduce_all(ufuncs.equal(a1, a2)), lambda: tf.constant(False))


@array_function(unknown_rank="each")
def isreal(x: Any) -> tf.Tensor:
    return ufuncs.logical_not(iscomplex(x))


@array_function(unknown_rank="each")
def iscomplex(x: Any) -> tf.Tensor:
    x = to_tensor(x)
    if not x.dtype.is_complex:
        return tf.zeros(tf.shape(x), tf.bool)
    imaginary = tf.math.imag(x)
    return tf.not_equal(imaginary, tf.zeros((), imaginary.dtype))


@array_function(unknown_rank="each")
def iscomplexobj(x: Any) -> bool:
    """A dtype, which is known while tracing, decides."""
    return to_tensor(x).dtype.is_complex


@array_function(unknown_rank="each")
def isrealobj(x: Any) -> bool:
    return not iscomplexobj(x)


@array_function(unknown_rank="each")
def isscalar(element: Any) -> bool:
    """A tensor is none, whatever its rank, as NumPy's arrays are none."""
    return np.isscalar(element)


@array_function(unknown_rank="each")
def isposinf(x: Any, out: Any = None) -> tf.Tensor:
    return _is_infinite(x, out, ufuncs.logical_not(ufuncs.signbit(_real(x))))


@array_function(unknown_rank="each")
def isneginf(x: Any, out: Any = None) -> tf.Tensor:
    return _is_infinite(x, out, ufuncs.signbit(_real(x)))


def _real(x: Any) -> tf.Tensor:
    x = to_tensor(x)
    if x.dtype.is_complex:
        raise TypeError(f"This operation is not supported for {x.dtype.name} values because it would be ambiguous.")
    return x


def _is_infinite(x: Any, out: Any, dim: tf.Tensor) -> tf.Tensor:
    return ufuncs.logical_and(ufuncs.isinf(to_tensor(x)), dim, *(() if out is None else (out,)))
