"""Operations that transform text. A tf.string tensor has no width, so no result is truncated, as NumPy's may be.

`capitalize`, `title`, `swapcase`, `mod`, `translate`, `decode`, and encodings other than UTF-8 run Python's own
methods, since TensorFlow has no ops for them: in a graph through `tf.numpy_function`.
"""

from __future__ import annotations

import codecs
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.edge import array_function
from tfnp._core.parameters import ArrayLike, DTypeLike, Out
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.math import ufuncs
from tfnp.strings.text import broadcast_texts, call_on_host, is_text, reshape_text, to_text, write_text

__all__ = [
    "add", "capitalize", "decode", "encode", "lower", "mod", "swapcase", "title", "translate", "upper",
]  # fmt: skip


@array_function(unknown_rank="broadcast")
def add(
    x1: ArrayLike, x2: ArrayLike, /, out: Out = None, *, where: ArrayLike = True, casting: str = "same_kind",
    order: str = "K", dtype: DTypeLike | None = None, subok: bool = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Numeric operands are added. Elements that `where` excludes are empty. `out` must be a tf.Variable. XLA has no
    text: tracing for it raises TypeError.
    """
    options = {name: value for name, value in locals().items() if name not in ("x1", "x2")}
    if not (is_text(x1) or is_text(x2)):
        ufunc_options = {name: value for name, value in options.items() if name != "subok" and value is not None}
        return ufuncs.add(x1, x2, **ufunc_options)
    (first, second), shape = broadcast_texts(to_text(x1), to_text(x2))
    return write_text("add", reshape_text(tf.strings.join([first, second]), shape), options)


@array_function(unknown_rank="each")
def upper(a: ArrayLike) -> tf.Tensor:
    """The result may be longer than the text. XLA has no text: tracing for it raises TypeError."""
    return tf.strings.upper(to_text(a), encoding="utf-8")


@array_function(unknown_rank="each")
def lower(a: ArrayLike) -> tf.Tensor:
    """The result may be longer than the text. XLA has no text: tracing for it raises TypeError."""
    return tf.strings.lower(to_text(a), encoding="utf-8")


@array_function(unknown_rank="each")
def capitalize(a: ArrayLike) -> tf.Tensor:
    """Python's `str` method is called, in a graph by `tf.numpy_function`: a saved graph cannot be loaded in another
    process. XLA has no text: tracing for it raises TypeError.
    """
    return _map_text(a, str.capitalize)


@array_function(unknown_rank="each")
def title(a: ArrayLike) -> tf.Tensor:
    """Python's `str` method is called, in a graph by `tf.numpy_function`: a saved graph cannot be loaded in another
    process. XLA has no text: tracing for it raises TypeError.
    """
    return _map_text(a, str.title)


@array_function(unknown_rank="each")
def swapcase(a: ArrayLike) -> tf.Tensor:
    """Python's `str` method is called, in a graph by `tf.numpy_function`: a saved graph cannot be loaded in another
    process. XLA has no text: tracing for it raises TypeError.
    """
    return _map_text(a, str.swapcase)


@array_function(unknown_rank="each")
def translate(a: ArrayLike, table: ArrayLike, deletechars: ArrayLike | None = None) -> tf.Tensor:
    """A bytes table applies to bytes, any other to text. `deletechars` requires a bytes table. Python's `str` method is
    called, in a graph by `tf.numpy_function`: a saved graph cannot be loaded in another process. XLA has no text:
    tracing for it raises TypeError.
    """
    delete = () if deletechars is None else (deletechars,)

    def translate_item(item: bytes, item_table: Any) -> Any:
        if isinstance(item_table, bytes):
            return item.translate(item_table, *delete)
        return item.decode().translate(item_table)

    return _map_with_objects(to_text(a), np.asarray(table), translate_item)


@array_function(unknown_rank="each")
def encode(a: ArrayLike, encoding: str | None = None, errors: str | None = None) -> tf.Tensor:
    """For UTF-8, the encoding of tf.string tensors, return the text itself. Other encodings call Python, in a graph by
    `tf.numpy_function`. XLA has no text: tracing for it raises TypeError.
    """
    text = to_text(a)
    arguments = _list_codec_arguments(encoding, errors)
    is_empty = text.shape.num_elements() == 0  # NumPy does not look up the codec then
    if not arguments or is_empty or codecs.lookup(arguments[0]).name == "utf-8":
        return text
    return _map_on_host(text, lambda items: [item.decode().encode(*arguments) for item in items])


@array_function(unknown_rank="each")
def decode(a: ArrayLike, encoding: str | None = None, errors: str | None = None) -> tf.Tensor:
    """The result is encoded in UTF-8 again, since a tf.string tensor holds bytes. Python's `str` method is called, in a
    graph by `tf.numpy_function`: a saved graph cannot be loaded in another process. XLA has no text: tracing for it
    raises TypeError.
    """
    text = to_text(a)
    arguments = _list_codec_arguments(encoding, errors)
    for name, argument in zip(("encoding", "errors"), arguments, strict=False):
        if not isinstance(argument, str) and text.shape.num_elements() != 0:
            raise TypeError(f"decode() argument {name!r} must be str, not {type(argument).__name__}")
    return _map_on_host(text, lambda items: [item.decode(*arguments) for item in items])


@array_function(unknown_rank="broadcast")
def mod(a: ArrayLike, values: ArrayLike) -> tf.Tensor:
    """Each string is formatted with one value, a number or text, which broadcasts with it. Python's `str` method is
    called, in a graph by `tf.numpy_function`: a saved graph cannot be loaded in another process. XLA has no text:
    tracing for it raises TypeError.
    """
    if not is_tensor(values) and np.asarray(values).dtype.kind == "O":
        return _map_with_objects(to_text(a), np.asarray(values), lambda item, value: item.decode() % value)
    tensor = to_text(values) if is_text(values) else convert.to_tensor(values)
    (text, value), shape = broadcast_texts(to_text(a), tensor)

    def format_items(items: list[bytes], item_values: list[Any]) -> list[str]:
        return [
            item.decode() % (item_value.decode() if isinstance(item_value, bytes) else item_value)
            for item, item_value in zip(items, item_values, strict=True)
        ]

    return reshape_text(call_on_host(format_items, text, value), shape)


def _map_with_objects(text: tf.Tensor, objects: np.ndarray, function: Any) -> tf.Tensor:
    """Return the results of a function of text and Python objects, which broadcast together."""
    if objects.ndim == 0:
        return _map_on_host(text, lambda items: [function(item, objects[()]) for item in items])
    shape = np.broadcast_shapes(tuple(text.shape), objects.shape)
    flat_objects = list(np.broadcast_to(objects, shape).ravel())
    flat = tf.reshape(shapes.broadcast_to(text, shape), (-1,))
    return reshape_text(call_on_host(lambda items: list(map(function, items, flat_objects)), flat), shape)


def _list_codec_arguments(encoding: Any, errors: Any) -> list[Any]:
    """Return the arguments of `bytes.decode`, up to the first that is None."""
    return [] if encoding is None else [encoding] if errors is None else [encoding, errors]


def _map_text(a: Any, function: Any) -> tf.Tensor:
    return _map_on_host(to_text(a), lambda items: [function(item.decode()) for item in items])


def _map_on_host(text: tf.Tensor, function: Any) -> tf.Tensor:
    return tf.reshape(call_on_host(function, tf.reshape(text, (-1,))), tf.shape(text))
