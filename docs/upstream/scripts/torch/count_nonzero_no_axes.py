"""torch.count_nonzero(x, dim=()) counts over all dimensions, not over none.

torch.sum(x, dim=()) does the same, and says so; NumPy and the array API standard count over no dimension.
"""

# /// upstream
# op = ["torch.count_nonzero"]
# part = "CPU kernel"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "arguable"
# reason = "other reductions of torch do the same"
# search = "not searched"
# names = ["count_nonzero"]
# ///

import sys

import torch

expected = [1]
actual = torch.count_nonzero(torch.tensor([2.0]), dim=()).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
