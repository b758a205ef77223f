"""torch._numpy.modf(-inf) is (nan, nan).

C and NumPy say (-0.0, -inf).
"""

# /// upstream
# op = ["torch._numpy.modf"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["modf"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = [float(part) for part in np.modf(-np.inf)]
actual = [float(part) for part in tnp.modf(-np.inf)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
