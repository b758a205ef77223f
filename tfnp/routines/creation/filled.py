"""New arrays: of one value, or of what is at hand.

Small arrays are made on the host, whose elements TensorFlow then takes over; where the shape is known at run time only,
or a graph would have to carry many elements, TensorFlow fills them.
"""

from __future__ import annotations

import inspect
import math
from typing import Any, Final, cast

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes, weak_types
from tfnp._core.arguments import check_copy, check_like, check_order, check_subok, is_array, on_device
from tfnp._core.convert import EagerTensor, to_tensor
from tfnp._core.edge import array_function
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

_fill = tf.raw_ops.Fill.__wrapped__
_FEW: Final = 4096  # elements that the host makes faster than an op
_NO_COPY: Final = "Unable to avoid copy while creating an array as requested."


def empty(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> tf.Tensor:
    """Zeros: a tensor has no uninitialised memory to show."""
    return zeros(shape, dtype, order, device=device, like=like)


def zeros(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> tf.Tensor:
    return _filled(shape, 0, dtype, order, device, like)


def ones(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None) -> tf.Tensor:
    return _filled(shape, 1, dtype, order, device, like)


def _filled(shape: Any, value: int, dtype: Any, order: Any, device: Any, like: Any) -> tf.Tensor:
    check_order(order, only_c_and_f=True)
    check_like(like)
    dims = shapes.as_shape(shape)
    kind = dtypes.as_dtype(dtype)
    if device is None and tf.executing_eagerly() and shapes.is_static(dims) and math.prod(dims) <= _FEW:
        return convert.place_tensor(np.full(dims, value, kind.as_numpy_dtype))
    with on_device(device):
        return _fill(shapes.shape_tensor(dims), convert.as_constant(np.array(value, kind.as_numpy_dtype)))


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> tf.Tensor:
    check_order(order, only_c_and_f=True)
    check_like(like)
    dims = shapes.as_shape(shape)
    with on_device(device):
        return _full(dims, fill_value, None if dtype is None else dtypes.as_dtype(dtype))


def _full(shape: tuple[shapes.Dim, ...], fill_value: Any, dtype: tf.DType | None) -> tf.Tensor:
    if dtype is not None and not is_tensor(fill_value) and shapes.is_static(shape) and 0 in shape:
        return convert.from_numpy(np.full(shape, fill_value, dtypes.as_numpy(dtype)))  # what fills nothing need not fit
    value = convert.as_input(_as_element(fill_value, dtype))
    if value.shape.rank == 0:
        return _fill(shapes.shape_tensor(shape), value)
    while shapes.rank(value) > len(shape) and value.shape[0] == 1:
        value = tf.squeeze(value, [0])
    return shapes.broadcast_to(value, shape)


def _as_element(value: Any, dtype: tf.DType | None) -> tf.Tensor:
    """The value as `copyto` with casting "unsafe" would write it; a Python int must fit all the same."""
    if dtype is None or is_tensor(value):
        return to_tensor(value, dtype)
    if isinstance(value, list | tuple):
        return convert.cast(to_tensor(value), dtype)
    return convert.from_numpy(np.full(np.shape(value), value, dtypes.as_numpy(dtype)))


@array_function(promotes=("prototype",))
def empty_like(
    prototype: Any,
    /,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> tf.Tensor:
    """Zeros, as `empty`."""
    return full_like(prototype, 0, dtype, order, subok, shape, device=device)


@array_function(promotes=("a",))
def zeros_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> tf.Tensor:
    return full_like(a, 0, dtype, order, subok, shape, device=device)


@array_function(promotes=("a",))
def ones_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None, *, device: Any = None
) -> tf.Tensor:
    return full_like(a, 1, dtype, order, subok, shape, device=device)


@array_function(promotes=("a",), unknown_rank="each")
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> tf.Tensor:
    check_order(order)
    check_subok(subok)
    a = to_tensor(a)
    kind = a.dtype if dtype is None else dtypes.as_dtype(dtype)
    with on_device(device):
        if shape is None and a.shape.rank is None and np.ndim(fill_value) == 0:
            return _fill(tf.shape(a), _as_element(fill_value, kind))
        dims = shapes.shape(a) if shape is None else shapes.as_shape(shape)
        return _full(dims, fill_value, kind)


def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    subok: Any = False,
    ndmin: Any = 0,
    ndmax: Any = shapes.MAX_RANK,
    like: Any = None,
) -> tf.Tensor:
    """A tensor never changes, so it need not be copied. Lists may hold tensors, which are stacked."""
    check_like(like)
    most = shapes.as_int(ndmax)
    if not 0 <= most <= shapes.MAX_RANK:
        raise ValueError(f"ndmax must be in the range [0, {shapes.MAX_RANK}]")
    result = _as_tensor(object, dtype, order, copy, most)
    least = shapes.as_int(ndmin)
    if least > most:
        raise ValueError(f"ndmin must be <= ndmax ({most})")
    if least > 0 and result.shape.rank is None:
        return weak_types.weaken_like(shapes.pad_rank(result, least), result)
    missing = least - (shapes.rank(result) if least > 0 else 0)
    if missing <= 0:
        return result
    return weak_types.weaken_like(shapes.reshape(result, (1,) * missing + shapes.shape(result)), result)


# NumPy shows 0 for "no limit", and takes a 0 that is given for a limit: the default here is another than the one shown.
_shown = inspect.signature(array)
cast(Any, array).__signature__ = _shown.replace(
    parameters=[one.replace(default=0) if name == "ndmax" else one for name, one in _shown.parameters.items()]
)


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None, like: Any = None
) -> tf.Tensor:
    if type(a) is EagerTensor and dtype is device is order is copy is like is None:
        return to_tensor(a)
    check_like(like)
    with on_device(device):
        result = _as_tensor(a, dtype, order, copy)
        return result if device is None else weak_types.weaken_like(tf.identity(result), result)


