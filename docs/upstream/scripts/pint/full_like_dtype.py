"""Pint: numpy.full_like does not look at dtype=: full_like(x, 2.7, dtype=int) is 2.7.

It is a product of the value and `ones_like`, so that the dtype is that of the value.
"""

# /// upstream
# op = ["numpy.full_like of Quantity"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["full_like"]
# ///

import sys

import numpy as np
import pint

Quantity = pint.UnitRegistry().Quantity

x = Quantity(np.array([1, 2]), "m")
expected = np.full_like(x.m, 2.7, dtype=int).tolist()
actual = np.full_like(x, Quantity(2.7, "m"), dtype=int).m.tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
