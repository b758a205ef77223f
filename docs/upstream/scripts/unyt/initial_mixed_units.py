"""unyt: sum, max and min do not convert initial=: the sum of 1 m and 500 cm is 501 m.

The number of the initial value is used as if it had the unit of the array.
"""

# /// upstream
# op = ["numpy.sum of unyt_array", "numpy.max of unyt_array", "numpy.min of unyt_array"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["sum", "max", "min", "amax", "amin"]
# shows = "initial"
# ///

import sys

import numpy as np
import unyt

x, initial = unyt.unyt_array([1.0], "m"), unyt.unyt_quantity(500.0, "cm")
expected = [f(x, initial=initial.to("m")).to("m").item() for f in (np.sum, np.max)]
actual = [f(x, initial=initial).to("m").item() for f in (np.sum, np.max)]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
