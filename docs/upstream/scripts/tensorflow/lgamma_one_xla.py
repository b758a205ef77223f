"""lgamma(1) of float32 is 4.8e-7 under XLA.

It is 0; the error is absolute, and so the relative one is unbounded near the zeros at 1 and 2.
"""

# /// upstream
# op = ["Lgamma"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "The absolute error is small, and jax lives with it."
# search = "reported"
# issues = ["jax-ml/jax#5418"]
# state = "reported for jax; none found for TensorFlow"
# ///

import sys

import tensorflow as tf

x = tf.constant([1.0, 2.0])
expected = [0.0, 0.0]
actual = tf.function(tf.math.lgamma, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
