"""Products of vectors, matrices and tensors, as matrix products."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, layout, ops, outputs, shapes
from tfnp._core.checks import make_assertion
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, shape_of, size_of
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, Out
from tfnp._core.variables import store
from tfnp._kernels.complex import arithmetic
from tfnp._kernels.linalg import contraction
from tfnp.routines.manipulation.shaping import ravel
from tfnp.routines.math import ufuncs
from tfnp.routines.math.reductions import SUM

__all__ = ["cross", "diagonal", "dot", "inner", "kron", "outer", "tensordot", "trace", "vdot"]

Axes = list[int]
_CROSS_DIMENSION: Final = "incompatible dimensions for cross product\n(dimension must be 2 or 3)"
_FLOATS: Final = frozenset((tf.float32.as_datatype_enum, tf.float64.as_datatype_enum))
_BLAS_DTYPES: Final = (tf.float32, tf.float64, tf.complex64, tf.complex128)


@array_function(promotes=("a", "b"))
def dot(a: ArrayLike, b: ArrayLike, out: Out = None) -> tf.Tensor:
    """Python scalars have their default dtypes in promotion, as in NumPy. float16 and bfloat16 are summed in float32.

    `out` must be a tf.Variable of the dtype and shape of the result.
    """
    if type(a) is type(b) is EagerTensor and out is None and enum_of(a) == enum_of(b) and enum_of(a) in _FLOATS:
        shape_a, shape_b = shape_of(a), shape_of(b)
        if len(shape_a) == len(shape_b) == 2 and shape_a[1] == shape_b[0] and size_of(a) > 1 and size_of(b) > 1:
            return contraction.matmul(a, b)
    return _dot(a, b, out)


@array_function(unknown_rank="each", traces=("a", "b"))
def _dot(a: Any, b: Any, out: Any) -> tf.Tensor:
    """Return the product of any array-likes."""
    out = outputs.as_variable(out)
    a, b = _cast_to_common(a, b)
    if not (shapes.rank(a) and shapes.rank(b)):
        result = _multiply_scalar(a, b)
        if out is None:
            return result
        strict = a.dtype in _BLAS_DTYPES and max(shapes.rank(a), shapes.rank(b)) < 3
        return _write_output(result, out) if strict else outputs.write_output(result, out)
    result = _sum_products(a, [shapes.rank(a) - 1], b, [max(shapes.rank(b) - 2, 0)], aligned=True)
    return result if out is None else _write_output(result, out)


def _multiply_scalar(a: tf.Tensor, b: tf.Tensor) -> tf.Tensor:
    """Return the product where one operand is a scalar."""
    if 0 < shapes.rank(a) < 3:
        a = _zero_nonfinite(a, b)
    if 0 < shapes.rank(b) < 3:
        b = _zero_nonfinite(b, a)
    return ufuncs.multiply(a, b)


def _zero_nonfinite(a: tf.Tensor, scalar: tf.Tensor) -> tf.Tensor:
    """Replace inf and nan in an array by zero, if the scalar to multiply it by is zero.

    For these dtypes NumPy calls BLAS, which skips a factor of zero, unless the array has a single element.
    """
    if a.dtype not in _BLAS_DTYPES or a.shape.num_elements() == 1:
        return a
    zero = tf.zeros((), a.dtype)
    is_zero = tf.equal(tf.reshape(scalar, ()), zero)
    return layout.select(tf.logical_and(is_zero, tf.logical_not(ufuncs.isfinite(a))), zero, a)


def _cast_to_common(a: Any, b: Any) -> tuple[tf.Tensor, tf.Tensor]:
    """Cast both to their common dtype, in which Python scalars are not weak."""
    a, b = to_tensor(a), to_tensor(b)
    dtype = dtypes.result_type(a, b)
    dtypes.check_arithmetic(dtype, "a product of arrays")
    return convert.cast(a, dtype), convert.cast(b, dtype)


def _write_output(result: tf.Tensor, out: tf.Variable) -> tf.Variable:
    if out.dtype != result.dtype or not out.shape.is_compatible_with(result.shape):
        raise ValueError("output array is not acceptable (must have the right datatype, number of dimensions)")
    store(out, result)
    return out


def _sum_products(a: tf.Tensor, axes_a: Axes, b: tf.Tensor, axes_b: Axes, *, aligned: bool = False) -> tf.Tensor:
    """Sum the products over pairs of axes. The result has the other axes of `a`, then those of `b`."""
    dtypes.check_arithmetic(a.dtype, "a product of arrays")
    shape_a, shape_b = shapes.shape(a), shapes.shape(b)
    for first, second in zip(axes_a, axes_b, strict=True):
        dims = shape_a[first], shape_b[second]
        if all(isinstance(dim, int) for dim in dims) and dims[0] != dims[1]:
            message = f"shapes {shapes.format_shape(shape_a)} and {shapes.format_shape(shape_b)} not aligned"
            raise ValueError(message if aligned else "shape-mismatch for sum")
    outer_a = [axis for axis in range(len(shape_a)) if axis not in axes_a]
    outer_b = [axis for axis in range(len(shape_b)) if axis not in axes_b]
    shape = [*(shape_a[axis] for axis in outer_a), *(shape_b[axis] for axis in outer_b)]
    inner_size = layout.product([shape_a[axis] for axis in axes_a])
    rows = _as_matrix(a, (*outer_a, *axes_a), layout.product([shape_a[axis] for axis in outer_a]), inner_size)
    columns = _as_matrix(b, (*axes_b, *outer_b), inner_size, layout.product([shape_b[axis] for axis in outer_b]))
    if max(len(shape_a), len(shape_b)) < 3 or not aligned:
        if columns.shape.num_elements() == 1:
            rows = _zero_nonfinite(rows, columns)
        elif rows.shape.num_elements() == 1:
            columns = _zero_nonfinite(columns, rows)
    return tf.reshape(contraction.matmul(rows, columns), shapes.shape_tensor(shape))


def _as_matrix(a: tf.Tensor, order: tuple[int, ...], rows: shapes.Dim, columns: shapes.Dim) -> tf.Tensor:
    if order != tuple(range(len(order))):
        a = layout.transpose(a, order)
    return tf.reshape(a, shapes.shape_tensor((rows, columns)))


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def vdot(a: ArrayLike, b: ArrayLike, /) -> tf.Tensor:
    """float16 and bfloat16 are summed in float32."""
    first, second = ravel(a), ravel(b)
    if isinstance(b, list | tuple) and second.shape[0] == 0:  # an empty list does not influence the dtype
        second = tf.cast(second, first.dtype)
    a, b = _cast_to_common(first, second)
    if not a.shape.is_compatible_with(b.shape):
        raise ValueError(f"cannot reshape array of size {b.shape[0]} into shape {shapes.format_shape(tuple(a.shape))}")
    return _sum_products(tf.math.conj(a) if a.dtype.is_complex else a, [0], b, [0])


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def inner(a: ArrayLike, b: ArrayLike, /) -> tf.Tensor:
    """float16 and bfloat16 are summed in float32."""
    a, b = _cast_to_common(a, b)
    if not (shapes.rank(a) and shapes.rank(b)):
        return _multiply_scalar(a, b)
    return _sum_products(a, [shapes.rank(a) - 1], b, [shapes.rank(b) - 1], aligned=True)


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def outer(a: ArrayLike, b: ArrayLike, out: Out = None) -> tf.Tensor:
    """`out` must be a tf.Variable."""
    return ufuncs.multiply.outer(ravel(a), ravel(b), **({} if out is None else {"out": out}))


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> tf.Tensor:
    """`axes` must be static. float16 and bfloat16 are summed in float32."""
    axes_a, axes_b = _as_axes_pair(convert.static_value(axes))
    a, b = _cast_to_common(a, b)
    rank_a, rank_b = shapes.rank(a), shapes.rank(b)
    if len(axes_a) != len(axes_b):
        raise ValueError("shape-mismatch for sum")
    if len(set(axes_a)) != len(axes_a) or len(set(axes_b)) != len(axes_b):
        raise ValueError("duplicate axes are not allowed in tensordot")
    for index, (first, second) in enumerate(zip(axes_a, axes_b, strict=True)):
        if not (-rank_a <= first < rank_a and -rank_b <= second < rank_b):
            raise IndexError("tuple index out of range")
        if None not in (a.shape[first], b.shape[second]) and a.shape[first] != b.shape[second]:
            raise ValueError("shape-mismatch for sum")
        axes_a[index], axes_b[index] = first % rank_a, second % rank_b
    return _sum_products(a, axes_a, b, axes_b)


def _as_axes_pair(axes: Any) -> tuple[Axes, Axes]:
    """Return the axes of both operands. An int N means the last N axes of the first, and the first N of the second."""
    try:
        iter(axes)
    except TypeError:
        count = shapes.as_int(axes)
        return list(range(-count, 0)), list(range(count))
    first, second = axes
    return _as_axes(first), _as_axes(second)


def _as_axes(axes: Any) -> Axes:
    static = convert.static_value(axes)
    try:
        return [shapes.as_int(axis) for axis in static]
    except TypeError:
        if not hasattr(static, "__index__"):
            raise
        return [shapes.as_int(static)]


@array_function(promotes=("a", "b"), unknown_rank="each", traces=("a", "b"))
def kron(a: ArrayLike, b: ArrayLike) -> tf.Tensor:
    """The ranks of `a` and `b` may be unknown while tracing."""
    a, b = to_tensor(a), to_tensor(b)
    rank = max(shapes.rank(a), shapes.rank(b))
    shape_a, shape_b = (shapes.shape(shapes.pad_rank(x, rank)) for x in (a, b))
    expanded_a = shapes.reshape(a, [dim for pair in zip(shape_a, (1,) * rank, strict=True) for dim in pair])
    expanded_b = shapes.reshape(b, [dim for pair in zip((1,) * rank, shape_b, strict=True) for dim in pair])
    return shapes.reshape(
        ufuncs.multiply(expanded_a, expanded_b), [dim_a * dim_b for dim_a, dim_b in zip(shape_a, shape_b, strict=True)]
    )


@array_function(promotes=("a", "b"), traces=("a", "b"))
def cross(
    a: ArrayLike,
    b: ArrayLike,
    axisa: IntLike = -1,
    axisb: IntLike = -1,
    axisc: IntLike = -1,
    axis: IntLike | None = None,
) -> tf.Tensor:
    """Vectors with two components emit no DeprecationWarning.

    The number of components may be unknown while tracing; the rank of the result is then unknown, too.
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = _cast_to_common(a, b)
    a, b = _as_vectors(a, axisa, "axisa"), _as_vectors(b, axisb, "axisb")
    if None in (a.shape[-1], b.shape[-1]):
        return _cross_dynamic_length(a, b, axisc)
    x, y = (ops.unstack(vectors, vectors.shape[-1], -1) for vectors in (a, b))
    if len(x) == len(y) == 2:
        return _subtract_products(x[0], y[1], x[1], y[0])
    axisc = shapes.normalize_axis(axisc, max(shapes.rank(a), shapes.rank(b)), "axisc")
    components = _cross_components(x, y)
    shape = shapes.broadcast_shapes(*map(shapes.shape, components))
    return ops.stack([shapes.broadcast_to(component, shape) for component in components], axisc)


