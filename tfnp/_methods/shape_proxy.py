"""What is asked of a tuple, answered by the shape of a tensor. It indexes, slices, unpacks and compares for equality as
one already; what is missing is here.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf


def repeated(self: tf.TensorShape, value: Any, /) -> tf.TensorShape:
    """The sides again and again, as `shape * 2`."""
    return tf.TensorShape(tuple(self) * value)


def count(self: tf.TensorShape, value: Any, /) -> int:
    return tuple(self).count(value)


def index(self: tf.TensorShape, value: Any, /, *limits: Any) -> int:
    return tuple(self).index(value, *limits)


def format(self: tf.TensorShape) -> str:
    """As a tuple, so that `[tensor.shape]` is printed as NumPy's is."""
    return str(self)


def _ordering(compare: Callable[[Any, Any], bool]) -> Callable[[tf.TensorShape, Any], Any]:
    """A comparison with another shape, or a tuple."""

    def ordered(self: tf.TensorShape, value: Any, /) -> Any:
        if not isinstance(value, tuple | tf.TensorShape):
            return NotImplemented
        return compare(tuple(self), tuple(value))

    return ordered


SHAPES: Final[dict[str, Callable[..., Any]]] = {
    "__ge__": _ordering(operator.ge),
    "__gt__": _ordering(operator.gt),
    "__le__": _ordering(operator.le),
    "__lt__": _ordering(operator.lt),
    "__mul__": repeated,
    "__repr__": format,
    "__rmul__": repeated,
    "count": count,
    "index": index,
}
