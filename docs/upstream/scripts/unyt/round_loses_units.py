"""unyt: numpy.round of an array with units has none.

`np.round(x)` gives a plain array, `np.round(x, 1)` one without dimensions. unyt implements `np.around`, which keeps
the unit, and in NumPy 2 is another function than `np.round`.
"""

# /// upstream
# op = ["numpy.round of unyt_array"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["round"]
# ///

import sys

import numpy as np
import unyt

x = unyt.unyt_array([1.25, 2.5], "m")
expected = [str(np.around(x, 1)), str(np.around(x))]
actual = [str(np.round(x, 1)), str(np.round(x))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
