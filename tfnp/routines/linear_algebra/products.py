"""Products of vectors, matrices and tensors, by way of the product of two matrices."""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from tfnp._core import convert, dtypes, layout, outputs, shapes
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import not_a_variable_error
from tfnp._core.variables import store
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.linalg import contraction
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import SUM

__all__ = ["cross", "diagonal", "dot", "inner", "kron", "outer", "tensordot", "trace", "vdot"]

Axes = list[int]
SIDES: Final = "incompatible dimensions for cross product\n(dimension must be 2 or 3)"
BLAS: Final = (tf.float32, tf.float64, tf.complex64, tf.complex128)


@array_function(promotes=("a", "b"), unknown_rank="each")
def dot(a: Any, b: Any, out: Any = None) -> tf.Tensor:
    if out is not None and not isinstance(out, tf.Variable):
        raise not_a_variable_error("out", out)
    a, b = _alike(a, b)
    if not (shapes.rank(a) and shapes.rank(b)):
        result = _times_number(a, b)
        if out is None:
            return result
        strict = a.dtype in BLAS and max(shapes.rank(a), shapes.rank(b)) < 3
        return _deliver(result, out) if strict else outputs.write_output(result, out)
    result = _contracted(a, [shapes.rank(a) - 1], b, [max(shapes.rank(b) - 2, 0)], aligned=True)
    return result if out is None else _deliver(result, out)


