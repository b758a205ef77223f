"""torch._numpy.modf(-2.5) is (0.5, -3.0), not (-0.5, -2.0).

It is calculated by `divmod(x, 1)`, which rounds down. C and NumPy truncate: both parts have the sign of the argument.
"""

# /// upstream
# op = ["torch._numpy.modf"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["modf"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = [float(part) for part in np.modf(-2.5)]
actual = [float(part) for part in tnp.modf(-2.5)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
