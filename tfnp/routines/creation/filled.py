"""New arrays filled with a value, and conversion of values to tensors.

Small arrays are made on the host, and TensorFlow takes over their memory. Where the shape is dynamic, or a graph would
have to hold many elements as a constant, an op fills them.
"""

from __future__ import annotations

import inspect
import math
from typing import Any, Final, cast

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, ops, shapes, weak_types
from tfnp._core.arguments import check_copy, check_like, check_order, check_subok, is_array, on_device
from tfnp._core.array_subclasses import as_base_array
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.eager_tensors import EagerTensor, enum_of, place_tensor, shape_of
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, IntLike, ShapeLike
from tfnp._core.tensor_conversion import apply_conversion, is_tensor

__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "astype",
    "copy",
    "empty",
    "empty_like",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "require",
    "zeros",
    "zeros_like",
]

_HOST_ENUMS: Final = frozenset(dtypes.BY_ENUM) - {tf.string.as_datatype_enum}
_MAX_HOST_SIZE: Final = 4096  # up to this size the host is faster than an op
_MAX_INT: Final = 2**63 - 1
_SCALARS: Final = frozenset((bool, int, float, complex))
_NO_COPY: Final = "Unable to avoid copy while creating an array as requested."


def empty(
    shape: ShapeLike, dtype: DTypeLike | None = None, order: str = "C", *, device: str | None = None, like: None = None
) -> tf.Tensor:
    """Return zeros: a tensor has no uninitialized memory."""
    return zeros(shape, dtype, order, device=device, like=like)


def zeros(
    shape: ShapeLike, dtype: DTypeLike | None = None, order: str = "C", *, device: str | None = None, like: None = None
) -> tf.Tensor:
    """`shape` may hold scalar tensors. `device` is a TensorFlow device name, or "cpu"."""
    return _fill_constant(shape, 0, dtype, order, device, like)


def ones(
    shape: ShapeLike, dtype: DTypeLike | None = None, order: str = "C", *, device: str | None = None, like: None = None
) -> tf.Tensor:
    """`shape` may hold scalar tensors. `device` is a TensorFlow device name, or "cpu"."""
    return _fill_constant(shape, 1, dtype, order, device, like)


def _fill_constant(shape: Any, value: int, dtype: Any, order: Any, device: Any, like: Any) -> tf.Tensor:
    check_order(order, only_c_and_f=True)
    check_like(like)
    dtype, inner = dtypes.split_subarray(dtype)
    dims = shapes.as_shape(shape) + inner
    dtype = dtypes.as_dtype(dtype)
    if dtype == tf.string:
        with on_device(device):
            return ops.fill(shapes.shape_tensor(dims), convert.from_numpy(np.array(str(value or ""))))
    if device is None and tf.executing_eagerly() and shapes.is_static(dims) and math.prod(dims) <= _MAX_HOST_SIZE:
        return place_tensor(np.full(dims, value, dtype.as_numpy_dtype))
    shapes.check_memory(dims, dtype)
    with on_device(device):
        return ops.fill(shapes.shape_tensor(dims), convert.as_constant(np.array(value, dtype.as_numpy_dtype)))


def full(
    shape: ShapeLike,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "C",
    *,
    device: str | None = None,
    like: None = None,
) -> tf.Tensor:
    """`shape` may contain scalar tensors. `device` is a TensorFlow device name, or "cpu".

    Gradients flow to `fill_value`.
    """
    check_order(order, only_c_and_f=True)
    check_like(like)
    dtype, inner = dtypes.split_subarray(dtype)
    dims = shapes.as_shape(shape) + inner
    if (
        device is None
        and (dtype is None or (type(dtype) is tf.DType and dtype.as_datatype_enum in _HOST_ENUMS))
        and _fits_on_host(dims, fill_value)
    ):
        return place_tensor(np.full(dims, fill_value, None if dtype is None else dtypes.as_numpy(dtype)))
    with on_device(device):
        return _fill_shape(dims, fill_value, None if dtype is None else dtypes.as_dtype(dtype))


