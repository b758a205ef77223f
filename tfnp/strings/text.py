"""Text as tensors: anything like it to a `tf.string` tensor, arguments of one shape, and results where they are to go.

A tensor's text is bytes, which are read as UTF-8; it does not tell text from bytes, and has no width, so that nothing
is cut off or filled up. TensorFlow works on text on the CPU alone: XLA has none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core import convert, dtypes, outputs, shapes
from tfnp._core.arguments import as_casting, is_array
from tfnp._core.checks import check
from tfnp._core.shapes import Dim
from tfnp._core.tensor_conversion import apply_conversion, is_tensor
from tfnp._core.xla import is_for_xla


def to_text(value: Any) -> tf.Tensor:
    """The text of an array, a list, a string. Raises TypeError for what is none, and where XLA is to compile it."""
    if is_for_xla():
        raise TypeError("XLA has no text: call functions of dtype str_ outside of jit_compile=True")
    if isinstance(value, tf.Variable):
        value = value.read_value()
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor):
        if value.dtype != tf.string:
            raise TypeError(f"string operation on non-string array of {value.dtype.name}")
        return value
    array = np.asarray(value)
    if array.dtype.kind == "O":
        raise dtypes.unsupported_dtype_error(array.dtype)
    if array.dtype.kind not in "UST":
        raise TypeError(f"string operation on non-string array of {array.dtype}")
    return tf.constant(array.astype(object) if array.dtype.kind == "T" else array, tf.string)


def is_text(value: Any) -> bool:
    value = apply_conversion(value)
    if isinstance(value, tf.Tensor | tf.Variable):
        return value.dtype == tf.string
    return np.asarray(value).dtype.kind in "UST"


def to_text_loosely(value: Any) -> tf.Tensor:
    """Text of what may also be numbers, where NumPy casts them: 1 is "1"."""
    if is_tensor(value) or is_text(value):
        return to_text(value)
    return to_text(np.asarray(value).astype(np.str_))


def static_lengths(text: tf.Tensor) -> np.ndarray | None:
    """How many characters each text has, as far as that is known while tracing."""
    static = tf.get_static_value(text)
    if static is None:
        return None
    return np.array([len(item.decode("utf-8", "replace")) for item in np.ravel(np.asarray(static, object))], np.int64)


def check_is_text(a: Any, *others: Any) -> None:
    """Where NumPy casts other text to the dtype of the first, numbers there are an error of those casts."""
    if not is_text(a):
        dtype = convert.to_tensor(a).dtype.as_numpy_dtype
        for other in map(convert.static_value, others):
            text = other.decode() if isinstance(other, bytes) else other
            np.asarray("" if text is None else text).astype(dtype)


def to_integers(value: Any) -> tf.Tensor:
    """Where a search starts and ends: integers, or truths."""
    tensor = convert.to_tensor(value)
    if not (tensor.dtype.is_integer or tensor.dtype == tf.bool):
        raise TypeError(f"Cannot cast from {tensor.dtype.name} to int64 with casting rule 'same_kind'")
    return tf.cast(tensor, tf.int64)


def to_counts(value: Any, name: str) -> tf.Tensor:
    """Widths and counts: integers, no truths."""
    tensor = convert.to_tensor(value)
    if not tensor.dtype.is_integer:
        raise TypeError(f"unsupported type {tensor.dtype.name} for operand '{name}'")
    return tf.cast(tensor, tf.int64)


TEXT: Final = tf.TensorSpec([None], tf.string)
INTEGERS: Final = tf.TensorSpec([None], tf.int64)


def on_vectors(*specs: tf.TensorSpec) -> Callable[[Callable[..., Any]], Any]:
    """Around a function of vectors of equal length: traced once, since it takes many small ops."""
    return lambda function: tf.function(function, input_signature=specs, autograph=False)


def broadcast_texts(*tensors: tf.Tensor) -> tuple[list[tf.Tensor], tuple[Dim, ...]]:
    """Vectors of equal length of tensors that broadcast, and the shape that they had then."""
    shape = shapes.broadcast_shapes(*map(shapes.shape, tensors))
    return [tf.reshape(shapes.broadcast_to(tensor, shape), (-1,)) for tensor in tensors], shape


def reshape_text(flat: tf.Tensor, shape: Sequence[Dim]) -> tf.Tensor:
    return tf.reshape(flat, shapes.shape_tensor(shape))


def write_text(name: str, result: tf.Tensor, options: dict[str, Any]) -> Any:
    """What the universal function of text of this name gives, where its options say."""
    _check(name, {key: options[key] for key, usual in USUAL.items() if options[key] is not usual}, result.dtype)
    out = outputs.as_outputs(options["out"], 1)[0]
    return outputs.write_output(result, out, _mask(options["where"]), casting=as_casting(options["casting"]))


USUAL: Final = {"casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None}


def _check(name: str, unusual: dict[str, Any], dtype: tf.DType) -> None:
    """Let NumPy refuse options that it does not take of text."""
    if not unusual:
        return
    if isinstance(unusual.get("dtype"), tf.DType):
        unusual = {**unusual, "dtype": unusual["dtype"].as_numpy_dtype if dtype != tf.string else np.str_}
    function = getattr(np.strings, name)
    found = function(*[np.array("a")] * function.nin, **unusual)
    if not isinstance(found, np.ndarray | np.generic):
        raise dtypes.unsupported_dtype_error(np.dtype(object))
    if found.dtype.kind not in ("UST" if dtype == tf.string else np.dtype(dtype.as_numpy_dtype).kind):
        raise TypeError(f"no loop of {name} for text gives {found.dtype}")


def _mask(where: Any) -> tf.Tensor | None:
    """What is no array is read as truths, as NumPy reads it."""
    return outputs.as_mask(where if is_array(where) else np.asarray(where, bool))


def on_host(function: Callable[..., list[Any]], *flat: tf.Tensor) -> tf.Tensor:
    """What Python makes of vectors of text, given as lists of bytes, and of numbers: text. In a graph by a call back to
    Python, so only in this process.
    """
    if tf.executing_eagerly():
        return tf.constant(_listed(function, *[tensor.numpy() for tensor in flat]), tf.string)
    result = tf.numpy_function(lambda *arrays: _listed(function, *arrays), list(flat), tf.string)
    result.set_shape(flat[0].shape)
    return result


def _listed(function: Callable[..., list[Any]], *arrays: np.ndarray) -> np.ndarray:
    items = function(*map(list, arrays))
    found = np.empty(len(items), object)
    found[:] = [item.encode() if isinstance(item, str) else item for item in items]
    return found


def check_static(condition: tf.Tensor, message: str, result: tf.Tensor) -> tf.Tensor:
    """The result, if the condition holds of all elements: else a ValueError, which in a graph comes when it runs."""
    return check(tf.reduce_all(condition), ValueError(message), result)
