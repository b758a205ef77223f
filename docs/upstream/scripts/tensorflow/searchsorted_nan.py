"""tf.searchsorted finds nan at the begin of an array that ends with nan.

NumPy sorts nan last and finds it there. TensorFlow's kernel compares by `<`, which is false for nan.
"""

# /// upstream
# op = ["LowerBound"]
# part = "CPU kernel"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float64", "float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "The documentation says nothing of nan."
# search = "reported"
# issues = ["tensorflow/tensorflow#117804", "tensorflow/tensorflow#118381"]
# state = "open; about side='right' under XLA"
# names = ["searchsorted", "digitize"]
# shows = "nan"
# ///

import sys

import numpy as np
import tensorflow as tf

array = np.array([1.0, 2.0, np.nan])
expected = np.searchsorted(array, [np.nan]).tolist()
actual = tf.searchsorted(array, np.array([np.nan])).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
