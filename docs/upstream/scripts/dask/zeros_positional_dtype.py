"""dask.array.zeros, ones and full do not look at a dtype that is given by position.

`zeros(3, np.int64)` has float64, although NumPy's signature, which the manual shows, has the dtype there.
"""

# /// upstream
# op = ["dask.array.zeros", "dask.array.ones", "dask.array.empty", "dask.array.full"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int64", "bool"]
# effect = "wrong value"
# verdict = "defect"
# search = "reported"
# issues = ["dask/dask#6275"]
# state = "open"
# names = ["zeros", "ones", "full", "empty"]
# ///

import sys

import dask.array as da
import numpy as np

expected = [str(np.zeros(3, np.int64).dtype), np.full(2, 2.7, np.int32).tolist()]
actual = [str(da.zeros(3, np.int64).dtype), da.full(2, 2.7, np.int32).compute().tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
