"""keras.ops.kron(True, uint64 4501832982) is 206865686.

The product is calculated in int32.
"""

# /// upstream
# op = ["keras.ops.kron"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["uint64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["kron"]
# ///

import sys

import numpy as np
from keras import ops

expected = int(np.kron(True, np.uint64(4501832982)))
actual = int(ops.kron(True, np.array(4501832982, np.uint64)))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
