"""Comparisons of bools, comparisons of int64 with uint64, and logical functions of other dtypes."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from tfnp._core import convert, ops

Kernel = Callable[..., tf.Tensor]


def as_bool_op(kernel: Kernel) -> Kernel:
    """Return a comparison of bools, by way of uint8: TensorFlow has no kernels that order bools."""

    def compare(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        return kernel(ops.cast(x, tf.uint8), ops.cast(y, tf.uint8))

    return compare


def as_mixed_op(kernel: Kernel, *, first: bool, second: bool) -> Kernel:
    """Return an exact comparison of int64 with uint64. It compares as uint64, unless the signed operand is negative.

    Its result is then `first` if the first operand is the signed one, `second` if the second is.
    """

    def compare(x: tf.Tensor, y: tf.Tensor) -> tf.Tensor:
        signed, constant = (x, first) if x.dtype == tf.int64 else (y, second)
        negative = ops.less(signed, ops.scalar(0, signed))
        result = kernel(ops.cast(x, tf.uint64), ops.cast(y, tf.uint64))
        return ops.select(negative, ops.scalar(constant, tf.bool), result)

    return compare


def on_bools(kernel: Kernel) -> Kernel:
    """Return a logical function of operands of any dtype, which are cast to bool."""

    def call(*operands: tf.Tensor) -> tf.Tensor:
        return kernel(*[convert.cast(operand, tf.bool) for operand in operands])

    return call


def all_true(x: tf.Tensor) -> tf.Tensor:
    """Return True in the shape of x, which must not be a float."""
    return ops.equal(x, x)


def all_false(x: tf.Tensor) -> tf.Tensor:
    """Return False in the shape of x, which must not be a float."""
    return ops.not_equal(x, x)
