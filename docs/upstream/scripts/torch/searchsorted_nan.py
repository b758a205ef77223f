"""torch.searchsorted([1, 2, nan], 3) is 3: behind the nan.

torch.sort puts nan behind all numbers, so the sequence is sorted, and 3 goes before the nan. NumPy's is 2.
torch._numpy follows.
"""

# /// upstream
# op = ["torch.searchsorted", "torch.bucketize"]
# part = "CPU kernel"
# modes = ["eager", "compile", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 1.13.0 to 2.15.0"
# names = ["searchsorted"]
# shows = 'nan'
# ///

import sys

import numpy as np
import torch

expected = 2
actual = torch.searchsorted(torch.tensor([1.0, 2.0, np.nan]), 3.0).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
