"""bottleneck.nanmean and nansum of float32 add one by one: the mean of ten million times 0.1 is 0.109.

NumPy adds in pairs. The sums of nanstd and nanvar are calculated likewise.
"""

# /// upstream
# op = ["bottleneck.nanmean", "bottleneck.nansum", "bottleneck.nanstd", "bottleneck.nanvar"]
# part = "C"
# modes = ["eager"]
# dtypes = ["float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["pydata/bottleneck#193", "pydata/bottleneck#462"]
# state = "open"
# names = ["nanmean", "nansum", "nanstd", "nanvar"]
# ///

import sys

import bottleneck as bn
import numpy as np

x = np.full(10**7, 0.1, np.float32)
expected = round(float(np.nanmean(x)), 4)
actual = round(float(bn.nanmean(x)), 4)
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
