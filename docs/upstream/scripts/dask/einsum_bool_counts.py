"""dask.array.einsum of booleans counts: the product of two masks is 2, where NumPy has True.

Sums over axes are those of integers, also where the arguments are booleans and no dtype is given.
"""

# /// upstream
# op = ["dask.array.einsum"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["bool"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["einsum"]
# ///

import sys

import dask.array as da
import numpy as np

x = np.array([True, True])
expected = np.einsum("i,i", x, x).item()
lazy = da.from_array(x, chunks=1)
actual = da.einsum("i,i", lazy, lazy).compute().item()
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
