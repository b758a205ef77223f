"""Text made of text. No result has a width, so none is cut off, as those of NumPy's `upper` and its kin may be.

`capitalize`, `title`, `swapcase`, `mod`, `translate`, `decode`, and encodings but UTF-8 are Python's own, since
TensorFlow has no ops for them: in a graph they call back to Python.
"""

from __future__ import annotations

import codecs
from typing import Any

import numpy as np
import tensorflow as tf

from tfnp._core import convert, shapes
from tfnp._core.edge import array_function
from tfnp._core.tensor_conversion import is_tensor
from tfnp.routines.math import ufuncs
from tfnp.strings.text import broadcast_texts, is_text, on_host, reshape_text, to_text, write_text

__all__ = [
    "add", "capitalize", "decode", "encode", "lower", "mod", "swapcase", "title", "translate", "upper",
]  # fmt: skip


@array_function(unknown_rank="broadcast")
def add(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Text put after text; numbers are added. Where `where` leaves out text, it is empty."""
    options = {name: value for name, value in locals().items() if name not in ("x1", "x2")}
    if not (is_text(x1) or is_text(x2)):
        given = {name: value for name, value in options.items() if name != "subok" and value is not None}
        return ufuncs.add(x1, x2, **given)
    (first, second), shape = broadcast_texts(to_text(x1), to_text(x2))
    return write_text("add", reshape_text(tf.strings.join([first, second]), shape), options)


@array_function(unknown_rank="each")
def upper(a: Any) -> tf.Tensor:
    return tf.strings.upper(to_text(a), encoding="utf-8")


@array_function(unknown_rank="each")
def lower(a: Any) -> tf.Tensor:
    return tf.strings.lower(to_text(a), encoding="utf-8")


@array_function(unknown_rank="each")
def capitalize(a: Any) -> tf.Tensor:
    return _of_each(a, str.capitalize)


@array_function(unknown_rank="each")
def title(a: Any) -> tf.Tensor:
    return _of_each(a, str.title)


@array_function(unknown_rank="each")
def swapcase(a: Any) -> tf.Tensor:
    return _of_each(a, str.swapcase)


@array_function(unknown_rank="each")
def translate(a: Any, table: Any, deletechars: Any = None) -> tf.Tensor:
    """A table of bytes is for bytes, any other for text, in which nothing can be deleted but by the table."""
    deleted = () if deletechars is None else (deletechars,)

    def translated(item: bytes, one: Any) -> Any:
        return item.translate(one, *deleted) if isinstance(one, bytes) else item.decode().translate(one)

    return _with_objects(to_text(a), np.asarray(table), translated)


@array_function(unknown_rank="each")
def encode(a: Any, encoding: Any = None, errors: Any = None) -> tf.Tensor:
    """A tensor's text is in UTF-8 as it is."""
    text = to_text(a)
    arguments = _codec(encoding, errors)
    is_empty = text.shape.num_elements() == 0  # no codec is looked for
    if not arguments or is_empty or codecs.lookup(arguments[0]).name == "utf-8":
        return text
    return _host(text, lambda items: [item.decode().encode(*arguments) for item in items])


@array_function(unknown_rank="each")
def decode(a: Any, encoding: Any = None, errors: Any = None) -> tf.Tensor:
    text = to_text(a)
    arguments = _codec(encoding, errors)
    for name, given in zip(("encoding", "errors"), arguments, strict=False):
        if not isinstance(given, str) and text.shape.num_elements() != 0:
            raise TypeError(f"decode() argument {name!r} must be str, not {type(given).__name__}")
    return _host(text, lambda items: [item.decode(*arguments) for item in items])


@array_function(unknown_rank="broadcast")
def mod(a: Any, values: Any) -> tf.Tensor:
    """Each text takes one value, which broadcasts with it: a number, or text."""
    if not is_tensor(values) and np.asarray(values).dtype.kind == "O":
        return _with_objects(to_text(a), np.asarray(values), lambda item, one: item.decode() % one)
    filling = to_text(values) if is_text(values) else convert.to_tensor(values)
    (text, value), shape = broadcast_texts(to_text(a), filling)

    def formatted(items: list[bytes], fillings: list[Any]) -> list[str]:
        return [
            item.decode() % (one.decode() if isinstance(one, bytes) else one)
            for item, one in zip(items, fillings, strict=True)
        ]

    return reshape_text(on_host(formatted, text, value), shape)


def _with_objects(text: tf.Tensor, objects: np.ndarray, function: Any) -> tf.Tensor:
    """Text beside Python's objects, which broadcast with it."""
    if objects.ndim == 0:
        return _host(text, lambda items: [function(item, objects[()]) for item in items])
    shape = np.broadcast_shapes(tuple(text.shape), objects.shape)
    others = list(np.broadcast_to(objects, shape).ravel())
    flat = tf.reshape(shapes.broadcast_to(text, shape), (-1,))
    return reshape_text(on_host(lambda items: list(map(function, items, others)), flat), shape)


def _codec(encoding: Any, errors: Any) -> list[Any]:
    """What Python is given: nothing after the first that is None."""
    return [] if encoding is None else [encoding] if errors is None else [encoding, errors]


def _of_each(a: Any, function: Any) -> tf.Tensor:
    return _host(to_text(a), lambda items: [function(item.decode()) for item in items])


def _host(text: tf.Tensor, function: Any) -> tf.Tensor:
    return tf.reshape(on_host(function, tf.reshape(text, (-1,))), tf.shape(text))
