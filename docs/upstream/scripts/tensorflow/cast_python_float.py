"""tf.cast(2.7, tf.float64) goes by way of float32.

A Python float is converted to the default dtype first, and then to the one that was asked for.
"""

# /// upstream
# op = ["tf.cast"]
# part = "Python"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "by design"
# reason = "It is documented since tensorflow/tensorflow#58526, because a change broke models."
# search = "reported"
# issues = ["tensorflow/tensorflow#35938", "tensorflow/tensorflow#57779"]
# state = "closed"
# ///

import sys

import tensorflow as tf

expected = 2.7
actual = float(tf.cast(2.7, tf.float64))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
