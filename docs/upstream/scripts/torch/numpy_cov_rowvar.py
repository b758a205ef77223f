"""torch._numpy.cov and corrcoef do not look at rowvar=False, unless y is given.

`_xy_helper_corrcoef` transposes only in the branch in which there is a second array.
"""

# /// upstream
# op = ["torch._numpy.cov", "torch._numpy.corrcoef"]
# part = "torch._numpy"
# modes = ["eager"]
# dtypes = ["float64"]
# effect = "wrong value"
# verdict = "defect"
# search = "not found"
# names = ["cov", "corrcoef"]
# shows = "rowvar"
# ///

import sys

import numpy as np
import torch._numpy as tnp

x = np.array([[0.0, 1.0, 2.0], [0.0, 1.0, 5.0]])
expected = [np.cov(x, rowvar=False).tolist(), np.corrcoef(x + np.eye(2, 3), rowvar=False).shape]
actual = [
    tnp.cov(tnp.asarray(x), rowvar=False).tensor.tolist(),
    tuple(tnp.corrcoef(tnp.asarray(x + np.eye(2, 3)), rowvar=False).shape),
]
print("expected", expected)
print("actual  ", actual)
sys.exit(0 if str(actual) == str(expected) else 1)
