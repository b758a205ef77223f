"""torch.linalg.lstsq fails an internal assertion where the right side is nan.

The message asks to report it. NumPy's solution is nan.
"""

# /// upstream
# op = ["torch.linalg.lstsq"]
# part = "LAPACK kernel"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "error"
# verdict = "defect"
# search = "not searched"
# names = ["linalg.lstsq"]
# shows = 'INTERNAL ASSERT'
# ///

import sys

import numpy as np
import torch

expected = float(np.linalg.lstsq([[1.0]], [np.nan])[0][0])
try:
    actual = torch.linalg.lstsq(torch.tensor([[1.0]]), torch.tensor([[np.nan]])).solution.item()
except Exception as error:
    actual = type(error).__name__
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
