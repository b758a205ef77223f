"""bottleneck.median of integers wraps: that of four times 2147483647 in int32 is -1.0.

The two middle elements are added before they are converted to float64. So it is for int64, and for nanmedian.
"""

# /// upstream
# op = ["bottleneck.median", "bottleneck.nanmedian"]
# part = "C"
# modes = ["eager"]
# dtypes = ["int32", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["median", "nanmedian"]
# ///

import sys

import bottleneck as bn
import numpy as np

x = np.array([2147483647, 2147483647], np.int32)
expected = float(np.median(x))
actual = float(bn.median(x))
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
