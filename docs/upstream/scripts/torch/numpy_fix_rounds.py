"""torch._numpy.fix rounds: fix(1.5) is 2.0.

`fix` is imported as another name of `torch.round`; `torch.fix` truncates.
"""

# /// upstream
# op = ["torch._numpy.fix"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["pytorch/pytorch#198052"]
# state = "open"
# names = ["fix"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

x = [1.5, 37.5, -2.7]
expected = np.fix(x).tolist()
actual = tnp.fix(tnp.asarray(x)).tensor.tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
