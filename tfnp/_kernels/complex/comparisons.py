"""NumPy's order of complex numbers: by real part, then by imaginary part; comparisons with nan are False."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from tfnp._core import ops
from tfnp._kernels.complex.arithmetic import isnan, parts

Comparison = Callable[[tf.Tensor, tf.Tensor], tf.Tensor]


def less(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _compare(ops.less, ops.less, x, y)


def less_equal(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _compare(ops.less, ops.less_equal, x, y)


def greater(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _compare(ops.greater, ops.greater, x, y)


def greater_equal(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    return _compare(ops.greater, ops.greater_equal, x, y)


def maximum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the maximum in the order by real, then by imaginary parts; where an operand has a nan, the first such
    operand.
    """
    return ops.select(ops.logical_or(isnan(x), greater_equal(x, y)), x, y)


def minimum(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the minimum in the order by real, then by imaginary parts; where an operand has a nan, the first such
    operand.
    """
    return ops.select(ops.logical_or(isnan(x), less_equal(x, y)), x, y)


def fmax(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the maximum, ignoring an operand that has a nan; where both have one, the first operand."""
    return ops.select(ops.logical_or(isnan(y), greater_equal(x, y)), x, y)


def fmin(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    """Return the minimum, ignoring an operand that has a nan; where both have one, the first operand."""
    return ops.select(ops.logical_or(isnan(y), less_equal(x, y)), x, y)


def _compare(first: Comparison, second: Comparison, x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
    (a, b), (c, d) = parts(x), parts(y)
    comparable = ops.logical_and(ops.equal(b, b), ops.equal(d, d))
    decided = ops.logical_and(first(a, c), comparable)
    return ops.logical_or(decided, ops.logical_and(ops.equal(a, c), second(b, d)))
