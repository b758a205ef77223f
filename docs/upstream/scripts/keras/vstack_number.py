"""keras.ops.vstack of a number has no dimensions.

NumPy makes it a matrix of one row.
"""

# /// upstream
# op = ["keras.ops.vstack"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["vstack"]
# ///

import sys

import numpy as np
from keras import ops

expected = np.vstack([0.0]).shape
actual = tuple(ops.vstack([0.0]).shape)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
