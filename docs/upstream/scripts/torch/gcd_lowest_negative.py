"""torch.gcd of the lowest int64 and 5 is -1.

A greatest common divisor is not negative: the absolute value of the lowest integer is itself.
"""

# /// upstream
# op = ["torch.gcd"]
# part = "CPU kernel"
# modes = ["eager", "compile", "vmap"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# since = "wrong in every release tried, 1.13.0 to 2.15.0"
# names = ["gcd"]
# ///

import sys

import torch

expected = 1
actual = torch.gcd(torch.tensor(-(2**63)), torch.tensor(5)).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
