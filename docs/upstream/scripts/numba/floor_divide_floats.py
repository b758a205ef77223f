"""numba: np.floor_divide(1.0, 0.1) is 10, where NumPy and Python give 9.

The quotient is rounded before it is rounded down. `1.0 % 0.1` is 0.0999..., so that only 9 fits.
"""

# /// upstream
# op = ["numpy.floor_divide under numba.njit"]
# part = "njit"
# modes = ["jit"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["floor_divide"]
# ///

import sys

import numba
import numpy as np


@numba.njit
def call(a, b):
    return np.floor_divide(a, b)


arguments = (np.array([1.0]), np.array([0.1]))
expected = call.py_func(*arguments)
actual = call(*arguments)
expected, actual = np.asarray(expected).tolist(), np.asarray(actual).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
