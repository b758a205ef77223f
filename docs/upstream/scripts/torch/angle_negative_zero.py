"""torch.angle(-0.0) is 0, while torch.atan2(0.0, -0.0) is pi.

NumPy's angle is the latter.
"""

# /// upstream
# op = ["torch.angle"]
# part = "CPU kernel"
# modes = ["eager", "compile", "vmap"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "its manual says 0 for numbers that are not negative"
# search = "not searched"
# since = "wrong in every release tried, 1.13.0 to 2.15.0"
# names = ["angle"]
# ///

import sys

import numpy as np
import torch

expected = float(np.angle(-0.0))
actual = torch.angle(torch.tensor(-0.0, dtype=torch.float64)).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
