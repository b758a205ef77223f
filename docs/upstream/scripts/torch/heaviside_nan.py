"""torch.heaviside(nan, 0.5) is 0.

NumPy hands the nan on.
"""

# /// upstream
# op = ["torch.heaviside"]
# part = "CPU kernel"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 1.13.0 to 2.15.0"
# names = ["heaviside"]
# ///

import sys

import numpy as np
import torch

expected = float(np.heaviside(np.nan, 0.5))
actual = torch.heaviside(torch.tensor(np.nan), torch.tensor(0.5)).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
