"""What holds for few elements is computed where there are any."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from tfnp._core import ops


def replace_rare(usual: tf.Tensor, mask: tf.Tensor, special: Callable[[], tf.Tensor]) -> tf.Tensor:
    """`special()` where `mask`, `usual` elsewhere. In eager, where a look costs less than an op, we look first."""
    if ops.executing_eagerly() and not mask.numpy().any():
        return usual
    return ops.select(mask, special(), usual)
