"""numba: np.clip does not look at a bound that is nan.

NumPy gives nan for all elements.
"""

# /// upstream
# op = ["numpy.clip under numba.njit"]
# part = "njit"
# modes = ["jit"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["numba/numba#9995"]
# state = "open"
# names = ["clip"]
# ///

import sys

import numba
import numpy as np


@numba.njit
def call(a):
    return np.clip(a, np.nan, 1.0)


arguments = (np.array([1.0, 2.0]),)
expected = call.py_func(*arguments)
actual = call(*arguments)
expected, actual = np.asarray(expected).tolist(), np.asarray(actual).tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
