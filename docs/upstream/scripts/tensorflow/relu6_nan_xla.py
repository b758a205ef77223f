"""tf.nn.relu6 under XLA makes 0 of nan.

The clamp between 0 and 6 is made of comparisons that are false for nan.
"""

# /// upstream
# op = ["Relu6"]
# part = "XLA, CPU"
# modes = ["xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#119628"]
# state = "open"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([np.nan])
expected = tf.nn.relu6(x).numpy().tolist()
actual = tf.function(tf.nn.relu6, jit_compile=True)(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
