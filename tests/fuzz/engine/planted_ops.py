"""TensorFlow with a planted fault: its tanh forgets the sign of large numbers, in every mode."""

from __future__ import annotations

from typing import Any

from fuzz.engine import tasks


def prepare(**arguments: Any) -> tasks.WorkerContext:
    """Import TensorFlow with another function in the place of one of its own."""
    import tensorflow as tf

    tanh = tf.math.tanh
    tf.math.tanh = lambda x: tanh(tf.where(x < -2, -x, x)) if x.dtype.is_floating else tanh(x)
    return tasks.prepare(**arguments)
