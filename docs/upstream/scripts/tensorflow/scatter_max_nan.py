"""tf.tensor_scatter_nd_max drops a nan among the updates.

The maximum of 1 and nan is nan in tf.maximum, and 1 here.
"""

# /// upstream
# op = ["TensorScatterMax", "TensorScatterMin"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["maximum.at", "minimum.at"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

x, update = tf.constant([1.0]), tf.constant([np.nan])
expected = tf.maximum(x, update).numpy().tolist()
actual = tf.tensor_scatter_nd_max(x, [[0]], update).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
