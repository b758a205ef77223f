"""unyt: floor_divide and divmod do not convert units: 5 m // 200 cm is 0.

`%` converts, so that `q * b + r` is not `a`.
"""

# /// upstream
# op = ["numpy.floor_divide of unyt_array", "numpy.divmod of unyt_array"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["floor_divide", "divmod"]
# ///

import sys

import unyt

a, b = unyt.unyt_array([5.0], "m"), unyt.unyt_array([200.0], "cm")
expected = [[2.0], [2.0], [1.0]]
quotient, remainder = divmod(a, b)
actual = [(a // b).tolist(), quotient.tolist(), remainder.to("m").tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
