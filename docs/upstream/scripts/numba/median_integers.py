"""numba: np.median of large integers wraps: that of 4611686018427387914 is negative.

The two middle elements are added before they are divided. NumPy takes their mean in float64.
"""

# /// upstream
# op = ["numpy.median under numba.njit"]
# part = "njit"
# modes = ["jit"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["median"]
# ///

import sys

import numba
import numpy as np


@numba.njit
def call(a):
    return np.median(a)


arguments = (np.array([2**62 + 10, 2**62 + 10]),)
expected = call.py_func(*arguments)
actual = call(*arguments)
expected, actual = np.asarray(expected).tolist(), np.asarray(actual).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
