"""bottleneck.move_mean forgets small numbers beside a large one, also after that has left the window.

A sum is carried along: 1e16 is added and subtracted again, and what was added meanwhile is lost.
"""

# /// upstream
# op = ["bottleneck.move_mean", "bottleneck.move_sum"]
# part = "C"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["pydata/bottleneck#377", "pydata/bottleneck#332"]
# state = "open"
# ///

import sys

import bottleneck as bn
import numpy as np

x = np.array([1e16, 1.0, 1.0, 1.0])
expected = [float(np.mean(x[i - 1 : i + 1])) for i in (2, 3)]
actual = bn.move_mean(x, 2)[2:].tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