def _fits_on_host(shape: tuple[shapes.Dim, ...], value: Any) -> bool:
    """Return whether NumPy makes a small array of a Python number, and of its default dtype, in eager mode."""
    if (
        type(value) not in _SCALARS
        or (type(value) is int and abs(value) > _MAX_INT)
        or dtypes.promotion.weakens
        or dtypes.promotion.prefer_float32
    ):
        return False
    return tf.executing_eagerly() and shapes.is_static(shape) and math.prod(shape) <= _MAX_HOST_SIZE


def _fill_shape(shape: tuple[shapes.Dim, ...], fill_value: Any, dtype: tf.DType | None) -> tf.Tensor:
    if dtype is not None and not is_tensor(fill_value) and shapes.is_static(shape) and 0 in shape:
        # There are no elements: NumPy does not check that the value fits the dtype.
        return convert.from_numpy(np.full(shape, fill_value, dtypes.as_numpy(dtype)))
    value = convert.as_input(_as_element(fill_value, dtype))
    if value.shape.rank == 0:
        shapes.check_memory(shape, value.dtype)
        return ops.fill(shapes.shape_tensor(shape), value)
    return shapes.broadcast_to(shapes.drop_leading_ones(value, len(shape)), shape)


def _as_element(value: Any, dtype: tf.DType | None) -> tf.Tensor:
    """Return the fill value as a tensor, cast as by casting="unsafe"; a Python int must fit the dtype even so."""
    if dtype is None or is_tensor(value):
        return to_tensor(value, dtype)
    if isinstance(value, list | tuple):
        return convert.cast(to_tensor(value), dtype)
    return convert.from_numpy(np.full(np.shape(value), value, dtypes.as_numpy(dtype)))


@array_function(promotes=("prototype",))
def empty_like(
    prototype: ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: str | None = None,
) -> tf.Tensor:
    """Return zeros: a tensor has no uninitialized memory. `subok` has no effect."""
    return zeros_like(prototype, dtype, order, subok, shape, device=device)


@array_function(promotes=("a",))
def zeros_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: str | None = None,
) -> tf.Tensor:
    """The tensor may have an unknown rank. `order` and `subok` have no effect."""
    result = _fill_like(a, 0, dtype, order, subok, shape, device)
    if result is not None:
        return result
    is_text = (to_tensor(a).dtype if dtype is None else dtypes.as_dtype(dtype)) == tf.string
    return full_like(a, "" if is_text else 0, dtype, order, subok, shape, device=device)


@array_function(promotes=("a",))
def ones_like(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: str | None = None,
) -> tf.Tensor:
    """The tensor may have an unknown rank. `order` and `subok` have no effect."""
    result = _fill_like(a, 1, dtype, order, subok, shape, device)
    return result if result is not None else full_like(a, 1, dtype, order, subok, shape, device=device)


def _fill_like(a: Any, value: int, dtype: Any, order: Any, subok: Any, new_shape: Any, device: Any) -> tf.Tensor | None:
    """Return a small tensor of the shape and dtype of an eager tensor, made on the host; None where that is wrong."""
    if type(a) is not EagerTensor or not dtype is new_shape is device is None:
        return None
    enum, shape = enum_of(a), shape_of(a)
    if order != "K" or subok is not True or enum not in _HOST_ENUMS or math.prod(shape) > _MAX_HOST_SIZE:
        return None
    return place_tensor(np.full(shape, value, dtypes.BY_ENUM[enum])) if tf.executing_eagerly() else None


@array_function(promotes=("a",), unknown_rank="each")
def full_like(
    a: ArrayLike,
    fill_value: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str = "K",
    subok: bool = True,
    shape: ShapeLike | None = None,
    *,
    device: str | None = None,
) -> tf.Tensor:
    """The tensor may have an unknown rank. `order` and `subok` have no effect. Gradients flow to `fill_value`."""
    check_order(order)
    check_subok(subok)
    a = to_tensor(a)
    dtype = a.dtype if dtype is None else dtypes.as_dtype(dtype)
    with on_device(device):
        if shape is None and a.shape.rank is None and np.ndim(fill_value) == 0:
            return ops.fill(tf.shape(a), _as_element(fill_value, dtype))
        dims = shapes.shape(a) if shape is None else shapes.as_shape(shape)
        return _fill_shape(dims, fill_value, dtype)


