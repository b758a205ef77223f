"""dask.array.pad with mode="wrap" pads by the length of the array at most.

The padding is cut from the array once, and not repeated: the result is shorter than the widths say.
"""

# /// upstream
# op = ["dask.array.pad"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["dask/dask#6127"]
# state = "open"
# names = ["pad"]
# shows = "wrap"
# ///

import sys

import dask.array as da
import numpy as np

x = np.array([1, 2, 3])
expected = np.pad(x, 4, mode="wrap").tolist()
actual = da.pad(da.from_array(x, chunks=3), 4, mode="wrap").compute().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
