"""Pint: numpy.diff and ediff1d do not convert what is prepended or appended: 50 cm count as 50 m.

Of all arguments only the first has its unit looked at.
"""

# /// upstream
# op = ["numpy.diff of Quantity", "numpy.ediff1d of Quantity"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["diff", "ediff1d"]
# ///

import sys

import numpy as np
import pint

Quantity = pint.UnitRegistry().Quantity

x, first = Quantity(np.array([1.0, 2.0]), "m"), Quantity(50.0, "cm")
expected = [np.diff(x, prepend=first.to("m")).m.tolist(), np.ediff1d(x, to_end=first.to("m")).m.tolist()]
actual = [np.diff(x, prepend=first).m.tolist(), np.ediff1d(x, to_end=first).m.tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
