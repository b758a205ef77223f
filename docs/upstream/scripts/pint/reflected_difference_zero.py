"""Pint: 0.0 - q is -0.0 where q is 0.0, so that 1 / (0.0 - q) is -inf.

A number minus a quantity is calculated as the negative of the quantity minus the number. NumPy's 0.0 - 0.0 is 0.0;
`chebweight(1)` of numpy.polynomial, inf otherwise, is -inf.
"""

# /// upstream
# op = ["Quantity.__rsub__"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["subtract", "ndarray.__rsub__"]
# ///

import sys

import numpy as np
import pint

Quantity = pint.UnitRegistry().Quantity

expected = (0.0 - np.array([0.0])).tolist()
actual = (0.0 - Quantity(np.array([0.0]), "")).m.tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
