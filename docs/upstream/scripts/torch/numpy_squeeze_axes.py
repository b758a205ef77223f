"""torch._numpy.squeeze of several axes removes the last of them only.

The loop over the axes begins each time with the array that was given: `result = a.squeeze(ax)`. Axes that are removed
one after another would have to be counted anew, too, as `torch.squeeze` does that takes a tuple.
"""

# /// upstream
# op = ["torch._numpy.squeeze"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["squeeze", "ndarray.squeeze"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

x = np.zeros((1, 1, 2))
expected = np.squeeze(x, (0, 1)).shape
actual = tuple(tnp.squeeze(tnp.asarray(x), (0, 1)).shape)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
