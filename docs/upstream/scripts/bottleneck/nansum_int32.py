"""bottleneck.nansum of int32 wraps: the sum of 2147483647 and 1 is -2147483648.

NumPy adds integers in int64, and the result of bottleneck without an axis is a Python number that could hold it.
"""

# /// upstream
# op = ["bottleneck.nansum"]
# part = "C"
# modes = ["eager"]
# dtypes = ["int32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["pydata/bottleneck#83"]
# state = "closed"
# names = ["nansum"]
# ///

import sys

import bottleneck as bn
import numpy as np

x = np.array([2147483647, 1], np.int32)
expected = int(np.nansum(x))
actual = int(bn.nansum(x))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
