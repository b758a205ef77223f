"""tf.cumsum of float16 sums in float16: that of 30000 ones ends with 2048.

2048 + 1 is rounded to 2048. Under XLA the running sum is kept in float32.
"""

# /// upstream
# op = ["Cumsum"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float16", "bfloat16"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "NumPy's cumsum rounds each step, too."
# search = "reported"
# issues = ["tensorflow/tensorflow#115731", "tensorflow/tensorflow#118192"]
# state = "open"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.ones(30000, np.float16)
expected = float(np.float16(30000))
actual = float(tf.cumsum(x)[-1])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
