"""tf.reduce_mean of no integers is -1 under XLA, and 0 in eager mode.

It is the quotient 0 / 0 of integers, which XLA defines as -1.
"""

# /// upstream
# op = ["Mean"]
# part = "XLA bridge"
# modes = ["xla"]
# dtypes = ["int32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#102043"]
# state = "open; about other empty reductions"
# ///

import sys

import tensorflow as tf

x = tf.zeros([0], tf.int32)
expected = int(tf.reduce_mean(x))
actual = int(tf.function(tf.reduce_mean, jit_compile=True)(x))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