@array_function(unknown_rank="each")
def _as_vectors(a: tf.Tensor, axis: Any, name: str) -> tf.Tensor:
    """Return the tensor with its axis of two or three components at the end."""
    if shapes.rank(a) < 1:
        raise ValueError("At least one array has zero dimension")
    a = layout.move_axis(a, shapes.normalize_axis(axis, shapes.rank(a), name), shapes.rank(a) - 1)
    if a.shape[-1] not in (2, 3, None):
        raise ValueError(_CROSS_DIMENSION)
    return a


def _cross_components(x: list[tf.Tensor], y: list[tf.Tensor]) -> list[tf.Tensor]:
    """Return the three components. A missing third one is left out: infinity times zero would be nan."""
    third = _subtract_products(x[0], y[1], x[1], y[0])
    if len(x) == 2:
        return [ufuncs.multiply(x[1], y[2]), ufuncs.negative(ufuncs.multiply(x[0], y[2])), third]
    if len(y) == 2:
        return [ufuncs.negative(ufuncs.multiply(x[2], y[1])), ufuncs.multiply(x[2], y[0]), third]
    return [*(_subtract_products(x[i], y[j], x[j], y[i]) for i, j in ((1, 2), (2, 0))), third]


def _subtract_products(a: tf.Tensor, b: tf.Tensor, c: tf.Tensor, d: tf.Tensor) -> tf.Tensor:
    """Return a * b - c * d. Both products are rounded first: XLA would fuse them, and inf - inf would not be nan."""
    products = ufuncs.multiply(a, b), ufuncs.multiply(c, d)
    return ufuncs.subtract(*(arithmetic.round_to(x) if x.dtype.is_floating else x for x in products))


