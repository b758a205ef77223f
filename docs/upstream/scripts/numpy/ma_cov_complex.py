"""numpy.ma.cov and numpy.ma.corrcoef drop the imaginary parts of complex data.

Both convert their data to float first (`ma.array(x, ..., dtype=float)` in `_covhelper`), with a ComplexWarning. The
variance of [0, 1j] is then 0. What follows in the same functions is written for complex data: it multiplies by
`conj()`.
"""

# /// upstream
# op = ["numpy.ma.cov", "numpy.ma.corrcoef"]
# part = "Python"
# modes = ["eager"]
# dtypes = ["complex128"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["cov", "corrcoef"]
# shows = "complex"
# ///

import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
x = np.array([0, 1j])
y = np.array([[0, 1], [0, 1 + 1j]])
expected = [complex(np.cov(x)), np.corrcoef(y).round(3).tolist()]
actual = [complex(np.ma.cov(x)), np.ma.corrcoef(y).round(3).tolist()]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
