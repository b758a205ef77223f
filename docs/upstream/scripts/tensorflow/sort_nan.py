"""tf.sort leaves ordinary numbers out of order beside nan.

The kernels compare by `<`, which is no order where there are nans, so that not even the numbers among themselves
are sorted. tf.argsort and tf.math.top_k do the same.
"""

# /// upstream
# op = ["TopKV2"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64", "float32", "bfloat16"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#117287", "tensorflow/tensorflow#119359", "tensorflow/tensorflow#58496"]
# state = "open"
# workarounds = ["tfnp/_kernels/sort/sort_keys.py"]
# names = ["sort", "argsort", "median", "percentile", "unique"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([5, np.nan, 1, np.inf, np.nan, 2, 3, 0])
expected = [np.sort(x).tolist()] * 2
actual = [tf.cast(tf.sort(tf.constant(x, dtype)), tf.float64).numpy().tolist() for dtype in (tf.float64, tf.bfloat16)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
