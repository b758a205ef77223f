"""keras.ops.histogram([2.0, 2.0], 3) puts both values into the last bin.

NumPy widens a range without width by a half to both sides, which puts them in the middle.
"""

# /// upstream
# op = ["keras.ops.histogram"]
# part = "TensorFlow backend"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["histogram"]
# ///

import sys

import numpy as np
from keras import ops

expected = np.histogram([2.0, 2.0], 3)[0].tolist()
actual = np.asarray(ops.histogram(np.array([2.0, 2.0]), 3)[0]).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
