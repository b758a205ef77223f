"""Selections whose mask is rarely True: special values are computed only if there are any."""

from __future__ import annotations

from collections.abc import Callable

import tensorflow as tf

from tfnp._core import ops


def replace_rare(usual: tf.Tensor, mask: tf.Tensor, special: Callable[[], tf.Tensor]) -> tf.Tensor:
    """Select `special()` where the mask is True, else `usual`. In eager mode, skip it if the mask is all False."""
    if ops.executing_eagerly() and not mask.numpy().any():
        return usual
    return ops.select(mask, special(), usual)
