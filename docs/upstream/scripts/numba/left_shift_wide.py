"""numba: np.left_shift by 64 bits or more shifts by the remainder: 1 << 64 is 1.

NumPy gives 0. The shift of the processor takes the lowest six bits of the number only, and that of LLVM is undefined.
"""

# /// upstream
# op = ["numpy.left_shift under numba.njit"]
# part = "njit"
# modes = ["jit"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["left_shift", "bitwise_left_shift"]
# ///

import sys

import numba
import numpy as np


@numba.njit
def call(a, b):
    return np.left_shift(a, b)


arguments = (np.array([1]), np.array([64]))
expected = call.py_func(*arguments)
actual = call(*arguments)
expected, actual = np.asarray(expected).tolist(), np.asarray(actual).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
