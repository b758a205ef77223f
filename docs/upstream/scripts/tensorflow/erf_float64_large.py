"""tf.math.erf of a large float64 is nan.

Beyond 1.34e154, the root of the greatest float64, the square of the argument overflows; erf is 1 there. So erf(inf)
is nan as well. float32 and XLA are right.
"""

# /// upstream
# op = ["Erf"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#108483", "tensorflow/tensorflow#124773"]
# state = "open, with changes proposed"
# ///

import sys

import numpy as np
import tensorflow as tf

x = tf.constant([1e155, -1e300, np.inf, -np.inf], tf.float64)
expected = [1.0, -1.0, 1.0, -1.0]
actual = tf.math.erf(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
