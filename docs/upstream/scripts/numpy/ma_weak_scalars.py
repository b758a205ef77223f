"""numpy.ma: a Python number decides on the dtype as an array would: int8 * 64 is int64.

NEP 50 has no part in masked arrays: `getdata` makes a 0-d array of the number, which promotes. Values differ where
the narrower dtype wraps, and in-place operations raise.
"""

# /// upstream
# op = ["numpy.ma.add", "numpy.ma.multiply", "numpy.ma.subtract", "numpy.ma.power"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int8", "float32"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["numpy/numpy#31868", "numpy/numpy#27679"]
# state = "open"
# names = ["add", "subtract", "multiply", "power", "ndarray.__add__", "ndarray.__mul__"]
# ///

import sys

import numpy as np

x = np.array([2], np.int8)
expected = [(x * 64).tolist(), str((np.float32([1]) + 1.0).dtype)]
actual = [(np.ma.array(x) * 64).tolist(), str((np.ma.array(np.float32([1])) + 1.0).dtype)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
