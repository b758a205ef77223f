"""Comparisons and truth: of booleans, of int64 beside uint64, of what is no boolean."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from tfnp._core import convert, ops

Kernel = Callable[..., tf.Tensor]


def as_bool_op(kernel: Kernel) -> Kernel:
    """A comparison of booleans, by way of uint8: TensorFlow knows only which are equal."""

    def compare(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return kernel(ops.cast(x, tf.uint8), ops.cast(y, tf.uint8))

    return compare


def as_mixed_op(kernel: Kernel, *, first: bool, second: bool) -> Kernel:
    """A comparison of int64 with uint64, exact: in uint64, unless the signed one is negative.

    Then the answer is known: `first` where the first operand is the signed one, `second` where the second is.
    """

    def compare(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        signed, answer = (x, first) if x.dtype == tf.int64 else (y, second)
        negative = ops.less(signed, ops.scalar(0, signed))
        result = kernel(ops.cast(x, tf.uint64), ops.cast(y, tf.uint64))
        return ops.select(negative, ops.scalar(answer, tf.bool), result)

    return compare


def on_bools(kernel: Kernel) -> Kernel:
    """A logical function of what is true unless it is zero."""

    def judge(*operands: tf.Tensor) -> tf.Tensor:
        return kernel(*[convert.cast(operand, tf.bool) for operand in operands])

    return judge


def all_true(x: tf.Tensor) -> tf.Tensor:
    """True, in the shape of x, which must not be a float."""
    return ops.equal(x, x)


def all_false(x: tf.Tensor) -> tf.Tensor:
    """False, in the shape of x, which must not be a float."""
    return ops.not_equal(x, x)
