"""numpy.ma.trace of integers is a float64: 2**60 + 1 becomes 1.152921504606847e+18.

`MaskedArray.trace` converts its result, or the diagonal, by `astype(dtype)` with `dtype=None`, which means float64.
Complex numbers lose their imaginary parts that way, with a ComplexWarning.
"""

# /// upstream
# op = ["numpy.ma.trace"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["int64", "complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["trace", "ndarray.trace"]
# ///

import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
x, y = np.array([[2**60 + 1]]), np.array([[1j]])
expected = [np.trace(x).item(), np.trace(y).item()]
actual = [np.ma.array(x).trace().item(), np.ma.array(y).trace().item()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
