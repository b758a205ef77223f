"""keras.ops.heaviside(nan, 0.5) is 0.5.

NumPy hands the nan on.
"""

# /// upstream
# op = ["keras.ops.heaviside"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 3.11.0 to 3.15.1"
# names = ["heaviside"]
# ///

import sys

import numpy as np
from keras import ops

expected = float(np.heaviside(np.nan, 0.5))
actual = float(ops.heaviside(np.nan, 0.5))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
