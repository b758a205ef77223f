"""torch.sqrt(2.0) in float64 is 1.414213562373095: it is not correctly rounded.

IEEE 754 has the square root correctly rounded. The kernel seems to be that of a vector library in a mode of less
accuracy (a guess).
"""

# /// upstream
# op = ["torch.sqrt"]
# part = "CPU kernel"
# modes = ["eager", "compile"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 1.13.0 to 2.15.0"
# names = ["sqrt"]
# ///

import sys

import torch

expected = 2.0**0.5
actual = torch.sqrt(torch.tensor([2.0], dtype=torch.float64)).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