def _cross_dynamic_length(a: tf.Tensor, b: tf.Tensor, axisc: Any) -> tf.Tensor:
    """Return the cross product where the numbers of components, and so the rank, are known when the graph runs."""
    has_two = [tf.equal(tf.shape(vectors)[-1], 2) for vectors in (a, b)]
    is_valid = tf.reduce_all([two | tf.equal(tf.shape(x)[-1], 3) for two, x in zip(has_two, (a, b), strict=True)])
    with tf.control_dependencies([make_assertion(is_valid, [_CROSS_DIMENSION])]):
        x, y = _pad_to_three(a), _pad_to_three(b)
    cases = zip(_cross_components(x[:2], y), _cross_components(x, y[:2]), _cross_components(x, y), strict=True)
    components = [tf.where(has_two[0], first, tf.where(has_two[1], second, both)) for first, second, both in cases]
    are_both = tf.cast(has_two[0] & has_two[1], tf.int32)
    vectors = tf.concat([tf.expand_dims(component, -1) for component in components], -1)[..., 2 * are_both :]
    moved = vectors if type(axisc) is int and axisc == -1 else _move_last_axis(vectors, axisc)
    # Of two components each, the axis of the only one is left out: by slices of a shape, since XLA compiles no tf.cond
    # whose branches have different ranks.
    shape, of_scalars = tf.shape(moved), tf.shape(vectors)[:-1]
    start = (1 - are_both) * tf.size(of_scalars)
    return tf.reshape(moved, tf.slice(tf.concat([of_scalars, shape], 0), [start], [tf.size(shape) - are_both]))


