"""tf.nn.max_pool2d loses a nan, wherever in the window it is.

Probably the maximum is kept by a comparison that is false for nan. tf.reduce_max returns the nan.
"""

# /// upstream
# op = ["MaxPool"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#2501", "tensorflow/tensorflow#125965"]
# state = "open"
# ///

import sys

import numpy as np
import tensorflow as tf

expected, actual = [], []
for place in range(4):
    x = np.zeros(4, np.float32)
    x[place] = np.nan
    expected.append(float(tf.reduce_max(x)))
    actual.append(float(tf.nn.max_pool2d(x.reshape(1, 2, 2, 1), 2, 2, "VALID")[0, 0, 0, 0]))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