def _times_number(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """A product by a tensor of rank 0."""
    if 0 < shapes.rank(a) < 3:
        a = _beside(a, b)
    if 0 < shapes.rank(b) < 3:
        b = _beside(b, a)
    return ufuncs.multiply(a, b)


def _beside(a: tf.Tensor, number: tf.Tensor) -> tf.Tensor:
    """A factor of a number. Where that is zero so is the product, even of what is infinite or nan: BLAS, which NumPy
    asks in these dtypes, has nothing to do then. For a single element it is not asked.
    """
    if a.dtype not in BLAS or a.shape.num_elements() == 1:
        return a
    zero = tf.zeros((), a.dtype)
    nothing = tf.equal(tf.reshape(number, ()), zero)
    return layout.select(tf.logical_and(nothing, tf.logical_not(ufuncs.isfinite(a))), zero, a)


def _alike(a: Any, b: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """In NumPy's common dtype. Numbers are no weaker than arrays here."""
    a, b = to_tensor(a), to_tensor(b)
    dtype = dtypes.result_type(a, b)
    return convert.cast(a, dtype), convert.cast(b, dtype)


def _deliver(result: tf.Tensor, out: tf.Variable) -> tf.Variable:
    if out.dtype != result.dtype or not out.shape.is_compatible_with(result.shape):
        raise ValueError("output array is not acceptable (must have the right datatype, number of dimensions)")
    store(out, result)
    return out


def _contracted(a: tf.Tensor, over: Axes, b: tf.Tensor, along: Axes, *, aligned: bool = False) -> tf.Tensor:
    """The sum of products over pairs of axes; what is left of `a`, then what is left of `b`."""
    own, other = shapes.shape(a), shapes.shape(b)
    for first, second in zip(over, along, strict=True):
        pair = own[first], other[second]
        if all(isinstance(dim, int) for dim in pair) and pair[0] != pair[1]:
            text = f"shapes {shapes.format_shape(own)} and {shapes.format_shape(other)} not aligned"
            raise ValueError(text if aligned else "shape-mismatch for sum")
    left = [axis for axis in range(len(own)) if axis not in over]
    right = [axis for axis in range(len(other)) if axis not in along]
    shape = [*(own[axis] for axis in left), *(other[axis] for axis in right)]
    summed = layout.product([own[axis] for axis in over])
    rows = _as_matrix(a, (*left, *over), layout.product([own[axis] for axis in left]), summed)
    columns = _as_matrix(b, (*along, *right), summed, layout.product([other[axis] for axis in right]))
    if max(len(own), len(other)) < 3 or not aligned:
        if columns.shape.num_elements() == 1:
            rows = _beside(rows, columns)
        elif rows.shape.num_elements() == 1:
            columns = _beside(columns, rows)
    return tf.reshape(contraction.matmul(rows, columns), shapes.shape_tensor(shape))


def _as_matrix(a: tf.Tensor, order: tuple[int, ...], rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    if order != tuple(range(len(order))):
        a = layout.transpose(a, order)
    return tf.reshape(a, shapes.shape_tensor((rows, columns)))


@array_function(promotes=("a", "b"), unknown_rank="each")
def vdot(a: Any, b: Any, /) -> tf.Tensor:
    first, second = ravel(a), ravel(b)
    if isinstance(b, list | tuple) and second.shape[0] == 0:  # which has no dtype to add
        second = tf.cast(second, first.dtype)
    a, b = _alike(first, second)
    if not a.shape.is_compatible_with(b.shape):
        raise ValueError(f"cannot reshape array of size {b.shape[0]} into shape {shapes.format_shape(tuple(a.shape))}")
    return _contracted(tf.math.conj(a) if a.dtype.is_complex else a, [0], b, [0])


@array_function(promotes=("a", "b"), unknown_rank="each")
def inner(a: Any, b: Any, /) -> tf.Tensor:
    a, b = _alike(a, b)
    if not (shapes.rank(a) and shapes.rank(b)):
        return _times_number(a, b)
    return _contracted(a, [shapes.rank(a) - 1], b, [shapes.rank(b) - 1], aligned=True)


@array_function(promotes=("a", "b"), unknown_rank="each")
def outer(a: Any, b: Any, out: Any = None) -> tf.Tensor:
    a, b = ravel(a), ravel(b)
    return ufuncs.multiply(a[:, None], b[None, :], *(() if out is None else (out,)))


@array_function(promotes=("a", "b"), unknown_rank="each")
def tensordot(a: Any, b: Any, axes: Any = 2) -> tf.Tensor:
    over, along = _named(convert.static_value(axes))
    a, b = _alike(a, b)
    own, other = shapes.rank(a), shapes.rank(b)
    if len(over) != len(along):
        raise ValueError("shape-mismatch for sum")
    if len(set(over)) != len(over) or len(set(along)) != len(along):
        raise ValueError("duplicate axes are not allowed in tensordot")
    for index, (first, second) in enumerate(zip(over, along, strict=True)):
        if not (-own <= first < own and -other <= second < other):
            raise IndexError("tuple index out of range")
        if None not in (a.shape[first], b.shape[second]) and a.shape[first] != b.shape[second]:
            raise ValueError("shape-mismatch for sum")
        over[index], along[index] = first % own, second % other
    return _contracted(a, over, b, along)


def _named(axes: Any) -> tuple[Axes, Axes]:
    """The axes of both: a count stands for the last of the one and the first of the other."""
    try:
        iter(axes)
    except TypeError:
        count = shapes.as_int(axes)
        return list(range(-count, 0)), list(range(count))
    first, second = axes
    return _listed(first), _listed(second)


def _listed(axes: Any) -> Axes:
    static = convert.static_value(axes)
    try:
        return [shapes.as_int(axis) for axis in static]
    except TypeError:
        if not hasattr(static, "__index__"):
            raise
        return [shapes.as_int(static)]


@array_function(promotes=("a", "b"), unknown_rank="each")
def kron(a: Any, b: Any) -> tf.Tensor:
    a, b = to_tensor(a), to_tensor(b)
    rank = max(shapes.rank(a), shapes.rank(b))
    own = (1,) * (rank - shapes.rank(a)) + shapes.shape(a)
    other = (1,) * (rank - shapes.rank(b)) + shapes.shape(b)
    upcast = shapes.reshape(a, [dim for pair in zip(own, (1,) * rank, strict=True) for dim in pair])
    narrow = shapes.reshape(b, [dim for pair in zip((1,) * rank, other, strict=True) for dim in pair])
    return shapes.reshape(ufuncs.multiply(upcast, narrow), [x * y for x, y in zip(own, other, strict=True)])


@array_function(promotes=("a", "b"))
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> tf.Tensor:
    """Of vectors in the plane, the third component alone."""
    if axis is not None:
        axisa = axisb = axisc = axis
    from_the_end = all(type(number) is int and number < 0 for number in (axisa, axisb))
    return (_CROSS_WIDENED if from_the_end else _CROSS_BY_RANK)(a, b, axisa, axisb, axisc)


def _cross(a: Any, b: Any, axisa: Any, axisb: Any, axisc: Any) -> tf.Tensor:
    a, b = to_tensor(a), to_tensor(b)
    if shapes.rank(a) < 1 or shapes.rank(b) < 1:
        raise ValueError("At least one array has zero dimension")
    first = shapes.normalize_axis(axisa, shapes.rank(a), "axisa")
    second = shapes.normalize_axis(axisb, shapes.rank(b), "axisb")
    ranks = shapes.rank(a), shapes.rank(b)
    dtype = dtypes.result_type(a, b)
    a = convert.cast(layout.move_axis(a, first, ranks[0] - 1), dtype)
    b = convert.cast(layout.move_axis(b, second, ranks[1] - 1), dtype)
    if None in (a.shape[-1], b.shape[-1]):
        return _crossed_by_length(a, b, axisc)
    return _crossed(a, b, axisc)


_CROSS_BY_RANK, _CROSS_WIDENED = (
    array_function(unknown_rank="each")(_cross),
    array_function(unknown_rank="broadcast")(_cross),
)  # of axes from the end, sides before are none


def _crossed(a: tf.Tensor, b: tf.Tensor, axisc: Any) -> tf.Tensor:
    if a.shape[-1] not in (2, 3) or b.shape[-1] not in (2, 3):
        raise ValueError(SIDES)
    x, y = tf.unstack(a, axis=-1), tf.unstack(b, axis=-1)
    if len(x) == len(y) == 2:
        return _turned(x[0], y[1], x[1], y[0])
    target = shapes.normalize_axis(axisc, max(shapes.rank(a), shapes.rank(b)), "axisc")
    parts = _components(x, y)
    common = shapes.broadcast_shapes(*map(shapes.shape, parts))
    return tf.stack([shapes.broadcast_to(part, common) for part in parts], axis=target)


def _crossed_by_length(a: tf.Tensor, b: tf.Tensor, axisc: Any) -> tf.Tensor:
    """Of vectors of two components or three, as a graph finds out when it runs: not even the rank is known before."""
    flat = [tf.equal(tf.shape(vectors)[-1], 2) for vectors in (a, b)]
    is_valid = tf.reduce_all([is_flat | tf.equal(tf.shape(x)[-1], 3) for is_flat, x in zip(flat, (a, b), strict=True)])
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [SIDES])]):
        x, y = (_padded(vectors) for vectors in (a, b))
    forms = zip(_components(x[:2], y), _components(x, y[:2]), _components(x, y), strict=True)
    parts = [tf.where(flat[0], first, tf.where(flat[1], second, whole)) for first, second, whole in forms]
    target = shapes.normalize_axis(axisc, max(shapes.rank(a), shapes.rank(b)), "axisc")
    return tf.cond(flat[0] & flat[1], lambda: parts[2], lambda: tf.stack(parts, axis=target))


