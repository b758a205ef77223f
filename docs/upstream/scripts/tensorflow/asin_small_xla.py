"""asin of 2e-38 in float32 is 0 under XLA.

2e-38 is a normal number and its own arcsine. XLA halves the argument on the way, which gives a subnormal number,
and those are flushed.
"""

# /// upstream
# op = ["Asin"]
# part = "XLA"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/real/transcendental.py"]
# names = ["arcsin", "asin"]
# shows = "e-3"
# ///

import sys

import tensorflow as tf

x = tf.constant([2e-38])
expected = tf.math.asin(x).numpy().tolist()
actual = tf.function(tf.math.asin, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
