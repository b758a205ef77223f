"""keras.ops.argmax([-0.0, 0.0]) is 1.

Both are equal, and the first is to be taken. Zeros are told apart by their signs.
"""

# /// upstream
# op = ["keras.ops.argmax"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "3.8.0 right, 3.9.0 wrong"
# names = ["argmax"]
# ///

import sys

import numpy as np
from keras import ops

expected = int(np.argmax([-0.0, 0.0]))
actual = int(ops.argmax(np.array([-0.0, 0.0])))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
