"""keras.ops.linalg.eig of integers raises UnboundLocalError.

The variable out_dtype is set for floating dtypes only.
"""

# /// upstream
# op = ["keras.ops.linalg.eig"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "error"
# verdict = "defect"
# search = "not searched"
# names = ["linalg.eig"]
# ///

import sys

import numpy as np
from keras import ops

expected = 1.0
try:
    actual = float(np.asarray(ops.linalg.eig(np.array([[1]]))[0])[0].real)
except Exception as error:
    actual = type(error).__name__
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
