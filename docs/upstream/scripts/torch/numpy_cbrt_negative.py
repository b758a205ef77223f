"""torch._numpy.cbrt(-8.0) is nan.

It is calculated as a power of 1/3. The cube root of -8 is -2.
"""

# /// upstream
# op = ["torch._numpy.cbrt"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["cbrt"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = float(np.cbrt(-8.0))
actual = float(tnp.cbrt(-8.0))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
