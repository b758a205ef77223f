"""unyt: numpy.histogramdd of one column takes rows for columns.

A sample of three rows and one column has a histogram of one dimension; that of unyt has three.
"""

# /// upstream
# op = ["numpy.histogramdd of unyt_array"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["histogramdd"]
# ///

import sys

import numpy as np
import unyt

x = np.array([[0.0], [1.0], [3.0]])
expected = np.histogramdd(x, bins=2)[0].tolist()
actual = np.histogramdd(unyt.unyt_array(x, "m"), bins=2)[0].tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
