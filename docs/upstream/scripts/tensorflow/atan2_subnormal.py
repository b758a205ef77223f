"""tf.math.atan2 of a zero and a subnormal number is a multiple of pi / 4.

The kernel flushes the subnormal number in some of its steps and not in others: atan2(0, 1e-320) is pi / 4, where it
should be 0. Of two subnormal float32 it is nan. XLA is right.
"""

# /// upstream
# op = ["Atan2"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64", "float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#118643"]
# state = "open"
# workarounds = ["tfnp/_kernels/real/binary.py"]
# names = ["arctan2", "atan2", "angle"]
# shows = "e-3[0-9]|e-4|subnormal"
# ///

import sys

import numpy as np
import tensorflow as tf

y = np.array([0.0, 0.0, 1e-320, -0.0])
x = np.array([1e-320, -1e-320, 0.0, -1e-320])
expected = np.arctan2(y, x).tolist()
actual = tf.math.atan2(y, x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
