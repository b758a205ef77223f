"""tf.cast(1j, tf.bool) is False: only the real part is looked at.

A complex number is true in Python and NumPy if it is not 0. The kernel reads the real part alone; XLA is right.
"""

# /// upstream
# op = ["Cast"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["complex128", "complex64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_core/convert.py"]
# names = ["logical_or", "logical_and", "logical_not", "all", "any", "astype", "nonzero"]
# shows = "complex|j"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([1j, 1 + 1j, 0j])
expected = x.astype(bool).tolist()
actual = tf.cast(tf.constant(x), tf.bool).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
