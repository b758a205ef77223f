"""torch.einsum of booleans counts: a sum of two truths is 2.

Why was not looked up in the sources.
"""

# /// upstream
# op = ["torch.einsum"]
# part = "CPU kernel"
# modes = ["eager"]
# dtypes = ["bool"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["einsum"]
# ///

import sys

import torch

expected = True
actual = torch.einsum(
    "k,lkl,ii",
    torch.tensor([True]),
    torch.tensor([[[False, False]], [[False, True]]]),
    torch.tensor([[True, False], [False, True]]),
).item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
