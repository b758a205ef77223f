"""tf.nn.elu and tf.nn.selu of a small negative number are 0.

Both are of the form exp(x) - 1 for x < 0, and the kernels compute that as it stands: what is smaller than half a unit
in the last place of 1 is lost, and some digits of what is not. tf.math.expm1 of the same numbers is right, and so is
tf.nn.elu under XLA.
"""

# /// upstream
# op = ["Elu", "Selu"]
# part = "CPU kernel"
# modes = ["eager", "graph"]
# dtypes = ["float16", "bfloat16", "float32", "float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["tensorflow/tensorflow#116943", "tensorflow/tensorflow#116947"]
# state = "open, with a change proposed"
# shows = "expected -"
# ///

import sys

import numpy as np
import tensorflow as tf

x = np.array([-1e-4, -1e-9], np.float32)
expected = np.expm1(x).tolist()
actual = tf.nn.elu(x).numpy().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if np.allclose(actual, expected, rtol=1e-6, atol=0) else 1)
