"""torch._numpy.round of integers to tens does nothing.

NumPy rounds 15 and 25 to 20, 251 to 250.
"""

# /// upstream
# op = ["torch._numpy.round"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["round"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = np.round(np.array([15, 25, 251]), -1).tolist()
actual = tnp.round(tnp.asarray([15, 25, 251]), -1).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
