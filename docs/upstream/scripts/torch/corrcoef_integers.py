"""torch.corrcoef of int64 numbers up to 2**63 - 1 is 0.447, not 1.

The mean is taken of the integers, whose sum overflows.
"""

# /// upstream
# op = ["torch.corrcoef", "torch.cov"]
# part = "CPU kernel"
# modes = ["eager", "compile", "vmap"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["corrcoef", "cov"]
# ///

import sys

import numpy as np
import torch

expected = round(float(np.corrcoef([[0, 1], [1, 2**63 - 1]])[0, 1]), 6)
actual = round(torch.corrcoef(torch.tensor([[0, 1], [1, 2**63 - 1]]))[0, 1].item(), 6)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
