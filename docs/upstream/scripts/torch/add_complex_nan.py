"""torch.add(0.0, nan+0j) is nan+nanj.

The second operand seems to be multiplied by alpha, as a complex number, which spreads the nan into the other part.
"""

# /// upstream
# op = ["torch.add", "torch.sub"]
# part = "CPU kernel"
# modes = ["eager"]
# dtypes = ["complex64", "complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["add", "subtract"]
# ///

import sys

import numpy as np
import torch

expected = str(0.0 + complex(np.nan, 0.0))
actual = str(torch.add(torch.tensor(0.0), torch.tensor(complex(np.nan, 0.0))).item())
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
