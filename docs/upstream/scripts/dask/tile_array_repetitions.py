"""dask.array.tile by an array without axes multiplies: tile([0, 1], array(2)) is [[0, 2]].

The array is repeated by `nrep * [c]`, which is a product where `nrep` is an array of NumPy's.
"""

# /// upstream
# op = ["dask.array.tile"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["tile"]
# ///

import sys

import dask.array as da
import numpy as np

x = np.array([0.0, 1.0])
expected = np.tile(x, np.array(2)).tolist()
actual = da.tile(da.from_array(x, chunks=2), np.array(2)).compute().tolist()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
