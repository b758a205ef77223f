"""numpy.ma.maximum and minimum lose a nan on the left: maximum(nan, 0.0) is 0.0, maximum(0.0, nan) is nan.

NumPy's functions give nan for both, and so does `np.maximum` of masked arrays. `_extrema_operation` takes the left
element where the comparison `a >= b` is true, which it never is of nan.
"""

# /// upstream
# op = ["numpy.ma.maximum", "numpy.ma.minimum"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["maximum", "minimum"]
# shows = "nan"
# ///

import sys

import numpy as np

x, y = np.ma.array([np.nan, 0.0]), np.ma.array([0.0, np.nan])
expected = [np.maximum(x, y).tolist(), np.minimum(x, y).tolist()]
actual = [np.ma.maximum(x, y).tolist(), np.ma.minimum(x, y).tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
