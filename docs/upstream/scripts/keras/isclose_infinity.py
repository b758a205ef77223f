"""keras.ops.isclose(0.0, inf) is True.

The tolerance is a part of the second operand's size, and inf is not larger than inf.
"""

# /// upstream
# op = ["keras.ops.isclose"]
# part = "TensorFlow backend"
# modes = ["eager", "graph", "xla"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["isclose"]
# ///

import sys

import numpy as np
from keras import ops

expected = bool(np.isclose(0.0, np.inf))
actual = bool(ops.isclose(0.0, np.inf))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
