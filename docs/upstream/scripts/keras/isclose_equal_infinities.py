"""keras.ops.isclose(inf, inf) is False.

inf - inf is nan, which is not small. NumPy compares infinities by equality.
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

expected = bool(np.isclose(np.inf, np.inf))
actual = bool(ops.isclose(np.inf, np.inf))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
