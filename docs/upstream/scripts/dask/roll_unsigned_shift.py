"""dask.array.roll does not roll by an unsigned shift: roll([1, 2, 3], uint8(1)) is [1, 2, 3].

The slices are made of `-s % shape`: -1 wraps to 255 in uint8, which modulo 3 is 0.
"""

# /// upstream
# op = ["dask.array.roll"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["uint8"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["roll"]
# shows = "uint"
# ///

import sys

import dask.array as da
import numpy as np

x = np.array([1.0, 2.0, 3.0])
expected = np.roll(x, np.uint8(1)).tolist()
actual = da.roll(da.from_array(x, chunks=2), np.uint8(1)).compute().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
