"""Text as a dtype: `tf.string` holds UTF-8 of any length, and is NumPy's `StringDType`.

Arrays of text are converted to tensors and back here, numbers are written as text and text is read as numbers. In eager
mode NumPy and Python do that, and make its values and errors. A graph has kernels on the CPU; XLA has none.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import tensorflow as tf

from tfnp._core.xla import is_for_xla

DTYPE: Final = np.dtypes.StringDType()
"""NumPy's dtype of a string tensor: text of any width."""

_TEXT_CODES: Final = "UST"
_PRECISIONS: Final = {tf.float16: (5, 1e3), tf.float32: (9, 1e6), tf.float64: (17, 1e16)}
"""By dtype: the digits that tell all numbers apart, and the number from which on NumPy writes an exponent."""

_INTEGERS: Final = (tf.int64, tf.uint64)
_REAL: Final = r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|(?i:nan|inf(?:inity)?)"
_COMPLEX: Final = rf"^\(?([+-]?(?:{_REAL}))?(?:([+-]?(?:{_REAL})?)[jJ])?\)?$"


def is_text(array: np.ndarray | np.generic) -> bool:
    """Return whether an array holds text: `str`, `bytes`, or objects that are all of either.

    Such objects are what `tensor.numpy()` returns for a string tensor, and what pandas has for a column of text.
    """
    kind = array.dtype.kind
    if kind != "O":
        return kind in _TEXT_CODES
    items = np.ravel(array).tolist()
    return bool(items) and all(isinstance(item, str | bytes) for item in items)


def check_not_for_xla() -> None:
    """Raise while tracing for XLA, which has no kernels of strings."""
    if is_for_xla():
        raise TypeError("XLA has no text: handle tf.string outside of jit_compile=True")


def to_text_tensor(array: np.ndarray | np.generic) -> tf.Tensor:
    """Convert an array of text to a string tensor. `str` is encoded as UTF-8; `bytes` are taken as they are."""
    check_not_for_xla()
    return tf.constant(array.astype(object) if array.dtype.kind == "T" else array, tf.string)


def decode(static: Any) -> np.ndarray:
    """Return the elements of a string tensor, an array of `bytes`, as NumPy's text.

    Bytes that are no UTF-8 are kept as surrogates, as Python keeps those in file names.
    """
    array = np.asarray(static, object)
    items = [item if isinstance(item, str) else item.decode("utf-8", "surrogateescape") for item in array.ravel()]
    decoded = np.empty(len(items), object)
    decoded[:] = items
    return decoded.reshape(array.shape)


