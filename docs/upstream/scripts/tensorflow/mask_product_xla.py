"""tf.cast(False, tf.float32) * inf is 0 under XLA.

XLA replaces the product with a converted bool by a selection. 0 times infinity is nan.
"""

# /// upstream
# op = ["Mul", "Cast"]
# part = "XLA, algebraic simplifier"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_core/convert.py"]
# names = ["multiply"]
# shows = "inf"
# ///

import sys

import numpy as np
import tensorflow as tf

mask, x = tf.constant([False]), tf.constant([np.inf])


def f(mask, x):
    return tf.cast(mask, tf.float32) * x


expected = f(mask, x).numpy().tolist()
actual = tf.function(f, jit_compile=True)(mask, x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
