"""torch._numpy.linspace(-1, 1, 4, dtype=int) truncates where NumPy takes the floor.

NumPy has taken the floor since 1.20.
"""

# /// upstream
# op = ["torch._numpy.linspace"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["linspace"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = np.linspace(-1, 1, 4, dtype=int).tolist()
actual = tnp.linspace(-1, 1, 4, dtype=int).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