def _padded(vectors: tf.Tensor) -> list[tf.Tensor]:
    """Three components of each, the last of which is zero where there are but two."""
    axis = shapes.rank(vectors) - 1
    more = tf.concat([vectors, tf.zeros_like(layout.slice_along(vectors, axis, 0, 1))], axis)
    return tf.unstack(layout.slice_along(more, axis, 0, 3), 3, axis=axis)


def _turned(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, d: tf.Tensor) -> tf.Tensor:
    """Each product is rounded first: where both overflow, their difference is nan under XLA, too."""
    products = ufuncs.multiply(a, b), ufuncs.multiply(c, d)
    return ufuncs.subtract(*(arithmetic.round_to(x) if x.dtype.is_floating else x for x in products))


def _components(x: list[tf.Tensor], y: list[tf.Tensor]) -> list[tf.Tensor]:
    """A vector of two lies in the plane: its third component is left out, and not multiplied by."""
    if len(x) == 2:
        return [
            ufuncs.multiply(x[1], y[2]),
            ufuncs.negative(ufuncs.multiply(x[0], y[2])),
            _turned(x[0], y[1], x[1], y[0]),
        ]
    if len(y) == 2:
        return [
            ufuncs.negative(ufuncs.multiply(x[2], y[1])),
            ufuncs.multiply(x[2], y[0]),
            _turned(x[0], y[1], x[1], y[0]),
        ]
    return [_turned(x[i], y[j], x[j], y[i]) for i, j in ((1, 2), (2, 0), (0, 1))]


@array_function(promotes=("a",), unknown_rank="each")
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> tf.Tensor:
    """A copy, never a view."""
    a = to_tensor(a)
    rank = shapes.rank(a)
    shift = shapes.as_int(offset)
    numbers = shapes.as_int(axis1), shapes.as_int(axis2)
    if rank < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = shapes.normalize_axis(numbers[0], rank, "axis1"), shapes.normalize_axis(numbers[1], rank, "axis2")
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    remaining = [axis for axis in range(rank) if axis not in (first, second)]
    a = layout.transpose(a, (*remaining, first, second))
    *shape, rows, columns = shapes.shape(a)
    start = shift if shift >= 0 else -shift * columns
    count = _length(rows, columns, shift)
    flat = tf.reshape(a, shapes.shape_tensor((*shape, rows * columns)))
    indices = layout.positions(count) * tf.cast(columns + 1, tf.int64) + tf.cast(start, tf.int64)
    found = layout.take(flat, indices, len(shape))
    found.set_shape([*flat.shape[:-1], count if isinstance(count, int) else None])
    return found


def _length(rows: shapes.Dim, columns: shapes.Dim, shift: int) -> shapes.Dim:
    high, upcast = (rows, columns - shift) if shift >= 0 else (rows + shift, columns)
    if isinstance(high, int) and isinstance(upcast, int):
        return max(min(high, upcast), 0)
    return tf.maximum(tf.minimum(high, upcast), 0)


@array_function(promotes=("a",), unknown_rank="each")
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> tf.Tensor:
    return SUM.reduce(diagonal(a, offset, axis1, axis2), -1, None if dtype is None else dtypes.as_dtype(dtype), out)
