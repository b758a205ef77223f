"""keras.ops.fmin(True, uint64 2**32) is 0.

Operands are cast to int32 on the way.
"""

# /// upstream
# op = ["keras.ops.fmin"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["uint64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["fmin"]
# ///

import sys

import numpy as np
from keras import ops

expected = int(np.fmin(True, np.uint64(2**32)))
actual = int(ops.fmin(True, np.array(2**32, np.uint64)))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
