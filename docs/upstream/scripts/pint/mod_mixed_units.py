"""Pint: numpy.mod, fmod and floor_divide do not convert units: mod(5 m, 200 cm) is 5 m.

The operators `%` and `//` convert.
"""

# /// upstream
# op = ["numpy.mod of Quantity", "numpy.fmod of Quantity", "numpy.floor_divide of Quantity"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["hgrecco/pint#1289"]
# state = "open"
# names = ["mod", "remainder", "fmod", "floor_divide"]
# ///

import sys

import numpy as np
import pint

Quantity = pint.UnitRegistry().Quantity

a, b = Quantity(np.array([5.0]), "m"), Quantity(np.array([200.0]), "cm")
expected = [str(a % b), str(a // b)]
actual = [str(np.mod(a, b)), str(np.floor_divide(a, b).to("dimensionless"))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
