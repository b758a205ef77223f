"""keras.ops.cumsum of int8 wraps: 100 + 100 is -56.

keras.ops.sum widens small integers to int32.
"""

# /// upstream
# op = ["keras.ops.cumsum"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["int8"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["cumsum"]
# ///

import sys

import numpy as np
from keras import ops

expected = int(np.cumsum(np.array([100, 100], np.int8))[-1])
actual = int(ops.cumsum(np.array([100, 100], np.int8))[-1])
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
