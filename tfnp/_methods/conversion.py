"""Methods that convert: to another dtype, to Python's objects, to bytes and files, to a device."""

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
from tfnp._core.errors import ComplexWarning
from tfnp._core.variables import store
from tfnp._methods.inplace import check_can_change
from tfnp.routines.creation import filled
from tfnp.routines.manipulation import shaping


def astype(
    self: Any,
    /,
    dtype: Any,
    order: Any = "K",
    casting: Any = "unsafe",
    subok: Any = True,
    copy: Any = True,
) -> tf.Tensor:
    """A tensor of that dtype already is its own copy. Anything may be said for `subok` and `copy`."""
    target = dtypes.as_numpy(dtype)
    check_order(order)
    array = to_tensor(self)
    if casting == "same_value":
        return _cast_losslessly(array, target)
    dtypes.check_cast(dtypes.as_numpy(array.dtype), target, as_casting(casting), "array data")
    return filled.astype(array, target)


def _cast_losslessly(array: tf.Tensor, target: np.dtype) -> tf.Tensor:
    """Cast an array of which every element must keep its value; a graph says that one does not when it runs, XLA never.
    Which dtypes may meet so, and whether it is asked for at all, is NumPy's to say.
    """
    static, source = convert.static_value(array), dtypes.as_numpy(array.dtype)
    np.asarray(np.empty(0, source) if static is None else static).astype(target, casting="same_value")
    result = filled.astype(array, target)
    if static is not None or target in (source, np.bool_):
        return result
    message = f"could not cast 'same_value' {source.name} to {target.name}: an element would change"
    return check(tf.reduce_all(_is_same(array, result)), ValueError(message), result)


def _is_same(array: tf.Tensor, result: tf.Tensor) -> tf.Tensor:
    """Where an element that was cast has the value that it had: it is the same when cast back, and not nan for an
    integer, nor negative for an unsigned one.
    """
    if array.dtype.is_complex and not result.dtype.is_complex:
        return (tf.math.imag(array) == 0) & _is_same(tf.math.real(array), result)
    same = tf.equal(convert.cast(result, array.dtype), array)
    if result.dtype.is_integer and array.dtype.is_integer:
        return same & tf.equal(tf.less(result, tf.zeros((), result.dtype)), tf.less(array, tf.zeros((), array.dtype)))
    if array.dtype.is_integer and result.dtype.is_floating:
        return same & tf.math.is_finite(result)
    if array.dtype.is_floating and not result.dtype.is_integer:
        return same | tf.math.is_nan(array)
    return same | tf.not_equal(array, array) if array.dtype.is_complex else same


def copy(self: Any, /, order: Any = "C") -> tf.Tensor:
    """Of a variable, its value now; of a tensor, the same elements where the scope's device is the tensor's."""
    return filled.copy(self, order)


def fill(self: Any, value: Any, /) -> None:
    """A variable's: every element becomes the value, cast as `astype` casts."""
    check_can_change(self, "fill")
    store(self, filled.full_like(self, _element(value, dtypes.as_numpy(self.dtype))))


def _element(value: Any, dtype: np.dtype) -> Any:
    """What an array of that dtype makes of a value for one of its elements."""
    if isinstance(value, tf.Tensor | tf.Variable):
        if value.shape.rank:
            raise ValueError("setting an array element with a sequence.")
        return value
    element = np.zeros((), dtype)
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore", category=ComplexWarning):
        element.fill(value)
    return element


@array_function(unknown_rank="each")
def item(self: Any, /, *args: Any) -> Any:
    """A Python number. In a graph, which has none, a tensor without dimensions."""
    array = to_tensor(self)
    static = convert.static_value(array)
    if static is not None:
        return np.asarray(static).item(*args)
    count = array.shape.num_elements()
    if count is not None:
        np.broadcast_to(np.int8(0), array.shape).item(*args)
    if not args or args == ((),):
        return shapes.reshape(array, ())
    index = args[0] if len(args) == 1 else args
    for number in index if isinstance(index, tuple) else args:
        operator.index(number)
    if isinstance(index, tuple) and len(index) == array.shape.rank:
        return array[tuple(map(int, index))]
    flat = shaping.ravel(array)
    return flat[index]


def tolist(self: Any, /) -> Any:
    """Nested lists of Python numbers. In a graph, which has none, of tensors without dimensions."""
    array = to_tensor(self)
    static = convert.static_value(array)
    return np.asarray(static).tolist() if static is not None else _nested(array)


def _nested(array: tf.Tensor) -> Any:
    if shapes.rank(array) == 0:
        return array
    if array.shape[0] is None:
        raise ValueError("the sides of this tensor are unknown while tracing, and a list needs them")
    return [_nested(row) for row in tf.unstack(array)]


def tobytes(self: Any, /, order: Any = "C") -> bytes:
    return value_of(self, "bytes").tobytes(order)


def tofile(self: Any, fid: Any, /, sep: Any = "", format: Any = "%s") -> None:
    value_of(self, "a file").tofile(fid, sep, format)


def value_of(array: Any, what: str) -> np.ndarray:
    """The elements as an array of NumPy's."""
    static = convert.static_value(to_tensor(array))
    if static is None:
        raise TypeError(f"to make {what} of this tensor, its value must be known while tracing")
    return np.asarray(static)


def to_device(self: Any, device: Any, /, *, stream: Any = None) -> tf.Tensor:
    """The same elements on a device, named as TensorFlow names it."""
    if stream is not None:
        raise ValueError("TensorFlow has no streams to choose from: `stream` must be None")
    with tf.device(device):
        return tf.identity(to_tensor(self))
