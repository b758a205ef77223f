"""tf.constant(-0.0) is 0.0 if 0.0 was converted before.

Eager TensorFlow keeps the tensors of Python's numbers by their value, and -0.0 equals 0.0: which of the two comes
out hangs on what the process did before. arctan2 then returns 0 where it should return pi.
"""

# /// upstream
# op = ["Const"]
# part = "Python, conversion of scalars"
# modes = ["eager"]
# dtypes = ["float32", "float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# workarounds = ["tfnp/_core/ops.py", "tfnp/_core/ufunc/dispatch.py", "oracle/execution/convert.py"]
# names = ["arctan2", "copysign", "signbit", "divide", "true_divide"]
# shows = "-0\\.0"
# ///

import sys

import numpy as np
import tensorflow as tf

tf.constant(0.0), tf.constant(0.0)
y = tf.constant([0.0], tf.float64)
tf.math.atan2(y, 0.0)
expected = [float(np.float32(-0.0)), np.arctan2([0.0], -0.0).tolist()]
actual = [float(tf.constant(-0.0)), tf.math.atan2(y, -0.0).numpy().tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
