"""Convert arguments to `tf.string` tensors, broadcast them, and write results.

The elements of a `tf.string` tensor are bytes, read as UTF-8. The dtype does not distinguish text from bytes and has no
width, so that nothing is truncated or padded. TensorFlow has string kernels for the CPU only, and none for XLA.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes, text
from tfnp._core.arguments import as_casting, is_array
from tfnp._core.checks import check
from tfnp._core.shapes import Dim
from tfnp._core.tensor_conversion import apply_conversion, is_tensor


def to_text(value: Any) -> tf.Tensor:
    """Return a string tensor. Raise TypeError for other dtypes, and under XLA."""
    text.check_not_for_xla()
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor):
        if value.dtype != tf.string:
            raise TypeError(f"string operation on non-string array of {value.dtype.name}")
        return value
    array = np.asarray(value)
    if text.is_text(array):
        return text.to_text_tensor(array)
    if array.dtype.kind == "O":
        raise dtypes.unsupported_dtype_error(array.dtype)
    raise TypeError(f"string operation on non-string array of {array.dtype}")


def is_text(value: Any) -> bool:
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        return value.dtype == tf.string
    return text.is_text(np.asarray(value))


def to_text_loosely(value: Any) -> tf.Tensor:
    """Return a string tensor. Numbers are converted, as NumPy does for these arguments: 1 becomes "1"."""
    if is_tensor(value) or is_text(value):
        return to_text(value)
    return to_text(np.asarray(value).astype(np.str_))


def get_static_lengths(text: tf.Tensor) -> np.ndarray | None:
    """Return the number of characters of each string; None if the text is not static."""
    static = tf.get_static_value(text)
    if static is None:
        return None
    return np.array([len(item.decode("utf-8", "replace")) for item in np.ravel(np.asarray(static, object))], np.int64)


def check_is_text(a: Any, *others: Any) -> None:
    """Raise NumPy's TypeError if the first argument is not text."""
    if not is_text(a):
        dtype = convert.to_tensor(a).dtype.as_numpy_dtype
        for other in map(convert.static_value, others):
            text = other.decode() if isinstance(other, bytes) else other
            np.asarray("" if text is None else text).astype(dtype)


def to_integers(value: Any) -> tf.Tensor:
    """Return the bounds of a search as int64. They must be integers or booleans."""
    tensor = convert.to_tensor(value)
    if not (tensor.dtype.is_integer or tensor.dtype == tf.bool):
        raise TypeError(f"Cannot cast from {tensor.dtype.name} to int64 with casting rule 'same_kind'")
    return tf.cast(tensor, tf.int64)


def to_counts(value: Any, name: str) -> tf.Tensor:
    """Return widths or counts as int64. They must be integers, not booleans."""
    tensor = convert.to_tensor(value)
    if not tensor.dtype.is_integer:
        raise TypeError(f"unsupported type {tensor.dtype.name} for operand '{name}'")
    return tf.cast(tensor, tf.int64)


def to_widths(width: Any) -> tf.Tensor:
    """Return the widths of fields as int64. Raise TypeError, in a graph when it runs, for one that NumPy's text cannot
    have either.
    """
    widths = to_counts(width, "width")
    error = TypeError(f"width must be at most {MAX_WIDTH} characters")
    return check(tf.reduce_all(tf.less_equal(widths, MAX_WIDTH)), error, widths)


MAX_WIDTH: Final = 2**29 - 1  # of four bytes each, in less than 2**31
TEXT: Final = tf.TensorSpec([None], tf.string)
INTEGERS: Final = tf.TensorSpec([None], tf.int64)


def broadcast_texts(*tensors: tf.Tensor) -> tuple[list[tf.Tensor], tuple[Dim, ...]]:
    """Return the tensors broadcast together and flattened, and their shape."""
    shape = shapes.broadcast_shapes(*map(shapes.shape, tensors))
    return [tf.reshape(shapes.broadcast_to(tensor, shape), (-1,)) for tensor in tensors], shape


def reshape_text(flat: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    return tf.reshape(flat, shapes.shape_tensor(shape))


def write_text(name: str, result: tf.Tensor, options: dict[str, Any]) -> Any:
    """Write the result of a string ufunc to `out`, as its options say."""
    _check_options(
        name, {key: options[key] for key, default in DEFAULTS.items() if options[key] is not default}, result.dtype
    )
    out = outputs.as_outputs(options["out"], 1)[0]
    return outputs.write_output(result, out, _as_mask(options["where"]), casting=as_casting(options["casting"]))


DEFAULTS: Final = {"casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None}


def _check_options(name: str, options: dict[str, Any], dtype: tf.DType) -> None:
    """Let NumPy raise for options that it does not support for text."""
    if not options:
        return
    if isinstance(options.get("dtype"), tf.DType):
        options = {**options, "dtype": options["dtype"].as_numpy_dtype if dtype != tf.string else np.str_}
    function = getattr(np.strings, name)
    result = function(*[np.array("a")] * function.nin, **options)
    if not isinstance(result, np.ndarray | np.generic):
        raise dtypes.unsupported_dtype_error(np.dtype(object))
    if result.dtype.kind not in ("UST" if dtype == tf.string else np.dtype(dtype.as_numpy_dtype).kind):
        raise TypeError(f"{name}: no loop for text gives dtype {result.dtype}")


def _as_mask(where: Any) -> tf.Tensor | None:
    """Return `where` as a mask; any value that is not an array is converted by its truth value."""
    return outputs.as_mask(where if is_array(where) else np.asarray(where, bool))


def call_on_host(function: Callable[..., list[Any]], *flat: tf.Tensor) -> tf.Tensor:
    """Return the strings that a Python function returns, which is called with lists of bytes or numbers.

    In a graph this is a `tf.numpy_function`, which only runs in this process.
    """
    if tf.executing_eagerly():
        return tf.constant(_call_on_lists(function, *[tensor.numpy() for tensor in flat]), tf.string)
    result = tf.numpy_function(lambda *arrays: _call_on_lists(function, *arrays), list(flat), tf.string)
    result.set_shape(flat[0].shape)
    return result


def _call_on_lists(function: Callable[..., list[Any]], *arrays: np.ndarray) -> np.ndarray:
    items = function(*map(list, arrays))
    result = np.empty(len(items), object)
    result[:] = [item.encode() if isinstance(item, str) else item for item in items]
    return result


def check_all(condition: tf.Tensor, message: str, result: tf.Tensor) -> tf.Tensor:
    """Return the result. Raise ValueError, in a graph when it runs, unless the condition holds for all elements."""
    return check(tf.reduce_all(condition), ValueError(message), result)
