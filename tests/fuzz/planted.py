"""A small namespace of tensors with planted faults; deaths depend on a dtype, so that they show in every mode."""

from __future__ import annotations

import os

import tensorflow as tf


def negative(x):
    """Wrong by one."""
    return 1 - tf.convert_to_tensor(x)


def square(x):
    return tf.square(tf.convert_to_tensor(x))


def positive(x):
    """Lacks every parameter but the first."""
    return tf.identity(tf.convert_to_tensor(x))


def absolute(x):
    """Ends the process."""
    if tf.convert_to_tensor(x).dtype.is_floating:
        os.abort()
    return tf.abs(x)


def fabs(x):
    """Never returns."""
    while tf.convert_to_tensor(x).dtype.is_floating:
        pass
    return tf.abs(x)
