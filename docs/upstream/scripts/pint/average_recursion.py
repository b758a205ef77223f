"""Pint: numpy.average with weights that have units, and quantile with q that has, recurse without end.

The functions are called again with arguments of which one is still a Quantity.
"""

# /// upstream
# op = ["numpy.average of Quantity", "numpy.quantile of Quantity"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "error"
# verdict = "defect"
# search = "reported"
# issues = ["hgrecco/pint#1609"]
# state = "open"
# names = ["average", "quantile"]
# ///

import sys

import numpy as np
import pint

Quantity = pint.UnitRegistry().Quantity

x, w = Quantity(np.array([1.0, 2.0]), "m"), Quantity(np.array([1.0, 3.0]), "kg")
expected = ["1.75 meter", "1.5 meter"]


def answer(function):
    try:
        return str(function())
    except RecursionError as error:
        return type(error).__name__


actual = [answer(lambda: np.average(x, weights=w)), answer(lambda: np.quantile(x, Quantity(0.5, "")))]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
