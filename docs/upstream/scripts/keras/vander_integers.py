"""keras.ops.vander of int64 is rounded: 8191**2 is 67092484.

The powers go through float32.
"""

# /// upstream
# op = ["keras.ops.vander"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["vander"]
# ///

import sys

import numpy as np
from keras import ops

expected = np.vander([8191], 3).tolist()
actual = np.asarray(ops.vander(np.array([8191]), 3)).astype(int).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