def cast_text(tensor: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast from text, or to text, as NumPy's `astype` does."""
    check_not_for_xla()
    return format_values(tensor) if dtype == tf.string else parse(tensor, dtype)


def parse(text: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Read text as Python's `int`, `float` and `complex` do; as a bool, text is True unless it is empty.

    What is no number raises NumPy's ValueError, or TensorFlow's error where a graph finds it when it runs.
    """
    if dtype == tf.bool:
        return tf.not_equal(text, "")
    if tf.executing_eagerly():
        read = tf.float32 if dtype == tf.bfloat16 else dtype  # which NumPy does not read
        with np.errstate(all="ignore"):
            return tf.cast(decode(text.numpy()).astype(read.as_numpy_dtype), dtype)
    text = tf.strings.strip(text)
    for _ in range(2):  # 1_0_0: matches do not overlap
        text = tf.strings.regex_replace(text, r"(\d)_(\d)", r"\1\2")
    if dtype.is_complex:
        return tf.cast(_parse_complex(text), dtype)
    if dtype.is_integer:
        return _narrow(tf.strings.to_number(text, tf.uint64 if dtype == tf.uint64 else tf.int64), dtype)
    return tf.cast(tf.strings.to_number(text, tf.float64 if dtype == tf.float64 else tf.float32), dtype)


def _narrow(integers: tf.Tensor, dtype: tf.DType) -> tf.Tensor:
    """Cast integers to a narrower dtype; a graph fails when it runs if one does not fit."""
    if dtype in _INTEGERS:
        return integers
    is_valid = tf.reduce_all((integers >= dtype.min) & (integers <= dtype.max))
    with tf.control_dependencies([tf.debugging.Assert(is_valid, [f"integer out of bounds for {dtype.name}"])]):
        return tf.cast(integers, dtype)


def _parse_complex(text: tf.Tensor) -> tf.Tensor:
    real, imaginary = (tf.strings.regex_replace(text, _COMPLEX, rf"\{group}") for group in (1, 2))
    has_unit = tf.strings.regex_full_match(imaginary, r"[+-]?") & tf.strings.regex_full_match(text, r".*[jJ]\)?")
    imaginary = tf.where(has_unit, tf.strings.join([imaginary, "1"]), imaginary)
    is_only_imaginary = tf.strings.regex_full_match(text, rf"\(?[+-]?(?:{_REAL})[jJ]\)?")
    imaginary = tf.where(is_only_imaginary, tf.strings.regex_replace(text, r"[jJ()]", ""), imaginary)
    real = tf.where(is_only_imaginary, "", real)
    real = tf.where(tf.equal(real, "") & tf.not_equal(imaginary, ""), "0", real)  # empty text is no number
    imaginary = tf.where(tf.equal(imaginary, ""), "0", imaginary)
    return tf.complex(*(tf.strings.to_number(part, tf.float64) for part in (real, imaginary)))


def format_values(tensor: tf.Tensor) -> tf.Tensor:
    """Write numbers as NumPy does: the fewest digits that tell a float from its neighbours, `True` and `False`.

    A graph may write one digit more for a power of two. NumPy cannot write bfloat16: its exact value is written.
    """
    if tensor.dtype == tf.bfloat16:
        tensor = tf.cast(tensor, tf.float32)
    if tf.executing_eagerly():
        with np.errstate(all="ignore"):
            return to_text_tensor(np.asarray(tensor.numpy()).astype(DTYPE))
    if tensor.dtype == tf.bool:
        return tf.where(tensor, "True", "False")
    if tensor.dtype.is_integer:
        return tf.strings.as_string(tensor)
    return _format_complex(tensor) if tensor.dtype.is_complex else _format_floats(tensor, ".0")


def _format_complex(tensor: tf.Tensor) -> tf.Tensor:
    real, imaginary = (_format_floats(part, "") for part in (tf.math.real(tensor), tf.math.imag(tensor)))
    sign = tf.where(tf.strings.regex_full_match(imaginary, "-.*"), "", "+")
    pair = tf.strings.join(["(", real, sign, imaginary, "j)"])
    return tf.where(tf.equal(real, "0"), tf.strings.join([imaginary, "j"]), pair)


def _format_floats(x: tf.Tensor, end: str) -> tf.Tensor:
    """Write floats; `end` follows the digits of one that is whole."""
    highest = _PRECISIONS[x.dtype][1]
    scientific = _format_shortest(x)
    digits = tf.strings.regex_replace(scientific, r"^-?(\d)\.?(\d*?)0*e[+-]\d+$", r"\1\2")
    mantissa = tf.strings.regex_replace(digits, r"^(\d)(\d+)$", r"\1.\2")
    exponent = tf.strings.regex_replace(scientific, r"^.*e", "")
    sign = tf.where(tf.strings.regex_full_match(scientific, "-.*"), "-", "")
    size = tf.abs(tf.cast(x, tf.float64))
    is_positional = ((size >= 1e-4) & (size < highest)) | tf.equal(size, 0)
    is_finite = tf.math.is_finite(tf.cast(x, tf.float64))
    positional = _insert_point(digits, tf.where(is_positional & is_finite, exponent, "0"), end)
    written = tf.strings.join([sign, tf.where(is_positional, positional, tf.strings.join([mantissa, "e", exponent]))])
    return tf.where(is_finite, written, tf.where(tf.equal(x, x), scientific, "nan"))


def _format_shortest(x: tf.Tensor) -> tf.Tensor:
    """Write floats with an exponent, and the fewest digits that are read as the same float."""
    count = _PRECISIONS[x.dtype][0]
    source = tf.cast(x, tf.float32) if x.dtype == tf.float16 else x

    def write(precision: int) -> tf.Tensor:
        return tf.strings.as_string(source, precision=precision - 1, scientific=True)

    result = write(count)
    for precision in range(count - 1, 0, -1):
        written = write(precision)
        is_same = tf.equal(tf.cast(tf.strings.to_number(written, source.dtype), x.dtype), x)
        result = tf.where(is_same, written, result)
    return result


def _insert_point(digits: tf.Tensor, exponent: tf.Tensor, end: str) -> tf.Tensor:
    """Put the point into digits, of which the first counts 10 to the power of the exponent, from -4 to 15."""
    power = tf.strings.to_number(exponent, tf.int32)
    padded = tf.strings.join(["0000", digits, "0" * 16])
    integer_part = tf.strings.substr(padded, tf.minimum(power + 4, 4), tf.maximum(power, 0) + 1)
    integer_part = tf.where(power < 0, "0", integer_part)
    fraction = tf.strings.substr(padded, power + 5, tf.fill(tf.shape(power), 40))
    fraction = tf.strings.regex_replace(fraction, r"0+$", "")
    return tf.strings.join([integer_part, tf.where(tf.equal(fraction, ""), end, tf.strings.join([".", fraction]))])
