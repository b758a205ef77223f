"""keras.ops.any([1j]) is False.

Complex numbers are cast to bool by their real part.
"""

# /// upstream
# op = ["keras.ops.any"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "3.0.2 right, 3.0.3 wrong"
# names = ["any"]
# ///

import sys

import numpy as np
from keras import ops

expected = bool(np.any([1j]))
actual = bool(ops.any(np.array([1j])))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
