"""numba: np.power of integers is rounded: 12345**4 is off by one.

The result is an integer of the right dtype, and looks as if it were calculated in float64. A guess: the loop for
integers with an exponent that is an integer is that of floats.
"""

# /// upstream
# op = ["numpy.power under numba.njit"]
# part = "njit"
# modes = ["jit"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["power", "ndarray.__pow__"]
# ///

import sys

import numba
import numpy as np


@numba.njit
def call(a):
    return np.power(a, 4)


arguments = (np.array([12345]),)
expected = call.py_func(*arguments)
actual = call(*arguments)
expected, actual = np.asarray(expected).tolist(), np.asarray(actual).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
