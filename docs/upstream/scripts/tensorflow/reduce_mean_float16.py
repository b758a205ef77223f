"""tf.reduce_mean of 70000 elements of float16 is nan.

Their sum and their number are beyond float16, and are computed in it: the mean of numbers all 2 is inf / inf. NumPy
sums float16 in float32.
"""

# /// upstream
# op = ["Mean"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float16"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "The accumulator is the input's dtype, as the report was answered."
# search = "reported"
# issues = ["tensorflow/tensorflow#56890"]
# state = "closed"
# workarounds = ["tfnp/routines/statistics/averages.py"]
# names = ["mean", "average", "std", "var"]
# shows = "float16|half"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.full(70000, 2, np.float16)
expected = float(np.mean(x))
actual = float(tf.reduce_mean(x))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
