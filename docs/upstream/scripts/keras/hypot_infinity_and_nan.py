"""keras.ops.hypot(inf, nan) is nan.

C and NumPy say inf: the other side does not matter.
"""

# /// upstream
# op = ["keras.ops.hypot"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["hypot"]
# ///

import sys

import numpy as np
from keras import ops

expected = float(np.hypot(np.inf, np.nan))
actual = float(ops.hypot(np.inf, np.nan))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
