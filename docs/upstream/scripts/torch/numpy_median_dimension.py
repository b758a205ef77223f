"""torch._numpy.median of four numbers has a dimension too many.

Its shape is (1,), that of NumPy's is ().
"""

# /// upstream
# op = ["torch._numpy.median"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not searched"
# names = ["median"]
# ///

import sys

import numpy as np
import torch._numpy as tnp

expected = np.median([1.0, 2.0, 3.0, 4.0]).shape
actual = tnp.median(tnp.asarray([1.0, 2.0, 3.0, 4.0])).shape
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
