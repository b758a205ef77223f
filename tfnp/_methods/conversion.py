"""Methods that convert: to another dtype, to Python objects, to bytes and files, to a device."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, shapes
from tfnp._core.arguments import as_casting, check_order
from tfnp._core.checks import check
from tfnp._core.convert import to_tensor
from tfnp._core.edge import array_function
from tfnp._core.errors import ComplexWarning, requires_static
from tfnp._core.parameters import DTypeLike
from tfnp._core.text import decode
from tfnp._core.variables import store
from tfnp._methods.inplace import check_can_change
from tfnp.routines.creation import filled
from tfnp.routines.manipulation import shaping


def astype(
    self: Any,
    /,
    dtype: DTypeLike,
    order: str = "K",
    casting: str = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> tf.Tensor:
    """Return the array cast to a dtype. `order`, `subok` and `copy` have no effect: tensors never change."""
    target = dtypes.as_numpy(dtype)
    check_order(order)
    array = to_tensor(self)
    if casting == "same_value":
        return _cast_losslessly(array, target)
    dtypes.check_cast(dtypes.as_numpy(array.dtype), target, as_casting(casting), "array data")
    return filled.astype(array, target)


def _cast_losslessly(array: tf.Tensor, target: np.dtype) -> tf.Tensor:
    """Cast by the rule "same_value": raise ValueError if the value of an element changes.

    A graph fails when it runs; XLA does not check. NumPy raises for dtypes that the rule excludes, and if it is too old
    to know the rule.
    """
    static, source = convert.static_value(array), dtypes.as_numpy(array.dtype)
    np.asarray(np.empty(0, source) if static is None else static).astype(target, casting="same_value")
    result = filled.astype(array, target)
    if static is not None or target in (source, np.bool_):
        return result
    message = f"could not cast 'same_value' {source.name} to {target.name}: an element would change"
    return check(tf.reduce_all(_is_same(array, result)), ValueError(message), result)


def _is_same(array: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
    """Return a mask of the elements that kept their value: they are the same when cast back.

    A nan that became an integer did not keep its value, nor did a negative number that became unsigned.
    """
    if array.dtype.is_complex and not result.dtype.is_complex:
        return (tf.math.imag(array) == 0) & _is_same(tf.math.real(array), result)
    is_same = tf.equal(convert.cast(result, array.dtype), array)
    if result.dtype.is_integer and array.dtype.is_integer:
        return is_same & tf.equal(
            tf.less(result, tf.zeros((), result.dtype)), tf.less(array, tf.zeros((), array.dtype))
        )
    if array.dtype.is_integer and result.dtype.is_floating:
        return is_same & tf.math.is_finite(result)
    if array.dtype.is_floating and not result.dtype.is_integer:
        return is_same | tf.math.is_nan(array)
    return is_same | tf.not_equal(array, array) if array.dtype.is_complex else is_same


def copy(self: Any, /, order: str = "C") -> tf.Tensor:
    """Return a tensor with the same elements, on the device of the current `tf.device` scope."""
    return filled.copy(self, order)


def fill(self: Any, value: Any, /) -> None:
    """Set every element of a variable to a value, which is cast as by `astype`."""
    check_can_change(self, "fill")
    store(self, filled.full_like(self, _as_element(value, dtypes.as_numpy(self.dtype))))


def _as_element(value: Any, dtype: np.dtype) -> Any:
    """Convert a value as NumPy does when it assigns it to an element of an array of that dtype."""
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank:
            raise ValueError(f"fill: value must be a scalar, got shape {value.shape}")
        return value
    element = np.zeros((), dtype)
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore", category=ComplexWarning):
        element.fill(value)
    return element


@array_function(unknown_rank="each")
def item(self: Any, /, *args: Any) -> Any:
    """Return one element as a Python scalar; in a graph, where values are unknown, as a 0-d tensor."""
    array = to_tensor(self)
    static = convert.static_value(array)
    if static is not None:
        return _as_host(static, array.dtype).item(*args)
    count = array.shape.num_elements()
    if count is not None:
        np.broadcast_to(np.int8(0), array.shape).item(*args)
    if not args or args == ((),):
        return shapes.reshape(array, ())
    index = args[0] if len(args) == 1 else args
    for position in index if isinstance(index, tuple) else args:
        operator.index(position)
    if isinstance(index, tuple) and len(index) == array.shape.rank:
        return array[tuple(map(int, index))]
    flat = shaping.ravel(array)
    return flat[index]


def tolist(self: Any, /) -> Any:
    """Return nested lists of Python scalars; in a graph, where values are unknown, of 0-d tensors."""
    array = to_tensor(self)
    static = convert.static_value(array)
    return _as_host(static, array.dtype).tolist() if static is not None else _unstack_nested(array)


def _as_host(static: Any, dtype: tf.DType) -> np.ndarray:
    """Return the static value of a tensor as an array; text as an array of `str`."""
    return decode(static) if dtype == tf.string else np.asarray(static)


def _unstack_nested(array: tf.Tensor) -> Any:
    """Return nested lists of scalar tensors."""
    if shapes.rank(array) == 0:
        return array
    if array.shape[0] is None:
        raise ValueError(f"tolist(): the shape of a tensor must be static inside tf.function, not {array.shape}")
    return [_unstack_nested(row) for row in tf.unstack(array)]


def tobytes(self: Any, /, order: str = "C") -> bytes:
    return _require_value(self, "tobytes()").tobytes(order)  # type: ignore[arg-type]  # NumPy checks the name


def tofile(self: Any, fid: Any, /, sep: str = "", format: str = "%s") -> None:
    _require_value(self, "tofile()").tofile(fid, sep, format)


def _require_value(array: Any, method: str) -> np.ndarray:
    """Return a static array as a NumPy array. Raise TypeError if it is text, or not static."""
    tensor = to_tensor(array)
    if tensor.dtype == tf.string:
        raise TypeError(f"{method}: text (tf.string) has no width, and so no bytes in memory: use tolist()")
    static = convert.static_value(tensor)
    if static is None:
        raise requires_static("the tensor", method)
    return np.asarray(static)


def to_device(self: Any, device: str, /, *, stream: Any = None) -> tf.Tensor:
    """Return the array on a device, which is named as in TensorFlow."""
    if stream is not None:
        raise ValueError("to_device: stream must be None, since TensorFlow does not expose streams")
    with tf.device(device):
        return tf.identity(to_tensor(self))
