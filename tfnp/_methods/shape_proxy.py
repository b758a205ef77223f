"""The methods and operators of tuples for tf.TensorShape, which lacks some of them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import tensorflow as tf


def repeat(self: tf.TensorShape, value: Any, /) -> tf.TensorShape:
    """Implement `shape * 2`: return the shape with its dimensions repeated."""
    return tf.TensorShape(tuple(self) * value)


_tf_add: Final = tf.TensorShape.__add__
_tf_radd: Final = tf.TensorShape.__radd__


def add(self: tf.TensorShape, value: Any, /) -> tf.TensorShape | tuple[Any, ...]:
    """Implement `shape + (-1,)`, an argument of `reshape`: a tuple, since no shape has a negative dimension."""
    return (*self, *value) if _has_negative_item(value) else _tf_add(self, value)


def add_to(self: tf.TensorShape, value: Any, /) -> tf.TensorShape | tuple[Any, ...]:
    """Implement `(-1,) + shape`, as `add`."""
    return (*value, *self) if _has_negative_item(value) else _tf_radd(self, value)


def _has_negative_item(value: Any) -> bool:
    return isinstance(value, tuple) and any(isinstance(item, int | np.integer) and item < 0 for item in value)


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
    "__add__": add,
    "__ge__": _make_comparison(operator.ge),
    "__gt__": _make_comparison(operator.gt),
    "__le__": _make_comparison(operator.le),
    "__lt__": _make_comparison(operator.lt),
    "__mul__": repeat,
    "__radd__": add_to,
    "__repr__": format_shape,
    "__rmul__": repeat,
    "count": count,
    "index": index,
}
