"""tf.where, tf.cast and comparisons take subnormal numbers for zero.

TensorFlow's threads run with the processor's flags for flushing subnormal numbers. So tf.where(x) leaves out
elements that are not zero, and tf.cast(5e-324, tf.bool) is False.
"""

# /// upstream
# op = ["Where", "Cast", "Sign", "Floor"]
# part = "CPU, threads"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float32", "float64"]
# effect = "wrong value"
# verdict = "by design"
# reason = "Flushing is a decision for speed, in all kernels."
# search = "reported"
# issues = ["tensorflow/tensorflow#127905", "tensorflow/tensorflow#124151", "tensorflow/tensorflow#62399"]
# state = "open"
# workarounds = [
#     "tfnp/_kernels/bits.py",
#     "tfnp/_kernels/complex/powers.py",
#     "tfnp/_kernels/real/floats.py",
#     "tfnp/routines/sorting/sets.py",
#     "oracle/accepted_differences/overflow.py",
#     "oracle/accepted_differences/static_domain.py",
#     "oracle/accepted_differences/subnormals.py",
# ]
# names = ["nonzero", "argwhere", "flatnonzero", "astype", "sign", "floor"]
# shows = "e-3[89]|e-4|e-3[012]\\d|subnormal"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([1e-40, 1.0], np.float32)
expected = [np.argwhere(x).tolist(), True]
actual = [tf.where(tf.constant(x)).numpy().tolist(), bool(tf.cast(tf.constant(5e-324, tf.float64), tf.bool))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
