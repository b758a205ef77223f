"""tf.math.igammac of a negative first argument is 1 under XLA, and nan in eager mode.

The function is defined for positive arguments.
"""

# /// upstream
# op = ["Igammac"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["openxla/xla#49175"]
# state = "open"
# ///

import sys

import tensorflow as tf

a, x = tf.constant([-0.75]), tf.constant([0.5])
expected = tf.math.igammac(a, x).numpy().tolist()
actual = tf.function(tf.math.igammac, jit_compile=True)(a, x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
