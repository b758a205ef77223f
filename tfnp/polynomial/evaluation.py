"""Series at points, and the values of all polynomials of a basis at points: Vandermonde's matrix."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import Symbolic, is_python, operand, plus, times
from tfnp.polynomial.bases import POWERS, Basis
from tfnp.polynomial.coefficients import at_least_one_axis, floating, is_inexact, is_open, length, rows
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import prod

Value = Callable[..., tf.Tensor]
LONG: Final = 128  # a series of more coefficients is folded in a loop


def value(basis: Basis, x: Any, c: Any, tensor: Any = True) -> tf.Tensor:
    """By Clenshaw's recurrence; of powers, Horner's rule. Along the first axis of `c`; with `tensor`, every series at
    every point, else `x` broadcasts with the other axes of `c`.
    """
    x = operand(x)
    if tensor and isinstance(x, tf.Tensor):
        c = c if is_python(c) else to_tensor(c)
        if None in (x.shape.rank, getattr(c, "shape", x.shape).rank):
            found = _unranked_together(basis, to_tensor(c), tf.reshape(x, (-1,)))
            return tf.reshape(found, tf.concat([tf.shape(found)[:-1], tf.shape(x)], 0))
    return _value(basis, x, c, tensor)


@array_function(unknown_rank="each")
def _value(basis: Basis, x: Any, c: Any, tensor: Any) -> tf.Tensor:
    c, x = _beside(floating(c), operand(x), tensor)
    if is_open(c) or (length(c) > LONG and not isinstance(x, Symbolic)):
        return _in_loop(basis, x, c, _at(basis, x, rows(dynamic_length.as_if(c))))
    return _at(basis, x, rows(c))


def _in_loop(basis: Basis, x: Any, c: tf.Tensor, like: tf.Tensor) -> tf.Tensor:
    """Of the dtype of `like`; in eager by a graph, which takes steps sooner."""
    if not tf.executing_eagerly():
        return dynamic_length.value(basis, x, c, like)
    tensors = [to_tensor(x, like.dtype) if is_python(x) else x, c, like]
    specs = tuple(tf.TensorSpec([None] * shapes.rank(tensor), tensor.dtype) for tensor in tensors)
    return _graph_of_loop(basis, dtypes.current_promotion(), specs)(*tensors)


@functools.lru_cache(maxsize=256)
def _graph_of_loop(basis: Basis, way: dtypes.Promotion, specs: tuple[tf.TensorSpec, ...]) -> Value:
    """Traced under a way of promotion."""
    function = functools.partial(dynamic_length.value, basis)
    return tf.function(function, autograph=False, input_signature=specs).get_concrete_function()


def _at(basis: Basis, x: Any, parts: list[tf.Tensor]) -> tf.Tensor:
    if not parts:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    if basis is POWERS:
        start = plus(parts[-1], times(x, 0))
        return functools.reduce(lambda found, part: plus(part, times(found, x)), parts[-2::-1], start)
    c0, c1 = (parts[0], 0) if len(parts) == 1 else parts[-2:]
    for n in range(len(parts) - 1, 1, -1):
        c0, c1 = basis.fold(n, x, parts[n - 2], c0, c1)
    return plus(c0, times(c1, basis.first(x)))


def _beside(c: tf.Tensor, x: Any, tensor: Any) -> tuple[tf.Tensor, Any]:
    """The coefficients with as many more axes as there are of points."""
    if not isinstance(x, tf.Tensor) or not tensor:
        return c, x
    return shapes.reshape(c, (*shapes.shape(c), *(1,) * shapes.rank(x))), x


@array_function(unknown_rank="each")
def value_from_roots(x: Any, r: Any, tensor: Any = True) -> tf.Tensor:
    r, x = floating(r), operand(x)
    if isinstance(x, tf.Tensor) and not tensor and shapes.rank(x) >= shapes.rank(r):
        raise ValueError("x.ndim must be < r.ndim when tensor == False")
    r, x = _beside(r, x, tensor)
    return prod(ufuncs.subtract(x, r), axis=0)


def value_together(basis: Basis, c: Any, *points: Any) -> tf.Tensor:
    """A series of several variables at points, given by coordinates of one shape."""
    tensors = [to_tensor(point) for point in points]
    message = f"{', '.join('xyz'[: len(points)])} are incompatible"
    if any(not tensors[0].shape.is_compatible_with(other.shape) for other in tensors[1:]):
        raise ValueError(message)
    c = to_tensor(c)
    if None not in (c.shape.rank, *(tensor.shape.rank for tensor in tensors)):
        tensors = [tensors[0], *[shapes.check_same_shape(tensors[0], other, message) for other in tensors[1:]]]
        found = value(basis, tensors[0], c)
        for other in tensors[1:]:
            found = value(basis, other, found, tensor=False)
        return found
    found = _unranked_together(basis, c, *[tf.reshape(tensor, (-1,)) for tensor in tensors])
    return tf.reshape(found, tf.concat([tf.shape(found)[:-1], _common_shape(tensors)], 0))


def _common_shape(tensors: Sequence[tf.Tensor]) -> tf.Tensor:
    """That of tensors whose ranks are known when the graph runs."""
    shape = [tf.shape(tensor) for tensor in tensors]
    same = [tf.reduce_all(tf.equal(tf.size(dim), tf.size(shape[0]))) for dim in shape[1:]]
    with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(same), ["the coordinates are incompatible"])]):
        equal = [tf.reduce_all(tf.equal(dim, tf.identity(shape[0]))) for dim in shape[1:]]
    with tf.control_dependencies([tf.debugging.Assert(tf.reduce_all(equal), ["the coordinates are incompatible"])]):
        return tf.identity(shape[0])


def _unranked_together(basis: Basis, c: tf.Tensor, *vectors: tf.Tensor) -> tf.Tensor:
    """A series at points that lie along vectors, whatever number of axes its coefficients turn out to have."""
    found = c if is_inexact(c.dtype) else convert.cast(c, dtypes.default_float())
    shape = tf.shape(c)
    shape = tf.concat([shape, tf.ones([tf.maximum(1 - tf.size(shape), 0)], tf.int32)], 0)
    count = tf.size(vectors[0])
    found = value(basis, vectors[0], tf.reshape(found, tf.stack([shape[0], tf.reduce_prod(shape[1:])])))
    shape = tf.concat([shape[1:], [count]], 0)
    for other in vectors[1:]:
        columns = tf.where(tf.equal(tf.size(shape), 1), 1, shape[-1])
        series = tf.reshape(found, tf.stack([shape[0], tf.reduce_prod(shape[1:-1]), columns]))
        found = value(basis, other, series, tensor=False)
        shape = tf.concat([shape[1:-1], [count]], 0)
    return tf.reshape(found, shape)


def value_on_grid(basis: Basis, c: Any, *points: Any) -> tf.Tensor:
    """A series of several variables at the points of a grid."""
    return functools.reduce(lambda found, point: value(basis, point, found), points, c)


@array_function(unknown_rank="each")
def vandermonde(basis: Basis, x: Any, deg: Any) -> tf.Tensor:
    """P0, P1 ... up to a degree, along a last axis."""
    degree = shapes.as_int(deg)
    if degree < 0:
        raise ValueError("deg must be non-negative")
    x = ufuncs.add(at_least_one_axis(x), 0.0)
    found = [plus(times(x, 0), 1)]
    if degree > 0:
        found.append(basis.first(x))
    for n in range(2, degree + 1):
        found.append(basis.next(n, x, found[-1], found[-2]))
    return tf.stack(found, axis=-1)


@array_function(unknown_rank="each")
def vandermonde_together(basis: Basis, points: Sequence[Any], deg: Any) -> tf.Tensor:
    """Products of the polynomials of several variables, along a last axis."""
    degrees = _degrees(deg, len(points))
    stacked = tf.unstack(ufuncs.add(to_tensor([to_tensor(point) for point in points]), 0.0))
    matrices = [vandermonde(basis, x, degree) for x, degree in zip(stacked, degrees, strict=True)]
    front = shapes.shape(matrices[0])[:-1]
    found = matrices[0]
    for matrix in matrices[1:]:
        both = ufuncs.multiply(found[..., :, None], matrix[..., None, :])
        found = shapes.reshape(both, (*front, -1))  # which NumPy refuses, too, where there are no points
    if len(matrices) == 1 or found.shape.is_fully_defined():
        return found
    return check(tf.size(found) > 0, ValueError("cannot reshape array of size 0"), found)


def _degrees(deg: Any, count: int) -> list[Any]:
    if is_tensor(deg):
        deg = convert.static_value(deg)
        if deg is None:
            raise TypeError("degrees must be known while tracing")
    if len(deg) != count:
        raise ValueError(f"Expected {count} dimensions of degrees, got {len(deg)}")
    return list(deg)