@array_function(unknown_rank="each")
def asanyarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None, like: Any = None
) -> tf.Tensor:
    return asarray(a, dtype, order, device=device, copy=copy, like=like)


@array_function(unknown_rank="each")
def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> tf.Tensor:
    return array(a, dtype, ndmin=1, like=like)


@array_function(unknown_rank="each")
def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> tf.Tensor:
    return ascontiguousarray(a, dtype, like=like)


def _is_swapped(dtype: Any) -> bool:
    """Whether bytes are asked for in an order that no tensor has."""
    return isinstance(dtype, str | np.dtype) and dtype != "bfloat16" and not np.dtype(dtype).isnative


def _as_tensor(value: Any, dtype: Any, order: Any, copy: Any, most: int = shapes.MAX_RANK) -> tf.Tensor:
    """`copy=False` raises where NumPy would have to copy: for what is no array, or has another dtype."""
    check_copy(copy)
    copy = copy if copy is None else bool(copy)
    check_order("K" if order is None else order)
    kind = None if dtype is None else dtypes.as_dtype(dtype)
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        if copy is False and (kind not in (None, value.dtype) or _is_turned(value, order) or _is_swapped(dtype)):
            raise ValueError(_NO_COPY)
        if most < shapes.MAX_RANK and kind not in (None, value.dtype) and shapes.rank(value) > most:
            raise ValueError("object too deep for desired array")
    elif most < shapes.MAX_RANK or copy is False:
        value = _on_host(value, kind, copy, most)
    if not dtypes.promotion.weakens:
        return convert.as_input(to_tensor(value, kind))
    return _narrow(value) if kind is None else weak_types.strengthen(to_tensor(value, kind))


def _narrow(value: Any) -> tf.Tensor:
    """Of Python's numbers, a weak tensor, where there are such."""
    found = convert.to_narrow(value)
    return to_tensor(value) if found is None else found


def _is_turned(tensor: tf.Tensor, order: Any) -> bool:
    """Whether the order is not that of a tensor, which is stored by rows."""
    if tensor.shape.rank is None:
        return False
    return order in ("F", "f") and sum(dim != 1 for dim in tensor.shape) > 1 and 0 not in tensor.shape


def _on_host(value: Any, kind: tf.DType | None, copy: Any, most: int) -> np.ndarray:
    expected = None if kind is None else dtypes.as_numpy(kind)
    return np.array(value, expected, copy=None if copy is True else copy, ndmax=most)


@array_function(promotes=("a",), unknown_rank="each")
def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> tf.Tensor:
    """In a graph the check is made at run time; XLA makes none."""
    result = asarray(a, dtype, order)
    if not (result.dtype.is_floating or result.dtype.is_complex):
        return result
    parts = (tf.math.real(result), tf.math.imag(result)) if result.dtype.is_complex else (result,)
    finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(_plain(part))) for part in parts])
    value = convert.static_value(result)
    static = convert.static_value(finite) if value is None else bool(np.isfinite(value).all())
    message = "array must not contain infs or NaNs"
    if static is None:
        with tf.control_dependencies([tf.debugging.Assert(finite, [message])]):
            return tf.identity(result)
    if not static:
        raise ValueError(message)
    return result


def _plain(part: tf.Tensor) -> tf.Tensor:
    return tf.cast(part, tf.float32) if part.dtype.size < 4 else part


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
def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> tf.Tensor:
    """A tensor is what it is: requirements are checked to be NumPy's, and change nothing. None of them makes it
    writeable.
    """
    asked = {_REQUIREMENTS[name.upper()] for name in requirements or ()}
    if {"C", "F"} <= asked:
        raise ValueError('Cannot specify both "C" and "F" order')
    return asarray(a, dtype, like=like)


@array_function(promotes=("a",), unknown_rank="each")
def copy(a: Any, order: Any = "K", subok: Any = False) -> tf.Tensor:
    """Of a `tf.Variable`, its value now. A tensor never changes, so that its elements are copied only where the scope,
    `with tf.device(...)`, is of another device.
    """
    return tf.identity(array(a, order=order, subok=subok))


@array_function(unknown_rank="each")
def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> tf.Tensor:
    """NumPy takes arrays and its own scalars only, not lists; `None` stands for the default float."""
    if isinstance(x, int | float | complex | str) and not isinstance(x, np.generic):
        raise AttributeError(f"{type(x).__name__!r} object has no attribute 'astype'")
    if not is_array(x):
        raise TypeError(f"Input should be an array or scalar. It is a {type(x)} instead.")
    kind = dtypes.as_dtype(dtype)
    with on_device(device):
        result = to_tensor(x, kind)
        return weak_types.strengthen(result) if device is None else tf.identity(result)
