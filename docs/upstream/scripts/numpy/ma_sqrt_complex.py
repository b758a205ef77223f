"""numpy.ma.sqrt, log2, arcsin and others mask complex numbers that they can calculate: sqrt(-1+0j) is masked.

The domains (`_DomainGreaterEqual(0.0)` and the like) are those of real numbers, and complex numbers are compared with
their bounds.
"""

# /// upstream
# op = ["numpy.ma.sqrt", "numpy.ma.log", "numpy.ma.log2", "numpy.ma.log10", "numpy.ma.arcsin", "numpy.ma.arccosh"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["complex64", "complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["numpy/numpy#8516", "numpy/numpy#19923"]
# state = "open"
# names = ["sqrt", "log", "log2", "log10", "arcsin", "arccos", "arccosh"]
# shows = "complex"
# ///

import sys

import numpy as np

x = np.array([-1 + 0j])
expected = [np.sqrt(x).tolist(), np.log2(x).round(3).tolist(), np.arccosh(x).round(3).tolist()]
actual = [np.ma.sqrt(x).tolist(), np.ma.log2(x).round(3).tolist(), np.ma.arccosh(x).round(3).tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