def array(
    object: ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    copy: bool | None = True,
    order: str = "K",
    subok: bool = False,
    ndmin: IntLike = 0,
    ndmax: IntLike = shapes.MAX_RANK,
    like: None = None,
) -> tf.Tensor:
    """Tensors never change, so `copy=True` does not copy them. Tensors in lists are stacked.

    Python scalars and lists of them get NumPy's default dtypes. `copy=False` raises ValueError where NumPy would have
    to copy. Of a subclass of `np.ndarray` the elements are taken, without a mask, unless `subok=True`.
    """
    check_like(like)
    if not subok:
        object = as_base_array(object)
    max_rank = shapes.as_int(ndmax)
    if not 0 <= max_rank <= shapes.MAX_RANK:
        raise ValueError(f"ndmax must be in the range [0, {shapes.MAX_RANK}]")
    result = _as_tensor(object, dtype, order, copy, max_rank)
    min_rank = shapes.as_int(ndmin)
    if min_rank > max_rank:
        raise ValueError(f"ndmin must be <= ndmax ({max_rank})")
    return weak_types.weaken_like(shapes.pad_rank(result, min_rank), result) if min_rank > 0 else result


# NumPy's signature shows ndmax=0 for "no limit", but a 0 that is passed is a limit: the real default is another.
_SIGNATURE = inspect.signature(array)
cast(Any, array).__signature__ = _SIGNATURE.replace(
    parameters=[
        parameter.replace(default=0) if name == "ndmax" else parameter
        for name, parameter in _SIGNATURE.parameters.items()
    ]
)


def asarray(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
    like: None = None,
) -> tf.Tensor:
    """A tensor is returned as it is; of a tf.Variable the current value. Tensors in lists are stacked.

    `copy=False` raises ValueError where NumPy would have to copy. Of a subclass of `np.ndarray` the elements are taken:
    of a masked array without its mask, as NumPy's `asarray` does.
    """
    if type(a) is EagerTensor and dtype is device is order is copy is like is None:
        return to_tensor(a)
    check_like(like)
    with on_device(device):
        result = _as_tensor(as_base_array(a), dtype, order, copy)
        return result if device is None else weak_types.weaken_like(tf.identity(result), result)


@array_function(unknown_rank="each")
def asanyarray(
    a: ArrayLike,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
    like: None = None,
) -> tf.Tensor:
    """The same as `asarray`, but a subclass of `np.ndarray` whose meaning a tensor would lose raises TypeError."""
    return asarray(apply_conversion(a), dtype, order, device=device, copy=copy, like=like)


@array_function(unknown_rank="each")
def ascontiguousarray(a: ArrayLike, dtype: DTypeLike | None = None, *, like: None = None) -> tf.Tensor:
    """Return an array of at least one dimension. Tensors are always contiguous."""
    return array(a, dtype, ndmin=1, like=like)


@array_function(unknown_rank="each")
def asfortranarray(a: ArrayLike, dtype: DTypeLike | None = None, *, like: None = None) -> tf.Tensor:
    """Return an array of at least one dimension, in C order: tensors have no other."""
    return ascontiguousarray(a, dtype, like=like)


def _has_foreign_byte_order(dtype: Any) -> bool:
    """Return whether the dtype has a byte order that no tensor has."""
    return isinstance(dtype, str | np.dtype) and dtype != "bfloat16" and not np.dtype(dtype).isnative


def _as_tensor(value: Any, dtype: Any, order: Any, copy: Any, max_rank: int = shapes.MAX_RANK) -> tf.Tensor:
    """Convert to a tensor. `copy=False` raises where NumPy would have to copy: another dtype, or not an array."""
    check_copy(copy)
    copy = copy if copy is None else bool(copy)
    check_order("K" if order is None else order)
    tf_dtype = None if dtype is None else dtypes.as_dtype(dtype)
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        if copy is False and (
            tf_dtype not in (None, value.dtype) or _needs_transpose(value, order) or _has_foreign_byte_order(dtype)
        ):
            raise ValueError(_NO_COPY)
        if max_rank < shapes.MAX_RANK and tf_dtype not in (None, value.dtype) and shapes.rank(value) > max_rank:
            raise ValueError("object too deep for desired array")
    elif max_rank < shapes.MAX_RANK or copy is False:
        value = _to_array(value, tf_dtype, copy, max_rank)
    if not dtypes.promotion.weakens:
        return convert.as_input(to_tensor(value, tf_dtype))
    return _to_weak_tensor(value) if tf_dtype is None else weak_types.strengthen(to_tensor(value, tf_dtype))


