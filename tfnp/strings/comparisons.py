"""Comparisons of text by code point, as in Python. Numbers are compared by the ufuncs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tfnp._core.edge import array_function
from tfnp.routines.math import ufuncs
from tfnp.strings import points
from tfnp.strings.text import TEXT, broadcast_texts, is_text, on_vectors, reshape_text, to_text, write_text

__all__ = ["equal", "greater", "greater_equal", "less", "less_equal", "not_equal"]


@array_function(unknown_rank="broadcast")
def equal(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compares text by code point; numeric operands are passed to the ufunc of the same name. XLA has no text:
    TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.equal, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def not_equal(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compares text by code point; numeric operands are passed to the ufunc of the same name. XLA has no text:
    TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.not_equal, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def less(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compares text by code point; numeric operands are passed to the ufunc of the same name. XLA has no text:
    TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.less, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def less_equal(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compares text by code point; numeric operands are passed to the ufunc of the same name. XLA has no text:
    TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.less_equal, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def greater(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compares text by code point; numeric operands are passed to the ufunc of the same name. XLA has no text:
    TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.greater, x1, x2, locals())


@array_function(unknown_rank="broadcast")
def greater_equal(
    x1: Any, x2: Any, /, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    """Compares text by code point; numeric operands are passed to the ufunc of the same name. XLA has no text:
    TypeError. `out` must be a tf.Variable.
    """
    return _compare(ufuncs.greater_equal, x1, x2, locals())


def _compare(compare: Callable[..., Any], x1: Any, x2: Any, options: dict[str, Any]) -> Any:
    """Compare text, or call the ufunc for numbers. `compare` is applied to signs of differences and zero."""
    options = {name: value for name, value in options.items() if name not in ("x1", "x2")}
    if not (is_text(x1) or is_text(x2)):
        ufunc_options = {name: value for name, value in options.items() if name != "subok" and value is not None}
        return compare(x1, x2, **ufunc_options)
    (first, second), shape = broadcast_texts(to_text(x1), to_text(x2))
    return write_text(compare.__name__, reshape_text(compare(_compute_sign(first, second), 0), shape), options)


@on_vectors(TEXT, TEXT)
def _compute_sign(first: tf.Tensor, second: tf.Tensor) -> tf.Tensor:
    """Return -1, 0 or 1 for each pair; a prefix is less."""
    left, right = points.read(first).codes, points.read(second).codes
    width = tf.maximum(tf.shape(left)[1], tf.shape(right)[1])
    left, right = (
        tf.pad(codes, [[0, 0], [0, width - tf.shape(codes)[1]]], constant_values=points.PADDING)
        for codes in (left, right)
    )
    signs = tf.sign(left - right)
    index = tf.argmax(tf.abs(signs), 1)
    return tf.gather(signs, index, batch_dims=1)
