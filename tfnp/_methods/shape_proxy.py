"""The methods and operators of tuples for tf.TensorShape, which lacks some of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf


def repeat(self: tf.TensorShape, value: Any, /) -> tf.TensorShape:
    """Implement `shape * 2`: return the shape with its dimensions repeated."""
    return tf.TensorShape(tuple(self) * value)


def count(self: tf.TensorShape, value: Any, /) -> int:
    return tuple(self).count(value)


def index(self: tf.TensorShape, value: Any, /, *limits: Any) -> int:
    return tuple(self).index(value, *limits)


def format_shape(self: tf.TensorShape) -> str:
    """Return the repr of a tuple, so that `[tensor.shape]` is printed as in NumPy."""
    return str(self)


def _make_comparison(compare: Callable[[Any, Any], bool]) -> Callable[[tf.TensorShape, Any], Any]:
    """Return a comparison with another shape or a tuple."""

    def compare_shapes(self: tf.TensorShape, value: Any, /) -> Any:
        if not isinstance(value, tuple | tf.TensorShape):
            return NotImplemented
        return compare(tuple(self), tuple(value))

    return compare_shapes


SHAPES: Final[dict[str, Callable[..., Any]]] = {
    "__ge__": _make_comparison(operator.ge),
    "__gt__": _make_comparison(operator.gt),
    "__le__": _make_comparison(operator.le),
    "__lt__": _make_comparison(operator.lt),
    "__mul__": repeat,
    "__repr__": format_shape,
    "__rmul__": repeat,
    "count": count,
    "index": index,
}