@array_function(unknown_rank="each")
def _move_last_axis(vectors: tf.Tensor, axis: Any) -> tf.Tensor:
    rank = shapes.rank(vectors)
    return layout.move_axis(vectors, rank - 1, shapes.normalize_axis(axis, rank, "axisc"))


def _pad_to_three(vectors: tf.Tensor) -> list[tf.Tensor]:
    """Return three components; the third is zero where there are two."""
    padded = tf.concat([vectors, tf.zeros_like(vectors[..., :1])], -1)
    return [padded[..., index] for index in range(3)]


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def diagonal(a: ArrayLike, offset: IntLike = 0, axis1: IntLike = 0, axis2: IntLike = 1) -> tf.Tensor:
    """Return a copy, never a view. `offset` and the axes must be static."""
    a = to_tensor(a)
    rank = shapes.rank(a)
    k = shapes.as_int(offset)
    axis1, axis2 = shapes.as_int(axis1), shapes.as_int(axis2)
    if rank < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    first, second = shapes.normalize_axis(axis1, rank, "axis1"), shapes.normalize_axis(axis2, rank, "axis2")
    if first == second:
        raise ValueError("axis1 and axis2 cannot be the same")
    if abs(first - second) != 1:
        other_axes = [axis for axis in range(rank) if axis not in (first, second)]
        a, first, second = layout.transpose(a, (*other_axes, first, second)), rank - 2, rank - 1
    return _take_diagonal(a, k, first, second)


def _take_diagonal(a: tf.Tensor, k: int, first: int, second: int) -> tf.Tensor:
    """Return the k-th diagonals of adjacent axes, as the last axis of the result: no other elements are moved."""
    shape, axis = shapes.shape(a), min(first, second)
    rows, columns = shape[first], shape[second]
    count = _count_diagonal(rows, columns, k)
    row, column = max(-k, 0), max(k, 0)
    start, length = (row * columns + column, columns) if first < second else (column * rows + row, rows)
    flat = tf.reshape(a, shapes.shape_tensor((*shape[:axis], rows * columns, *shape[axis + 2 :])))
    if shapes.is_static((count, start, length)):
        indices = np.arange(count, dtype=np.int64) * (length + 1) + start
    else:
        indices = layout.positions(count) * tf.cast(length + 1, tf.int64) + tf.cast(start, tf.int64)
    result = layout.take(flat, indices, axis)
    dims = flat.shape.as_list()
    result.set_shape([*dims[:axis], count if isinstance(count, int) else None, *dims[axis + 1 :]])
    if axis == len(dims) - 1:
        return result
    return layout.transpose(result, (*range(axis), *range(axis + 1, len(dims)), axis))


def _count_diagonal(rows: shapes.Dim, columns: shapes.Dim, k: int) -> shapes.Dim:
    """Return the number of elements of the k-th diagonal."""
    rows, columns = (rows, columns - k) if k >= 0 else (rows + k, columns)
    if isinstance(rows, int) and isinstance(columns, int):
        return max(min(rows, columns), 0)
    return tf.maximum(tf.minimum(rows, columns), 0)


@array_function(promotes=("a",), unknown_rank="each", traces=("a",))
def trace(
    a: ArrayLike,
    offset: IntLike = 0,
    axis1: IntLike = 0,
    axis2: IntLike = 1,
    dtype: DTypeLike | None = None,
    out: Out = None,
) -> tf.Tensor:
    """float16 and bfloat16 are summed in float32. `offset` and the axes must be static."""
    return SUM.reduce(diagonal(a, offset, axis1, axis2), -1, None if dtype is None else dtypes.as_dtype(dtype), out)
