"""tf.math.floordiv is the floor of the rounded quotient: inf // 1 is inf, 1.0 // 0.1 is 10.

Python and NumPy divide so that quotient and remainder fit: inf // 1 and inf % 1 are nan, 1.0 // 0.1 is 9 with a
remainder of 0.0999..., and -1 // inf is -1. In TensorFlow the two ops contradict one another.
"""

# /// upstream
# op = ["FloorDiv"]
# part = "CPU kernel; XLA"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float64", "float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#74893"]
# state = "open"
# workarounds = ["tfnp/_kernels/real/floats.py"]
# names = ["floor_divide", "divmod"]
# shows = "\\.\\d|nan|inf"
# ///

import sys

import numpy as np
import tensorflow as tf

PAIRS = [(np.inf, 1.0), (1.0, 0.1), (-1.0, np.inf)]
expected = [float(np.floor_divide(np.float64(x), y)) for x, y in PAIRS]
actual = [float(tf.math.floordiv(tf.constant(x, tf.float64), y)) for x, y in PAIRS]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
