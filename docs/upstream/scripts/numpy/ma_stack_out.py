"""numpy.ma.stack with out= gives zeros, and writes zeros to out.

`_fromnxfunction_seq` passes its keyword arguments to the stacking of the data and to that of the masks alike: the
masks are written to `out`, over the data, and the result has `out` for its data.
"""

# /// upstream
# op = ["numpy.ma.stack"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["float64", "int64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["stack"]
# shows = "out="
# ///

import sys

import numpy as np

x = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
out, masked_out = np.empty((2, 2)), np.empty((2, 2))
expected = [np.stack(x, out=out).tolist(), out.tolist()]
actual = [np.ma.stack(x, out=masked_out).tolist(), masked_out.tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if actual == expected else 1)