def _to_weak_tensor(value: Any) -> tf.Tensor:
    """Return a weak tensor for Python scalars and lists of them, else a strong one."""
    weak = convert.to_narrow(value)
    return to_tensor(value) if weak is None else weak


def _needs_transpose(tensor: tf.Tensor, order: Any) -> bool:
    """Return whether elements move when a tensor, which has C order, is copied in another order."""
    if tensor.shape.rank is None:
        return False
    return order in ("F", "f") and sum(dim != 1 for dim in tensor.shape) > 1 and 0 not in tensor.shape


def _to_array(value: Any, dtype: tf.DType | None, copy: Any, max_rank: int) -> np.ndarray:
    expected = None if dtype is None else dtypes.as_numpy(dtype)
    return np.array(value, expected, copy=None if copy is True else copy, ndmax=max_rank)


@array_function(promotes=("a",), unknown_rank="each")
def asarray_chkfinite(a: ArrayLike, dtype: DTypeLike | None = None, order: str | None = None) -> tf.Tensor:
    """In eager mode, inf or nan raises ValueError; a graph fails when it runs, unless XLA compiles it."""
    result = asarray(a, dtype, order)
    if not (result.dtype.is_floating or result.dtype.is_complex):
        return result
    error, value = ValueError("array must not contain infs or NaNs"), convert.static_value(result)
    if value is not None:
        if not np.isfinite(value).all():
            raise error
        return result
    components = (tf.math.real(result), tf.math.imag(result)) if result.dtype.is_complex else (result,)
    is_finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(_as_testable(component))) for component in components])
    return check(is_finite, error, result)


def _as_testable(component: tf.Tensor) -> tf.Tensor:
    """Cast to a dtype that has an IsFinite kernel."""
    return tf.cast(component, tf.float32) if component.dtype.size < 4 else component


_REQUIREMENTS: Final = {
    name: letter
    for letter, names in {
        "C": "C C_CONTIGUOUS CONTIGUOUS",
        "F": "F F_CONTIGUOUS FORTRAN",
        "A": "A ALIGNED",
        "W": "W WRITEABLE",
        "O": "O OWNDATA",
        "E": "E ENSUREARRAY",
    }.items()
    for name in names.split()
}


@array_function(unknown_rank="each")
def require(a: ArrayLike, dtype: DTypeLike | None = None, requirements: Any = None, *, like: None = None) -> tf.Tensor:
    """`requirements` have no effect: tensors are contiguous in C order, aligned, and not writeable. An unknown one
    raises KeyError, "C" together with "F" ValueError, as in NumPy.
    """
    flags = {_REQUIREMENTS[name.upper()] for name in requirements or ()}
    if {"C", "F"} <= flags:
        raise ValueError('Cannot specify both "C" and "F" order')
    convert_array = asarray if "E" in flags else asanyarray
    return convert_array(a, dtype, like=like)


@array_function(promotes=("a",), unknown_rank="each")
def copy(a: ArrayLike, order: str = "K", subok: bool = False) -> tf.Tensor:
    """Return a tensor with the same elements; of a tf.Variable, a tensor of its current value.

    Tensors never change, so the result may share the memory of its argument.
    """
    return tf.identity(array(a, order=order, subok=subok))


@array_function(unknown_rank="each")
def astype(x: ArrayLike, dtype: DTypeLike, /, *, copy: bool | None = True, device: str | None = None) -> tf.Tensor:
    """`dtype=None` is the default float. Complex to real keeps the real part, without a warning.

    Lists and Python scalars raise an error, as in NumPy.
    """
    if type(x) is EagerTensor and device is None and not dtypes.promotion.weakens:
        return to_tensor(x, dtypes.as_dtype(dtype))
    if isinstance(x, int | float | complex | str) and not isinstance(x, np.generic):
        raise AttributeError(f"{type(x).__name__!r} object has no attribute 'astype'")
    if not is_array(x):
        raise TypeError(f"Input should be an array or scalar. It is a {type(x)} instead.")
    with on_device(device):
        result = to_tensor(x, dtypes.as_dtype(dtype))
        return weak_types.strengthen(result) if device is None else tf.identity(result)
