"""tf.argmax and tf.argmin overlook the lowest and the greatest finite number behind an infinity.

The kernels seem to begin with the lowest (or greatest) finite number of the dtype and to keep the first index until
something beats it, so that [-inf, lowest] has its maximum at 0. XLA is right.
"""

# /// upstream
# op = ["ArgMax", "ArgMin"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32", "float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_kernels/sort/argminmax.py"]
# names = ["argmax", "argmin", "nanargmax", "nanargmin"]
# shows = "inf"
# ///

import sys

import numpy as np
import tensorflow as tf

lowest = np.finfo(np.float32).min
expected = [1, 1]
actual = [int(tf.argmax([-np.inf, lowest])), int(tf.argmin([np.inf, -lowest]))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
