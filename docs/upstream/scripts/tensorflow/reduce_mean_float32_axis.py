"""tf.reduce_mean of 2**25 ones along the first axis is 0.5.

Along the last axis, elements are summed pair by pair; along others one after the other, and a float32 sum of ones
stays at 2**24.
"""

# /// upstream
# op = ["Mean", "Sum"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "NumPy sums such an axis in the same way (numpy/numpy#22956)."
# search = "reported"
# issues = ["tensorflow/tensorflow#33373"]
# state = "closed"
# names = ["mean", "sum", "average"]
# ///

import sys

import tensorflow as tf

expected = [1.0, 1.0]
actual = tf.reduce_mean(tf.ones([2**25, 2]), 0).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
