"""torch.sign(nan) is 0.

NumPy hands the nan on. torch.sgn has the same.
"""

# /// upstream
# op = ["torch.sign"]
# part = "CPU kernel"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "documented as a sign function without a word on nan"
# search = "not searched"
# since = "wrong in every release tried, 1.13.0 to 2.15.0"
# names = ["sign"]
# ///

import sys

import numpy as np
import torch

expected = float(np.sign(np.nan))
actual = torch.sign(torch.tensor(np.nan)).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
