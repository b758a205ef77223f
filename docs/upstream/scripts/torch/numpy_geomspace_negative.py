"""torch._numpy.geomspace(-1, -1000, 4) is nan.

It takes logarithms of negative numbers; NumPy takes out the sign.
"""

# /// upstream
# op = ["torch._numpy.geomspace"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["geomspace"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = np.geomspace(-1, -1000, 4).round(6).tolist()
actual = tnp.geomspace(-1, -1000, 4).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
