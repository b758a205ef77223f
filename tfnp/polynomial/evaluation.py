"""Values of series at points, and Vandermonde matrices."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.checks import check, make_assertion
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import is_recorded
from tfnp._core.edge import array_function
from tfnp._core.errors import requires_static
from tfnp._core.parameters import ArrayLike, IntLike
from tfnp._core.tensor_conversion import is_tensor
from tfnp._core.traces import trace
from tfnp.polynomial import dynamic_length
from tfnp.polynomial.arithmetic import Symbolic, as_operand, is_python_scalar, plus, times
from tfnp.polynomial.bases import POWERS, Basis
from tfnp.polynomial.coefficients import as_at_least_1d, as_inexact, is_dynamic, is_inexact, static_length, unstack_rows
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import prod

MAX_UNROLLED: Final = 128  # longer series are evaluated in a loop


@array_function(traces=("x", "c"))
def evaluate(basis: Basis, x: ArrayLike, c: ArrayLike, tensor: bool = True) -> tf.Tensor:
    """Evaluate by Clenshaw's recurrence, or Horner's rule for powers, along the first axis of `c`. With `tensor`,
    evaluate every series at every point, else broadcast `x` against the other axes of `c`.
    """
    x = as_operand(x)
    if isinstance(x, tf.Tensor):
        c = c if is_python_scalar(c) else to_tensor(c)
        if None in (x.shape.rank, getattr(c, "shape", x.shape).rank):
            if not tensor:
                return _evaluate_broadcast(basis, x, to_tensor(c))
            result = _evaluate_unknown_rank(basis, to_tensor(c), tf.reshape(x, (-1,)))
            return tf.reshape(result, tf.concat([tf.shape(result)[:-1], tf.shape(x)], 0))
    return _evaluate(basis, x, c, tensor)


@array_function(unknown_rank="each")
def _evaluate(basis: Basis, x: Any, c: Any, tensor: Any) -> tf.Tensor:
    c, x = _align(as_inexact(c), as_operand(x), tensor)
    if is_dynamic(c) or (static_length(c) > MAX_UNROLLED and not isinstance(x, Symbolic)):
        return _evaluate_in_loop(basis, x, c, _evaluate_at(basis, x, unstack_rows(dynamic_length.take_prefix(c))))
    return _evaluate_at(basis, x, unstack_rows(c))


def _evaluate_in_loop(basis: Basis, x: Any, c: tf.Tensor, like: tf.Tensor) -> tf.Tensor:
    """Evaluate in a loop, in the dtype of `like`; eager mode runs a traced graph, which is faster."""
    if not tf.executing_eagerly() or is_recorded():
        return dynamic_length.evaluate(basis, x, c, like)
    tensors = [to_tensor(x, like.dtype) if is_python_scalar(x) else x, c, like]
    specs = [tf.TensorSpec([None] * shapes.rank(tensor), tensor.dtype) for tensor in tensors]
    return trace(dynamic_length.evaluate, basis, specs=specs)(*tensors)


def _evaluate_at(basis: Basis, x: Any, parts: list[tf.Tensor]) -> tf.Tensor:
    if not parts:
        raise IndexError("index -1 is out of bounds for axis 0 with size 0")
    if basis is POWERS:
        start = plus(parts[-1], times(x, 0))
        return functools.reduce(lambda result, part: plus(part, times(result, x)), parts[-2::-1], start)
    c0, c1 = (parts[0], 0) if len(parts) == 1 else parts[-2:]
    for n in range(len(parts) - 1, 1, -1):
        c0, c1 = basis.step(n, x, parts[n - 2], c0, c1)
    return plus(c0, times(c1, basis.first(x)))


def _align(c: tf.Tensor, x: Any, tensor: Any) -> tuple[tf.Tensor, Any]:
    """Append an axis of length 1 to the coefficients for each axis of the points."""
    if not isinstance(x, tf.Tensor) or not tensor:
        return c, x
    return shapes.reshape(c, (*shapes.shape(c), *(1,) * shapes.rank(x))), x


@array_function(unknown_rank="each", traces=("x",))
def evaluate_from_roots(x: ArrayLike, r: ArrayLike, tensor: bool = True) -> tf.Tensor:
    r, x = as_inexact(r), as_operand(x)
    if isinstance(x, tf.Tensor) and not tensor and shapes.rank(x) >= shapes.rank(r):
        raise ValueError("x.ndim must be < r.ndim when tensor == False")
    r, x = _align(r, x, tensor)
    return prod(ufuncs.subtract(x, r), axis=0)


def evaluate_together(basis: Basis, c: ArrayLike, *points: ArrayLike) -> tf.Tensor:
    """Evaluate a series of several variables at points with coordinates of one shape."""
    tensors = [to_tensor(point) for point in points]
    message = f"{', '.join('xyz'[: len(points)])} are incompatible"
    if any(not tensors[0].shape.is_compatible_with(other.shape) for other in tensors[1:]):
        raise ValueError(message)
    c = to_tensor(c)
    if None not in (c.shape.rank, *(tensor.shape.rank for tensor in tensors)):
        tensors = [tensors[0], *[shapes.check_same_shape(tensors[0], other, message) for other in tensors[1:]]]
        result = evaluate(basis, tensors[0], c)
        for other in tensors[1:]:
            result = evaluate(basis, other, result, tensor=False)
        return result
    result = _evaluate_unknown_rank(basis, c, *[tf.reshape(tensor, (-1,)) for tensor in tensors])
    return tf.reshape(result, tf.concat([tf.shape(result)[:-1], _check_common_shape(tensors)], 0))


def _check_common_shape(tensors: Sequence[tf.Tensor]) -> tf.Tensor:
    """Return the shape of tensors of unknown rank; fail when the graph runs if they differ."""
    shape = [tf.shape(tensor) for tensor in tensors]
    same_rank = [tf.reduce_all(tf.equal(tf.size(dim), tf.size(shape[0]))) for dim in shape[1:]]
    with tf.control_dependencies([make_assertion(tf.reduce_all(same_rank), ["the coordinates are incompatible"])]):
        same_shape = [tf.reduce_all(tf.equal(dim, tf.identity(shape[0]))) for dim in shape[1:]]
    with tf.control_dependencies([make_assertion(tf.reduce_all(same_shape), ["the coordinates are incompatible"])]):
        return tf.identity(shape[0])


def _evaluate_unknown_rank(basis: Basis, c: tf.Tensor, *vectors: tf.Tensor) -> tf.Tensor:
    """Evaluate at vectors of points; the rank of the coefficients is unknown."""
    result = c if is_inexact(c.dtype) else convert.cast(c, dtypes.default_float())
    shape = _lengthen(tf.shape(c), 1)
    count = tf.size(vectors[0])
    result = evaluate(basis, vectors[0], tf.reshape(result, tf.stack([shape[0], tf.reduce_prod(shape[1:])])))
    shape = tf.concat([shape[1:], [count]], 0)
    for other in vectors[1:]:
        columns = tf.where(tf.equal(tf.size(shape), 1), 1, shape[-1])
        series = tf.reshape(result, tf.stack([shape[0], tf.reduce_prod(shape[1:-1]), columns]))
        result = evaluate(basis, other, series, tensor=False)
        shape = tf.concat([shape[1:-1], [count]], 0)
    return tf.reshape(result, shape)


def _evaluate_broadcast(basis: Basis, x: tf.Tensor, c: tf.Tensor) -> tf.Tensor:
    """Evaluate with the points broadcast against the series, of which one has an unknown rank: as vectors."""
    c = c if is_inexact(c.dtype) else convert.cast(c, dtypes.default_float())
    lengths = _lengthen(tf.shape(c), 1)
    shape = tf.broadcast_dynamic_shape(lengths[1:], tf.shape(x))
    aligned = tf.reshape(c, tf.concat([lengths[:1], _lengthen(lengths[1:], tf.size(shape))], 0))
    series = tf.reshape(tf.broadcast_to(aligned, tf.concat([lengths[:1], shape], 0)), tf.stack([lengths[0], -1]))
    result = evaluate(basis, tf.reshape(tf.broadcast_to(x, shape), (-1,)), series, tensor=False)
    return tf.reshape(result, shape)


def _lengthen(shape: tf.Tensor, rank: Any) -> tf.Tensor:
    """Return a shape with ones in front, so that it has at least this rank."""
    return tf.concat([tf.ones([tf.maximum(rank - tf.size(shape), 0)], tf.int32), shape], 0)


def evaluate_on_grid(basis: Basis, c: ArrayLike, *points: ArrayLike) -> tf.Tensor:
    """Evaluate a series of several variables on a grid."""
    return functools.reduce(lambda result, point: evaluate(basis, point, result), points, c)


@array_function(unknown_rank="each")
def make_vandermonde(basis: Basis, x: ArrayLike, deg: IntLike) -> tf.Tensor:
    """Return P0, P1, ... up to a degree, along a new last axis."""
    degree = shapes.as_int(deg)
    if degree < 0:
        raise ValueError("deg must be non-negative")
    x = ufuncs.add(as_at_least_1d(x), 0.0)
    result = [plus(times(x, 0), 1)]
    if degree > 0:
        result.append(basis.first(x))
    for n in range(2, degree + 1):
        result.append(basis.next(n, x, result[-1], result[-2]))
    return tf.stack(result, axis=-1)


@array_function(unknown_rank="each")
def make_joint_vandermonde(basis: Basis, points: Sequence[Any], deg: Sequence[IntLike]) -> tf.Tensor:
    """Return products of the polynomials of several variables, along a new last axis."""
    degrees = _as_degrees(deg, len(points))
    stacked = tf.unstack(ufuncs.add(to_tensor([to_tensor(point) for point in points]), 0.0))
    matrices = [make_vandermonde(basis, x, degree) for x, degree in zip(stacked, degrees, strict=True)]
    batch_shape = shapes.shape(matrices[0])[:-1]
    result = matrices[0]
    for matrix in matrices[1:]:
        joint = ufuncs.multiply(result[..., :, None], matrix[..., None, :])
        result = shapes.reshape(joint, (*batch_shape, -1))  # raises without points, as in NumPy
    if len(matrices) == 1 or result.shape.is_fully_defined():
        return result
    return check(tf.size(result) > 0, ValueError("cannot reshape array of size 0"), result)


def _as_degrees(deg: Any, count: int) -> list[Any]:
    if is_tensor(deg):
        deg = convert.static_value(deg)
        if deg is None:
            raise requires_static("deg", "vander")
    if len(deg) != count:
        raise ValueError(f"Expected {count} dimensions of degrees, got {len(deg)}")
    return list(deg)
