"""torch.trapezoid([inf]) is nan, where there is nothing to integrate.

The integral over one point is 0, as it is for finite values; the ends seem to be subtracted from a sum.
"""

# /// upstream
# op = ["torch.trapezoid"]
# part = "CPU kernel"
# modes = ["eager", "compile", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["trapezoid"]
# ///

import sys

import numpy as np
import torch

expected = float(np.trapezoid([np.inf]))
actual = torch.trapezoid(torch.tensor([np.inf])).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
