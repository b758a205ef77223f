"""keras.ops.nextafter of float32 1.0 towards 0 is 1.0.

It is calculated in float64 and rounded back.
"""

# /// upstream
# op = ["keras.ops.nextafter"]
# part = "TensorFlow backend"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["nextafter"]
# ///

import sys

import numpy as np
from keras import ops

expected = float(np.nextafter(np.float32(1), np.float32(0)))
actual = float(ops.nextafter(np.float32(1), np.float32(0)))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
