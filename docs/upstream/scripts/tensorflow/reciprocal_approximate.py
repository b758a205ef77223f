"""tf.math.reciprocal of a float32 vector of ones is 0.99999994.

The vectorized kernel seems to use the processor's approximate reciprocal with one step of refinement, which may
miss by one unit in the last place. A scalar is right.
"""

# /// upstream
# op = ["Reciprocal"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "by design"
# reason = """
# The op promises no rounding; the change that mends the division in graphs leaves this kernel as it is
# (tensorflow/tensorflow#126208)."""
# search = "reported"
# issues = ["tensorflow/tensorflow#102771"]
# state = "closed; the kernel stays"
# workarounds = ["tfnp/_kernels/real/transcendental.py"]
# names = ["reciprocal"]
# ///

import sys

import tensorflow as tf

expected = [1.0] * 16
actual = tf.math.reciprocal(tf.ones(16)).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
