"""A small namespace of tensors with planted faults, which show in every mode."""

from __future__ import annotations

import os

import tensorflow as tf


def negative(x):
    """Wrong by one."""
    return 1 - tf.convert_to_tensor(x)


def positive(x):
    """Lacks every parameter but the first."""
    return tf.identity(tf.convert_to_tensor(x))


def conjugate(x):
    """Wrong by one, and the end of the process without an axis: candidates of a reduction die."""
    x = tf.convert_to_tensor(x)
    if x.shape.rank == 0:
        os.abort()
    return x + tf.ones([], x.dtype)


def absolute(x):
    """Ends the process, but for booleans."""
    if tf.convert_to_tensor(x).dtype != tf.bool:
        os.abort()
    return x


def fabs(x):
    """Never returns, but for booleans."""
    while tf.convert_to_tensor(x).dtype != tf.bool:
        pass
    return x
