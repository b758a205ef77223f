"""numpy.insert at two positions of dtype int8 raises OverflowError for an array of 130 elements.

The length is compared with the positions in their dtype, which does not hold it. Positions of int64 work, as does one
position alone.
"""

# /// upstream
# op = ["numpy.insert"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int8"]
# effect = "error"
# verdict = "defect"
# search = "not found"
# since = "1.26.4 right, 2.0.0 wrong"
# names = ["insert"]
# shows = "int8|OverflowError"
# ///

import sys

import numpy as np

x, positions = np.arange(130), np.array([100, 120], np.int8)
expected = np.insert(x, positions.astype(np.int64), -1).shape
print("expected", expected)
try:
    actual = np.insert(x, positions, -1).shape
except OverflowError as error:
    actual = repr(error)
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
