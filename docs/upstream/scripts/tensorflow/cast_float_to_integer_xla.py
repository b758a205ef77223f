"""Casts of nan and of numbers out of range to integers differ under XLA.

Eager mode gives the lowest integer for all of them, as the processor does; XLA gives 0 for nan and saturates.
"""

# /// upstream
# op = ["Cast"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "by design"
# reason = "The documentation of tf.cast calls such casts undefined."
# search = "reported"
# issues = ["tensorflow/tensorflow#57883", "tensorflow/tensorflow#121242", "tensorflow/tensorflow#126212"]
# state = "closed, and open for unsigned integers"
# workarounds = ["tfnp/_core/casting.py"]
# names = ["astype"]
# shows = "int"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([np.nan, 1e20, -1e20])


def f(x):
    return tf.cast(x, tf.int32)


expected = f(x).numpy().tolist()
actual = tf.function(f, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
